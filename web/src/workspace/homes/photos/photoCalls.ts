/** What the photos of a home ask the server, and what they send it. */
import { queryOptions } from "@tanstack/react-query";
import { get, post, put } from "../../../api.ts";
import type { Asked, DataOf } from "../../../contract/calls.ts";
import { postFile, type Sending } from "../../../postFile.ts";
import { ONE } from "../homeCalls.ts";

export type PhotosOfHome = DataOf<"get", "/api/v0/workspace/homes/{id}/photos">;
export type HomePhoto = PhotosOfHome["photos"][number];
export type Arrangement = Asked<"put", "/api/v0/workspace/homes/{id}/photos">["body"];
export type TakeDown = Asked<"post", "/api/v0/workspace/homes/{id}/photos/take_down">["body"];
export type Restoration = Asked<"post", "/api/v0/workspace/homes/{id}/photos/restore">["body"];

/** Sizes of a new photo are made in a few seconds. */
const MAKING_MS = 2_000;

/** Photos of a home; asked again while one of them is on its way. */
export const photosQuery = (id: string) =>
  queryOptions({
    queryKey: [ONE, id, "photos"],
    queryFn: ({ signal }) => get("/api/v0/workspace/homes/{id}/photos", { path: { id }, signal, fresh: true }),
    refetchInterval: ({ state }) =>
      state.data?.photos.some((photo) => photo.state === "waiting") === true ? MAKING_MS : false,
  });

/** Sends one file; null for a photo of the home itself. */
export function uploadPhoto(id: string, room_id: string | null, file: File, sending: Sending) {
  return postFile("/api/v0/workspace/homes/{id}/photos", file, { path: { id }, query: { room_id } }, sending);
}

/** Sets the whole list of photos. The same `intent` sent twice is one change. */
export function arrangePhotos(id: string, body: Arrangement, intent: string) {
  return put("/api/v0/workspace/homes/{id}/photos", { path: { id }, body, idempotencyKey: intent });
}

export function takePhotoDown(id: string, body: TakeDown, intent: string) {
  return post("/api/v0/workspace/homes/{id}/photos/take_down", { path: { id }, body, idempotencyKey: intent });
}

export function restorePhoto(id: string, body: Restoration, intent: string) {
  return post("/api/v0/workspace/homes/{id}/photos/restore", { path: { id }, body, idempotencyKey: intent });
}

/** Asks for the picture of an address again. */
export function retryPhoto(id: string, photo_id: string, intent: string) {
  return post("/api/v0/workspace/homes/{id}/photos/retry", {
    path: { id },
    body: { photo_id },
    idempotencyKey: intent,
  });
}
