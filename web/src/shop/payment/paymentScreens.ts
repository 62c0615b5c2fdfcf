import type { SnapshotFrom } from "xstate";
import type { Payment } from "../../contract/wire.ts";
import { isLoginNeeded } from "../../ui/loginNeeded.ts";
import { isOver } from "../ui/linkOver.ts";
import { isRefusedByForm } from "./decline.ts";
import type { paymentMachine } from "./paymentMachine.ts";

/** What the payment's page shows: one screen each, the card form in all that begin with `form`. */
export type PaymentShown =
  | "loading"
  | "missing"
  | "cut_off"
  | "claimed"
  | "second_home"
  | "over"
  | "stuck"
  | "link_paid"
  | "paid"
  | "ended"
  | "pending"
  | "link_gone"
  | "gone"
  | "asked_by_bank"
  | "confirming"
  | "form"
  | "form_cut_off"
  | "form_paying"
  | "form_declined"
  | "form_refused";

type Snapshot = SnapshotFrom<typeof paymentMachine>;

/** The card form is on screen, and what is typed there stays while the server is out of reach. */
const hasForm = (payment: Payment | null) => payment?.status === "initiated" || payment?.status === "failed";

/** Pay was pressed, here or on another device. */
export function isPaying(snapshot: Snapshot, payment: Payment): boolean {
  return snapshot.context.card !== null || (snapshot.hasTag("busy") && payment.status === "processing");
}

/** Which screen the machine's state is shown by; `onlyOutcome` on `/payments/complete`, which shows no card form before a decline. */
export function paymentShown(snapshot: Snapshot, onlyOutcome: boolean): PaymentShown {
  const { payment } = snapshot.context;
  if (snapshot.hasTag("missing")) return "missing";
  const isCutOff = snapshot.hasTag("cut_off");
  // The enquiry has an account by now, and its payment opens with that login.
  // The student has a home for the same time: is another one meant?
  const isUndecided = isCutOff || snapshot.hasTag("stuck");
  if (isUndecided && snapshot.context.trouble?.code === "booked_already") return "second_home";
  if (isCutOff && !payment && isLoginNeeded(snapshot.context.trouble)) return "claimed";
  if (isCutOff && !(hasForm(payment) && !onlyOutcome)) return "cut_off";
  if (!payment) return "loading";
  if (isOver(payment)) return "over";
  if (snapshot.hasTag("stuck")) return "stuck";
  if (snapshot.hasTag("paid"))
    return payment.link !== null ? "link_paid" : payment.booking === "ended" ? "ended" : "paid";
  if (snapshot.hasTag("waits")) return "pending";
  if (snapshot.hasTag("gone")) return payment.link !== null ? "link_gone" : "gone";
  // What becomes of a card that Stripe has, Stripe tells the server alone.
  if (payment.gateway.kind === "stripe" && snapshot.matches({ processing: "waiting" })) {
    return snapshot.context.card === null ? "asked_by_bank" : "confirming";
  }
  if (onlyOutcome && !snapshot.hasTag("declined")) return "confirming";
  if (isCutOff) return "form_cut_off";
  if (isPaying(snapshot, payment)) return "form_paying";
  // The server hears of it a moment later, when the payer may be typing again.
  if (snapshot.hasTag("declined") && !isRefusedByForm(snapshot.context.trouble?.code)) return "form_declined";
  return snapshot.context.trouble !== null && !snapshot.hasTag("busy") ? "form_refused" : "form";
}

/** The screens before anything has come of the payment: whoever opens the page begins to read where they like. */
const beginnings: ReadonlySet<PaymentShown> = new Set(["loading", "form", "form_cut_off", "form_refused"]);

/** Whether a screen tells what came of a payment. */
export const isOutcome = (shown: PaymentShown): boolean => !beginnings.has(shown);
