import { expect, test } from "vitest";
import { loadAreas, text } from "../i18n/catalogue.ts";
import { pageLanguages } from "../i18n/languages.ts";
import "../i18n/workspaceTexts.ts";
import { workspaceAreas } from "./areas.ts";
import { listPlaces, pages } from "./pages.ts";
import { router } from "./router.tsx";

/** The route an address leads to, with what it reads from the address. */
function at(address: string) {
  const { pathname, search } = new URL(address, "http://desk");
  const matches = router.matchRoutes(pathname, router.options.parseSearch(search));
  const last = matches.at(-1);
  const isMissing = matches.some((match) => match._notFound === true);
  return { route: isMissing ? null : last?.fullPath, params: last?.params, search: last?.search };
}

test("addresses lead to their page, anything else to none", () => {
  for (const { to } of pages) {
    const address = to.replace(/\$\w+/g, "48213");
    expect(at(address).route).toBe(to);
  }
  expect(at("/workspace/leads/48%2F213")).toMatchObject({
    route: "/workspace/leads/$leadId",
    params: { leadId: "48/213" },
  });
  for (const unknown of ["/workspace/heath", "/workspace/leads/1/2"]) expect(at(unknown).route).toBeNull();
});

// Written by `make contract` (`vitest --update`): the server answers 404 for any other address (`api/pages/src/workspace_paths.txt`).
test("the server knows every page", async () => {
  const paths = ["/workspace", ...pages.map(({ to }) => to)];
  await expect(`${paths.toSorted().join("\n")}\n`).toMatchFileSnapshot("../../../api/pages/src/workspace_paths.txt");
});

test("parameters are typed, unreadable ones count as absent", () => {
  expect(at("/workspace/leads?q=mei&p=2").search).toMatchObject({ q: "mei", status: null, p: 2 });
  expect(at("/workspace/leads/48213?v=17").search).toMatchObject({ v: 17 });
  expect(at("/workspace/leads/48213?v=soon").search).toMatchObject({ v: null });
  expect(at("/workspace/finance?payment=7&kind=stolen").search).toMatchObject({ payment: "7", kind: null });
});

test("empty filters leave no trace in the address", () => {
  const { href } = router.buildLocation({ to: "/workspace/leads", search: { q: "", status: null, p: 2 } });
  expect(href).toBe("/workspace/leads?p=2");
  expect(router.buildLocation({ to: "/workspace/finance" }).href).toBe("/workspace/finance");
  expect(replayAt(null)).toBe("/workspace/leads/48213");
  expect(replayAt(17)).toBe("/workspace/leads/48213?v=17");
});

function replayAt(v: number | null): string {
  return router.buildLocation({ to: "/workspace/leads/$leadId", params: { leadId: "48213" }, search: { v } }).href;
}

// The router reads its own results again when it builds an address.
test("parameters read twice are the same", () => {
  for (const address of ["/workspace/leads?q=mei", "/workspace/finance?payment=7&p=3", "/workspace/leads/48213?v=17"]) {
    const { search } = at(address);
    const query = router.options.stringifySearch?.(search ?? {}) ?? "";
    expect(`${address.split("?")[0]}${query}`).toBe(address);
    expect(at(`${address.split("?")[0]}${query}`).search).toEqual(search);
  }
});

test("a filter typed replaces the entry, a lead opened adds one", async () => {
  await router.navigate({ to: "/workspace/leads" });
  const before = history.length;
  await router.navigate({ to: "/workspace/leads", search: { q: "kelham st" }, replace: true });
  expect(location.search).toBe("?q=kelham%20st");
  expect(history.length).toBe(before);
  await router.navigate({ to: "/workspace/leads/$leadId", params: { leadId: "48213" } });
  expect(location.pathname).toBe("/workspace/leads/48213");
  expect(history.length).toBe(before + 1);
});

// GLOSSARY.md §5: a name in the bar is as short as a tab's, so that neither the side bar nor a phone's bar cuts it.
test("names in the side bar have at most 16 letters", async () => {
  const everything = { leads: true, finance: true, grants: true, unmask: true, refund_limit_minor: 0 };
  const shown = listPlaces(everything).filter(({ isOnlyInList = false }) => !isOnlyInList);
  for (const [lang] of pageLanguages()) {
    await loadAreas(lang, workspaceAreas);
    const names = shown.map(({ name }) => text(lang, name, {}));
    expect(names.filter((name) => name.includes(".") || [...name].length > 16)).toEqual([]);
  }
});
