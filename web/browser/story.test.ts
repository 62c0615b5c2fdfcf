import { test } from "vitest";
import { phone } from "./chromium.ts";
import type { Finding } from "./scene.ts";
import { openSite } from "./site.ts";
import { allStagings, bothStagings, chooseStagings, desktopEn, desktopZh, phoneEn, phoneZh } from "./stagings.ts";
import { tell, tellTranslated } from "./story.ts";

/** The whole story against one server, told on both screens and in both languages, side by side. */

const site = openSite();

const tellings = [
  { ...desktopEn, name: "Mei Chen", phone: "7700900123", stay: 0 },
  { ...phoneZh, name: "Anja Weber", phone: "7700900124", stay: 9 },
  { ...desktopZh, name: "Lin Zhao", phone: "7700900125", stay: 3 },
  { ...phoneEn, name: "Tom Baker", phone: "7700900126", stay: 6 },
];
const told = chooseStagings(bothStagings, allStagings).length;

for (const { screen, lang, name, phone: number, stay } of tellings.slice(0, told)) {
  const title = `a room is found, booked, paid, replayed and audited at ${screen.width} px in ${lang}`;
  test.concurrent(title, async ({ expect }) => {
    const stage = site.stage(screen, lang);
    const email = `${name.toLowerCase().replace(" ", ".")}@example.org`;
    await tell(stage, { name, email, phone: number, stay }, site.run);
    expect(stage.found).toEqual([]);
  });
}

// A room is found, booked and paid while the browser translates every text.
test.concurrent("a room is found, booked and paid in a translated browser", async ({ expect }) => {
  const stage = { ...site.stage(phone, "en"), isInspected: false };
  const student = { name: "Ines Duarte", email: "ines.duarte@example.org", phone: "7700900129", stay: 12 };
  await tellTranslated(stage, student);
  // Translation can come before the page is hydrated: React then draws it anew, and the page says so.
  const isRedrawn = ({ complaints }: Finding) => complaints.every((line) => line.startsWith("hydration:"));
  expect(
    stage.found.filter(
      (one) => !isRedrawn(one) || [...one.bare, ...one.wider, ...one.outside, ...one.uneven].length > 0,
    ),
  ).toEqual([]);
});
