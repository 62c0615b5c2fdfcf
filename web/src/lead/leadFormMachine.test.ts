import { expect, test } from "vitest";
import { createActor, fromPromise, waitFor } from "xstate";
import steps from "../contract/steps.lead.json";
import type { Lead, LeadPayload, LeadVariant } from "../contract/wire.ts";
import { edgesOf } from "../testing/machineEdges.ts";
import { continuesToBooking, leadFormMachine } from "./leadFormMachine.ts";

const payload: LeadPayload = {
  state: "created",
  user_details: { name: "Maya Ramos", phone: "+34612345678", email: "maya@example.org" },
};

const lead: Lead = {
  id: "1",
  uuid: "u-1",
  lead_uuid: "u-1",
  reference: "AMB-7Q4K-2N",
  state: "created",
  version: 1,
  repeat: false,
  verified: false,
  inventory_id: "home-1",
  inventory_root_id: "home-1",
  region_id: null,
  user_details: {
    name: "Marta Ruiz",
    email: "marta@uni.example",
    phone: "+34612345678",
    phone_details: { country_code: "+34", national: "612345678", international: "+34 612 345 678" },
  },
  data: {},
  meta: {},
  source_details: {},
  event_options: {},
  referral_details: {},
  forms_present: [],
  created_at: "2026-11-20T14:31:00Z",
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
  const actor = createActor(machine, { input: { variant, bookable: true, leadUuid: null } });
  actor.start();
  actor.send({ type: "lead.open" });
  return { actor, sent };
}

test("the lead form takes exactly the steps that the server's rules compute", () => {
  expect(edgesOf(leadFormMachine, "lead.", ["lead.typed", "lead.stay"])).toEqual(steps);
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

test("a refused field brings the form back with the server's sentence", async () => {
  const refusal = Object.assign(new Error("check"), {
    fields: [{ field: "user_details/phone", code: "phone_number", message: "Not a number of Spain" }],
  });
  const { actor } = open(() => Promise.reject(refusal));
  actor.send({ type: "lead.submit", payload, key: "k-1" });
  const back = await waitFor(actor, (snapshot) => snapshot.matches("form"));
  expect(back.context.refusals[0]?.message).toBe("Not a number of Spain");
});

test("a waiting list has no booking to continue to", async () => {
  const { actor } = open(async () => lead, "join_waitlist");
  actor.send({ type: "lead.submit", payload, key: "k-1" });
  const confirmed = await waitFor(actor, (snapshot) => snapshot.matches("confirmation"));
  expect(confirmed.hasTag("page3")).toBe(true);
  expect(continuesToBooking("enquire", false)).toBe(false);
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

test("a video tour that could not be asked for can be asked for again", async () => {
  const { actor } = open(async () => lead);
  const slot = { date: "2026-11-24", slot: "10:30", timezone: "Europe/London" };
  actor.send({ type: "lead.submit", payload, key: "k-1" });
  await waitFor(actor, (snapshot) => snapshot.matches("continuation"));
  actor.send({ type: "lead.skip" });
  actor.send({ type: "lead.request_viewing", slot, key: "k-2" });
  const asked = await waitFor(actor, (snapshot) => snapshot.matches("confirmation"));
  expect(asked.context.viewing).toEqual(slot);
});
