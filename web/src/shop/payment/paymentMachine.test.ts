import { expect, test } from "vitest";
import { createActor, fromCallback, fromPromise, waitFor } from "xstate";
import steps from "../../contract/steps.payment.json";
import type { Payment } from "../../contract/wire.ts";
import { edgesOf } from "../../testing/machineEdges.ts";
import { payment } from "../../testing/samplePayment.ts";
import { type Confirmation, PAYMENT_STATUSES, type PaymentMachineEvent, paymentMachine } from "./paymentMachine.ts";

interface Answers {
  seen?: () => Promise<void>;
  open?: () => Promise<Payment>;
  intent?: () => Promise<Payment>;
  handOver?: (asked: Confirmation) => Promise<Payment | null>;
  returned?: boolean;
}

/** Starts the machine against a server that answers as told. */
function start(answers: Answers) {
  let push: (event: PaymentMachineEvent) => void = () => undefined;
  const machine = paymentMachine.provide({
    actors: {
      openPayment: fromPromise(answers.open ?? (async () => payment("init", 1))),
      whenSeen: fromPromise(answers.seen ?? (async () => undefined)),
      createIntent: fromPromise(answers.intent ?? (async () => payment("initiated", 3))),
      handOver: fromPromise(({ input }) => answers.handOver?.(input) ?? new Promise<Payment>(() => undefined)),
      watchPayment: fromCallback(({ sendBack }) => {
        push = sendBack;
      }),
    },
  });
  const actor = createActor(machine, {
    input: { opening: { token: "t-1" }, ...(answers.returned && { returned: true }) },
  });
  actor.start();
  return { actor, told: (next: Payment) => push({ type: "payment.told", payment: next }) };
}

const pay = { type: "payment.confirm", card: "in_form" } as const;

// The payment machine takes exactly the steps that the server's payment takes.
test("the payment machine takes exactly the server's steps", () => {
  expect(edgesOf(paymentMachine, "payment.", ["payment.second_home"])).toEqual(steps);
});

// A page that opens a new payment holds the room and asks for the card.
test("a page with a new payment holds the room and asks for a card", async () => {
  const { actor } = start({});
  const ready = await waitFor(actor, (snapshot) => snapshot.matches("initiated"));
  expect(ready.hasTag("form")).toBe(true);
  expect(ready.hasTag("busy")).toBe(false);
  expect(ready.context.payment?.version).toBe(3);
});

/** Asked for an intent, the server refuses one of a link that is over. */
test.each([
  ["withdrawn", { cancelled_at: "2026-11-26T10:00:00Z" }],
  ["expired", { expires_at: "2026-11-01T10:00:00Z" }],
])("a link that is %s asks for no intent", async (_, over) => {
  const asked: string[] = [];
  const link = { due_on: null, note: "", is_expired: false };
  const { actor } = start({
    open: async () => payment("init", 1, { link, expires_at: "2126-01-01T00:00:00Z", ...over }),
    intent: async () => {
      asked.push("intent");
      return payment("initiated", 3);
    },
  });
  await waitFor(actor, (snapshot) => snapshot.matches("init"));
  await Promise.resolve();
  await new Promise((next) => queueMicrotask(() => next(null)));
  expect(actor.getSnapshot().matches("init")).toBe(true);
  expect(asked).toEqual([]);
});

// A page that nobody looks at holds no room, and hears of a payment made elsewhere.
test("an unseen page holds no room and follows other tabs", async () => {
  let held = 0;
  const { actor, told } = start({
    seen: () => new Promise(() => undefined),
    intent: async () => payment("initiated", 3 + held++),
  });
  await waitFor(actor, (snapshot) => snapshot.matches("init"));
  told(payment("success", 7));
  await waitFor(actor, (snapshot) => snapshot.matches("success"));
  expect(held).toBe(0);
});

test.each(PAYMENT_STATUSES.filter((status) => status !== "init" && status !== "init_loading"))(
  "a reload shows the payment where it stands: %s",
  async (status) => {
    const { actor } = start({ open: async () => payment(status, 9) });
    const settled = await waitFor(actor, (snapshot) => !snapshot.hasTag("local"));
    expect(settled.matches(status)).toBe(true);
  },
);

test("an unknown token ends on the not-found page", async () => {
  const unknown = Object.assign(new Error("token not found"), { code: "token_not_found" });
  const { actor } = start({ open: () => Promise.reject(unknown) });
  const ended = await waitFor(actor, (snapshot) => snapshot.hasTag("missing"));
  expect(ended.matches("missing")).toBe(true);
});

