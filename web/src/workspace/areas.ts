import type { Area } from "../i18n/keys.ts";

/** The texts of the workspace; `build/pageAssets.ts` lists their files among its first load. */
export const workspaceAreas = [
  "ui",
  "shell",
  "workspace",
  "numbers",
  "support",
  "evidence",
  "finance",
  "provider",
  "links",
  "returned",
  "waitlists",
  "timeline",
  "timeline_ui",
  "change",
] as const satisfies readonly Area[];
