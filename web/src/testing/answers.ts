import { vi } from "vitest";

/** What a request is answered: `offline` where it never arrives, else a status with the data or the refusal. */
type Answer = "offline" | { status: number; data?: unknown; code?: string; errors?: unknown[] };

/** A server whose answers a test changes as it goes, by method and the beginning of the path; anything else is not there. */
export class Answers {
  private readonly known = new Map<string, Answer>();
  readonly asked: string[] = [];

  constructor() {
    vi.stubGlobal("fetch", (path: string, options?: RequestInit) => this.answer(options?.method ?? "GET", path));
  }

  set(request: string, answer: Answer): this {
    this.known.set(request, answer);
    return this;
  }

  private async answer(method: string, path: string): Promise<Response> {
    const request = `${method} ${path}`;
    this.asked.push(request);
    const longest = [...this.known.keys()]
      .filter((known) => request.startsWith(known))
      .sort((a, b) => b.length - a.length);
    const answer = this.known.get(longest[0] ?? "") ?? { status: 404, code: "not_found" };
    if (answer === "offline") throw new TypeError("Failed to fetch");
    const { status, data = null, code = "refused", errors = [] } = answer;
    const body =
      status < 400
        ? { message: "success", data, position: 1 }
        : { message: { code, user_friendly_message: `refused: ${code}` }, errors, request_id: "r-1" };
    return Response.json(body, { status });
  }
}
