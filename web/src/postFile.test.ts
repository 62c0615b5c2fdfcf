import { afterEach, expect, test, vi } from "vitest";
import { postFile } from "./postFile.ts";

afterEach(() => vi.unstubAllGlobals());

test("a large file has more time than a small one", () => {
  const waits: number[] = [];
  class Sending extends EventTarget {
    timeout = 0;
    upload = new EventTarget();
    open() {}
    setRequestHeader() {}
    send() {
      waits.push(this.timeout);
    }
  }
  vi.stubGlobal("XMLHttpRequest", Sending);
  for (const size of [900, 700_000_000]) {
    const file = new File(["id,name"], "north.csv");
    Object.defineProperty(file, "size", { value: size });
    void postFile("/api/v0/workspace/feed_uploads", file, { query: { feed: "north" } });
  }
  expect(waits).toEqual([300_000, 20_000_000]);
});
