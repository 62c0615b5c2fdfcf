/** Which looks the page of looks shows, as its address says it. */
export interface ReadFilters {
  by: string | null;
  lead: string | null;
  from: string | null;
  to: string | null;
  before: number | null;
}

const words = (asked: unknown) => (typeof asked === "string" && asked.trim() !== "" ? asked : null);

/** What can be read of an address; the rest counts as absent. */
export function readFilters(search: { [Name in keyof ReadFilters]?: unknown }): ReadFilters {
  const before = Number(search.before);
  return {
    by: words(search.by),
    lead: words(search.lead),
    from: words(search.from),
    to: words(search.to),
    before: Number.isSafeInteger(before) && before > 0 ? before : null,
  };
}
