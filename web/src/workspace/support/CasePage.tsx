import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { type FormEvent, useEffect, useId, useState } from "react";
import { newKey } from "../../api.ts";
import type { CaseAct, CaseMessage, CaseView, MessageChannel } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { serverNow } from "../../serverClock.ts";
import { toast } from "../../ui/toast.tsx";
import { fullMoment } from "../clock.ts";
import { FailureNote } from "../FailureNote.tsx";
import { faultsOf, useFailureToast } from "../failure.ts";
import { Icon } from "../icon.tsx";
import { LabelledField } from "../LabelledField.tsx";
import { languageName } from "../languageName.ts";
import { Masked } from "../Masked.tsx";
import { useMe } from "../session.ts";
import { Bone, Stopped } from "../TableStates.tsx";
import { useOnePress } from "../useOnePress.ts";
import { CaseFiles } from "./CaseFiles.tsx";
import { ChannelChoice } from "./ChannelChoice.tsx";
import { actOnCase, caseQueryOf, writeCase } from "./caseCalls.ts";

/** One conversation: what both sides wrote, the answer, and what may be done to it (rows G4 and I4). */
export function CasePage() {
  const { t } = useI18n();
  const { caseId } = useParams({ from: "/workspace/cases/$caseId" });
  const asked = useQuery(caseQueryOf(caseId));
  const { data, error } = asked;
  // Without the subject: it is the student's own, and a title stays in the browser's history.
  useEffect(() => {
    document.title = `${t("desk.conversation")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main case" id="work">
      {error === null ? null : (
        <Stopped error={error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
      )}
      {data === undefined && error === null ? <Bone width={320} /> : null}
      {data === undefined ? null : (
        <>
          <Head view={data} />
          <ol className="case-talk">
            {data.messages.map((message) => (
              <Message key={message.message_id} message={message} />
            ))}
          </ol>
          {data.subject === null ? <Erased /> : <Answer view={data} />}
          {data.subject === null ? null : <CaseFiles view={data} />}
          <Notes view={data} />
          <Note view={data} />
        </>
      )}
    </main>
  );
}

function Erased() {
  const { t } = useI18n();
  return <p className="note">{t("desk.erased")}</p>;
}

function Head({ view }: { view: CaseView }) {
  const { t, lang } = useI18n();
  const me = useMe();
  const one = view.case;
  const act = useAct(one.case_id);
  const mine = one.owner === me.user_id;
  const isClosed = one.status === "closed";
  const isLate = one.due_at !== null && Date.parse(one.due_at) < serverNow();
  return (
    <header className="lh case-head">
      <Link className="btn quiet sq" to="/workspace/cases" aria-label={t("desk.to_list")}>
        <Icon name="left" />
      </Link>
      <div className="who-h">
        <h1>{view.subject ?? t("desk.erased")}</h1>
        <p className="sub">
          <Masked value={one.name_masked} /> · {t(`desk.topic_${one.topic}`)} · {t(`desk.${one.status}`)}
          {one.due_at === null ? null : (
            <span className={isLate ? "sla late num" : "num"}>
              {" "}
              · {t(isLate ? "desk.late_by" : "desk.due_at", { moment: fullMoment(one.due_at, lang) })}
            </span>
          )}
          {one.owner_name === null ? null : ` · ${one.owner_name}`}
        </p>
      </div>
      <div className="right row">
        {one.lead_id === null ? null : (
          <Link className="btn sm" to="/workspace/leads/$leadId" params={{ leadId: one.lead_id }}>
            {t("desk.open_lead")}
          </Link>
        )}
        {view.teams.length === 0 ? null : <TeamChoice key={one.team} view={view} />}
        <button
          type="button"
          className="btn sm"
          disabled={act.isPending}
          onClick={() => act.send({ act: "assign", owner: mine ? null : "me" })}
        >
          {t(mine ? "desk.give_back" : "desk.take")}
        </button>
        <button
          type="button"
          className="btn sm"
          disabled={act.isPending}
          onClick={() => act.send({ act: isClosed ? "reopen" : "close" })}
        >
          {t(isClosed ? "desk.reopen" : "desk.close")}
        </button>
      </div>
    </header>
  );
}

/** Whose team the conversation is given to. The arrows pass every team on the way to one: it is given by a press of its own. */
function TeamChoice({ view }: { view: CaseView }) {
  const { t } = useI18n();
  const given = view.case.team ?? "";
  const [team, setTeam] = useState(given);
  const act = useAct(view.case.case_id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act.send({ act: "team", team: team || null });
  };
  return (
    <form className="row" onSubmit={submit}>
      <select
        className="field sm"
        aria-label={t("desk.team")}
        value={team}
        onChange={(event) => setTeam(event.target.value)}
      >
        <option value="">{t("desk.team_none")}</option>
        {view.teams.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      {team === given ? null : (
        <button type="submit" className="btn sm" disabled={act.isPending}>
          {t(team === "" ? "desk.team_take_back" : "desk.team_give")}
        </button>
      )}
    </form>
  );
}

/** Shows the conversation that an act answered, and has the queue read again. */
function useShow(caseId: string): (view: CaseView, words: string) => void {
  const client = useQueryClient();
  return (view, words) => {
    client.setQueryData(caseQueryOf(caseId).queryKey, view);
    toast(words);
    void client.invalidateQueries({ queryKey: ["cases"] });
  };
}

/** One press of the head that does something to the conversation. */
function useAct(caseId: string) {
  const { t } = useI18n();
  const show = useShow(caseId);
  const tellFailure = useFailureToast();
  return useOnePress({
    mutationFn: (act: CaseAct) => actOnCase(caseId, act),
    onSuccess: (view, { act }) =>
      show(view, t(act === "team" && view.case.team !== null ? "desk.team_given" : "desk.done")),
    onError: tellFailure,
  });
}

function Message({ message }: { message: CaseMessage }) {
  const { t, lang } = useI18n();
  const outcome = message.outcome === "sent" || message.outcome === "refused" ? message.outcome : "waiting";
  return (
    <li className={`case-one ${message.side}`}>
      <p className="sub num">
        {t(`desk.side_${message.side}`)} · {fullMoment(message.at, lang)}
        {message.side === "person" ? null : (
          <span className={outcome === "refused" ? "bad" : undefined}>
            {" "}
            · {t("desk.by", { way: t(`desk.channel_${message.channel}`) })} · {t(`desk.outcome_${outcome}`)}
          </span>
        )}
      </p>
      <p className="case-words">{message.words ?? t("desk.erased")}</p>
    </li>
  );
}

function Answer({ view }: { view: CaseView }) {
  const { t, lang } = useI18n();
  const id = useId();
  const show = useShow(view.case.case_id);
  const [words, setWords] = useState("");
  const [channel, setChannel] = useState<MessageChannel>("email");
  const [intent, setIntent] = useState(newKey);
  const writing = useOnePress({
    mutationFn: () => writeCase(view.case.case_id, { words, channel }, intent),
    onSuccess: (answer) => {
      setWords("");
      setIntent(newKey());
      show(answer, t("desk.sent"));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    writing.send();
  };
  return (
    <form className="case-form" onSubmit={submit}>
      <label className="label" htmlFor={id}>
        {t("desk.answer")}{" "}
        <span className="sub">{t("desk.language", { language: languageName(view.language, lang) })}</span>
      </label>
      <textarea
        id={id}
        className="field"
        rows={5}
        maxLength={4_000}
        required
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setIntent(newKey());
        }}
      />
      <FailureNote error={writing.error} />
      <div className="row">
        <ChannelChoice channels={view.channels} channel={channel} onChange={setChannel} />
        <button type="submit" className="btn pri" disabled={writing.isPending}>
          {t("desk.send")}
        </button>
      </div>
    </form>
  );
}

/** What colleagues wrote for each other; the student never sees it. */
function Notes({ view }: { view: CaseView }) {
  const { t, lang } = useI18n();
  const id = useId();
  if (view.notes.length === 0) return null;
  return (
    <section className="case-notes" aria-labelledby={id}>
      <h2 id={id}>{t("desk.notes")}</h2>
      <ul className="case-talk">
        {view.notes.map((note) => (
          <li key={note.at} className="case-one staff">
            <p className="sub num">
              {note.by} · {fullMoment(note.at, lang)}
            </p>
            <p className="case-words">{note.words ?? t("desk.erased")}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A note for colleagues; what was typed stays when the server refuses. */
function Note({ view }: { view: CaseView }) {
  const { t } = useI18n();
  const show = useShow(view.case.case_id);
  const [note, setNote] = useState("");
  const noting = useOnePress({
    mutationFn: () => actOnCase(view.case.case_id, { act: "note", note }),
    onSuccess: (answer) => {
      setNote("");
      show(answer, t("desk.note_saved"));
    },
  });
  const faults = faultsOf(noting.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    noting.send();
  };
  return (
    <form className="case-form" onSubmit={submit}>
      <LabelledField label={t("desk.note")} fault={faults.get("note")}>
        {(its) => (
          <textarea
            {...its}
            className="field"
            rows={2}
            minLength={3}
            maxLength={2_000}
            required
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </LabelledField>
      {faults.has("note") ? null : <FailureNote error={noting.error} />}
      {view.colleagues.length === 0 ? null : (
        <p className="sub">
          {t("desk.note_mention", { names: view.colleagues.map(({ handle }) => `@${handle}`).join(" ") })}
        </p>
      )}
      <div className="row">
        <button type="submit" className="btn" disabled={noting.isPending}>
          {t("desk.note_save")}
        </button>
      </div>
    </form>
  );
}
