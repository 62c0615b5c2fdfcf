import { useEffect, useState } from "react";
import type { PropertyPage, RoomOption, RoomType, UserHistory } from "../../contract/wire.ts";
import { type Translate, useFormat, useI18n } from "../../i18n/i18n.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useRoomKind } from "../../ui/roomKind.ts";
import { Chip } from "../ui/chip.tsx";
import { openLead } from "../ui/overlays.ts";
import { RoomPicture } from "../ui/picture/RoomPicture.tsx";
import { PeriodSwitch, PriceTag } from "../ui/price.tsx";
import { ActionButton } from "./ActionButton.tsx";
import type { Choice } from "./choice.ts";
import { langOf } from "./langOf.ts";
import { RoomPhotos } from "./RoomPhotos.tsx";
import { leadSubject } from "./subject.ts";

interface RoomTypesProps {
  property: PropertyPage;
  choice: Choice;
  history: UserHistory | null;
  onChoose: (choice: Choice) => void;
}

/** The rooms of a home: each opens to its dates, stays and prices, with its own button. */
export function RoomTypes({ property, choice, history, onChoose }: RoomTypesProps) {
  const { t } = useI18n();
  const roomKind = useRoomKind();
  const [configuration, setConfiguration] = useState<string | null>(null);
  const [open, setOpen] = useState<string | null>(choice.typeId);
  const types = property.room_types;
  const configurations = [...new Set(types.map((type) => type.configuration).filter((name) => name !== null))];
  const shown = types.filter((type) => configuration === null || type.configuration === configuration);
  useOpenFromAddress(types, setOpen);
  if (types.length === 0) return null;
  const next = (id: string) => {
    const following = shown[(shown.findIndex((type) => type.id === id) + 1) % shown.length];
    if (!following) return;
    setOpen(following.id);
    requestAnimationFrame(() => document.getElementById(`room-${following.id}`)?.scrollIntoView());
  };
  return (
    <section className="psec" id="rooms">
      <div className="row between wrapx rooms-head">
        <h2>{t("property.rooms")}</h2>
        {property.price ? <PeriodSwitch fallback={property.price.duration} /> : null}
      </div>
      {configurations.length > 1 ? (
        <div className="hscroll room-chips">
          <Chip on={configuration === null} count={types.length} onPress={() => setConfiguration(null)}>
            {t("property.all")}
          </Chip>
          {configurations.map((name) => (
            <Chip
              key={name}
              on={configuration === name}
              count={types.filter((type) => type.configuration === name).length}
              onPress={() => setConfiguration(name)}
            >
              {roomKind(name)}
            </Chip>
          ))}
        </div>
      ) : null}
      {shown.map((type) => (
        <RoomRow
          key={type.id}
          {...{ type, property, choice, history, onChoose }}
          open={open === type.id}
          onToggle={() => setOpen(open === type.id ? null : type.id)}
          onNext={shown.length > 1 ? () => next(type.id) : null}
        />
      ))}
    </section>
  );
}

// `#room-…` in the address opens that room (Spec §2: the page scrolls to the room-type section, 102 px below the top).
function useOpenFromAddress(types: readonly RoomType[], setOpen: (id: string) => void): void {
  useEffect(() => {
    const id = decodeURIComponent(location.hash.replace("#room-", ""));
    if (location.hash.startsWith("#room-") && types.some((type) => type.id === id)) setOpen(id);
  }, [types, setOpen]);
}

interface RoomRowProps extends RoomTypesProps {
  type: RoomType;
  open: boolean;
  onToggle: () => void;
  onNext: (() => void) | null;
}

function RoomRow({ type, property, choice, history, onChoose, open, onToggle, onNext }: RoomRowProps) {
  const { t } = useI18n();
  const format = useFormat();
  const area = type.area_sqm === null ? [] : [t("property.area", { n: format.number(type.area_sqm) })];
  // The listing's own facts may begin with the area.
  const facts = [...new Set([...area, ...type.facts])].join(t("ui.comma"));
  const left = roomsLeftText(type, property, t);
  return (
    <div className={`rt${open ? " open" : ""}`} id={`room-${type.id}`}>
      <button
        type="button"
        className="rt-head"
        aria-expanded={open}
        aria-controls={`options-${type.id}`}
        onClick={onToggle}
      >
        <RoomPicture room={type} sizes="132px" />
        <span>
          <span className="t-18 m rt-name" lang={langOf(property, type.name)}>
            {type.name}
          </span>
          <span className="t-14 soft rt-facts">{facts}</span>
          {left === null ? null : <span className={`t-14 m rt-left${type.available ? " free" : ""}`}>{left}</span>}
        </span>
        <span className="rt-right">
          <PriceTag price={type.from} from className="t-18" />
          <Icon name={open ? "chev-u" : "chev-d"} size={20} />
        </span>
      </button>
      <div id={`options-${type.id}`} hidden={!open}>
        {type.options.length > 0 ? (
          <OptionTable {...{ type, property, choice, history, onChoose }} />
        ) : (
          // No day and no length are said: they are asked for.
          <ActionButton
            property={property}
            choice={{ typeId: type.id, option: null, otherDates: true }}
            history={history}
            size="normal"
          />
        )}
        <RoomPhotos room={type} />
        {onNext ? (
          <button type="button" className="btn btn-plain rt-next" onClick={onNext}>
            {t("property.next_room")}
            <Icon name="chev-d" size={16} />
          </button>
        ) : null}
      </div>
    </div>
  );
}

