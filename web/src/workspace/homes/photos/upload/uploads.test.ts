import { expect, test, vi } from "vitest";
import { type Send, Uploads } from "./uploads.ts";

const file = (name: string) => new File(["x"], name);

test("two files go at a time, and a refused one stays until read", async () => {
  const uploads = new Uploads();
  const ends: ((refusal?: Error) => void)[] = [];
  const done = vi.fn();
  const send: Send = (_, { onSent }) =>
    new Promise<void>((resolve, reject) => {
      onSent(0.5);
      ends.push((refusal) => (refusal === undefined ? resolve() : reject(refusal)));
    });
  uploads.add([file("a.jpg"), file("b.jpg"), file("c.jpg")], send, done);
  const states = () => uploads.read().map(({ name, state, sent }) => `${name} ${state} ${sent}`);
  expect(states()).toEqual(["a.jpg sends 0.5", "b.jpg sends 0.5", "c.jpg waits 0"]);
  ends[0]?.(new Error("not a picture"));
  await vi.waitFor(() => expect(states()).toEqual(["a.jpg failed 0.5", "b.jpg sends 0.5", "c.jpg sends 0.5"]));
  ends[1]?.();
  ends[2]?.();
  await vi.waitFor(() => expect(states()).toEqual(["a.jpg failed 0.5"]));
  expect(done).toHaveBeenCalledTimes(2);
  uploads.drop(uploads.read()[0]?.id ?? 0);
  expect(states()).toEqual([]);
});

test("a dropped file is stopped or not begun, and the next follows", async () => {
  const uploads = new Uploads();
  const begun: string[] = [];
  const done = vi.fn();
  const send: Send = ({ name }, { signal }) => {
    begun.push(name);
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  uploads.add([file("a.jpg"), file("b.jpg"), file("c.jpg"), file("d.jpg")], send, done);
  const idOf = (name: string) => uploads.read().find((one) => one.name === name)?.id ?? 0;
  uploads.drop(idOf("c.jpg"));
  uploads.drop(idOf("a.jpg"));
  await vi.waitFor(() => expect(begun).toEqual(["a.jpg", "b.jpg", "d.jpg"]));
  expect(uploads.read().map(({ name, state }) => `${name} ${state}`)).toEqual(["b.jpg sends", "d.jpg sends"]);
  expect(done).toHaveBeenCalledTimes(1);
});
