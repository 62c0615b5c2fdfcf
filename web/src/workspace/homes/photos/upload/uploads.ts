/** Files on their way to a home: they go on while staff look at another part of it, and those that were refused stay until read. */
import { useSyncExternalStore } from "react";
import type { Sending } from "../../../../postFile.ts";

export interface Upload {
  id: number;
  name: string;
  /** What part of it was sent, from 0 to 1. */
  sent: number;
  /** `waits` for those before it. */
  state: "waits" | "sends" | "failed";
  error: Error | null;
}

/** Sends one file. */
export type Send = (file: File, sending: Required<Sending>) => Promise<unknown>;

/** So many files are sent at a time: more would only share the line. */
const AT_A_TIME = 2;

/** The files of one home. */
export class Uploads {
  private list: readonly Upload[] = [];
  private waiting: { id: number; begin: () => void }[] = [];
  private readonly stoppers = new Map<number, AbortController>();
  private readonly listeners = new Set<() => void>();
  private underWay = 0;
  private lastId = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly read = (): readonly Upload[] => this.list;

  /** Sends files in their order; `onDone` is called behind each that arrived, or may have. */
  add(files: readonly File[], send: Send, onDone: () => void): void {
    for (const file of files) {
      this.lastId += 1;
      const id = this.lastId;
      this.change([...this.list, { id, name: file.name, sent: 0, state: "waits", error: null }]);
      this.waiting.push({ id, begin: () => void this.run(id, file, send, onDone) });
    }
    this.next();
  }

  /** Takes a file off the list; one that waits or is on its way is not sent any more. */
  drop(id: number): void {
    this.waiting = this.waiting.filter((one) => one.id !== id);
    this.stoppers.get(id)?.abort();
    this.remove(id);
  }

  private remove(id: number): void {
    this.change(this.list.filter((one) => one.id !== id));
  }

  private next(): void {
    while (this.underWay < AT_A_TIME) {
      const first = this.waiting.shift();
      if (first === undefined) return;
      this.underWay += 1;
      first.begin();
    }
  }

  private async run(id: number, file: File, send: Send, onDone: () => void): Promise<void> {
    const stopper = new AbortController();
    this.stoppers.set(id, stopper);
    this.set(id, { state: "sends" });
    try {
      await send(file, { onSent: (sent) => this.set(id, { sent }), signal: stopper.signal });
      this.remove(id);
      onDone();
    } catch (error) {
      // It may have been there whole when it was stopped.
      if (stopper.signal.aborted) onDone();
      this.set(id, { state: "failed", error: error instanceof Error ? error : new Error(String(error)) });
    }
    this.stoppers.delete(id);
    this.underWay -= 1;
    this.next();
  }

  private set(id: number, part: Partial<Upload>): void {
    this.change(this.list.map((one) => (one.id === id ? { ...one, ...part } : one)));
  }

  private change(next: readonly Upload[]): void {
    this.list = next;
    for (const listener of this.listeners) listener();
  }
}

const homes = new Map<string, Uploads>();

/** The files of a home that are sent or were refused. */
export function useUploads(homeId: string): [uploads: Uploads, list: readonly Upload[]] {
  const uploads = homes.get(homeId) ?? new Uploads();
  homes.set(homeId, uploads);
  return [uploads, useSyncExternalStore(uploads.subscribe, uploads.read)];
}
