import { assign, fromPromise, raise, setup } from "xstate";
import type { FieldError, Lead, LeadPayload, LeadVariant } from "../../contract/wire.ts";
import { type LeadChanges, type LeadClash, LeadClashed, withoutClashes } from "../../ui/leadChange.ts";
import { isLoginNeeded } from "../../ui/loginNeeded.ts";

/** A live video tour at one of the property's half hours (D63, D87). */
export interface ViewingSlot {
  date: string;
  slot: string;
  timezone: string;
}

export type LeadFormEvent =
  | { type: "lead.open" }
  | { type: "lead.open_confirmation"; lead: Lead }
  | { type: "lead.submit"; payload: LeadPayload; key: string; changes?: LeadChanges }
  | { type: "lead.accepted_bookable" }
  | { type: "lead.accepted" }
  | { type: "lead.refused" }
  | { type: "lead.failed" }
  | { type: "lead.retry" }
  | { type: "lead.edit" }
  | { type: "lead.save"; continuation: LeadChanges }
  | { type: "lead.saved" }
  /** Page 2 is saved, and the reader had pressed Book. */
  | { type: "lead.saved_to_book" }
  | { type: "lead.skip" }
  | { type: "lead.continue_to_booking" }
  | { type: "lead.request_viewing"; slot: ViewingSlot; key: string }
  | { type: "lead.viewing_requested" }
  | { type: "lead.close" }
  /** Another tab changed the same fields: the reader has chosen whose word holds. */
  | { type: "lead.settle"; keep: "here" | "there" }
  | { type: "lead.typed" }
  | { type: "lead.stay" };

interface LeadFormInput {
  variant: LeadVariant;
  /** The property is available and takes bookings (D26, D41). */
  bookable: boolean;
  /** A lead whose details are edited (`edit_details`) instead of a new one, as it was last seen. */
  edited: Lead | null;
}

interface LeadFormContext extends LeadFormInput {
  lead: Lead | null;
  payload: LeadPayload | null;
  /** What an edit makes of the lead. */
  changes: LeadChanges;
  /** What page 2 adds. */
  continuation: LeadChanges;
  /** Fields that another tab changed otherwise meanwhile (D79). */
  clashes: readonly LeadClash[];
  /** One key per submission, so that a second click or a retry is the same enquiry (D83). */
  key: string;
  refusals: FieldError[];
  trouble: string | null;
  /** The server's word is its last: trying again would hear the same. */
  final: boolean;
  /** The request did not reach the server. */
  isOffline: boolean;
  /** The enquiry belongs to an account by now: its login is needed first. */
  isClaimed: boolean;
  viewing: ViewingSlot | null;
  /** The tour that was asked for last, also where it was refused. */
  wanted: ViewingSlot | null;
  unsaved: boolean;
}

const absent = () => Promise.reject(new Error("this actor is given by the modal"));

const types: {
  context?: LeadFormContext;
  events?: LeadFormEvent;
  input?: LeadFormInput;
  tags?: "page1" | "page2" | "page3" | "busy" | "closed" | "leaving" | "failed";
} = {};

/** D26: page 2 continues towards a booking, which a waitlist, a question or a tour do not. */
export function continuesToBooking(variant: LeadVariant, bookable: boolean): boolean {
  switch (variant) {
    case "join_waitlist":
    case "ask_question_faq_cta":
    case "virtual_tour_enquiry":
      return false;
    case "get_help":
    case "enquire":
    case "referred_by_enquiry":
    case "partner_enquire":
    case "book_now":
    case "apply_now":
    case "contact_us":
    case "edit_details":
    case "generic_form":
      return bookable;
  }
}

/** Who presses Book or Apply wants a booking: their enquiry ends at the booking form. */
export function isBooking(variant: LeadVariant): boolean {
  return variant === "book_now" || variant === "apply_now";
}

/** The pages that a kind of enquiry takes, in their order. */
export function pagesOf(variant: LeadVariant, bookable: boolean): readonly (1 | 2 | 3)[] {
  if (!continuesToBooking(variant, bookable)) return [1, 3];
  return isBooking(variant) ? [1, 2] : [1, 2, 3];
}

