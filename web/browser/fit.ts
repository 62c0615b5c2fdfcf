import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";

/** Answers of the server to a page. Names of homes, cities and people are data, and stand there as they are. */
export class Heard {
  private readonly answers: Promise<string>[] = [];

  constructor(page: Page) {
    page.on("response", (response) => {
      const isRead = /json|html/.test(response.headers()["content-type"] ?? "");
      if (isRead) this.answers.push(response.text().catch(() => ""));
    });
  }

  /** Typed words are data as well. */
  add(typed: string): void {
    this.answers.push(Promise.resolve(typed));
  }

  async read(): Promise<string> {
    return plain((await Promise.all(this.answers)).join("\n"));
  }
}

const plain = (text: string) => text.replace(/\s+/g, " ").toLowerCase();

/** A text on the page that is marked, and what is seen of it. */
interface Line {
  text: string;
  node: number;
  /** The dialog, bar or page that it lies on; what lies on another one may stand above it. */
  layer: number;
  isCut: boolean;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Texts that are cut, lie on each other, or were not translated into the marked language; a line each. */
export async function findMisfits(page: Page, heard: Heard): Promise<string[]> {
  const lines = await page.evaluate(measureLines);
  const cut = lines.filter(({ isCut }) => isCut).map(({ text }) => `cut: ${text}`);
  const said = await heard.read();
  const texts = await page.evaluate(gatherTexts);
  const unmarked = texts.flatMap(unmarkedPieces).filter((piece) => isOurs(piece) || !isData(piece, said));
  return [...new Set([...cut, ...findOverlaps(lines), ...unmarked.map((piece) => `not translated: ${piece}`)])];
}

/** Lines of different texts that cover each other; letters are lower than the boxes that they stand in. */
function findOverlaps(lines: readonly Line[]): string[] {
  return lines.flatMap((one, at) =>
    lines.slice(at + 1).flatMap((other) => {
      if (one.node === other.node || one.layer !== other.layer) return [];
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      const least = Math.min(one.bottom - one.top, other.bottom - other.top);
      return wide > 2 && high > least * 0.4 ? [`overlap: ${one.text} | ${other.text}`] : [];
    }),
  );
}

/** Runs in the page: every line of a marked text that is seen, and whether something cuts it off that does not scroll. */
function measureLines(): Line[] {
  const layers = new Map<Element, number>();
  const layerOf = (element: Element): number => {
    let at: Element = element;
    while (at !== document.body && at.parentElement !== null) {
      if (/fixed|sticky/.test(getComputedStyle(at).position) || at.matches("dialog, [popover], .w-box")) break;
      at = at.parentElement;
    }
    layers.set(at, layers.get(at) ?? layers.size);
    return layers.get(at) ?? 0;
  };
  // Taller boxes than letters: a line may lose a few pixels of its box and no letter.
  const slack = { x: 1, y: 5 };
  const seenOf = (element: Element, box: DOMRect): Omit<Line, "text" | "node" | "layer"> | null => {
    let { left, right, top, bottom } = box;
    let isCut = false;
    for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      const edge = at.getBoundingClientRect();
      // Only screen readers have it.
      if (style.clipPath !== "none" || edge.width <= 1) return null;
      if (style.overflowX !== "visible") {
        const isBeyond = left < edge.left - slack.x || right > edge.right + slack.x;
        if (/hidden|clip/.test(style.overflowX) && isBeyond) isCut = true;
        left = Math.max(left, edge.left);
        right = Math.min(right, edge.right);
      }
      if (style.overflowY !== "visible") {
        const isBeyond = top < edge.top - slack.y || bottom > edge.bottom + slack.y;
        if (/hidden|clip/.test(style.overflowY) && isBeyond) isCut = true;
        top = Math.max(top, edge.top);
        bottom = Math.min(bottom, edge.bottom);
      }
      if (left >= right || top >= bottom) return null;
    }
    if (right > document.documentElement.clientWidth + slack.x) isCut = true;
    return bottom + scrollY < 0 || right < 0 ? null : { left, right, top, bottom, isCut };
  };
  const lines: Line[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(), count = 0; node !== null; node = texts.nextNode(), count += 1) {
    const element = node.parentElement;
    if (element === null || !/[[\]]/.test(node.textContent ?? "") || element.closest("script, style, option")) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      const seen = seenOf(element, box);
      if (seen !== null)
        lines.push({ text: (node.textContent ?? "").trim(), node: count, layer: layerOf(element), ...seen });
    }
  }
  return lines;
}

/** Runs in the page: what each block says, and what is said of fields and pictures. Parts in another language are left out. */
function gatherTexts(): string[] {
  const isLeftOut = (element: Element) =>
    element.closest("script, style, template, noscript, option, code, pre, svg, [translate=no], body [lang]") !== null;
  const blocks = new Map<Element, string>();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    let block = node.parentElement;
    if (block === null || isLeftOut(block)) continue;
    while (block.parentElement !== null && /^(inline|contents)$/.test(getComputedStyle(block).display))
      block = block.parentElement;
    blocks.set(block, (blocks.get(block) ?? "") + (node.textContent ?? ""));
  }
  const named = [...document.querySelectorAll("[aria-label], [placeholder], [title], img[alt]")];
  const names = named
    .filter((element) => !isLeftOut(element))
    .flatMap((element) =>
      ["aria-label", "placeholder", "title", "alt"].map((name) => element.getAttribute(name) ?? ""),
    );
  return [...blocks.values(), ...names];
}

/** The parts of a block outside of marks, in the pieces that dots and brackets cut it into. */
function unmarkedPieces(block: string): string[] {
  let rest = block;
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replace(/\[[^[\]]*\]/g, "\n");
  }
  const pieces = rest.split(/[\n·•|→(),:]+| – /).map((piece) => piece.trim());
  return pieces.filter((piece) => /\p{Ll}{3,}/u.test(piece));
}

const folder = resolve(import.meta.dirname, "../../i18n");
const { fallback }: { fallback: string } = JSON.parse(readFileSync(join(folder, "languages.json"), "utf8"));
const readFallback = (file: string) => JSON.parse(readFileSync(join(folder, fallback, file), "utf8"));

const { months, months_short, days, days_short }: Record<string, string[]> = readFallback("forms.json");
const dateWords = new Set([months, months_short, days, days_short].flatMap((words) => words ?? []));

/** Texts of the catalogue of more than one word, as they stand before they are translated. */
const ourTexts = new Set(
  readdirSync(join(folder, fallback))
    .filter((file) => file !== "forms.json")
    .flatMap((file): string[] => Object.values(readFallback(file)))
    .filter((text) => text.includes(" ")),
);

const isOurs = (piece: string): boolean => ourTexts.has(piece);

/** Words that the server or a person said, an address, or a day. */
function isData(piece: string, said: string): boolean {
  if (piece.includes("@") || said.includes(plain(piece))) return true;
  return piece.split(/[\s,]+/).every((word) => dateWords.has(word) || !/\p{Ll}{3,}/u.test(word));
}
