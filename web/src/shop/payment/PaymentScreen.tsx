import "./payment.css";
import { useActor } from "@xstate/react";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import type { Payment, PaymentStatus } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import * as paths from "../../paths.ts";
import { serverNow } from "../../serverClock.ts";
import { useArrival } from "../../ui/arrival.ts";
import { buttonClass } from "../../ui/button.tsx";
import { ErrorBoundary } from "../../ui/errorBoundary.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { cameByLink, navigate } from "../navigation.ts";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { ClaimNotice, useLoginToGoOn } from "../ui/claim.tsx";
import { useMirrored } from "../ui/mirrored.ts";
import { Asking, type AskingProps } from "./Asking.tsx";
import { useNow } from "./Hold.tsx";
import { Outcome, Paid, Pending, Stuck } from "./Outcome.tsx";
import { PaymentComing, PaymentFrame } from "./PaymentComing.tsx";
import { LinkPaid, LinkWithoutBooking } from "./PaymentLink.tsx";
import { connectedPayment, type Till } from "./paymentActors.ts";
import type { PaymentOpening } from "./paymentMachine.ts";
import { isOutcome, type PaymentShown, paymentShown } from "./paymentScreens.ts";
import { SecondHome } from "./SecondHome.tsx";
import { SoldOut } from "./SoldOut.tsx";

/** Stripe's script comes with it. */
const StripeAsks = lazyPart(async () => (await import("./StripeAsks.tsx")).StripeAsks);

const PaymentOver = lazyPart(async () => (await import("./PaymentOver.tsx")).PaymentOver);
const Ended = lazyPart(async () => (await import("./Ended.tsx")).Ended);

interface PaymentScreenProps {
  opening: PaymentOpening;
  /** On `/payments/complete` only an end is shown; until then a loader, and after 20 s "still confirming" (D98). */
  onlyOutcome?: boolean;
  /** The payer comes back from the page of a bank or wallet, which has the card. */
  returned?: boolean;
}

/**
 * D96: the payment steps that the specification names, by status. Those around the payment stand in their own screens: `BOOK_FORM` in the
 * booking form, `PAYMENT_FORM_DETAILS` in the accommodation form, `NPS` in the rating.
 */
export function stepOf(status: PaymentStatus | null): string {
  switch (status) {
    case null:
    case "init":
    case "init_loading":
    case "init_failure":
    case "sold_out":
      return "PAYMENT_DETAILS";
    case "initiated":
      return "PAYMENT_CARD_INFO";
    case "processing":
    case "pending":
      return "PAYMENT_INITIATED";
    case "failed":
      return "PAYMENT_DECLINE";
    case "success":
      return "PAYMENT_SUCCESS";
  }
}

/** One payment on screen, whatever its status: the same address shows it again after a reload. */
export function PaymentScreen({ opening, onlyOutcome = false, returned = false }: PaymentScreenProps) {
  const [till] = useState<Till>(() => ({ handOver: null }));
  const [machine] = useState(() => connectedPayment(till));
  const [snapshot, send, actor] = useActor(machine, { input: { opening, returned } });
  useMirrored("payment", actor);
  const { payment } = snapshot.context;
  const paid = snapshot.hasTag("paid");
  useTokenInAddress(payment, onlyOutcome && !isUnpaid(payment));
  useReturnOfNetwork(snapshot.hasTag("cut_off"), send);
  const shown = paymentShown(snapshot, onlyOutcome);
  useLoginToGoOn(shown === "claimed", () => send({ type: "payment.reread" }));
  useArrival(shown === "loading" ? null : shown, { atFirst: cameByLink() || isOutcome(shown) });
  const state = typeof snapshot.value === "string" ? snapshot.value : Object.keys(snapshot.value)[0];
  return (
    <PaymentFrame at={paid ? 5 : 3}>
      <div data-payment={state} data-step={stepOf(payment?.status ?? null)}>
        <Region snapshot={snapshot} send={send} till={till} shown={shown} />
      </div>
    </PaymentFrame>
  );
}

/** Nobody has pressed Pay yet: whoever came to the complete page too early belongs before the card form. */
function isUnpaid(payment: Payment | null): boolean {
  return payment?.gateway.kind === "sandbox" && beforePaying.has(payment.status);
}

const beforePaying: ReadonlySet<PaymentStatus> = new Set(["init", "init_loading", "init_failure", "initiated"]);

/** A payment opened for a room gets its own address, so that a reload meets the same payment and never a second. */
function useTokenInAddress(payment: Payment | null, onlyOutcome: boolean): void {
  const token = payment?.token;
  useEffect(() => {
    if (!token || onlyOutcome) return;
    const own = paths.paymentToken(token);
    if (!location.pathname.endsWith(own)) void navigate(own, { replace: true, scroll: "keep" });
  }, [token, onlyOutcome]);
}