function refusalsOf(error: unknown): FieldError[] {
  return error instanceof Error && "fields" in error && Array.isArray(error.fields) ? error.fields : [];
}

/** Also where the code that sends it did not come. */
const isOffline = (error: Error): boolean => "code" in error && error.code === "offline";

/** The enquiry is closed, somebody else's, or its link is too old. */
function isFinal(error: unknown): boolean {
  return error instanceof Error && "status" in error && [403, 404, 409].includes(Number(error.status));
}

const formSetup = setup({
  types,
  actors: {
    /** Sends the lead, or its edited details; the same key twice is one lead. */
    sendLead: fromPromise<Lead, { payload: LeadPayload; key: string; edited: Lead | null; changes: LeadChanges }>(
      absent,
    ),
    /** Adds page 2 to the lead. */
    saveContinuation: fromPromise<Lead, { lead: Lead; continuation: LeadChanges }>(absent),
    /** Asks for a live video tour. */
    requestViewing: fromPromise<Lead, { lead: Lead; slot: ViewingSlot; key: string }>(absent),
  },
  guards: {
    continues: ({ context }) => continuesToBooking(context.variant, context.bookable),
    books: ({ context }) => isBooking(context.variant) && context.bookable,
    isRefusal: ({ event }) =>
      "error" in event && (refusalsOf(event.error).length > 0 || event.error instanceof LeadClashed),
    hasNoClash: ({ context }) => context.clashes.length === 0,
    hasUnsaved: ({ context }) => context.unsaved,
  },
  actions: {
    keepTrouble: assign(({ context, event }) => {
      if (!("error" in event && event.error instanceof Error)) return {};
      const { error } = event;
      if (error instanceof LeadClashed) {
        const { newer, clashes, changes } = error;
        const isPage2 = context.lead !== null;
        return { clashes, ...(isPage2 ? { lead: newer, continuation: changes } : { edited: newer, changes }) };
      }
      return {
        trouble: error.message,
        refusals: refusalsOf(error),
        final: isFinal(error),
        isOffline: isOffline(error),
        isClaimed: isLoginNeeded(error),
      };
    }),
    settle: assign(({ context, event }) => {
      if (event.type !== "lead.settle" || event.keep === "here") return { clashes: [] };
      const { changes, continuation, clashes } = context;
      return {
        changes: withoutClashes(changes, clashes),
        continuation: withoutClashes(continuation, clashes),
        clashes: [],
      };
    }),
    clearTrouble: assign({
      trouble: null,
      refusals: [],
      final: false,
      isOffline: false,
      isClaimed: false,
      clashes: [],
    }),
    /** Spec §4: closing resets the inventory, the page and the heading; what was typed stays in local storage. */
    reset: assign({
      lead: null,
      payload: null,
      changes: {},
      continuation: {},
      clashes: [],
      refusals: [],
      trouble: null,
      final: false,
      isOffline: false,
      isClaimed: false,
      viewing: null,
      wanted: null,
      unsaved: false,
    }),
  },
});

/**
 * The lead form modal: page 1 the form, page 2 the continuation, page 3 the confirmation (Spec §4, D26). Its steps are
 * computed by the server's rules in `contract/steps.lead.json`; a test compares the two.
 */
