import { render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { surviveTranslation } from "./translated.ts";

const { removeChild, insertBefore, appendChild } = Node.prototype;

beforeEach(() => surviveTranslation(document.body));

afterEach(() => {
  Object.assign(Node.prototype, { removeChild, insertBefore, appendChild });
});

/** What a browser's translation does: the text goes, `<font>` elements with another text stand in its place. */
function translate(root: Element): void {
  const texts: Text[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  for (const text of texts) {
    if (text.parentElement?.tagName === "FONT") continue;
    const outer = document.createElement("font");
    outer.append(document.createElement("font"));
    if (outer.firstElementChild) outer.firstElementChild.textContent = text.data.toUpperCase();
    text.replaceWith(outer);
  }
}

function Words({ at }: { at: number }) {
  return (
    <p>
      {at === 1 ? "before " : null}
      {at === 1 ? <i>new </i> : null}
      {at === 2 ? null : "changing "}
      <b>bold</b>
      {` count ${at}`}
    </p>
  );
}

const settled = () => new Promise((done) => setTimeout(done));

test("texts come, go and change while the page is translated", async () => {
  const { container, rerender } = render(<Words at={0} />);
  translate(container);
  await settled();
  expect(container.textContent).toBe("CHANGING BOLD COUNT 0");
  rerender(<Words at={1} />);
  await settled();
  expect(container.textContent).toBe("before new CHANGING BOLD count 1");
  translate(container);
  await settled();
  rerender(<Words at={2} />);
  await settled();
  expect(container.textContent).toBe("BOLD count 2");
});
