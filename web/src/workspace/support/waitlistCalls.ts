/** What the workspace asks the server about waitlists. */
import { queryOptions } from "@tanstack/react-query";
import { get, post } from "../../api.ts";
import type { AwaitedRoom, WorkspacePlace } from "../../contract/wire.ts";
import { asQuery } from "../../paths.ts";

const BASE = "/api/v0/workspace";

/** Rooms that are or were waited for. */
export const awaitedQuery = queryOptions({
  queryKey: ["waitlists"],
  queryFn: ({ signal }) => get<AwaitedRoom[]>(`${BASE}/awaited_rooms`, { signal }),
  refetchInterval: 15_000,
});

/** The places of one room, in the order in which they were taken. */
export const placesQuery = (roomId: string) =>
  queryOptions({
    queryKey: ["waitlists", roomId],
    queryFn: ({ signal }) => get<WorkspacePlace[]>(`${BASE}/waitlists${asQuery({ room_id: roomId })}`, { signal }),
    refetchInterval: 15_000,
  });

/** Moves a place to the front, with the reason for colleagues. */
export function moveUp(paymentId: string, reason: string, intent: string): Promise<WorkspacePlace[]> {
  const path = `${BASE}/waitlists/${encodeURIComponent(paymentId)}/move_up`;
  return post<WorkspacePlace[]>(path, { reason }, { idempotencyKey: intent });
}
