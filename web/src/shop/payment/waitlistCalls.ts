import { get, post } from "../../api.ts";
import type { TakenOffer, WaitlistView } from "../../contract/wire.ts";

/** The waitlist of the room that a payment did not get. */
export function readWaitlist(token: string, signal: AbortSignal): Promise<WaitlistView> {
  return get("/api/v0/payments/{token}/waitlist", { path: { token }, fresh: true, signal });
}

/** Opens the payment of the room that is kept for this place. */
export function takeOffer(token: string): Promise<TakenOffer> {
  return post("/api/v0/payments/{token}/waitlist/take", { path: { token } });
}

/** Gives the place back. */
export function leaveWaitlist(token: string): Promise<WaitlistView> {
  return post("/api/v0/payments/{token}/waitlist/leave", { path: { token } });
}
