/** What the workspace asks the server about a student's steps. */
import { buildAddress, del, post } from "../../api.ts";
import type { Nudge } from "../../contract/wire.ts";

export const beginMirror = (code: string) => post("/api/v0/workspace/mirrors", { body: { code } });
export const endMirror = (id: string) => del("/api/v0/workspace/mirrors/{id}", { path: { id } });
export const nudgePerson = (id: string, field: string, sentence: Nudge) =>
  post("/api/v0/workspace/mirrors/{id}/nudges", { path: { id }, body: { field, sentence } });
export const mirrorUrl = (id: string) => buildAddress("/api/v0/workspace/mirrors/{id}/stream", { path: { id } });
