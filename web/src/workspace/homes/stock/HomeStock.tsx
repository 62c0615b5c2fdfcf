import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type CSSProperties, type KeyboardEvent, useState } from "react";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { plainDay } from "../../clock.ts";
import { Bone, Stopped } from "../../TableStates.tsx";
import { readLength } from "../facts/factNames.ts";
import { bookingsQuery, type HomeBooking, type StaffHome, type HomeStock as Stock, stockQuery } from "../homeCalls.ts";
import { countFree, listMonths, placeDay, stepWeek } from "./skyline.ts";

type Room = Stock["rooms"][number];

/** Rooms of a home by weeks: let, held and free, the leases on the same line of time, and who fills them. */
export function HomeStock({ home }: { home: StaffHome }) {
  const { t } = useI18n();
  const [from, setFrom] = useState<string | null>(null);
  const asked = useQuery(stockQuery(home.home_id, from));
  const stock = asked.data;
  return (
    <div className="scroll pad stackv" data-list-scroll>
      {asked.error === null ? null : (
        <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
      )}
      {stock === undefined ? (
        asked.error === null ? (
          <Bone width={480} />
        ) : null
      ) : (
        <>
          <div className="sky-key">
            <span>
              <i className="dotk let" aria-hidden="true" />
              {t("homes.let")}
            </span>
            <span>
              <i className="dotk held" aria-hidden="true" />
              {t("homes.held")}
            </span>
            <span>
              <i className="dotk" aria-hidden="true" />
              {t("homes.free")}
            </span>
            <span className="end row">
              <button type="button" className="btn sm" onClick={() => setFrom(shiftYear(stock.from, -1))}>
                {t("homes.year_before")}
              </button>
              <button type="button" className="btn sm" onClick={() => setFrom(shiftYear(stock.from, 1))}>
                {t("homes.year_after")}
              </button>
            </span>
          </div>
          {stock.rooms.length === 0 ? <p className="muted">{t("homes.no_rooms")}</p> : null}
          <div className="skies">
            {stock.rooms[0] === undefined ? null : <Months from={stock.from} weeks={stock.rooms[0].weeks.length} />}
            {stock.rooms.map((room) => (
              <Sky key={room.room_id} room={room} from={stock.from} />
            ))}
          </div>
        </>
      )}
      <Bookings home={home} />
    </div>
  );
}

/** The Monday 52 weeks before or after another. */
export function shiftYear(day: string, years: 1 | -1): string {
  const shifted = new Date(`${day}T00:00:00Z`);
  shifted.setUTCDate(shifted.getUTCDate() + years * 364);
  return shifted.toISOString().slice(0, 10);
}

/** One room type: the weeks as columns, chosen one by one with the arrow keys, whose figures are said below. */
function Sky({ room, from }: { room: Room; from: string }) {
  const { t } = useI18n();
  const { number, date } = useFormat();
  const [at, setAt] = useState(0);
  const week = room.weeks[at];
  const total = Math.max(1, room.rooms, ...room.weeks.map(({ booked, held }) => booked + held));
  const step = (event: KeyboardEvent) => {
    const next = stepWeek(event.key, at, room.weeks.length);
    if (next === null) return;
    event.preventDefault();
    setAt(next);
  };
  const said =
    week === undefined
      ? ""
      : t("homes.week_said", {
          day: date(week.from),
          booked: number(week.booked),
          held: number(week.held),
          free: number(week.free),
        });
  return (
    <section className="sky">
      <div>
        <h2>{room.name}</h2>
        <p className="sub">{t("homes.rooms_count", { n: room.rooms })}</p>
        {room.is_oversold ? <p className="chip bad">{t("homes.oversold")}</p> : null}
      </div>
      <div className="plot">
        <div
          className="weeks"
          role="slider"
          tabIndex={0}
          aria-label={t("homes.weeks_of", { room: room.name })}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, room.weeks.length - 1)}
          aria-valuenow={at}
          aria-valuetext={said}
          onKeyDown={step}
        >
          {room.weeks.map(({ from: day, booked, held }, index) => (
            // A press repeats for the mouse what the arrow keys do.
            // biome-ignore lint/a11y/noStaticElementInteractions: the slider around it has the keyboard
            // biome-ignore lint/a11y/useKeyWithClickEvents: the slider around it has the keyboard
            <span
              key={day}
              className={index === at ? "week on" : "week"}
              title={date(day, "short")}
              onClick={() => setAt(index)}
            >
              {held > 0 ? <i className="held" style={{ height: `${(100 * held) / total}%` }} /> : null}
              {booked > 0 ? <i className="let" style={{ height: `${(100 * booked) / total}%` }} /> : null}
            </span>
          ))}
        </div>
        <p className="sub num" aria-hidden="true">
          {said}
        </p>
        <Leases room={room} from={from} />
      </div>
    </section>
  );
}

