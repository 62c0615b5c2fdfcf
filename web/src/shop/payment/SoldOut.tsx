import { useEffect, useState } from "react";
import { get } from "../../api.ts";
import type { Payment, PropertyPage } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { useOwnTime } from "../../ownTime.ts";
import { fetchPage, isPage } from "../../page.ts";
import * as paths from "../../paths.ts";
import { serverNow } from "../../serverClock.ts";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { PropertyCard } from "../ui/card/PropertyCard.tsx";
import { useNextPayment } from "./enquiryOf.ts";
import { BankHas, Outcome } from "./Outcome.tsx";
import { PriceSummary, useAmount } from "./PriceSummary.tsx";
import { Turn, TurnTaken } from "./Turn.tsx";
import { useWaitlist, Waitlist } from "./Waitlist.tsx";

/** How often a held room is asked after. */
const LOOK_AGAIN_MS = 15_000;

/** The room is not this payer's: says "not charged" before anything else and why, then offers what is free. */
export function SoldOut({ payment: first }: { payment: Payment }) {
  const payment = usePresent(first);
  const home = useHome(payment.inventory_root.canonical_name, payment.room.move_in_date);
  const { title, text } = useReason(payment);
  const { t } = useI18n();
  const waitlist = useWaitlist(payment.token);
  if (waitlist.view?.place?.state === "offered") {
    return <Turn payment={payment} view={waitlist.view} change={waitlist.change} />;
  }
  if (waitlist.view?.place?.state === "taken" && payment.room_now !== "free") {
    return <TurnTaken payment={payment} view={waitlist.view} />;
  }
  return (
    <Outcome
      icon={payment.sold_out_reason === "hold_lost" || isNotSold(payment) ? "clock" : "door"}
      tone="warning"
      title={title}
      aside={<PriceSummary payment={payment} outcome="nothing" />}
    >
      <p className="t-18 soft flow-lead">{text}</p>
      <BankHas payment={payment} />
      <div className="row wrapx flow-acts">
        <WayOn payment={payment} />
      </div>
      <Waitlist payment={payment} waitlist={waitlist} isFree={payment.room_now === "free"} />
      {home && home.similar.length === 0 ? (
        <div data-no-alternatives>
          <h2 className="flow-part">{t("stay.near_none_title")}</h2>
          <p className="soft">{t("stay.near_none")}</p>
          <ButtonLink
            look="quiet"
            href={paths.search(home.region.canonical_name, { move_in_month: payment.room.move_in_date.slice(0, 7) })}
          >
            {t("stay.near_search")}
          </ButtonLink>
        </div>
      ) : null}
      {home && home.similar.length > 0 ? (
        <>
          <h2 className="flow-part">{t("payment.close_by")}</h2>
          <div className="homes near-homes">
            {home.similar.slice(0, 4).map((card) => (
              <PropertyCard key={card.id} home={card} />
            ))}
          </div>
        </>
      ) : null}
    </Outcome>
  );
}

/** Others held the room and have not paid for it: it may be had still. */
function isNotSold(payment: Payment): boolean {
  return payment.room_now === "held" || payment.room_now === "free";
}

/** Another payer has it, for now or for good. */
function isTaken(payment: Payment): boolean {
  return payment.room_now === "held" || payment.room_now === "sold";
}

