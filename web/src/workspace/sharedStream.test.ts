import { beforeEach, expect, test, vi } from "vitest";
import { FakeStream, fakeStreams, turnTab } from "../testing/streams.ts";
import { shareStream } from "./sharedStream.ts";

/** Channels of one browser: each hears what the others of its name say. */
class FakeChannel {
  static all: FakeChannel[] = [];
  onmessage: ((message: { data: unknown }) => void) | null = null;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
    FakeChannel.all.push(this);
  }

  postMessage(data: unknown): void {
    for (const other of FakeChannel.all) if (other !== this && other.name === this.name) other.onmessage?.({ data });
  }

  close(): void {
    FakeChannel.all = FakeChannel.all.filter((channel) => channel !== this);
  }
}

/** One lock, whatever its name: granted in the order of the requests. */
class FakeLocks {
  private last: Promise<unknown> = Promise.resolve();

  request(_name: string, { signal }: { signal: AbortSignal }, hold: () => Promise<void>): Promise<void> {
    const granted = this.last.then(() => (signal.aborted ? Promise.reject(signal.reason) : hold()));
    this.last = granted.catch(() => undefined);
    return granted;
  }
}

beforeEach(() => {
  fakeStreams();
  FakeChannel.all = [];
  vi.stubGlobal("BroadcastChannel", FakeChannel);
  vi.stubGlobal("navigator", { locks: new FakeLocks() });
});

const settled = () => new Promise((done) => setTimeout(done));

/** A tab that listens, with what it hears. */
function tab() {
  const heard: string[] = [];
  const stop = shareStream("/desk", {
    events: { counts: (data) => heard.push(data) },
    opened: () => heard.push("opened"),
    broke: (isRefused) => heard.push(isRefused ? "refused" : "broke"),
  });
  return { heard, stop };
}

test("tabs share one stream, and who joins later hears the newest", async () => {
  const [first, second] = [tab(), tab()];
  await settled();
  expect(FakeStream.open).toHaveLength(1);
  FakeStream.open[0]?.say("open");
  FakeStream.open[0]?.say("counts", "1");
  FakeStream.open[0]?.say("counts", "2");
  const third = tab();
  await settled();
  expect([first.heard, second.heard.slice(0, 3), third.heard]).toEqual([
    ["opened", "1", "2"],
    ["opened", "1", "2"],
    ["opened", "2"],
  ]);
  for (const { stop } of [first, second, third]) stop();
  await settled();
  expect([FakeStream.open, FakeChannel.all]).toEqual([[], []]);
});

test("another tab takes over from one that is closed", async () => {
  const [first, second, third] = [tab(), tab(), tab()];
  await settled();
  second.stop();
  first.stop();
  await settled();
  expect(FakeStream.open).toHaveLength(1);
  FakeStream.open[0]?.say("counts", "3");
  expect([first.heard, second.heard, third.heard]).toEqual([[], [], ["3"]]);
  third.stop();
  await settled();
});

test("hidden tabs listen to nothing until they are seen again", async () => {
  const [first, second] = [tab(), tab()];
  await settled();
  turnTab(false);
  await settled();
  expect(FakeStream.open).toEqual([]);
  turnTab(true);
  await settled();
  expect(FakeStream.open).toHaveLength(1);
  FakeStream.open[0]?.say("counts", "4");
  expect([first.heard, second.heard]).toEqual([["4"], ["4"]]);
  for (const { stop } of [first, second]) stop();
  await settled();
});

test("a refused stream is opened again after half a minute", async () => {
  const only = tab();
  await settled();
  vi.useFakeTimers();
  FakeStream.open[0]?.refuse();
  expect([only.heard, FakeStream.open]).toEqual([["refused"], []]);
  vi.advanceTimersByTime(30_000);
  FakeStream.open[0]?.say("open");
  expect(only.heard).toEqual(["refused", "opened"]);
  vi.useRealTimers();
  only.stop();
  await settled();
});

test("without locks each tab has its own stream", () => {
  vi.stubGlobal("navigator", {});
  const [first, second] = [tab(), tab()];
  expect(FakeStream.open).toHaveLength(2);
  for (const { stop } of [first, second]) stop();
});
