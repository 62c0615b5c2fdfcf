/** What the page of places asks the server, and what it sends. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, patch } from "../../api.ts";
import type { DataOf } from "../../contract/calls.ts";
import type { PlaceEdit } from "./placeEdit.ts";

export type PlaceLine = DataOf<"get", "/api/v0/workspace/places">[number];

const LIST = "places";

/** Places of one answer; a shorter one is the last. */
const PAGE = 50;

/** Places page by page, those with most homes first. */
export const placesQuery = (text: string | null) =>
  infiniteQueryOptions({
    queryKey: [LIST, text],
    queryFn: ({ pageParam, signal }) =>
      get("/api/v0/workspace/places", { query: { text, skip: pageParam === 0 ? null : pageParam }, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE ? null : pages.length * PAGE),
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
