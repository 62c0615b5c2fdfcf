import { and, assign, fromPromise, setup } from "xstate";
import { ApiError } from "../../api.ts";
import type { BookingForm, Lead, SectionKey } from "../../contract/wire.ts";
import { LeadClashed } from "../../ui/leadChange.ts";
import { isLoginNeeded } from "../../ui/loginNeeded.ts";
import {
  askedSections,
  type Beginning,
  type BookingContext,
  firstUnsaved,
  isPlaceSaved,
  type Opened,
  placeAt,
  type Remembered,
  refusalsOf,
  resumeAt,
  type Saved,
  type Saving,
  type Started,
  savedIn,
  savingOf,
  wholeOf,
} from "./bookingContext.ts";
import { type Answers, type Told, withNewer, withSaid, withTyped } from "./fieldMerge.ts";

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
  /** The server gives the form to its account alone. */
  | { type: "form.claimed" }
  /** The reader begins anew, without the enquiry that belongs to an account. */
  | { type: "claim.leave" }
  | { type: "form.reopen" };

const NO_BEGINNING: Beginning = {
  inventoryId: "",
  wish: { move_in_date: "", lease_duration: "" },
  contact: null,
  key: "",
};

/** After a refusal because of the login, nothing is sent by itself this long. */
const CLAIMED_RETRY_MS = 60_000;

const absent = () => Promise.reject(new Error("this actor is given by the page"));

const types: {
  context?: BookingContext;
  events?: BookingEvent;
  tags?: "loading" | "room" | "section" | "busy" | "saved" | "saving" | "kept" | "sent" | "cut_off";
} = {};

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
    isClaimed: ({ event }) => "error" in event && isLoginNeeded(event.error),
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
    // Asked again soon it would be refused again; a login asks at once.
    noteClaimed: assign(() => ({ isClaimed: true, notBefore: Date.now() + CLAIMED_RETRY_MS })),
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
    refusals: [],
    trouble: null,
    isClaimed: false,
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
            isClaimed: event.output.isClaimed ?? false,
            notBefore: 0,
            index: resumeAt(event.output.form, event.output.afterPayment),
            resume: event.output.form?.place ?? null,
            place: event.output.form?.place ?? null,
            placeSaved: event.output.form?.place ?? null,
          })),
        },
        onError: { target: "unreachable", actions: "keepTrouble" },
      },
    },
    unreachable: { tags: "cut_off", on: { "form.reopen": { target: "finding", actions: "clearTrouble" } } },
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
        onDone: {
          target: "filling",
          // What this page has not sent yet is newer than what an earlier visit left.
          actions: assign(({ context, event }) => ({
            ...event.output,
            unsaved: { ...event.output.unsaved, ...context.unsaved },
            seen: { ...event.output.seen, ...context.seen },
          })),
        },
        onError: "filling",
      },
    },
    room: {
      tags: "room",
      on: {
        // Forward, after Back had led here.
        "section.go": {
          guard: "hasForm",
          target: "filling",
          actions: [assign({ index: ({ event }) => event.index }), "clearTrouble"],
        },
        "form.reopen": { target: "finding", actions: "clearTrouble" },
        "claim.leave": { actions: assign({ isClaimed: false, leadUuid: null, lead: null }) },
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
          { guard: "isClaimed", target: "room", actions: "noteClaimed" },
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
        "form.claimed": { actions: "noteClaimed" },
        "form.reopen": { target: "finding", actions: "clearTrouble" },
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
              { guard: "isClaimed", target: "kept", actions: "noteClaimed" },
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
          { guard: "isClaimed", target: "filling", actions: "noteClaimed" },
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
          { guard: "isClaimed", target: "filling", actions: "noteClaimed" },
          { target: "filling", actions: "keepTrouble" },
        ],
      },
    },
    // A form that was sent elsewhere is met by a refusal of this page's: none of the room's.
    submitted: { tags: "sent", on: { "room.change": { target: "room", actions: "clearTrouble" } } },
  },
});
