import { type ReactNode, useId, useState } from "react";
import type { SnapshotFrom } from "xstate";
import type { Payment } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import { spaceAfter } from "../../i18n/sentences.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { toast } from "../../ui/toast.tsx";
import { countryOf, firstPhoneCode } from "../ui/dialCodes.ts";
import { PriceLockNote } from "../ui/priceLock.tsx";
import { CardForm } from "./CardForm.tsx";
import { Challenge } from "./Challenge.tsx";
import type { CardDraft } from "./card.ts";
import { declineText, isRefusedByForm, troubleText } from "./decline.ts";
import { Hold } from "./Hold.tsx";
import { LinkNotice } from "./PaymentLink.tsx";
import { PriceMini, PriceSummary, useAmount } from "./PriceSummary.tsx";
import { handToSandbox, type Till } from "./paymentActors.ts";
import type { HandOver, PaymentMachineEvent, paymentMachine } from "./paymentMachine.ts";
import { isPaying } from "./paymentScreens.ts";
import { StripeWay } from "./StripeWay.tsx";
import { BANK_TRANSFER } from "./testCards.ts";

export interface AskingProps {
  snapshot: SnapshotFrom<typeof paymentMachine>;
  send: (event: PaymentMachineEvent) => void;
  payment: Payment;
  till: Till;
  /** Reads the payment again while the server is out of reach. */
  onAgain: () => void;
}

type Way = "card" | "bank";

/** Asking for the card, paying and asking again after a decline: one form in one place, locked while it is paid. */
export function Asking({ snapshot, send, payment, till, onAgain }: AskingProps) {
  const formId = useId();
  const busy = snapshot.hasTag("busy");
  const cutOff = snapshot.hasTag("cut_off");
  const declined = snapshot.hasTag("declined");
  const paying = isPaying(snapshot, payment);
  // Pay was pressed on another device, or before a reload: there is nothing to type, and no second card form.
  const elsewhere = paying && snapshot.context.card === null;
  const pay = (handOver: HandOver) => {
    till.handOver = handOver;
    send({ type: declined ? "payment.retry" : "payment.confirm", card: "in_form" });
  };
  const notice = cutOff ? null : <Declined snapshot={snapshot} payment={payment} />;
  // Refused by the bank or the form, or lost on the way: nothing is being paid, and Pay may be pressed again.
  const tried = declined || (snapshot.context.trouble !== null && !busy);
  const isClosed = declined && payment.gateway.kind === "stripe" && payment.gateway.client_secret === null;
  const button = isClosed ? (
    <OpenAgain onPress={() => send({ type: "payment.retry" })} />
  ) : (
    <PayButton {...{ formId, payment, busy, paying, declined, tried }} />
  );
  const form = { formId, locked: busy || cutOff, notice, act: cutOff ? null : button, onPay: pay };
  return (
    <main id="main" className="wrap flow pay asks">
      <div>
        <Title {...{ payment, paying, declined, cutOff }} />
        {paying ? <Checking /> : null}
        {cutOff ? <CutOff onAgain={onAgain} /> : null}
        <div style={{ marginTop: paying ? 12 : 16 }}>
          <Hold until={payment.hold_expires_at} busy={paying} isComing={payment.status.startsWith("init")} />
          <LinkNotice payment={payment} />
          <PriceLockNote lock={payment.price_lock} />
        </div>
        {isClosed ? (
          <ClosedForm notice={notice} act={cutOff ? null : button} />
        ) : payment.gateway.kind === "stripe" ? (
          <StripeWay {...form} payment={payment} />
        ) : (
          <>
            <Challenge
              payment={payment}
              send={send}
              answering={!snapshot.can({ type: "challenge.answer", outcome: "pass" })}
            />
            {elsewhere ? null : <SandboxWays {...form} />}
          </>
        )}
      </div>
      <Price payment={payment} />
    </main>
  );
}

function Price({ payment }: { payment: Payment }) {
  const { t } = useI18n();
  return (
    <aside aria-label={t("payment.summary")}>
      <PriceMini payment={payment} />
      <PriceSummary payment={payment} outcome="due" />
    </aside>
  );
}

interface TitleProps {
  payment: Payment;
  paying: boolean;
  declined: boolean;
  cutOff: boolean;
}

function Title({ payment, paying, declined, cutOff }: TitleProps) {
  const { t } = useI18n();
  const words = (): MessageKey => {
    if (cutOff) return "payment.unreachable_title";
    if (paying) return "payment.title_busy";
    if (declined) return "payment.title_failed";
    return payment.link === null ? "payment.title_ask" : "stay.link_title";
  };
  return <h1 aria-live="polite">{t(words())}</h1>;
}

/** The server is out of reach: what is typed below stays, and goes on once it answers. */
function CutOff({ onAgain }: { onAgain: () => void }) {
  const { t } = useI18n();
  return (
    <div className="stack g16" style={{ marginTop: 16 }}>
      <Banner kind="warning">{t("payment.unreachable_text")}</Banner>
      <div>
        <Button look="primary" onClick={onAgain}>
          {t("payment.try_again")}
        </Button>
      </div>
    </div>
  );
}

/** The provider ended what its form was opened for, for example in its dashboard: the form takes no card any more. */
function ClosedForm({ notice, act }: { notice: ReactNode; act: ReactNode }) {
  const { t } = useI18n();
  return (
    <div className="stack g16 pay-form">
      {notice}
      <p className="soft">{t("payment.closed_text")}</p>
      {act}
    </div>
  );
}

