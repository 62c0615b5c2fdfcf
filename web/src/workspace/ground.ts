import { deviceStorage } from "../deviceStorage.ts";

/** The workspace's ground, kept on this device: people who work at night choose the dark one. */
export type Ground = "light" | "dark";

const KEY = "latchkey.workspace.ground";

export function rememberedGround(): Ground {
  try {
    return deviceStorage().getItem(KEY) === "dark" ? "dark" : "light";
  } catch {
    // Storage may be switched off; the ground is then light on every visit.
    return "light";
  }
}

export function rememberGround(ground: Ground): void {
  try {
    deviceStorage().setItem(KEY, ground);
  } catch {
    // The choice holds for this page only.
  }
}
