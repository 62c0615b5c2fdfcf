import { useState } from "react";
import type { HelpQuestion } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { PageOf } from "../../page.ts";
import { Icon } from "../../ui/icon.tsx";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { TextField } from "../ui/field.tsx";
import { Blocks } from "./Blocks.tsx";
import { findAnswers } from "./helpSearch.ts";
import "./content.css";

/** `/help`: answers in place of the topics while something is searched, and a person behind the last answer. */
export default function HelpPage({ page }: { page: PageOf<"help"> }) {
  const { t } = useI18n();
  const [text, setText] = useState("");
  const { title, lead, topics } = page.data;
  const isAsked = text.trim() !== "";
  const found = findAnswers(topics, text);
  return (
    <main id="main" className="wrap words-page">
      <header className="words-lead">
        <h1>{title}</h1>
        {lead === null ? null : <p className="t-18 soft">{lead}</p>}
        <search>
          <TextField
            label={t("content.search")}
            type="search"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </search>
        <p role="status" className="t-14 muted">
          {isAsked ? t("content.found", { n: found.length, text: text.trim() }) : ""}
        </p>
      </header>
      {isAsked ? (
        <Answers questions={found} />
      ) : (
        topics.map((topic) => (
          <section key={topic.id} id={topic.id} aria-labelledby={`${topic.id}-title`}>
            <h2 className="t-22" id={`${topic.id}-title`}>
              {topic.name}
            </h2>
            <Answers questions={topic.questions} />
          </section>
        ))
      )}
      <section className="card pad stack g12">
        <h2 className="t-22">{t("content.still")}</h2>
        <div>
          <ButtonLink href="/contact" look="primary">
            {t("content.write")}
          </ButtonLink>
        </div>
      </section>
    </main>
  );
}

function Answers({ questions }: { questions: readonly HelpQuestion[] }) {
  return (
    <div className="faq">
      {questions.map(({ id, question, answer }) => (
        <details key={id} id={id}>
          <summary>
            {question}
            <Icon name="chev-d" size={20} />
          </summary>
          <div className="words">
            <Blocks blocks={answer} />
          </div>
        </details>
      ))}
    </div>
  );
}