test("a lost connection while opening can be tried again", async () => {
  let tries = 0;
  const { actor } = start({
    open: () => (tries++ === 0 ? Promise.reject(new Error("offline")) : Promise.resolve(payment("pending", 4))),
  });
  await waitFor(actor, (snapshot) => snapshot.matches("unreachable"));
  actor.send({ type: "payment.reread" });
  await waitFor(actor, (snapshot) => snapshot.matches("pending"));
});

// The server was heard before the browser told of the network: nothing is read again under an open question.
test("a network that returns late leaves the bank's question", async () => {
  let isUp = true;
  const { actor, told } = start({
    open: () => (isUp ? Promise.resolve(payment("initiated", 3)) : Promise.reject(new Error("offline"))),
    handOver: () => Promise.reject(new Error("offline")),
  });
  await waitFor(actor, (snapshot) => snapshot.matches("initiated"));
  isUp = false;
  actor.send(pay);
  await waitFor(actor, (snapshot) => snapshot.matches("unreachable"));
  told(payment("processing", 4));
  actor.send({ type: "payment.reread" });
  expect(actor.getSnapshot().can({ type: "challenge.answer", outcome: "pass" })).toBe(true);
});

test("the card is asked for once however often Pay is pressed", async () => {
  let asked = 0;
  const { actor } = start({
    handOver: () => {
      asked++;
      return new Promise(() => undefined);
    },
  });
  await waitFor(actor, (snapshot) => snapshot.matches("initiated"));
  actor.send(pay);
  actor.send(pay);
  expect(actor.getSnapshot().matches("processing")).toBe(true);
  expect(asked).toBe(1);
});

// An old answer of the stream does not unlock a form that is being paid.
test("an old stream answer does not unlock a form being paid", async () => {
  const { actor, told } = start({});
  await waitFor(actor, (snapshot) => snapshot.matches("initiated"));
  actor.send(pay);
  told(payment("initiated", 3));
  told(payment("init_loading", 2));
  expect(actor.getSnapshot().matches("processing")).toBe(true);
});

// An intent that never reached the server waits for another try.
test("an intent that never reached the server can be retried", async () => {
  const { actor, told } = start({ intent: () => Promise.reject(new Error("offline")) });
  await waitFor(actor, (snapshot) => snapshot.matches("init_failure"));
  told(payment("init", 1));
  expect(actor.getSnapshot().matches("init_failure")).toBe(true);
});

// A decline keeps the booking, and the next card goes out in one press.
test("after a decline the next card goes out in one press", async () => {
  let tries = 0;
  const { actor } = start({
    handOver: async () => (++tries === 1 ? payment("failed", 5) : payment("success", 9)),
    intent: async () => payment("initiated", tries === 0 ? 3 : 7),
  });
  await waitFor(actor, (snapshot) => snapshot.matches("initiated"));
  actor.send(pay);
  const failed = await waitFor(actor, (snapshot) => snapshot.matches("failed"));
  expect(failed.context.card).toBeNull();
  actor.send({ type: "payment.retry", card: "in_form" });
  await waitFor(actor, (snapshot) => snapshot.matches("success"));
  expect(tries).toBe(2);
});

// A word about a payment that stands as before takes back nothing that was pressed.
test("news of the same status takes back no press", async () => {
  const { actor, told } = start({
    open: async () => payment("failed", 5),
    intent: () => new Promise<Payment>(() => undefined),
  });
  await waitFor(actor, (snapshot) => snapshot.matches("failed"));
  actor.send({ type: "payment.retry", card: "in_form" });
  // The hold has another end since the decline: something newer, and no answer to the second try.
  told(payment("failed", 6, { hold_expires_at: "2026-11-24T12:00:00Z" }));
  expect(actor.getSnapshot().matches("init_loading")).toBe(true);
  expect(actor.getSnapshot().context.payment?.hold_expires_at).toBe("2026-11-24T12:00:00Z");
  told(payment("initiated", 9));
  expect(actor.getSnapshot().matches("processing")).toBe(true);
});

