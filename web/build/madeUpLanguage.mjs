// Adds a made-up language to a folder of languages by the recipe of CONTRIBUTING.md alone: a folder, copied from the language that
// all fall back to, and a line. `node build/madeUpLanguage.mjs FOLDER`; `scripts/made-up-language` does it in a copy of the
// checkout, builds that and looks at its pages. Each text is marked, and longer by 40 %: what is not translated, or does not fit, is seen.
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Kept free for private use by ISO 639-2. */
export const MADE_UP = "qps";

/** A plural or a placeholder: neither is a text. */
const PART = /(\{\w+, plural,(?: (?:=\d+|one|other) \{(?:[^{}]|\{\w+\})*\})+\}|\{\w+\})/;
const FORM = / (=\d+|one|other) \{((?:[^{}]|\{\w+\})*)\}/g;

/** Letters with marks that every font of the pages has. */
const MARKS = new Map(
  ["aá", "eé", "ií", "oö", "uü", "nñ", "cç", "yý", "AÁ", "EÉ", "IÍ", "OÖ", "UÜ", "NÑ", "CÇ"].map(([...pair]) => pair),
);

/** What makes a text longer. It has words of several lengths, because lines break between them. */
const FILLER = " löñgér téxt bröüght álöñg fröm áñöthér láñgüágé";

const parts = (text) => text.split(PART).map((piece, at) => ({ piece, isText: at % 2 === 0 }));

function withMarks(text) {
  const written = parts(text).map(({ piece, isText }) => {
    if (isText) return [...piece].map((letter) => MARKS.get(letter) ?? letter).join("");
    return piece.includes(", plural,")
      ? piece.replace(FORM, (_, form, said) => ` ${form} {${withMarks(said)}}`)
      : piece;
  });
  return written.join("");
}

/** `Book now` as `[Böök ñöw löñg]`. A text without a letter of its own, such as `{city}, {country}`, has nothing to translate. */
export function markText(text) {
  const hasLetters = parts(text).some(
    ({ piece, isText }) => (isText || piece.includes(", plural,")) && /\p{L}/u.test(piece),
  );
  if (!hasLetters) return text;
  const more = Math.ceil(text.length * 0.4);
  const filler = FILLER.repeat(Math.ceil(more / FILLER.length)).slice(0, more);
  return `[${withMarks(text)}${filler.trimEnd()}]`;
}

/** Writes the language's folder into a folder of languages, and its line into their table. */
export function addMadeUpLanguage(folder) {
  const table = join(folder, "languages.json");
  const text = readFileSync(table, "utf8");
  const { fallback } = JSON.parse(text);
  const [line = ""] = text.split("\n").filter((one) => one.trimStart().startsWith(`"${fallback}": {`));
  if (line === "") throw new Error(`${table} has no line of ${fallback}`);
  cpSync(join(folder, fallback), join(folder, MADE_UP), { recursive: true });
  for (const file of readdirSync(join(folder, MADE_UP)).filter((name) => name !== "forms.json")) {
    const path = join(folder, MADE_UP, file);
    const texts = Object.entries(JSON.parse(readFileSync(path, "utf8"))).map(([key, said]) => [key, markText(said)]);
    writeFileSync(path, `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`);
  }
  const added = line
    .replace(`"${fallback}":`, `"${MADE_UP}":`)
    .replace(/"name": "[^"]*"/, '"name": "[Mádé üp]"')
    .replace(/"short": "[^"]*"/, '"short": "[MÜ]"');
  writeFileSync(table, text.replace(line, `${line.replace(/,?$/, ",")}\n${added}`));
}

const [, script = "", folder] = process.argv;
if (script.endsWith("madeUpLanguage.mjs") && folder !== undefined) addMadeUpLanguage(folder);
