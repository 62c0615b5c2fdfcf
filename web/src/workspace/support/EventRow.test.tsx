import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import type { TimelineEvent } from "../../contract/wire.ts";
import { EventRow } from "./EventRow.tsx";

const noted = (params: TimelineEvent["sentence"]["params"]): TimelineEvent => ({
  n: 3,
  position: 31,
  stream: "lead",
  stream_id: "lead-1",
  revision: 2,
  type: "LeadNoteAdded",
  recorded_at: "2026-11-26T09:00:00Z",
  actor: { kind: "staff", label: "Sam" },
  because_of: null,
  sentence: { key: "timeline.lead_note_added", params },
  failed: false,
  changes: [],
});

const shown = (event: TimelineEvent) => {
  const ignored = () => undefined;
  const row = { mark: "past", newDay: false, firstLater: false } as const;
  const { container } = render(
    <EventRow {...row} event={event} sentence="Staff wrote a note" onGo={ignored} onRaw={ignored} onCopy={ignored} />,
  );
  return container.querySelector(".note-words")?.textContent ?? null;
};

test("a note's words stand under its sentence", () => {
  expect(shown(noted({ note: "Prefers to be called after six" }))).toBe("Prefers to be called after six");
});

test("a note without words shows its sentence alone", () => {
  expect(shown(noted({ note: "" }))).toBe(null);
  expect(shown(noted({}))).toBe(null);
});
