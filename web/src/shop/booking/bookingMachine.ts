import { and, assign, fromPromise, setup } from "xstate";
import type { BookingForm, CustomForm, FieldError, Lead, SectionKey } from "../../contract/wire.ts";
import { type LeadClash, LeadClashed } from "../../ui/leadChange.ts";
import { type Clash, compareForms, NewerForm, withTheirs } from "./clash.ts";

/** The answers of one section by field. */
export type Answers = Record<string, string | boolean>;
/** One section as the form shows it. */
export type Section = CustomForm["sections"][number];
/** Answers that the server has not confirmed yet. */
export type Unsaved = Partial<Record<SectionKey, Answers>>;

/** What the address, the visitor's history and the server know before anything is asked. */
export interface Opened {
  form: BookingForm | null;
  leadUuid: string | null;
  /** That lead as it is now, where it could be read. */
  lead: Lead | null;
  inventoryId: string | null;
  /** The deposit is paid: what is asked now are the sections after it (D92). */
  afterPayment: boolean;
}

/** The lease that is booked, kept with the lead: the payment is made for it. */
export interface Wish {
  move_in_date: string;
  lease_duration: string;
}

/** What stands in the form before anything is typed into it. */
export interface Remembered {
  unsaved: Unsaved;
  /** Name, e-mail and phone of the lead: shown where the form has nothing yet. */
  contact: Answers;
  /** What the same person answered in an earlier form: shown in sections that nothing was saved in yet. */
  earlier: Unsaved;
  wish: Partial<Wish>;
  lead: Lead | null;
}

/** Step 1: the room, and how to reach somebody we do not know yet. */
export interface Beginning {
  inventoryId: string;
  wish: Wish;
  contact: { name: string; email: string; phone: string; website: string } | null;
  /** One key per press, so that a second one is the same enquiry. */
  key: string;
}

export type BookingEvent =
  | { type: "room.chosen"; beginning: Beginning }
  | { type: "answers.typed"; section: SectionKey; answers: Answers }
  | { type: "answers.online" }
  | { type: "section.continue"; section: SectionKey; answers: Answers }
  | { type: "section.go"; index: number }
  | { type: "clash.here" }
  | { type: "clash.there" }
  /** Another tab gave the lead another stay: this one's holds, or that one's. */
  | { type: "stay.here" }
  | { type: "stay.there" }
  | { type: "room.change" }
  | { type: "form.reopen" };

/** The form that was begun, and its lead with the stay chosen here. */
export interface Started {
  form: BookingForm;
  lead: Lead;
}

interface BookingContext {
  opened: Opened | null;
  form: BookingForm | null;
  leadUuid: string | null;
  /** The lead as this tab has seen it: a later stay is not written over (D82). */
  lead: Lead | null;
  stayClashes: readonly LeadClash[];
  index: number;
  beginning: Beginning | null;
  unsaved: Unsaved;
  /** Fields that another tab saved otherwise meanwhile. */
  clashes: Clash[];
  contact: Answers;
  earlier: Unsaved;
  wish: Partial<Wish>;
  refusals: FieldError[];
  trouble: string | null;
}

interface Saving {
  formUuid: string;
  /** The version this tab has seen: a later one is not written over (D82). */
  version: number;
  section: SectionKey;
  answers: Answers;
  complete: boolean;
}

const NO_BEGINNING: Beginning = {
  inventoryId: "",
  wish: { move_in_date: "", lease_duration: "" },
  contact: null,
  key: "",
};

const absent = () => Promise.reject(new Error("this actor is given by the page"));

const types: {
  context?: BookingContext;
  events?: BookingEvent;
  tags?: "loading" | "room" | "section" | "busy" | "saved" | "saving" | "kept" | "sent" | "cut_off" | "clash";
} = {};

/** The sections that are asked now, in their order. */
export function askedSections(form: BookingForm | null, afterPayment: boolean): Section[] {
  return (form?.form.sections ?? []).filter((section) => !section.hidden && section.after_payment === afterPayment);
}

/** Where somebody who comes back goes on: the first section that is not complete. */
export function firstOpen(form: BookingForm | null, afterPayment: boolean): number {
  const sections = askedSections(form, afterPayment);
  const at = sections.findIndex((section) => !form?.completed_sections.includes(section.key));
  return at < 0 ? Math.max(0, sections.length - 1) : at;
}

function refusalsOf(error: unknown): FieldError[] {
  return error instanceof Error && "fields" in error && Array.isArray(error.fields) ? error.fields : [];
}

const SECTIONS: readonly SectionKey[] = ["personal_form", "emergency_form", "guarantor_form", "confirmation_documents"];

function firstUnsaved(unsaved: Unsaved): SectionKey | null {
  return SECTIONS.find((section) => unsaved[section] !== undefined) ?? null;
}

