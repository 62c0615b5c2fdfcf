import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { Icon, type IconName } from "../icon.tsx";
import type { HomeState } from "./homeCalls.ts";

const LOOKS: Record<HomeState, { chip: string; icon: IconName }> = {
  draft: { chip: "chip", icon: "file" },
  in_review: { chip: "chip info", icon: "eye" },
  changes_asked: { chip: "chip info", icon: "mail" },
  active: { chip: "chip ok", icon: "check" },
  paused: { chip: "chip warn", icon: "pause" },
  closed: { chip: "chip", icon: "x" },
  deleted: { chip: "chip bad", icon: "x" },
};

/** The state of a home as a word with its icon, and the day on which a paused one opens again. */
export function StateChip({ state, reopensOn = null }: { state: HomeState; reopensOn?: string | null }) {
  const { t } = useI18n();
  const { date } = useFormat();
  const look = LOOKS[state];
  return (
    <span className={look.chip}>
      <Icon name={look.icon} size="s" />
      {state === "paused" && reopensOn !== null
        ? t("homes.paused_until", { day: date(reopensOn, "short") })
        : t(`homes.state_${state}`)}
    </span>
  );
}