/** The leases of a room as spans under its weeks: those that overlap share its rooms. */
function Leases({ room, from }: { room: Room; from: string }) {
  const { t } = useI18n();
  const { date, number } = useFormat();
  const place = (day: string) => placeDay(day, from, room.weeks.length);
  return (
    <ul className="spans">
      {room.leases.map(({ move_in, length, ends, booked, held }) => {
        const { n, unit } = readLength(length);
        const [left, right] = [place(move_in), place(ends)];
        const free = countFree(move_in, ends, room.weeks);
        return (
          <li key={`${move_in}/${length}`}>
            {right > left ? (
              <i className="span" style={{ marginLeft: `${left}%`, width: `${right - left}%` }} aria-hidden="true" />
            ) : null}
            <span className="span-text" style={placeText(left, right)}>
              <b>{t(`homes.stay_${unit}`, { n, day: date(move_in, "short") })}</b>
              <span>
                {t("homes.lease_taken", { booked, held })}
                {free === null ? null : ` · ${t("homes.lease_free", { n: number(free) })}`}
              </span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Words of a span lie on it where it is long enough for them, else from its beginning on. */
function placeText(left: number, right: number): CSSProperties {
  const isLong = right - left > 45;
  return { marginLeft: `${Math.min(left, 50)}%`, ...(isLong ? { width: `${right - left}%` } : {}) };
}

/** The months along the weeks of all room types. */
function Months({ from, weeks }: { from: string; weeks: number }) {
  const { month } = useFormat();
  return (
    <div className="sky sky-months" aria-hidden="true">
      <span />
      <p className="months">
        {listMonths(from, weeks).map(({ day, at }) => (
          <span key={day} style={{ left: `${at}%` }}>
            {month(day.slice(0, 7), "short")}
          </span>
        ))}
      </p>
    </div>
  );
}

/** Who fills the rooms: bookings, and holds until when. */
function Bookings({ home }: { home: StaffHome }) {
  const { t } = useI18n();
  const asked = useQuery(bookingsQuery(home.home_id));
  if (asked.data === undefined) {
    if (asked.error === null) return <Bone width={240} />;
    return <Stopped error={asked.error} fetchedAt={0} onRetry={() => void asked.refetch()} />;
  }
  return (
    <section>
      <h2 className="sec-h">{t("homes.bookings")}</h2>
      {asked.data.length === 0 ? <p className="muted">{t("homes.no_bookings")}</p> : null}
      <ul className="step-list">
        {asked.data.map((booking) => (
          <Booking key={booking.payment_id} booking={booking} />
        ))}
      </ul>
    </section>
  );
}

function Booking({ booking }: { booking: HomeBooking }) {
  const { t, lang } = useI18n();
  const { date } = useFormat();
  const { lead_id, reference, room, move_in, ends, state, held_until } = booking;
  const name = reference ?? booking.payment_id;
  return (
    <li>
      <div className="grow">
        {lead_id === null ? (
          <b>{name}</b>
        ) : (
          <Link className="link" to="/workspace/leads/$leadId" params={{ leadId: lead_id }}>
            {name}
          </Link>
        )}
        <p className="sub">
          {move_in === null || ends === null
            ? room
            : `${room} · ${t("homes.nights", { from: date(move_in), to: date(ends) })}`}
        </p>
      </div>
      <span className={state === "booked" ? "chip ok" : "chip warn"}>
        {state === "held" && held_until !== null
          ? t("homes.held_until", { day: plainDay(held_until, lang) })
          : t(`homes.booking_${state}`)}
      </span>
    </li>
  );
}
