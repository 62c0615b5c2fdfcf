import type { MapPin } from "../../../contract/wire.ts";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { inPeriod, usePeriod } from "../period.ts";
import { usePriceText } from "../priceText.ts";
import { shutWords } from "../shutWords.ts";
import type { Point } from "./projection.ts";

interface PinProps {
  at: Point;
  pins: readonly MapPin[];
  hot: boolean;
  onHover: (id: string | null) => void;
  onPick: (pin: MapPin) => void;
  /** A cluster was pressed: come nearer. */
  onSpread: () => void;
}

const seen = new Set<string>();

/** A price, a count, or "Full"; grey once it has been looked at. */
export function Pin({ at, pins, hot, onHover, onPick, onSpread }: PinProps) {
  const { t } = useI18n();
  const format = useFormat();
  const period = usePeriod();
  const priceText = usePriceText();
  const [only] = pins;
  if (!only) return null;
  const hover = {
    onMouseEnter: () => onHover(only.id),
    onMouseLeave: () => onHover(null),
    onFocus: () => onHover(only.id),
  };
  const style = { left: at.x, top: at.y };
  if (pins.length > 1) {
    return (
      <button
        type="button"
        className={`pinp many num${hot ? " hot" : ""}`}
        style={style}
        aria-label={t("ui.homes_here", { n: pins.length })}
        onClick={onSpread}
        // Pointing at a cluster names none of its homes: a home that is named leaves it.
        onMouseEnter={() => onHover(null)}
      >
        {pins.length}
      </button>
    );
  }
  const look = `${hot ? " hot" : ""}${seen.has(only.id) ? " seen" : ""}${only.available ? "" : " sold"}`;
  const price = inPeriod(only.price, period);
  const shut = only.state === "active" ? t("ui.full") : t(shutWords(only.state));
  const words = only.available ? priceText(only.price) : shut;
  const pick = () => {
    seen.add(only.id);
    onPick(only);
  };
  return (
    <button
      type="button"
      className={`pinp${look}`}
      style={style}
      aria-label={only.name + t("ui.comma") + words}
      onClick={pick}
      {...hover}
    >
      {only.available ? format.money(price.amount_minor, price) : shut}
    </button>
  );
}
