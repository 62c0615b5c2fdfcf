import { afterAll, beforeAll, test } from "vitest";
import { desktop, launch, phone } from "./chromium.ts";
import { stageOf } from "./scene.ts";
import { type Server, startServer } from "./server.ts";
import { tell } from "./story.ts";

/** The whole story against one server, told on both screens and in both languages, side by side. */

let server: Server;
let browser: Awaited<ReturnType<typeof launch>>;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launch()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const tellings = [
  { screen: desktop, lang: "en", name: "Mei Chen", phone: "7700900123", stay: 0 },
  { screen: desktop, lang: "zh", name: "Lin Zhao", phone: "7700900125", stay: 3 },
  { screen: phone, lang: "en", name: "Tom Baker", phone: "7700900126", stay: 6 },
  { screen: phone, lang: "zh", name: "Anja Weber", phone: "7700900124", stay: 9 },
] as const;

for (const { screen, lang, name, phone: number, stay } of tellings) {
  const title = `a room is found, booked, paid, replayed and audited at ${screen.width} px in ${lang}`;
  test.concurrent(title, async ({ expect }) => {
    const stage = stageOf(browser, server.url, screen, lang);
    const email = `${name.toLowerCase().replace(" ", ".")}@example.org`;
    await tell(stage, { name, email, phone: number, stay }, server.run);
    expect(stage.found).toEqual([]);
  });
}
