import type { Page } from "playwright-core";
import type { Visitor } from "./chromium.ts";
import { until } from "./until.ts";

/** Layout shifts while a page was loaded: their sum, and each part with its boxes before and after. */
interface Moved {
  /** The sum of all layout shifts: never less than the browser's own CLS, which takes the worst five seconds. */
  total: number;
  what: string[];
}

/** Slow 4G: bytes a second, milliseconds. */
const slow = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };

/** Makes this browser's network slow, keeps nothing that it brought, and takes down what moves. */
export async function slowDown({ page }: Visitor): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.emulateNetworkConditions", slow);
  await page.addInitScript(watchShifts);
}

/** Loads a page until it stands still, and adds up what moved without a press. */
export async function loadSlowly({ page, traffic }: Visitor, path: string, stands: string): Promise<Moved> {
  await page.goto(path);
  await page.waitForFunction(() => document.documentElement.dataset["ready"] === "true");
  await page.locator(stands).first().waitFor();
  await until("nothing stands for what is on its way", async () => (await countComing(page)) === 0);
  await traffic.quiet(60_000);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  return page.evaluate<Moved>("window.shiftsSeen()");
}

/** Counts the parts that stand for something on its way. */
const countComing = (page: Page) => page.locator("[aria-busy=true], .skeleton, .outline").count();

/** An entry of the kind `layout-shift`, which TypeScript's own types leave out. */
interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** Runs in the page before anything else of it. */
function watchShifts(): void {
  const seen: Moved = { total: 0, what: [] };
  const isShift = (entry: PerformanceEntry): entry is Shift => entry.entryType === "layout-shift";
  const nameOf = (node: Node | null) =>
    node instanceof Element
      ? `${node.tagName.toLowerCase()}.${node.getAttribute("class") ?? ""}`
      : `"${node?.textContent?.slice(0, 30) ?? "gone"}"`;
  const boxOf = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(" ");
  const take = (entries: PerformanceEntryList) => {
    for (const entry of entries) {
      if (!isShift(entry) || entry.hadRecentInput) continue;
      seen.total += entry.value;
      for (const { node, previousRect, currentRect } of entry.sources)
        seen.what.push(`${entry.value.toFixed(4)} ${nameOf(node)}: ${boxOf(previousRect)} → ${boxOf(currentRect)}`);
    }
  };
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  Object.assign(window, {
    shiftsSeen: () => {
      take(observer.takeRecords());
      return seen;
    },
  });
}
