import { useCallback } from "react";
import type { WhatIfAct } from "../../../contract/wire.ts";
import { useI18n } from "../../../i18n/i18n.tsx";

/** What an act is called: the desk's own words, and two of finance. */
export function useStepName(): (act: WhatIfAct) => string {
  const { t } = useI18n();
  return useCallback(
    (act) => (act === "refund" || act === "cancel_booking" ? t(`what_if.${act}`) : t(`acts.${act}`)),
    [t],
  );
}
