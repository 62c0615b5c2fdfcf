import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import en from "../../../i18n/en/workspace.json";
import type { RoleGrant } from "../contract/wire.ts";
import { addTexts } from "../i18n/catalogue.ts";
import { LanguageProvider } from "../i18n/i18n.tsx";
import { GrantsPage } from "./GrantsPage.tsx";
import { newQueryClient } from "./queries.ts";

addTexts("en", en);

afterEach(() => {
  vi.unstubAllGlobals();
});

const grant = (given: Partial<RoleGrant>): RoleGrant => ({
  user_id: "1",
  name: "ada",
  address: "ada@staff.example",
  role: "admin",
  since: "2026-11-20T10:00:00Z",
  by: null,
  counts: true,
  own: false,
  second_factor: false,
  ...given,
});

// A role is taken back once its dialog is confirmed, and one's own offers no button.
test("a role is revoked after its dialog, one's own has no button", async () => {
  let held = [grant({ own: true }), grant({ user_id: "2", address: "sam@staff.example", role: "support", by: "ada" })];
  const sent: string[] = [];
  vi.stubGlobal("fetch", (path: string, { method }: RequestInit) => {
    if (method === "DELETE") {
      sent.push(path);
      held = held.slice(0, 1);
    }
    const data = method === "DELETE" ? true : held;
    return Promise.resolve(new Response(JSON.stringify({ message: "success", data })));
  });
  render(
    <LanguageProvider lang="en">
      <QueryClientProvider client={newQueryClient()}>
        <GrantsPage />
      </QueryClientProvider>
    </LanguageProvider>,
  );
  expect(await screen.findAllByRole("article")).toHaveLength(2);
  expect(screen.getByText(en["workspace.grants_own"])).toBeTruthy();
  expect(
    screen.getByText(new RegExp(`${en["workspace.grants_by"]} ${en["workspace.grants_by_command"]}`)),
  ).toBeTruthy();
  const button = screen.getByRole("button", { name: /^Remove .* from sam@staff.example$/ });
  fireEvent.click(button);
  expect(sent).toEqual([]);
  const confirm = (await screen.findAllByRole("button", { name: en["workspace.grants_revoke"] })).find((one) =>
    one.matches("[type=submit]"),
  );
  if (confirm === undefined) throw new Error("no dialog");
  fireEvent.click(confirm);
  await waitFor(() => expect(sent).toEqual(["/api/v0/workspace/grants/2/support"]));
  await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1));
});
