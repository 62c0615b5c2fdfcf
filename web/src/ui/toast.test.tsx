import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Toasts, toast } from "./toast.tsx";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  act(() => vi.runAllTimers());
  vi.useRealTimers();
});

const after = (ms: number) => act(() => vi.advanceTimersByTime(ms));

test("a confirmation goes by itself after three seconds", () => {
  render(<Toasts />);
  act(() => void toast("Saved"));
  after(2999);
  expect(screen.queryByText("Saved")).not.toBeNull();
  after(1);
  expect(screen.queryByText("Saved")).toBeNull();
});

test("a confirmation under the pointer waits for it to leave", () => {
  render(<Toasts />);
  act(() => void toast("Saved for later"));
  fireEvent.mouseEnter(screen.getByText("Saved for later"));
  after(10_000);
  fireEvent.mouseLeave(screen.getByText("Saved for later"));
  expect(screen.queryByText("Saved for later")).not.toBeNull();
  after(3000);
  expect(screen.queryByText("Saved for later")).toBeNull();
});

test("an error stays until it is closed", () => {
  render(<Toasts />);
  act(() => void toast("Not saved", "error"));
  after(60_000);
  fireEvent.click(screen.getByRole("button"));
  expect(screen.queryByText("Not saved")).toBeNull();
});

test("that the server was away goes by itself", () => {
  render(<Toasts />);
  act(() => void toast("Not reached", "away"));
  after(3000);
  expect(screen.queryByText("Not reached")).toBeNull();
});
