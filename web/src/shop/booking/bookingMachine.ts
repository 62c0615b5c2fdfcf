import { and, assign, fromPromise, setup } from "xstate";
import { ApiError } from "../../api.ts";
import type { BookingForm, CustomForm, FieldError, Lead, SectionKey } from "../../contract/wire.ts";
import { type LeadClash, LeadClashed } from "../../ui/leadChange.ts";
import {
  type Answers,
  type Place,
  SECTIONS,
  type Side,
  type Told,
  type Unsaved,
  withNewer,
  withSaid,
  withSaved,
  withTyped,
} from "./fieldMerge.ts";

/** One section as the form shows it. */
export type Section = CustomForm["sections"][number];

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
  seen: Unsaved;
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
  /** The page is left: what waits is sent at once. */
  | { type: "answers.flush" }
  /** Another device saved something. */
  | { type: "form.newer"; form: BookingForm }
  | { type: "field.entered"; section: SectionKey; field: string }
  | { type: "field.left" }
  /** A notice was answered: it goes. */
  | { type: "told.done"; told: Told }
  | { type: "section.continue"; section: SectionKey; answers: Answers }
  | { type: "section.go"; index: number }
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

interface BookingContext extends Side {
  opened: Opened | null;
  leadUuid: string | null;
  /** The lead as this tab has seen it: a later stay is not written over (D82). */
  lead: Lead | null;
  stayClashes: readonly LeadClash[];
  index: number;
  beginning: Beginning | null;
  /** Where the form was left, on this device or another: the field is focused once. */
  resume: Place | null;
  /** Where the reader is now, and the same as the server has it. */
  place: Place | null;
  placeSaved: Place | null;
  /** The section that the server was asked to accept. */
  completing: SectionKey | null;
  contact: Answers;
  earlier: Unsaved;
  wish: Partial<Wish>;
  refusals: FieldError[];
  trouble: string | null;
  /** Before this moment the server takes no save (429); milliseconds since 1970. */
  notBefore: number;
}

interface Saving {
  formUuid: string;
  section: SectionKey;
  answers: Answers;
  /** What the screen showed before: the server tells what else it replaced (D79). */
  seen: Answers;
  complete: boolean;
  focused: string | null;
}

