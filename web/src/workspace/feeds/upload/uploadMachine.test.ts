import { expect, test } from "vitest";
import { createActor } from "xstate";
import type { FeedUpload, UploadRun } from "../feedCalls.ts";
import { type Step, stepOf, type UploadEvent, uploadMachine } from "./uploadMachine.ts";

const look: FeedUpload["look"] = {
  format: "csv",
  list: "",
  records: 3,
  has_unreadable_letters: false,
  columns: [],
  homes: [],
  rejected: [],
  checked: 3,
};

const uploaded: FeedUpload = {
  upload_id: "u",
  run_id: null,
  feed: "north",
  file: "north.csv",
  bytes: 900,
  by_name: "Ada Okafor",
  made_at: "2026-11-18T11:06:40Z",
  expires_at: "2026-11-19T11:06:40Z",
  work: "look",
  stage: "done",
  is_here: true,
  is_looked: true,
  digest: "9f",
  map: {},
  map_from: "suggested",
  kept_fault: null,
  fault: null,
  stopped_by: null,
  look,
  run: null,
};

const run: UploadRun = {
  kind: "dry_run",
  missing_rule: "report",
  missing_limit: null,
  run_id: null,
  begun_at: null,
  ended_at: null,
  percent: 0,
  rows: 0,
  homes: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  rejected: 0,
  left_out: 0,
  missing: 0,
  withdrawn: 0,
  outcome: null,
  reason: null,
  let_homes: null,
  has_report: false,
  worst: [],
  absent: [],
};

const arrive = (part: Partial<FeedUpload> = {}): UploadEvent => ({
  type: "upload.arrived",
  upload: { ...uploaded, ...part },
});
const goTo = (to: "columns" | "homes" | "dry_run"): UploadEvent => ({ type: "step.go", to });

const looking = arrive({ stage: "running", look: null });
const trying = arrive({ work: "dry_run", stage: "running", run });
const tried = arrive({ work: "dry_run", run: { ...run, outcome: "complete" } });
const importing = arrive({ work: "import", stage: "waiting", run: { ...run, kind: "import" } });
const imported = arrive({ work: "import", run: { ...run, kind: "import", outcome: "complete" } });

/** The step and the state in it, after these events. */
function after(...events: UploadEvent[]): string {
  const actor = createActor(uploadMachine, { input: { upload: null } }).start();
  for (const event of events) actor.send(event);
  const snapshot = actor.getSnapshot();
  const step = stepOf((one: Step) => snapshot.matches(one));
  const { value } = snapshot;
  return typeof value === "string" ? value : `${step} ${JSON.stringify(value).replace(/.*:"|"\}.*/g, "")}`;
}

test("a file is sent, looked at, and its columns come next", () => {
  const sending: UploadEvent[] = [{ type: "file.send" }, { type: "file.progress", sent: 0.5 }];
  expect(after(...sending)).toBe("file sending");
  expect(after(...sending, { type: "file.failed" })).toBe("file choosing");
  expect(after(...sending, looking)).toBe("file looking");
  expect(after(...sending, looking, arrive())).toBe("columns editing");
});

test("a file that is no feed stays at the first step", () => {
  expect(after(looking, arrive({ stage: "failed", look: null, fault: "no rows" }))).toBe("file unread");
  expect(after(looking, arrive({ stage: "failed", look: null }), { type: "file.send" })).toBe("file sending");
});

test("a saved map leads to the homes once the file was read by it", () => {
  const saving: UploadEvent[] = [arrive(), { type: "map.save" }];
  expect(after(...saving)).toBe("columns saving");
  expect(after(...saving, { type: "map.failed" })).toBe("columns editing");
  expect(after(...saving, arrive({ stage: "running" }))).toBe("columns saving");
  expect(after(...saving, arrive({ map_from: "person" }))).toBe("homes");
  const misread = arrive({ stage: "failed", fault: "no column rent", map_from: "person" });
  expect(after(...saving, misread)).toBe("columns editing");
  expect(after(misread)).toBe("columns editing");
});

test("a dry run and an import are followed to their end", () => {
  const homes = [arrive(), goTo("homes")];
  expect(after(...homes, trying)).toBe("dry_run running");
  expect(after(...homes, trying, tried)).toBe("dry_run ended");
  expect(after(...homes, trying, tried, importing)).toBe("import running");
  expect(after(...homes, trying, tried, importing, imported)).toBe("import ended");
  const stopped = arrive({ work: "import", stage: "stopped", stopped_by: "person", run: { ...run, kind: "import" } });
  expect(after(...homes, trying, tried, importing, stopped)).toBe("import ended");
});

test("a reload leads back to where the upload stands", () => {
  expect(after(looking)).toBe("file looking");
  expect(after(arrive({ map_from: "person" }))).toBe("homes");
  expect(after(trying)).toBe("dry_run running");
  expect(after(tried)).toBe("dry_run ended");
  expect(after(importing)).toBe("import running");
  expect(after(imported)).toBe("import ended");
});

test("an upload that is given at the start is met at once", () => {
  const actor = createActor(uploadMachine, { input: { upload: { ...uploaded, map_from: "person" } } }).start();
  expect(actor.getSnapshot().value).toBe("homes");
});

test("back leads to columns and homes until the file is in", () => {
  expect(after(tried, goTo("columns"))).toBe("columns editing");
  expect(after(tried, goTo("homes"))).toBe("homes");
  expect(after(tried, goTo("columns"), goTo("dry_run"))).toBe("dry_run ended");
  expect(after(arrive(), goTo("dry_run"))).toBe("columns editing");
  const refused = arrive({ work: "import", run: { ...run, kind: "import", outcome: "too_many_missing" } });
  expect(after(refused, goTo("columns"))).toBe("columns editing");
  expect(after(imported, goTo("columns"))).toBe("import ended");
});

test("a run that has ended before it was seen under way is shown", () => {
  expect(after(arrive(), goTo("homes"), tried)).toBe("dry_run ended");
  expect(after(tried, imported)).toBe("import ended");
  const again = arrive({ work: "dry_run", run: { ...run, begun_at: "2026-11-18T12:00:00Z", outcome: "complete" } });
  expect(after(tried, goTo("homes"), again)).toBe("dry_run ended");
});

test("what was read again changes no step", () => {
  expect(after(tried, goTo("columns"), tried)).toBe("columns editing");
  expect(after(arrive(), goTo("homes"), arrive())).toBe("homes");
});

test("a new import begins with a file", () => {
  expect(after(imported, { type: "upload.left" })).toBe("file choosing");
});
