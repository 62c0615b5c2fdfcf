/**
 * Where in a lead's history the page stands: at now, or at event `n` of the past, resting or playing.
 *
 * Now follows every live event; the past stays where it is while the history grows behind it. Knows neither React nor the
 * history's content: a caller that wants "the next of the same stream" works out its place and sends `replay.seek`.
 */
import { assign, setup } from "xstate";

/** Events per second the play button offers. */
export const SPEEDS = [1, 4, 16, 64] as const;
export type Speed = (typeof SPEEDS)[number];

export interface ReplayInput {
  last: number;
  /** From the address `?v=17`; absent means now. */
  start: number | null;
}

interface ReplayContext {
  n: number;
  last: number;
  speed: Speed;
}

export type ReplayEvent =
  | { type: "replay.seek"; n: number }
  | { type: "replay.step"; by: number }
  | { type: "replay.first" }
  | { type: "replay.now" }
  | { type: "replay.play" }
  | { type: "replay.pause" }
  | { type: "replay.speed"; speed: Speed }
  | { type: "replay.arrived"; last: number };

const types: { context?: ReplayContext; input?: ReplayInput; events?: ReplayEvent } = {};

/** Above this rate a tick moves several events at once: a screen cannot show more. */
const TICKS_PER_SECOND = 20;

function perTick(speed: Speed): number {
  return Math.max(1, Math.round(speed / TICKS_PER_SECOND));
}

function clamp(n: number, last: number): number {
  return Math.min(Math.max(1, Math.round(n)), Math.max(1, last));
}

/** The place an event asks for, or where the page stands already. */
function wanted(context: ReplayContext, event: ReplayEvent): number {
  switch (event.type) {
    case "replay.seek":
      return clamp(event.n, context.last);
    case "replay.step":
      return clamp(context.n + event.by, context.last);
    case "replay.first":
      return 1;
    case "replay.now":
      return context.last;
    case "replay.play":
    case "replay.pause":
    case "replay.speed":
    case "replay.arrived":
      return context.n;
  }
}

export const replayMachine = setup({
  types,
  guards: {
    reachesNow: ({ context, event }) => wanted(context, event) >= context.last,
    startsAtNow: ({ context }) => context.n >= context.last,
    hasPast: ({ context }) => context.last > 1,
    playsToTheEnd: ({ context }) => context.n + perTick(context.speed) >= context.last,
  },
  actions: {
    move: assign({ n: ({ context, event }) => wanted(context, event) }),
    toNow: assign({ n: ({ context }) => context.last }),
    toFirst: assign({ n: 1 }),
    advance: assign({ n: ({ context }) => context.n + perTick(context.speed) }),
    grow: assign({ last: ({ context, event }) => (event.type === "replay.arrived" ? event.last : context.last) }),
    setSpeed: assign({ speed: ({ context, event }) => (event.type === "replay.speed" ? event.speed : context.speed) }),
  },
  delays: {
    tick: ({ context }) => 1000 / Math.min(context.speed, TICKS_PER_SECOND),
  },
}).createMachine({
  id: "replay",
  context: ({ input }) => ({ n: clamp(input.start ?? input.last, input.last), last: input.last, speed: 1 }),
  initial: "arriving",
  on: {
    "replay.seek": [
      { guard: "reachesNow", target: ".now" },
      { target: ".past.resting", actions: "move" },
    ],
    "replay.step": [
      { guard: "reachesNow", target: ".now" },
      { target: ".past.resting", actions: "move" },
    ],
    "replay.first": [
      { guard: "reachesNow", target: ".now" },
      { target: ".past.resting", actions: "move" },
    ],
    "replay.now": ".now",
    "replay.speed": { actions: "setSpeed" },
    "replay.arrived": { actions: "grow" },
  },
  states: {
    arriving: {
      always: [{ guard: "startsAtNow", target: "now" }, { target: "past" }],
    },
    now: {
      tags: "now",
      entry: "toNow",
      on: {
        "replay.arrived": { actions: ["grow", "toNow"] },
        // Playing from now means seeing the whole story: it starts at the first event.
        "replay.play": { guard: "hasPast", target: "past.playing", actions: "toFirst" },
      },
    },
    past: {
      tags: "past",
      initial: "resting",
      states: {
        resting: {
          on: { "replay.play": "playing" },
        },
        playing: {
          tags: "playing",
          on: { "replay.pause": "resting" },
          after: {
            tick: [
              { guard: "playsToTheEnd", target: "#replay.now" },
              { target: "playing", reenter: true, actions: "advance" },
            ],
          },
        },
      },
    },
  },
});
