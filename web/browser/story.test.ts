import { afterAll, beforeAll, test } from "vitest";
import { desktop, launch, phone } from "./chromium.ts";
import { type Server, startServer } from "./server.ts";
import { tell } from "./story.ts";

/** The whole story against one server, told on both screens and in both languages. */

let server: Server;
let browser: Awaited<ReturnType<typeof launch>>;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launch()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const mei = { name: "Mei Chen", email: "mei.chen@example.org", phone: "7700900123" };
const anja = { name: "Anja Weber", email: "anja.weber@example.org", phone: "7700900124" };

for (const { screen, lang, student } of [
  { screen: desktop, lang: "en" as const, student: mei },
  { screen: phone, lang: "zh" as const, student: anja },
]) {
  test(`a room is found, booked, paid, replayed and audited at ${screen.width} px in ${lang}`, async () => {
    const stage = { browser, url: server.url, screen, lang, taken: { count: 0 } };
    await tell(stage, student, server.run);
  });
}
