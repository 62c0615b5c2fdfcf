import { createContext, useContext, useEffect } from "react";
import type { WorkspaceMe } from "../contract/wire.ts";
import type { Ground } from "./ground.ts";
import type { IconName } from "./icon.tsx";

const MeContext = createContext<WorkspaceMe | null>(null);
export const MeProvider = MeContext.Provider;

/** Who works here and what they may do. */
export function useMe(): WorkspaceMe {
  const me = useContext(MeContext);
  if (me === null) throw new Error("useMe outside the workspace");
  return me;
}

interface GroundChoice {
  ground: Ground;
  turn: () => void;
}

/** The element that carries the workspace's colours: dialogs are drawn inside it. */
export const FrameContext = createContext<HTMLElement | null>(null);

export const GroundContext = createContext<GroundChoice>({ ground: "light", turn: () => undefined });

/** Something the page now open offers in the palette. */
export interface PageAction {
  id: string;
  name: string;
  icon: IconName;
  keys: string[];
  run: () => void;
}

let offered: readonly PageAction[] = [];

/** The palette asks for these at the moment it opens. */
export function offeredActions(): readonly PageAction[] {
  return offered;
}

/** Offers this page's actions in the palette while the page is open. */
export function usePageActions(actions: readonly PageAction[]): void {
  useEffect(() => {
    offered = actions;
    return () => {
      if (offered === actions) offered = [];
    };
  });
}
