/** A bank's or provider's file against what was read of the provider. */
import type { FileCompared, FileLine, FileVerdict } from "../../contract/wire.ts";
import { postFile } from "../../postFile.ts";

/** The columns of a CSV file by their meaning. */
export const COLUMNS = ["date", "amount", "paid_in", "paid_out", "sign", "currency", "reference"] as const;

/** Names of the columns; an empty one stands for the usual names. */
export type ColumnNames = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** What the file does not say itself; an empty one leaves it to the file. */
export interface FileChoices {
  account_currency: string;
  decimal: string;
  days: string;
  account_of: string;
}

/** A file and what became of it. */
export interface Comparison {
  name: string;
  compared: FileCompared;
}

/** Compares a file; the server keeps it sealed. */
export async function compareFile(file: File, columns: ColumnNames, choices: FileChoices): Promise<Comparison> {
  const asked = Object.entries({ ...columns, ...choices }).map(([name, value]) => [name, value.trim() || null]);
  const compared = await postFile("/api/v0/workspace/reconciliation/file", file, { query: Object.fromEntries(asked) });
  return { name: file.name, compared };
}

/** What the provider has more (above zero) or less than the file, in minor units; null where it has nothing. */
export function differenceOf({ amount_minor, there_minor }: FileLine): number | null {
  return there_minor === null ? null : there_minor - amount_minor;
}

/** How many lines have a verdict; null where that could not be told. */
export function countOf(compared: FileCompared, verdict: FileVerdict): number | null {
  return compared[verdict];
}
