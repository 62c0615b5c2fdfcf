import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fetchFile } from "./feedCalls.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const ADDRESS = "https://feeds.example/north.csv";
const line = (upload_id: string, feed = "north") => ({ upload_id, feed });
const answer = (data: unknown, status = 200) => new Response(JSON.stringify({ message: "success", data }), { status });
const lost = () => new Response("<html>", { status: 504 });

/** A server with these lists of uploads, one after the other, whose answer to the address is `fetched`. */
function serve(lists: ReturnType<typeof line>[][], fetched: () => Response | Promise<Response>): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string, { method }: RequestInit) => {
    asked.push(`${method} ${path.split("/").at(-1)}`);
    if (method === "POST") return fetched();
    if (!path.endsWith("/feed_uploads")) return answer({ upload: line(path.split("/").at(-1) ?? ""), look: null });
    const uploads = lists.length > 1 ? lists.shift() : lists[0];
    return uploads === undefined ? Promise.reject(new TypeError("offline")) : answer({ uploads });
  });
  return asked;
}

const begin = (signal = new AbortController().signal) => {
  const fetched = fetchFile("north", ADDRESS, "key", signal);
  fetched.catch(() => undefined);
  return fetched;
};

test("an answer that comes is the upload", async () => {
  const asked = serve([[]], () => answer({ upload: line("u-1"), look: null }, 201));
  await expect(begin()).resolves.toMatchObject({ upload_id: "u-1", look: null });
  expect(asked).toEqual(["GET feed_uploads", "POST address"]);
});

test("an upload whose answer was lost is found, and no other one", async () => {
  const old = [line("u-0"), line("u-9", "south")];
  serve([old.slice(0, 1), old, [...old, line("u-1")]], lost);
  const fetched = begin();
  await vi.advanceTimersByTimeAsync(5_000);
  await expect(fetched).resolves.toMatchObject({ upload_id: "u-1" });
});

test("a lost answer without an upload is told as it is", async () => {
  const asked = serve([[]], lost);
  const fetched = begin();
  await vi.advanceTimersByTimeAsync(60_000);
  await expect(fetched).rejects.toMatchObject({ kind: "unreadable", status: 504 });
  expect(asked.length).toBeLessThan(15);
});

test("a refusal is told at once", async () => {
  const refusal = {
    message: { code: "feed_fetch", user_friendly_message: "It answers 404" },
    errors: [],
    request_id: "r",
  };
  const asked = serve([[]], () => new Response(JSON.stringify(refusal), { status: 422 }));
  await expect(begin()).rejects.toMatchObject({ kind: "refused", code: "feed_fetch" });
  expect(asked).toHaveLength(2);
});

test("a cancel ends the looks", async () => {
  serve([[]], lost);
  const stopper = new AbortController();
  const fetched = begin(stopper.signal);
  await vi.advanceTimersByTimeAsync(1_000);
  stopper.abort();
  await expect(fetched).rejects.toMatchObject({ name: "AbortError" });
});

test("a slow server is waited for longer than a minute", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  serve([[]], () => answer({ upload: line("u-1"), look: null }, 201));
  await begin();
  expect(timeout.mock.calls.map(([ms]) => ms)).toEqual([60_000, 31 * 60_000]);
  timeout.mockRestore();
});
