import { render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { surviveTranslation } from "./translated.ts";

const { removeChild, insertBefore, appendChild } = Node.prototype;

beforeEach(() => surviveTranslation(document.body));

afterEach(() => {
  Object.assign(Node.prototype, { removeChild, insertBefore, appendChild });
});

function element(tag: string, ...within: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  made.append(...within);
  return made;
}

/** The words of a text and the spaces between them. */
const wordsOf = (text: string) => text.split(/(\s+)/).filter((word) => word !== "");

const inSpans = (text: Text) =>
  wordsOf(text.data).map((word) => (word.trim() === "" ? document.createTextNode(word) : element("span", word)));

/** Cuts a text after each word; answers its pieces, itself the first. */
function cut(text: Text): Text[] {
  const pieces = [text];
  for (const word of wordsOf(text.data).slice(0, -1)) {
    const last = pieces.at(-1);
    if (last) pieces.push(last.splitText(word.length));
  }
  return pieces;
}

/** What translations and extensions do to a text. */
const disturbances: Record<string, (text: Text) => void> = {
  "two fonts around a translation": (text) =>
    text.replaceWith(element("font", element("font", text.data.toUpperCase()))),
  "a span with the same words": (text) => text.replaceWith(element("span", text.data)),
  "one span a word": (text) => text.replaceWith(...inSpans(text)),
  "one span a word, put before the text that then goes": (text) => {
    text.before(...inSpans(text));
    text.remove();
  },
  "an element of its own kind": (text) => text.replaceWith(element("x-word", text.data)),
  "a span around the text itself": (text) => {
    const span = element("span");
    text.replaceWith(span);
    span.append(text);
  },
  "a text cut after each word": (text) => void cut(text),
  "a text cut after each word, each in bold": (text) => {
    for (const piece of cut(text)) {
      const bold = element("b");
      piece.replaceWith(bold);
      bold.append(piece);
    }
  },
  "the last words marked": (text) => {
    const last = cut(text).at(-1);
    if (last && last !== text) last.replaceWith(element("mark", last.data));
  },
  "a second span for the first": (text) => {
    const span = element("span", text.data);
    text.replaceWith(span);
    span.replaceWith(element("span", text.data));
  },
  "texts of our own in their place": (text) => text.replaceWith(document.createTextNode(text.data)),
};

/** Does it to every text of React's that stands where React put it. */
function disturb(root: Element, act: (text: Text) => void): void {
  const texts: Text[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (text instanceof Text && Object.keys(text).some((key) => key.startsWith("__reactFiber$"))) texts.push(text);
  }
  for (const text of texts) act(text);
}

function Words({ at }: { at: number }) {
  return (
    <p>
      {at === 1 ? "before it " : null}
      {at === 1 ? <i>new </i> : null}
      {at === 2 ? null : "changing all words "}
      <b>bold</b>
      {` count is ${at}`}
    </p>
  );
}

const settled = () => new Promise((done) => setTimeout(done));

test.each(Object.entries(disturbances))("texts come, go and change under %s", async (_, act) => {
  const { container, rerender } = render(<Words at={0} />);
  const shown = () => container.textContent?.toLowerCase();
  disturb(container, act);
  await settled();
  expect(shown()).toBe("changing all words bold count is 0");
  rerender(<Words at={1} />);
  await settled();
  expect(shown()).toBe("before it new changing all words bold count is 1");
  disturb(container, act);
  await settled();
  rerender(<Words at={2} />);
  await settled();
  expect(shown()).toBe("bold count is 2");
});

test("texts that were merged into one do not break the page", async () => {
  const { container, rerender } = render(<Words at={1} />);
  container.normalize();
  await settled();
  rerender(<Words at={2} />);
  await settled();
  rerender(<Words at={0} />);
  await settled();
  expect(container.textContent).toContain("changing all words bold");
});

test("elements of others beside a text stay when it changes", async () => {
  const { container, rerender } = render(<Words at={0} />);
  const beside = element("span", "!");
  container.querySelector("b")?.before(beside);
  await settled();
  disturb(container, (text) => text.replaceWith(element("span", text.data)));
  await settled();
  rerender(<Words at={2} />);
  await settled();
  expect(container.textContent).toBe("!bold count is 2");
});
