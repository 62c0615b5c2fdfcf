import { useI18n } from "../../i18n/i18n.tsx";
import { Icon, type IconName } from "../icon.tsx";
import type { TextState } from "./textStates.ts";

const MARKS = {
  published: { look: "chip ok", icon: "check" },
  older: { look: "chip warn", icon: "alert" },
  shipped: { look: "chip plain", icon: "file" },
  missing: { look: "chip ct-missing", icon: "plus" },
} as const satisfies Record<TextState, { look: string; icon: IconName }>;

interface StateMarkProps {
  state: TextState;
  version?: number | null;
}

/** The state of a text; a published one by its version where it is known. */
export function StateMark({ state, version = null }: StateMarkProps) {
  const { t } = useI18n();
  const { look, icon } = MARKS[state];
  const name =
    state === "published" && version !== null
      ? t("house_texts.version_short", { n: version })
      : t(`house_texts.${state}`);
  return (
    <span className={look}>
      <Icon name={icon} />
      {name}
    </span>
  );
}
