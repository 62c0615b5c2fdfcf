import { expect, test } from "vitest";

const sources = import.meta.glob<string>("../{shop,workspace,ui}/**/*.tsx", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** A comma between two values in a template, or between the members of a list. */
const WRITTEN_COMMA = /\}, \$\{|\.join\(", "\)/;

/** GLOSSARY.md §2: the marks between words are a language's own, and come from its texts. */
test("no component writes a comma between words itself", () => {
  const components = Object.entries(sources).filter(([file]) => !/\.(test|measure)\./.test(file));
  expect(components.length).toBeGreaterThan(100);
  expect(components.filter(([, source]) => WRITTEN_COMMA.test(source)).map(([file]) => file)).toEqual([]);
});
