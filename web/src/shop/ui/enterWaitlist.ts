import { post } from "../../api.ts";
import type { WaitlistView } from "../../contract/wire.ts";

/** Takes a place, once; a turn lasts into the morning of this device's clock. */
export function joinWaitlist(token: string): Promise<WaitlistView> {
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return post("/api/v0/payments/{token}/waitlist", { path: { token }, query: { time_zone } });
}

const ASKED_AT_MOST = 5;

/** A place in a room's waitlist; `number` is null where the room turned out to be free, and is held by the payment now. */
export interface Entry {
  token: string;
  number: number | null;
}

/** Enters the waitlist of the room and dates of an enquiry: its payment finds no room, and takes a place. Asked again, it is the same place. */
export async function enterWaitlist(lead_uuid: string, inventory_id: string): Promise<Entry> {
  const payment = { lead_uuid, inventory_id, payment_types: [], second_home: false, other_leads: [] };
  const { token } = await post("/api/v0/payments", { body: { payment } });
  const begin = () => post("/api/v0/payments/{token}/intent", { path: { token } });
  let begun = await begin();
  // A busy server answers before the room has.
  for (let asked = 1; begun.status === "init_loading" && asked < ASKED_AT_MOST; asked++) begun = await begin();
  if (begun.status === "initiated") return { token, number: null };
  if (begun.status !== "sold_out") throw new Error(`the payment is ${begun.status}`);
  const { place } = await joinWaitlist(token);
  return { token, number: place?.number ?? null };
}
