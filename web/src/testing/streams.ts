import { vi } from "vitest";

/** A stream of events as the browser has it, without a server. */
export class FakeStream {
  static readonly CLOSED = 2;
  static open: FakeStream[] = [];
  readonly url: string;
  readyState = 1;
  private readonly takers = new Map<string, (message: { data: string }) => void>();

  constructor(url: string) {
    this.url = url;
    FakeStream.open.push(this);
  }

  addEventListener(name: string, take: (message: { data: string }) => void): void {
    this.takers.set(name, take);
  }

  say(name: string, data = ""): void {
    this.takers.get(name)?.({ data });
  }

  refuse(): void {
    this.close();
    this.say("error");
  }

  close(): void {
    this.readyState = FakeStream.CLOSED;
    FakeStream.open = FakeStream.open.filter((stream) => stream !== this);
  }
}

/** Puts streams of the test's own in the place of the browser's. */
export function fakeStreams(): void {
  FakeStream.open = [];
  vi.stubGlobal("EventSource", FakeStream);
}

/** Hides the tab of the test, or shows it again. */
export function turnTab(isSeen: boolean): void {
  vi.spyOn(document, "hidden", "get").mockReturnValue(!isSeen);
  document.dispatchEvent(new Event("visibilitychange"));
}
