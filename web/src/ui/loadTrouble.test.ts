import { afterEach, expect, test, vi } from "vitest";
import { text } from "../i18n/catalogue.ts";
import type { Translate } from "../i18n/i18n.tsx";
import { fetchPage } from "../page.ts";
import { findMissing, PartMissing } from "./lazyPart.tsx";
import { loadText, wayOn } from "./loadTrouble.ts";

const t: Translate = (key, values = {}) => text("en", key, values);
const envelope = JSON.stringify({ message: { code: "busy", user_friendly_message: "" }, errors: [], request_id: "r" });

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Why the page did not come, and what its failure says. */
async function failureOf(answer: () => Response): Promise<unknown> {
  vi.stubGlobal("fetch", async () => answer());
  return fetchPage("/terms").then(
    () => null,
    (failure: unknown) => failure,
  );
}

const answered = (status: number, body: string, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers });
const offline = (): Response => {
  throw new TypeError("Failed to fetch");
};

const refusals: readonly [string, () => Response, RegExp][] = [
  ["a limit", () => answered(429, envelope, { "retry-after": "7" }), /too many pages\. Try again in 7 seconds/],
  ["a limit of one second", () => answered(429, envelope, { "retry-after": "1" }), /Try again in a second/],
  ["a limit without a time", () => answered(429, envelope), /too many pages/],
  ["a proxy's limit", () => answered(429, "<html></html>", { "retry-after": "7" }), /in 7 seconds/],
  ["a busy server", () => answered(503, envelope, { "retry-after": "2" }), /very busy.*in 2 seconds/],
  ["a proxy without a server", () => answered(503, "<html></html>"), /very busy/],
  ["a fault in JSON", () => answered(500, envelope), /Something went wrong\. Try again/],
  ["a proxy's HTML", () => answered(502, "<html>Bad gateway</html>"), /Something went wrong\. Try again/],
  [
    "a proxy's HTML that is no fault",
    () => answered(200, "<html>Log in to the network</html>"),
    /Something went wrong\. Try again/,
  ],
  ["an empty answer", () => answered(200, ""), /Something went wrong\. Try again/],
  ["no network", offline, /Check your connection/],
];

test.each(refusals)("%s is a sentence, and another try", async (_, answer, sentence) => {
  const failure = await failureOf(answer);
  expect(loadText(failure, t)).toMatch(sentence);
  const retry = vi.fn();
  const way = wayOn(failure, t, retry);
  expect(way.label).toBe("Try again");
  way.act();
  expect(retry).toHaveBeenCalledOnce();
});

test.each([
  ["a file that a deploy took away", () => answered(200, "ok"), true, /new version/, "Reload"],
  ["a file that a server without health lacks", () => answered(404, ""), true, /new version/, "Reload"],
  ["a file whose server is down", () => answered(502, "<html></html>"), false, /Check your connection/, "Try again"],
  ["a file without the network", offline, false, /Check your connection/, "Try again"],
])("%s is a sentence, and a way on", async (_, answer, isReplaced, sentence, label) => {
  vi.stubGlobal("fetch", async () => answer());
  const failure = await findMissing();
  expect(failure).toBeInstanceOf(PartMissing);
  expect(failure.isReplaced).toBe(isReplaced);
  expect(loadText(failure, t)).toMatch(sentence);
  expect(wayOn(failure, t, () => undefined).label).toBe(label);
});
