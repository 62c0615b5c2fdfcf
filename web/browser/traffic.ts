import type { Page, Request } from "playwright-core";

/** The requests of a page that are under way; event streams, which stay open, are left out. */
export class Traffic {
  private readonly page: Page;
  private readonly open = new Set<Request>();
  private started = 0;
  private onEmpty: (() => void)[] = [];

  constructor(page: Page) {
    this.page = page;
    page.on("request", (request) => {
      if (request.resourceType() === "eventsource" || request.url().endsWith("/stream")) return;
      this.open.add(request);
      this.started += 1;
    });
    page.on("requestfinished", (request) => this.end(request));
    page.on("requestfailed", (request) => this.end(request));
  }

  private end(request: Request): void {
    this.open.delete(request);
    if (this.open.size === 0) for (const go of this.onEmpty.splice(0)) go();
  }

  /**
   * Until nothing is under way and the page, having drawn what it was answered, asks for nothing more. A request that a
   * test holds back keeps this waiting for `atMost` milliseconds.
   */
  async quiet(atMost = 4000): Promise<void> {
    const deadline = Date.now() + atMost;
    for (let before = -1; before !== this.started && Date.now() < deadline; ) {
      await this.empty(deadline - Date.now());
      before = this.started;
      await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    }
  }

  private async empty(atMost: number): Promise<void> {
    if (this.open.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((done) => {
      this.onEmpty.push(done);
      timer = setTimeout(done, atMost);
    });
    clearTimeout(timer);
  }
}
