/** What the workspace asks the server about a student's steps. */
import { del, post } from "../../api.ts";
import type { Nudge, StaffMirror } from "../../contract/wire.ts";

const BASE = "/api/v0/workspace/mirrors";
const one = (id: string, of = "") => `${BASE}/${encodeURIComponent(id)}${of}`;

export const beginMirror = (code: string) => post<StaffMirror>(BASE, { code });
export const endMirror = (id: string) => del<null>(one(id));
export const nudgePerson = (id: string, field: string, sentence: Nudge) =>
  post<null>(one(id, "/nudges"), { field, sentence });
export const mirrorUrl = (id: string) => one(id, "/stream");
