import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useMachine } from "@xstate/react";
import { afterEach, expect, test, vi } from "vitest";
import imports from "../../../../../../i18n/en/imports.json";
import workspace from "../../../../../../i18n/en/workspace.json";
import { addTexts } from "../../../../i18n/catalogue.ts";
import { LanguageProvider } from "../../../../i18n/i18n.tsx";
import { newQueryClient } from "../../../queries.ts";
import { uploadMachine } from "../uploadMachine.ts";
import { FileStep } from "./FileStep.tsx";

addTexts("en", { ...workspace, ...imports });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The first step as its page drives it. */
function Step() {
  const [snapshot, send] = useMachine(uploadMachine, { input: { upload: null } });
  return (
    <FileStep
      upload={null}
      takesFocus={false}
      send={send}
      onArrived={() => undefined}
      sent={snapshot.matches({ file: "sending" }) ? snapshot.context.sent : null}
    />
  );
}

/** Opens the step over a network that never answers; counts the calls that were given up. */
function open() {
  const calls = { begun: 0, stopped: 0 };
  vi.stubGlobal("fetch", (_: string, { method, signal }: RequestInit) => {
    if (method !== "POST") return Promise.resolve(new Response(JSON.stringify({ data: { uploads: [], feeds: [] } })));
    calls.begun += 1;
    return new Promise((_, reject) => {
      signal?.addEventListener("abort", () => {
        calls.stopped += 1;
        reject(signal.reason);
      });
    });
  });
  render(
    <QueryClientProvider client={newQueryClient()}>
      <LanguageProvider lang="en">
        <Step />
      </LanguageProvider>
    </QueryClientProvider>,
  );
  return calls;
}

const type = (name: string, value: string) => fireEvent.change(screen.getByLabelText(name), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

test("a cancelled fetch leads back and can be begun again", async () => {
  const calls = open();
  type(imports["imports.feed_name"], "north");
  type(imports["imports.or_address"], "https://feeds.example/north.csv");
  press(imports["imports.read_address"]);
  await vi.waitFor(() => expect(calls.begun).toBe(1));
  press(workspace["workspace.cancel"]);
  const address = await screen.findByLabelText<HTMLInputElement>(imports["imports.or_address"]);
  expect(calls.stopped).toBe(1);
  expect(address.value).toBe("https://feeds.example/north.csv");
  expect(screen.queryByRole("alert")).toBeNull();
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe(imports["imports.file_title"]));
  press(imports["imports.read_address"]);
  await vi.waitFor(() => expect(calls.begun).toBe(2));
  expect(calls.stopped).toBe(1);
});
