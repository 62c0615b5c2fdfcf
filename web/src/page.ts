import { ApiError } from "./api.ts";
import type { PagePayload } from "./contract/wire.ts";

/** Names of the pages the server can answer with. */
export type RouteName = PagePayload["route"];

/** The payload of one route. */
export type PageOf<R extends RouteName> = Extract<PagePayload, { route: R }>;

export function isPage<R extends RouteName>(payload: PagePayload, route: R): payload is PageOf<R> {
  return payload.route === route;
}

/** The page the server put into the first HTML, if it did. */
export function embeddedPage(): PagePayload | null {
  const script = document.getElementById("page-payload");
  if (!script?.textContent) return null;
  const payload: PagePayload = JSON.parse(script.textContent);
  return payload;
}

/** Asks the server what stands at an address: the routing rules live there only (decision 0035). */
export async function fetchPage(url: string, signal?: AbortSignal): Promise<PagePayload> {
  const timeout = AbortSignal.timeout(60_000);
  let response: Response;
  try {
    response = await fetch(`/_page?url=${encodeURIComponent(url)}`, {
      headers: { accept: "application/json" },
      credentials: "same-origin",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError(timeout.aborted ? "timeout" : "offline");
  }
  try {
    const body: PagePayload | { data: PagePayload } = await response.json();
    return "route" in body ? body : body.data;
  } catch {
    throw new ApiError("unreadable", { status: response.status });
  }
}
