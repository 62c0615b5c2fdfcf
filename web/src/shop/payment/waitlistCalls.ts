import { get, post } from "../../api.ts";
import type { WaitlistView } from "../../contract/wire.ts";

const path = (token: string) => `/api/v0/payments/${encodeURIComponent(token)}/waitlist`;

/** The waitlist of the room that a payment did not get. */
export function readWaitlist(token: string, signal: AbortSignal): Promise<WaitlistView> {
  return get<WaitlistView>(path(token), { fresh: true, signal });
}

/** Takes a place, once. */
export function joinWaitlist(token: string): Promise<WaitlistView> {
  return post<WaitlistView>(path(token), {});
}

/** Gives the place back. */
export function leaveWaitlist(token: string): Promise<WaitlistView> {
  return post<WaitlistView>(`${path(token)}/leave`, {});
}