export const leadFormMachine = formSetup.createMachine({
  id: "lead",
  context: ({ input }) => ({
    ...input,
    lead: null,
    payload: null,
    changes: {},
    continuation: {},
    clashes: [],
    key: "",
    refusals: [],
    trouble: null,
    final: false,
    isOffline: false,
    isClaimed: false,
    viewing: null,
    wanted: null,
    unsaved: false,
  }),
  initial: "closed",
  states: {
    closed: {
      tags: "closed",
      entry: "reset",
      on: {
        "lead.open": "form",
        "lead.open_confirmation": { target: "confirmation", actions: assign({ lead: ({ event }) => event.lead }) },
      },
    },
    form: {
      tags: "page1",
      initial: "editing",
      on: {
        "lead.submit": {
          guard: "hasNoClash",
          target: "submitting",
          actions: assign({
            payload: ({ event }) => event.payload,
            key: ({ event }) => event.key,
            changes: ({ event }) => event.changes ?? {},
          }),
        },
        "lead.settle": { target: "submitting", actions: "settle" },
        "lead.typed": { actions: assign({ unsaved: true }) },
        "lead.close": "closed",
      },
      states: {
        editing: { on: { "lead.close": { guard: "hasUnsaved", target: "leaving" } } },
        // Asked once: a second close leaves.
        leaving: { tags: "leaving", on: { "lead.stay": "editing" } },
      },
    },
    submitting: {
      tags: ["page1", "busy"],
      // Each request begins without the trouble of the one before it.
      entry: "clearTrouble",
      invoke: {
        src: "sendLead",
        input: ({ context }) => ({
          payload: context.payload ?? { state: "created", user_details: { name: "", phone: "", email: "" } },
          key: context.key,
          edited: context.edited,
          changes: context.changes,
        }),
        onDone: [
          {
            guard: "continues",
            actions: [assign({ lead: ({ event }) => event.output }), raise({ type: "lead.accepted_bookable" })],
          },
          { actions: [assign({ lead: ({ event }) => event.output }), raise({ type: "lead.accepted" })] },
        ],
        onError: [
          { guard: "isRefusal", actions: ["keepTrouble", raise({ type: "lead.refused" })] },
          { actions: ["keepTrouble", raise({ type: "lead.failed" })] },
        ],
      },
      on: {
        "lead.accepted_bookable": "continuation",
        "lead.accepted": "confirmation",
        "lead.refused": "form",
        "lead.failed": "failure",
      },
    },
    failure: {
      tags: ["page1", "failed"],
      on: {
        "lead.retry": "submitting",
        "lead.edit": { target: "form", actions: "clearTrouble" },
        "lead.close": "closed",
      },
    },
    continuation: {
      tags: "page2",
      on: {
        "lead.save": {
          guard: "hasNoClash",
          target: "saving",
          actions: assign({ continuation: ({ event }) => event.continuation }),
        },
        "lead.settle": { target: "saving", actions: "settle" },
        // A save that failed is no fault of the page after it.
        "lead.skip": { target: "confirmation", actions: "clearTrouble" },
        "lead.continue_to_booking": "closed",
        "lead.close": "closed",
      },
    },
    saving: {
      tags: ["page2", "busy"],
      entry: "clearTrouble",
      invoke: {
        src: "saveContinuation",
        input: ({ context }) => ({ lead: requireLead(context), continuation: context.continuation }),
        onDone: [
          { guard: "books", actions: raise({ type: "lead.saved_to_book" }) },
          { actions: [assign({ lead: ({ event }) => event.output }), raise({ type: "lead.saved" })] },
        ],
        onError: { actions: ["keepTrouble", raise({ type: "lead.failed" })] },
      },
      on: { "lead.saved": "confirmation", "lead.saved_to_book": "closed", "lead.failed": "continuation" },
    },
    confirmation: {
      tags: "page3",
      on: {
        "lead.request_viewing": [
          {
            guard: ({ context }) => context.lead !== null,
            target: "requesting_viewing",
            actions: assign(({ event: { slot, key } }) => ({ viewing: slot, wanted: slot, key })),
          },
        ],
        "lead.continue_to_booking": "closed",
        "lead.close": "closed",
      },
    },
    requesting_viewing: {
      tags: ["page3", "busy"],
      entry: "clearTrouble",
      invoke: {
        src: "requestViewing",
        input: ({ context }) => requireViewing(context),
        onDone: { actions: [assign({ lead: ({ event }) => event.output }), raise({ type: "lead.viewing_requested" })] },
        onError: { actions: ["keepTrouble", assign({ viewing: null }), raise({ type: "lead.failed" })] },
      },
      on: { "lead.viewing_requested": "confirmation", "lead.failed": "confirmation" },
    },
  },
});

/** Page 2 follows an answer. */
function requireLead({ lead }: LeadFormContext): Lead {
  if (!lead) throw new Error("page 2 is saved to a lead");
  return lead;
}

/** The guard of `lead.request_viewing` has seen the lead, and its action has kept the slot. */
function requireViewing({ lead, viewing, key }: LeadFormContext): { lead: Lead; slot: ViewingSlot; key: string } {
  if (!lead || !viewing) throw new Error("a viewing is asked for with a lead and a slot");
  return { lead, slot: viewing, key };
}
