import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "./api.ts";
import { allowTime, postFile, type Sending } from "./postFile.ts";

/** A request that goes nowhere: the test says how it ends. */
class Line extends EventTarget {
  static last: Line;
  readonly upload = new EventTarget();
  timeout = 0;
  isSent = false;

  constructor() {
    super();
    Line.last = this;
  }

  open(): void {}
  setRequestHeader(): void {}

  send(): void {
    this.isSent = true;
  }

  abort(): void {
    if (this.isSent) this.end("abort");
  }

  end(how: string): void {
    this.dispatchEvent(new Event(how));
    this.dispatchEvent(new Event("loadend"));
  }
}

beforeEach(() => vi.stubGlobal("XMLHttpRequest", Line));
afterEach(() => vi.unstubAllGlobals());

const MIB = 1_024 * 1_024;
const file = (bytes = 1) => new File([new Uint8Array(bytes)], "homes.csv");
const send = (sending?: Sending, bytes?: number) =>
  postFile("/api/v0/workspace/feed_uploads", file(bytes), { query: { feed: "north" } }, sending);

test("a larger file is waited for longer, up to the server's time", () => {
  expect(allowTime(0)).toBe(300_000);
  expect(allowTime(9 * MIB)).toBe(300_000);
  expect(allowTime(20 * MIB)).toBe(640_000);
  expect(allowTime(1_024 * MIB)).toBe(31 * 60_000);
  void send(undefined, 20 * MIB).catch(() => undefined);
  expect(Line.last.timeout).toBe(640_000);
});

test("a file on its way is stopped, and fails with its stopper", async () => {
  const stopper = new AbortController();
  const sent = send({ signal: stopper.signal });
  stopper.abort();
  await expect(sent).rejects.toMatchObject({ name: "AbortError" });
});

test("a file that was stopped before it began is not sent", async () => {
  const sent = send({ signal: AbortSignal.abort() });
  await expect(sent).rejects.toMatchObject({ name: "AbortError" });
  expect(Line.last.isSent).toBe(false);
});

test.each([
  ["error", "offline"],
  ["timeout", "timeout"],
])("a line that ends with %s is %s", async (how, kind) => {
  const sent = send();
  Line.last.end(how);
  const failure = await sent.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({ kind });
});
