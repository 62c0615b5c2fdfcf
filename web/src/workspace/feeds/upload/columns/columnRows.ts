/** The columns of a file under a map that is being edited. Knows no React. */
import { type FeedColumn, type FeedUpload, mapOf } from "../../feedCalls.ts";
import { type FeedMap, readColumn, readMeaning, splitField } from "./feedMap.ts";

/** A word of a column that a map may translate. */
export interface ColumnWord {
  word: string;
  meaning: string | null;
  isKnown: boolean;
}

export interface ColumnRow {
  column: FeedColumn;
  /** The field that reads it, its language and unit; null where none does. */
  becomes: { field: string; language: string | null; unit: string | null } | null;
  words: readonly ColumnWord[];
  /** Why a row of the first homes was not taken, where this column says so. */
  doubt: string | null;
  /** Somebody has to choose. */
  asks: boolean;
}

/**
 * All columns; those that need somebody come first, those that nothing reads last. The map in force says which: a row stays in its
 * place while its choice is made.
 */
export function listRows(
  upload: Pick<FeedUpload, "look" | "map">,
  map: FeedMap,
  known: ReadonlySet<string>,
): ColumnRow[] {
  const rank = (column: FeedColumn) => {
    const { asks, becomes } = readRow(column, upload, mapOf(upload), known);
    return asks ? 0 : becomes === null ? 2 : 1;
  };
  const columns = (upload.look?.columns ?? []).toSorted((one, other) => rank(one) - rank(other));
  return columns.map((column) => readRow(column, upload, map, known));
}

function readRow(
  column: FeedColumn,
  upload: Pick<FeedUpload, "look" | "map">,
  map: FeedMap,
  known: ReadonlySet<string>,
): ColumnRow {
  // A column that the map in force names by its name, and the edited one no longer does, is read by nothing.
  const isNamed = readColumn(mapOf(upload), column.name) !== null;
  const own = isNamed || column.field === null ? null : { field: column.field, unit: null };
  const read = readColumn(map, column.name) ?? own;
  const becomes = read === null ? null : { ...splitField(read.field, known), unit: read.unit };
  const words = becomes === null ? [] : column.words.map((word) => readWord(map, becomes.field, word));
  const rejected = upload.look?.rejected.find(({ path }) => path === column.name);
  const doubt = becomes === null ? null : (rejected?.reason ?? null);
  return { column, becomes, words, doubt, asks: doubt !== null || words.some(({ isKnown }) => !isKnown) };
}

function readWord(map: FeedMap, field: string, { word, meaning, is_known }: FeedColumn["words"][number]): ColumnWord {
  const chosen = readMeaning(map, field, word);
  // A meaning that was taken back leaves a word as it was before there was one.
  const isKnown = chosen !== null || (is_known && meaning === null);
  return { word, meaning: chosen, isKnown };
}
