import { ApiError, readFailure } from "./api.ts";
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

/** Asks the server what stands at an address: the routing rules live there only (decision 0035). Throws an `ApiError`. */
export async function fetchPage(url: string, signal?: AbortSignal): Promise<PagePayload> {
  const timeout = AbortSignal.timeout(60_000);
  let response: Response;
  let body: string;
  try {
    response = await fetch(`/_page?url=${encodeURIComponent(url)}`, {
      headers: { accept: "application/json" },
      credentials: "same-origin",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    body = await response.text();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError(timeout.aborted ? "timeout" : "offline");
  }
  const page = pageIn(body);
  if (page) return page;
  // A limit, or a server that is busy or down, answers in the envelope of every call, a proxy before it in HTML.
  const { status, headers } = response;
  throw await readFailure({ status, headers, json: async () => JSON.parse(body) });
}

function pageIn(body: string): PagePayload | null {
  try {
    const answer: PagePayload | { data?: PagePayload } = JSON.parse(body);
    const page = "route" in answer ? answer : answer.data;
    return page && "route" in page ? page : null;
  } catch {
    return null;
  }
}