// A second try that fails like the first is answered, whichever word of it comes first.
test("a second failure is answered in either order of news", async () => {
  let answer: (payment: Payment) => void = () => undefined;
  let asked = 0;
  const { actor, told } = start({
    intent: () => (asked++ === 0 ? Promise.resolve(payment("init_failure", 3)) : new Promise((go) => (answer = go))),
  });
  await waitFor(actor, (snapshot) => snapshot.matches("init_failure"));
  actor.send({ type: "payment.retry" });
  told(payment("init_failure", 6));
  expect(actor.getSnapshot().matches("init_loading")).toBe(true);
  answer(payment("init_failure", 5));
  await waitFor(actor, (snapshot) => snapshot.matches("init_failure"));
});

// A page that was cut off comes back with the first word it hears.
test("a reconnected page shows the first status it hears", async () => {
  let reads = 0;
  const { actor, told } = start({
    open: () => (reads++ === 0 ? Promise.resolve(payment("initiated", 3)) : Promise.reject(new Error("offline"))),
    handOver: () => Promise.reject(new Error("offline")),
  });
  await waitFor(actor, (snapshot) => snapshot.matches("initiated"));
  actor.send(pay);
  await waitFor(actor, (snapshot) => snapshot.matches("unreachable"));
  told(payment("initiated", 3));
  expect(actor.getSnapshot().matches("initiated")).toBe(true);
});

test("a challenge of the bank is answered on the same payment", async () => {
  const challenge = { type: "three_d_secure", url: "/sandbox/3ds" } as const;
  const { actor } = start({
    handOver: async (asked) =>
      asked.challenge === null
        ? payment("processing", 4, { next_action: challenge })
        : payment(asked.challenge === "pass" ? "success" : "failed", 6),
  });
  await waitFor(actor, (snapshot) => snapshot.matches("initiated"));
  actor.send(pay);
  await waitFor(actor, (snapshot) => snapshot.matches({ processing: "waiting" }));
  actor.send({ type: "challenge.answer", outcome: "pass" });
  await waitFor(actor, (snapshot) => snapshot.matches("success"));
});

// A lost answer to Pay reads the truth again instead of asking twice.
test("a lost answer to Pay reads the state instead of paying again", async () => {
  let reads = 0;
  const { actor } = start({
    open: async () => (reads++ === 0 ? payment("init", 1) : payment("success", 6)),
    handOver: () => Promise.reject(new Error("connection lost")),
  });
  await waitFor(actor, (snapshot) => snapshot.matches("initiated"));
  actor.send(pay);
  await waitFor(actor, (snapshot) => snapshot.matches("success"));
  expect(reads).toBe(2);
});

// A room sold while the page was open shows sold out, and a late success changes nothing there.
test("a room sold meanwhile stays sold out despite a late success", async () => {
  const { actor, told } = start({});
  await waitFor(actor, (snapshot) => snapshot.matches("initiated"));
  told(payment("sold_out", 5));
  expect(actor.getSnapshot().matches("sold_out")).toBe(true);
});

test("what another tab did is followed even over several steps", async () => {
  const { actor, told } = start({});
  await waitFor(actor, (snapshot) => snapshot.matches("initiated"));
  told(payment("failed", 8));
  expect(actor.getSnapshot().matches("failed")).toBe(true);
  told(payment("success", 12));
  expect(actor.getSnapshot().matches("success")).toBe(true);
});

/** Where a screen goes when the server says that a card was declined: to `failed` over as many steps as X8 has, and never out of an end. */
const declineEnds = {
  init: "failed",
  init_loading: "failed",
  init_failure: "failed",
  sold_out: "sold_out",
  initiated: "failed",
  processing: "failed",
  success: "success",
  failed: "failed",
  pending: "failed",
} as const satisfies Record<(typeof PAYMENT_STATUSES)[number], (typeof PAYMENT_STATUSES)[number]>;

test.each(PAYMENT_STATUSES)("a decline that the server tells ends %s as X8 says", async (status) => {
  const never = () => new Promise<never>(() => undefined);
  const { actor, told } = start({
    open: async () => payment(status === "init_loading" ? "init" : status, 9),
    ...(status === "init" && { seen: never }),
    intent: never,
  });
  await waitFor(actor, (snapshot) => snapshot.matches(status));
  // The server tells no decline of a payment that is over: its version is that of before.
  const isOver = declineEnds[status] === status && status !== "failed";
  told(payment("failed", isOver ? 8 : 10));
  expect(actor.getSnapshot().matches(declineEnds[status])).toBe(true);
});

