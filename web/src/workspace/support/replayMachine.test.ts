import { expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import { type ReplayEvent, type ReplayInput, replayMachine } from "./replayMachine.ts";

function replay(input: ReplayInput, ...events: ReplayEvent[]) {
  const clock = new SimulatedClock();
  const actor = createActor(replayMachine, { input, clock }).start();
  for (const event of events) actor.send(event);
  const where = () => {
    const snapshot = actor.getSnapshot();
    const playing = snapshot.hasTag("playing") ? "playing" : "resting";
    return `${snapshot.hasTag("now") ? "now" : playing} ${snapshot.context.n}/${snapshot.context.last}`;
  };
  return { actor, clock, where };
}

const SEEK_17: ReplayEvent = { type: "replay.seek", n: 17 };

// Without a place in the address the page stands at now and follows live events.
test("without a place the page stays at now and follows live", () => {
  const page = replay({ last: 42, start: null });
  expect(page.where()).toBe("now 42/42");
  page.actor.send({ type: "replay.arrived", last: 43 });
  expect(page.where()).toBe("now 43/43");
});

// A link to event 17 opens the past, and a live event does not move it.
test("a link to event 17 opens the past and live events keep it", () => {
  const page = replay({ last: 42, start: 17 }, { type: "replay.arrived", last: 43 });
  expect(page.where()).toBe("resting 17/43");
});

// A link beyond the history, or below its first event, stays within it.
test("a link outside the history is clamped to it", () => {
  expect(replay({ last: 42, start: 900 }).where()).toBe("now 42/42");
  expect(replay({ last: 42, start: -3 }).where()).toBe("resting 1/42");
});

test("stepping forward from the last but one arrives at now", () => {
  const page = replay({ last: 42, start: 41 }, { type: "replay.step", by: 1 });
  expect(page.where()).toBe("now 42/42");
});

test("stepping back leaves now, and stops at the first event", () => {
  const page = replay({ last: 3, start: null }, { type: "replay.step", by: -1 });
  expect(page.where()).toBe("resting 2/3");
  page.actor.send({ type: "replay.step", by: -5 });
  expect(page.where()).toBe("resting 1/3");
});

test("playing moves one event per second and ends at now", () => {
  const page = replay({ last: 20, start: 17 }, { type: "replay.play" });
  page.clock.increment(1000);
  expect(page.where()).toBe("playing 18/20");
  page.clock.increment(1000);
  page.clock.increment(1000);
  expect(page.where()).toBe("now 20/20");
});

test("playing from now tells the story from its first event", () => {
  const page = replay({ last: 5, start: null }, { type: "replay.play" });
  expect(page.where()).toBe("playing 1/5");
});

test("taking hold of the play head stops playing", () => {
  const page = replay({ last: 42, start: 5 }, { type: "replay.play" }, SEEK_17);
  expect(page.where()).toBe("resting 17/42");
});

test("a pause keeps the place, and play goes on from it", () => {
  const page = replay({ last: 42, start: 5 }, { type: "replay.play" });
  page.clock.increment(1000);
  page.actor.send({ type: "replay.pause" });
  page.clock.increment(5000);
  expect(page.where()).toBe("resting 6/42");
});

test("at sixty-four events per second a tick moves several at once", () => {
  const page = replay({ last: 1000, start: 1 }, { type: "replay.speed", speed: 64 }, { type: "replay.play" });
  for (let tick = 0; tick < 20; tick += 1) page.clock.increment(50);
  expect(page.actor.getSnapshot().context.n).toBe(61);
});

test("a history of one event has no past to go to", () => {
  const page = replay({ last: 1, start: 1 }, { type: "replay.play" }, { type: "replay.first" });
  expect(page.where()).toBe("now 1/1");
});

test("back to now leaves the past from anywhere", () => {
  const page = replay({ last: 42, start: 17 }, { type: "replay.play" }, { type: "replay.now" });
  expect(page.where()).toBe("now 42/42");
});
