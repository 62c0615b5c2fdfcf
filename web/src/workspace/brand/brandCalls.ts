/** Calls of the page of the brand. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, patch, post } from "../../api.ts";
import type { Asked, DataOf } from "../../contract/calls.ts";
import { postFile } from "../../postFile.ts";

export type Brand = DataOf<"get", "/api/v0/workspace/brand">;
export type BrandValues = Brand["draft"];
export type BrandColours = Brand["colours"];
export type BrandPicture = Brand["pictures"][number];
export type BrandVersion = DataOf<"get", "/api/v0/workspace/brand/versions">[number];
export type BrandEdit = Asked<"patch", "/api/v0/workspace/brand">["body"];
export type BrandPublication = Asked<"post", "/api/v0/workspace/brand/publish">["body"];
export type BrandReturn = Asked<"post", "/api/v0/workspace/brand/take_back">["body"];

const BRAND = "brand";

/** Draft, published version and pictures of the house's brand. */
export const brandQuery = queryOptions({
  queryKey: [BRAND],
  queryFn: ({ signal }) => get("/api/v0/workspace/brand", { signal, fresh: true }),
});

export const versionsQuery = queryOptions({
  queryKey: [BRAND, "versions"],
  queryFn: ({ signal }) => get("/api/v0/workspace/brand/versions", { signal, fresh: true }),
});

/** Colours that follow from those that are typed; nothing is kept. */
export const coloursQuery = (values: BrandValues) =>
  queryOptions({
    queryKey: ["brand_colours", values],
    queryFn: ({ signal }) => post("/api/v0/workspace/brand/preview", { body: { values }, signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Changes the draft. The same `intent` sent twice is one change. */
export function changeBrand(body: BrandEdit, intent: string) {
  return patch("/api/v0/workspace/brand", { body, idempotencyKey: intent });
}

export function publishBrand(body: BrandPublication, intent: string) {
  return post("/api/v0/workspace/brand/publish", { body, idempotencyKey: intent });
}

export function takeBack(body: BrandReturn, intent: string) {
  return post("/api/v0/workspace/brand/take_back", { body, idempotencyKey: intent });
}

/** Sends a picture; the draft names it by its content. */
export function uploadPicture(file: File, onSent: (part: number) => void) {
  return postFile("/api/v0/workspace/brand/pictures", file, {}, { onSent });
}
