/** What the workspace asks the server about waitlists. */
import { queryOptions } from "@tanstack/react-query";
import { get, post } from "../../api.ts";
import type { WorkspacePlace } from "../../contract/wire.ts";

/** Rooms that are or were waited for. */
export const awaitedQuery = queryOptions({
  queryKey: ["waitlists"],
  queryFn: ({ signal }) => get("/api/v0/workspace/awaited_rooms", { signal }),
  refetchInterval: 15_000,
});

/** The places of one room, in the order in which they were taken. */
export const placesQuery = (roomId: string) =>
  queryOptions({
    queryKey: ["waitlists", roomId],
    queryFn: ({ signal }) => get("/api/v0/workspace/waitlists", { query: { room_id: roomId }, signal }),
    refetchInterval: 15_000,
  });

/** Moves a place to the front, with the reason for colleagues. */
export function moveUp(paymentId: string, reason: string, intent: string): Promise<WorkspacePlace[]> {
  return post("/api/v0/workspace/waitlists/{id}/move_up", {
    path: { id: paymentId },
    body: { reason },
    idempotencyKey: intent,
  });
}
