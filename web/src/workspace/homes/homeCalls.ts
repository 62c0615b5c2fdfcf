/** What the pages of homes ask the server, and what they send it. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, patch, post, put } from "../../api.ts";
import type { Asked, DataOf, QueryOf } from "../../contract/calls.ts";
import type { HomeEdit, RoomEdit } from "../../contract/wire.ts";

export type HomeList = DataOf<"get", "/api/v0/workspace/homes">;
export type HomeRow = HomeList["homes"][number];
export type HomeState = HomeRow["state"];
export type StaffHome = DataOf<"get", "/api/v0/workspace/homes/{id}">;
export type StaffRoom = StaffHome["rooms"][number];
export type HomeActWord = StaffHome["can"][number];
export type HomeStock = DataOf<"get", "/api/v0/workspace/homes/{id}/stock">;
export type HomeBooking = DataOf<"get", "/api/v0/workspace/homes/{id}/bookings">[number];
export type HomeStep = DataOf<"get", "/api/v0/workspace/homes/{id}/history">["steps"][number];
export type HomeVerdict = DataOf<"post", "/api/v0/workspace/homes/acts">[number];
export type BulkAct = Asked<"post", "/api/v0/workspace/homes/acts">["body"];
export type NewHome = Asked<"post", "/api/v0/workspace/homes">["body"];
export type NewRoom = NonNullable<NewHome["rooms"]>[number];
type HomeAct = Asked<"post", "/api/v0/workspace/homes/{id}/acts">["body"];

const LIST = "homes";
export const ONE = "home";

/** What a change of a home makes old. */
export const homeKeys = (homeId: string) => [[LIST], [ONE, homeId]] as const;

export const homesQuery = (query: QueryOf<"/api/v0/workspace/homes">) =>
  queryOptions({
    queryKey: [LIST, query],
    queryFn: ({ signal }) => get("/api/v0/workspace/homes", { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

export const homeQuery = (id: string) =>
  queryOptions({
    queryKey: [ONE, id],
    queryFn: ({ signal }) => get("/api/v0/workspace/homes/{id}", { path: { id }, signal }),
  });

export const valuesQuery = (id: string) =>
  queryOptions({
    queryKey: [ONE, id, "values"],
    queryFn: ({ signal }) => get("/api/v0/workspace/homes/{id}/values", { path: { id }, signal, fresh: true }),
  });

/** Rooms by weeks from a Monday; from this week's where none is named. */
export const stockQuery = (id: string, from: string | null) =>
  queryOptions({
    queryKey: [ONE, id, "stock", from],
    queryFn: ({ signal }) => get("/api/v0/workspace/homes/{id}/stock", { path: { id }, query: { from }, signal }),
    placeholderData: keepPreviousData,
  });

export const bookingsQuery = (id: string) =>
  queryOptions({
    queryKey: [ONE, id, "bookings"],
    queryFn: ({ signal }) => get("/api/v0/workspace/homes/{id}/bookings", { path: { id }, signal }),
  });

/** Consequences of prices and numbers of rooms that are not saved; nothing is written. */
export const tryQuery = (id: string, rooms: RoomEdit[]) =>
  queryOptions({
    queryKey: [ONE, id, "tried", rooms],
    queryFn: ({ signal }) => post("/api/v0/workspace/homes/{id}/what_if", { path: { id }, body: { rooms }, signal }),
    placeholderData: keepPreviousData,
  });

/** Steps of a history before a position; the newest where none is named. */
export const readHistory = (id: string, before: number | null, signal: AbortSignal) =>
  get("/api/v0/workspace/homes/{id}/history", { path: { id }, query: { before, limit: 50 }, signal });

export const historyKey = (id: string) => [ONE, id, "history"] as const;

/** Changes facts of a home. The same `intent` sent twice is one change. */
export function changeHome(id: string, edit: HomeEdit, intent: string) {
  return patch("/api/v0/workspace/homes/{id}", { path: { id }, body: edit, idempotencyKey: intent });
}

export function actOnHome(id: string, act: HomeAct, intent: string) {
  return post("/api/v0/workspace/homes/{id}/acts", { path: { id }, body: act, idempotencyKey: intent });
}

/** One act on several homes; each has a verdict of its own. */
export function actOnHomes(act: BulkAct, intent: string) {
  return post("/api/v0/workspace/homes/acts", { body: act, idempotencyKey: intent });
}

export function undoStep(id: string, step: number, reason: string, intent: string) {
  return post("/api/v0/workspace/homes/{id}/undo", { path: { id }, body: { step, reason }, idempotencyKey: intent });
}

/** Closes a home that was listed twice in favour of the other. */
export function mergeHome(id: string, into: string, reason: string, intent: string) {
  return post("/api/v0/workspace/homes/{id}/merge", { path: { id }, body: { into, reason }, idempotencyKey: intent });
}

/** Lists a home as a draft. */
export function addHome(home: NewHome, intent: string) {
  return post("/api/v0/workspace/homes", { body: home, idempotencyKey: intent });
}

export function addRoom(
  id: string,
  asked: Asked<"post", "/api/v0/workspace/homes/{id}/rooms">["body"],
  intent: string,
) {
  return post("/api/v0/workspace/homes/{id}/rooms", { path: { id }, body: asked, idempotencyKey: intent });
}

export function withdrawRoom(id: string, room_id: string, position: number, reason: string, intent: string) {
  return post("/api/v0/workspace/homes/{id}/rooms/{room_id}/withdraw", {
    path: { id, room_id },
    body: { position, reason },
    idempotencyKey: intent,
  });
}

/** Sets the whole list of a room's leases. */
export function setLeases(
  id: string,
  room_id: string,
  asked: Asked<"put", "/api/v0/workspace/homes/{id}/rooms/{room_id}/leases">["body"],
  intent: string,
) {
  return put("/api/v0/workspace/homes/{id}/rooms/{room_id}/leases", {
    path: { id, room_id },
    body: asked,
    idempotencyKey: intent,
  });
}
