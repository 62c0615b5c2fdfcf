import type { InventoryCard, Travel } from "../../../contract/wire.ts";
import { formsOf } from "../../../i18n/forms.ts";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";

interface Way {
  icon: "walk" | "bus" | "pin";
  text: string;
}

/** Farther than this nobody calls it a walk: the bus is named instead. */
const walkLimitS = 25 * 60;

/** One distance for a card: on foot, by bus, or in a straight line. */
export function useTravelText() {
  const { t } = useI18n();
  const minutes = useMinutes();
  const distance = useDistance();
  return (
    home: Partial<Pick<InventoryCard, "walking" | "transit" | "distance_m">>,
    landmark: string | null,
  ): Way | null => {
    const place = landmark ?? "";
    if (home.walking && home.walking.duration_s <= walkLimitS) {
      return { icon: "walk", text: t(place ? "ui.walk_to" : "ui.walk", { minutes: minutes(home.walking), place }) };
    }
    if (home.transit)
      return { icon: "bus", text: t(place ? "ui.bus_to" : "ui.bus", { minutes: minutes(home.transit), place }) };
    if (typeof home.distance_m !== "number") return null;
    return {
      icon: "pin",
      text: t(place ? "ui.distance_to" : "ui.distance", { distance: distance(home.distance_m), place }),
    };
  };
}

export function useMinutes() {
  return (travel: Travel) => Math.max(1, Math.round(travel.duration_s / 60));
}

/** Miles or kilometres, as the language's country measures roads; metres when it is near. */
export function useDistance() {
  const { lang } = useI18n();
  const format = useFormat();
  const { t } = useI18n();
  return (metres: number) => {
    if (formsOf(lang).distance === "mi")
      return t("ui.miles", { n: format.number(Math.max(0.1, Math.round(metres / 160.9) / 10)) });
    if (metres < 950) return t("ui.metres", { n: format.number(Math.max(50, Math.round(metres / 50) * 50)) });
    return t("ui.kilometres", { n: format.number(Math.round(metres / 100) / 10) });
  };
}
