import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { ApiError, newKey } from "../../api.ts";
import type { PaymentDossier, RefundBody, RefundConsequence } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { exact, writeMoney } from "../amounts.ts";
import { FailureNote } from "../FailureNote.tsx";
import { Icon, type IconName } from "../icon.tsx";
import { dropKeptWords, useKeptWords } from "../keptDraft.ts";
import { Masked } from "../Masked.tsx";
import { CloseButton, Overlay } from "../Overlay.tsx";
import { dossierQuery, refund, waitingQuery } from "../queries.ts";
import { useRefundAmount } from "../refundAmount.ts";
import { Bone, Stopped } from "../TableStates.tsx";
import { useOnePress } from "../useOnePress.ts";
import { askForRefund } from "./approvalCalls.ts";
import { BookingLinks } from "./BookingLinks.tsx";
import { BookingChoice, type Choice, TypedAmount } from "./RefundChoice.tsx";
import { RequestNote } from "./RefundRequests.tsx";
import { type Asked, isTyped, planRefund, type RefundPlan } from "./refundPlan.ts";

const REASONS = ["visa_refused", "plans_changed", "room_lost", "paid_twice", "other"] as const;
type Reason = (typeof REASONS)[number];

interface RefundDialogProps {
  paymentId: string;
  onClose: () => void;
}

/** Gives money back: the choice on the left, what follows from it on the right, before anything is sent. */
export function RefundDialog({ paymentId, onClose }: RefundDialogProps) {
  const { t } = useI18n();
  const heading = useId();
  const dossier = useQuery({ ...dossierQuery(paymentId), staleTime: 0 });
  return (
    <Overlay kind="centre" labelledBy={heading} onClose={onClose}>
      {dossier.data === undefined ? (
        <div className="dlg">
          <header>
            <h2 id={heading}>{t("finance.refund")}</h2>
            <CloseButton onClose={onClose} />
          </header>
          <div className="body pad-b">
            {dossier.error === null ? (
              <Bone width={240} />
            ) : (
              <Stopped error={dossier.error} fetchedAt={0} onRetry={() => void dossier.refetch()} />
            )}
          </div>
        </div>
      ) : (
        <RefundForm dossier={dossier.data} heading={heading} onClose={onClose} />
      )}
    </Overlay>
  );
}

interface RefundFormProps {
  dossier: PaymentDossier;
  heading: string;
  onClose: () => void;
}

function RefundForm({ dossier, heading, onClose }: RefundFormProps) {
  const { t } = useI18n();
  const [asked, setAsked] = useState<Asked>({ how: "open" });
  const [choice, setChoice] = useState<Choice | null>(null);
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState<Reason | "">("");
  const [note, setNote] = useKeptWords(noteOf(dossier));
  // Support may have asked for this payment's refund: the one that is sent names the request and closes it.
  const waiting = useQuery({ ...waitingQuery, staleTime: 0 });
  const request =
    waiting.data?.decisions.find((one) => one.request?.payment_id === dossier.payment_id)?.request ?? null;
  const plan = planRefund(dossier, asked);
  const sending = useSending(dossier, onClose);
  const why = [reason === "" ? null : t(`finance.reason_${reason}`), note.trim() || null]
    .filter((part) => part !== null)
    .join(": ");
  const missing = useMissing({ plan, choice, typed, reason, note, dossier });
  // What was given back before counts: the server alone knows the sum.
  const isAbove = sending.error instanceof ApiError && sending.error.code === "refund_above_limit";
  const asks = plan.ready && (plan.asks || isAbove);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (plan.ready && choice !== null && missing === null) {
      const { amount_minor } = plan;
      const ask = request === null ? {} : { ask_id: request.ask_id };
      sending.send({ booking: choice.booking, amount_minor, typed_minor: amount_minor, reason: why, asks, ...ask });
    }
  };
  const foot = <Foot {...{ plan, asks, missing, dossier, onClose }} busy={sending.isPending || waiting.isPending} />;
  return (
    <form className="dlg wide" onSubmit={submit}>
      <div className="rf-l">
        <div className="row top">
          <div className="grow">
            <h2 id={heading}>{t("finance.refund_title", { reference: dossier.reference })}</h2>
            <p className="sub">
              <Masked value={dossier.name_masked} /> · {dossier.lead_reference} · {dossier.property}
            </p>
          </div>
          <CloseButton onClose={onClose} />
        </div>
        <BookingLinks dossier={dossier} />
        {request === null ? null : <RequestNote request={request} />}
        <BookingChoice dossier={dossier} choice={choice} onChoose={setChoice} />
        <HowMuch dossier={dossier} asked={asked} onAsk={setAsked} />
        <TypedAmount dossier={dossier} plan={plan} typed={typed} onType={setTyped} />
        <Why {...{ reason, note }} onReason={setReason} onNote={setNote} />
        <FailureNote error={sending.error} />
        {foot}
      </div>
      <Consequence {...{ dossier, plan, choice, foot }} />
    </form>
  );
}

