import { useEffect, useMemo, useRef, useState } from "react";
import type { InventoryCard, MapPin } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { fetchPage, type PageOf } from "../../page.ts";
import * as paths from "../../paths.ts";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Link } from "../Link.tsx";
import { useTravelText } from "../ui/card/travel.ts";
import { useModal } from "../ui/dialog.tsx";
import { fetchMap, MapComing, PlaceMap } from "../ui/map/MapComing.tsx";
import { PictureView } from "../ui/picture/PictureView.tsx";
import { listPictures } from "../ui/picture/pictures.ts";
import { PriceTag, Rating } from "../ui/price.tsx";
import { shutWords } from "../ui/shutWords.ts";
import { type Box, readFilters, withFilters } from "./filters.ts";

const isWide = "(min-width: 1024px)";

if (typeof window !== "undefined" && window.matchMedia(isWide).matches) fetchMap();

type Page = PageOf<"search">;

const none: readonly MapPin[] = [];

/** What a map shows: the homes of the list as far as it is loaded, with pins of their own, and all other matches. */
function useMapParts(page: Page, homes: readonly InventoryCard[] = page.data.search.result) {
  const { t } = useI18n();
  const { center, areas, children, search, region, is_region_page } = page.data;
  const box = useMemo(() => readFilters(page.url).box, [page.url]);
  // All matches up to a thousand, and the homes of the page in any case.
  const pins = useMemo(() => {
    const listed = new Set(homes.map(({ id }) => id));
    return [...homes.flatMap(pinOf), ...(search.pins ?? []).filter(({ id }) => !listed.has(id))];
  }, [search, homes]);
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
    pins: places.length > 0 ? none : pins,
    first: places.length > 0 ? none : homes.flatMap(pinOf),
    box,
  };
}

/** The home's pin; none where nobody said a point. */
function pinOf(home: InventoryCard): MapPin[] {
  const { lat, lng } = home;
  return lat == null || lng == null ? [] : [{ ...home, lat, lng }];
}

function shortLabel(label: string): string {
  return label.split(",")[0] ?? label;
}

/** The map beside the list on wide windows; it comes after the first paint. */
export function SideMap({
  page,
  hot,
  onHover,
  onBox,
}: {
  page: Page;
  hot: string | null;
  onHover: (id: string | null) => void;
  onBox: (box: Box) => void;
}) {
  const { t } = useI18n();
  const wide = useWide();
  const parts = useMapParts(page);
  const [follows, setFollows] = useState(true);
  const showCard = (pin: MapPin) => {
    const card = document.querySelector(`[data-home="${CSS.escape(pin.id)}"]`);
    card?.scrollIntoView({ block: "center", behavior: "smooth" });
    return false;
  };
  return (
    <aside className="smap only-wide" aria-label={t("search.map")}>
      {wide ? (
        <PlaceMap
          {...parts}
          hot={hot}
          onHover={onHover}
          onPick={showCard}
          onMoved={follows && parts.places.length === 0 ? onBox : undefined}
        />
      ) : (
        <MapComing />
      )}
      {parts.places.length === 0 ? (
        <label className="check map-follow">
          <input type="checkbox" checked={follows} onChange={(event) => setFollows(event.target.checked)} />
          {t("search.follow_map")}
        </label>
      ) : null}
    </aside>
  );
}

function useWide(): boolean {
  const [wide, setWide] = useState(false);
  useEffect(() => {
    const query = window.matchMedia(isWide);
    const look = () => setWide(query.matches);
    look();
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, []);
  return wide;
}

// `.map-top` above, `.swipe` below.
const barAndCards = { top: 64, bottom: 164 };

/** The whole screen as a map, with the homes as cards to swipe through; moving it searches what it shows. */
export function MobileMap({
  page,
  homes,
  onClose,
  onFilters,
  onShow,
}: {
  page: Page;
  homes: readonly InventoryCard[];
  onClose: () => void;
  onFilters: () => void;
  /** Closed after moving: the list takes over this address. */
  onShow: (url: string) => void;
}) {
  const { t } = useI18n();
  const part = usePart(page);
  const { element, close } = useModal({
    onClose: () => {
      onClose();
      if (part.now !== page) onShow(part.now.url);
    },
  });
  const shown = part.now === page ? homes : part.now.data.search.result;
  const parts = useMapParts(part.now, shown);
  const [hot, setHot] = useState<string | null>(homes[0]?.id ?? null);
  const rail = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (part.now === page) return;
    // Another part of the map has other cards: they begin with the first, and its pin is the chosen one.
    rail.current?.scrollTo({ left: 0 });
    setHot(part.now.data.search.result[0]?.id ?? null);
  }, [part.now, page]);
  const show = (pin: MapPin) => {
    setHot(pin.id);
    const card = rail.current?.querySelector(`[data-swipe="${CSS.escape(pin.id)}"]`);
    card?.scrollIntoView({ inline: "center", block: "nearest" });
    return card != null;
  };
  const onScroll = () => {
    const box = rail.current;
    const card = box?.children[Math.round(box.scrollLeft / Math.max(1, box.clientWidth - 52))];
    if (card instanceof HTMLElement && card.dataset["swipe"]) setHot(card.dataset["swipe"]);
  };
  return (
    <dialog ref={element} className="modal modal-screen map-screen" aria-label={parts.label}>
      <div className="fullmap">
        <div className="map-top">
          <button type="button" className="map-place" onClick={close}>
            <Icon name="chev-l" size={20} />
            <span className="vh">{t("search.list")}: </span>
            <span className="clip grow">{page.data.region.name}</span>
            <span className="num muted regular" role="status">
              <Count n={part.now.data.search.meta.count} />
            </span>
          </button>
          <IconButton icon="sliders" label={t("search.filters")} onClick={onFilters} aria-haspopup="dialog" />
        </div>
        <PlaceMap
          {...parts}
          covered={barAndCards}
          hot={hot}
          onPick={show}
          onMoved={parts.places.length === 0 ? part.move : undefined}
        />
        <ul className="swipe" ref={rail} onScroll={onScroll}>
          {shown.map((home) => (
            <SwipeCard
              key={home.id}
              home={home}
              landmark={page.data.center.is_university ? page.data.region.name : null}
            />
          ))}
        </ul>
      </div>
    </dialog>
  );
}

function Count({ n }: { n: number }) {
  const { t } = useI18n();
  const format = useFormat();
  return (
    <>
      <span aria-hidden="true">{format.number(n)}</span>
      <span className="vh">{t("search.homes", { n, count: format.number(n) })}</span>
    </>
  );
}

/** What lies in the part of the map being looked at; the page itself until the map was moved. */
function usePart(page: Page): { now: Page; move: (box: Box) => void } {
  const [now, setNow] = useState(page);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const move = (box: Box) => {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    const url = withFilters(page.url, { ...readFilters(page.url), box });
    fetchPage(url, mine.signal).then(
      (answer) => {
        if (answer.route === "search" && !mine.signal.aborted) setNow(answer);
      },
      // What was found before stays on the map; moving on asks again.
      () => undefined,
    );
  };
  return { now, move };
}

function SwipeCard({ home, landmark }: { home: InventoryCard; landmark: string | null }) {
  const { t } = useI18n();
  const way = useTravelText()(home, landmark);
  const [picture] = listPictures(home);
  return (
    <li data-swipe={home.id}>
      <Link className="swipe-link" href={paths.property(home.canonical_name)}>
        <span className="pic">{picture ? <PictureView picture={picture} sizes="108px" /> : null}</span>
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
            <span className="soft">{t(shutWords(home.state))}</span>
          )}
        </span>
      </Link>
    </li>
  );
}
