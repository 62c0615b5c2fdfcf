import { axe, desktop, phone, type Screen, shot } from "./chromium.ts";
import type { Lang } from "./words.ts";

/** A screen and a language in which a page is shown. */
export interface Staging {
  device: "desktop" | "phone";
  screen: Screen;
  lang: Lang;
}

/** Behaviour is tested in all four. */
export const stagings: readonly Staging[] = [
  { device: "desktop", screen: desktop, lang: "en" },
  { device: "desktop", screen: desktop, lang: "zh" },
  { device: "phone", screen: phone, lang: "en" },
  { device: "phone", screen: phone, lang: "zh" },
];

/**
 * Whether a test of all four stagings also runs axe and takes screenshots in this one: in two, which between them show both
 * screens and both languages, and in all four with `LATCHKEY_TEST_WHOLE=1`.
 */
export function isInspected(screen: Screen, lang: Lang): boolean {
  const isSampled = lang === (screen.width < 600 ? "zh" : "en");
  return isSampled || process.env["LATCHKEY_TEST_WHOLE"] === "1";
}

/** axe and screenshots for a test of all four stagings; without effect where the staging is not inspected. */
export function inspection(screen: Screen, lang: Lang): { axe: typeof axe; shot: typeof shot } {
  if (isInspected(screen, lang)) return { axe, shot };
  return { axe: async () => [], shot: async () => undefined };
}
