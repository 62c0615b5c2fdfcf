import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { useArrival } from "./arrival.ts";

/** A step that refuses what is typed, and takes the refusal back with the next letter. */
function Step() {
  const [shown, setShown] = useState("asking");
  useArrival(shown);
  return (
    <main id="main">
      <h1>Log in</h1>
      <input
        aria-label="Address"
        aria-invalid={shown === "asking_refused"}
        onChange={() => setShown("asking")}
        disabled={shown === "asking_busy"}
      />
      <button type="button" onClick={() => setShown("asking_busy")}>
        Send
      </button>
      <button type="button" onClick={() => setShown("asking_refused")}>
        Refuse
      </button>
      <button type="button" onClick={() => setShown("code")}>
        Go on
      </button>
    </main>
  );
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

test("who mends a refused field keeps the focus", () => {
  render(<Step />);
  const field = screen.getByLabelText("Address");
  press("Send");
  press("Refuse");
  expect(document.activeElement).toBe(field);
  fireEvent.change(field, { target: { value: "mei@example.org" } });
  expect(document.activeElement).toBe(field);
});

test("the next step has the focus once what covers it closes", async () => {
  const { container } = render(<Step />);
  const headline = screen.getByRole("heading");
  const refuseFocus = headline.focus;
  // Under a modal dialog nothing takes the focus.
  headline.focus = () => undefined;
  press("Go on");
  expect(document.activeElement).not.toBe(headline);
  headline.focus = refuseFocus;
  container.append(document.createElement("p"));
  await expect.poll(() => document.activeElement).toBe(headline);
});
