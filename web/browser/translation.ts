import type { Page } from "playwright-core";

/**
 * Does to every text of a page, and to each that comes later, what a browser's translation does: the text is taken out and two
 * `<font>` elements with a copy stand in its place. It begins when the page answers to clicks.
 */
export async function translateAlways(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const untouched = new Set(["SCRIPT", "STYLE", "TITLE", "OPTION", "TEXTAREA", "FONT"]);
    const wrap = (text: Text) => {
      const parent = text.parentElement;
      if (!parent || text.data.trim() === "" || untouched.has(parent.tagName) || parent.closest("svg")) return;
      const outer = document.createElement("font");
      const inner = outer.appendChild(document.createElement("font"));
      inner.textContent = text.data;
      text.replaceWith(outer);
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
  });
}
