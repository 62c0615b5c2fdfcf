import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import support from "../../../../i18n/en/support.json";
import en from "../../../../i18n/en/workspace.json";
import supportZh from "../../../../i18n/zh/support.json";
import zh from "../../../../i18n/zh/workspace.json";
import type { Lang, WorkspaceMe } from "../../contract/wire.ts";
import { addTexts } from "../../i18n/catalogue.ts";
import { LanguageProvider } from "../../i18n/i18n.tsx";
import { Toasts } from "../../ui/toast.tsx";
import { MeProvider } from "../session.ts";
import { ForgetPerson } from "./ForgetPerson.tsx";
import { OwnerButton } from "./OwnerButton.tsx";

addTexts("en", { ...en, ...support, "ui.dismiss": "Dismiss" });
addTexts("zh", { ...zh, ...supportZh, "ui.dismiss": "关闭" });

const away = { en: en["workspace.stopped_offline"], zh: zh["workspace.stopped_offline"] };

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const me: WorkspaceMe = {
  user_id: "u",
  name: "Priya Nair",
  roles: ["admin"],
  can: { leads: true, finance: true, grants: true, unmask: true, refund_limit_minor: 0 },
  log_position: 7,
};

/** One part of the workspace, whose calls all go nowhere. */
function withServerAway(lang: Lang, part: ReactNode): void {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  render(
    <LanguageProvider lang={lang}>
      <QueryClientProvider client={new QueryClient()}>
        <MeProvider value={me}>{part}</MeProvider>
      </QueryClientProvider>
      <Toasts />
    </LanguageProvider>,
  );
}

// A form that the server did not get says so in its reader's words.
test.each(["en", "zh"] as const)("a form that did not arrive says so in their language (%s)", async (lang) => {
  withServerAway(lang, <ForgetPerson leadId="l" reference="LK-7" past={false} />);
  fireEvent.click(screen.getByRole("button"));
  fireEvent.change(await screen.findByRole("textbox"), { target: { value: "LK-7" } });
  for (const reason of screen.getAllByRole("radio").slice(0, 1)) fireEvent.click(reason);
  const [form] = document.getElementsByTagName("form");
  if (form !== undefined) fireEvent.submit(form);
  expect((await screen.findByRole("alert")).textContent).toBe(away[lang]);
});

// A button that the server did not get says so for as long as a confirmation.
test("a button that did not arrive says so as long as a notice", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  withServerAway("zh", <OwnerButton leadId="l" owner={null} past={false} />);
  fireEvent.click(screen.getByRole("button"));
  await screen.findByText(away.zh);
  act(() => vi.advanceTimersByTime(3000));
  expect(screen.queryByText(away.zh)).toBeNull();
});
