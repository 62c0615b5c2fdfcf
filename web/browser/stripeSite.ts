import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect } from "vitest";
import { openSite } from "./site.ts";

/** A site whose money moves through Stripe, as the imitation of Stripe's API has it that the server's stories use too. */

const imitation = spawn(resolve(import.meta.dirname, "../../target/debug/stripe-standin"), {
  stdio: ["pipe", "pipe", "inherit"],
});
export const api = await new Promise<string>((done, fail) => {
  imitation.once("error", fail);
  createInterface({ input: imitation.stdout }).once("line", (line) => done(line.split(" ").at(-1) ?? ""));
});

export const site = openSite({
  LATCHKEY_STRIPE_SECRET_KEY: "sk_test_standin",
  LATCHKEY_STRIPE_PUBLISHABLE_KEY: "pk_test_standin",
  LATCHKEY_STRIPE_WEBHOOK_SECRET: "whsec_standin",
  LATCHKEY_STRIPE_API_BASE: api,
});
beforeAll(() => imitation.stdin.write(`${site.url}/api/webhooks/stripe\n`));
afterAll(() => imitation.stdin.end());

/** What only Stripe's side does: a bank that settles, a person in the dashboard who gives money back. */
export async function atStripe(path: string, fields: Record<string, string>): Promise<void> {
  const headers = { authorization: "Bearer sk_test_standin" };
  const answer = await fetch(`${api}/v1/${path}`, { method: "POST", headers, body: new URLSearchParams(fields) });
  expect(answer.status, await answer.text()).toBe(200);
}

interface Intent {
  id: string;
  status: string;
  metadata: Record<string, string>;
}

/** Every intent that Stripe has, newest first. */
export async function intentsAtStripe(): Promise<Intent[]> {
  const headers = { authorization: "Bearer sk_test_standin" };
  const answer = await fetch(`${api}/v1/payment_intents?limit=100`, { headers });
  const { data }: { data: Intent[] } = await answer.json();
  return data;
}
