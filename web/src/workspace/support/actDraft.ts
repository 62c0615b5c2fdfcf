/** What the form of an act holds, and what of it is sent. */
import type { ContactMeaning, LeadCloseCause, LeadDesk } from "../../contract/wire.ts";
import type { Translate } from "../../i18n/i18n.tsx";
import { type Counted, numberOf, readAmount } from "../../typedNumber.ts";
import { type Refundable, refundFault } from "../refundAmount.ts";
import type { Asked } from "./actCalls.ts";
import type { MenuAct } from "./actList.ts";

export interface Draft {
  reason: string;
  /** None is chosen beforehand: what nobody said must not stand in the history. */
  cause: LeadCloseCause | null;
  moveIn: string;
  length: string;
  room: string;
  amount: string;
  kept: string;
  takePhone: boolean;
  name: string;
  email: string;
  phone: string;
  /** What another address means; none is chosen beforehand. */
  meaning: ContactMeaning | null;
  team: string;
  /** Of a call: they spoke. */
  /** Whether the call reached the student; unsaid at first. */
  reached: boolean | null;
  /** `me`, a colleague's id, or empty for nobody. */
  owner: string;
}

export const EMPTY: Draft = {
  reason: "",
  cause: null,
  moveIn: "",
  length: "",
  room: "",
  amount: "",
  kept: "",
  takePhone: false,
  name: "",
  email: "",
  phone: "",
  meaning: null,
  team: "",
  reached: null,
  owner: "me",
};

/** Whether everything is chosen that the act cannot be without. */
export function isChosen(act: string, draft: Draft): boolean {
  if (act === "record_call") return draft.reached !== null;
  return act !== "close" || draft.cause !== null;
}

/** The fields that the act needs, and no other. */
export function askedOf(act: MenuAct, draft: Draft, desk: LeadDesk): Asked {
  const reason = draft.reason.trim();
  switch (act) {
    case "close":
      return draft.cause === null ? { act, reason } : { act, reason, cause: draft.cause };
    case "change_stay":
      return {
        ...{ act, reason, move_in_date: draft.moveIn, lease_duration: draft.length },
        ...(desk.rooms.length > 0 && draft.room !== "" && { inventory_id: draft.room }),
      };
    case "change_room":
      return { act, reason, inventory_id: draft.room };
    case "ask_refund":
      return { act, reason, ...amountOf(draft, desk) };
    case "mark_double":
      return { act, reason, kept_lead_id: draft.kept, take_phone: draft.takePhone };
    case "correct_contact":
      return {
        act,
        reason,
        name: draft.name,
        email: draft.email,
        phone: draft.phone,
        ...(draft.meaning === null ? {} : { meaning: draft.meaning }),
      };
    case "record_call":
      return draft.reached === null ? { act, reason } : { act, reason, reached: draft.reached };
    case "set_team":
      return { act, reason, team: draft.team === "" ? null : draft.team };
    case "write":
    case "payment_link":
      return { act: "note", reason };
    default:
      return { act, reason };
  }
}

/** An empty amount leaves it to finance; what is doubted is sent as zero, which the server refuses with the field's name. */
function amountOf({ amount }: Draft, { payment }: LeadDesk): { amount_minor?: number } {
  if (amount.trim() === "") return {};
  return { amount_minor: numberOf(readAmount(amount, countedOf(payment))) ?? 0 };
}

/** What amounts of a payment are counted in. */
export function countedOf(payment: Counted | null): Counted {
  return payment ?? { currency: null, decimals: 2 };
}

/** What is wrong with the amount of a refund, where one is typed. */
export function amountFault(t: Translate, act: string, draft: Draft, payment: Refundable | null): string | null {
  const isRefund = act === "ask_refund" || act === "refund";
  return isRefund && payment !== null ? refundFault(t, draft.amount, payment) : null;
}
