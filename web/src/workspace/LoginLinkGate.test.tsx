import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import en from "../../../i18n/en/workspace.json";
import { addTexts } from "../i18n/catalogue.ts";
import { LanguageProvider } from "../i18n/i18n.tsx";
import { LoginLinkGate } from "./LoginLinkGate.tsx";
import { readLoginLink } from "./loginLink.ts";
import { newQueryClient } from "./queries.ts";

addTexts("en", en);

afterEach(() => {
  vi.unstubAllGlobals();
});

const link = { email: "me+1@staff.example", session_uuid: "0192", otp: "123456" };

test("a link is read from behind the # of the address", () => {
  expect(readLoginLink("#email=me%2B1%40staff.example&session_uuid=0192&otp=123456")).toEqual(link);
  expect(readLoginLink("")).toBeNull();
  expect(readLoginLink("#email=me%40staff.example&otp=123456")).toBeNull();
});

// The link is sent once it is pressed; a used one says so and offers the usual login.
test("a link waits for its press, and a used one says so", async () => {
  const sent: unknown[] = [];
  const entered = vi.fn();
  vi.stubGlobal("fetch", (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    const refused = { message: { code: "invalid", text: "wrong" }, errors: [{ field: "user/otp", code: "otp_wrong" }] };
    return Promise.resolve(new Response(JSON.stringify(refused), { status: 422 }));
  });
  render(
    <LanguageProvider lang="en">
      <QueryClientProvider client={newQueryClient()}>
        <LoginLinkGate link={link} onEntered={entered} />
      </QueryClientProvider>
    </LanguageProvider>,
  );
  expect(screen.getByText(/me\+1@staff.example/)).toBeTruthy();
  expect(sent).toEqual([]);
  fireEvent.click(screen.getByRole("button", { name: "Log in" }));
  await screen.findByRole("heading", { name: en["workspace.link_over_title"] });
  expect(sent).toEqual([{ user: link }]);
  expect(screen.getByRole("link", { name: "Log in" }).getAttribute("href")).toMatch(/^\/\?login=1&next=/);
  expect(entered).not.toHaveBeenCalled();
});
