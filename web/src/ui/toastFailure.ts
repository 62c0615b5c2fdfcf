import type { Translate } from "../i18n/i18n.tsx";
import { PartMissing } from "./lazyPart.tsx";
import { loadText, wayOn } from "./loadTrouble.ts";
import { toast } from "./toast.tsx";

/** Says that a part of the page, such as a dialog, could not open, and what can be done. Answers how to take the word away. */
export function toastFailure(failure: unknown, t: Translate, retry: () => void): () => void {
  if (!(failure instanceof PartMissing)) return toast(t("ui.something_wrong"), "error");
  return toast(loadText(failure, t), "error", { wayOn: wayOn(failure, t, retry) });
}
