import { and, assign, enqueueActions, fromCallback, fromPromise, not, raise, setup, stateIn } from "xstate";
import type { Payment, PaymentStatus } from "../../contract/wire.ts";
import { isOver } from "../ui/linkOver.ts";

/** What went wrong with a request of ours, in the server's words; never a decline of the card. */
export interface Trouble {
  code: string;
  message: string;
}

/** A payment is opened for a lead and a room, or met again by its token. */
export type PaymentOpening =
  | { token: string }
  | { token: null; lead_uuid: string; inventory_id: string; form_uuid: string | null; second_home?: boolean };

/** What the student did in the bank's dialog. */
export type ChallengeOutcome = "pass" | "fail";

/** Where the card is once Pay was pressed: still in the form on screen, or with the gateway already. */
export type CardPlace = "in_form" | "with_gateway";

/** Facts in the words of X8: each is an edge of the status machine, taken only where X8 draws it. */
export type PaymentFact =
  | { type: "payment.begin" }
  | { type: "payment.intent_ready" }
  | { type: "payment.intent_failed" }
  | { type: "payment.sold_out" }
  | { type: "payment.retry"; card?: CardPlace }
  | { type: "payment.confirm"; card: CardPlace }
  | { type: "payment.succeeded" }
  | { type: "payment.declined" }
  | { type: "payment.delayed" };

export type PaymentMachineEvent =
  | PaymentFact
  | { type: "payment.told"; payment: Payment }
  | { type: "payment.answered"; payment: Payment }
  | { type: "payment.handed" }
  | { type: "payment.settle" }
  | { type: "payment.reread" }
  /** The student wants this home beside the one that is booked. */
  | { type: "payment.second_home" }
  | { type: "challenge.answer"; outcome: ChallengeOutcome };

interface PaymentContext {
  opening: PaymentOpening;
  payment: Payment | null;
  trouble: Trouble | null;
  /** The student wants this home beside another one for the same time. */
  wantsSecondHome: boolean;
  /** Null until Pay is pressed. What is typed into the form never comes here: form and gateway have it between themselves. */
  card: CardPlace | null;
}

/** Every status of X8. The browser alone starts in `loading` before it knows any of them. */
export const PAYMENT_STATUSES = [
  "init",
  "init_loading",
  "init_failure",
  "sold_out",
  "initiated",
  "processing",
  "success",
  "failed",
  "pending",
] as const satisfies readonly PaymentStatus[];

/** What is asked for, and of which version of the payment: pressed again for the same, it is the same press. */
interface Asking {
  token: string;
  version: number;
}

/** Values that a payment is begun with. */
interface Beginning extends Asking {
  second_home: boolean;
}

/** What the form is asked for: to hand the card over, or to pass on the answer to the bank's question. */
export interface Confirmation extends Asking {
  challenge: ChallengeOutcome | null;
}

/**
 * Hands the card of the form on screen to its gateway. Answers the payment where the server took part, and null where only
 * the gateway did: then the server hears of it from the gateway. Rejects with an error that carries `code`.
 */
export type HandOver = (asked: Confirmation) => Promise<Payment | null>;

const absent = () => Promise.reject(new Error("this actor is given by the page"));

const types: {
  context?: PaymentContext;
  events?: PaymentMachineEvent;
  /** `returned`: the payer comes back from the page of a bank or wallet, which has the card. */
  input?: { opening: PaymentOpening; returned?: boolean };
  /** What a screen asks instead of comparing names: `form` shows the card form, `busy` locks it. */
  tags?: "local" | "form" | "busy" | "declined" | "waits" | "paid" | "gone" | "stuck" | "cut_off" | "missing";
} = {};

/** The fact of X8 that a status told by the server stands for; null where only our own act leads there. */
function factOf(status: PaymentStatus): PaymentFact | null {
  switch (status) {
    case "initiated":
      return { type: "payment.intent_ready" };
    case "init_failure":
      return { type: "payment.intent_failed" };
    case "sold_out":
      return { type: "payment.sold_out" };
    case "success":
      return { type: "payment.succeeded" };
    case "failed":
      return { type: "payment.declined" };
    case "pending":
      return { type: "payment.delayed" };
    case "init":
    case "init_loading":
    case "processing":
      return null;
  }
}

/** Reads what a rejected request says: our client throws errors that carry `code`. */
function troubleOf(error: unknown): Trouble {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unreachable";
  return { code, message: error instanceof Error ? error.message : "" };
}

const tokenOf = (context: PaymentContext): string => context.payment?.token ?? context.opening.token ?? "";

const askingOf = (context: PaymentContext): Asking => ({
  token: tokenOf(context),
  version: context.payment?.version ?? 0,
});

