import { useEffect, useState } from "react";
import type { Payment, PropertyPage } from "../contract/wire.ts";
import { useFormat, useI18n } from "../i18n/i18n.tsx";
import { fetchPage, isPage } from "../page.ts";
import * as paths from "../paths.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { PropertyCard } from "../ui/card/PropertyCard.tsx";
import { type LeadInventory, openLead } from "../ui/overlays.ts";
import { Outcome } from "./Outcome.tsx";
import { PriceSummary, useAmount } from "./PriceSummary.tsx";

/** Someone was first: says "not charged" before anything else, then offers what is free. */
export function SoldOut({ payment }: { payment: Payment }) {
  const { t } = useI18n();
  const format = useFormat();
  const amount = useAmount(payment);
  const home = useHome(payment.inventory_root.canonical_name);
  const captured = payment.refunds.length > 0 || payment.refunded_minor > 0;
  const room = payment.room.name;
  const text = captured
    ? t("payment.sold_out_refund", { amount: amount(payment.total_minor) })
    : t("payment.sold_out_text", { room, date: format.date(payment.room.move_in_date) });
  return (
    <Outcome
      icon="door"
      tone="warning"
      title={t("payment.sold_out_title")}
      aside={<PriceSummary payment={payment} outcome="nothing" />}
    >
      <p className="t-18 soft flow-lead">{text}</p>
      <div className="row wrapx flow-acts">
        <ButtonLink look="primary" href={`${paths.property(payment.inventory_root.canonical_name)}#rooms`}>
          {t("payment.see_rooms")}
        </ButtonLink>
        {home ? (
          <Button onClick={() => openLead(waiting(home, payment), "join_waitlist")}>
            {t("payment.join_waitlist")}
          </Button>
        ) : null}
      </div>
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

/** The home's own page knows its neighbours; the screen stands without them. */
function useHome(canonicalName: string): PropertyPage | null {
  const [home, setHome] = useState<PropertyPage | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    fetchPage(paths.property(canonicalName), leaving.signal).then(
      (page) => isPage(page, "property") && setHome(page.data),
      () => setHome(null),
    );
    return () => leaving.abort();
  }, [canonicalName]);
  return home;
}

function waiting(home: PropertyPage, payment: Payment): LeadInventory {
  return {
    id: home.id,
    name: home.name,
    canonical_name: home.canonical_name,
    available: false,
    bookable: false,
    flow: home.flow,
    region: {
      id: home.region.id,
      name: home.region.name,
      canonical_name: home.region.canonical_name,
      country_key: home.region.location.country_key,
    },
    image: home.images[0] ?? null,
    price: home.price,
    room_inventory_id: payment.inventory_id,
    configuration: payment.room.name,
    move_in_date: payment.room.move_in_date,
    lease_duration: `${payment.room.lease_duration} ${payment.room.lease_duration_unit}`,
    coordinates: { lat: home.lat, lng: home.lng },
  };
}
