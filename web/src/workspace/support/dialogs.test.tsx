import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import support from "../../../../i18n/en/support.json";
import workspace from "../../../../i18n/en/workspace.json";
import { addTexts } from "../../i18n/catalogue.ts";
import { LanguageProvider } from "../../i18n/i18n.tsx";
import { DialogLayer } from "../DialogLayer.tsx";
import { ReasonDialog } from "../ReasonDialog.tsx";
import { RevealDialog } from "./RevealDialog.tsx";

addTexts("en", { ...support, ...workspace });

const nothing = () => undefined;

/** A dialog whose form comes with an answer of the server. */
const Later = ({ arrived }: { arrived: boolean }) => (
  <DialogLayer kind="centre" label="Close the lead" onClose={nothing}>
    <button type="button">×</button>
    {arrived ? (
      <form>
        <select aria-label="Reason">
          <option>Choose why</option>
        </select>
        <textarea aria-label="Words" />
      </form>
    ) : null}
  </DialogLayer>
);

test("first fields take the keyboard, also where they come later", async () => {
  const { rerender } = render(<Later arrived={false} />);
  expect(document.activeElement).toBe(screen.getByRole("dialog"));
  rerender(<Later arrived />);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Reason")));
  // Who has gone on to another field stays there.
  screen.getByLabelText("Words").focus();
  rerender(<Later arrived />);
  expect(document.activeElement).toBe(screen.getByLabelText("Words"));
});

function Page({ open, about = "decline/1" }: { open: boolean; about?: string }) {
  const sending = { isPending: false, error: null, send: nothing };
  const texts = { title: "Decline?", text: "They read it.", label: "Why", act: "Decline" };
  return (
    <LanguageProvider lang="en">
      {open ? <ReasonDialog about={about} {...texts} sending={sending} onClose={nothing} /> : null}
    </LanguageProvider>
  );
}

test("what was typed is there again after a dialog was closed", async () => {
  const { rerender } = render(<Page open />);
  fireEvent.change(await screen.findByLabelText("Why"), { target: { value: "The lift runs" } });
  rerender(<Page open={false} />);
  expect(screen.queryByLabelText("Why")).toBeNull();
  rerender(<Page open />);
  expect(await screen.findByDisplayValue("The lift runs")).toBeTruthy();
  rerender(<Page open={false} />);
  rerender(<Page open about="decline/2" />);
  expect((await screen.findByLabelText("Why")).textContent).toBe("");
});

test("a look at personal data has no reason until one is chosen", async () => {
  render(
    <LanguageProvider lang="en">
      <QueryClientProvider client={new QueryClient()}>
        <RevealDialog leadId="1" reference="L-1" onClose={nothing} />
      </QueryClientProvider>
    </LanguageProvider>,
  );
  const radios = await screen.findAllByRole<HTMLInputElement>("radio");
  expect(radios.filter((one) => one.checked)).toEqual([]);
  const show = screen.getByRole<HTMLButtonElement>("button", { name: support["support.reveal_show"] });
  expect(show.disabled).toBe(true);
  for (const first of radios.slice(0, 1)) fireEvent.click(first);
  expect(show.disabled).toBe(false);
});
