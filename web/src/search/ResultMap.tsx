import { lazy, Suspense, useEffect, useRef, useState } from "react";
import type { InventoryCard, MapPin } from "../contract/wire.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { Link } from "../Link.tsx";
import type { PageOf } from "../page.ts";
import * as paths from "../paths.ts";
import { useTravelText } from "../ui/card/travel.ts";
import { useModal } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { PriceTag, Rating } from "../ui/price.tsx";

const PlaceMap = lazy(async () => ({ default: (await import("../ui/map/PlaceMap.tsx")).PlaceMap }));

type Page = PageOf<"search">;

function useMapParts(page: Page) {
  const { t } = useI18n();
  const { center, areas, children, search, region, is_region_page } = page.data;
  const places = is_region_page
    ? children.map(({ name, lat, lng, homes, canonical_name }) => ({
        name,
        lat,
        lng,
        homes,
        href: paths.search(canonical_name),
      }))
    : [];
  return {
    label: t("search.map_of", { place: region.name }),
    center: { ...center, label: shortLabel(center.label) },
    places,
    areas: places.length > 0 ? [] : areas.slice(0, 24),
    pins: places.length > 0 ? [] : (search.pins ?? search.result),
  };
}

function shortLabel(label: string): string {
  return label.split(",")[0] ?? label;
}

/** The map beside the list on wide windows; it comes after the first paint. */
export function SideMap({
  page,
  hot,
  onHover,
}: {
  page: Page;
  hot: string | null;
  onHover: (id: string | null) => void;
}) {
  const { t } = useI18n();
  const wide = useWide();
  const parts = useMapParts(page);
  const showCard = (pin: MapPin) => {
    const card = document.querySelector(`[data-home="${CSS.escape(pin.id)}"]`);
    card?.scrollIntoView({ block: "center", behavior: "smooth" });
  };
  return (
    <aside className="smap only-wide" aria-label={t("search.map")}>
      {wide ? (
        <Suspense fallback={<div className="map" />}>
          <PlaceMap {...parts} hot={hot} onHover={onHover} onPick={showCard} />
        </Suspense>
      ) : (
        <div className="map" />
      )}
    </aside>
  );
}

function useWide(): boolean {
  const [wide, setWide] = useState(false);
  useEffect(() => {
    const query = window.matchMedia("(min-width: 1024px)");
    const look = () => setWide(query.matches);
    look();
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, []);
  return wide;
}

/** The whole screen as a map, with the homes as cards to swipe through. */
export function MobileMap({
  page,
  homes,
  onClose,
}: {
  page: Page;
  homes: readonly InventoryCard[];
  onClose: () => void;
}) {
  const { t } = useI18n();
  const { element, close } = useModal({ onClose });
  const parts = useMapParts(page);
  const [hot, setHot] = useState<string | null>(homes[0]?.id ?? null);
  const rail = useRef<HTMLDivElement>(null);
  const show = (pin: MapPin) => {
    setHot(pin.id);
    rail.current
      ?.querySelector(`[data-swipe="${CSS.escape(pin.id)}"]`)
      ?.scrollIntoView({ inline: "center", block: "nearest" });
  };
  const onScroll = () => {
    const box = rail.current;
    const card = box?.children[Math.round(box.scrollLeft / Math.max(1, box.clientWidth - 52))];
    if (card instanceof HTMLElement && card.dataset["swipe"]) setHot(card.dataset["swipe"]);
  };
  return (
    <dialog ref={element} className="modal modal-screen map-screen" aria-label={parts.label}>
      <div className="fullmap">
        <Suspense fallback={<div className="map" />}>
          <PlaceMap {...parts} hot={hot} onPick={show} />
        </Suspense>
        <button type="button" className="btn mappill list-pill" onClick={close}>
          <Icon name="grid" size={20} />
          {t("search.list")}
        </button>
        <div className="swipe" ref={rail} onScroll={onScroll}>
          {homes.map((home) => (
            <SwipeCard
              key={home.id}
              home={home}
              landmark={page.data.center.is_university ? page.data.region.name : null}
            />
          ))}
        </div>
      </div>
    </dialog>
  );
}

function SwipeCard({ home, landmark }: { home: InventoryCard; landmark: string | null }) {
  const { t } = useI18n();
  const way = useTravelText()(home, landmark);
  return (
    <article data-swipe={home.id}>
      <Link className="swipe-link" href={paths.property(home.canonical_name)}>
        <span className="pic">{home.images[0] ? <img src={home.images[0].path} alt="" loading="lazy" /> : null}</span>
        <span className="grow stack">
          <span className="row between">
            <span className="m clip">{home.name}</span>
            {home.reviews_rating === null ? null : <Rating rating={home.reviews_rating} />}
          </span>
          {way ? (
            <span className="meta">
              <Icon name={way.icon} size={16} />
              <span className="clip">{way.text}</span>
            </span>
          ) : null}
          {home.available ? (
            <PriceTag price={home.price} from className="t-18" />
          ) : (
            <span className="soft">{t("ui.sold_out")}</span>
          )}
        </span>
      </Link>
    </article>
  );
}
