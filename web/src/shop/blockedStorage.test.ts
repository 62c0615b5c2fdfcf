import { afterEach, beforeEach, expect, test } from "vitest";
import { deviceStorage, isTabKept, tabStorage } from "../deviceStorage.ts";
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
