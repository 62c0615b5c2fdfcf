/**
 * Where an import by upload stands: its file, columns, first homes, dry run and import.
 *
 * The server says what becomes of the file, and `upload.arrived` brings its word; going back and on is the person's. A dry run or an
 * import that is under way is shown wherever one is, so that a reload or a second window leads back to it. Knows neither React nor the
 * requests: the page sends them and says how they ended.
 */
import { assign, enqueueActions, setup } from "xstate";
import type { FeedUpload } from "../feedCalls.ts";

/** The steps in their order. */
export const STEPS = ["file", "columns", "homes", "dry_run", "import"] as const;
export type Step = (typeof STEPS)[number];

export interface UploadInput {
  /** From the address; null for a new import. */
  upload: FeedUpload | null;
}

interface UploadContext {
  upload: FeedUpload | null;
  /** The part of the file (0 to 1) that has left this device. */
  sent: number;
}

export type UploadEvent =
  | { type: "file.send" }
  | { type: "file.progress"; sent: number }
  | { type: "file.failed" }
  | { type: "map.save" }
  | { type: "map.failed" }
  | { type: "upload.arrived"; upload: FeedUpload }
  | { type: "upload.left" }
  | { type: "step.go"; to: Exclude<Step, "file" | "import"> };

const types: { context?: UploadContext; input?: UploadInput; events?: UploadEvent } = {};

/** The server works on it. */
export function isBusy({ stage }: Pick<FeedUpload, "stage">): boolean {
  return stage === "waiting" || stage === "running";
}

/** An import that took the file in: nothing is left to go back to. */
export function isTakenIn({ work, stage, run }: FeedUpload): boolean {
  return work === "import" && stage === "done" && run?.kind === "import" && run.outcome === "complete";
}

/** The state that an upload is met in. */
type Met = "looking" | "unread" | "misread" | "looked" | "trying" | "tried" | "importing" | "imported";

function meet(upload: FeedUpload): Met {
  if (upload.work === "dry_run") return isBusy(upload) ? "trying" : "tried";
  if (upload.work === "import") return isBusy(upload) ? "importing" : "imported";
  if (isBusy(upload)) return "looking";
  if (upload.look === null) return "unread";
  // Its columns are known from an earlier map: another one can be tried.
  return upload.stage === "failed" ? "misread" : "looked";
}

const isMet =
  (...met: readonly Met[]) =>
  ({ event }: { event: UploadEvent }) =>
    event.type === "upload.arrived" && met.includes(meet(event.upload));

/** The end of a run that was not known: a short one has ended before anybody saw it under way. */
const isNewEnd =
  (met: Met) =>
  ({ context, event }: { context: UploadContext; event: UploadEvent }) => {
    if (event.type !== "upload.arrived" || meet(event.upload) !== met) return false;
    const { upload } = context;
    return upload?.work !== event.upload.work || upload.run?.begun_at !== event.upload.run?.begun_at;
  };

/** Back from an import that took the file in leads nowhere. */
const goesTo =
  (to: Step) =>
  ({ context, event }: { context: UploadContext; event: UploadEvent }) =>
    event.type === "step.go" && event.to === to && context.upload !== null && !isTakenIn(context.upload);