/** The request for the first section that waits to be saved. */
function savingOf({ form, unsaved }: BookingContext): Saving {
  const section = firstUnsaved(unsaved) ?? "personal_form";
  const { form_uuid = "", version = 0 } = form ?? {};
  return { formUuid: form_uuid, version, section, answers: unsaved[section] ?? {}, complete: false };
}

function withoutFirst(unsaved: Unsaved): Unsaved {
  const sent = firstUnsaved(unsaved);
  return Object.fromEntries(Object.entries(unsaved).filter(([section]) => section !== sent));
}

const bookingSetup = setup({
  types,
  actors: {
    /** Finds the form that was begun before, on this device or another. */
    findForm: fromPromise<Opened>(absent),
    /** Makes the lead where there is none, then the form. */
    startForm: fromPromise<Started, { beginning: Beginning; leadUuid: string | null; lead: Lead | null }>(absent),
    /** Saves one section; `complete` asks the server to accept it. */
    saveSection: fromPromise<BookingForm, Saving>(absent),
    submitForm: fromPromise<BookingForm, { formUuid: string }>(absent),
    /** What else is known of this form: answers an earlier visit could not save, and the lead's contact. */
    remember: fromPromise<Remembered, { form: BookingForm | null }>(async () => ({
      unsaved: {},
      contact: {},
      earlier: {},
      wish: {},
      lead: null,
    })),
  },
  delays: { afterTyping: 800, beforeRetry: 5000 },
  guards: {
    hasUnsaved: ({ context }) => firstUnsaved(context.unsaved) !== null,
    isComplete: ({ context }) => context.form?.status === "completed" && context.opened?.afterPayment !== true,
    hasForm: ({ context }) => context.form !== null,
    isLastSection: ({ context }) =>
      context.index >= askedSections(context.form, context.opened?.afterPayment ?? false).length - 1,
    isNewer: ({ event }) => "error" in event && event.error instanceof NewerForm,
    isOtherStay: ({ event }) => "error" in event && event.error instanceof LeadClashed,
    hasClash: ({ context }) => context.clashes.length > 0,
    isAfterPayment: ({ context }) => context.opened?.afterPayment === true,
  },
  actions: {
    keepTyped: assign({
      unsaved: ({ context, event }) =>
        "answers" in event ? { ...context.unsaved, [event.section]: event.answers } : context.unsaved,
    }),
    keepTrouble: assign({
      trouble: ({ event }) => ("error" in event && event.error instanceof Error ? event.error.message : null),
      refusals: ({ event }) => ("error" in event ? refusalsOf(event.error) : []),
    }),
    takeNewer: assign(({ context, event }) => {
      if (!("error" in event && event.error instanceof NewerForm)) return {};
      const newer = event.error.form;
      return { form: newer, ...compareForms(context.form, context.unsaved, newer) };
    }),
    takeOtherStay: assign(({ event }) => {
      if (!("error" in event && event.error instanceof LeadClashed)) return {};
      return { lead: event.error.newer, stayClashes: event.error.clashes };
    }),
    clearTrouble: assign({ trouble: null, refusals: [], stayClashes: [] }),
    nextSection: assign({ index: ({ context }) => context.index + 1 }),
  },
});

/**
 * Booking and application: room and contact first, then the sections of the form. Every section saves itself while it
 * is typed (row D3); what cannot be saved is kept on the device and tried again.
 */
