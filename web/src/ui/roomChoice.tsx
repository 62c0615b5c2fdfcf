import type { RoomOption, RoomType } from "../contract/wire.ts";
import { useFormat, useI18n } from "../i18n/i18n.tsx";
import { usePriceText } from "./price.tsx";
import "./roomChoice.css";

interface RoomChoiceProps {
  rooms: readonly RoomType[];
  /** The room's own inventory id (what is booked), or null. */
  chosen: string | null;
  error?: string | null;
  onChoose: (inventoryId: string) => void;
}

/** The room type and the option with that inventory id. */
export function findOption(
  rooms: readonly RoomType[],
  inventoryId: string | null,
): { room: RoomType; option: RoomOption } | null {
  for (const room of rooms) {
    const option = room.options.find((one) => one.inventory_id === inventoryId);
    if (option) return { room, option };
  }
  return null;
}

/** Rooms with the stays that can be booked, one choice over all of them. */
export function RoomChoice({ rooms, chosen, error = null, onChoose }: RoomChoiceProps) {
  const { t } = useI18n();
  const open = rooms.filter((room) => room.options.some((option) => option.rooms_left > 0));
  if (open.length === 0) return <p className="soft">{t("ui.no_room")}</p>;
  return (
    <div className="stack g24" aria-invalid={error ? true : undefined}>
      {open.map((room) => (
        <fieldset key={room.id}>
          <legend className="row room-legend">
            <span className="pic">
              <img src={room.image.path} alt="" loading="lazy" />
            </span>
            <span>
              <span className="m">{room.name}</span>
              <span className="t-14 soft room-facts">{room.facts.slice(0, 3).join(" · ")}</span>
            </span>
          </legend>
          <div className="choice-list">
            {room.options
              .filter((option) => option.rooms_left > 0 || option.inventory_id === chosen)
              .map((option) => (
                <OptionLine
                  key={option.inventory_id}
                  option={option}
                  chosen={option.inventory_id === chosen}
                  onChoose={onChoose}
                />
              ))}
          </div>
        </fieldset>
      ))}
      {error ? (
        <p className="err" role="alert">
          {error}
        </p>
      ) : null}
    </div>
  );
}

interface OptionLineProps {
  option: RoomOption;
  chosen: boolean;
  onChoose: (inventoryId: string) => void;
}

function OptionLine({ option, chosen, onChoose }: OptionLineProps) {
  const { t } = useI18n();
  const format = useFormat();
  const price = usePriceText();
  const stay = { date: format.date(option.move_in_date), n: option.lease_duration };
  return (
    <label className="choice">
      <input
        type="radio"
        name="room-option"
        value={option.inventory_id}
        checked={chosen}
        disabled={option.rooms_left === 0}
        onChange={() => onChoose(option.inventory_id)}
      />
      <span>
        <span className="m">
          {option.lease_duration_unit === "weeks" ? t("ui.option_weeks", stay) : t("ui.option_months", stay)}
        </span>
        <span className="t-14 muted room-facts">
          {option.rooms_left === 0 ? t("ui.sold_out") : t("ui.rooms_left", { n: option.rooms_left })}
        </span>
      </span>
      <span className="price nowrap">{price(option.price)}</span>
    </label>
  );
}
