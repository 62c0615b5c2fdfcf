import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, Suspense, useId, useState } from "react";
import { newKey } from "../../api.ts";
import type { CaseTopic, LeadRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { toast } from "../../ui/toast.tsx";
import { fullMoment } from "../clock.ts";
import { FailureNote } from "../FailureNote.tsx";
import { useKeptDraft } from "../keptDraft.ts";
import { CloseButton, Overlay } from "../Overlay.tsx";
import { useOnePress } from "../useOnePress.ts";
import { withTexts } from "../withTexts.ts";
import { casesQuery, openCase, templatesQuery } from "./caseCalls.ts";

const Others = lazyPart(async () => (await withTexts(import("./LeadPresence.tsx"), "queues")).Others);

const TOPICS: readonly CaseTopic[] = ["booking", "payment", "cashback", "account", "other"];

/** The conversations about a lead, and a new message to its student. */
export function WriteDialog({ lead, onClose }: { lead: LeadRow; onClose: () => void }) {
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
          <Suspense>
            <Others leadId={lead.lead_id} />
          </Suspense>
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
            {one.is_erased ? t("desk.erased") : t(`desk.topic_${one.topic}`)}
          </Link>{" "}
          <span className="sub num">
            {t(`desk.${one.status}`)} · {fullMoment(one.last_at, lang)}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface Draft {
  topic: CaseTopic;
  subject: string;
  words: string;
}

const drafts = new Map<string, Draft>();

function NewMessage({ leadId }: { leadId: string }) {
  const { t } = useI18n();
  const go = useNavigate();
  const [draft, setDraft] = useKeptDraft(drafts, leadId, (): Draft => ({ topic: "booking", subject: "", words: "" }));
  const [intent, setIntent] = useState(newKey);
  const opening = useOnePress({
    mutationFn: () => openCase({ lead_id: leadId, ...draft, channel: "email" }, intent),
    onSuccess: (view) => {
      drafts.delete(leadId);
      toast(t("desk.sent"));
      void go({ to: "/workspace/cases/$caseId", params: { caseId: view.case.case_id } });
    },
  });
  const change = (changed: Partial<Draft>) => {
    setDraft({ ...draft, ...changed });
    setIntent(newKey());
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    opening.send();
  };
  return (
    <form className="case-form" onSubmit={submit}>
      <Beginning leadId={leadId} onBegin={change} />
      <Fields draft={draft} onChange={change} />
      <FailureNote error={opening.error} />
      <div className="row">
        <button type="submit" className="btn pri" disabled={opening.isPending}>
          {t("desk.send")}
        </button>
      </div>
    </form>
  );
}

/** Templates in the student's language. */
function Beginning({ leadId, onBegin }: { leadId: string; onBegin: (begun: Partial<Draft>) => void }) {
  const { t, tData } = useI18n();
  const id = useId();
  const { data: templates = [] } = useQuery(templatesQuery(leadId));
  const begin = (name: string) => {
    const template = templates.find((one) => one.name === name);
    onBegin({ subject: template?.subject ?? "", words: template?.words ?? "" });
  };
  return (
    <>
      <label className="label" htmlFor={id}>
        {t("desk.template")}
      </label>
      <select id={id} className="field" onChange={(event) => begin(event.target.value)}>
        <option value="">{t("desk.template_none")}</option>
        {templates.map(({ name }) => (
          <option key={name} value={name}>
            {tData(`desk.template_${name}`)}
          </option>
        ))}
      </select>
    </>
  );
}

function Fields({ draft, onChange }: { draft: Draft; onChange: (changed: Partial<Draft>) => void }) {
  const { t } = useI18n();
  const [subjectId, wordsId, topicId] = [useId(), useId(), useId()];
  return (
    <>
      <label className="label" htmlFor={topicId}>
        {t("desk.topic")}
      </label>
      <select
        id={topicId}
        className="field"
        value={draft.topic}
        onChange={(event) => onChange({ topic: TOPICS.find((one) => one === event.target.value) ?? "other" })}
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
        value={draft.subject}
        onChange={(event) => onChange({ subject: event.target.value })}
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
        value={draft.words}
        onChange={(event) => onChange({ words: event.target.value })}
      />
    </>
  );
}
