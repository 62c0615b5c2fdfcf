import { beforeEach, expect, test } from "vitest";
import { amend, financePath, go, leadsPath, places, replayPath, scrollLeft } from "./address.ts";

beforeEach(() => history.replaceState({ key: "visit" }, "", "/workspace/leads?status=booked"));

test("empty filters leave no trace in the address", () => {
  expect(leadsPath({ q: "", status: null, p: 2 })).toBe("/workspace/leads?p=2");
  expect(replayPath("48213")).toBe("/workspace/leads/48213");
  expect(replayPath("48213", 17)).toBe("/workspace/leads/48213?v=17");
  expect(financePath()).toBe("/workspace/finance");
});

test("going on is a new entry", () => {
  const before = history.length;
  go(replayPath("48213"));
  places.flush();
  expect(location.pathname).toBe("/workspace/leads/48213");
  expect(history.length).toBe(before + 1);
});

// The entry left behind remembers how far it was scrolled, the new one starts at the top.
test("the left entry keeps its scroll, the new one starts on top", () => {
  const list = document.createElement("div");
  list.setAttribute("data-list-scroll", "");
  document.body.append(list);
  list.scrollTop = 420;
  go(replayPath("48213"));
  places.flush();
  expect(scrollLeft()).toBe(0);
  list.remove();
});

test("amending changes the address in place", () => {
  const before = history.length;
  amend(leadsPath({ q: "kelham" }));
  places.flush();
  expect(location.search).toBe("?q=kelham");
  expect(history.length).toBe(before);
});
