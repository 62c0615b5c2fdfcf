/** D19: only a path of this site is gone to after a login; anything else is as if nothing was asked. */
export function safeNext(next: string | null, origin: string): string | null {
  if (!next?.startsWith("/") || next.startsWith("//") || next.includes("\\")) return null;
  try {
    const url = new URL(next, origin);
    if (url.origin !== origin) return null;
    // A question within a question leads where the inner one does.
    const inner = askedLogin(url);
    return inner ? inner.next : url.pathname + url.search + url.hash;
  } catch {
    return null;
  }
}

/** Reads from an address whether it asks for a login (D19), and where it leads on to. */
export function askedLogin(url: URL): { next: string | null } | null {
  if (url.searchParams.get("login") !== "1") return null;
  return { next: safeNext(url.searchParams.get("next"), url.origin) };
}

/** The same address without the question, for after it has been answered. */
export function withoutLogin(url: URL): string {
  const kept = new URL(url);
  kept.searchParams.delete("login");
  kept.searchParams.delete("next");
  return kept.pathname + kept.search + kept.hash;
}

/** The same address without the home that waited for the login (D22). */
export function withoutPending(url: URL): string {
  const kept = new URL(url);
  kept.searchParams.delete("shortlist_inv");
  return kept.pathname + kept.search + kept.hash;
}