/** Why the room is gone, in the words of that reason: nobody is told of a rival who never was. */
function useReason(payment: Payment): { title: string; text: string } {
  const { t } = useI18n();
  const format = useFormat();
  const own = useOwnTime();
  const amount = useAmount(payment)(payment.total_minor);
  const room = payment.room.name;
  const captured = payment.refunds.length > 0 || payment.refunded_minor > 0;
  const refund = captured ? t("payment.sold_out_refund", { amount }) : null;
  if (payment.cancelled_at !== null && payment.sold_out_reason === null) {
    return { title: t("payment.over_cancelled_title"), text: t("payment.paid_after_cancel", { amount }) };
  }
  switch (payment.sold_out_reason) {
    case "hold_lost": {
      const text = t(isTaken(payment) ? "payment.hold_lost_taken" : "payment.hold_lost_text", { room });
      return { title: t("payment.hold_lost_title"), text: refund ?? text };
    }
    case "other_room_booked":
      return {
        title: t("payment.other_room_title"),
        text: captured ? t("payment.other_room_refund", { amount }) : t("payment.other_room_text", { room }),
      };
    case "too_many_holds":
      return { title: t("payment.too_many_title"), text: refund ?? t("payment.too_many_text") };
    case "no_room":
    case null: {
      const date = format.date(payment.room.move_in_date);
      if (payment.room_now === "free") {
        return { title: t("payment.free_title"), text: t("payment.free_text", { room, date }) };
      }
      if (payment.held_until !== null) {
        const until = payment.held_until;
        const today = own.day(new Date(serverNow()).toISOString());
        // A room that is kept for the first in line is held until another day.
        const time = own.day(until) === today ? own.time(until) : own.moment(until);
        return { title: t("payment.held_title"), text: t("payment.held_text", { room, date, time }) };
      }
      if (payment.room_now === "held") {
        return { title: t("payment.held_title"), text: t("payment.held_open_text", { room, date }) };
      }
      return { title: t("payment.sold_out_title"), text: refund ?? t("payment.sold_out_text", { room, date }) };
    }
  }
}

/** The same room again where it may still be free, the open payments where they stand in the way, else other rooms. */
function WayOn({ payment }: { payment: Payment }) {
  const { t } = useI18n();
  const home = payment.inventory_root.canonical_name;
  const rooms = `${paths.property(home)}#rooms`;
  const again = useNextPayment(payment);
  const reason = payment.room_now === "free" ? "hold_lost" : payment.sold_out_reason;
  const canHold = again !== null && !isTaken(payment);
  switch (reason) {
    case "hold_lost":
      return (
        <>
          {canHold ? (
            <ButtonLink look="primary" href={again}>
              {t("payment.hold_again")}
            </ButtonLink>
          ) : null}
          <ButtonLink look={canHold ? "quiet" : "primary"} href={rooms}>
            {t("payment.see_rooms")}
          </ButtonLink>
          {again === null && payment.room_now === "free" ? <p className="soft">{t("payment.over_ask")}</p> : null}
        </>
      );
    case "other_room_booked":
    case "too_many_holds":
      return (
        <ButtonLink look="primary" href={paths.bookings("enquired")}>
          {t("payment.view_bookings")}
        </ButtonLink>
      );
    case "no_room":
    case null:
      return (
        <ButtonLink look="primary" href={rooms}>
          {t("payment.see_rooms")}
        </ButtonLink>
      );
  }
}

/** The payment as it is read again while the room is only held: whoever waits learns that it was sold, or is free. */
function usePresent(first: Payment): Payment {
  const [read, setRead] = useState(first);
  const payment = read.version < first.version ? first : read;
  const { token, room_now } = payment;
  useEffect(() => {
    if (room_now !== "held") return;
    const leaving = new AbortController();
    const look = () =>
      get("/api/v0/payments/{token}", { path: { token }, fresh: true, signal: leaving.signal }).then(
        setRead,
        () => undefined,
      );
    const timer = setInterval(look, LOOK_AGAIN_MS);
    return () => {
      clearInterval(timer);
      leaving.abort();
    };
  }, [token, room_now]);
  return payment;
}

/** The home's own page knows which neighbours are free in that month; the screen stands without them. */
function useHome(canonicalName: string, moveIn: string): PropertyPage | null {
  const [home, setHome] = useState<PropertyPage | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    fetchPage(paths.property(canonicalName, { move_in_date: moveIn }), leaving.signal).then(
      (page) => isPage(page, "property") && setHome(page.data),
      () => setHome(null),
    );
    return () => leaving.abort();
  }, [canonicalName, moveIn]);
  return home;
}