/** Sends the refund once, however often the button is pressed or the line breaks. */
/** Under what the words of a refund are kept until it was sent. */
const noteOf = (dossier: PaymentDossier) => `refund/${dossier.payment_id}`;

function useSending(dossier: PaymentDossier, onClose: () => void) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [intent, setIntent] = useState(newKey);
  return useOnePress({
    mutationFn: ({ asks, ...asked }: RefundBody & { asks: boolean }) =>
      asks ? askForRefund(dossier.payment_id, asked, intent) : refund(dossier.payment_id, asked, intent),
    onError: (failure) => {
      // A refused refund was not begun: the corrected one is a new intent.
      if ("kind" in failure && failure.kind === "refused") setIntent(newKey());
    },
    onSuccess: (_, asked) => {
      const amount = writeMoney(asked.amount_minor, dossier);
      toast(t(asked.asks ? "finance.refund_asked" : "finance.refund_sent", { amount }));
      void client.invalidateQueries({ queryKey: ["approvals"] });
      void client.invalidateQueries({ queryKey: ["dossier", dossier.payment_id] });
      void client.invalidateQueries({ queryKey: ["audit"] });
      void client.invalidateQueries({ queryKey: ["failed_refunds"] });
      dropKeptWords(noteOf(dossier));
      onClose();
    },
  });
}

interface Filled {
  plan: RefundPlan;
  choice: Choice | null;
  typed: string;
  reason: Reason | "";
  note: string;
  dossier: PaymentDossier;
}

/** Why the button rests, in one sentence; `null` when it may be pressed. */
function useMissing({ plan, choice, typed, reason, note, dossier }: Filled): string | null {
  const { t } = useI18n();
  const amount = (minor: number) => writeMoney(minor, dossier);
  if (choice === null) return t("finance.refund_no_booking_choice");
  if (!plan.ready) {
    switch (plan.because) {
      case "nothing_left":
        return t("finance.refund_nothing_left");
      case "no_amount":
        return t("finance.refund_no_amount");
      case "too_much":
        return t("finance.refund_too_much", { most: amount(dossier.refundable_minor) });
    }
  }
  if (!isTyped(dossier, plan, typed)) return t("finance.refund_not_typed", { amount: amount(plan.amount_minor) });
  if (reason === "") return t("finance.refund_no_reason");
  return reason === "other" && note.trim() === "" ? t("finance.refund_no_note") : null;
}

function HowMuch({ dossier, asked, onAsk }: { dossier: PaymentDossier; asked: Asked; onAsk: (asked: Asked) => void }) {
  const { t } = useI18n();
  const { decimals, currency } = dossier;
  const amount = (minor: number) => writeMoney(minor, { decimals, currency });
  const typed = asked.how === "part" ? asked.typed : "";
  const [field, problem, limits] = [useId(), useId(), useId()];
  const { most, fault, onBlur } = useRefundAmount(typed, dossier);
  return (
    <fieldset>
      <legend className="label">{t("finance.how_much")}</legend>
      <p id={limits} className="sub">
        {most}
      </p>
      <label className={asked.how === "all" ? "opt on" : "opt"}>
        <input
          type="radio"
          className="vh"
          name="how"
          checked={asked.how === "all"}
          onChange={() => onAsk({ how: "all" })}
        />
        <b>{t("finance.all_of_it")}</b>
        <b className="num">{amount(dossier.refundable_minor)}</b>
        <span className="sub">
          {t("finance.most", {
            captured: amount(dossier.captured_minor),
            refunded: amount(dossier.refunded_minor),
            pending: amount(dossier.refund_pending_minor),
          })}
        </span>
      </label>
      <div className={asked.how === "part" ? "opt on" : "opt"}>
        <label className="opt-l">
          <input
            type="radio"
            className="vh"
            name="how"
            checked={asked.how === "part"}
            onChange={() => onAsk({ how: "part", typed })}
          />
          <b>{t("finance.another_amount")}</b>
        </label>
        <span className="row opt-in">
          <input
            id={field}
            className="num"
            inputMode="decimal"
            aria-label={t("finance.amount_in", { currency })}
            aria-invalid={fault !== null}
            aria-describedby={fault === null ? limits : `${limits} ${problem}`}
            placeholder={exact(0, decimals)}
            value={typed}
            onBlur={onBlur}
            onFocus={() => asked.how !== "part" && onAsk({ how: "part", typed: "" })}
            onChange={(event) => onAsk({ how: "part", typed: event.target.value })}
          />
          <span className="muted">{currency}</span>
        </span>
        {fault === null ? null : (
          <span id={problem} className="err" role="alert">
            {fault}
          </span>
        )}
      </div>
    </fieldset>
  );
}

