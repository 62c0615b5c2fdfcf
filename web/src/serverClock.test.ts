import { expect, test } from "vitest";
import { noteServerTime, serverNow } from "./serverClock.ts";

function answered(offset: number, cacheControl: string): Headers {
  return new Headers({ date: new Date(Date.now() + offset).toUTCString(), "cache-control": cacheControl });
}

test("the server's time counts where this machine's clock is wrong", () => {
  noteServerTime(answered(600_000, "no-store"));
  expect(Math.abs(serverNow() - Date.now() - 600_000)).toBeLessThan(2_000);
  noteServerTime(answered(-600_000, "max-age=60"));
  expect(serverNow()).toBeGreaterThan(Date.now() + 500_000);
  noteServerTime(answered(0, "no-store"));
  expect(Math.abs(serverNow() - Date.now())).toBeLessThan(50);
});
