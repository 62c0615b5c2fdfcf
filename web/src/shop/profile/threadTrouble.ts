import { ApiError } from "../../api.ts";

/** What the server says of the field, else the general sentence. */
export function troubleOf(failure: unknown, general: string): string {
  if (!(failure instanceof ApiError)) return general;
  return failure.fields[0]?.message ?? (failure.kind === "refused" ? failure.message : general);
}
