import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axe, open, shot } from "./chromium.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { bothStagings } from "./stagings.ts";
import { wordsOf } from "./words.ts";

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
    const looksWell = async (name: string) => {
      expect(await axe(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
      await shot(page, `workspace-${name}-${screen.width}-${lang}`);
    };
    // The address that the list had before.
    await open(page, "/workspace/imports");
    await page.waitForURL(/\/workspace\/feeds/);
    const runs = page.getByRole("table").getByRole("row").filter({ hasText: feed });
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
