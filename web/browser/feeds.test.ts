import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axe, desktop, open, shot } from "./chromium.ts";
import { press, type } from "./keyboard.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { bothStagings } from "./stagings.ts";
import { type Words, wordsOf } from "./words.ts";

/** Feeds in the workspace: runs that went in and were refused, and an import by upload from file to report. */

const site = openSite();

const COLUMNS = "id,name,country,city,lat,lng,price,currency,price_per,room_type";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "imports-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Imports so many homes of a feed by these options. */
async function importHomes(feed: string, homes: number, ...options: string[]): Promise<string> {
  const file = join(folder, `${feed}.csv`);
  const rows = Array.from(
    { length: homes },
    (_, n) => `${feed}-${n},Loft,GB,Leeds,53.8,-1.5,198,GBP,week,Private room`,
  );
  await writeFile(file, [COLUMNS, ...rows].join("\n"));
  const report = join(folder, `${feed}.errors.csv`);
  return await site.run("import", file, "--feed", feed, "--report", report, ...options);
}

/** Looks at the page: nothing is in a reader's way, nothing is wider than the window. */
function lookerOf(page: Page, staging: string) {
  return async (name: string) => {
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await shot(page, `workspace-${name}-${staging}`);
  };
}

const HEAD = "ref,title,country,city,lat,lng,room_type,rent,currency,period,start,term,epc";

/** A row of a file whose names are its own; a place south of the equator is not in its country. */
const rowOf = (ref: string, title: string, kind: string, lat = "53.8") =>
  `${ref},${title},GB,Leeds,${lat},-1.55,${kind},145.50,GBP,week,2028-09-11,44 weeks,C`;

type Uploaded = { name: string; mimeType: string; buffer: Buffer };

const fileOf = (name: string, ...rows: string[]): Uploaded => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from([HEAD, ...rows, ""].join("\n")),
});

for (const [place, { device, screen, lang }] of bothStagings.entries()) {
  const { say } = wordsOf(lang);

  test(`runs are listed, on a ${device} in ${lang}`, async () => {
    const { page, context, complaints } = await staffOf(site, {
      name: `imports-${device}-${lang}`,
      roles: ["admin"],
      screen,
      lang,
    });
    if (place === 0) {
      await open(page, "/workspace/feeds");
      await page.getByRole("heading", { name: say("imports.none"), exact: true }).waitFor();
      expect(await axe(page)).toEqual([]);
    }
    const feed = `north-${device}`;
    await importHomes(feed, 10);
    await expect(importHomes(feed, 2, "--missing", "withdraw")).rejects.toThrow();
    const looksWell = lookerOf(page, `${screen.width}-${lang}`);
    // The address that the list had before.
    await open(page, "/workspace/imports");
    await page.waitForURL(/\/workspace\/feeds/);
    const runs = page
      .getByRole("table", { name: say("imports.runs_newest"), exact: true })
      .getByRole("row")
      .filter({ hasText: feed });
    await runs.getByText(say("imports.complete"), { exact: true }).waitFor();
    expect(await runs.count()).toBe(2);
    await looksWell("feeds");
    await runs
      .filter({ hasText: say("imports.too_many_missing") })
      .getByRole("link")
      .click();
    await page.getByText(say("imports.too_many_missing_text", { gone: "8", homes: "10" }), { exact: true }).waitFor();
    await looksWell("feed-refused");
    expect(complaints).toEqual([]);
    await context.close();
  });
}

/** Sends the next file: it has the same columns and lacks a home, which is closed once its number is typed. */
async function closeMissing(page: Page, say: Words["say"], send: (file: Uploaded) => Promise<void>): Promise<void> {
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const heading = (name: string) => page.getByRole("heading", { name, level: 2, exact: true });
  await open(page, "/workspace/feeds/new");
  await send(fileOf("next.csv", rowOf("h-2", "Mill", "Studio")));
  await heading(say("imports.columns_title")).waitFor();
  await page.getByText(say("imports.map_kept"), { exact: true }).waitFor();
  await button(say("imports.to_homes")).click();
  await heading(say("imports.step_homes")).waitFor();
  await button(say("imports.try_all", { n: 1, shown: "1" })).click();
  await heading(say("imports.dry_run_complete")).waitFor();
  await page.getByText(say("imports.missing_withdraw", { n: 1 }), { exact: true }).click();
  const closing = button(say("imports.go_homes_close", { n: 1, shown: "1", gone: "1" }));
  await closing.click();
  await page.getByText(say("imports.number_wrong", { n: 1 }), { exact: true }).waitFor();
  await page.getByLabel(say("imports.type_number", { n: 1 }), { exact: true }).fill("1");
  await closing.click();
  await heading(say("imports.import_complete")).waitFor();
}

