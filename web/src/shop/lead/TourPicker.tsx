import { useState } from "react";
import { addDays } from "../../calendar.ts";
import type { Lang } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { serverNow } from "../../serverClock.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { localeOf } from "../../ui/localeOf.ts";
import { elsewhere, wallClock } from "../../zoneClock.ts";
import type { LeadInventory } from "../ui/overlays.ts";
import type { ViewingSlot } from "./leadFormMachine.ts";
import { openSlots } from "./moveIn.ts";

interface TourPickerProps {
  inventory: LeadInventory;
  requested: ViewingSlot | null;
  busy: boolean;
  failed: boolean;
  onRequest: (slot: ViewingSlot) => void;
}

/** Days ahead that can be asked for. */
const DAYS_AHEAD = 28;

/** Half hours from 09:00 to 18:00 on the property's clock; the reader's own clock is said beside the choice (D63). */
export function TourPicker({ inventory, requested, busy, failed, onRequest }: TourPickerProps) {
  const { t, lang } = useI18n();
  const timezone = inventory.time_zone ?? "UTC";
  const now = wallClock(new Date(serverNow()), timezone);
  const first = openSlots(now.date, now).length > 0 ? now.date : addDays(now.date, 1);
  const [date, setDate] = useState(first);
  const [slot, setSlot] = useState<string | null>(null);
  const day = dayName(date, lang, "long");
  const go = (days: number) => {
    setDate(addDays(date, days));
    setSlot(null);
  };
  if (requested) {
    const params = { time: requested.slot, day: dayName(requested.date, lang, "long") };
    return (
      <p className="banner banner-success" role="status" data-arrival>
        <Icon name="video" size={20} />
        <span>{t("lead.tour_done", params)}</span>
      </p>
    );
  }
  return (
    <div className="part-line">
      <div className="row between" style={{ marginBottom: 12 }}>
        <h3>{t("lead.tour_title")}</h3>
        <span className="t-14 muted">
          {inventory.time_zone ? t("lead.tour_zone", { city: inventory.region.name }) : timezone}
        </span>
      </div>
      <div className="row between" style={{ marginBottom: 12 }}>
        <IconButton
          icon="chev-l"
          size={20}
          label={t("lead.tour_day_before")}
          disabled={date <= first}
          onClick={() => go(-1)}
        />
        <p className="m" aria-live="polite">
          {day}
        </p>
        <IconButton
          icon="chev-r"
          size={20}
          label={t("lead.tour_day_after")}
          disabled={date >= addDays(first, DAYS_AHEAD)}
          onClick={() => go(1)}
        />
      </div>
      <Slots open={openSlots(date, now)} chosen={slot} onChoose={setSlot} />
      {failed ? (
        <p className="err" role="alert" data-arrival style={{ marginTop: 12 }}>
          <Icon name="alert" size={16} />
          <span>{t("lead.tour_failed")}</span>
        </p>
      ) : null}
      <OwnClock date={date} slot={slot} timezone={timezone} />
      <Button
        look="tint"
        block
        busy={busy}
        disabledReason={slot === null ? t("lead.tour_pick") : undefined}
        onClick={() => slot !== null && onRequest({ date, slot, timezone })}
      >
        <Icon name="video" size={20} />
        {slot === null
          ? t("lead.tour_pick")
          : t(busy ? "lead.tour_requesting" : "lead.tour_request", { time: slot, day: dayName(date, lang, "short") })}
      </Button>
    </div>
  );
}

function Slots({ open, chosen, onChoose }: { open: string[]; chosen: string | null; onChoose: (s: string) => void }) {
  const { t } = useI18n();
  if (open.length === 0) return <p className="soft">{t("lead.tour_none")}</p>;
  return (
    <div className="slots">
      {open.map((slot) => (
        <button
          key={slot}
          type="button"
          className={`chip${slot === chosen ? " on" : ""}`}
          aria-pressed={slot === chosen}
          onClick={() => onChoose(slot)}
        >
          {slot}
        </button>
      ))}
    </div>
  );
}

/** Said only where the reader's clock shows something else. */
function OwnClock({ date, slot, timezone }: { date: string; slot: string | null; timezone: string }) {
  const { t } = useI18n();
  const format = useFormat();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const there = slot === null ? null : elsewhere({ date, time: slot }, timezone, own);
  const differs = there !== null && (there.time !== slot || there.date !== date);
  return (
    <p className="t-14 muted" style={{ minHeight: 22, margin: "10px 0 6px" }}>
      {differs
        ? t("lead.tour_yours", {
            time: there.date === date ? there.time : there.time + t("ui.comma") + format.date(there.date, "short"),
          })
        : ""}
    </p>
  );
}

/** "Tuesday 24 November", or "Tuesday" alone. */
function dayName(date: string, lang: Lang, width: "long" | "short"): string {
  const options =
    width === "long" ? ({ weekday: "long", day: "numeric", month: "long" } as const) : ({ weekday: "long" } as const);
  return new Intl.DateTimeFormat(localeOf(lang), { ...options, timeZone: "UTC" }).format(new Date(`${date}T12:00:00Z`));
}
