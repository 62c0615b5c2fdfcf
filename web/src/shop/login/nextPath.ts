/** D19: only a path of this site is gone to after a login; anything else is as if nothing was asked. */
export function safeNext(next: string | null, origin: string): string | null {
  if (!next?.startsWith("/") || next.startsWith("//") || next.includes("\\")) return null;
  try {
    const url = new URL(next, origin);
    return url.origin === origin ? url.pathname + url.search + url.hash : null;
  } catch {
    return null;
  }
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
