import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { addForms } from "../src/i18n/forms.ts";
import { fill, type MessageParams } from "../src/i18n/message.ts";

/** A tag of `i18n/languages.json`. */
export type Lang = string;

/** What the pages say in one language, so that a test finds a button by its words in every language. */
export interface Words {
  lang: Lang;
  say: (key: string, params?: MessageParams) => string;
  /** The same with whatever stands in its placeholders. */
  like: (key: string) => RegExp;
}

const folder = resolve(import.meta.dirname, "../../i18n");

export function wordsOf(lang: Lang): Words {
  addForms(lang, JSON.parse(readFileSync(join(folder, lang, "forms.json"), "utf8")));
  const texts = new Map<string, string>();
  for (const file of readdirSync(join(folder, lang)).filter((name) => name !== "forms.json")) {
    const area: Record<string, string> = JSON.parse(readFileSync(join(folder, lang, file), "utf8"));
    for (const [key, text] of Object.entries(area)) texts.set(key, text);
  }
  const text = (key: string) => {
    const found = texts.get(key);
    if (found === undefined) throw new Error(`no text is called ${key} in ${lang}`);
    return found;
  };
  return {
    lang,
    say: (key, params = {}) => fill(text(key), params, lang),
    like: (key) => {
      const parts = text(key).split(/\{\w+\}/);
      return new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".+"));
    },
  };
}
