import type { Page } from "playwright-core";

/** What stands in the place of a text: a translation's two `<font>` elements, an extension's `<span>`, or a `<span>` for each word. */
export type Wrapping = "font" | "span" | "words";

/**
 * Does to every text of a page, and to each that comes later, what a browser's translation and extensions do: the text is taken out
 * and elements with a copy stand in its place. It begins when the page answers to clicks.
 */
export async function wrapAlways(page: Page, wrapping: Wrapping): Promise<void> {
  await page.addInitScript((how) => {
    const untouched = new Set(["SCRIPT", "STYLE", "TITLE", "OPTION", "TEXTAREA", "FONT"]);
    const element = (tag: string, ...within: (Node | string)[]) => {
      const made = document.createElement(tag);
      made.dataset["wrapped"] = "";
      made.append(...within);
      return made;
    };
    const copies = (text: string) => {
      if (how === "font") return [element("font", element("font", text))];
      if (how === "span") return [element("span", text)];
      const words = text.split(/(\s+)/).filter((word) => word !== "");
      return words.map((word) => (word.trim() === "" ? word : element("span", word)));
    };
    const wrap = (text: Text) => {
      const parent = text.parentElement;
      if (!parent || text.data.trim() === "" || untouched.has(parent.tagName) || parent.closest("svg")) return;
      if (parent.dataset["wrapped"] === undefined) text.replaceWith(...copies(text.data));
    };
    const wrapAll = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = root instanceof Text ? [root] : [];
      while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
      texts.forEach(wrap);
    };
    const begin = new MutationObserver(() => {
      if (document.documentElement?.dataset["ready"] !== "true") return;
      begin.disconnect();
      wrapAll(document.body);
      new MutationObserver((records) => {
        for (const { target, addedNodes, type } of records) {
          for (const node of type === "characterData" ? [target] : addedNodes) if (node.isConnected) wrapAll(node);
        }
      }).observe(document.body, { childList: true, characterData: true, subtree: true });
    });
    begin.observe(document, { attributes: true, attributeFilter: ["data-ready"], subtree: true });
  }, wrapping);
}
