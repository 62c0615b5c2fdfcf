/** `{n, plural, =0 {…} one {…} other {…}}`; a form holds placeholders and no plural. */
export const PLURAL = /\{(\w+), plural,((?: (?:=\d+|one|other) \{(?:[^{}]|\{\w+\})*\})+)\}/g;
const FORM = /(=\d+|\w+) \{((?:[^{}]|\{\w+\})*)\}/g;
/** `{x}` */
export const PLACEHOLDER = /\{(\w+)\}/g;

/** The forms of one plural by name. */
export const formsIn = (text: string) =>
  new Map([...text.matchAll(FORM)].map(([, form = "", said = ""]) => [form, said]));

/** Placeholder names of a message; the build compares them between languages. */
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
