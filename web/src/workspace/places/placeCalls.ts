/** What the page of places asks the server, and what it sends. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, patch } from "../../api.ts";
import type { DataOf } from "../../contract/calls.ts";
import type { PlaceEdit } from "./placeEdit.ts";

export type PlaceLine = DataOf<"get", "/api/v0/workspace/places">[number];

const LIST = "places";

/** At most fifty places, those with most homes first. */
export const placesQuery = (text: string | null) =>
  queryOptions({
    queryKey: [LIST, text],
    queryFn: ({ signal }) => get("/api/v0/workspace/places", { query: { text }, signal }),
    placeholderData: keepPreviousData,
  });

export const allPlaces = [LIST] as const;

export const placeQuery = (id: string) =>
  queryOptions({
    queryKey: ["place", id],
    queryFn: ({ signal }) => get("/api/v0/workspace/places/{id}", { path: { id }, signal, fresh: true }),
  });

/** Corrects a place. The same `intent` sent twice is one correction. */
export function changePlace(id: string, edit: PlaceEdit, intent: string) {
  return patch("/api/v0/workspace/places/{id}", { path: { id }, body: edit, idempotencyKey: intent });
}
