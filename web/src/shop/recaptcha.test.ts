import { afterEach, expect, test, vi } from "vitest";
import { Answers } from "../testing/answers.ts";
import { postAsPerson } from "./proof.ts";
import { keysOf } from "./recaptcha.ts";

afterEach(() => {
  document.head.replaceChildren();
  vi.restoreAllMocks();
});

function named(content: string): void {
  const meta = document.createElement("meta");
  meta.name = "recaptcha";
  meta.content = content;
  document.head.append(meta);
}

test("keys are those that the document names", () => {
  expect(keysOf(document)).toBeNull();
  named("site-3 site-2");
  expect(keysOf(document)).toEqual({ score: "site-3", visual: "site-2" });
});

// Mainland China and some offices cannot reach Google: the script fails, never ends, or comes empty.
test.each(["error", "silence", "empty"])("%s of Google's script falls back to proof of work", async (how) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  named("site-3 site-2");
  const server = new Answers().set("GET /api/v0/challenge", { status: 200, data: { challenge: "1.a.b", bits: 1 } });
  const sent: unknown[] = [];
  const brought = new Promise<Element>((resolve) => {
    vi.spyOn(document.head, "append").mockImplementation((tag) => tag instanceof Element && resolve(tag));
  });
  const asked = postAsPerson("email_login", "k-1", async (proven) => sent.push(proven));
  const script = await brought;
  if (how === "silence") await vi.advanceTimersByTimeAsync(6_000);
  else script.dispatchEvent(new Event(how === "error" ? "error" : "load"));
  vi.useRealTimers();
  await asked;
  expect(sent).toEqual([{ idempotencyKey: "k-1", proof: expect.stringMatching(/^1\.a\.b:\d+$/) }]);
  expect(server.asked).toEqual(["GET /api/v0/challenge"]);
});

test("a key that Google throws out leaves proof of work", async () => {
  named("site-3 site-2");
  new Answers().set("GET /api/v0/challenge", { status: 200, data: { challenge: "1.a.b", bits: 1 } });
  const execute = () => {
    throw new Error("Invalid site key");
  };
  window.grecaptcha = { ready: (act) => act(), execute, render: () => 0 };
  const sent: unknown[] = [];
  const brought = new Promise<Element>((resolve) => {
    vi.spyOn(document.head, "append").mockImplementation((tag) => tag instanceof Element && resolve(tag));
  });
  const asked = postAsPerson("email_login", "k-2", async (proven) => sent.push(proven));
  (await brought).dispatchEvent(new Event("load"));
  await asked;
  delete window.grecaptcha;
  expect(sent).toEqual([{ idempotencyKey: "k-2", proof: expect.stringMatching(/^1\.a\.b:\d+$/) }]);
});

test("half a pair of keys counts for nothing", () => {
  named("site-3");
  expect(keysOf(document)).toBeNull();
});