const machineSetup = setup({
  types,
  actors: {
    /** Opens the payment, or reads it again by its token. */
    openPayment: fromPromise<Payment, PaymentOpening>(absent),
    /** Ends once somebody looks at the page. */
    whenSeen: fromPromise<void>(absent),
    /** Holds the room and makes the payment intent; asking twice gives the same one. */
    createIntent: fromPromise<Payment, Beginning>(absent),
    /** Asks the form on screen, the sandbox's or Stripe's, to hand the card over. */
    handOver: fromPromise<Payment | null, Confirmation>(absent),
    /** Sends `payment.told` whenever the server knows something newer. */
    watchPayment: fromCallback<PaymentMachineEvent, { token: string }>(() => undefined),
  },
  guards: {
    isOlderThanKnown: ({ context, event }) =>
      "payment" in event && context.payment !== null && event.payment.version < context.payment.version,
    // The same status again is no answer to what we have done since: while our confirmation travels the server still says
    // `initiated`, after an intent that never reached it `init`, and after a decline the hold alone changes.
    standsAsBefore: ({ context, event }) => "payment" in event && event.payment.status === context.payment?.status,
    // While a card is being handed over this may be the decline of the card before it: the form says what becomes of this one.
    saysDeclined: ({ event }) => "payment" in event && event.payment.status === "failed",
    hasCardInForm: ({ context }) => context.card === "in_form",
    serverSays: ({ context }, status: PaymentStatus) => context.payment?.status === status,
    isUnknownPayment: ({ event }) =>
      "error" in event && ["token_not_found", "not_found"].includes(troubleOf(event.error).code),
    // A payment that was taken back or is past its end has no intent to ask for.
    isPayable: ({ context }) => context.payment === null || !isOver(context.payment),
    isSoldOutError: ({ event }) => "error" in event && troubleOf(event.error).code === "sold_out",
  },
  actions: {
    keep: assign(({ context, event }) => ("payment" in event ? { payment: event.payment } : context)),
    raiseFact: enqueueActions(({ enqueue, event }) => {
      const fact = "payment" in event ? factOf(event.payment.status) : null;
      if (fact) enqueue.raise(fact);
    }),
    settle: raise({ type: "payment.settle" }),
    keepTrouble: assign({ trouble: ({ event }) => ("error" in event ? troubleOf(event.error) : null) }),
    clearTrouble: assign({ trouble: null }),
    wantSecondHome: assign({
      wantsSecondHome: true,
      opening: ({ context: { opening } }) => (opening.token === null ? { ...opening, second_home: true } : opening),
    }),
    keepCard: assign({ card: ({ event }) => ("card" in event ? (event.card ?? null) : null) }),
    // The card typed for a second try is sent as soon as the new intent stands: one press, not two. A card that a bank's page
    // took is not asked for again, although the server may not have heard of it yet.
    confirmKeptCard: enqueueActions(({ enqueue, context }) => {
      if (context.card !== null) enqueue.raise({ type: "payment.confirm", card: context.card });
    }),
    forgetCard: assign({ card: null }),
    /** The page lets go of the form's `HandOver`, and of the card with it. */
    dropHandOver: () => undefined,
    watch: enqueueActions(({ enqueue, context }) => {
      const token = tokenOf(context);
      enqueue.stopChild("watch");
      if (token) enqueue.spawnChild("watchPayment", { id: "watch", input: { token } });
    }),
  },
});

const answer = (payment: Payment): PaymentMachineEvent => ({ type: "payment.answered", payment });

const handed = (payment: Payment | null): PaymentMachineEvent =>
  payment === null ? { type: "payment.handed" } : answer(payment);

/**
 * The screen of a payment. Its nine statuses and the edges between them are X8's, the same as the server's (a test
 * compares both tables); `loading`, `missing` and `unreachable` are the browser's alone. The server's word always
 * wins: what it tells becomes a fact, and where X8 has no single edge (another tab went ahead) the screen follows it.
 */
