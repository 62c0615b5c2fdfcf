import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useId } from "react";
import { ApiError } from "../../api.ts";
import type { AuditRow, PaymentDossier } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { exact, writeMoney } from "../amounts.ts";
import { clockTime, dayAndTime, plainDay } from "../clock.ts";
import { Icon } from "../icon.tsx";
import { Masked } from "../Masked.tsx";
import { CloseButton, Overlay } from "../Overlay.tsx";
import { PaymentLinks } from "../PaymentLinks.tsx";
import { dossierQuery } from "../queries.ts";
import { Scrolling } from "../Scrolling.tsx";
import { useMe } from "../session.ts";
import { Bone, NothingFound, Stopped } from "../TableStates.tsx";
import { withTexts } from "../withTexts.ts";
import { AtProvider } from "./AtProvider.tsx";
import { placeOf } from "./auditFilters.ts";
import { BookingLinks } from "./BookingLinks.tsx";
import { ByHand } from "./ByHand.tsx";
import { CancelBooking } from "./CancelBooking.tsx";
import { DisputeEvidence } from "./DisputeEvidence.tsx";
import { Ledger } from "./Ledger.tsx";
import { MoneyWhy } from "./MoneyWhy.tsx";
import { ReceiptLinks } from "./ReceiptLinks.tsx";

const PaymentApprovals = lazyPart(
  async () => (await withTexts(import("./PaymentApprovals.tsx"), "approvals")).PaymentApprovals,
);

interface PaymentDrawerProps {
  paymentId: string;
  /** The books are shown as they stood: nothing can be given back from there. */
  past: boolean;
  onClose: () => void;
  onRefund: () => void;
}

/** One payment to the last penny: our events beside the gateway's, and the double entry they come to. */
export function PaymentDrawer({ paymentId, past, onClose, onRefund }: PaymentDrawerProps) {
  const { t } = useI18n();
  const me = useMe();
  const heading = useId();
  const dossier = useQuery(dossierQuery(paymentId));
  const { data, error } = dossier;
  const missing = error instanceof ApiError && error.status === 404;
  return (
    <Overlay kind="side" labelledBy={heading} onClose={onClose}>
      <div className="w-drawer wide">
        <header>
          <div className="grow">
            <div className="row">
              <h2 id={heading} className="num">
                {data?.reference ?? t("finance.payment")}
              </h2>
              {data === undefined ? null : <StateChip dossier={data} />}
            </div>
            {data === undefined ? null : <Subtitle dossier={data} />}
          </div>
          {data === undefined ? null : (
            <PaymentLinks lead={{ lead_id: data.lead_id, reference: data.lead_reference }} past={past} />
          )}
          {data === undefined ? null : (
            <Link className="btn sm" to="/workspace/leads/$leadId" params={{ leadId: data.lead_id }}>
              <Icon name="replay" size="s" />
              {t(me.can.leads ? "finance.lead_replay" : "finance.lead_history")}
            </Link>
          )}
          <CloseButton onClose={onClose} />
        </header>
        <Scrolling className="body">
          {missing ? <NothingFound title={t("finance.no_payment")}>{t("finance.no_payment_text")}</NothingFound> : null}
          {error === null || missing ? null : (
            <Stopped error={error} fetchedAt={dossier.dataUpdatedAt} onRetry={() => void dossier.refetch()} />
          )}
          {data === undefined ? null : <DisputeEvidence dossier={data} />}
          {data === undefined ? error === null ? <Bone width={300} /> : null : <Dossier dossier={data} />}
          {data?.can_cancel_booking && me.can.finance && !past ? <CancelBooking dossier={data} /> : null}
        </Scrolling>
        {data === undefined ? null : <Foot dossier={data} past={past} onRefund={onRefund} />}
      </div>
    </Overlay>
  );
}

function Subtitle({ dossier }: { dossier: PaymentDossier }) {
  const { t, lang } = useI18n();
  return (
    <p className="sub">
      <Masked value={dossier.name_masked} /> · {dossier.lead_reference} · {dossier.property} ·{" "}
      {t("finance.opened_on", { day: plainDay(dossier.opened_at, lang) })}
    </p>
  );
}

const LOOKS: Readonly<Record<PaymentDossier["status"], "" | "ok" | "bad" | "warn" | "info">> = {
  init: "",
  init_loading: "",
  init_failure: "bad",
  initiated: "info",
  processing: "info",
  pending: "warn",
  success: "ok",
  failed: "bad",
  sold_out: "warn",
};

function StateChip({ dossier }: { dossier: PaymentDossier }) {
  const { t } = useI18n();
  const { status, dispute, captured_minor, refunded_minor, refund_pending_minor } = dossier;
  // The money is not ours while a bank decides, nor after it was lost.
  if (dispute === "open" || dispute === "lost") {
    return (
      <span className={dispute === "open" ? "chip warn" : "chip bad"}>
        <Icon name="alert" size="s" />
        {t(dispute === "open" ? "finance.dispute_open" : "finance.state_dispute_lost")}
      </span>
    );
  }
  if (captured_minor > 0 && refunded_minor >= captured_minor) {
    return (
      <span className="chip ok">
        <Icon name="check" />
        {t("finance.refunded_in_full")}
      </span>
    );
  }
  if (refund_pending_minor > 0) return <span className="chip info">{t("finance.refund_on_its_way")}</span>;
  if (refunded_minor > 0) return <span className="chip ok">{t("finance.refunded_in_part")}</span>;
  return <span className={`chip ${LOOKS[status]}`.trim()}>{t(`finance.status_${status}`)}</span>;
}

