import { desktop, phone, type Screen } from "./chromium.ts";
import type { Lang } from "./words.ts";

/** A screen and a language in which a page is shown. */
export interface Staging {
  device: "desktop" | "phone";
  screen: Screen;
  lang: Lang;
}

export const desktopEn: Staging = { device: "desktop", screen: desktop, lang: "en" };
export const desktopZh: Staging = { device: "desktop", screen: desktop, lang: "zh" };
export const phoneEn: Staging = { device: "phone", screen: phone, lang: "en" };
export const phoneZh: Staging = { device: "phone", screen: phone, lang: "zh" };

/** Between them both widths and both languages. */
export const bothStagings: readonly Staging[] = [desktopEn, phoneZh];
export const allStagings: readonly Staging[] = [desktopEn, desktopZh, phoneEn, phoneZh];

/** Whether nothing is left out, as in `make promises`: `LATCHKEY_TEST_WHOLE=1`. */
export const isWhole = process.env["LATCHKEY_TEST_WHOLE"] === "1";

/**
 * Gives the stagings of a test: `gate` in the gate, `whole` with `LATCHKEY_TEST_WHOLE=1`. Both widths are in the gate where a page
 * is laid out by width and no other test looks at it at the second one; one staging is, where what is tested depends on neither.
 */
export function chooseStagings(gate: readonly Staging[], whole: readonly Staging[] = bothStagings): readonly Staging[] {
  return isWhole ? whole : gate;
}
