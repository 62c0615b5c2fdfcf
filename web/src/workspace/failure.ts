/** Why something in the workspace came to nothing, in the reader's words. */
import { ApiError } from "../api.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { toast } from "../ui/toast.tsx";

/** The server's own sentence where it refused; where no answer came, ours: a call that never arrived has no sentence. */
export function useFailureText(): (error: Error) => string {
  const { t } = useI18n();
  return (error) => {
    if (!(error instanceof ApiError)) return t("workspace.stopped_unreadable");
    if (error.code === "in_the_past") return t("workspace.past_no_acts");
    return error.kind === "refused" ? error.message : t(`workspace.stopped_${error.kind}`);
  };
}

/** What the server refused of each field, by the field's name. */
export function faultsOf(error: Error | null): ReadonlyMap<string, string> {
  const named = error instanceof ApiError ? error.fields : [];
  return new Map(named.map(({ field, message }) => [field, message]));
}

/** Says it in the corner, for what has no form to say it beside. */
export function useFailureToast(): (error: Error) => void {
  const text = useFailureText();
  return (error) => {
    const refused = error instanceof ApiError && error.kind === "refused";
    // That the server was away is over soon; a refusal stands until it was read.
    toast(text(error), refused ? "error" : "away");
  };
}