for (const { device, screen, lang } of bothStagings) {
  const { say } = wordsOf(lang);

  test(`a file is looked at, tried and imported, on a ${device} in ${lang}`, async () => {
    const { page, context, complaints } = await staffOf(site, {
      name: `feeds-${device}-${lang}`,
      roles: ["support"],
      screen,
      lang,
    });
    const looksWell = lookerOf(page, `${screen.width}-${lang}`);
    const feed = `upload-${device}`;
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const heading = (name: string) => page.getByRole("heading", { name, level: 2, exact: true });
    const send = async (file: Uploaded) => {
      await page.getByLabel(say("imports.feed_name"), { exact: true }).fill(feed);
      await page.getByLabel(say("imports.file"), { exact: true }).setInputFiles(file);
      await button(say("imports.read_file")).click();
    };
    await open(page, "/workspace/feeds");
    await page.getByRole("link", { name: say("imports.new"), exact: true }).click();
    await heading(say("imports.file_title")).waitFor();
    await looksWell("feed-file");
    // Each lack is said beside its field, and so is a file of another kind.
    await button(say("imports.read_file")).click();
    await page.getByText(say("imports.feed_missing"), { exact: true }).waitFor();
    await send({ name: "homes.zip", mimeType: "application/zip", buffer: Buffer.from("PK\u0003\u0004homes") });
    await page.locator("input[type=file][aria-invalid=true]").waitFor();
    await send(
      fileOf(
        "homes.csv",
        rowOf("h-1", "Loft", "Sky Pod"),
        rowOf("h-2", "Mill", "Studio"),
        rowOf("h-3", "Barn", "Studio", "-33.8"),
      ),
    );

    await heading(say("imports.columns_title")).waitFor();
    await page.waitForURL(/upload=/);
    const word = page.getByLabel(say("imports.word_means", { word: "Sky Pod" }), { exact: true });
    await looksWell("feed-columns");
    await word.selectOption("shared room");
    await button(say("imports.to_homes")).click();
    await heading(say("imports.step_homes")).waitFor();
    await page.getByRole("article", { name: "Loft", exact: true }).waitFor();
    await looksWell("feed-homes");

    await button(say("imports.try_all", { n: 3, shown: "3" })).click();
    await heading(say("imports.dry_run_complete")).waitFor();
    await page.getByRole("row").filter({ hasText: "h-3" }).first().waitFor();
    await looksWell("feed-dry-run");
    // A reload comes back to the same step, and nothing was written.
    await page.reload();
    await heading(say("imports.dry_run_complete")).waitFor();
    const listed = await context.request.get(`/api/v0/workspace/homes?feed=${feed}`);
    expect((await listed.json()).data.homes).toEqual([]);

    await button(say("imports.go_homes", { n: 2, shown: "2" })).click();
    await heading(say("imports.import_complete")).waitFor();
    await page.getByRole("link", { name: say("imports.report"), exact: true }).waitFor();
    await looksWell("feed-imported");
    await page.getByRole("link", { name: say("imports.see_homes"), exact: true }).click();
    await page.getByRole("link", { name: "Loft", exact: true }).waitFor();

    await closeMissing(page, say, send);
    await looksWell("feed-closed");
    await open(page, `/workspace/feeds?feed=${feed}`);
    const runs = page.getByRole("table", { name: say("imports.runs_newest"), exact: true }).getByRole("row");
    await expect.poll(() => runs.filter({ hasText: feed }).count()).toBe(2);
    expect(complaints).toEqual([]);
    await context.close();
  });
}

// Nothing here clicks: keys alone set a schedule, pause it and remove it.
test("a feed's schedule is set, paused and removed by keys alone", async () => {
  const { say } = wordsOf("en");
  const { page, context, complaints } = await staffOf(site, {
    name: "feeds-keys",
    roles: ["support"],
    screen: desktop,
    lang: "en",
  });
  await open(page, "/workspace/feeds");
  const feed = "leeds-keys";
  const dialog = page.getByRole("dialog");
  await press(page, page.getByRole("button", { name: say("imports.add_address"), exact: true }));
  await dialog.waitFor();
  await type(page, dialog.getByLabel(say("imports.feed_name"), { exact: true }), feed);
  const address = dialog.getByLabel(say("imports.address"), { exact: true });
  await type(page, address, "http://feeds.example/leeds.csv");
  await page.keyboard.press("Enter");
  // An address that is not encrypted is refused beside its field, and what was typed stays.
  await dialog.locator("input[type=url][aria-invalid=true]").waitFor();
  await type(page, address, "https://feeds.example/leeds.csv?key=k");
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  const row = page
    .getByRole("table", { name: say("imports.feeds"), exact: true })
    .getByRole("row")
    .filter({ hasText: feed });
  await row.getByText("feeds.example", { exact: true }).waitFor();
  expect(await row.textContent()).not.toContain("key=k");
  const active = row.getByRole("switch", { name: say("imports.read_on_schedule", { feed }), exact: true });
  await press(page, active);
  await expect.poll(() => active.getAttribute("aria-checked")).toBe("false");
  await press(page, row.getByRole("button", { name: say("imports.remove_schedule", { feed }), exact: true }));
  await press(page, dialog.getByRole("button", { name: say("imports.remove_go"), exact: true }));
  await row.waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
  await context.close();
});
