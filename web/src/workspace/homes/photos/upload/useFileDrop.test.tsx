import { act, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { useFileDrop } from "./useFileDrop.ts";

function Place({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  return <p>{useFileDrop(onFiles) ? "above" : "away"}</p>;
}

/** An event of the pointer that carries something. */
function carry(type: string, types: readonly string[], files: readonly File[] = []): Event {
  const event = new Event(type, { cancelable: true });
  Object.assign(event, { dataTransfer: { types, files } });
  act(() => void window.dispatchEvent(event));
  return event;
}

test("files dropped beside the place are taken, no photo of a page", () => {
  const taken: string[] = [];
  render(<Place onFiles={(files) => taken.push(...files.map(({ name }) => name))} />);
  expect(carry("dragover", ["text/plain"]).defaultPrevented).toBe(false);
  expect(screen.getByText("away")).toBeTruthy();
  expect(carry("dragover", ["Files"]).defaultPrevented).toBe(true);
  expect(screen.getByText("above")).toBeTruthy();
  expect(carry("drop", ["Files"], [new File(["x"], "street.jpg")]).defaultPrevented).toBe(true);
  expect(taken).toEqual(["street.jpg"]);
  expect(screen.getByText("away")).toBeTruthy();
});
