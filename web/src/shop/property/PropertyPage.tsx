import "./property.css";
import "../../ui/moreIcons.ts";
import { useEffect, useState } from "react";
import { get } from "../../api.ts";
import type { UserHistory } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { PageOf } from "../../page.ts";
import * as paths from "../../paths.ts";
import { keepToastsClear } from "../../ui/clearToasts.ts";
import { Icon } from "../../ui/icon.tsx";
import { Link } from "../Link.tsx";
import { useSession } from "../session.ts";
import { PropertyCard } from "../ui/card/PropertyCard.tsx";
import { rememberViewed } from "../ui/card/recentlyViewed.ts";
import { rememberedLead } from "../ui/knownLead.ts";
import { useOverlay } from "../ui/overlays.ts";
import { listHomePhotos } from "../ui/picture/homePictures.ts";
import { Amenities, Overview } from "./About.tsx";
import { AnchorNav } from "./AnchorNav.tsx";
import { BookingBar, BookingCard } from "./BookingCard.tsx";
import { type Choice, firstChoice } from "./choice.ts";
import { Gallery } from "./Gallery.tsx";
import { Location } from "./Location.tsx";
import { PriceTrends } from "./PriceTrends.tsx";
import { Questions } from "./Questions.tsx";
import { Reviews } from "./Reviews.tsx";
import { RoomTypes } from "./RoomTypeList.tsx";
import { SoldOutBanner } from "./SoldOutBanner.tsx";
import { TitleLine } from "./TitleLine.tsx";

/** A home: what it looks like, its rooms and prices, what is around it, and one clear next step. */
export default function PropertyPage({ page }: { page: PageOf<"property"> }) {
  const property = page.data;
  const [choice, setChoice] = useState<Choice>(() => firstChoice(property.room_types));
  const history = useHistory(property.id);
  useRemember(property);
  useEffect(keepToastsClear, []);
  const parts = { property, choice, history, onChoose: setChoice };
  return (
    <main id="main" className="has-bbar">
      <div className="wrap">
        <div className="ptop">
          <Crumbs page={page} />
          <TitleLine property={property} />
          <Gallery property={property} />
        </div>
        <AnchorNav property={property} />
        <div className="pgrid">
          <div>
            {property.available ? null : <SoldOutBanner property={property} />}
            <Overview property={property} />
            <RoomTypes {...parts} />
            <Amenities property={property} />
            <PriceTrends trends={property.price_trends} />
            <Reviews property={property} />
            <Location property={property} />
            <Questions property={property} />
          </div>
          <BookingCard {...parts} />
        </div>
        <Similar page={page} />
      </div>
      <BookingBar {...parts} />
    </main>
  );
}

// Personal state comes after hydration: the page itself is the same for everybody (decision 0035). It is asked for again when a
// dialog closes, because an enquiry changes it.
function useHistory(id: string): UserHistory | null {
  const session = useSession();
  const overlay = useOverlay();
  const [history, setHistory] = useState<UserHistory | null>(null);
  const who = session.state;
  const open = overlay.kind !== "none";
  useEffect(() => {
    if (open || who === "unknown") return;
    const stop = new AbortController();
    // Who is not logged in is known by the lead this device has sent.
    get("/api/v0/inventories/{id}/user_history", {
      path: { id },
      query: { lead_uuid: rememberedLead(id) },
      signal: stop.signal,
      fresh: true,
    })
      .then(setHistory)
      .catch(() => undefined);
    return () => stop.abort();
  }, [id, who, open]);
  return history;
}

function useRemember(property: PageOf<"property">["data"]): void {
  useEffect(() => {
    const { id, name, canonical_name, available, state, price, images, reviews, region } = property;
    // A card tells what a home costs.
    if (price === null) return;
    rememberViewed({
      id,
      name,
      canonical_name,
      available,
      state,
      price,
      images: images.slice(0, 1).map(({ path, caption }) => ({ path, caption })),
      photos: listHomePhotos(property).slice(0, 1),
      badges: [],
      reviews_rating: reviews.rating,
      reviews_count: reviews.count,
      region: { id: region.id, name: region.name, canonical_name: region.canonical_name },
    });
  }, [property]);
}

function Crumbs({ page }: { page: PageOf<"property"> }) {
  const { t } = useI18n();
  const own = paths.property(page.data.canonical_name);
  const above = page.data.breadcrumbs.filter(({ href }) => href !== own);
  return (
    <nav className="crumbs" aria-label={t("property.breadcrumb")}>
      {above.map((crumb) => (
        <span key={crumb.href} className="row g8">
          <Link href={crumb.href}>{crumb.name}</Link>
          <Icon name="chev-r" size={16} />
        </span>
      ))}
      <span aria-current="page" className="clip">
        {page.data.name}
      </span>
    </nav>
  );
}

function Similar({ page }: { page: PageOf<"property"> }) {
  const { t } = useI18n();
  const { similar } = page.data;
  if (similar.length === 0) return null;
  return (
    <section className="sec similar">
      <h2>{t("property.similar")}</h2>
      <div className="homes rail">
        {similar.slice(0, 4).map((home) => (
          <PropertyCard key={home.id} home={home} />
        ))}
      </div>
    </section>
  );
}
