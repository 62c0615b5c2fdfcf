import { expect, test } from "vitest";
import { createActor, fromPromise, waitFor } from "xstate";
import steps from "../../contract/steps.lead.json";
import type { Lead, LeadPayload, LeadVariant } from "../../contract/wire.ts";
import { edgesOf } from "../../testing/machineEdges.ts";
import { sampleLead } from "../../testing/sampleLead.ts";
import { LeadClashed } from "../../ui/leadChange.ts";
import { continuesToBooking, leadFormMachine, pagesOf } from "./leadFormMachine.ts";

const lead = sampleLead;
const payload: LeadPayload = {
  state: "created",
  user_details: { name: "Maya Ramos", phone: "+34612345678", email: "maya@example.org" },
};

/** Opens the form of a variant against a server that answers as told. */
function open(send: () => Promise<Lead>, variant: LeadVariant = "enquire") {
  const sent: string[] = [];
  const machine = leadFormMachine.provide({
    actors: {
      sendLead: fromPromise(({ input }) => {
        sent.push(input.key);
        return send();
      }),
      saveContinuation: fromPromise(async () => ({ ...lead, version: 2 })),
      requestViewing: fromPromise(async () => ({ ...lead, version: 3 })),
    },
  });
  const actor = createActor(machine, { input: { variant, bookable: true, edited: null } });
  actor.start();
  actor.send({ type: "lead.open" });
  return { actor, sent };
}

// The lead form takes exactly the steps that the server's rules compute.
test("the lead form takes exactly the server's steps", () => {
  expect(edgesOf(leadFormMachine, "lead.", ["lead.typed", "lead.stay", "lead.settle"])).toEqual(steps);
});

test("a double click on Send makes one request", async () => {
  const { actor, sent } = open(async () => lead);
  actor.send({ type: "lead.submit", payload, key: "k-1" });
  actor.send({ type: "lead.submit", payload, key: "k-2" });
  await waitFor(actor, (snapshot) => snapshot.matches("continuation"));
  expect(sent).toEqual(["k-1"]);
});

test("trying again after a failure repeats the same submission", async () => {
  let tries = 0;
  const { actor, sent } = open(() => (tries++ === 0 ? Promise.reject(new Error("offline")) : Promise.resolve(lead)));
  actor.send({ type: "lead.submit", payload, key: "k-1" });
  await waitFor(actor, (snapshot) => snapshot.matches("failure"));
  actor.send({ type: "lead.retry" });
  await waitFor(actor, (snapshot) => snapshot.matches("continuation"));
  expect(sent).toEqual(["k-1", "k-1"]);
});

// A refused field brings the form back with the server's sentence.
test("a refused field reopens the form with the server's sentence", async () => {
  const refusal = Object.assign(new Error("check"), {
    fields: [{ field: "user_details/phone", code: "phone_number", message: "Not a number of Spain" }],
  });
  const { actor } = open(() => Promise.reject(refusal));
  actor.send({ type: "lead.submit", payload, key: "k-1" });
  const back = await waitFor(actor, (snapshot) => snapshot.matches("form"));
  expect(back.context.refusals[0]?.message).toBe("Not a number of Spain");
});

test("a waitlist has no booking to continue to", async () => {
  const { actor } = open(async () => lead, "join_waitlist");
  actor.send({ type: "lead.submit", payload, key: "k-1" });
  const confirmed = await waitFor(actor, (snapshot) => snapshot.matches("confirmation"));
  expect(confirmed.hasTag("page3")).toBe(true);
  expect(continuesToBooking("enquire", false)).toBe(false);
});

// Who pressed Book goes on to the booking form; no confirmation says that an enquiry came.
test.each(["book_now", "apply_now"] as const)("%s ends at the booking form", async (variant) => {
  const { actor } = open(async () => lead, variant);
  const seen = new Set<string>();
  actor.subscribe(({ value }) => seen.add(JSON.stringify(value)));
  actor.send({ type: "lead.submit", payload, key: "k-1" });
  await waitFor(actor, (snapshot) => snapshot.matches("continuation"));
  actor.send({ type: "lead.save", continuation: {} });
  await waitFor(actor, (snapshot) => snapshot.matches("closed"));
  expect([...seen]).not.toContain('"confirmation"');
  expect(pagesOf(variant, true)).toEqual([1, 2]);
});

