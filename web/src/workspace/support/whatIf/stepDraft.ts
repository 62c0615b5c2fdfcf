/** What the form of a step holds, and the step that comes of it. */
import type { BookingChoice, WhatIfAct } from "../../../contract/wire.ts";
import { type Counted, numberOf, readAmount } from "../../../typedNumber.ts";
import { countedOf, type Draft } from "../actDraft.ts";
import type { Step } from "./whatIfCalls.ts";

/** What can still be given back, in minor units. */
export interface Left extends Counted {
  refundable_minor: number;
}

/** The step with the fields that its act needs, and no other. What is doubted is sent as zero, which the server refuses. */
export function stepOf(act: WhatIfAct, draft: Draft, booking: BookingChoice, left: Left | null): Step {
  const typed = draft.amount.trim();
  const amount_minor = numberOf(readAmount(typed, countedOf(left))) ?? 0;
  switch (act) {
    case "refund":
      return { act, amount_minor: typed === "" ? (left?.refundable_minor ?? 0) : amount_minor, booking };
    case "ask_refund":
      return typed === "" ? { act } : { act, amount_minor };
    case "close":
      return draft.cause === null ? { act } : { act, cause: draft.cause };
    case "change_stay":
      return { act, move_in_date: draft.moveIn, lease_duration: draft.length };
    case "change_room":
      return { act, inventory_id: draft.room };
    default:
      return { act };
  }
}
