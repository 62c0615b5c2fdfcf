import { formsOf } from "./forms.ts";

/** Values for a message's placeholders; numbers also choose plural forms. */
export type MessageParams = Record<string, string | number>;

/** `{n, plural, =0 {…} one {…} other {…}}`; a form holds placeholders and no plural. */
const PLURAL = /\{(\w+), plural,((?: (?:=\d+|one|other) \{(?:[^{}]|\{\w+\})*\})+)\}/g;
const FORM = /(=\d+|\w+) \{((?:[^{}]|\{\w+\})*)\}/g;
const PLACEHOLDER = /\{(\w+)\}/g;

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

const formsIn = (text: string) => new Map([...text.matchAll(FORM)].map(([, form = "", said = ""]) => [form, said]));

/** Placeholder names of a message; the catalogue test compares them between languages. */
export function placeholders(message: string): Set<string> {
  const names = new Set<string>();
  const plain = message.replace(PLURAL, (_, name: string, text: string) => {
    names.add(name);
    return [...formsIn(text).values()].join();
  });
  for (const [, name = ""] of plain.matchAll(PLACEHOLDER)) names.add(name);
  return names;
}

/** The plural forms of a message, one list for each number in it; null where it is of neither form. */
export function pluralsOf(message: string): string[][] | null {
  const plurals = [...message.matchAll(PLURAL)].map(([, , text = ""]) => [...formsIn(text).keys()]);
  return /[{}]/.test(message.replace(PLURAL, "").replace(PLACEHOLDER, "")) ? null : plurals;
}
