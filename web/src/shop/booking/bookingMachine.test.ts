import { expect, test, vi } from "vitest";
import { createActor, fromPromise, SimulatedClock, waitFor } from "xstate";
import { ApiError } from "../../api.ts";
import type { BookingForm, Lead, SectionKey } from "../../contract/wire.ts";
import { sampleLead } from "../../testing/sampleLead.ts";
import { LeadClashed } from "../../ui/leadChange.ts";
import { firstOpen, type Opened, type Started } from "./bookingContext.ts";
import { bookingMachine } from "./bookingMachine.ts";
import { bookingShown } from "./bookingScreens.ts";
import type { Answers } from "./fieldMerge.ts";

const section = (key: SectionKey, step: number, last = false) => ({
  key,
  hidden: false,
  step,
  last,
  after_payment: false,
  fields: [],
});

function form(completed: SectionKey[] = [], status: BookingForm["status"] = "started"): BookingForm {
  return {
    documents: [],
    price_lock: null,
    stay: null,
    form_uuid: "f-1",
    lead_uuid: "l-1",
    inventory_id: "room-1",
    flow: "book",
    status,
    version: 1,
    sections: {},
    completed_sections: completed,
    form: { sections: [section("personal_form", 2), section("emergency_form", 3, true)] },
    place: null,
  };
}

interface Sent {
  section: SectionKey;
  answers: Answers;
  complete: boolean;
}

/** A form against a server that answers as told, on a clock of its own. */
function start(
  found: Opened,
  save: (sent: Sent) => Promise<BookingForm> = async () => form(),
  begin: (seen: Lead | null) => Promise<Started> = async () => ({ form: form(), lead: sampleLead }),
) {
  const clock = new SimulatedClock();
  const sent: Sent[] = [];
  const machine = bookingMachine.provide({
    actors: {
      findForm: fromPromise(async () => found),
      startForm: fromPromise(({ input }) => begin(input.lead)),
      saveSection: fromPromise(async ({ input }) => {
        sent.push(input);
        return { form: await save(input), overwritten: {} };
      }),
      submitForm: fromPromise(async () => form(["personal_form", "emergency_form"], "completed")),
    },
  });
  const actor = createActor(machine, { clock });
  actor.start();
  return { actor, clock, sent };
}

const begun: Opened = { form: form(), leadUuid: "l-1", lead: null, inventoryId: "room-1", afterPayment: false };
const typed = { type: "answers.typed", section: "personal_form", answers: { full_name: "Maya" } } as const;

const wish = { move_in_date: "2027-09-11", lease_duration: "44 weeks" };
const beginning = { inventoryId: "room-1", wish, contact: null, key: "k" };

test("somebody new chooses a room first, then fills the form", async () => {
  const { actor } = start({ form: null, leadUuid: null, lead: null, inventoryId: null, afterPayment: false });
  await waitFor(actor, (snapshot) => snapshot.hasTag("room"));
  actor.send({ type: "room.chosen", beginning });
  await waitFor(actor, (snapshot) => snapshot.hasTag("section"));
  expect(actor.getSnapshot().context.leadUuid).toBe("l-1");
});

// Who comes back goes on at the first section that is not complete.
test("a returning reader goes on at the first incomplete section", async () => {
  expect(firstOpen(form(["personal_form"]), false)).toBe(1);
  const { actor } = start({ ...begun, form: form(["personal_form"]) });
  const back = await waitFor(actor, (snapshot) => snapshot.hasTag("section"));
  expect(back.context.index).toBe(1);
});

test("a section saves itself a moment after the last key, once", async () => {
  const { actor, clock, sent } = start(begun);
  await waitFor(actor, (snapshot) => snapshot.hasTag("section"));
  actor.send({ ...typed, answers: { full_name: "M" } });
  clock.increment(300);
  actor.send(typed);
  clock.increment(300);
  expect(sent).toEqual([]);
  clock.increment(300);
  await waitFor(actor, (snapshot) => snapshot.hasTag("saved"));
  expect(sent.map(({ answers, complete }) => ({ answers, complete }))).toEqual([
    { answers: { full_name: "Maya" }, complete: false },
  ]);
});

test("what cannot be saved is kept and tried again", async () => {
  let offline = true;
  const { actor, clock, sent } = start(begun, async () => {
    if (offline) throw new Error("offline");
    return form();
  });
  await waitFor(actor, (snapshot) => snapshot.hasTag("section"));
  actor.send(typed);
  clock.increment(500);
  const kept = await waitFor(actor, (snapshot) => snapshot.hasTag("kept"));
  expect(kept.context.unsaved).toEqual({ personal_form: { full_name: "Maya" } });
  offline = false;
  actor.send({ type: "answers.online" });
  await waitFor(actor, (snapshot) => snapshot.hasTag("saved"));
  expect(sent.length).toBe(2);
});

// The quota of a form's saves: the page waits as long as the server says, also while the reader types on.
test("a save refused for its pace waits and loses nothing", async () => {
  const now = vi.spyOn(Date, "now").mockReturnValue(0);
  let refuses = true;
  const { actor, clock, sent } = start(begun, async () => {
    if (refuses) throw new ApiError("refused", { status: 429, code: "too_many_requests", retryAfter: 30 });
    return form();
  });
  await waitFor(actor, (snapshot) => snapshot.hasTag("section"));
  actor.send(typed);
  clock.increment(800);
  await waitFor(actor, (snapshot) => snapshot.hasTag("kept"));
  actor.send({ ...typed, answers: { full_name: "Maya Ramos" } });
  clock.increment(29_000);
  expect(sent.length).toBe(1);
  refuses = false;
  clock.increment(1_000);
  await waitFor(actor, (snapshot) => snapshot.hasTag("saved"));
  expect(sent.at(-1)?.answers).toEqual({ full_name: "Maya Ramos" });
  now.mockRestore();
});