export const paymentMachine = machineSetup.createMachine({
  id: "payment",
  context: ({ input }) => ({
    opening: input.opening,
    payment: null,
    trouble: null,
    wantsSecondHome: false,
    card: input.returned ? "with_gateway" : null,
  }),
  initial: "loading",
  on: {
    "payment.told": [
      { guard: "isOlderThanKnown" },
      { guard: "standsAsBefore", actions: "keep" },
      { guard: and([stateIn({ processing: "sending" }), "saysDeclined"]), actions: "keep" },
      { actions: ["keep", "raiseFact", "settle"] },
    ],
    // Nothing of ours is on its way any more: what is known now holds, even where it is the same as before.
    "payment.answered": [
      { guard: "isOlderThanKnown", actions: "settle" },
      { actions: ["keep", "raiseFact", "settle"] },
    ],
    "payment.settle": PAYMENT_STATUSES.map((status) => ({
      guard: and([{ type: "serverSays" as const, params: status }, not(stateIn(status))]),
      target: `.${status}` as const,
    })),
  },
  states: {
    loading: {
      tags: ["local", "form", "busy"],
      invoke: {
        src: "openPayment",
        input: ({ context }) => (context.payment ? { token: context.payment.token } : context.opening),
        onDone: { actions: [raise(({ event }) => answer(event.output)), "watch"] },
        onError: [
          { guard: "isUnknownPayment", target: "missing" },
          { target: "unreachable", actions: "keepTrouble" },
        ],
      },
    },
    missing: { tags: ["local", "missing"] },
    unreachable: {
      tags: ["local", "cut_off"],
      on: {
        // Without a payment nothing was pressed: no press is told to have been lost once it opens.
        "payment.reread": [
          { guard: ({ context }) => context.payment !== null, target: "loading" },
          { target: "loading", actions: "clearTrouble" },
        ],
        "payment.second_home": { target: "loading", actions: ["wantSecondHome", "clearTrouble"] },
        "payment.told": { actions: ["keep", "settle"] },
      },
    },
    // D97: the hold is taken as soon as the payment page opens, so nothing is asked in `init`; a page in a tab that
    // nobody has looked at yet takes no room from anybody.
    init: {
      tags: ["form", "busy"],
      invoke: { src: "whenSeen", onDone: { guard: "isPayable", actions: raise({ type: "payment.begin" }) } },
      on: { "payment.begin": "init_loading", "payment.succeeded": "success" },
    },
    init_loading: {
      tags: ["form", "busy"],
      invoke: {
        src: "createIntent",
        input: ({ context }) => ({ ...askingOf(context), second_home: context.wantsSecondHome }),
        onDone: { actions: raise(({ event }) => answer(event.output)) },
        onError: [
          { guard: "isSoldOutError", actions: raise({ type: "payment.sold_out" }) },
          { actions: ["keepTrouble", raise({ type: "payment.intent_failed" })] },
        ],
      },
      on: {
        "payment.intent_ready": "initiated",
        "payment.intent_failed": "init_failure",
        "payment.sold_out": "sold_out",
        "payment.succeeded": "success",
      },
    },
    init_failure: {
      tags: "stuck",
      on: {
        "payment.retry": { target: "init_loading", actions: "clearTrouble" },
        // A retry in the words of X8.
        "payment.second_home": { actions: ["wantSecondHome", raise({ type: "payment.retry" })] },
        "payment.succeeded": "success",
      },
    },
    initiated: {
      tags: "form",
      entry: "confirmKeptCard",
      on: {
        "payment.confirm": { target: "processing", actions: ["keepCard", "clearTrouble"] },
        "payment.sold_out": "sold_out",
        "payment.succeeded": "success",
      },
    },
    processing: {
      tags: ["form", "busy"],
      initial: "entering",
      exit: ["forgetCard", "dropHandOver"],
      states: {
        // Without a card in the form another tab, or this page before a reload, has asked the bank already.
        entering: { always: [{ guard: "hasCardInForm", target: "sending" }, { target: "waiting" }] },
        sending: {
          invoke: {
            src: "handOver",
            input: ({ context }) => ({ ...askingOf(context), challenge: null }),
            onDone: { target: "waiting", actions: raise(({ event }) => handed(event.output)) },
            onError: { target: "#payment.loading", actions: "keepTrouble" },
          },
        },
        waiting: { on: { "challenge.answer": "answering" } },
        answering: {
          invoke: {
            src: "handOver",
            input: ({ context, event }) => ({
              ...askingOf(context),
              challenge: event.type === "challenge.answer" ? event.outcome : null,
            }),
            onDone: { target: "waiting", actions: raise(({ event }) => handed(event.output)) },
            onError: { target: "#payment.loading", actions: "keepTrouble" },
          },
        },
      },
      on: {
        "payment.succeeded": "success",
        "payment.declined": "failed",
        "payment.delayed": "pending",
        "payment.sold_out": "sold_out",
      },
    },
    pending: { tags: "waits", on: { "payment.succeeded": "success", "payment.declined": "failed" } },
    failed: {
      tags: ["form", "declined"],
      entry: "forgetCard",
      on: {
        "payment.retry": { target: "init_loading", actions: ["keepCard", "clearTrouble"] },
        "payment.succeeded": "success",
      },
    },
    sold_out: { tags: "gone" },
    success: { tags: "paid" },
  },
});
