import { expect, test } from "vitest";
import type { TimelineEvent } from "../../contract/wire.ts";
import { History } from "./refold.ts";
import { sameStream, toCause } from "./replayKeys.ts";

const streams = ["lead", "payment", "lead", "payment"] as const;
const history = History.of({
  fields: [],
  events: streams.map(
    (stream, index): TimelineEvent => ({
      n: index + 1,
      position: index + 1,
      stream,
      stream_id: stream,
      revision: 1,
      type: "Changed",
      recorded_at: "2026-11-13T10:00:00Z",
      actor: { kind: "system", label: "" },
      because_of: index === 3 ? 2 : null,
      sentence: { key: "timeline.changed", params: {} },
      failed: false,
      changes: [],
    }),
  ),
});

test("the brackets step within the stream of the event shown", () => {
  expect(sameStream(history, 1, "after")).toEqual({ type: "replay.seek", n: 3 });
  expect(sameStream(history, 4, "before")).toEqual({ type: "replay.seek", n: 2 });
  expect(sameStream(history, 4, "after")).toBeNull();
});

test("C goes to the cause, and does nothing where none is recorded", () => {
  expect(toCause(history, 4)).toEqual({ type: "replay.seek", n: 2 });
  expect(toCause(history, 1)).toBeNull();
});
