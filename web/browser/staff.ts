import type { BrowserContext } from "playwright-core";
import { expect } from "vitest";
import type { Screen, Visitor } from "./chromium.ts";
import type { Site } from "./site.ts";
import type { Lang } from "./words.ts";

interface Colleague {
  name: string;
  roles: readonly string[];
}

interface Placed extends Colleague {
  screen: Screen;
  lang: Lang;
}

/** A member of staff at their desk, logged in by code, with these roles. */
export async function staffOf(site: Site, { name, roles, screen, lang }: Placed): Promise<Visitor> {
  const one = await site.visit(screen, lang);
  await comesToWork(site, one.context, { name, roles });
  return one;
}

/** Gives the roles and logs this browser in by code, before it opens a page. */
export async function comesToWork(site: Site, context: BrowserContext, { name, roles }: Colleague): Promise<void> {
  const email = `${name}@staff.example`;
  for (const role of roles) await site.run("grant", "--email", email, "--role", role);
  await logInByCode(site, context, email);
}

/** Logs this browser in by a code, before it opens a page. */
export async function logInByCode(site: Site, context: BrowserContext, email: string): Promise<void> {
  const api = context.request;
  const ask = () => api.post("/api/v0/users/generate_email_otp", { data: { user: { email } } });
  let asked = await ask();
  if (asked.status() === 429) {
    // Logged in a moment ago already: a further code is given after half a minute.
    await site.market.call("POST", "/dev/clock", { forward_seconds: 60 });
    asked = await ask();
  }
  const { session_uuid } = (await asked.json()).data;
  const otp = await newestCode(api, email);
  const entered = await api.post("/api/v0/users/login_email_otp", { data: { user: { email, otp, session_uuid } } });
  expect(entered.status()).toBe(200);
}

/** The newest code that was mailed to a member of staff. */
export const mailedCode = (api: BrowserContext["request"], name: string) => newestCode(api, `${name}@staff.example`);

/** The newest message with a code: another one may have come after it. */
async function newestCode(api: BrowserContext["request"], email: string): Promise<string> {
  const to = encodeURIComponent(email);
  const sent = await api.get(`/dev/outbox?to=${to}`, { headers: { accept: "application/json" } });
  const { data }: { data: { kind: string; subject: string }[] } = await sent.json();
  const mail = data.find(({ kind }) => kind === "otp" || kind === "second_factor_code");
  return /\b\d{6}\b/.exec(mail?.subject ?? "")?.[0] ?? "";
}
