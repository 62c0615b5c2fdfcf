import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { setSession } from "../../session.ts";
import { toggleShortlist, useShortlist } from "./shortlist.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const maya = { uuid: "0190a3c4-7d5e-7b1a-9c2d-3e4f5a6b7c8d", email: "maya@example.com" } as never;

function Hearts() {
  return <output>{[...useShortlist()].sort().join(" ")}</output>;
}

const success = (data: unknown) =>
  new Response(JSON.stringify({ message: "success", data, position: 1 }), { status: 200 });

// The list was read before the presses; an answer that comes after them must not undo them.
test("a heart pressed while the list is read stays pressed", async () => {
  let answer: (list: Response) => void = () => {};
  const list = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  let refuses = false;
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    if (path.startsWith("/api/v0/users/activity")) return list;
    if (path === "/api/v0/users/details") return Promise.resolve(success(maya));
    if (init.method === "POST" && refuses) return Promise.resolve(new Response("{}", { status: 503 }));
    return Promise.resolve(success(null));
  });
  setSession(maya);
  render(<Hearts />);
  await act(async () => {
    expect(await toggleShortlist("camden")).toBe("added");
    expect(await toggleShortlist("soho")).toBe("added");
    expect(await toggleShortlist("soho")).toBe("removed");
    refuses = true;
    expect(await toggleShortlist("bow")).toBe("failed");
    answer(success({ shortlisted: [{ id: "soho" }, { id: "mile-end" }] }));
    await list;
  });
  await vi.waitFor(() => expect(screen.getByRole("status").textContent).toBe("camden mile-end"));
});
