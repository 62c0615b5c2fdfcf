import { formsOf } from "./forms.ts";
import { formsIn, PLACEHOLDER, PLURAL } from "./messageForm.ts";

/** Values for a message's placeholders; numbers also choose plural forms. */
export type MessageParams = Record<string, string | number>;

/**
 * Fills a message of our two forms: `{x}` and `{n, plural, =0 {…} one {…} other {…}}`, with `#` for the number inside
 * a form. QuickJS has no `Intl`: which counts take `one` is data (`forms.ts`), and the server prints what the browser prints.
 */
export function fill(message: string, params: MessageParams, lang: string): string {
  return message
    .replace(PLURAL, (_, name: string, text: string) => {
      const n = Number(params[name] ?? 0);
      const forms = formsIn(text);
      const form = forms.get(`=${n}`) ?? (formsOf(lang).one.includes(n) ? forms.get("one") : undefined);
      return (form ?? forms.get("other") ?? "").replaceAll("#", String(n));
    })
    .replace(PLACEHOLDER, (hole, name: string) => String(params[name] ?? hole));
}
