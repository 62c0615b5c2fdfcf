import { beforeEach, expect, test } from "vitest";
import { amend, financePath, go, leadsPath, placeOf, replayPath, scrollLeft } from "./address.ts";

beforeEach(() => history.replaceState({ key: "visit" }, "", "/workspace/leads?status=booked"));

// Addresses of the workspace name their place, anything else is unknown.
test("workspace addresses name their place, others are unknown", () => {
  expect(placeOf("/workspace")).toEqual({ page: "start" });
  expect(placeOf("/workspace/leads")).toEqual({ page: "leads" });
  expect(placeOf("/workspace/leads/48%2F213")).toEqual({ page: "replay", leadId: "48/213" });
  expect(placeOf("/workspace/finance")).toEqual({ page: "finance" });
  expect(placeOf("/workspace/read_models")).toEqual({ page: "read_models" });
  expect(placeOf("/workspace/grants")).toEqual({ page: "grants" });
  expect(placeOf("/workspace/health")).toEqual({ page: "unknown" });
  expect(placeOf("/workspace/leads/1/2")).toEqual({ page: "unknown" });
  expect(placeOf("/workspace/leads/%E0%A4%A")).toEqual({ page: "unknown" });
});

test("empty filters leave no trace in the address", () => {
  expect(leadsPath({ q: "", status: null, p: 2 })).toBe("/workspace/leads?p=2");
  expect(replayPath("48213")).toBe("/workspace/leads/48213");
  expect(replayPath("48213", 17)).toBe("/workspace/leads/48213?v=17");
  expect(financePath()).toBe("/workspace/finance");
});

// Going on keeps the visit's key, so that the product's router leaves the workspace in place.
test("going on keeps the visit's key and so the workspace mounted", () => {
  go(replayPath("48213"));
  expect(location.pathname).toBe("/workspace/leads/48213");
  expect(history.state).toMatchObject({ key: "visit" });
});

// The entry left behind remembers how far it was scrolled, the new one starts at the top.
test("the left entry keeps its scroll, the new one starts on top", () => {
  const list = document.createElement("div");
  list.setAttribute("data-list-scroll", "");
  document.body.append(list);
  list.scrollTop = 420;
  go(replayPath("48213"));
  expect(scrollLeft()).toBe(0);
  list.remove();
});

test("amending changes the address in place", () => {
  const before = history.length;
  amend(leadsPath({ q: "kelham" }));
  expect(location.search).toBe("?q=kelham");
  expect(history.length).toBe(before);
});
