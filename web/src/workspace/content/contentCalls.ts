/** Questions of the pages of content, and the acts that they send. */
import { queryOptions } from "@tanstack/react-query";
import { get, post, put } from "../../api.ts";
import type { Asked, DataOf } from "../../contract/calls.ts";

export type TextLine = DataOf<"get", "/api/v0/workspace/texts">[number];
export type HouseText = DataOf<"get", "/api/v0/workspace/texts/{page}/{language}">;
export type HouseTextVersion = HouseText["versions"][number];
export type DraftAsked = Asked<"put", "/api/v0/workspace/texts/{page}/{language}/draft">["body"];
export type StepAsked = Asked<"post", "/api/v0/workspace/texts/{page}/{language}/publish">["body"];

/** A page in a language. */
export interface TextPlace {
  page: string;
  language: string;
}

export const textsQuery = queryOptions({
  queryKey: ["house_texts"],
  queryFn: ({ signal }) => get("/api/v0/workspace/texts", { signal, fresh: true }),
});

export const textQuery = ({ page, language }: TextPlace) =>
  queryOptions({
    queryKey: ["house_text", page, language],
    queryFn: ({ signal }) =>
      get("/api/v0/workspace/texts/{page}/{language}", { path: { page, language }, signal, fresh: true }),
  });

/** Keeps a draft. The same `intent` sent twice keeps it once; so with the steps below. */
export function saveDraft({ page, language }: TextPlace, body: DraftAsked, intent: string) {
  const asked = { path: { page, language }, body, idempotencyKey: intent };
  return put("/api/v0/workspace/texts/{page}/{language}/draft", asked);
}

/** Shows the draft as the next version. */
export function publishDraft({ page, language }: TextPlace, body: StepAsked, intent: string) {
  const asked = { path: { page, language }, body, idempotencyKey: intent };
  return post("/api/v0/workspace/texts/{page}/{language}/publish", asked);
}

/** Shows the text that ships again. */
export function takeBack({ page, language }: TextPlace, body: StepAsked, intent: string) {
  const asked = { path: { page, language }, body, idempotencyKey: intent };
  return post("/api/v0/workspace/texts/{page}/{language}/take_back", asked);
}
