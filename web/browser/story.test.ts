import { test } from "vitest";
import { phone } from "./chromium.ts";
import type { Finding } from "./scene.ts";
import { openSite } from "./site.ts";
import { allStagings, bothStagings, chooseStagings, desktopEn, desktopZh, phoneEn, phoneZh } from "./stagings.ts";
import { tell, tellWrapped } from "./story.ts";

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

const wrapped = [
  { wrapping: "font", name: "Ines Duarte", phone: "7700900129", stay: 12 },
  { wrapping: "span", name: "Omar Haddad", phone: "7700900130", stay: 15 },
  { wrapping: "words", name: "Yuki Tanaka", phone: "7700900131", stay: 18 },
] as const;

// A room is found, booked and paid while a translation, or an extension, puts elements in the place of every text.
for (const { wrapping, name, phone: number, stay } of wrapped) {
  test.concurrent(`a room is found, booked and paid with texts wrapped in ${wrapping}`, async ({ expect }) => {
    const stage = { ...site.stage(phone, "en"), isInspected: false };
    const email = `${name.toLowerCase().replace(" ", ".")}@example.org`;
    await tellWrapped(stage, { name, email, phone: number, stay }, wrapping);
    // It can come before the page is hydrated: React then draws it anew, and the page says so.
    const isRedrawn = ({ complaints }: Finding) => complaints.every((line) => line.startsWith("hydration:"));
    // Words that stand alone are laid out apart where a control lays its parts out in a row.
    const wider = ({ wider }: Finding) => (wrapping === "words" ? [] : wider);
    const isFaulty = (one: Finding) => [...one.bare, ...wider(one), ...one.outside, ...one.uneven].length > 0;
    expect(stage.found.filter((one) => !isRedrawn(one) || isFaulty(one))).toEqual([]);
  });
}