test("words typed while the last ones travel are saved too", async () => {
  const { actor, clock, sent } = start(begun, () => new Promise(() => undefined));
  await waitFor(actor, (snapshot) => snapshot.hasTag("section"));
  actor.send(typed);
  clock.increment(500);
  actor.send({ ...typed, answers: { full_name: "Maya Ramos" } });
  clock.increment(500);
  expect(sent.map(({ answers }) => answers)).toEqual([{ full_name: "Maya" }, { full_name: "Maya Ramos" }]);
});

// A refused section stays on screen with its sentences and its answers.
test("a refused section keeps its answers and shows its sentences", async () => {
  const refusal = Object.assign(new Error("check"), {
    fields: [{ field: "personal_form/dob", code: "age_range", message: "You must be 16" }],
  });
  const { actor } = start(begun, () => Promise.reject(refusal));
  await waitFor(actor, (snapshot) => snapshot.hasTag("section"));
  actor.send({ type: "section.continue", section: "personal_form", answers: { dob: "2020-01-01" } });
  const back = await waitFor(actor, (snapshot) => snapshot.context.refusals.length > 0);
  expect(back.context.index).toBe(0);
  expect(back.context.unsaved).toEqual({ personal_form: { dob: "2020-01-01" } });
});

test("the last section submits the form", async () => {
  const { actor } = start({ ...begun, form: form(["personal_form"]) });
  await waitFor(actor, (snapshot) => snapshot.hasTag("section"));
  actor.send({ type: "section.continue", section: "emergency_form", answers: { full_name: "Ana" } });
  await waitFor(actor, (snapshot) => snapshot.hasTag("sent"));
});

test("a form that was sent before says so", async () => {
  const { actor } = start({ ...begun, form: form(["personal_form", "emergency_form"], "completed") });
  await waitFor(actor, (snapshot) => snapshot.hasTag("sent"));
});

// A stay that another tab chose meanwhile is not written over before the reader has chosen.
test("another tab's stay is kept until the reader has chosen", async () => {
  const newer = { ...sampleLead, version: 2 };
  const clash = { field: "data/move_in_date" as const, here: "2027-09-11", there: "2027-10-01" };
  const seen: (number | undefined)[] = [];
  const opened: Opened = { ...begun, form: null, lead: sampleLead };
  const { actor } = start(opened, undefined, async (lead) => {
    seen.push(lead?.version);
    if (lead?.version === 1) throw new LeadClashed(newer, [clash], {});
    return { form: form(), lead: newer };
  });
  await waitFor(actor, (snapshot) => snapshot.hasTag("room"));
  actor.send({ type: "room.chosen", beginning });
  const asked = await waitFor(actor, (snapshot) => snapshot.context.stayClashes.length > 0);
  expect([asked.hasTag("room"), asked.context.trouble]).toEqual([true, null]);
  actor.send({ type: "stay.here" });
  await waitFor(actor, (snapshot) => snapshot.hasTag("section"));
  expect(seen).toEqual([1, 2]);
});

// A stay that could not be taken is no fault of the section that the reader goes forward to.
test.each([
  ["a failure", new Error("offline")],
  ["a clash", new LeadClashed(sampleLead, [{ field: "data/move_in_date", here: "1", there: "2" }], {})],
])("%s of the room stays behind on the way forward", async (_, failure) => {
  const { actor } = start(begun, undefined, () => Promise.reject(failure));
  await waitFor(actor, (snapshot) => snapshot.hasTag("section"));
  actor.send({ type: "room.change" });
  actor.send({ type: "room.chosen", beginning });
  await waitFor(actor, (snapshot) => snapshot.hasTag("room") && !snapshot.hasTag("busy"));
  expect(bookingShown(actor.getSnapshot())).toMatch(/^room_/);
  actor.send({ type: "section.go", index: 0 });
  expect(bookingShown(actor.getSnapshot())).toBe("personal_form");
});

// A section that another device sent before is refused here; the room says nothing of that.
test("a form sent elsewhere leaves no failure in the room", async () => {
  const refusal = new ApiError("refused", { status: 409, code: "already_submitted" });
  let opened = begun;
  const machine = bookingMachine.provide({
    actors: {
      findForm: fromPromise(async () => opened),
      saveSection: fromPromise(() => {
        opened = { ...begun, form: form(["personal_form", "emergency_form"], "completed") };
        return Promise.reject(refusal);
      }),
    },
  });
  const actor = createActor(machine, { clock: new SimulatedClock() });
  actor.start();
  await waitFor(actor, (snapshot) => snapshot.hasTag("section"));
  actor.send({ type: "section.continue", section: "personal_form", answers: { full_name: "Maya" } });
  await waitFor(actor, (snapshot) => snapshot.hasTag("sent"));
  actor.send({ type: "room.change" });
  expect(bookingShown(actor.getSnapshot())).toBe("room");
});
