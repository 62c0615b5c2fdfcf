/** The map of a feed as a person edits it: which column becomes which field, constants, and meanings of words. Knows no React. */

/** One entry of a map's columns, as a table. */
interface Entry {
  column?: string | string[] | null;
  columns?: string[] | null;
  value?: string | null;
  split?: string | null;
  part?: number | null;
  unit?: string | null;
  language?: string | null;
}

/** A map under the names of its TOML form (docs/import/feeds.md). A type and not an interface, so that it is sent as any object is. */
export type FeedMap = {
  feed?: string | null;
  list?: string | null;
  rooms?: string | null;
  leases?: string | null;
  columns?: Record<string, string | string[] | Entry>;
  values?: Record<string, Record<string, string>>;
  fill_down?: string[];
  skip?: Record<string, string[]>;
  decimal?: string | null;
  separator?: string | null;
  encoding?: string | null;
  day_order?: string | null;
  language?: string | null;
  doubtful?: string | null;
};

/** What a column becomes. */
export interface Becomes {
  /** The key of a field, with its language behind it: `name_zh`. */
  field: string;
  unit: string | null;
}

/** Units that a field may be in; a field without one is read as its values say. */
export const UNITS: Readonly<Record<string, readonly string[]>> = {
  price: ["cents"],
  price_max: ["cents"],
  deposit: ["cents"],
  bills_monthly: ["cents"],
  size: ["m2", "sqft"],
  length: ["nights", "weeks", "months", "years"],
  length_min: ["nights", "weeks", "months", "years"],
  length_max: ["nights", "weeks", "months", "years"],
};

/** Encodings in which files are often written. */
export const ENCODINGS = ["utf-8", "windows-1252", "iso-8859-15", "utf-16le", "gb18030"] as const;

/** Facts that every home needs; a feed that names none of them in a column says them as a constant. */
export const NEEDED = ["country", "city", "currency", "price_per"] as const;

function columnsOf(entry: string | string[] | Entry): string[] {
  if (typeof entry === "string") return [entry];
  if (Array.isArray(entry)) return entry;
  return [entry.column ?? [], entry.columns ?? []].flat();
}

function tableOf(entry: string | string[] | Entry | undefined): Entry {
  return entry === undefined || typeof entry === "string" || Array.isArray(entry) ? {} : entry;
}

/** Paths may carry a question mark behind them: the file may lack them. */
const isPath = (path: string, column: string) => path.replace(/\?$/, "") === column;

/** What the map makes of a column; null where it does not name it. */
export function readColumn(map: FeedMap, column: string): Becomes | null {
  const found = Object.entries(map.columns ?? {}).find(([, entry]) =>
    columnsOf(entry).some((path) => isPath(path, column)),
  );
  if (found === undefined) return null;
  const { unit, language } = tableOf(found[1]);
  const field = typeof language === "string" ? `${found[0]}_${language}` : found[0];
  return { field, unit: unit ?? null };
}

/** An entry in its shortest form. */
function writeEntry(columns: string[], table: Entry): string | string[] | Entry | null {
  const rest = Object.entries(table).filter(([key, value]) => key !== "column" && key !== "columns" && value != null);
  const [only, ...more] = columns;
  if (rest.length === 0) return only === undefined ? null : more.length === 0 ? only : columns;
  const named = only === undefined ? {} : { column: more.length === 0 ? only : columns };
  return { ...named, ...Object.fromEntries(rest) };
}

function withEntry(map: FeedMap, field: string, entry: string | string[] | Entry | null): FeedMap {
  const { [field]: _, ...others } = map.columns ?? {};
  return { ...map, columns: entry === null ? others : { ...others, [field]: entry } };
}

/** The map without a column, wherever it names it. */
function dropColumn(map: FeedMap, column: string): FeedMap {
  return Object.entries(map.columns ?? {}).reduce((left, [field, entry]) => {
    const columns = columnsOf(entry);
    const rest = columns.filter((path) => !isPath(path, column));
    return rest.length === columns.length ? left : withEntry(left, field, writeEntry(rest, tableOf(entry)));
  }, map);
}

/** Makes a column another field; null leaves it out of the map. A field with several columns takes them in their order. */
export function mapColumn(map: FeedMap, column: string, becomes: Becomes | null): FeedMap {
  const rest = dropColumn(map, column);
  if (becomes === null) return rest;
  const there = rest.columns?.[becomes.field];
  const columns = [...(there === undefined ? [] : columnsOf(there)), column];
  return withEntry(rest, becomes.field, writeEntry(columns, { ...tableOf(there), unit: becomes.unit }));
}

/** What is the same for all homes of the file; null where the map says none. */
export function readConstant(map: FeedMap, field: string): string | null {
  return tableOf(map.columns?.[field]).value ?? null;
}

/** Says what is the same for all homes; an empty text takes it back. */
export function setConstant(map: FeedMap, field: string, value: string): FeedMap {
  const there = map.columns?.[field];
  const table = { ...tableOf(there), value: value === "" ? null : value };
  return withEntry(map, field, writeEntry(there === undefined ? [] : columnsOf(there), table));
}

/** Fields for which the map has a constant, in its order. */
export function listConstants(map: FeedMap): string[] {
  return Object.keys(map.columns ?? {}).filter((field) => readConstant(map, field) !== null);
}

/** What a word of a field means; null where the map does not say. */
export function readMeaning(map: FeedMap, field: string, word: string): string | null {
  return map.values?.[field]?.[word] ?? null;
}

/** Gives a word its meaning; null takes it back. */
export function setMeaning(map: FeedMap, field: string, word: string, meaning: string | null): FeedMap {
  const { [word]: _, ...others } = map.values?.[field] ?? {};
  const words = meaning === null ? others : { ...others, [word]: meaning };
  const { [field]: __, ...fields } = map.values ?? {};
  return { ...map, values: Object.keys(words).length === 0 ? fields : { ...fields, [field]: words } };
}

/** How the file is written, where it does not show that itself. */
export type Writing = "decimal" | "day_order" | "encoding" | "language" | "doubtful";

/** Says how the file is written; an empty word leaves it to the file. */
export function setWriting(map: FeedMap, name: Writing, word: string): FeedMap {
  const { [name]: _, ...others } = map;
  return word === "" ? others : { ...others, [name]: word };
}

/** Two maps that say the same, in whatever order. */
export function saysSame(one: FeedMap, other: FeedMap): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value).filter(([, part]) => part != null && !isEmpty(part));
  return Object.fromEntries(parts.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, sorted(part)]));
}

const isEmpty = (part: unknown) => typeof part === "object" && part !== null && Object.keys(part).length === 0;

/** A field apart from the language behind it, where it is one of the known fields. */
export function splitField(key: string, known: ReadonlySet<string>): { field: string; language: string | null } {
  if (known.has(key)) return { field: key, language: null };
  const at = key.lastIndexOf("_");
  return at > 0 && known.has(key.slice(0, at))
    ? { field: key.slice(0, at), language: key.slice(at + 1) }
    : { field: key, language: null };
}
