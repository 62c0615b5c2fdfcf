import { expect } from "vitest";
import type { Screen, Visitor } from "./chromium.ts";
import type { Site } from "./site.ts";
import type { Lang } from "./words.ts";

interface Colleague {
  name: string;
  roles: readonly string[];
  screen: Screen;
  lang: Lang;
}

/** A member of staff at their desk, logged in by code, with these roles. */
export async function staffOf(site: Site, { name, roles, screen, lang }: Colleague): Promise<Visitor> {
  const email = `${name}@staff.example`;
  for (const role of roles) await site.run("grant", "--email", email, "--role", role);
  const one = await site.visit(screen, lang);
  const api = one.context.request;
  const asked = await api.post("/api/v0/users/generate_email_otp", { data: { user: { email } } });
  const { session_uuid } = (await asked.json()).data;
  const sent = await (await api.get(`/dev/outbox?to=${email}`, { headers: { accept: "application/json" } })).text();
  const otp = /\b\d{6}\b/.exec(sent)?.[0];
  const entered = await api.post("/api/v0/users/login_email_otp", { data: { user: { email, otp, session_uuid } } });
  expect(entered.status()).toBe(200);
  return one;
}
