import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deviceStorage, isTabKept, tabStorage } from "../deviceStorage.ts";
import { forgetReload, reloadOnce } from "../ui/reloadOnce.ts";
import { readSaved, writeSaved } from "./lead/savedForm.ts";
import { usedContact } from "./ui/usedContact.ts";

const names = ["localStorage", "sessionStorage"] as const;
const own = names.map((name) => [name, Object.getOwnPropertyDescriptor(window, name)] as const);

function replaceStorage(get: () => Storage | null): void {
  for (const name of names) Object.defineProperty(window, name, { configurable: true, get });
}

beforeEach(() => {
  deviceStorage().removeItem("a");
});

afterEach(() => {
  for (const [name, descriptor] of own) {
    if (descriptor) Object.defineProperty(window, name, descriptor);
    else Reflect.deleteProperty(window, name);
  }
});

const blocked = (): Storage => {
  throw new DOMException("Access is denied for this document.", "SecurityError");
};

test.each([
  ["blocked", blocked],
  ["absent", () => null],
])("a storage that is %s lasts as long as the page", (_, get) => {
  replaceStorage(get);
  const device = deviceStorage();
  device.removeItem("a");
  device.setItem("a", "1");
  tabStorage().setItem("a", "2");
  expect([deviceStorage().getItem("a"), deviceStorage().length, deviceStorage().key(0)]).toEqual(["1", 1, "a"]);
  device.removeItem("a");
  expect([deviceStorage().getItem("a"), tabStorage().getItem("a"), isTabKept()]).toEqual([null, "2", false]);
});

test("a browser that keeps nothing keeps it for the page", () => {
  replaceStorage(blocked);
  expect(writeSaved(deviceStorage(), { "user_details/email": "maya@example.org" })).toBe(true);
  expect(readSaved(deviceStorage())["user_details/email"]).toBe("maya@example.org");
  expect(usedContact().email).toBe("maya@example.org");
});

const full = (): Storage => ({
  getItem: () => null,
  setItem: () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  },
  removeItem: () => undefined,
  clear: () => undefined,
  key: () => null,
  length: 0,
});

// Loaded whole, the page would meet the same missing file and load itself again and again.
test.each([
  ["blocked", blocked],
  ["absent", () => null],
  ["full", full],
])("a page whose storage is %s is not loaded over and over", (_, get) => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => undefined);
  replaceStorage(get);
  expect([reloadOnce("/terms"), assign.mock.calls.length]).toEqual([false, 0]);
});

test("a page is loaded whole once, and again after it came", () => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => undefined);
  forgetReload();
  expect([reloadOnce("/terms"), reloadOnce("/terms")]).toEqual([true, false]);
  forgetReload();
  expect(reloadOnce("/terms")).toBe(true);
  expect(assign.mock.calls).toEqual([["/terms"], ["/terms"]]);
  forgetReload();
});
