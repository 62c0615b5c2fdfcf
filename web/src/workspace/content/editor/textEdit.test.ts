import { expect, test } from "vitest";
import type { HouseText } from "../contentCalls.ts";
import {
  afterSaving,
  fillWords,
  findNameFaults,
  listEmpty,
  putName,
  startWords,
  typeWords,
  type Words,
} from "./textEdit.ts";

const words: Words = {
  title: "Who we are",
  description: "Who lets these rooms.",
  lead: "",
  act: "",
  body: "We let rooms.",
};

const text: HouseText = {
  page: "about",
  language: "en",
  revision: 3,
  shipped: words,
  draft: null,
  versions: [],
  is_shown: false,
  names: ["brand", "hold", "seller", "seller_address", "support_email"],
};

const version = (number: number, title: string) => ({
  number,
  text: { ...words, title },
  is_older: false,
  by: "Ada Okafor",
  at: "2026-11-20T09:00:00Z",
});

test("an edit begins with draft, shown version or shipped text", () => {
  const versions = [version(2, "Second"), version(1, "First")];
  const draft = { text: { ...words, title: "Draft" }, is_older: false, by: "Ada Okafor", at: "", blocks: [] };
  expect(startWords(text).title).toBe("Who we are");
  expect(startWords({ ...text, versions, is_shown: true }).title).toBe("Second");
  expect(startWords({ ...text, versions, is_shown: false }).title).toBe("Who we are");
  expect(startWords({ ...text, versions, is_shown: true, draft }).title).toBe("Draft");
  expect(fillWords({ title: "", description: "", body: "" })).toEqual({
    title: "",
    description: "",
    lead: "",
    act: "",
    body: "",
  });
});

test("typed words remember the revision that they were typed over", () => {
  const mine = { ...words, lead: "Since 1998." };
  const typed = typeWords(text, null, mine);
  expect(typed).toEqual({ words: mine, revision: 3 });
  expect(typeWords(text, typed, words)).toBeNull();
  // Another editor saved meanwhile: the same words are still a change that has to be chosen.
  const later = { ...text, revision: 4 };
  expect(typeWords(later, typed, mine)).toEqual({ words: mine, revision: 3 });
  expect(typeWords(later, typed, words)).toEqual({ words, revision: 3 });
});

test("words typed on while a draft was being kept stay", () => {
  const saved = { ...text, revision: 4 };
  const later = { ...words, lead: "Since 1998." };
  expect(afterSaving({ words, revision: 3 }, words, saved)).toBeNull();
  expect(afterSaving({ words: later, revision: 3 }, words, saved)).toEqual({ words: later, revision: 4 });
});

test("unknown names are found with line and likely name", () => {
  const faulty = {
    ...words,
    title: "{Brand} and you",
    body: "## {brand} {#who}\n\nWrite to {support_mail} by {deadline}.\n{ hold } and {}, {seller_address}.",
  };
  expect(findNameFaults(faulty, text.names)).toEqual([
    { field: "title", line: 1, name: "Brand", near: "brand" },
    { field: "body", line: 3, name: "support_mail", near: "support_email" },
    { field: "body", line: 3, name: "deadline", near: null },
    { field: "body", line: 4, name: " hold ", near: "hold" },
  ]);
  expect(findNameFaults(words, text.names)).toEqual([]);
  expect(findNameFaults({ ...words, body: "{ }" }, text.names)).toEqual([
    { field: "body", line: 1, name: " ", near: null },
  ]);
});

test("title, description and text are needed", () => {
  expect(listEmpty(words)).toEqual([]);
  expect(listEmpty({ ...words, title: " ", body: "" })).toEqual(["title", "body"]);
});

test("a name takes the place of what is selected", () => {
  expect(putName("Write to us.", "support_email", [9, 11])).toBe("Write to {support_email}.");
  expect(putName("", "brand", [0, 0])).toBe("{brand}");
});
