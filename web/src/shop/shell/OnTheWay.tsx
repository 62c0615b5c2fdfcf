import { useEffect } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { loadText, wayOn } from "../../ui/loadTrouble.ts";
import { toast } from "../../ui/toast.tsx";
import { useShown } from "../navigation.ts";

/** A line at the top while a page is on its way; a word when it does not come. The old page stays usable meanwhile. */
export function OnTheWay() {
  const { t } = useI18n();
  const { pending, failure } = useShown();
  useEffect(() => {
    if (!failure) return;
    const { cause, retry } = failure;
    // It goes with the next page that is asked for.
    return toast(loadText(cause, t), "error", { wayOn: wayOn(cause, t, retry) });
  }, [failure, t]);
  return pending ? (
    <div className="on-the-way" role="status">
      <span className="vh">{t("ui.loading")}</span>
    </div>
  ) : null;
}
