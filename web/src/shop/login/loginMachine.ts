import { assign, fromPromise, setup } from "xstate";
import type { OtpSent, User } from "../../contract/wire.ts";

/** How a person proves who they are: a code to an address or to a phone. */
export type LoginMethod = "email" | "phone";

/** An e-mail address, or a phone number in +code+number form (D66). */
export interface Handle {
  method: LoginMethod;
  value: string;
}

export type LoginEvent =
  | { type: "login.method"; method: LoginMethod }
  | { type: "login.handle_changed" }
  | { type: "login.send"; handle: Handle }
  | { type: "login.code_changed" }
  | { type: "login.verify"; code: string }
  | { type: "login.resend" }
  | { type: "login.back" };

/** A refusal in the server's words, with the seconds to wait where it names them. */
export interface LoginTrouble {
  code: string;
  message: string;
  retryAfter: number | null;
}

interface LoginContext {
  method: LoginMethod;
  handle: Handle | null;
  sent: OtpSent | null;
  user: User | null;
  /** Of asking for the code, and of checking it (Spec §4 keeps the two apart). */
  generationError: LoginTrouble | null;
  verificationError: LoginTrouble | null;
  /** Counts the codes sent, so that a screen can restart its clock. */
  sends: number;
}

const absent = () => Promise.reject(new Error("this actor is given by the modal"));

const types: { context?: LoginContext; events?: LoginEvent; tags?: "busy" | "code" | "done" } = {};

function troubleOf(error: unknown): LoginTrouble {
  const known = error instanceof Error ? error : new Error("");
  return {
    code: "code" in known && typeof known.code === "string" ? known.code : "unreachable",
    message: known.message,
    retryAfter: "retryAfter" in known && typeof known.retryAfter === "number" ? known.retryAfter : null,
  };
}

/** D68: a new code may be asked for after 30 s, or when the server says. */
const RESEND_AFTER_S = 30;

const loginSetup = setup({
  types,
  actors: {
    /** Asks the server to send a code. */
    generateCode: fromPromise<OtpSent, Handle>(absent),
    /** Shows the code to the server; the answer is the person. */
    verifyCode: fromPromise<User, { handle: Handle; code: string; session: string }>(absent),
  },
  delays: {
    resendAfter: ({ context }) => (context.sent?.resend_after_s ?? RESEND_AFTER_S) * 1000,
  },
  actions: {
    clearGeneration: assign({ generationError: null }),
    clearVerification: assign({ verificationError: null }),
    keepGeneration: assign({ generationError: ({ event }) => ("error" in event ? troubleOf(event.error) : null) }),
    keepVerification: assign({ verificationError: ({ event }) => ("error" in event ? troubleOf(event.error) : null) }),
  },
});

/**
 * Login by a one-time code (Spec §4): asking for the code (generation) and showing it (verification) each run from
 * nothing through request to success or failure. Editing the handle clears the first error, editing the code the second.
 */
export const loginMachine = loginSetup.createMachine({
  id: "login",
  context: {
    method: "email",
    handle: null,
    sent: null,
    user: null,
    generationError: null,
    verificationError: null,
    sends: 0,
  },
  initial: "asking",
  states: {
    asking: {
      on: {
        "login.method": {
          actions: assign({ method: ({ event }) => event.method, handle: null, generationError: null }),
        },
        "login.handle_changed": { actions: "clearGeneration" },
        "login.send": {
          target: "sending",
          actions: [assign({ handle: ({ event }) => event.handle }), "clearGeneration"],
        },
      },
    },
    sending: {
      tags: "busy",
      invoke: {
        src: "generateCode",
        input: ({ context }) => context.handle ?? { method: context.method, value: "" },
        onDone: {
          target: "code",
          actions: assign({ sent: ({ event }) => event.output, sends: ({ context }) => context.sends + 1 }),
        },
        onError: { target: "asking", actions: "keepGeneration" },
      },
    },
    code: {
      tags: "code",
      type: "parallel",
      entry: "clearVerification",
      on: { "login.back": { target: "asking", actions: ["clearGeneration", "clearVerification"] } },
      states: {
        check: {
          initial: "typing",
          states: {
            typing: {
              on: {
                "login.code_changed": { actions: "clearVerification" },
                "login.verify": { target: "verifying", actions: "clearVerification" },
              },
            },
            verifying: {
              tags: "busy",
              invoke: {
                src: "verifyCode",
                input: ({ context, event }) => ({
                  handle: context.handle ?? { method: context.method, value: "" },
                  code: event.type === "login.verify" ? event.code : "",
                  session: context.sent?.session_uuid ?? "",
                }),
                onDone: { target: "#login.done", actions: assign({ user: ({ event }) => event.output }) },
                onError: { target: "typing", actions: "keepVerification" },
              },
            },
          },
        },
        resend: {
          initial: "waiting",
          states: {
            waiting: { after: { resendAfter: "ready" } },
            ready: { on: { "login.resend": { target: "sending", actions: "clearVerification" } } },
            sending: {
              invoke: {
                src: "generateCode",
                input: ({ context }) => context.handle ?? { method: context.method, value: "" },
                onDone: {
                  target: "waiting",
                  actions: assign({ sent: ({ event }) => event.output, sends: ({ context }) => context.sends + 1 }),
                },
                onError: { target: "waiting", actions: "keepVerification" },
              },
            },
          },
        },
      },
    },
    done: { type: "final", tags: "done" },
  },
});
