import { expect, test } from "vitest";
import type { HelpQuestion, HelpTopic } from "../../contract/wire.ts";
import { findAnswers } from "./helpSearch.ts";

const question = (id: string, asked: string, said: string): HelpQuestion => ({
  id,
  question: asked,
  answer: [
    {
      kind: "paragraph",
      id: null,
      items: [],
      first: null,
      runs: [{ text: said, is_strong: false, href: null }],
    },
  ],
});

const topics: HelpTopic[] = [
  {
    id: "money",
    name: "Money",
    questions: [
      question("fee", "What is a holding fee?", "It takes the room off the market."),
      question("refund", "When is my money back?", "A refund of the holding fee goes to your card."),
    ],
  },
  { id: "zh", name: "账户", questions: [question("code", "为什么没有密码？", "您用验证码登录。")] },
];

const found = (text: string) => findAnswers(topics, text).map((one) => one.id);

test("answers whose question names the words come first", () => {
  expect(found("holding FEE")).toEqual(["fee", "refund"]);
  expect(found("card")).toEqual(["refund"]);
  expect(found("验证码")).toEqual(["code"]);
});

test("no words and unknown words find nothing", () => {
  expect(found("  ")).toEqual([]);
  expect(found("parrot")).toEqual([]);
});
