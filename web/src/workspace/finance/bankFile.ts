/** A bank's or provider's file against what was read of the provider. */
import type { FileCompared, FileLine } from "../../contract/wire.ts";
import { postFile } from "../../postFile.ts";

/** The columns of a CSV file by their meaning. */
export const COLUMNS = ["date", "amount", "currency", "reference"] as const;

/** Names of the columns; an empty one stands for the usual name. */
export type ColumnNames = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** A file and what became of it. */
export interface Comparison {
  name: string;
  compared: FileCompared;
}

/** Compares a file; the server keeps nothing of it. */
export async function compareFile(file: File, columns: ColumnNames): Promise<Comparison> {
  const named = Object.fromEntries(COLUMNS.map((column) => [column, columns[column].trim() || null]));
  const compared = await postFile("/api/v0/workspace/reconciliation/file", file, { query: named });
  return { name: file.name, compared };
}

/** What the provider has more (above zero) or less than the file, in minor units; null where it has nothing. */
export function differenceOf({ amount_minor, there_minor }: FileLine): number | null {
  return there_minor === null ? null : there_minor - amount_minor;
}
