import { expect, test } from "vitest";
import { heldPage } from "./heldRows.ts";

const row = (lead_id: string, status: string) => ({ lead_id, status });
const page = (...result: { lead_id: string; status: string }[]) => ({ result });

test("rows keep their places and take new values", () => {
  const shown = page(row("a", "enquired"), row("b", "enquired"));
  const fresh = page(row("c", "enquired"), row("b", "booked"), row("a", "enquired"));
  const held = heldPage(shown, fresh);
  expect(held.waiting).toBe(1);
  expect(held.page.result.map(({ lead_id, status }) => [lead_id, status])).toEqual([
    ["a", "enquired"],
    ["b", "booked"],
  ]);
});

test("a page in the same order is taken as it is", () => {
  const fresh = page(row("a", "booked"));
  expect(heldPage(page(row("a", "enquired")), fresh)).toEqual({ page: fresh, waiting: 0 });
  expect(heldPage(page(), fresh)).toEqual({ page: fresh, waiting: 0 });
});
