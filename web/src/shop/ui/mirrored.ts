/** Which machine is on screen, for support to see with the student's consent (row N11). Small: pages carry it before anything is shown. */

import { useEffect, useSyncExternalStore } from "react";
import type { StateValue } from "xstate";
import type { MirrorPage, Payment } from "../../contract/wire.ts";
import { tabStorage } from "../../deviceStorage.ts";

/** What is read of a machine's context. */
export interface MirroredContext {
  refusals?: readonly { field: string; code: string }[];
  clashes?: readonly unknown[];
  stayClashes?: readonly unknown[];
  payment?: Payment | null;
}

/** What is read of a machine: where it stands, and its context. */
export interface MirroredActor {
  getSnapshot: () => { value: StateValue; context: MirroredContext };
  subscribe: (listener: () => void) => { unsubscribe: () => void };
}

/** One machine on screen; a dialog's lies over its page's. */
export interface Mirrored {
  page: MirrorPage;
  actor: MirroredActor;
  /** Fields that are refused on screen, with the codes of their faults. */
  faults: readonly (readonly [field: string, code: string])[];
}

const KEY = "latchkey.mirror";
const shown: Mirrored[] = [];
const listeners = new Set<() => void>();
let isOn: boolean | null = null;

const changed = () => {
  for (const listener of listeners) listener();
};

/** Calls back when another machine is on screen, or other faults; answers how to stop. */
export function watchMirrored(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The machine on top. */
export const onTop = (): Mirrored | null => shown.at(-1) ?? null;

/** This machine is on screen as long as the component is. */
export function useMirrored(page: MirrorPage, actor: MirroredActor): void {
  useEffect(() => {
    const mirrored: Mirrored = { page, actor, faults: [] };
    shown.push(mirrored);
    changed();
    return () => {
      shown.splice(shown.indexOf(mirrored), 1);
      changed();
    };
  }, [page, actor]);
}

/** The faults that the form on screen shows now. */
export function useMirroredFaults(faults: Mirrored["faults"]): void {
  const spelled = faults.flat().join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same faults in another list are no news
  useEffect(() => {
    const mirrored = onTop();
    if (mirrored) mirrored.faults = faults;
    changed();
  }, [spelled]);
}

/** The mirror's id where one was begun in this tab: a reload goes on with it. */
export function rememberedMirror(): string | null {
  try {
    return tabStorage().getItem(KEY);
  } catch {
    return null;
  }
}

/** Keeps or forgets the mirror of this tab. */
export function rememberMirror(id: string | null): void {
  try {
    if (id === null) tabStorage().removeItem(KEY);
    else tabStorage().setItem(KEY, id);
  } catch {
    // Without storage a reload ends it.
  }
}

/** Asks for the part that shows the mirror, or puts it away. */
export function showMirror(on: boolean): void {
  isOn = on;
  changed();
}

/** Whether the part that shows the mirror is asked for. */
export function useMirrorShown(): boolean {
  return useSyncExternalStore(
    watchMirrored,
    () => {
      isOn ??= rememberedMirror() !== null;
      return isOn;
    },
    () => false,
  );
}
