import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { buildAddress, newKey } from "../../api.ts";
import type { EvidenceDispute, PaymentDossier } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import { toast } from "../../ui/toast.tsx";
import { fullMoment, type Span, spanOf, useNow } from "../clock.ts";
import { FailureNote } from "../FailureNote.tsx";
import { Icon } from "../icon.tsx";
import { fileAddress } from "../pastMoment.ts";
import { evidenceQuery, sendEvidence } from "../queries.ts";
import { useMe } from "../session.ts";
import { Bone, Stopped } from "../TableStates.tsx";
import { useOnePress } from "../useOnePress.ts";

/** A bank disputes the payment: what the log holds against it, laid with the provider, and sent on to the bank once. */
export function DisputeEvidence({ dossier }: { dossier: PaymentDossier }) {
  const isDisputed = dossier.events.some(({ ours }) => ours?.kind.startsWith("dispute_"));
  return isDisputed ? <Evidence dossier={dossier} /> : null;
}

function Evidence({ dossier }: { dossier: PaymentDossier }) {
  const { t } = useI18n();
  const { data, error, dataUpdatedAt, refetch } = useQuery(evidenceQuery(dossier.payment_id));
  return (
    <section className="note dispute">
      {error === null ? null : <Stopped error={error} fetchedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Bone width={260} /> : null}
      {data?.disputes.map((dispute) => (
        <Standing key={dispute.id} dossier={dossier} dispute={dispute} />
      ))}
      <p className="sub">{t("finance.evidence_text")}</p>
    </section>
  );
}

interface StandingProps {
  dossier: PaymentDossier;
  dispute: EvidenceDispute;
}

function Standing({ dossier, dispute }: StandingProps) {
  const { t } = useI18n();
  const me = useMe();
  return (
    <div data-dispute={dispute.id}>
      <p>
        <b>{dispute.amount}</b> · {t(outcomeOf(dispute))}
      </p>
      {dispute.outcome === "open" ? (
        <>
          <p>{t("evidence.open_text")}</p>
          {keepsRoom(dossier) ? <p>{t("evidence.open_room")}</p> : null}
          <Deadline dispute={dispute} />
        </>
      ) : null}
      <Sending dispute={dispute} />
      {dispute.asked_at !== null && dispute.struck > 0 ? (
        <p className="sub">{t("evidence.struck", { count: dispute.struck })}</p>
      ) : null}
      {dispute.came_since > 0 ? (
        <p className="note">{t("evidence.came_since", { count: dispute.came_since })}</p>
      ) : null}
      {dispute.can_send && me.can.finance ? (
        <Send dossier={dossier} dispute={dispute} />
      ) : (
        <Files dossier={dossier} chosen={{ dispute_id: dispute.id }} />
      )}
    </div>
  );
}

/** Which lines of a dispute a file holds. */
interface Chosen {
  dispute_id: string;
  struck?: string;
  last_seen?: string;
}

function Files({ dossier: { payment_id: id, reference }, chosen }: { dossier: PaymentDossier; chosen: Chosen }) {
  const { t } = useI18n();
  const query = { dispute_id: chosen.dispute_id };
  return (
    <p className="row" style={{ flexWrap: "wrap" }}>
      <a
        className="btn sm"
        href={fileAddress(
          buildAddress("/api/v0/workspace/payments/{id}/evidence.pdf", { path: { id }, query: { ...chosen } }),
        )}
        download
      >
        <Icon name="export" size="s" />
        {t("finance.evidence_pdf")}
      </a>
      <a
        className="btn sm"
        href={fileAddress(buildAddress("/api/v0/workspace/payments/{id}/evidence", { path: { id }, query }))}
        download={`${reference}-evidence.json`}
      >
        {t("finance.evidence_json")}
      </a>
    </p>
  );
}

/** How far the evidence is, and by whom it was sent. */
function Sending({ dispute }: { dispute: EvidenceDispute }) {
  const { laid_at, asked_at, asked_by, sent_at, refused } = dispute;
  const { t, lang } = useI18n();
  const me = useMe();
  const who = t(asked_by === me.user_id ? "evidence.by_you" : "evidence.by_colleague");
  if (sent_at !== null) {
    const at = fullMoment(sent_at, lang);
    return <p>{asked_by === null ? t("evidence.sent", { at }) : t("evidence.sent_by", { at, who })}</p>;
  }
  if (refused !== null)
    return (
      <p className="note bad" role="alert">
        {t("evidence.refused", { why: refused })}
      </p>
    );
  if (asked_at !== null) return <p role="status">{t("evidence.asked", { at: fullMoment(asked_at, lang), who })}</p>;
  if (laid_at !== null) {
    const key = dispute.outcome === "open" ? "evidence.laid" : "evidence.laid_unsent";
    return <p>{t(key, { at: fullMoment(laid_at, lang) })}</p>;
  }
  return <p role="status">{t("evidence.gathering")}</p>;
}

