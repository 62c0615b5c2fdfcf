import { constants, mkdtempSync, rmSync, statSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { capture, launch, type Screen, shots, type Visitor, visitor } from "./chromium.ts";
import { Marketplace } from "./marketplace.ts";
import { enter, type Scene, type Stage, stageOf } from "./scene.ts";
import { type Server, serveIn } from "./server.ts";
import type { Lang } from "./words.ts";

/** A server on a copy of the prepared data, or of `data`: nothing one test file does is seen by another. */
export async function startServer(settings: Record<string, string> = {}, data = inject("prepared")): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-"));
  await cp(data, folder, { recursive: true, mode: constants.COPYFILE_FICLONE, filter: (file) => !isEmptyLog(file) });
  const server = await serveIn(folder, settings);
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...server, stop };
}

/** A write-ahead log with nothing in it, and the index of one: the database makes them itself. */
function isEmptyLog(file: string): boolean {
  const log = file.replace(/-shm$/, "-wal");
  return log.endsWith("-wal") && (statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

let browser: Promise<Browser> | null = null;

/** What the tests of one file play on: a server with the demo catalogue, started for them alone, and a browser. */
export class Site {
  private running: { server: Server; browser: Browser; market: Marketplace } | null = null;

  async start(settings: Record<string, string>, data?: string): Promise<void> {
    browser ??= launch();
    const [server, opened] = await Promise.all([startServer(settings, data), browser]);
    this.running = { server, browser: opened, market: new Marketplace(server.url) };
  }

  async stop(): Promise<void> {
    await this.running?.browser.close();
    await this.running?.server.stop();
  }

  private get now() {
    if (this.running === null) throw new Error("nothing is played before it begins");
    return this.running;
  }

  get url(): string {
    return this.now.server.url;
  }

  get market(): Marketplace {
    return this.now.market;
  }

  /** Runs one command of the binary on the site's own data. */
  run = (...words: string[]): Promise<string> => this.now.server.run(...words);

  visit(screen: Screen, lang: Lang): Promise<Visitor> {
    return visitor(this.now.browser, this.url, screen, lang);
  }

  stage(screen: Screen, lang: Lang, url = this.url): Stage {
    return stageOf(this.now.browser, url, screen, lang);
  }

  /** One person comes, acts and leaves; nothing on the way may be unreachable, noisy or too wide. */
  async play(screen: Screen, lang: Lang, act: (scene: Scene) => Promise<void>, url = this.url): Promise<void> {
    const stage = this.stage(screen, lang, url);
    const scene = await enter(stage);
    await act(scene).catch(async (failure: unknown) => {
      // What stood on screen when a step failed; where no picture can be taken, the step's own failure is still told.
      const name = `failed-${expect.getState().currentTestName?.replace(/\W+/g, "-")}`;
      await capture(scene.page, { path: join(shots, `${name}.png`) }).catch(() => undefined);
      throw failure;
    });
    expect(stage.found).toEqual([]);
    await scene.leave();
  }
}

/** A site for the tests of this file. */
export function openSite(settings: Record<string, string> = {}, data?: string): Site {
  const site = new Site();
  beforeAll(() => site.start(settings, data));
  afterAll(() => site.stop());
  return site;
}
