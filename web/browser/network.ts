import type { Page, Route } from "playwright-core";

/** The network between one visitor and all servers: cut while they act, or between a request and its answer. */
export class Network {
  private readonly page: Page;
  private isUp = true;
  private lost: RegExp | null = null;
  private isLost = Promise.resolve();
  private tellLost = () => {};

  constructor(page: Page) {
    this.page = page;
  }

  async cut(): Promise<void> {
    this.isUp = false;
    await this.page.context().setOffline(true);
  }

  async restore(): Promise<void> {
    this.isUp = true;
    await this.page.context().setOffline(false);
  }

  /** The next request to such an address reaches its server, and the network is gone before the answer comes. */
  async loseAnswerOf(address: RegExp): Promise<void> {
    this.lost = address;
    this.isLost = new Promise((tell) => {
      this.tellLost = tell;
    });
    await this.page.route(address, async (route) => {
      const asked = route.request().url();
      // Requests to other hosts are answered by the story: it loses their answers itself.
      const isOurs = new URL(asked).host === new URL(this.page.url()).host;
      if (!isOurs || !this.losesAnswer(asked)) return route.fallback();
      // Cut before the server acts: the live stream would bring the page what the lost answer says.
      await this.cut();
      await route.fetch();
      await this.cutOff(route);
    });
  }

  /** Until that answer is lost: a network that comes back earlier would be cut once more. */
  async restoreOnceLost(): Promise<void> {
    await this.isLost;
    await this.restore();
  }

  /** Whether the answer of this request is the one to lose; asked once it is on its way. */
  losesAnswer(address: string): boolean {
    if (this.lost?.test(address) !== true) return false;
    this.lost = null;
    return true;
  }

  async cutOff(route: Route): Promise<void> {
    await this.cut();
    await route.abort("internetdisconnected");
    this.tellLost();
  }

  /** A request that the story itself answers: it fails like any other while the network is cut. */
  async carry(route: Route, answer: (route: Route) => Promise<void>): Promise<void> {
    await (this.isUp ? answer(route) : route.abort("internetdisconnected"));
  }
}
