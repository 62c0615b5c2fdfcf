import { expect, test } from "vitest";
import { axe, desktop, open, shot } from "./chromium.ts";
import { press, reach, type } from "./keyboard.ts";
import { openSite } from "./site.ts";
import { staffOf } from "./staff.ts";
import { bothStagings } from "./stagings.ts";
import { wordsOf } from "./words.ts";

/** Homes in the workspace: found, looked at in every part, edited, made, paused and closed. */

const site = openSite();

const HOUSE = "Bloomsbury Row";

for (const { device, screen, lang } of bothStagings) {
  const { say } = wordsOf(lang);

  test(`a home is found, read and edited, on a ${device} in ${lang}`, async () => {
    const { page, context, complaints } = await staffOf(site, {
      name: `homes-${device}-${lang}`,
      roles: ["support"],
      screen,
      lang,
    });
    const looksWell = async (name: string) => {
      expect(await axe(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
      await shot(page, `workspace-${name}-${screen.width}-${lang}`);
    };
    await open(page, "/workspace/homes?q=bloomsbury%20row");
    const link = page.getByRole("link", { name: HOUSE, exact: true });
    await link.waitFor();
    await looksWell("homes");
    await link.click();
    const guarantor = page.getByRole("combobox", { name: say("homes.fact_guarantor"), exact: true });
    await guarantor.waitFor();
    await looksWell("home");
    const chosen = (await guarantor.inputValue()) === "local" ? "international" : "local";
    await guarantor.selectOption(chosen);
    // Elsewhere and back: what was chosen is still there.
    const part = (name: string) => page.getByRole("navigation", { name: say("homes.parts") }).getByText(name);
    await part(say("homes.part_stock")).click();
    await page.getByRole("slider").first().waitFor();
    await looksWell("home-stock");
    await part(say("homes.part_facts")).click();
    expect(await guarantor.inputValue()).toBe(chosen);
    await page.getByRole("button", { name: say("homes.save_with_reason") }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("Agent phoned");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: say("homes.save"), exact: true })
      .click();
    await page.getByText(say("homes.saved"), { exact: true }).waitFor();
    await page
      .getByText(say("homes.reason_said", { reason: "Agent phoned" }))
      .first()
      .waitFor();
    expect(await guarantor.inputValue()).toBe(chosen);
    await part(say("homes.part_history")).click();
    await page.getByText(say("homes.change_edited")).first().waitFor();
    await looksWell("home-history");
    expect(complaints).toEqual([]);
    await context.close();
  });
}

// Nothing here clicks: keys alone make a home, pause one and close it.
test("a home is made, paused and closed by keys alone", async () => {
  const { say } = wordsOf("en");
  const { page, context, complaints } = await staffOf(site, {
    name: "homes-keys",
    roles: ["support"],
    screen: desktop,
    lang: "en",
  });
  await open(page, "/workspace/homes");
  await page.getByRole("table").waitFor();
  await page.keyboard.press("n");
  const field = (name: string) => page.getByRole("textbox", { name, exact: true });
  await type(page, field(say("homes.fact_name")), "Harbour Yard 187");
  await type(page, page.getByRole("combobox", { name: say("homes.city"), exact: true }), "london");
  await type(page, field(say("homes.why")), "A landlord by phone");
  await press(page, page.getByRole("button", { name: say("homes.add_draft"), exact: true }));
  await page.getByRole("heading", { name: "Harbour Yard 187" }).waitFor();
  await page.locator("h1 .chip", { hasText: say("homes.state_draft") }).waitFor();
  expect(await axe(page)).toEqual([]);

  await open(page, "/workspace/homes?q=bloomsbury%20row");
  await page.getByRole("link", { name: HOUSE, exact: true }).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("p");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press(" ");
  await page
    .getByRole("radio", { name: say("homes.reason_provider_asked"), checked: true })
    .waitFor({ state: "attached" });
  await reach(page, page.getByRole("dialog").getByRole("textbox"));
  await page.keyboard.type("The heating is being replaced");
  expect(await axe(page)).toEqual([]);
  await press(page, page.getByRole("dialog").getByRole("button", { name: say("homes.pause_go"), exact: true }));
  await page.getByText(say("homes.done_of", { n: 1, of: 1 }), { exact: true }).waitFor();
  await press(page, page.getByRole("link", { name: HOUSE, exact: true }));
  await page.locator("h1 .chip", { hasText: say("homes.state_paused") }).waitFor();
  await press(page, page.getByRole("button", { name: say("homes.act_close"), exact: true }));
  await page.getByRole("dialog").waitFor();
  await reach(page, page.getByRole("dialog").getByRole("textbox"));
  await page.keyboard.type("The provider has left");
  await press(page, page.getByRole("dialog").getByRole("button", { name: say("homes.close_go"), exact: true }));
  await page.locator("h1 .chip", { hasText: say("homes.state_closed") }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