// The fact itself is taken only where X8 draws its edge.
test.each(PAYMENT_STATUSES)("the fact of a decline leaves %s only along an edge of X8", async (status) => {
  const never = () => new Promise<never>(() => undefined);
  const { actor } = start({
    open: async () => payment(status === "init_loading" ? "init" : status, 9),
    ...(status === "init" && { seen: never }),
    intent: never,
  });
  await waitFor(actor, (snapshot) => snapshot.matches(status));
  actor.send({ type: "payment.declined" });
  const hasEdge = "declined" in steps[status];
  expect(actor.getSnapshot().matches(hasEdge ? "failed" : status)).toBe(true);
});

test("nothing leaves success", async () => {
  const { actor, told } = start({ open: async () => payment("success", 9) });
  await waitFor(actor, (snapshot) => snapshot.matches("success"));
  told(payment("pending", 7));
  actor.send(pay);
  actor.send({ type: "payment.retry" });
  expect(actor.getSnapshot().matches("success")).toBe(true);
});

// Where only the gateway took the card, the screen waits for the server, whatever the stream repeats meanwhile.
test("a card that only the gateway has is waited for", async () => {
  const { actor, told } = start({ handOver: async () => null });
  await waitFor(actor, (snapshot) => snapshot.matches("initiated"));
  actor.send(pay);
  await waitFor(actor, (snapshot) => snapshot.matches({ processing: "waiting" }));
  told(payment("initiated", 4));
  expect(actor.getSnapshot().matches({ processing: "waiting" })).toBe(true);
  told(payment("pending", 5));
  expect(actor.getSnapshot().matches("pending")).toBe(true);
  told(payment("success", 6));
  expect(actor.getSnapshot().matches("success")).toBe(true);
});

// A card that the gateway refused in its own form leaves the payment as it was: the form asks for the next one.
test("a card refused in the gateway's form is asked for again", async () => {
  const refused = Object.assign(new Error("declined"), { code: "card_refused.expired_card" });
  let tries = 0;
  const { actor } = start({
    open: async () => payment("initiated", 3),
    handOver: () => (++tries === 1 ? Promise.reject(refused) : Promise.resolve(null)),
  });
  await waitFor(actor, (snapshot) => snapshot.matches("initiated"));
  actor.send(pay);
  const asked = await waitFor(actor, (snapshot) => snapshot.matches("initiated") && snapshot.context.trouble !== null);
  expect(asked.context).toMatchObject({ card: null, trouble: { code: "card_refused.expired_card" } });
  actor.send(pay);
  const waiting = await waitFor(actor, (snapshot) => snapshot.matches({ processing: "waiting" }));
  expect(waiting.context.trouble).toBeNull();
});

// The server hears of the card before only now: the one that is with the gateway goes on.
test("news of an earlier decline stops no card that is being sent", async () => {
  const refused = Object.assign(new Error("declined"), { code: "card_refused.expired_card" });
  let take: (payment: null) => void = () => undefined;
  let tries = 0;
  const { actor, told } = start({
    open: async () => payment("initiated", 3),
    handOver: () => (++tries === 1 ? Promise.reject(refused) : new Promise((go) => (take = go))),
  });
  await waitFor(actor, (snapshot) => snapshot.matches("initiated"));
  actor.send(pay);
  await waitFor(actor, (snapshot) => snapshot.matches("initiated") && snapshot.context.trouble !== null);
  actor.send(pay);
  told(payment("failed", 5));
  expect(actor.getSnapshot().matches({ processing: "sending" })).toBe(true);
  take(null);
  await waitFor(actor, (snapshot) => snapshot.matches({ processing: "waiting" }));
  told(payment("success", 8));
  expect(actor.getSnapshot().matches("success")).toBe(true);
});

// Back from the bank's page the card is not asked for again, although the server has not heard of it yet.
test("a payer back from the bank's page is not asked again", async () => {
  let asked = 0;
  const { actor, told } = start({
    returned: true,
    open: async () => payment("initiated", 3),
    handOver: async () => {
      asked++;
      return null;
    },
  });
  await waitFor(actor, (snapshot) => snapshot.matches({ processing: "waiting" }));
  told(payment("failed", 5));
  expect(actor.getSnapshot().matches("failed")).toBe(true);
  expect(actor.getSnapshot().context.card).toBeNull();
  expect(asked).toBe(0);
});

test("a payer back from the bank's page sees what became of it", async () => {
  const { actor } = start({ returned: true, open: async () => payment("failed", 5) });
  const failed = await waitFor(actor, (snapshot) => snapshot.matches("failed"));
  expect(failed.context.card).toBeNull();
});
