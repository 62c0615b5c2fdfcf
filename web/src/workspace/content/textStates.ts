/** Texts of all pages as the grid shows them: a row a page, a state a language. */
import { FALLBACK } from "../../i18n/languages.ts";
import type { TextLine, TextPlace } from "./contentCalls.ts";

/** Pages whose words are the company's own duty. Once it published one, no reader is shown the text that ships. */
const LEGAL_PAGES: readonly string[] = ["terms", "privacy", "imprint", "cookies"];

export const isLegal = (page: string) => LEGAL_PAGES.includes(page);

/** `older`: published before the text of the first language; `missing`: readers get that text in place of the one that ships. */
export type TextState = "published" | "older" | "shipped" | "missing";

export interface TextRow {
  page: string;
  title: string;
  /** By their language. */
  lines: ReadonlyMap<string, TextLine>;
}

/** Languages of the grid, in the server's order. */
export function listLanguages(lines: readonly TextLine[]): string[] {
  return [...new Set(lines.map(({ language }) => language))];
}

/** A row for each page by its title in the reader's language, legal pages first. */
export function buildRows(lines: readonly TextLine[], lang: string): TextRow[] {
  const pages = [...new Set(lines.map(({ page }) => page))];
  const rows = pages.map((page) => {
    const theirs = lines.filter((line) => line.page === page);
    const own = new Map<string, TextLine>(theirs.map((line) => [line.language, line]));
    const title = own.get(lang)?.title ?? own.get(FALLBACK)?.title ?? page;
    return { page, title, lines: own };
  });
  return rows.toSorted((one, other) => Number(isLegal(other.page)) - Number(isLegal(one.page)));
}

/** Rows whose title in any language or whose address has the words. */
export function findRows(rows: readonly TextRow[], words: string | null): TextRow[] {
  const sought = (words ?? "").toLowerCase();
  return rows.filter(({ page, lines }) => {
    const titles = [...lines.values()].map(({ title }) => title);
    return [`/${page}`, ...titles].some((said) => said.toLowerCase().includes(sought));
  });
}

/** The state of a text beside that of the first language. */
export function stateOf(line: TextLine, first: TextLine | undefined): TextState {
  const isSecond = first !== undefined && first.language !== line.language && first.version !== null;
  if (line.version === null) return isSecond && isLegal(line.page) ? "missing" : "shipped";
  const at = (published: string | null) => (published === null ? 0 : Date.parse(published));
  return isSecond && at(line.published_at) < at(first.published_at) ? "older" : "published";
}

/** Languages whose readers a publication touches: those that become older, and those that get the first language's text. */
export function listAffected(
  lines: readonly TextLine[],
  { page, language }: TextPlace,
  first: string,
): { older: string[]; missing: string[] } {
  const others = lines.filter((line) => line.page === page && line.language !== language);
  if (language !== first) return { older: [], missing: [] };
  const tags = (of: readonly TextLine[]): string[] => of.map((line) => line.language);
  return {
    older: tags(others.filter(({ version }) => version !== null)),
    missing: isLegal(page) ? tags(others.filter(({ version }) => version === null)) : [],
  };
}
