import type { Lead, RoomOption, RoomType } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import type { Lease } from "./lease.ts";
import { usePriceText } from "./priceText.ts";
import "./roomChoice.css";

interface RoomChoiceProps {
  rooms: readonly RoomType[];
  /** The key of a stay, or null. */
  chosen: string | null;
  error?: string | null;
  onChoose: (key: string) => void;
}

/** A stay in a room: the room's own inventory id with its lease, because one room is let for several leases. */
export function optionKey(option: RoomOption): string {
  return [option.inventory_id, option.move_in_date, option.lease_duration].join("|");
}

/** A room and one of its stays. */
export interface Found {
  room: RoomType;
  option: RoomOption;
}

/** Whether a stay can be booked: a room is free, and something is paid for it through the house. */
function isOpen({ rooms_left, nothing_due }: RoomOption): boolean {
  return rooms_left !== 0 && !nothing_due;
}

/** The stay with that key; for a bare inventory id the room's first stay that is open. */
export function findOption(rooms: readonly RoomType[], key: string | null): Found | null {
  const all = rooms.flatMap((room) => room.options.map((option) => ({ room, option })));
  const ofRoom = all.filter(({ option }) => option.inventory_id === key);
  return (
    all.find(({ option }) => optionKey(option) === key) ??
    ofRoom.find(({ option }) => isOpen(option)) ??
    ofRoom[0] ??
    null
  );
}

/** The key of the stay that a lead names, in the room with that id; null where it is not let any more. */
export function stayNamed(rooms: readonly RoomType[], inventoryId: string, wish: Lead["data"]): string | null {
  for (const room of rooms) {
    for (const option of room.options) {
      const { move_in_date, lease_duration } = wishOf({ option });
      const isMeant = move_in_date === wish.move_in_date && lease_duration === wish.lease_duration;
      if (option.inventory_id === inventoryId && isMeant && isOpen(option)) return optionKey(option);
    }
  }
  return null;
}

/** What a lead keeps of a stay: the payment is made for the lease the lead wishes for. */
export function wishOf({ option }: { option: Lease }): { move_in_date: string; lease_duration: string } {
  return {
    move_in_date: option.move_in_date,
    lease_duration: `${option.lease_duration} ${option.lease_duration_unit}`,
  };
}

/** Rooms with the stays that can be booked, one choice over all of them. */
export function RoomChoice({ rooms, chosen, error = null, onChoose }: RoomChoiceProps) {
  const { t } = useI18n();
  const open = rooms.filter((room) => room.options.some(isOpen));
  if (open.length === 0) return <p className="soft">{t("ui.no_room")}</p>;
  return (
    <div className="stack g24" aria-invalid={error ? true : undefined}>
      {open.map((room) => (
        <fieldset key={room.id}>
          <legend className="row room-legend">
            <span className="pic">{room.image ? <img src={room.image.path} alt="" loading="lazy" /> : null}</span>
            <span>
              <span className="m">{room.name}</span>
              <span className="t-14 soft room-facts">{room.facts.slice(0, 3).join(" · ")}</span>
            </span>
          </legend>
          <div className="choice-list">
            {room.options.filter(isOpen).map((option) => (
              <OptionLine
                key={optionKey(option)}
                option={option}
                chosen={optionKey(option) === chosen}
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
  onChoose: (key: string) => void;
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
        value={optionKey(option)}
        checked={chosen}
        onChange={() => onChoose(optionKey(option))}
      />
      <span>
        <span className="m">
          {option.lease_duration_unit === "weeks" ? t("ui.option_weeks", stay) : t("ui.option_months", stay)}
        </span>
        {option.rooms_left === null ? null : (
          <span className="t-14 muted room-facts">{t("ui.rooms_left", { n: option.rooms_left })}</span>
        )}
      </span>
      <span className="price nowrap">{price(option.price)}</span>
    </label>
  );
}