interface WhyProps {
  reason: Reason | "";
  note: string;
  onReason: (reason: Reason | "") => void;
  onNote: (note: string) => void;
}

function Why({ reason, note, onReason, onNote }: WhyProps) {
  const { t } = useI18n();
  const id = useId();
  return (
    <>
      <label className="label" htmlFor={id}>
        {t("finance.why")}
      </label>
      <div className="field sel">
        <select
          id={id}
          value={reason}
          onChange={(event) => onReason(REASONS.find((one) => one === event.target.value) ?? "")}
        >
          <option value="">{t("finance.choose_reason")}</option>
          {REASONS.map((one) => (
            <option key={one} value={one}>
              {t(`finance.reason_${one}`)}
            </option>
          ))}
        </select>
        <Icon name="down" size="s" />
      </div>
      <textarea
        className="area"
        aria-label={t("finance.note")}
        placeholder={t("finance.note_hint")}
        maxLength={400}
        value={note}
        onChange={(event) => onNote(event.target.value)}
      />
    </>
  );
}

interface FootProps {
  plan: RefundPlan;
  /** A second person is asked instead. */
  asks: boolean;
  missing: string | null;
  dossier: PaymentDossier;
  busy: boolean;
  onClose: () => void;
}

function Foot({ plan, asks, missing, dossier, busy, onClose }: FootProps) {
  const { t } = useI18n();
  const amount = plan.ready ? writeMoney(plan.amount_minor, dossier) : "";
  return (
    <div className="rf-f">
      {missing === null ? (
        asks && <span className="sub grow">{t("finance.refund_above_limit")}</span>
      ) : (
        <span className="sub grow">{missing}</span>
      )}
      <button type="button" className="btn" onClick={onClose}>
        {t("workspace.cancel")}
      </button>
      <button type="submit" className="btn pri" disabled={missing !== null || busy}>
        {busy
          ? t("finance.sending")
          : plan.ready
            ? t(asks ? "finance.ask_refund" : "finance.send_refund", { amount })
            : t("finance.refund")}
      </button>
    </div>
  );
}

const ICONS: Record<RefundConsequence, IconName> = {
  recorded: "people",
  money_back: "ledger",
  payer_told: "replay",
  booking_stays: "lock",
  no_booking: "lock",
  other_payment_keeps_room: "lock",
  room_free: "undo",
  booking_ends: "alert",
  end_told: "replay",
};

interface ConsequenceProps {
  dossier: PaymentDossier;
  plan: RefundPlan;
  choice: Choice | null;
  foot: ReactNode;
}

/** Everything that follows, in order, before it does: the server says what, for either choice. */
function Consequence({ dossier, plan, choice, foot }: ConsequenceProps) {
  const { t } = useI18n();
  const { decimals, currency } = dossier;
  const amount = (minor: number) => writeMoney(minor, { decimals, currency });
  const then = plan.ready && choice !== null ? choice.then : [];
  const named = plan.ready ? { amount: amount(plan.amount_minor), sum: amount(plan.refundedAfter) } : {};
  const left = plan.ready ? plan.leftAfter : 0;
  return (
    <aside className="rf-r" aria-label={t("finance.consequence")}>
      <section className="rf-sum num">
        <h3>{t("finance.gets_back")}</h3>
        {plan.ready && plan.whole && dossier.refunded_minor === 0 && dossier.refund_pending_minor === 0 ? (
          <Parts dossier={dossier} />
        ) : null}
        <div className="tot">
          <span className="b">{t("finance.total")}</span>
          <b>{plan.ready ? amount(plan.amount_minor) : "—"}</b>
        </div>
        <p className="sub">{t("finance.fee_note")}</p>
      </section>
      {then.length === 0 ? null : (
        <section>
          <h3>{t("finance.and_then")}</h3>
          <ol className="then">
            {then.map((one) => (
              <li key={one}>
                <Icon name={ICONS[one]} />
                <span>{t(`finance.then_${one}`, named)}</span>
              </li>
            ))}
            <li>
              <Icon name="undo" />
              <span>
                {left === 0 ? t("finance.then_nothing_left") : t("finance.then_left", { left: amount(left) })}
              </span>
            </li>
          </ol>
        </section>
      )}
      {foot}
    </aside>
  );
}

function Parts({ dossier }: { dossier: PaymentDossier }) {
  const { t } = useI18n();
  const { decimals, processing_fee_minor, captured_minor } = dossier;
  return (
    <>
      <div className="line">
        <span>{t("finance.payment_itself")}</span>
        <span>{exact(captured_minor - processing_fee_minor, decimals)}</span>
      </div>
      {processing_fee_minor === 0 ? null : (
        <div className="line">
          <span>{t("finance.processing_fee")}</span>
          <span>{exact(processing_fee_minor, decimals)}</span>
        </div>
      )}
    </>
  );
}