/** How many rooms of a kind are left, as far as it was said; nothing of a home that is paused or closed, whose page says that above. */
function roomsLeftText(type: RoomType, { state }: PropertyPage, t: Translate): string | null {
  if (!type.available) return state === "active" ? t("ui.sold_out") : null;
  return type.rooms_left === null ? null : t("property.rooms_left", { n: type.rooms_left });
}

/** How many rooms are left for a stay; empty where one is free and nobody said how many there are. */
function leftText({ rooms_left, booking_over }: RoomOption, t: Translate): string {
  if (booking_over) return "";
  if (rooms_left === 0) return t("property.none_left");
  return rooms_left === null ? "" : t("ui.rooms_left", { n: rooms_left });
}

/** Whether somebody said how many rooms there are; a stay that is sold out is always known. */
function isCounted(type: RoomType): boolean {
  return type.options.some((option) => option.rooms_left !== null);
}

function OptionTable({
  type,
  property,
  choice,
  history,
  onChoose,
}: Omit<RoomRowProps, "open" | "onToggle" | "onNext">) {
  const { t } = useI18n();
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t("property.move_in")}</th>
          <th scope="col">{t("property.stay")}</th>
          {isCounted(type) ? <th scope="col">{t("property.left")}</th> : null}
          <th scope="col">{t("property.price")}</th>
          <th scope="col">
            <span className="vh">{t("property.action")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {type.options.map((option) => (
          <OptionRow
            key={`${option.inventory_id}-${option.move_in_date}-${option.lease_duration}`}
            {...{ option, type, property, history, onChoose }}
            on={choice.option === option}
          />
        ))}
      </tbody>
    </table>
  );
}

interface OptionRowProps extends Omit<RoomTypesProps, "choice"> {
  option: RoomOption;
  type: RoomType;
  on: boolean;
}

function OptionRow({ option, type, property, history, onChoose, on }: OptionRowProps) {
  const { t } = useI18n();
  const format = useFormat();
  const choice: Choice = { typeId: type.id, option, otherDates: false };
  const free = option.rooms_left !== 0;
  const { deposit, book_by } = option;
  const choose = () => onChoose(choice);
  return (
    <tr className={on ? "on" : ""} onClickCapture={choose}>
      <td className="m num">
        {format.date(option.move_in_date)}
        <Term text={option.move_in_until && t("property.until_date", { date: format.date(option.move_in_until) })} />
      </td>
      <td className="num">
        {t(option.lease_duration_unit === "weeks" ? "property.weeks" : "property.months", { n: option.lease_duration })}
        <Term text={option.ends_on && t("property.until_date", { date: format.date(option.ends_on) })} />
      </td>
      {isCounted(type) ? <td>{leftText(option, t)}</td> : null}
      <td>
        <PriceTag price={option.price} />
        <Term text={deposit && t("property.own_deposit", { price: format.money(deposit.amount_minor, deposit) })} />
      </td>
      <td>
        {option.booking_over ? null : free || !property.available ? (
          <ActionButton property={property} choice={choice} history={history} size="normal" />
        ) : (
          <Button onClick={() => openLead(leadSubject(property, choice), "join_waitlist")}>
            {t("property.join_waitlist")}
          </Button>
        )}
        <Term text={option.nothing_due && !option.booking_over ? t("property.nothing_due") : null} />
        <Term
          text={
            book_by &&
            t(option.booking_over ? "property.booking_over" : "property.book_by", { date: format.date(book_by) })
          }
        />
      </td>
    </tr>
  );
}

/** A term of a lease below what it is about; nothing where nobody said it. */
function Term({ text }: { text: string | null }) {
  return text ? <span className="t-14 soft rt-term">{text}</span> : null;
}
