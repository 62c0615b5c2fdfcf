import type { HomeState } from "../../contract/wire.ts";
import type { MessageKey } from "../../i18n/keys.ts";

/** Why nothing of a home can be had: it is paused, closed or, while it is let, sold out. Homes that a browser remembers may lack a state. */
export function shutWords(state: HomeState | null | undefined): MessageKey {
  if (state === "paused") return "ui.paused";
  return state === "closed" ? "ui.closed" : "ui.sold_out";
}
