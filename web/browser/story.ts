import { expect } from "vitest";
import { audit, comeToWork, findLead, refundPart, replay, revealWho } from "./desk.ts";
import { enter, type Stage } from "./scene.ts";
import {
  comeBack,
  enquire,
  fillForm,
  findHomes,
  openHome,
  pay,
  type Student,
  seeBooked,
  seeEnded,
  seeRefund,
} from "./student.ts";
import { type Wrapping, wrapAlways } from "./translation.ts";

/** The whole story: a student books, support replays it, finance audits it and gives some back. */
export async function tell(
  stage: Stage,
  student: Student,
  run: (...words: string[]) => Promise<string>,
): Promise<void> {
  const [desk = ""] = student.email.split("@");
  const reader = await enter(stage);
  await findHomes(reader);
  const home = await openHome(reader);
  const reference = await enquire(reader, student);
  await comeBack(reader, student, reference);
  const sections = await fillForm(reader, student);
  expect(sections).toEqual(
    ["personal_form", "emergency_form", "guarantor_form"].map((key) => reader.say(`booking.section_${key}`)),
  );
  const receipt = await pay(reader);
  await seeBooked(reader, home);

  const agent = `sam.${desk}@staff.example`;
  await run("grant", "--email", agent, "--role", "support");
  const support = await enter(stage);
  await comeToWork(support, agent, "leads");
  await findLead(support, student, reference);
  await replay(support);
  await revealWho(support, student);
  await support.leave();

  const officer = `fay.${desk}@staff.example`;
  await run("grant", "--email", officer, "--role", "finance");
  const finance = await enter(stage);
  await comeToWork(finance, officer, "finance");
  await audit(finance, reference);
  await refundPart(finance, "keep", "10.00");
  await seeRefund(reader, receipt, "£10.00");
  await refundPart(finance, "cancel", "249.07");
  await finance.leave();
  await seeEnded(reader, receipt);
  await reader.leave();
}

/** What a student does, with a browser that wraps the texts of every page as it stands and as it changes. */
export async function tellWrapped(stage: Stage, student: Student, wrapping: Wrapping): Promise<void> {
  const reader = await enter(stage);
  await wrapAlways(reader.page, wrapping);
  await findHomes(reader);
  const home = await openHome(reader);
  const reference = await enquire(reader, student);
  await comeBack(reader, student, reference);
  await fillForm(reader, student);
  await pay(reader);
  await seeBooked(reader, home);
  await reader.page.locator("main [data-wrapped]").first().waitFor({ state: "attached" });
  await reader.leave();
}