test("the pages are counted as they come", () => {
  expect(pagesOf("enquire", true)).toEqual([1, 2, 3]);
  expect(pagesOf("ask_question_faq_cta", true)).toEqual([1, 3]);
  expect(pagesOf("book_now", false)).toEqual([1, 3]);
});

test("closing with typed words asks once, then closes", () => {
  const { actor } = open(async () => lead);
  actor.send({ type: "lead.typed" });
  actor.send({ type: "lead.close" });
  expect(actor.getSnapshot().matches({ form: "leaving" })).toBe(true);
  actor.send({ type: "lead.close" });
  expect(actor.getSnapshot().matches("closed")).toBe(true);
});

test("an untouched form closes at once", () => {
  const { actor } = open(async () => lead);
  actor.send({ type: "lead.close" });
  expect(actor.getSnapshot().matches("closed")).toBe(true);
});

// A video tour that could not be asked for can be asked for again.
test("a video tour that failed can be asked for again", async () => {
  const { actor } = open(async () => lead);
  const slot = { date: "2026-11-24", slot: "10:30", timezone: "Europe/London" };
  actor.send({ type: "lead.submit", payload, key: "k-1" });
  await waitFor(actor, (snapshot) => snapshot.matches("continuation"));
  actor.send({ type: "lead.skip" });
  actor.send({ type: "lead.request_viewing", slot, key: "k-2" });
  const asked = await waitFor(actor, (snapshot) => snapshot.matches("confirmation"));
  expect(asked.context.viewing).toEqual(slot);
});

// An edit that clashes with another tab's asks, and sends what was chosen to the version it was
// told.
test("a clashing edit asks and sends the choice to the new version", async () => {
  const newer = { ...lead, version: 4, user_details: { ...lead.user_details, name: "Marta R." } };
  const clash = { field: "user_details/name" as const, here: "Marta Ruiz Gil", there: "Marta R." };
  const changes = { "user_details/name": "Marta Ruiz Gil", "data/university": "Leeds" };
  const sent: [number, unknown][] = [];
  const machine = leadFormMachine.provide({
    actors: {
      sendLead: fromPromise(({ input: { edited, changes } }) => {
        sent.push([edited?.version ?? 0, changes]);
        return sent.length === 1 ? Promise.reject(new LeadClashed(newer, [clash], changes)) : Promise.resolve(newer);
      }),
    },
  });
  const actor = createActor(machine, { input: { variant: "edit_details", bookable: false, edited: lead } });
  actor.start();
  actor.send({ type: "lead.open" });
  actor.send({ type: "lead.submit", payload, key: "k-1", changes });
  await waitFor(actor, (snapshot) => snapshot.context.clashes.length === 1);
  actor.send({ type: "lead.submit", payload, key: "k-2", changes });
  expect(actor.getSnapshot().hasTag("busy"), "nothing is sent before the reader has chosen").toBe(false);
  actor.send({ type: "lead.settle", keep: "there" });
  await waitFor(actor, (snapshot) => snapshot.matches("confirmation"));
  expect(sent).toEqual([
    [1, changes],
    [4, { "data/university": "Leeds" }],
  ]);
});

test("a closed enquiry says so, and trying again is not offered", async () => {
  const closed = Object.assign(new Error("This enquiry is closed"), { status: 409, fields: [] });
  const { actor } = open(() => Promise.reject(closed), "edit_details");
  actor.send({ type: "lead.submit", payload, key: "k-1" });
  const failed = await waitFor(actor, (snapshot) => snapshot.matches("failure"));
  expect([failed.context.final, failed.context.trouble]).toEqual([true, "This enquiry is closed"]);
});