/** The form after a save, and what the save replaced unseen. */
export interface Saved {
  form: BookingForm;
  overwritten: Answers;
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
  tags?: "loading" | "room" | "section" | "busy" | "saved" | "saving" | "kept" | "sent" | "cut_off";
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

/** Where the form was left, unless an earlier section is open by now. */
export function resumeAt(form: BookingForm | null, afterPayment: boolean): number {
  const open = firstOpen(form, afterPayment);
  const at = askedSections(form, afterPayment).findIndex((section) => section.key === form?.place?.section);
  return at < 0 ? open : Math.min(at, open);
}

function refusalsOf(error: unknown): FieldError[] {
  return error instanceof Error && "fields" in error && Array.isArray(error.fields) ? error.fields : [];
}

function firstUnsaved(unsaved: Unsaved): SectionKey | null {
  return SECTIONS.find((section) => unsaved[section] !== undefined) ?? null;
}

/** The request for the first section that waits to be saved; for where the reader is, when none does. */
function savingOf({ form, unsaved, seen, place }: BookingContext): Saving {
  const section = firstUnsaved(unsaved) ?? place?.section ?? "personal_form";
  return {
    formUuid: form?.form_uuid ?? "",
    section,
    answers: unsaved[section] ?? {},
    seen: seen[section] ?? {},
    complete: false,
    focused: place?.section === section ? place.field : null,
  };
}

function isPlaceSaved({ place, placeSaved }: BookingContext): boolean {
  return place === null || (place.section === placeSaved?.section && place.field === placeSaved.field);
}

/** Takes the answer to a save in. */
function savedIn(context: BookingContext, { section, answers, focused }: Saving, saved: Saved) {
  return { ...withSaved(context, section, answers, saved), placeSaved: { section, field: focused } };
}

/** The request for a whole section: the server gets the answers that it has not. */
function wholeOf(context: BookingContext): Saving {
  const section = context.completing ?? savingOf(context).section;
  const { unsaved, seen } = context;
  return {
    ...savingOf(context),
    section,
    answers: unsaved[section] ?? {},
    seen: seen[section] ?? {},
    complete: true,
    focused: null,
  };
}

/** The reader is in another section, and in none of its fields yet. */
function placeAt({ form, opened }: BookingContext, index: number): Pick<BookingContext, "place" | "held" | "resume"> {
  const section = askedSections(form, opened?.afterPayment ?? false)[index];
  return { place: section ? { section: section.key, field: null } : null, held: null, resume: null };
}

const bookingSetup = setup({
  types,
  actors: {
    /** Finds the form that was begun before, on this device or another. */
    findForm: fromPromise<Opened>(absent),
    /** Makes the lead where there is none, then the form. */
    startForm: fromPromise<Started, { beginning: Beginning; leadUuid: string | null; lead: Lead | null }>(absent),
    /** Saves one section; `complete` asks the server to accept it. */
    saveSection: fromPromise<Saved, Saving>(absent),
    submitForm: fromPromise<BookingForm, { formUuid: string }>(absent),
    /** What else is known of this form: answers an earlier visit could not save, and the lead's contact. */
    remember: fromPromise<Remembered, { form: BookingForm | null }>(async () => ({
      unsaved: {},
      seen: {},
      contact: {},
      earlier: {},
      wish: {},
      lead: null,
    })),
  },
  delays: {
    // Another device shows what is typed here within a second (N4): the pause, the save and the stream together.
    afterTyping: ({ context }) => Math.max(500, context.notBefore - Date.now()),
    beforeRetry: ({ context }) => Math.max(5000, context.notBefore - Date.now()),
  },
  guards: {
    hasUnsaved: ({ context }) => firstUnsaved(context.unsaved) !== null || !isPlaceSaved(context),
    /** The other device has sent the form. */
    isSentElsewhere: ({ context, event }) =>
      event.type === "form.newer" && event.form.status === "completed" && context.opened?.afterPayment !== true,
    /** The form is not as this page knows it: it was sent, or it asks for more than before (D89). */
    isOutdated: ({ event }) =>
      "error" in event &&
      ((event.error instanceof ApiError && event.error.code === "already_submitted") ||
        refusalsOf(event.error).some(({ code }) => code === "incomplete")),
    isComplete: ({ context }) => context.form?.status === "completed" && context.opened?.afterPayment !== true,
    hasForm: ({ context }) => context.form !== null,
    isLastSection: ({ context }) =>
      context.index >= askedSections(context.form, context.opened?.afterPayment ?? false).length - 1,
    isOtherStay: ({ event }) => "error" in event && event.error instanceof LeadClashed,
    isAfterPayment: ({ context }) => context.opened?.afterPayment === true,
  },
  actions: {
    keepTyped: assign(({ context, event }) =>
      "answers" in event ? withTyped(context, event.section, event.answers) : {},
    ),
    noteSaid: assign(({ context }) => {
      const { section, answers } = context.completing ? wholeOf(context) : savingOf(context);
      return { said: withSaid(context.said, section, answers) };
    }),
    beginCompleting: assign(({ event }) => (event.type === "section.continue" ? { completing: event.section } : {})),
    endCompleting: assign({ completing: null }),
    takeNewer: assign(({ context, event }) => (event.type === "form.newer" ? withNewer(context, event.form) : {})),
    hold: assign(({ context, event }) => {
      if (event.type !== "field.entered") return {};
      const place = { section: event.section, field: event.field };
      return { place, held: { ...place, value: context.form?.sections[event.section]?.[event.field] }, resume: null };
    }),
    letGo: assign({ held: null }),
    backOff: assign(({ event }) => {
      const wait = "error" in event && event.error instanceof ApiError ? event.error.retryAfter : null;
      return wait === null ? {} : { notBefore: Date.now() + wait * 1000 };
    }),
    forgetTold: assign({
      told: ({ context, event }) =>
        event.type === "told.done" ? context.told.filter((told) => told !== event.told) : context.told,
    }),
    keepTrouble: assign({
      trouble: ({ event }) => ("error" in event && event.error instanceof Error ? event.error.message : null),
      refusals: ({ event }) => ("error" in event ? refusalsOf(event.error) : []),
    }),
    takeOtherStay: assign(({ event }) => {
      if (!("error" in event && event.error instanceof LeadClashed)) return {};
      return { lead: event.error.newer, stayClashes: event.error.clashes };
    }),
    clearTrouble: assign({ trouble: null, refusals: [], stayClashes: [] }),
    nextSection: assign(({ context }) => ({ index: context.index + 1, ...placeAt(context, context.index + 1) })),
    goTo: assign(({ context, event }) =>
      event.type === "section.go" ? { index: event.index, ...placeAt(context, event.index) } : {},
    ),
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
    seen: {},
    said: {},
    held: null,
    told: [],
    resume: null,
    place: null,
    placeSaved: null,
    completing: null,
    contact: {},
    earlier: {},
    wish: {},
    refusals: [],
    trouble: null,
    notBefore: 0,
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
            index: resumeAt(event.output.form, event.output.afterPayment),
            resume: event.output.form?.place ?? null,
            place: event.output.form?.place ?? null,
            placeSaved: event.output.form?.place ?? null,
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
            index: resumeAt(event.output.form, context.opened?.afterPayment ?? false),
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
        "section.continue": { target: "completing", actions: ["keepTyped", "beginCompleting", "clearTrouble"] },
        "section.go": { target: ".waiting", actions: ["goTo", "clearTrouble"] },
        "field.entered": { target: ".waiting", actions: "hold", reenter: true },
        "field.left": { actions: "letGo" },
        "told.done": { actions: "forgetTold" },
        "form.newer": [
          {
            guard: "isSentElsewhere",
            target: "submitted",
            actions: [
              "takeNewer",
              assign({
                beginning: null,
                opened: ({ context, event }) => context.opened && { ...context.opened, form: event.form },
              }),
            ],
          },
          { actions: "takeNewer" },
        ],
        "room.change": { target: "room", actions: "clearTrouble" },
      },
      states: {
        resting: { tags: "saved", always: { guard: "hasUnsaved", target: "waiting" } },
        // Typing again begins the wait anew, so that a word is one request.
        waiting: { tags: "saving", on: { "answers.flush": "saving" }, after: { afterTyping: "saving" } },
        saving: {
          tags: "saving",
          entry: "noteSaid",
          // Typing leaves this state, so what comes back is what was sent.
          invoke: {
            src: "saveSection",
            input: ({ context }) => savingOf(context),
            onDone: {
              target: "resting",
              actions: assign(({ context, event }) => savedIn(context, savingOf(context), event.output)),
            },
            onError: [
              { guard: "isOutdated", target: "#booking.finding", actions: "keepTrouble" },
              { target: "kept", actions: "backOff" },
            ],
          },
        },
        kept: { tags: "kept", on: { "answers.online": "saving" }, after: { beforeRetry: "saving" } },
      },
    },
    completing: {
      tags: ["section", "busy", "saving"],
      entry: "noteSaid",
      exit: "endCompleting",
      invoke: {
        src: "saveSection",
        input: ({ context }) => wholeOf(context),
        // What is asked after the payment belongs to a form that was submitted before it.
        onDone: [
          {
            guard: and(["isLastSection", "isAfterPayment"]),
            target: "submitted",
            actions: assign(({ context, event }) => savedIn(context, wholeOf(context), event.output)),
          },
          {
            guard: "isLastSection",
            target: "submitting",
            actions: assign(({ context, event }) => savedIn(context, wholeOf(context), event.output)),
          },
          {
            target: "filling",
            actions: [assign(({ context, event }) => savedIn(context, wholeOf(context), event.output)), "nextSection"],
          },
        ],
        onError: [
          { guard: "isOutdated", target: "finding", actions: "keepTrouble" },
          { target: "filling", actions: "keepTrouble" },
        ],
      },
    },
    submitting: {
      tags: ["section", "busy"],
      invoke: {
        src: "submitForm",
        input: ({ context }) => ({ formUuid: context.form?.form_uuid ?? "" }),
        onDone: { target: "submitted", actions: assign({ form: ({ event }) => event.output }) },
        onError: [
          { guard: "isOutdated", target: "finding", actions: "keepTrouble" },
          { target: "filling", actions: "keepTrouble" },
        ],
      },
    },
    submitted: { tags: "sent", on: { "room.change": "room" } },
  },
});