function OpenAgain({ onPress }: { onPress: () => void }) {
  const { t } = useI18n();
  return (
    <div>
      <Button look="primary" size="large" onClick={onPress}>
        {t("payment.closed_open")}
      </Button>
    </div>
  );
}

interface SandboxWaysProps {
  formId: string;
  locked: boolean;
  notice: ReactNode;
  act: ReactNode;
  onPay: (handOver: HandOver) => void;
}

/** The sandbox's own form: a card, or a transfer. */
function SandboxWays({ act, onPay, ...form }: SandboxWaysProps) {
  const [way, setWay] = useState<Way>("card");
  const [card, setCard] = useState<CardDraft>(() => noCard());
  const pay = (cardNumber: string) => {
    // Retry keeps everything but the card itself (UX, "Payment").
    setCard((before) => ({ ...before, number: "", expiry: "", code: "" }));
    onPay(handToSandbox(cardNumber));
  };
  return (
    <>
      <WayTabs way={way} locked={form.locked} onChange={setWay} />
      {way === "card" ? (
        <CardForm {...form} card={card} onCard={setCard} onPay={pay} />
      ) : (
        <BankForm {...form} onPay={pay} />
      )}
      {act}
    </>
  );
}

function noCard(): CardDraft {
  return { number: "", expiry: "", code: "", holder: "", country: countryOf(firstPhoneCode(null)) };
}

function Checking() {
  const { t } = useI18n();
  return (
    <div style={{ marginTop: 16 }}>
      <Banner kind="info">
        <strong>{t("payment.checking_title")}</strong>
        {spaceAfter(t("payment.checking_title"))}
        {t("payment.checking_text")}
      </Banner>
    </div>
  );
}

/** The sentence of the decline (D102) above the card field, what Stripe's form refused, or what a lost connection left. */
function Declined({ snapshot, payment }: Pick<AskingProps, "snapshot" | "payment">) {
  const { t } = useI18n();
  const { trouble } = snapshot.context;
  if (snapshot.hasTag("declined") && payment.decline && !isRefusedByForm(trouble?.code)) {
    return (
      <Banner kind="error">
        <strong>{t(declineText(payment.decline.code))}</strong>
        <br />
        {t("payment.kept")}
      </Banner>
    );
  }
  if (!trouble || snapshot.hasTag("busy")) return null;
  const { kind, text } = troubleText(trouble.code);
  return (
    <div data-arrival>
      <Banner kind={kind}>{t(text)}</Banner>
    </div>
  );
}

const WAYS: readonly { way: Way; icon: IconName }[] = [
  { way: "card", icon: "card" },
  { way: "bank", icon: "bank" },
];

function WayTabs({ way, locked, onChange }: { way: Way; locked: boolean; onChange: (way: Way) => void }) {
  const { t } = useI18n();
  return (
    <div
      className={`paytabs pay-ways${locked ? " locked" : ""}`}
      role="tablist"
      aria-label={t("payment.ways")}
      inert={locked}
    >
      {WAYS.map(({ way: one, icon }) => (
        <button
          key={one}
          type="button"
          className="paytab"
          role="tab"
          aria-selected={one === way}
          onClick={() => onChange(one)}
        >
          <Icon name={icon} size={20} />
          {t(`payment.way_${one}`)}
        </button>
      ))}
    </div>
  );
}

interface BankFormProps {
  formId: string;
  locked: boolean;
  notice: ReactNode;
  onPay: (cardNumber: string) => void;
}

/** A transfer is the sandbox's delayed method: pending first, settled later. */
function BankForm({ formId, locked, notice, onPay }: BankFormProps) {
  const { t } = useI18n();
  return (
    <form
      id={formId}
      className="stack pay-form"
      inert={locked}
      onSubmit={(event) => {
        event.preventDefault();
        onPay(BANK_TRANSFER);
      }}
    >
      {notice}
      <p className="soft">{t("payment.bank_note")}</p>
    </form>
  );
}

interface PayButtonProps {
  formId: string;
  payment: Payment;
  busy: boolean;
  paying: boolean;
  declined: boolean;
  tried: boolean;
}

function PayButton({ formId, payment, busy, paying, declined, tried }: PayButtonProps) {
  const { t } = useI18n();
  const amount = useAmount(payment)(payment.total_minor);
  const label = paying ? "payment.paying" : declined ? "payment.pay_again" : "payment.pay";
  const note = paying ? "payment.moves_on" : tried ? "payment.again_note" : "payment.once_note";
  const copy = async () => {
    await navigator.clipboard.writeText(`${location.origin}/payments/${payment.token}`);
    toast(t("payment.link_copied"));
  };
  return (
    <div className="pay-act">
      <Button type="submit" form={formId} look="primary" size="large" block busy={busy}>
        {busy ? null : <Icon name="lock" size={20} />}
        {t(label, { amount })}
      </Button>
      <p className="t-14 muted">{t(note)}</p>
      {paying || payment.link !== null ? null : (
        <p className="t-14 muted">
          {t("payment.send_link")}
          {spaceAfter(t("payment.send_link"))}
          <button type="button" className="link" onClick={() => void copy()}>
            {t("payment.copy_link")}
          </button>
        </p>
      )}
    </div>
  );
}
