import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, vi } from "vitest";
import type { Payment } from "../contract/wire.ts";
import { PageContext } from "../pageContext.ts";
import { Answers } from "./answers.ts";
import { noteArrival, withoutArrival } from "./arrivals.ts";
import { samplePage } from "./samplePage.ts";

/** Walks through the screens of a machine: whatever its state changes to, the headline of the screen, or what was marked, has the focus. */

/** A stream that says what the test lets the server say. */
export class Stream {
  static open: Stream | null = null;
  private tell: (event: { data: string }) => void = () => undefined;

  constructor() {
    Stream.open = this;
  }

  addEventListener(event: string, tell: (event: { data: string }) => void): void {
    if (event === "payment") this.tell = tell;
  }

  say(next: Payment): void {
    act(() => this.tell({ data: JSON.stringify(next) }));
  }

  close(): void {}
}

/** A server without answers and a stream, for one test. */
export function beginWalk(): Answers {
  vi.stubGlobal("EventSource", Stream);
  Element.prototype.scrollIntoView ??= () => undefined;
  return new Answers();
}

export const focused = () => document.activeElement;

export async function isHeadline(text: RegExp): Promise<void> {
  await waitFor(() => {
    expect(focused()?.textContent).toMatch(text);
    expect(focused()?.tagName).toMatch(/^H[12]$/);
  });
  noteArrival();
}

/** A sentence, or a field, that was marked for it. */
export async function isAt(selector: string): Promise<void> {
  await waitFor(() => expect(focused()?.matches(selector)).toBe(true));
  noteArrival();
}

/** Every screen of a machine was walked to with the focus at its place; the tests before are named `machine: …`. */
export function expectAllWalked(machine: string, screens: readonly string[]): void {
  expect(withoutArrival(machine, [...screens].sort())).toEqual([]);
}

/** A home that can be booked, as its card opens the enquiry. */
export const home = {
  id: "home-1",
  name: "Bloomsbury Row",
  canonical_name: "bloomsbury-row-1",
  available: true,
  bookable: true,
  flow: "book" as const,
  region: { id: "r-1", name: "London", canonical_name: "london", country_key: "uk" },
  image: null,
  price: null,
  room_inventory_id: null,
  configuration: null,
  move_in_date: null,
  lease_duration: null,
};

export function showDialog(dialog: ReactNode): void {
  render(<PageContext.Provider value={samplePage("legal", "/terms", {})}>{dialog}</PageContext.Provider>);
}

/** Sends the form of the dialog. */
export const submit = () => fireEvent.submit(document.querySelector("dialog form") ?? document.body);
export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name, hidden: true }));
export const type = (selector: string, value: string) =>
  fireEvent.change(document.querySelector(selector) ?? document.body, { target: { value } });

/** An answer to who is not logged in to the account that the enquiry belongs to. */
export const claimed = { status: 403, code: "log_in_first" };
