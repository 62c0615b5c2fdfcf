/** The part of the page Brand that an address names: the draft, or the versions that readers saw. */
export function brandView({ view }: { view?: unknown }): { view: "history" | null } {
  return { view: view === "history" ? view : null };
}
