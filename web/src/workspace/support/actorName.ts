import { useCallback } from "react";
import type { TimelineEvent } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";

/** Who did it: a colleague by name, everybody else by what they are. */
export function useActorName(): (actor: TimelineEvent["actor"]) => string {
  const { t } = useI18n();
  return useCallback(({ kind, label }) => (label === "" ? t(`support.actor_${kind}`) : label), [t]);
}