export const uploadMachine = setup({
  types,
  guards: {
    isLooking: isMet("looking"),
    isUnread: isMet("unread"),
    isMisread: isMet("misread"),
    isTrying: isMet("trying"),
    isTried: isMet("tried"),
    isImporting: isMet("importing"),
    isNewlyTried: isNewEnd("tried"),
    isNewlyImported: isNewEnd("imported"),
    isImported: isMet("imported"),
    // A person's own map is done with: after a reload the homes come next.
    isMapped: ({ event }) => event.type === "upload.arrived" && event.upload.map_from === "person",
    goesToColumns: goesTo("columns"),
    goesToHomes: goesTo("homes"),
    goesToDryRun: ({ context, event }) =>
      // Another map makes the verdicts of the last one old: the server reads the file anew then.
      event.type === "step.go" && event.to === "dry_run" && context.upload?.work === "dry_run",
  },
  actions: {
    keep: assign({
      upload: ({ context, event }) => (event.type === "upload.arrived" ? event.upload : context.upload),
    }),
    count: assign({ sent: ({ context, event }) => (event.type === "file.progress" ? event.sent : context.sent) }),
    begin: assign({ sent: 0 }),
    forget: assign({ upload: null, sent: 0 }),
    meetGiven: enqueueActions(({ context, enqueue }) => {
      if (context.upload !== null) enqueue.raise({ type: "upload.arrived", upload: context.upload });
    }),
  },
}).createMachine({
  id: "upload",
  context: ({ input }) => ({ upload: input.upload, sent: 0 }),
  entry: "meetGiven",
  initial: "file",
  on: {
    "upload.left": { target: ".file.choosing", actions: "forget" },
    "upload.arrived": [
      { guard: "isTrying", target: ".dry_run.running", actions: "keep" },
      { guard: "isImporting", target: ".import.running", actions: "keep" },
      { guard: "isNewlyTried", target: ".dry_run.ended", actions: "keep" },
      { guard: "isNewlyImported", target: ".import.ended", actions: "keep" },
      { actions: "keep" },
    ],
  },
  states: {
    file: {
      initial: "choosing",
      on: {
        "file.send": { target: ".sending", actions: "begin" },
        "upload.arrived": [
          { guard: "isLooking", target: ".looking", actions: "keep" },
          { guard: "isUnread", target: ".unread", actions: "keep" },
          { guard: "isTrying", target: "dry_run.running", actions: "keep" },
          { guard: "isTried", target: "dry_run.ended", actions: "keep" },
          { guard: "isImporting", target: "import.running", actions: "keep" },
          { guard: "isImported", target: "import.ended", actions: "keep" },
          { guard: "isMisread", target: "columns", actions: "keep" },
          { guard: "isMapped", target: "homes", actions: "keep" },
          { target: "columns", actions: "keep" },
        ],
      },
      states: {
        choosing: {},
        sending: {
          on: { "file.progress": { actions: "count" }, "file.failed": "choosing" },
        },
        looking: {},
        unread: {},
      },
    },
    columns: {
      initial: "editing",
      on: {
        "step.go": [
          { guard: "goesToHomes", target: "homes" },
          { guard: "goesToDryRun", target: "dry_run.ended" },
        ],
      },
      states: {
        editing: { on: { "map.save": "saving" } },
        saving: {
          on: {
            "map.failed": "editing",
            "upload.arrived": [
              { guard: "isLooking", actions: "keep" },
              { guard: "isUnread", target: "editing", actions: "keep" },
              { guard: "isMisread", target: "editing", actions: "keep" },
              { target: "#upload.homes", actions: "keep" },
            ],
          },
        },
      },
    },
    homes: {
      on: {
        "step.go": [
          { guard: "goesToColumns", target: "columns" },
          { guard: "goesToDryRun", target: "dry_run.ended" },
        ],
      },
    },
    dry_run: {
      initial: "ended",
      states: {
        running: {
          on: {
            "upload.arrived": [
              { guard: "isTrying", actions: "keep" },
              { guard: "isImporting", target: "#upload.import.running", actions: "keep" },
              { target: "ended", actions: "keep" },
            ],
          },
        },
        ended: {
          on: {
            "step.go": [
              { guard: "goesToColumns", target: "#upload.columns" },
              { guard: "goesToHomes", target: "#upload.homes" },
            ],
          },
        },
      },
    },
    import: {
      initial: "running",
      states: {
        running: {
          on: {
            "upload.arrived": [
              { guard: "isImporting", actions: "keep" },
              { guard: "isTrying", target: "#upload.dry_run.running", actions: "keep" },
              { target: "ended", actions: "keep" },
            ],
          },
        },
        ended: {
          on: {
            "step.go": [
              { guard: "goesToColumns", target: "#upload.columns" },
              { guard: "goesToHomes", target: "#upload.homes" },
            ],
          },
        },
      },
    },
  },
});

/** The step that a state belongs to. */
export function stepOf(matches: (step: Step) => boolean): Step {
  return STEPS.find(matches) ?? "file";
}
