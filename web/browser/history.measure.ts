import type { Page } from "playwright-core";
import { test } from "vitest";
import { desktop, open } from "./chromium.ts";
import { type Frames, framesOf } from "./frames.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";

/**
 * G16: a lead of 100,000 events in the workspace. `HISTORY_DATA` names a data folder whose one lead has them (`ours history`,
 * docs/benchmarks.md); printed, never asserted.
 */
const data = process.env["HISTORY_DATA"];

const nextFrame = (page: Page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));

if (data === undefined) {
  test("no history is measured: HISTORY_DATA names no folder", () => undefined);
} else {
  const site = openSite({ LATCHKEY_DEMO_CATALOGUE: "false" }, data);
  test("a lead of 100,000 events opens and is scrubbed", async () => {
    const desk = await staffOf(site, { name: "frames", roles: ["support"], screen: desktop, lang: "en" });
    const { page } = desk;
    const leads = await (await desk.context.request.get("/api/v0/workspace/leads?limit=1")).json();
    const path = `/workspace/leads/${leads.data.result[0].lead_id}`;
    for (let times = 0; times < 5; times++) {
      const began = Date.now();
      await open(page, times % 2 === 0 ? path : `${path}?v=${20_000 * times}`);
      await page.locator(".ev .sent").first().waitFor();
      console.log(`opened in ${Date.now() - began} ms`);
    }
    const box = await page.locator(".marks").boundingBox();
    if (box === null) throw new Error("there is no scrubber");
    const measured: Frames[] = [];
    const drag = async (steps: number) => {
      const y = box.y + box.height / 2;
      const at = (step: number) => box.x + 2 + (box.width - 4) * (1 - Math.abs((2 * step) / steps - 1));
      await page.mouse.move(at(0), y);
      await page.mouse.down();
      for (let step = 0; step <= steps; step++) {
        await page.mouse.move(at(step), y);
        await nextFrame(page);
      }
      await page.mouse.up();
    };
    measured.push(await framesOf(page, "play head dragged there and back", () => drag(240)));
    const steps = async () => {
      for (let step = 0; step < 120; step++) {
        await page.keyboard.press("ArrowLeft");
        await nextFrame(page);
      }
    };
    measured.push(await framesOf(page, "120 steps back by key", steps));
    console.table(measured);
  });
}
