import type { CDPSession, Page } from "playwright-core";

/** How evenly a page was drawn while something was done to it. */
export interface Frames {
  what: string;
  frames: number;
  /** Frames a second on average, and how long the median, the slow and the slowest frame took, in milliseconds. */
  perSecond: number;
  p50: number;
  p95: number;
  longest: number;
  /** Of the frames, those that came a whole frame late or more (33 ms and over). */
  late: number;
  /** Processor time of the page's main thread per frame: what is left of 16.7 ms does not depend on a busy machine. */
  workPerFrame: number;
}

/** Runs something on a page and takes down when each frame was drawn meanwhile. */
export async function framesOf(page: Page, what: string, act: () => Promise<void>): Promise<Frames> {
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { frameTimes: times });
    const next = (at: number) => {
      times.push(at);
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const before = await workOf(session);
  await act();
  const work = (await workOf(session)) - before;
  await session.detach();
  const times = await page.evaluate<number[]>("window.frameTimes.splice(0)");
  const gaps = times
    .slice(1)
    .map((at, last) => at - (times[last] ?? at))
    .sort((a, b) => a - b);
  const at = (share: number) => Math.round((gaps[Math.floor(gaps.length * share)] ?? 0) * 10) / 10;
  const sum = gaps.reduce((total, gap) => total + gap, 0);
  return {
    what,
    frames: gaps.length,
    perSecond: Math.round((10_000 * gaps.length) / sum) / 10,
    p50: at(0.5),
    p95: at(0.95),
    longest: Math.round((gaps.at(-1) ?? 0) * 10) / 10,
    late: gaps.filter((gap) => gap >= 33).length,
    workPerFrame: Math.round((10_000 * work) / gaps.length) / 10,
  };
}

/** Processor seconds the page's main thread has used so far. */
async function workOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
}
