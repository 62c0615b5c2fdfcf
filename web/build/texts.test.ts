// @vitest-environment node
import { expect, test } from "vitest";
import { findFaults, findUnused, readTexts, type Texts } from "./texts.ts";

test("all texts are whole, and messages have one form", () => {
  expect(findFaults(readTexts())).toEqual([]);
});

test("every text is said somewhere", () => {
  // Take a text that nothing says out of every language.
  expect(findUnused(readTexts())).toEqual([]);
});

const said = "{n, plural, =0 {none} one {# home} other {# homes}} in {city}";

/** Two languages with one area: what is said in the first, and in the second, whose counts of `one` are given. */
function pairOf(text: string, translated: string, one: readonly number[] = [1], isComplete = true): Texts {
  const areas = (own: string) => new Map([["x", new Map(own === "" ? [] : [["x.key", own]])]]);
  return {
    fallback: { tag: "aa", isComplete: true, one: [1], areas: areas(text) },
    others: [{ tag: "bb", isComplete, one, areas: areas(translated) }],
  };
}

test.each([
  ["", [1], "bb x.key: not translated"],
  ["{n} {city} {town}", [1], "bb x.key: has {city, n, town} in the place of {city, n}"],
  [
    "{n, plural, other {#}} {city}",
    [1],
    "bb x.key: a plural has the forms one,other, and =0 before them where it helps",
  ],
  [
    "{n, plural, one {#} other {#}} {city}",
    [],
    "bb x.key: a plural has the forms other, and =0 before them where it helps",
  ],
  ["{n, plural, one {1 maison} other {#}} {city}", [0, 1], "bb x.key: `one` shows the count as #"],
  ["{n, select, other {#}} {city}", [1], "bb x.key: neither {x} nor {n, plural, …}"],
  ["{n, plural, many {#} one {#} other {#}} {city}", [1], "bb x.key: neither {x} nor {n, plural, …}"],
] as const)("a translation such as %j is refused", (translated, one, fault) => {
  expect(findFaults(pairOf(said, translated, one))).toContain(fault);
});

test("a text that the first language lacks is refused", () => {
  expect(findFaults(pairOf("", said))).toEqual(["bb x.key: no such text in aa"]);
});

test("a language that is not complete may lack whole areas alone", () => {
  const texts = pairOf(said, "", [1], false);
  expect(findFaults(texts)).toEqual(["bb x.key: not translated"]);
  const [other] = texts.others;
  other?.areas.clear();
  expect(findFaults(texts)).toEqual([]);
});
