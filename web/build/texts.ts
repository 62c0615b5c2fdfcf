import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";
import { placeholders, pluralsOf } from "../src/i18n/messageForm.ts";

/** The folder of all languages. */
export const I18N = resolve(import.meta.dirname, "../../i18n");

/** A language as its folder and its line of `languages.json` have it. */
interface Language {
  tag: string;
  isComplete: boolean;
  /** Counts that take a message's form `one`. */
  one: readonly number[];
  /** Texts by area and key. */
  areas: Map<string, Map<string, string>>;
}

export interface Texts {
  fallback: Language;
  others: readonly Language[];
}

interface Table {
  fallback: string;
  languages: Record<string, { complete: boolean }>;
}

/** Reads every text of every language of the table. */
export function readTexts(folder = I18N): Texts {
  const table: Table = readJson(join(folder, "languages.json"));
  const all = Object.entries(table.languages).map(([tag, { complete }]) => readLanguage(folder, tag, complete));
  const [fallback] = all.filter(({ tag }) => tag === table.fallback);
  if (fallback === undefined) throw new Error(`${table.fallback} is no line of languages.json`);
  return { fallback, others: all.filter((one) => one !== fallback) };
}

function readLanguage(folder: string, tag: string, isComplete: boolean): Language {
  const { one }: { one: number[] } = readJson(join(folder, tag, "forms.json"));
  const files = readdirSync(join(folder, tag)).filter((file) => file.endsWith(".json") && file !== "forms.json");
  const areas = files.map((file): [string, Map<string, string>] => {
    const texts: Record<string, string> = readJson(join(folder, tag, file));
    return [file.replace(/\.json$/, ""), new Map(Object.entries(texts))];
  });
  return { tag, isComplete, one, areas: new Map(areas) };
}

const readJson = (file: string) => JSON.parse(readFileSync(file, "utf8"));

/** Faults of the texts, one line each (GLOSSARY.md §4, decision 0041). */
export function findFaults({ fallback, others }: Texts): string[] {
  return [
    ...[fallback, ...others].flatMap(findFormFaults),
    ...others.flatMap((language) => findDifferences(fallback, language)),
  ];
}

/** Messages of neither form, and those whose plurals are not the language's. */
function findFormFaults({ tag, one, areas }: Language): string[] {
  const needed = one.length === 0 ? "other" : "one,other";
  return [...areas.values()].flatMap((texts) =>
    [...texts].flatMap(([key, text]) => {
      const plurals = pluralsOf(text);
      if (plurals === null) return [`${tag} ${key}: neither {x} nor {n, plural, …}`];
      if (plurals.some((forms) => forms.filter((form) => !form.startsWith("=")).join() !== needed))
        return [`${tag} ${key}: a plural has the forms ${needed}, and =0 before them where it helps`];
      // French 0 is `one` as well.
      if (one.length > 1 && /one \{[^#}]*\d/.test(text)) return [`${tag} ${key}: \`one\` shows the count as #`];
      return [];
    }),
  );
}

/** Texts that one of two languages lacks, and those whose placeholders differ. A language that is not complete has whole areas. */
function findDifferences(fallback: Language, language: Language): string[] {
  const names = new Set([...language.areas.keys(), ...(language.isComplete ? fallback.areas.keys() : [])]);
  return [...names].flatMap((area) => {
    const [theirs, own] = [fallback.areas.get(area), language.areas.get(area)];
    const keys = new Set([...(theirs?.keys() ?? []), ...(own?.keys() ?? [])]);
    return [...keys].flatMap((key) => {
      const [text, translated] = [theirs?.get(key), own?.get(key)];
      if (text === undefined) return [`${language.tag} ${key}: no such text in ${fallback.tag}`];
      if (translated === undefined) return [`${language.tag} ${key}: not translated`];
      const [wanted, used] = [text, translated].map((message) => [...placeholders(message)].sort().join(", "));
      return wanted === used ? [] : [`${language.tag} ${key}: has {${used}} in the place of {${wanted}}`];
    });
  });
}

/** Code that says texts, from the repository's root. */
const SPEAKERS = [
  "api",
  "artwork",
  "catalogue",
  "domain",
  "eventlog",
  "projections",
  "simulation",
  "web/src",
  "web/build",
];

/** Keys of texts that no code names, whole or by their beginning. */
export function findUnused({ fallback }: Texts, root = resolve(I18N, "..")): string[] {
  const code = SPEAKERS.flatMap((folder) => readCode(join(root, folder))).join("\n");
  const named = new Set(code.match(/\b[a-z][a-z0-9_]*(?:\.[A-Za-z0-9_]+)+/g));
  // `mail.${kind}` in the browser, `mail.{kind}` on the server, and "mail." where the rest is joined to it.
  const beginnings = code.matchAll(/["'`]([a-z_]+\.[\w.]*)(?:\$?\{|(?<=[_.])["'`])/g);
  const begun = new Set([...beginnings].map(([, beginning = ""]) => beginning));
  const keys = [...fallback.areas.values()].flatMap((texts) => [...texts.keys()]);
  return keys.filter((key) => !named.has(key) && ![...begun].some((beginning) => key.startsWith(beginning)));
}

function readCode(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => /\.(rs|tsx?|mjs)$/.test(file) && !/\.test\.tsx?$|(^|\/)(contract|testing|target)\//.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8"));
}

/** Fails a build whose texts are not whole. */
export function checkedTexts(): Plugin {
  return {
    name: "latchkey-texts",
    apply: "build",
    buildStart() {
      const faults = findFaults(readTexts());
      if (faults.length > 0) this.error(faults.join("\n"));
    },
  };
}
