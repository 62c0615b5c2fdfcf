import { fromCallback, fromPromise } from "xstate";
import { ApiError, get, newKey, post } from "../../api.ts";
import type { Payment } from "../../contract/wire.ts";
import { tabStorage } from "../../deviceStorage.ts";
import { rememberedLeads } from "../ui/knownLead.ts";
import { type HandOver, type PaymentMachineEvent, type PaymentOpening, paymentMachine } from "./paymentMachine.ts";
import { streamPayment } from "./stream.ts";

/**
 * One key per act and version of the payment for as long as the tab lives: a repeated press, a reload of the page or a lost
 * answer asks for the same thing again (E8), and is told the same; what is asked of a later version is another act. `done`
 * frees the key once the server has answered.
 */
function keyFor(act: string): { key: string; done: () => void } {
  const name = `latchkey.key.${act}`;
  try {
    const key = tabStorage().getItem(name) ?? newKey();
    tabStorage().setItem(name, key);
    return { key, done: () => tabStorage().removeItem(name) };
  } catch {
    return { key: newKey(), done: () => undefined };
  }
}

async function once(act: string, send: (idempotencyKey: string) => Promise<Payment>): Promise<Payment> {
  const { key, done } = keyFor(act);
  try {
    const payment = await send(key);
    done();
    return payment;
  } catch (failure) {
    // Only an answer frees the key: without one, the same request may still arrive.
    if (failure instanceof ApiError && failure.kind === "refused") done();
    throw failure;
  }
}

/** Opens the payment for a lead and a room, or reads the one with a token. */
export function openPayment(opening: PaymentOpening): Promise<Payment> {
  if (opening.token !== null) {
    return get("/api/v0/payments/{token}", { path: { token: opening.token }, fresh: true });
  }
  const { lead_uuid, inventory_id, form_uuid, second_home = false } = opening;
  const other_leads = rememberedLeads().filter((other) => other !== lead_uuid);
  const payment = {
    ...{ lead_uuid, inventory_id, payment_types: [], second_home, other_leads },
    ...(form_uuid && { form_uuid }),
  };
  return once(`open.${lead_uuid}.${inventory_id}.${second_home}`, (idempotencyKey) =>
    post("/api/v0/payments", { body: { payment }, idempotencyKey }),
  );
}

/** Ends once this tab is the one that is looked at. */
function whenSeen(left: AbortSignal): Promise<void> {
  return new Promise((seen) => {
    const look = () => document.visibilityState === "visible" && seen();
    document.addEventListener("visibilitychange", look, { signal: left });
    look();
  });
}

/** The sandbox's form: this server plays the gateway, so the card goes there. */
export const handToSandbox =
  (cardNumber: string): HandOver =>
  ({ token, version, challenge }) =>
    once(`confirm.${token}.${version}.${challenge ?? "card"}`, (idempotencyKey) =>
      post("/api/v0/payments/{token}/sandbox_confirm", {
        path: { token },
        body: { card_number: cardNumber, ...(challenge && { challenge }) },
        idempotencyKey,
      }),
    );

/** Where the form on screen leaves its `HandOver` when Pay is pressed. */
export interface Till {
  handOver: HandOver | null;
}

/** The payment machine with the server behind it and a form before it. */
export const connectedPayment = (till: Till) =>
  paymentMachine.provide({
    actions: {
      dropHandOver: () => {
        till.handOver = null;
      },
    },
    actors: {
      openPayment: fromPromise<Payment, PaymentOpening>(({ input }) => openPayment(input)),
      whenSeen: fromPromise(({ signal }) => whenSeen(signal)),
      createIntent: fromPromise(({ input: { token, version, second_home } }) =>
        once(`intent.${token}.${version}.${second_home}`, (idempotencyKey) =>
          post("/api/v0/payments/{token}/intent", {
            path: { token },
            ...(second_home && { query: { second_home } }),
            idempotencyKey,
          }),
        ),
      ),
      // After a reload there is no form with a card: what the sandbox still asks is answered without one.
      handOver: fromPromise(({ input }) => (till.handOver ?? handToSandbox(""))(input)),
      watchPayment: fromCallback<PaymentMachineEvent, { token: string }>(({ input, sendBack }) =>
        streamPayment(input.token, (payment) => sendBack({ type: "payment.told", payment })),
      ),
    },
  });
