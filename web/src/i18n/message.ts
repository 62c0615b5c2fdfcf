import type { Lang } from "../contract/wire.ts";

/** Values for a message's placeholders; numbers also choose plural forms. */
export type MessageParams = Record<string, string | number>;

type Part = string | { name: string } | { name: string; forms: Record<string, Part[]> };

const parsed = new Map<string, Part[]>();

/**
 * Fills a message of our ICU subset: `{x}` and `{n, plural, =0 {…} one {…} other {…}}`, with `#` for the number inside
 * a form. QuickJS has no `Intl`, so plural rules are our own and the server prints what the browser prints.
 */
export function fill(message: string, params: MessageParams, lang: Lang): string {
  let parts = parsed.get(message);
  if (!parts) {
    parts = new Parser(message).parts();
    parsed.set(message, parts);
  }
  return print(parts, params, lang, null);
}

/** Placeholder names of a message; the catalogue test compares them between languages. */
export function placeholders(message: string): Set<string> {
  const names = new Set<string>();
  const walk = (parts: Part[]) => {
    for (const part of parts) {
      if (typeof part === "string") continue;
      names.add(part.name);
      if ("forms" in part) for (const form of Object.values(part.forms)) walk(form);
    }
  };
  walk(new Parser(message).parts());
  return names;
}

function print(parts: Part[], params: MessageParams, lang: Lang, count: number | null): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return count === null ? part : part.replaceAll("#", String(count));
      const value = params[part.name];
      if (!("forms" in part)) return value === undefined ? `{${part.name}}` : String(value);
      const n = Number(value ?? 0);
      const form = part.forms[`=${n}`] ?? part.forms[pluralForm(n, lang)] ?? part.forms.other ?? [];
      return print(form, params, lang, n);
    })
    .join("");
}

function pluralForm(n: number, lang: Lang): "one" | "other" {
  switch (lang) {
    case "zh":
      return "other";
    case "fr":
      return n >= 0 && n < 2 ? "one" : "other";
    case "en":
    case "es":
    case "de":
      return n === 1 ? "one" : "other";
  }
}

class Parser {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  parts(): Part[] {
    const parts: Part[] = [];
    let literal = "";
    while (this.at < this.text.length && this.text[this.at] !== "}") {
      if (this.text[this.at] === "{") {
        if (literal) parts.push(literal);
        literal = "";
        parts.push(this.argument());
      } else {
        literal += this.text[this.at];
        this.at += 1;
      }
    }
    if (literal) parts.push(literal);
    return parts;
  }

  private argument(): Part {
    this.at += 1;
    const name = this.until(/[,}]/).trim();
    if (this.text[this.at] === "}") {
      this.at += 1;
      return { name };
    }
    this.at += 1;
    this.until(/,/);
    this.at += 1;
    const forms: Record<string, Part[]> = {};
    while (this.at < this.text.length) {
      const form = this.until(/[{}]/).trim();
      if (this.text[this.at] !== "{") break;
      this.at += 1;
      forms[form] = this.parts();
      this.at += 1;
    }
    this.at += 1;
    return { name, forms };
  }

  private until(stop: RegExp): string {
    const from = this.at;
    while (this.at < this.text.length && !stop.test(this.text[this.at] ?? "")) this.at += 1;
    return this.text.slice(from, this.at);
  }
}
