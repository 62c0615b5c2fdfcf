import { expect, test } from "vitest";
import { createActor, fromPromise, SimulatedClock, waitFor } from "xstate";
import type { OtpSent, User } from "../../contract/wire.ts";
import { loginMachine } from "./loginMachine.ts";

const sent: OtpSent = { session_uuid: "s-1", resend_after_s: 30, expires_in_s: 600 };
const user: User = {
  id: "u-1",
  name: null,
  email: "maya@example.org",
  phone: null,
  login_type: "email",
  is_internal: false,
  roles: [],
  referral_code: "MAYA-7Q4K",
};
const handle = { method: "email", value: "maya@example.org" } as const;

/** The login screen against a server that answers as told, on a clock of its own. */
function start(verify: () => Promise<User>, generate: () => Promise<OtpSent> = async () => sent) {
  const clock = new SimulatedClock();
  const machine = loginMachine.provide({
    actors: { generateCode: fromPromise(generate), verifyCode: fromPromise(verify) },
  });
  const actor = createActor(machine, { clock });
  actor.start();
  return { actor, clock };
}

const wrong = () => Promise.reject(Object.assign(new Error("That code is not right"), { code: "wrong_code" }));

test("a right code logs the person in", async () => {
  const { actor } = start(async () => user);
  actor.send({ type: "login.send", handle });
  await waitFor(actor, (snapshot) => snapshot.hasTag("code"));
  actor.send({ type: "login.verify", code: "483920" });
  const done = await waitFor(actor, (snapshot) => snapshot.matches("done"));
  expect(done.context.user).toEqual(user);
});

// A wrong code is said on the code page and cleared by the next digit.
test("a wrong code's message is cleared by the next digit", async () => {
  const { actor } = start(wrong);
  actor.send({ type: "login.send", handle });
  await waitFor(actor, (snapshot) => snapshot.hasTag("code"));
  actor.send({ type: "login.verify", code: "000000" });
  const refused = await waitFor(actor, (snapshot) => snapshot.context.verificationError !== null);
  expect(refused.context.verificationError?.message).toBe("That code is not right");
  actor.send({ type: "login.code_changed" });
  expect(actor.getSnapshot().context.verificationError).toBeNull();
});

// A code that could not be sent is said at the address, and editing the address clears it.
test("a sending failure shows at the address and clears on edit", async () => {
  const { actor } = start(
    async () => user,
    () => Promise.reject(new Error("Too many codes")),
  );
  actor.send({ type: "login.send", handle });
  const refused = await waitFor(actor, (snapshot) => snapshot.context.generationError !== null);
  expect(refused.matches("asking")).toBe(true);
  actor.send({ type: "login.handle_changed" });
  expect(actor.getSnapshot().context.generationError).toBeNull();
});

test("a new code can be asked for after 30 seconds, and not before", async () => {
  const { actor, clock } = start(wrong);
  actor.send({ type: "login.send", handle });
  await waitFor(actor, (snapshot) => snapshot.hasTag("code"));
  expect(actor.getSnapshot().can({ type: "login.resend" })).toBe(false);
  clock.increment(30_000);
  expect(actor.getSnapshot().can({ type: "login.resend" })).toBe(true);
  actor.send({ type: "login.resend" });
  const again = await waitFor(actor, (snapshot) => snapshot.context.sends === 2);
  expect(again.can({ type: "login.resend" })).toBe(false);
});

test("going back keeps the address and forgets both errors", async () => {
  const { actor } = start(wrong);
  actor.send({ type: "login.send", handle });
  await waitFor(actor, (snapshot) => snapshot.hasTag("code"));
  actor.send({ type: "login.back" });
  expect(actor.getSnapshot().context.handle).toEqual(handle);
  expect(actor.getSnapshot().matches("asking")).toBe(true);
});
