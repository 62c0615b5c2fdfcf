import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId, useState } from "react";
import { newKey } from "../../api.ts";
import type { CaseTopic, LeadRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { fullMoment } from "../clock.ts";
import { useFailureText } from "../failure.ts";
import { Icon } from "../icon.tsx";
import { CloseButton, Overlay } from "../Overlay.tsx";
import { useOnePress } from "../useOnePress.ts";
import { casesQuery, openCase, templatesQuery } from "./caseCalls.ts";

const TOPICS: readonly CaseTopic[] = ["booking", "payment", "cashback", "account", "other"];

/** The button in the head of a lead, and the dialog behind it: its conversations, and a new message. */
export function WriteToStudent({ lead, past }: { lead: LeadRow; past: boolean }) {
  const { t } = useI18n();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="btn quiet sq"
        aria-label={t("desk.write")}
        disabled={past}
        title={past ? t("support.read_only") : t("desk.write")}
        onClick={() => setIsOpen(true)}
      >
        <Icon name="mail" size="s" />
      </button>
      {isOpen ? <WriteDialog lead={lead} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function WriteDialog({ lead, onClose }: { lead: LeadRow; onClose: () => void }) {
  const { t } = useI18n();
  const heading = useId();
  return (
    <Overlay kind="centre" labelledBy={heading} onClose={onClose}>
      <div className="dlg">
        <header>
          <h2 id={heading}>{t("desk.write_title", { reference: lead.reference })}</h2>
          <CloseButton onClose={onClose} />
        </header>
        <div className="body pad-b">
          <OfLead leadId={lead.lead_id} />
          <NewMessage leadId={lead.lead_id} />
        </div>
      </div>
    </Overlay>
  );
}

function OfLead({ leadId }: { leadId: string }) {
  const { t, lang } = useI18n();
  const { data } = useQuery(casesQuery({ lead_id: leadId }));
  if (data === undefined) return null;
  if (data.result.length === 0) return <p className="sub">{t("desk.none_of_lead")}</p>;
  return (
    <ul className="case-links" aria-label={t("desk.of_lead")}>
      {data.result.map((one) => (
        <li key={one.case_id}>
          <Link to="/workspace/cases/$caseId" params={{ caseId: one.case_id }}>
            {one.subject ?? t("desk.erased")}
          </Link>{" "}
          <span className="sub num">
            {t(`desk.${one.status}`)} · {fullMoment(one.last_at, lang)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function NewMessage({ leadId }: { leadId: string }) {
  const { t, tData } = useI18n();
  const [subjectId, wordsId, topicId, templateId] = [useId(), useId(), useId(), useId()];
  const go = useNavigate();
  const failureText = useFailureText();
  const { data: templates = [] } = useQuery(templatesQuery(leadId));
  const [topic, setTopic] = useState<CaseTopic>("booking");
  const [subject, setSubject] = useState("");
  const [words, setWords] = useState("");
  const [intent, setIntent] = useState(newKey);
  const opening = useOnePress({
    mutationFn: () => openCase({ lead_id: leadId, topic, subject, words, channel: "email" }, intent),
    onSuccess: (view) => {
      toast(t("desk.sent"));
      void go({ to: "/workspace/cases/$caseId", params: { caseId: view.case.case_id } });
    },
  });
  const begin = (name: string) => {
    const template = templates.find((one) => one.name === name);
    setSubject(template?.subject ?? "");
    setWords(template?.words ?? "");
    setIntent(newKey());
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    opening.send();
  };
  return (
    <form className="case-form" onSubmit={submit}>
      <label className="label" htmlFor={templateId}>
        {t("desk.template")}
      </label>
      <select id={templateId} className="field" onChange={(event) => begin(event.target.value)}>
        <option value="">{t("desk.template_none")}</option>
        {templates.map(({ name }) => (
          <option key={name} value={name}>
            {tData(`desk.template_${name}`)}
          </option>
        ))}
      </select>
      <label className="label" htmlFor={topicId}>
        {t("desk.topic")}
      </label>
      <select
        id={topicId}
        className="field"
        value={topic}
        onChange={(event) => {
          setTopic(TOPICS.find((one) => one === event.target.value) ?? "other");
          setIntent(newKey());
        }}
      >
        {TOPICS.map((one) => (
          <option key={one} value={one}>
            {t(`desk.topic_${one}`)}
          </option>
        ))}
      </select>
      <label className="label" htmlFor={subjectId}>
        {t("desk.subject")}
      </label>
      <input
        id={subjectId}
        className="field"
        data-first
        required
        maxLength={120}
        value={subject}
        onChange={(event) => {
          setSubject(event.target.value);
          setIntent(newKey());
        }}
      />
      <label className="label" htmlFor={wordsId}>
        {t("desk.words")}
      </label>
      <textarea
        id={wordsId}
        className="field"
        rows={6}
        required
        maxLength={4_000}
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setIntent(newKey());
        }}
      />
      {opening.error === null ? null : <p className="note bad">{failureText(opening.error)}</p>}
      <div className="row">
        <button type="submit" className="btn pri" disabled={opening.isPending}>
          {t("desk.send")}
        </button>
      </div>
    </form>
  );
}