export const bookingMachine = bookingSetup.createMachine({
  id: "booking",
  context: {
    opened: null,
    form: null,
    leadUuid: null,
    lead: null,
    stayClashes: [],
    index: 0,
    beginning: null,
    unsaved: {},
    clashes: [],
    contact: {},
    earlier: {},
    wish: {},
    refusals: [],
    trouble: null,
  },
  initial: "finding",
  states: {
    finding: {
      tags: "loading",
      invoke: {
        src: "findForm",
        onDone: {
          target: "found",
          actions: assign(({ event }) => ({
            opened: event.output,
            form: event.output.form,
            leadUuid: event.output.form?.lead_uuid ?? event.output.leadUuid,
            lead: event.output.lead,
            index: firstOpen(event.output.form, event.output.afterPayment),
          })),
        },
        onError: { target: "unreachable", actions: "keepTrouble" },
      },
    },
    unreachable: { tags: "cut_off", on: { "form.reopen": "finding" } },
    found: {
      always: [
        { guard: "isComplete", target: "submitted" },
        { guard: "hasForm", target: "remembering" },
        { target: "room" },
      ],
    },
    remembering: {
      tags: "loading",
      invoke: {
        src: "remember",
        input: ({ context }) => ({ form: context.form }),
        onDone: { target: "filling", actions: assign(({ event }) => event.output) },
        onError: "filling",
      },
    },
    room: {
      tags: "room",
      on: {
        // Forward, after Back had led here.
        "section.go": { guard: "hasForm", target: "filling", actions: assign({ index: ({ event }) => event.index }) },
        "stay.here": { target: "starting", actions: "clearTrouble" },
        "stay.there": { actions: "clearTrouble" },
        "room.chosen": {
          target: "starting",
          actions: [assign({ beginning: ({ event }) => event.beginning }), "clearTrouble"],
        },
      },
    },
    starting: {
      tags: ["room", "busy"],
      invoke: {
        src: "startForm",
        input: ({ context }) => ({
          beginning: context.beginning ?? NO_BEGINNING,
          leadUuid: context.leadUuid,
          lead: context.lead,
        }),
        onDone: {
          target: "found",
          actions: assign(({ context, event }) => ({
            ...event.output,
            leadUuid: event.output.form.lead_uuid,
            index: firstOpen(event.output.form, context.opened?.afterPayment ?? false),
          })),
        },
        onError: [
          { guard: "isOtherStay", target: "room", actions: "takeOtherStay" },
          { target: "room", actions: "keepTrouble" },
        ],
      },
    },
    filling: {
      tags: "section",
      initial: "resting",
      on: {
        "answers.typed": { target: ".waiting", actions: "keepTyped", reenter: true },
        "section.continue": { target: "completing", actions: ["keepTyped", "clearTrouble"] },
        "section.go": { actions: [assign({ index: ({ event }) => event.index }), "clearTrouble"] },
        "room.change": { target: "room", actions: "clearTrouble" },
      },
      states: {
        resting: { tags: "saved", always: { guard: "hasUnsaved", target: "waiting" } },
        // Typing again begins the wait anew, so that a word is one request.
        waiting: { tags: "saving", after: { afterTyping: "saving" } },
        saving: {
          tags: "saving",
          // Typing leaves this state, so what comes back is what was sent.
          invoke: {
            src: "saveSection",
            input: ({ context }) => savingOf(context),
            onDone: {
              target: "resting",
              actions: assign(({ context, event }) => ({
                form: event.output,
                unsaved: withoutFirst(context.unsaved),
              })),
            },
            onError: [{ guard: "isNewer", target: "comparing", actions: "takeNewer" }, { target: "kept" }],
          },
        },
        comparing: { tags: "saving", always: [{ guard: "hasClash", target: "clashing" }, { target: "saving" }] },
        // Nothing is saved over the other tab's words until the reader has chosen (D79).
        clashing: {
          tags: ["kept", "clash"],
          on: {
            "answers.typed": { actions: "keepTyped" },
            "section.continue": {},
            "clash.here": { target: "saving", actions: assign({ clashes: [] }) },
            "clash.there": {
              target: "saving",
              actions: assign(({ context }) => ({
                unsaved: withTheirs(context.unsaved, context.clashes),
                clashes: [],
              })),
            },
          },
        },
        kept: { tags: "kept", on: { "answers.online": "saving" }, after: { beforeRetry: "saving" } },
      },
    },
    completing: {
      tags: ["section", "busy", "saving"],
      invoke: {
        src: "saveSection",
        input: ({ context, event }) => ({
          ...savingOf(context),
          ...(event.type === "section.continue" && { section: event.section, answers: event.answers }),
          complete: true,
        }),
        // What is asked after the payment belongs to a form that was submitted before it.
        onDone: [
          {
            guard: and(["isLastSection", "isAfterPayment"]),
            target: "submitted",
            actions: assign(({ event }) => ({ form: event.output, unsaved: {} })),
          },
          {
            guard: "isLastSection",
            target: "submitting",
            actions: assign(({ event }) => ({ form: event.output, unsaved: {} })),
          },
          {
            target: "filling",
            actions: [assign(({ event }) => ({ form: event.output, unsaved: {} })), "nextSection"],
          },
        ],
        onError: [
          { guard: "isNewer", target: "comparingWhole", actions: "takeNewer" },
          { target: "filling", actions: "keepTrouble" },
        ],
      },
    },
    comparingWhole: {
      tags: ["section", "busy", "saving"],
      always: [{ guard: "hasClash", target: "filling.clashing" }, { target: "completing" }],
    },
    submitting: {
      tags: ["section", "busy"],
      invoke: {
        src: "submitForm",
        input: ({ context }) => ({ formUuid: context.form?.form_uuid ?? "" }),
        onDone: { target: "submitted", actions: assign({ form: ({ event }) => event.output }) },
        onError: { target: "filling", actions: "keepTrouble" },
      },
    },
    submitted: { tags: "sent", on: { "room.change": "room" } },
  },
});