/** Whether the booking can end by no act until the bank decides: it has its room, and none of its money is left to refund. */
function keepsRoom({ choices, refundable_minor }: PaymentDossier): boolean {
  return refundable_minor === 0 && choices.some(({ booking }) => booking === "cancel");
}

function outcomeOf({ outcome }: EvidenceDispute): MessageKey {
  if (outcome === "won") return "evidence.outcome_won";
  return outcome === "lost" ? "evidence.outcome_lost" : "evidence.outcome_open";
}

function Deadline({ dispute: { due_by, is_late } }: { dispute: EvidenceDispute }) {
  const { t, lang } = useI18n();
  const now = useNow();
  if (due_by === null) return null;
  const at = fullMoment(due_by, lang);
  if (is_late) return <p className="note bad">{t("evidence.late", { at })}</p>;
  return <p>{t("evidence.due", { at, left: left(spanOf(Date.parse(due_by) - now)) })}</p>;

  function left({ unit, count }: Span): string {
    return t(`evidence.left_${unit}`, { count });
  }
}

/** Lines stay as they were first shown: newer ones are added when the reader asks for them, and go to the bank only then. */
function Send({ dossier, dispute }: StandingProps) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [intent, setIntent] = useState(newKey);
  const [lines, setLines] = useState(dispute.lines);
  const [struck, setStruck] = useState<readonly string[]>([]);
  const lastSeen = lines.at(-1)?.event_id;
  const newer = dispute.lines.length - lines.length;
  // Other lines are another sending.
  const strike = (next: readonly string[]) => {
    setStruck(next);
    setIntent(newKey());
  };
  const showNewer = () => {
    setLines(dispute.lines);
    setIntent(newKey());
  };
  const sending = useOnePress({
    mutationFn: () => {
      if (lastSeen === undefined) throw new Error("evidence without lines");
      const asked = { dispute_id: dispute.id, struck: [...struck], last_seen: lastSeen };
      return sendEvidence(dossier.payment_id, asked, intent);
    },
    onSuccess: () => toast(t("evidence.on_its_way")),
    onSettled: () => client.invalidateQueries({ queryKey: ["evidence", dossier.payment_id] }),
  });
  return (
    <>
      <Lines lines={lines} struck={struck} onStrike={strike} />
      {newer > 0 ? (
        <p className="row" role="status" style={{ flexWrap: "wrap" }}>
          {t("evidence.newer", { count: newer })}
          <button type="button" className="btn sm" onClick={showNewer}>
            {t("evidence.show_newer")}
          </button>
        </p>
      ) : null}
      <Files
        dossier={dossier}
        chosen={{
          dispute_id: dispute.id,
          ...(struck.length > 0 ? { struck: struck.join(",") } : {}),
          ...(lastSeen === undefined ? {} : { last_seen: lastSeen }),
        }}
      />
      <FailureNote error={sending.error} />
      <p className="sub">{t("evidence.once")}</p>
      <button
        type="button"
        className="btn pri"
        disabled={sending.isPending || lastSeen === undefined}
        onClick={() => sending.send()}
      >
        {t("evidence.send")}
      </button>
    </>
  );
}

interface LinesProps {
  lines: EvidenceDispute["lines"];
  struck: readonly string[];
  onStrike: (struck: readonly string[]) => void;
}

/** What goes to the bank, line by line; a line whose box is cleared does not. */
function Lines({ lines, struck, onStrike }: LinesProps) {
  const { t, lang } = useI18n();
  const toggle = (id: string) =>
    onStrike(struck.includes(id) ? struck.filter((other) => other !== id) : [...struck, id]);
  return (
    <fieldset className="ev-lines">
      <legend>{t("evidence.lines", { count: lines.length - struck.length })}</legend>
      <p className="sub">{t("evidence.lines_text")}</p>
      {lines.map((line) => (
        <label key={line.event_id}>
          <input
            type="checkbox"
            title={t("evidence.strike")}
            checked={!struck.includes(line.event_id)}
            onChange={() => toggle(line.event_id)}
          />
          <span>
            <span className="num">{fullMoment(line.at, lang)}</span> · {line.text}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
