import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { newKey } from "../../api.ts";
import type { LeadCloseCause, LeadRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { spaceAfter } from "../../i18n/sentences.ts";
import { useFailureText } from "../failure.ts";
import { actOnLead, addNote, assignTo } from "./actCalls.ts";
import { CAUSES } from "./actList.ts";
import "./acts.css";

type BulkAct = "assign" | "close" | "note";

interface Outcome {
  lead: LeadRow;
  /** Why it was refused; `null` where it is done. */
  refused: string | null;
}

interface Done {
  act: BulkAct;
  outcomes: Outcome[];
}

interface BulkBarProps {
  leads: LeadRow[];
  onClear: () => void;
}

/** Acts on the chosen leads: one call for each, and what became of each. Owners and closes can be taken back. */
export function BulkBar({ leads, onClear }: BulkBarProps) {
  const { t } = useI18n();
  const [act, setAct] = useState<BulkAct>("assign");
  const [cause, setCause] = useState<LeadCloseCause | null>(null);
  const [words, setWords] = useState("");
  const { done, isBusy, run, undo } = useBulk();
  const ready = act === "assign" || (act === "close" && cause !== "other" ? cause !== null : words.trim().length >= 3);
  const one = (lead: LeadRow) => {
    if (act === "assign") return assignTo(lead.lead_id, { owner: "me" }, newKey());
    if (act === "note") return addNote(lead.lead_id, words, newKey());
    return actOnLead(lead.lead_id, { act: "close", ...(cause && { cause }), reason: words.trim() }, newKey());
  };
  return (
    <section className="bulk" aria-label={t("acts.bulk")}>
      <b>{t("acts.chosen", { n: leads.length })}</b>
      <select
        className="field sm"
        aria-label={t("acts.bulk_act")}
        value={act}
        onChange={(event) => setAct(bulkActOf(event.target.value))}
      >
        <option value="assign">{t("acts.bulk_assign")}</option>
        <option value="close">{t("acts.close")}</option>
        <option value="note">{t("acts.note")}</option>
      </select>
      {act === "close" ? (
        <select
          className="field sm"
          aria-label={t("acts.cause")}
          value={cause ?? ""}
          onChange={(event) => setCause(CAUSES.find((known) => known === event.target.value) ?? null)}
        >
          <option value="">{t("acts.cause_choose")}</option>
          {CAUSES.map((known) => (
            <option key={known} value={known}>
              {t(`acts.cause_${known}`)}
            </option>
          ))}
        </select>
      ) : null}
      {act === "assign" ? null : (
        <input
          className="field sm"
          aria-label={t(act === "note" ? "acts.note_words" : "acts.why")}
          placeholder={t(act === "note" ? "acts.note_words" : "acts.why")}
          maxLength={500}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      <button
        type="button"
        className="btn pri sm"
        disabled={isBusy || !ready}
        onClick={() => void run(act, leads, one)}
      >
        {t("acts.bulk_go", { n: leads.length })}
      </button>
      <button type="button" className="btn sm" onClick={onClear}>
        {t("acts.bulk_clear")}
      </button>
      {done === null ? null : <Outcomes done={done} isBusy={isBusy} onUndo={() => void undo()} />}
    </section>
  );
}

function bulkActOf(value: string): BulkAct {
  return value === "close" || value === "note" ? value : "assign";
}

/** Runs one call after the other: a failure of one leaves the others done. */
function useBulk() {
  const client = useQueryClient();
  const failureText = useFailureText();
  const [done, setDone] = useState<Done | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const run = async (act: BulkAct, leads: LeadRow[], one: (lead: LeadRow) => Promise<unknown>) => {
    setIsBusy(true);
    const outcomes: Outcome[] = [];
    for (const lead of leads) {
      const refused = await one(lead).then(
        () => null,
        (error: Error) => failureText(error),
      );
      outcomes.push({ lead, refused });
    }
    setDone({ act, outcomes });
    setIsBusy(false);
    void client.invalidateQueries({ queryKey: ["leads"] });
  };
  const undo = async () => {
    if (done === null) return;
    const changed = done.outcomes.filter(({ refused }) => refused === null).map(({ lead }) => lead);
    const back = (lead: LeadRow) =>
      done.act === "assign"
        ? assignTo(lead.lead_id, { owner: null }, newKey())
        : actOnLead(lead.lead_id, { act: "reopen", reason: "" }, newKey());
    await run(done.act, changed, back);
    setDone(null);
  };
  return { done, isBusy, run, undo };
}

function Outcomes({ done, isBusy, onUndo }: { done: Done; isBusy: boolean; onUndo: () => void }) {
  const { t } = useI18n();
  const refused = done.outcomes.filter((one) => one.refused !== null);
  const outcome = t("acts.bulk_done", { n: done.outcomes.length - refused.length, all: done.outcomes.length });
  return (
    <div role="status">
      {outcome}
      {spaceAfter(outcome)}
      {done.act === "note" || refused.length === done.outcomes.length ? null : (
        <button type="button" className="btn sm" disabled={isBusy} onClick={onUndo}>
          {t("acts.undo")}
        </button>
      )}
      <ul>
        {refused.map(({ lead, refused: why }) => (
          <li key={lead.lead_id} className="note bad">
            {lead.reference}: {why}
          </li>
        ))}
      </ul>
    </div>
  );
}
