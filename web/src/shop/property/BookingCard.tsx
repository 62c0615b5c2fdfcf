import type { Price, PropertyPage, RoomType, UserHistory } from "../../contract/wire.ts";
import { type Translate, useFormat, useI18n } from "../../i18n/i18n.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { askVariant, enquiryVariant } from "../ui/cameBy.ts";
import { openLead } from "../ui/overlays.ts";
import { inPeriod, usePeriod } from "../ui/period.ts";
import { PriceTag, Rating } from "../ui/price.tsx";
import { usePriceText } from "../ui/priceText.ts";
import { ActionButton } from "./ActionButton.tsx";
import { CostLines } from "./CostLines.tsx";
import { callToAction, type UserAction } from "./callToAction.ts";
import { type Choice, optionsOf, withDate, withType } from "./choice.ts";
import { langOf } from "./langOf.ts";
import { leadSubject } from "./subject.ts";

interface BookingProps {
  property: PropertyPage;
  choice: Choice;
  history: UserHistory | null;
  onChoose: (choice: Choice) => void;
}

/** The card that stays beside the page: price, room, dates, what it costs, and the next step. */
export function BookingCard(props: BookingProps) {
  const { property, choice, history } = props;
  const { t } = useI18n();
  const { reviews, offers, view_count } = property;
  const [offer] = offers;
  const price = choice.option?.price ?? property.price;
  const action = callToAction(property, choice, history);
  const pays = action === "book" || action === "apply_now" || action.startsWith("continue");
  const asks = asksBeside(action);
  return (
    <aside className="only-wide" aria-label={t("property.book_this")}>
      <div className="stick room-booking">
        <div className="card bk card-lift">
          <div className="row between row-top">
            {price ? <PriceTag price={price} from={choice.option === null} className="t-28" /> : null}
            {reviews.rating === null ? null : <Rating rating={reviews.rating} count={reviews.count} />}
          </div>
          {price ? <OtherPeriod price={price} /> : null}
          <Choosers {...props} />
          {offer ? (
            <div className="banner offer">
              <Icon name="tag" size={20} />
              <span>
                <strong className="offer-title" lang={langOf(property, offer.title)}>
                  {offer.title}
                </strong>{" "}
                <span lang={langOf(property, offer.description)}>{offer.description}</span>
              </span>
            </div>
          ) : null}
          <div className="booking-acts">
            <ActionButton property={property} choice={choice} history={history} block />
            {asks ? (
              <Button
                size="large"
                block
                onClick={() => openLead(leadSubject(property, choice), enquiryVariant(location.search))}
              >
                {t(history?.enquired ? "property.enquired" : "property.enquire_now")}
              </Button>
            ) : null}
          </div>
          {pays ? <p className="t-14 soft not-charged">{t("property.not_charged")}</p> : null}
          <CostLines property={property} choice={choice} />
        </div>
        {view_count === null ? null : (
          <p className="row t-14 muted views">
            <Icon name="eye" size={16} />
            {t("property.views", { n: view_count })}
          </p>
        )}
      </div>
    </aside>
  );
}

function OtherPeriod({ price: asked }: { price: Price }) {
  const { t } = useI18n();
  const format = useFormat();
  const chosen = usePeriod();
  const price = inPeriod(asked, chosen);
  const other = inPeriod(asked, price.duration === "weekly" ? "monthly" : "weekly");
  const money = format.money(other.amount_minor, other);
  return (
    <p className="t-14 muted num about-other">
      {t(other.duration === "monthly" ? "property.about_month" : "property.about_week", { money })}
    </p>
  );
}

function Choosers({ property, choice, onChoose }: BookingProps) {
  const { t } = useI18n();
  const format = useFormat();
  const priceText = usePriceText();
  const types = property.room_types;
  const options = optionsOf(types, choice.typeId);
  if (types.length === 0) return null;
  const dates = [...new Set(options.map((option) => option.move_in_date))];
  const stays = options.filter((option) => option.move_in_date === choice.option?.move_in_date);
  const stay = (option: (typeof options)[number]) =>
    t(option.lease_duration_unit === "weeks" ? "property.weeks" : "property.months", { n: option.lease_duration });
  return (
    <div className="bk-grid">
      <label className="bk-cell">
        <span className="t-12 muted">{t("property.move_in")}</span>
        <select
          value={choice.otherDates ? "other" : (choice.option?.move_in_date ?? "")}
          onChange={(event) => onChoose(withDate(types, choice, event.target.value))}
        >
          {dates.map((date) => (
            <option key={date} value={date}>
              {format.date(date)}
            </option>
          ))}
          <option value="other">{t("property.other_dates")}</option>
        </select>
      </label>
      <label className="bk-cell">
        <span className="t-12 muted">{t("property.stay")}</span>
        <select
          value={choice.option ? stays.indexOf(choice.option) : -1}
          disabled={stays.length === 0}
          onChange={(event) => onChoose({ ...choice, option: stays[Number(event.target.value)] ?? choice.option })}
        >
          {stays.length === 0 ? <option value={-1}>{t("property.to_agree")}</option> : null}
          {stays.map((option, at) => (
            <option key={`${option.inventory_id}-${option.lease_duration}`} value={at}>
              {stay(option)}
            </option>
          ))}
        </select>
      </label>
      <label className="bk-cell wide">
        <span className="t-12 muted">{t("property.room")}</span>
        <select value={choice.typeId ?? ""} onChange={(event) => onChoose(withType(types, choice, event.target.value))}>
          {types.map((type) => (
            <option key={type.id} value={type.id}>
              {roomText(type, property, priceText, t)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** A room with its price, or that it is sold out; of a paused or closed home its page says more above. */
function roomText(type: RoomType, { state }: PropertyPage, priceText: (price: Price) => string, t: Translate): string {
  if (type.available) return t("property.room_from", { name: type.name, price: priceText(type.from) });
  return state === "active" ? t("property.room_sold_out", { name: type.name }) : type.name;
}

/** Whether a question can be asked beside the main button, which then does something else. */
function asksBeside(action: UserAction): boolean {
  return action === "book" || action === "apply_now" || action.startsWith("continue") || action === "view_bookings";
}

/** The bar at the foot of a phone: price, dates, a question, the next step. */
export function BookingBar({ property, choice, history }: BookingProps) {
  const { t } = useI18n();
  const format = useFormat();
  const { option } = choice;
  const price = option?.price ?? property.price;
  const asks = asksBeside(callToAction(property, choice, history));
  return (
    <div className="bbar only-narrow">
      <div>
        {price ? <PriceTag price={price} from={option === null} className="t-18" /> : null}
        {option ? (
          <p className="t-12 muted">
            {t(option.lease_duration_unit === "weeks" ? "property.weeks_from" : "property.months_from", {
              n: option.lease_duration,
              date: format.date(option.move_in_date),
            })}
          </p>
        ) : null}
      </div>
      <div className="bbar-acts">
        {asks ? (
          <Button size="large" onClick={() => openLead(leadSubject(property, choice), askVariant(location.search))}>
            {t("property.ask")}
          </Button>
        ) : null}
        <ActionButton property={property} choice={choice} history={history} />
      </div>
    </div>
  );
}
