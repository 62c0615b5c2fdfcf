import { expect, test } from "vitest";
import { desktop, phone, type Screen } from "./chromium.ts";
import { comeToWork } from "./desk.ts";
import { findMisfits, Heard } from "./fit.ts";
import { enter, type Scene } from "./scene.ts";
import { openSite } from "./site.ts";
import { comeBack, enquire, fillForm, findHomes, openHome, pay, type Student } from "./student.ts";

/** In a build of `scripts/made-up-language` alone: every text is marked, and longer by 40 %. */
const MADE_UP = "qps";

const site = openSite();

/** A person whose every look at a page finds what is cut, lies on something else or was not translated. */
async function enterMarked(screen: Screen, found: string[]): Promise<{ scene: Scene; heard: Heard }> {
  const stage = { ...site.stage(screen, MADE_UP), isInspected: false };
  const scene = await enter(stage);
  const heard = new Heard(scene.page);
  const look = async (name: string) => {
    await scene.look(name);
    found.push(...(await findMisfits(scene.page, heard)).map((misfit) => `${name}, ${misfit}`));
  };
  const leave = async () => {
    found.push(...stage.found.map((finding) => JSON.stringify(finding)));
    await scene.leave();
  };
  return { scene: { ...scene, look, leave }, heard };
}

const walks: { screen: Screen; student: Student }[] = [
  { screen: desktop, student: { name: "Mei Chen", email: "mei.chen@example.org", phone: "7700900123", stay: 0 } },
  { screen: phone, student: { name: "Anja Weber", email: "anja.weber@example.org", phone: "7700900124", stay: 9 } },
];

for (const { screen, student } of walks) {
  test.concurrent(`made-up words fit from home to payment at ${screen.width} px`, async () => {
    const found: string[] = [];
    const { scene, heard } = await enterMarked(screen, found);
    heard.add(Object.values(student).join("\n"));
    await findHomes(scene);
    expect(await scene.page.evaluate(() => document.documentElement.lang)).toBe(MADE_UP);
    await openHome(scene);
    const reference = await enquire(scene, student);
    await comeBack(scene, student, reference);
    await fillForm(scene, student);
    await pay(scene);
    await scene.leave();
    expect(found).toEqual([]);
  });

  test.concurrent(`made-up words fit the leads at ${screen.width} px`, async () => {
    const agent = `made.up.${screen.width}@staff.example`;
    await site.run("grant", "--email", agent, "--role", "support");
    const found: string[] = [];
    const { scene, heard } = await enterMarked(screen, found);
    heard.add(agent);
    await comeToWork(scene, agent, "leads");
    await scene.look("leads");
    await scene.leave();
    expect(found).toEqual([]);
  });
}
