import { beforeEach, expect, test, vi } from "vitest";
import { listenWhileSeen } from "./seenStream.ts";
import { FakeStream, fakeStreams, turnTab } from "./testing/streams.ts";

beforeEach(fakeStreams);

test("a hidden tab has no stream until it is seen again", () => {
  const [heard, turned] = [vi.fn(), vi.fn()];
  const stop = listenWhileSeen("/stream", { events: { news: heard }, turned });
  FakeStream.open[0]?.say("news", "1");
  turnTab(false);
  turnTab(false);
  expect(FakeStream.open).toEqual([]);
  turnTab(true);
  expect(FakeStream.open.map(({ url }) => url)).toEqual(["/stream"]);
  FakeStream.open[0]?.say("news", "2");
  expect(heard.mock.calls).toEqual([["1"], ["2"]]);
  expect(turned.mock.calls).toEqual([[false], [true]]);
  stop();
  turnTab(false);
  turnTab(true);
  expect(FakeStream.open).toEqual([]);
});

test("a tab that begins hidden opens its stream once it is seen", () => {
  turnTab(false);
  const stop = listenWhileSeen("/stream", { events: {} });
  expect(FakeStream.open).toEqual([]);
  turnTab(true);
  expect(FakeStream.open).toHaveLength(1);
  stop();
});

test("a break that the browser mends is told apart from a refusal", () => {
  const broke = vi.fn();
  const stop = listenWhileSeen("/stream", { events: {}, broke });
  FakeStream.open[0]?.say("error");
  FakeStream.open[0]?.refuse();
  expect(broke.mock.calls).toEqual([[false], [true]]);
  stop();
});
