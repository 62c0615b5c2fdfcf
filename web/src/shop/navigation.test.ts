import { renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { PagePayload } from "../contract/wire.ts";
import { answerFirstAddress, begin, navigate, prefetch, useShown } from "./navigation.ts";
import type { Route } from "./routes.tsx";
import { setSession } from "./session.ts";
import { closeOverlay, useOverlay } from "./ui/overlays.ts";

const route: Route = { load: async () => () => null, areas: [], frame: "site" };

const page = (url: string, redirect: string | null = null): PagePayload =>
  ({
    route: redirect === null ? "legal" : "not_found",
    url,
    status: redirect === null ? 200 : 302,
    redirect,
    head: { title: url },
    chrome: { lang: "en" },
    data: {},
  }) as never;

/** Pages that are shown to who is logged in. */
const guarded = /^\/profile/;
let isUser = false;

/** The server's routing as far as these tests go. */
function answer(address: string): PagePayload {
  if (guarded.test(address) && !isUser) return page(address, `/?login=1&next=${encodeURIComponent(address)}`);
  return address === "/verify" ? { ...page(address), route: "verify" as never } : page(address);
}

const overlay = () => renderHook(() => useOverlay()).result.current;
const screenUrl = () => renderHook(() => useShown()).result.current.screen?.url;
const user = { id: "u-1", name: null, email: "maya@example.org" } as never;

async function openAt(address: string): Promise<void> {
  history.replaceState(null, "", address);
  await begin(page(address), () => route);
}

beforeEach(() => {
  isUser = false;
  closeOverlay();
  setSession(null);
  vi.stubGlobal("fetch", async (asked: string) => {
    if (!asked.startsWith("/_page")) return Response.json({ message: { code: "log_in" } }, { status: 401 });
    return Response.json(answer(new URL(asked, location.href).searchParams.get("url") ?? ""));
  });
});

test.each([
  ["a guarded page", "/profile/shortlist"],
  ["the address that asks for a login", "/?login=1&next=%2Fprofile%2Fshortlist"],
])("%s opens the login over the page on screen", async (_, address) => {
  await openAt("/help");
  expect(await navigate(address)).toBe(false);
  expect(overlay()).toMatchObject({ kind: "login", next: "/profile/shortlist" });
  expect([location.pathname, screenUrl()]).toEqual(["/help", "/help"]);
});

test("a page that asks for a login is shown, and the login over it", async () => {
  await openAt("/help");
  expect(await navigate("/terms?login=1&next=%2Fprofile")).toBe(true);
  expect(overlay()).toMatchObject({ kind: "login", next: "/profile" });
  expect(location.pathname).toBe("/terms");
});

test("the login leads to no other site", async () => {
  await openAt("/help");
  await navigate(`/?login=1&next=${encodeURIComponent("/\\evil.example")}`);
  expect(overlay()).toMatchObject({ kind: "login", next: null });
});

test("pages fetched before a login are fetched again after it", async () => {
  await openAt("/help");
  prefetch("/profile/leads");
  await navigate("/profile/leads");
  expect(overlay()).toMatchObject({ kind: "login", next: "/profile/leads" });
  isUser = true;
  setSession(user);
  expect(await navigate("/profile/leads")).toBe(true);
  expect(location.pathname).toBe("/profile/leads");
});

test("the first address asks visitors and leads others on", async () => {
  await openAt("/?login=1&next=%2Fprofile");
  await answerFirstAddress();
  expect(overlay()).toMatchObject({ kind: "login", next: "/profile" });
  closeOverlay();
  isUser = true;
  setSession(user);
  await answerFirstAddress();
  expect(overlay()).toEqual({ kind: "none" });
  expect(location.pathname).toBe("/profile");
});

test("going back to what needs a login asks over the home page", async () => {
  await openAt("/help");
  history.replaceState({ key: "left-before" }, "", "/profile/leads");
  window.dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
  await vi.waitFor(() => expect(overlay()).toMatchObject({ kind: "login", next: "/profile/leads" }));
  expect(screenUrl()).toMatch(/^\/\?login=1/);
});

test("a page without its code reloads, unless it was left", async () => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => undefined);
  const lost: (() => void)[] = [];
  const gone: Route = {
    ...route,
    load: () => new Promise((_, fail) => lost.push(() => fail(new Error("404")))),
  };
  history.replaceState(null, "", "/help");
  await begin(page("/help"), (name) => (name === "verify" ? gone : route));
  const left = navigate("/verify");
  await vi.waitFor(() => expect(lost.length).toBe(1));
  await navigate("/terms");
  lost[0]?.();
  expect(await left).toBe(false);
  expect([assign.mock.calls.length, screenUrl()]).toEqual([0, "/terms"]);
  const waited = navigate("/verify");
  await vi.waitFor(() => expect(lost.length).toBe(2));
  lost[1]?.();
  await waited;
  expect(assign.mock.calls).toEqual([["/verify"]]);
  sessionStorage.clear();
});
