import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { RouterContextProvider } from "@tanstack/react-router";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import texts from "../../../../i18n/en/brand.json";
import home from "../../../../i18n/en/home.json";
import numbers from "../../../../i18n/en/numbers.json";
import ui from "../../../../i18n/en/ui.json";
import workspace from "../../../../i18n/en/workspace.json";
import { addTexts } from "../../i18n/catalogue.ts";
import { LanguageProvider } from "../../i18n/i18n.tsx";
import { PageContext } from "../../pageContext.ts";
import { samplePage } from "../../testing/samplePage.ts";
import { newQueryClient } from "../queries.ts";
import { router } from "../router.tsx";
import { type Brand, brandQuery } from "./brandCalls.ts";
import { DraftDesk } from "./DraftDesk.tsx";

addTexts("en", { ...workspace, ...numbers, ...ui, ...home, ...texts });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** A whole page is drawn anew on a busy machine. */
const SLOW = { timeout: 5000 };

const house: Brand = {
  revision: 3,
  draft: { name: "Quayside", main_colour: "#7A2E5D" },
  changed: [],
  drafted_by: "Ada Okafor",
  drafted_at: null,
  colours: { tokens: {}, contrasts: [] },
  published: null,
  given: [],
  pictures: [],
};

function Shown() {
  const { data } = useQuery(brandQuery);
  return data === undefined ? null : <DraftDesk brand={data} isHistory={false} />;
}

interface Sent {
  revision: number;
  values?: unknown;
}

/** Shows the desk of a server that keeps `brand`, and gives what was sent to it. */
function openDesk(brand: Brand): { sent: Sent[]; change: (now: Brand) => void } {
  let now = brand;
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", (_: string, init: RequestInit) => {
    const answer = (status: number, body: unknown) => Promise.resolve(new Response(JSON.stringify(body), { status }));
    if (init.method === "GET") return answer(200, { data: now });
    const body: Sent = JSON.parse(String(init.body));
    sent.push(body);
    if (body.revision === now.revision) {
      now = { ...now, revision: now.revision + 1, draft: { ...now.draft, ...Object(body.values) }, changed: ["name"] };
      return answer(200, { data: now, position: now.revision });
    }
    const message = { code: "changed_meanwhile", user_friendly_message: "Somebody changed the brand" };
    return answer(409, { message, errors: [], request_id: "r" });
  });
  const client = newQueryClient();
  client.setQueryData(brandQuery.queryKey, brand);
  render(
    <PageContext value={samplePage("home", "/", null)}>
      <LanguageProvider lang="en">
        <QueryClientProvider client={client}>
          <RouterContextProvider router={router}>
            <Shown />
          </RouterContextProvider>
        </QueryClientProvider>
      </LanguageProvider>
    </PageContext>,
  );
  return {
    sent,
    change: (next) => {
      now = next;
    },
  };
}

const field = () => screen.getByRole("textbox", { name: "Name" });
const button = (name: string) => screen.getByRole("button", { name });

test("a value changed meanwhile is shown before it is saved over", async () => {
  const { sent, change } = openDesk(house);
  change({ ...house, revision: 4, draft: { ...house.draft, name: "Harbour" } });
  fireEvent.change(field(), { target: { value: "Wharf" } });
  fireEvent.click(button("Save draft"));
  const note = await screen.findByText("Name: now Harbour", {}, SLOW);
  expect(note.closest(".note")?.textContent).toContain("Ada Okafor changed a value that you are editing");
  expect(field()).toHaveProperty("value", "Wharf");
  expect(button("Save draft")).toHaveProperty("disabled", true);
  fireEvent.click(button("Keep mine"));
  fireEvent.click(button("Save draft"));
  await waitFor(() => expect(screen.queryByText("1 unsaved change")).toBeNull(), SLOW);
  expect(sent).toEqual([
    { revision: 3, values: { name: "Wharf" } },
    { revision: 4, values: { name: "Wharf" } },
  ]);
});

test("what is typed is saved before it is published", async () => {
  const { sent } = openDesk(house);
  expect(button("Publish…")).toHaveProperty("disabled", true);
  fireEvent.change(field(), { target: { value: "Wharf" } });
  fireEvent.click(button("Publish…"));
  await screen.findByText("Publish version 1", {}, SLOW);
  const dialog = within(screen.getByRole("dialog"));
  expect(sent).toEqual([{ revision: 3, values: { name: "Wharf" } }]);
  expect(dialog.getByText(texts["brand.then_pages"])).toBeTruthy();
  expect(dialog.getByText("Wharf", { selector: "ins" })).toBeTruthy();
});
