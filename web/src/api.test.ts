import { afterEach, expect, test, vi } from "vitest";
import { ApiError, get, post } from "./api.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The browser's network, answering as told; our own code is not replaced. */
function network(...answers: (() => Response)[]) {
  const calls: RequestInit[] = [];
  vi.stubGlobal("fetch", (_path: string, init: RequestInit) => {
    calls.push(init);
    const answer = answers[Math.min(calls.length - 1, answers.length - 1)];
    return answer ? Promise.resolve(answer()) : Promise.reject(new TypeError("offline"));
  });
  return calls;
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(body), { status, headers });

// The next read asks for a state that has seen the last command.
test("the next read waits for the last command's position", async () => {
  const calls = network(
    json(200, { message: "success", data: { id: "l" }, position: 41 }),
    json(200, { message: "success", data: [] }),
  );
  await post("/api/v0/leads", { body: { lead: {} } });
  await get("/api/v0/users/activity");
  expect(calls[1]?.headers).toMatchObject({ "x-latchkey-position": "41" });
});

test("a refusal carries the server's sentence and its fields", async () => {
  const failure = {
    message: { user_friendly_message: "Check the form", code: "invalid_fields" },
    errors: [{ field: "email", code: "pattern", message: "No" }],
    request_id: "r-1",
  };
  network(json(422, failure, { "retry-after": "30" }));
  const refused = await post("/api/v0/leads", { body: { lead: {} } }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({
    kind: "refused",
    status: 422,
    code: "invalid_fields",
    message: "Check the form",
    requestId: "r-1",
    retryAfter: 30,
  });
});

test("no network and an unreadable answer are told apart", async () => {
  network();
  await expect(get("/api/v0/users/details")).rejects.toMatchObject({ kind: "offline" });
  network(() => new Response("<html>", { status: 502 }));
  await expect(get("/api/v0/users/details")).rejects.toMatchObject({ kind: "unreadable", status: 502 });
});

// Every command has a key of its own unless its caller keeps one.
test("each command has its own key unless the caller keeps one", async () => {
  const calls = network(json(200, { message: "success", data: null }));
  await post("/api/v0/users/logout");
  await post("/api/v0/users/logout");
  await post("/api/v0/users/logout", { idempotencyKey: "same" });
  const keys = calls.map(({ headers }) => new Headers(headers).get("idempotency-key"));
  expect(keys[0]).not.toBe(keys[1]);
  expect(keys[2]).toBe("same");
});
