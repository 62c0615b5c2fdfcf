import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { HomeValues, HomeWhatIf, HomeWhatIfRoom } from "../../../contract/wire.ts";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { FailureNote } from "../../FailureNote.tsx";
import { readCurrency } from "../../homeCurrency.ts";
import { Icon } from "../../icon.tsx";
import { usePastMoment } from "../../pastMoment.ts";
import { useRested } from "../../useRested.ts";
import { readLength } from "../facts/factNames.ts";
import type { Draft } from "../facts/homeEdit.ts";
import { bookingsQuery, tryQuery } from "../homeCalls.ts";
import { listTried } from "./triedEdit.ts";

/** Enquiries whose price changes that are named; the others are a number. */
const LEADS_SHOWN = 5;

interface TriedEditProps {
  values: HomeValues;
  draft: Draft;
}

/** Consequences of the typed prices and numbers of rooms before they are saved; nothing while none is typed. */
export function TriedEdit({ values, draft }: TriedEditProps) {
  const isPast = usePastMoment() !== null;
  const rooms = listTried(values, draft);
  const rested = useRested(JSON.stringify(rooms));
  const isTyped = rooms.length > 0 && !isPast;
  const asked = useQuery({ ...tryQuery(values.home_id, JSON.parse(rested)), enabled: isTyped && rested !== "[]" });
  if (!isTyped) return null;
  if (asked.data === undefined) return asked.error === null ? null : <FailureNote error={asked.error} />;
  return <Found values={values} found={asked.data} />;
}

function Found({ values, found }: { values: HomeValues; found: HomeWhatIf }) {
  const { t } = useI18n();
  return (
    <section className="tried stackv" aria-label={t("homes.tried")} aria-live="polite">
      {found.rooms.map((room) => (
        <Room key={room.room_id} values={values} room={room} />
      ))}
      {found.leads_read === 0 ? null : <Leads values={values} found={found} />}
    </section>
  );
}

/** A room type before and after, and what its bookings and its waitlist make of it. */
function Room({ values, room }: { values: HomeValues; room: HomeWhatIfRoom }) {
  const { t } = useI18n();
  const { money, number, date } = useFormat();
  const look = readCurrency(values.currency);
  const becomes = (before: string, after: string) => t("homes.tried_becomes", { before, after });
  // `189.00` typed over `189` is an edit that changes nothing.
  if (room.rooms_before === room.rooms_after && room.leases.length === 0) return null;
  return (
    <>
      {room.short.length === 0 ? null : <Short values={values} room={room} />}
      <div className="note">
        <Icon name="eye" size="s" />
        <div>
          {room.rooms_before === room.rooms_after ? null : (
            <p>
              <b>{`${room.name} · ${t("homes.fact_count")}`}</b>{" "}
              {becomes(number(room.rooms_before), number(room.rooms_after))}
            </p>
          )}
          {room.leases.map(({ move_in, length, before_minor, after_minor }) => {
            const { n, unit } = readLength(length);
            return (
              <p key={`${move_in}/${length}`}>
                <b>{`${room.name} · ${t(`homes.stay_${unit}`, { n, day: date(move_in, "short") })}`}</b>{" "}
                {becomes(money(before_minor, look), money(after_minor, look))}
              </p>
            );
          })}
          {room.rooms_after > room.rooms_before && room.waiting > 0 ? (
            <p>{t("homes.tried_waiting", { n: room.would_find, of: number(room.waiting) })}</p>
          ) : null}
        </div>
      </div>
    </>
  );
}

/** A number below what is booked and held is refused: who fills the rooms, each with the way to it. */
function Short({ values, room }: { values: HomeValues; room: HomeWhatIfRoom }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const { data: bookings = [] } = useQuery(bookingsQuery(values.home_id));
  return (
    <div className="note bad" role="alert">
      <Icon name="alert" size="s" />
      <div>
        <p>
          <b>{t("homes.tried_short", { room: room.name, n: number(room.rooms_after) })}</b>
        </p>
        <p>{t("homes.tried_short_text", { n: room.short.length })}</p>
        <ul className="refs">
          {room.short.map((reference) => {
            const leadId = bookings.find((booking) => booking.reference === reference)?.lead_id ?? null;
            return (
              <li key={reference}>
                {leadId === null ? (
                  reference
                ) : (
                  <Link className="link" to="/workspace/leads/$leadId" params={{ leadId }}>
                    {reference}
                  </Link>
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}

/** Open enquiries whose price the change would move; one that a student froze stays. */
function Leads({ values, found }: { values: HomeValues; found: HomeWhatIf }) {
  const { t } = useI18n();
  const { money, number } = useFormat();
  const look = readCurrency(values.currency);
  const say = (minor: number | null) => (minor === null ? t("homes.not_said") : money(minor, look));
  const { leads, leads_read } = found;
  const rest = leads.length - LEADS_SHOWN;
  return (
    <div className="note">
      <Icon name="people" size="s" />
      <div>
        <p>{t("homes.tried_leads", { n: leads.length, of: number(leads_read) })}</p>
        <ul className="refs">
          {leads.slice(0, LEADS_SHOWN).map(({ lead_id, reference, before_minor, after_minor }) => (
            <li key={lead_id}>
              <Link className="link" to="/workspace/leads/$leadId" params={{ leadId: lead_id }}>
                {reference}
              </Link>{" "}
              {t("homes.tried_becomes", { before: say(before_minor), after: say(after_minor) })}
            </li>
          ))}
          {rest > 0 ? <li>{t("homes.tried_more", { n: rest })}</li> : null}
        </ul>
      </div>
    </div>
  );
}