/** A payment that is known is read again and again until the server answers; one that is not known yet is asked for here. */
function useReturnOfNetwork(isCutOff: boolean, send: AskingProps["send"]): void {
  useEffect(() => {
    if (!isCutOff) return;
    const again = () => send({ type: "payment.reread" });
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, [isCutOff, send]);
}

type RegionProps = Omit<AskingProps, "payment" | "onAgain"> & { shown: PaymentShown };

/** One region per screen of the machine. */
function Region({ snapshot, send, till, shown }: RegionProps) {
  const { payment } = snapshot.context;
  const again = () => send({ type: snapshot.hasTag("stuck") ? "payment.retry" : "payment.reread" });
  if (shown === "missing") return <Missing />;
  if (shown === "claimed") return <Claimed />;
  if (shown === "second_home") {
    const wanted = () => send({ type: "payment.second_home" });
    return <SecondHome booked={snapshot.context.trouble?.message ?? ""} onWanted={wanted} />;
  }
  if (shown === "cut_off") return <Unreachable payment={payment} onAgain={again} />;
  if (!payment) return <PaymentComing />;
  switch (shown) {
    case "loading":
      return <PaymentComing />;
    case "over":
      return <Coming part={<PaymentOver payment={payment} />} />;
    case "stuck":
      return <NotBegun snapshot={snapshot} payment={payment} onAgain={again} />;
    case "link_paid":
      return <LinkPaid payment={payment} />;
    case "paid":
      return <Paid payment={payment} />;
    case "ended":
      return <Coming part={<Ended payment={payment} />} />;
    case "pending":
      return <Pending payment={payment} />;
    case "link_gone":
      return <LinkWithoutBooking payment={payment} />;
    case "gone":
      return <SoldOut payment={payment} />;
    case "asked_by_bank":
      return <Confirming payment={payment} isAsked />;
    case "confirming":
      return <Confirming payment={payment} />;
    case "form":
    case "form_cut_off":
    case "form_paying":
    case "form_declined":
    case "form_refused":
      return <Asking snapshot={snapshot} send={send} payment={payment} till={till} onAgain={again} />;
  }
}

function Coming({ part }: { part: ReactNode }) {
  return <Suspense fallback={<PaymentComing />}>{part}</Suspense>;
}

interface StuckProps {
  payment: Payment | null;
  onAgain: () => void;
}

function Unreachable(props: StuckProps) {
  const { t } = useI18n();
  return <Stuck title={t("payment.unreachable_title")} text={t("payment.unreachable_text")} {...props} />;
}

/** A refusal in the server's words (an expired link, too many holds) says more than ours. */
function NotBegun({ snapshot, ...props }: StuckProps & Pick<RegionProps, "snapshot">) {
  const { t } = useI18n();
  const { trouble } = snapshot.context;
  const said = trouble && trouble.message !== trouble.code && trouble.code !== "unreadable" ? trouble.message : null;
  return <Stuck title={t("payment.failure_title")} text={said ?? t("payment.failure_text")} {...props} />;
}

/** D98: never an endless loader. */
const SLOW_MS = 20_000;

/** `isAsked`: the bank may still wait for this payer, whose page was closed or loaded again meanwhile. */
function Confirming({ payment, isAsked = false }: { payment: Payment; isAsked?: boolean }) {
  const { t } = useI18n();
  const [since] = useState(serverNow);
  const isSlow = useNow() - since >= SLOW_MS;
  useArrival(isAsked && payment.next_action ? "bank_asks" : isSlow ? "slow" : "confirming");
  if (isAsked && payment.next_action) {
    return (
      <Outcome icon="bank" tone="info" title={t("payment.bank_asks_title")}>
        <p className="t-18 soft flow-lead">{t("payment.bank_asks_text")}</p>
        <div className="row wrapx flow-acts">
          <a className={buttonClass({ look: "primary" })} href={payment.next_action.url}>
            {t("payment.bank_asks_go")}
          </a>
        </div>
      </Outcome>
    );
  }
  const waiting = isSlow ? <Pending payment={payment} slow /> : <PaymentComing confirming />;
  const { client_secret, publishable_key } = payment.gateway;
  if (!isAsked || client_secret === null || publishable_key === null) return waiting;
  return (
    <ErrorBoundary>
      <Suspense fallback={waiting}>
        <StripeAsks
          token={payment.token}
          publishableKey={publishable_key}
          clientSecret={client_secret}
          waiting={waiting}
        />
      </Suspense>
    </ErrorBoundary>
  );
}

function Claimed() {
  const { t } = useI18n();
  return (
    <Outcome icon="user" tone="warning" title={t("change.claimed_title")}>
      <div style={{ marginTop: 24 }}>
        <ClaimNotice />
      </div>
    </Outcome>
  );
}

function Missing() {
  const { t } = useI18n();
  return (
    <Outcome icon="door" tone="warning" title={t("payment.missing_title")}>
      <p className="t-18 soft flow-lead">{t("payment.missing_text")}</p>
      <div className="row wrapx flow-acts">
        <ButtonLink look="primary" href={paths.bookings()}>
          {t("payment.view_bookings")}
        </ButtonLink>
      </div>
    </Outcome>
  );
}
