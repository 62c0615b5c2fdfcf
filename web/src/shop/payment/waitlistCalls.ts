import { get, post } from "../../api.ts";
import type { WaitlistView } from "../../contract/wire.ts";

/** The waitlist of the room that a payment did not get. */
export function readWaitlist(token: string, signal: AbortSignal): Promise<WaitlistView> {
  return get("/api/v0/payments/{token}/waitlist", { path: { token }, fresh: true, signal });
}

/** Takes a place, once. */
export function joinWaitlist(token: string): Promise<WaitlistView> {
  return post("/api/v0/payments/{token}/waitlist", { path: { token } });
}

/** Gives the place back. */
export function leaveWaitlist(token: string): Promise<WaitlistView> {
  return post("/api/v0/payments/{token}/waitlist/leave", { path: { token } });
}