function Dossier({ dossier }: { dossier: PaymentDossier }) {
  return (
    <>
      <Sums dossier={dossier} />
      <ReceiptLinks dossier={dossier} />
      <BookingLinks dossier={dossier} />
      <Beside dossier={dossier} />
      <Suspense>
        <PaymentApprovals paymentId={dossier.payment_id} />
      </Suspense>
      <AtProvider paymentId={dossier.payment_id} />
      <Ledger dossier={dossier} />
    </>
  );
}

type SumPart = "captured" | "refunded" | "refund_pending" | "disputed";

/** Kinds of events that change each part of the sum. */
const PARTS: Readonly<Record<SumPart, readonly AuditRow["kind"][]>> = {
  captured: ["captured"],
  refunded: ["refund_acknowledged", "refund_paid_elsewhere"],
  refund_pending: ["refund_requested", "refund_sent", "refund_acknowledged", "refund_failed"],
  disputed: ["dispute_opened", "dispute_won", "dispute_lost"],
};

/** Captured less refunded less on its way back leaves what may still be refunded. */
function Sums({ dossier }: { dossier: PaymentDossier }) {
  const { t } = useI18n();
  const { decimals, currency } = dossier;
  const sum = (part: SumPart, minor: number) => (
    <div>
      <span className="sub">
        {t(`finance.${part}`)}
        <MoneyWhy
          name={t(`finance.${part}`)}
          amount={writeMoney(minor, { decimals, currency })}
          rows={dossier.events.flatMap(({ ours }) => (ours !== null && PARTS[part].includes(ours.kind) ? [ours] : []))}
        />
      </span>
      <b>{exact(minor, decimals)}</b>
    </div>
  );
  return (
    <div className="sums num">
      {sum("captured", dossier.captured_minor)}
      <i>−</i>
      {sum("refunded", dossier.refunded_minor)}
      <i>−</i>
      {sum("refund_pending", dossier.refund_pending_minor)}
      {dossier.disputed_minor === 0 ? null : (
        <>
          <i>−</i>
          {sum("disputed", dossier.disputed_minor)}
        </>
      )}
      <i>=</i>
      <div className="eq">
        <span className="sub">{t("finance.refundable")}</span>
        <b>{writeMoney(dossier.refundable_minor, dossier)}</b>
      </div>
    </div>
  );
}

type Pair = PaymentDossier["events"][number];

/** What we recorded, beside what the gateway told us; a side that is missing is a row, not a gap. */
function Beside({ dossier }: { dossier: PaymentDossier }) {
  const { t } = useI18n();
  return (
    <div>
      <h3>{t("finance.beside")}</h3>
      <ol className="pair">
        <li className="ph">
          <span>{t("finance.our_events")}</span>
          <span />
          <span>{t("finance.webhooks")}</span>
        </li>
        {dossier.events.filter(hasMeaning).map((pair) => (
          <PairLine key={`${pair.ours === null ? "" : placeOf(pair.ours)}/${pair.webhook?.id ?? ""}`} pair={pair} />
        ))}
      </ol>
    </div>
  );
}

/** That a dispute's evidence was taken moves no money: the section of the dispute tells of it. */
function hasMeaning({ ours, webhook }: Pair): boolean {
  return ours !== null || webhook?.type !== "charge.dispute.updated";
}

function PairLine({ pair: { ours, webhook } }: { pair: Pair }) {
  const { t, lang } = useI18n();
  const look = ours === null ? "gap" : webhook === null ? "" : "tied";
  const moved = ours !== null && ours.sign !== 0 ? ` ${writeMoney(ours.amount_minor, ours)}` : "";
  return (
    <li className={look}>
      <div>
        {ours === null ? (
          <p className="sub">{t("finance.nothing_recorded")}</p>
        ) : (
          <>
            <p>
              {t(`finance.kind_${ours.kind}`)}
              {moved}
            </p>
            <p className="sub num">{dayAndTime(ours.recorded_at, lang)}</p>
            {ours.by_hand === null ? null : (
              <p className="sub">
                <ByHand row={ours} />
              </p>
            )}
          </>
        )}
      </div>
      <span className="tie">
        {look === "tied" ? <Icon name="link" size="xs" /> : look === "gap" ? <Icon name="alert" size="xs" /> : null}
      </span>
      <div className={webhook === null ? "wh none" : "wh"}>
        {webhook === null ? (
          <p className="sub">{t("finance.none_told")}</p>
        ) : (
          <>
            <p className="mono cut" title={webhook.id}>
              {webhook.type}
            </p>
            <p className="sub num">{clockTime(webhook.received_at)}</p>
          </>
        )}
      </div>
    </li>
  );
}

function Foot({ dossier, past, onRefund }: { dossier: PaymentDossier; past: boolean; onRefund: () => void }) {
  const { t } = useI18n();
  const me = useMe();
  const nothingLeft = dossier.refundable_minor <= 0;
  const reason = past
    ? t("support.read_only")
    : !me.can.finance
      ? t("finance.refund_not_yours")
      : nothingLeft
        ? t(dossier.dispute === "open" ? "finance.refund_disputed" : "finance.refund_nothing_left")
        : null;
  return (
    <footer>
      <button type="button" className="btn" disabled={reason !== null} title={reason ?? undefined} onClick={onRefund}>
        <Icon name="undo" size="s" />
        {t("finance.refund")}
      </button>
      {reason === null ? null : <span className="sub">{reason}</span>}
      <span className="grow" />
      <span className="sub row c-wide">
        <Icon name="lock" size="xs" />
        {t("finance.cannot_be_edited")}
      </span>
    </footer>
  );
}
