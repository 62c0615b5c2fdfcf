import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import messages from "../../../../i18n/en/messages.json";
import ui from "../../../../i18n/en/ui.json";
import workspace from "../../../../i18n/en/workspace.json";
import type { MessageSettings } from "../../contract/wire.ts";
import { addTexts } from "../../i18n/catalogue.ts";
import { LanguageProvider } from "../../i18n/i18n.tsx";
import { pageLanguages } from "../../i18n/languages.ts";
import { Toasts } from "../../ui/toast.tsx";
import { newQueryClient } from "../queries.ts";
import { MessageLanguagePage } from "./MessageLanguagePage.tsx";

addTexts("en", messages);
addTexts("en", ui);
addTexts("en", workspace);

afterEach(() => {
  vi.unstubAllGlobals();
});

// The other choices about messages were made in the shop's profile: they are sent back as they are.
test("a chosen language is saved, and the other choices stay", async () => {
  let kept: MessageSettings = { reminders: false, language: null, channel: "sms", channels: ["email", "sms"] };
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", (_path: string, { method, body }: RequestInit) => {
    if (method === "PUT") {
      const choice = JSON.parse(String(body));
      sent.push(choice);
      kept = { ...kept, ...choice };
    }
    return Promise.resolve(new Response(JSON.stringify({ message: "success", data: kept })));
  });
  render(
    <LanguageProvider lang="en">
      <QueryClientProvider client={newQueryClient()}>
        <MessageLanguagePage />
        <Toasts />
      </QueryClientProvider>
    </LanguageProvider>,
  );
  const choice = await screen.findByLabelText<HTMLSelectElement>(workspace["workspace.message_language"]);
  expect(choice.value).toBe("");
  expect([...choice.options].map(({ value }) => value)).toEqual(["", ...pageLanguages().map(([tag]) => tag)]);
  fireEvent.change(choice, { target: { value: "zh" } });
  fireEvent.click(screen.getByRole("button", { name: messages["messages.save"] }));
  await waitFor(() => expect(sent).toEqual([{ reminders: false, channel: "sms", language: "zh" }]));
  // Toasts outlive the page, also that of a test.
  await screen.findByText(messages["messages.saved"]);
  fireEvent.click(screen.getByRole("button", { name: ui["ui.dismiss"] }));
  expect(screen.queryByText(messages["messages.saved"])).toBeNull();
  expect(choice.value).toBe("zh");
});
