import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import admin from "../../../../i18n/en/admin.json";
import finance from "../../../../i18n/en/finance.json";
import numbers from "../../../../i18n/en/numbers.json";
import ui from "../../../../i18n/en/ui.json";
import workspace from "../../../../i18n/en/workspace.json";
import type { SettingUnit, SiteSetting } from "../../contract/wire.ts";
import { addTexts } from "../../i18n/catalogue.ts";
import { LanguageProvider } from "../../i18n/i18n.tsx";
import { fill, type MessageParams } from "../../i18n/message.ts";
import { settingsQuery } from "./adminCalls.ts";
import { SettingsPage } from "./SettingsPage.tsx";

const texts = { ...admin, ...finance, ...numbers, ...ui, ...workspace };
addTexts("en", texts);

afterEach(() => vi.unstubAllGlobals());

const said = (key: keyof typeof texts, params: MessageParams) => fill(texts[key], params, "en");

/** Types a value into the only setting, presses Save, and gives what is said at the field or what was sent. */
async function save(name: string, unit: SettingUnit, typed: string): Promise<unknown> {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", (request: Request | string, init?: RequestInit) => {
    sent.push(JSON.parse(String(init?.body)));
    return Promise.reject(new TypeError(String(request)));
  });
  const bounds = { least: 0, most: 1_000_000, source: "default", without_here: "700" } as const;
  const setting: SiteSetting = { name, unit, value: "700", changes: [], ...bounds };
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(settingsQuery.queryKey, [setting]);
  const { unmount } = render(
    <LanguageProvider lang="en">
      <QueryClientProvider client={client}>
        <SettingsPage />
      </QueryClientProvider>
    </LanguageProvider>,
  );
  const field = screen.getByRole("textbox");
  fireEvent.change(field, { target: { value: typed } });
  expect(screen.queryByRole("alert")).toBeNull();
  fireEvent.blur(field);
  const atField = screen.queryByRole("alert")?.textContent ?? null;
  fireEvent.click(screen.getByRole("button", { name: texts["admin.save"] }));
  await waitFor(() => expect(sent.length).toBe(atField === null ? 1 : 0));
  unmount();
  return atField ?? sent[0];
}

test("a doubted amount is not sent, both readings are named", async () => {
  const field = texts["admin.setting_refund_limit"];
  for (const typed of ["1.250", "1,250", "１，２５０"])
    expect(await save("refund_limit", "money", typed)).toBe(
      said("finance.whole_two_ways", { field, typed, whole: "1250", part: "1.25" }),
    );
  expect(await save("refund_limit", "money", "2,505")).toBe(
    said("finance.whole_unclear", { field, typed: "2,505", whole: "2505" }),
  );
  expect(await save("refund_limit", "money", "2,50")).toBe(said("numbers.whole", { field, example: "12" }));
});

test("an amount without doubt and a count are sent", async () => {
  expect(await save("refund_limit", "money", "1.250,00")).toMatchObject({ value: "1.250,00" });
  expect(await save("stuck_minutes", "minutes", "1,250")).toMatchObject({ value: "1,250" });
});
