import "./support.css";
import { type FormEvent, useEffect, useState } from "react";
import { get, newKey, post } from "../../api.ts";
import type { CaseTopic, OwnCase } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { useOwnTime } from "../../ownTime.ts";
import * as paths from "../../paths.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { toast } from "../../ui/toast.tsx";
import { Link } from "../Link.tsx";
import { navigate } from "../navigation.ts";
import { SelectField, TextAreaField, TextField } from "../ui/field.tsx";
import { Outline } from "../ui/skeleton.tsx";
import { type Answering, Thread, ThreadComing } from "./Thread.tsx";
import { troubleOf } from "./threadTrouble.ts";
import { useAsked } from "./useAsked.ts";

const TOPICS: readonly CaseTopic[] = ["booking", "payment", "cashback", "account", "other"];

/** `/profile/support`, `/profile/support/{id}` and `/profile/leads/support` (row G4). */
export function Support({ kind, caseId }: { kind: "support" | "cashback"; caseId: string | null }) {
  return caseId === null ? <Cases kind={kind} /> : <OneCase id={caseId} />;
}

function Cases({ kind }: { kind: "support" | "cashback" }) {
  const { t } = useI18n();
  const { asked, again } = useAsked("cases", (options) => get("/api/v0/support/cases", options));
  const [writes, setWrites] = useState(false);
  const isCashback = kind === "cashback";
  const shown = asked.at === "there" ? asked.answer.filter((one) => !isCashback || one.topic === "cashback") : [];
  return (
    <div className="stack g24">
      <div className="row sub-head">
        <Link className="icon-btn only-narrow" href={paths.profile()} aria-label={t("cases.back")}>
          <Icon name="chev-l" />
        </Link>
        <h1 className="t-28">{t(isCashback ? "cases.cashback_title" : "cases.title")}</h1>
      </div>
      <p className="soft">{t(isCashback ? "cases.cashback_lead" : "cases.lead")}</p>
      {writes ? (
        <NewCase topic={isCashback ? "cashback" : "booking"} onCancel={() => setWrites(false)} />
      ) : (
        <div>
          <Button look="primary" onClick={() => setWrites(true)}>
            {t("cases.new")}
          </Button>
        </div>
      )}
      {asked.at === "loading" ? <CasesComing /> : null}
      {asked.at === "failed" ? <Failed onAgain={again} /> : null}
      {asked.at === "there" && shown.length === 0 && !writes ? (
        <div className="card pad">
          <p className="m">{t("cases.none_title")}</p>
          <p className="soft">{t("cases.none")}</p>
        </div>
      ) : null}
      <ul className="case-list">
        {shown.map((one) => (
          <CaseLine key={one.case_id} one={one} />
        ))}
      </ul>
    </div>
  );
}

const sample: OwnCase = {
  case_id: "",
  subject: "A question about my booking",
  topic: "booking",
  status: "waits_for_staff",
  opened_at: "2027-09-11T12:00:00Z",
  last_at: "2027-09-11T12:00:00Z",
  is_answered: false,
};

function CasesComing() {
  const { t } = useI18n();
  return (
    <div aria-busy="true">
      <p className="vh" role="status">
        {t("cases.loading")}
      </p>
      <Outline>
        <ul className="case-list">
          <CaseLine one={sample} />
        </ul>
      </Outline>
    </div>
  );
}

function CaseLine({ one }: { one: OwnCase }) {
  const { t } = useI18n();
  const own = useOwnTime();
  return (
    <li>
      <Link href={paths.supportCase(one.case_id)} className="case-line">
        <span className="grow">
          <span className="m clip">{one.subject ?? t("cases.erased")}</span>
          <span className="t-14 muted">
            {t(`cases.topic_${one.topic}`)} · <time dateTime={one.last_at}>{own.moment(one.last_at)}</time>
          </span>
        </span>
        <span className={`tag ${one.status}`}>{t(`cases.${one.status}`)}</span>
      </Link>
    </li>
  );
}

function Failed({ onAgain }: { onAgain: () => void }) {
  const { t } = useI18n();
  return (
    <div className="stack g16">
      <Banner kind="error">{t("cases.failed")}</Banner>
      <div>
        <Button onClick={onAgain}>{t("cases.try_again")}</Button>
      </div>
    </div>
  );
}

function NewCase({ topic: first, onCancel }: { topic: CaseTopic; onCancel: () => void }) {
  const { t } = useI18n();
  const [topic, setTopic] = useState<CaseTopic>(first);
  const [subject, setSubject] = useState("");
  const [words, setWords] = useState("");
  const [key, setKey] = useState(newKey);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words are another question
  useEffect(() => setKey(newKey()), [topic, subject, words]);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setTrouble(null);
    try {
      const sent = { topic, subject, words };
      const opened = await post("/api/v0/support/cases", { body: sent, idempotencyKey: key });
      toast(t("cases.sent"));
      await navigate(paths.supportCase(opened.case_id));
    } catch (failure) {
      setTrouble(troubleOf(failure, t("cases.not_sent")));
      setBusy(false);
    }
  };
  return (
    <form className="card pad stack g16" onSubmit={(event) => void send(event)}>
      <SelectField
        label={t("cases.topic")}
        value={topic}
        onChange={(event) => setTopic(TOPICS.find((one) => one === event.target.value) ?? "other")}
      >
        {TOPICS.map((one) => (
          <option key={one} value={one}>
            {t(`cases.topic_${one}`)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t("cases.subject")}
        value={subject}
        maxLength={120}
        required
        onChange={(event) => setSubject(event.target.value)}
      />
      <TextAreaField
        label={t("cases.words")}
        value={words}
        maxLength={4_000}
        required
        onChange={(event) => setWords(event.target.value)}
      />
      {trouble === null ? null : <Banner kind="error">{trouble}</Banner>}
      <div className="row">
        <Button onClick={onCancel}>{t("cases.cancel")}</Button>
        <Button look="primary" type="submit" busy={busy}>
          {t(busy ? "cases.sending" : "cases.send")}
        </Button>
      </div>
    </form>
  );
}

function OneCase({ id }: { id: string }) {
  const { t } = useI18n();
  const { asked, again, put } = useAsked(id, (options) =>
    get("/api/v0/support/cases/{id}", { path: { id }, ...options }),
  );
  const answer: Answering = (words, idempotencyKey) =>
    post("/api/v0/support/cases/{id}/messages", { path: { id }, body: { words }, idempotencyKey });
  return (
    <div className="stack g24">
      <p>
        <Link href={paths.support()}>{t("cases.back")}</Link>
      </p>
      {asked.at === "loading" ? <ThreadComing /> : null}
      {asked.at === "failed" ? <Failed onAgain={again} /> : null}
      {asked.at === "there" ? <Thread thread={asked.answer} answer={answer} filesOf={id} onAnswered={put} /> : null}
    </div>
  );
}
