import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { MapPin } from "../../../contract/wire.ts";
import { useI18n } from "../../../i18n/i18n.tsx";
import * as paths from "../../../paths.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Link } from "../../Link.tsx";
import { usePriceText } from "../priceText.ts";
import { shutWords } from "../shutWords.ts";
import { type Cluster, canBeHit, cluster, movedAside, tooNear } from "./clusters.ts";
import { Ground } from "./Ground.tsx";
import { Pin } from "./Pin.tsx";
import {
  type Bounds,
  type Covered,
  type LatLng,
  type Point,
  panBy,
  project,
  type Size,
  shiftedInto,
  toWindow,
  uncovered,
  type View,
  viewOf,
  viewOfBounds,
  zoomAt,
} from "./projection.ts";
import { useDrag } from "./useDrag.ts";
import { useRest } from "./useRest.ts";

/** A named part of the city. */
export interface MapArea extends LatLng {
  name: string;
}

/** A place to go on to, with how many homes it has. */
export interface MapPlace extends MapArea {
  homes: number;
  href: string;
}

/** What distances are measured from. */
export interface MapCenter extends LatLng {
  label: string;
  is_university: boolean;
}

interface PlaceMapProps {
  label: string;
  center: MapCenter;
  areas: readonly MapArea[];
  pins: readonly MapPin[];
  /** Homes that the map shows when it opens, those of the list's page. */
  first?: readonly LatLng[];
  /** What the page lays over the map: pins under it are not drawn. */
  covered?: Covered;
  /** Universities to show besides the centre. */
  landmarks?: readonly MapArea[];
  /** Cities of a country or state, in the place of homes. */
  places?: readonly MapPlace[];
  /** The centre is a home, not what distances are measured from. */
  home?: boolean;
  /** The home being looked at in the list. */
  hot?: string | null;
  onHover?: (id: string | null) => void;
  /** A pin was pressed; `true` when what it stands for is now in view elsewhere. */
  onPick?: (pin: MapPin) => boolean;
  /** The part of the map that is searched: the map opens on it. */
  box?: Bounds | null;
  /** A reader's move has come to rest here. */
  onMoved?: ((bounds: Bounds) => void) | undefined;
}

const mile = 1609;
/** A country of one city is still seen as a country, and no city opens under the map's buttons. */
const countryZoom = 6.2;
const countryRoom = 0.64;

/** Homes on a map of our own: no tiles, no library, the same pins and words in the list beside it. */
export function PlaceMap(props: PlaceMapProps) {
  const { label, onPick, box = null } = props;
  const { t } = useI18n();
  const element = useRef<HTMLElement>(null);
  const size = useSize(element);
  const [moved, setView] = useState<View | null>(null);
  const [picked, setPicked] = useState<MapPin | null>(null);
  const first = useFirstView(props, size);
  const view = moved ?? first;
  const { dragging, ...drag } = useDrag(element, (change) =>
    setView((was) => ((was ?? first) ? change(was ?? first ?? nowhere, size ?? nothing) : was)),
  );
  const { covered, onMoved } = props;
  useRest({ moved, size, covered, dragging, box, onMoved, onElsewhere: () => setView(null) });
  const zoom = (steps: number) => {
    if (view && size) setView(zoomAt(view, steps, { x: size.width / 2, y: size.height / 2 }, size));
  };
  const onKey = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (!step || !view || event.target !== element.current) return;
    event.preventDefault();
    setView(panBy(view, step.x, step.y));
  };
  const pick = (pin: MapPin) => {
    setPicked(onPick?.(pin) === true ? null : pin);
  };
  return (
    <section
      ref={element}
      className={`map${dragging ? " dragging" : ""}`}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the map
      tabIndex={0}
      onKeyDown={onKey}
      {...drag}
    >
      {view && size ? <Layers {...props} view={view} size={size} onPick={pick} onZoom={setView} /> : null}
      <div className="mapctl">
        <IconButton icon="plus" label={t("ui.zoom_in")} onClick={() => zoom(1)} />
        <IconButton icon="minus" label={t("ui.zoom_out")} onClick={() => zoom(-1)} />
      </div>
      <p className="map-note">{t("ui.map_note")}</p>
      {picked ? <PickedHome pin={picked} onClose={() => setPicked(null)} /> : null}
    </section>
  );
}

/** The searched part, or what is worth seeing first, in what nothing covers. */
function useFirstView(props: PlaceMapProps, size: Size | null): View | null {
  const { center, areas, pins, first, landmarks, places, home, box, covered } = props;
  return useMemo(() => {
    if (!size) return null;
    const shown = { center, areas, pins, first, landmarks, places, home, box };
    return shiftedInto(firstView(shown, uncovered(size, covered)), covered);
  }, [center, pins, first, areas, landmarks, places, home, box, covered, size]);
}

/** What decides where a map opens. */
interface Shown {
  center: MapCenter;
  areas: readonly MapArea[];
  pins: readonly MapPin[];
  first: readonly LatLng[] | undefined;
  landmarks: readonly MapArea[] | undefined;
  places: readonly MapPlace[] | undefined;
  home: boolean | undefined;
  box: Bounds | null | undefined;
}

function firstView({ center, areas, pins, first, landmarks, places, home, box }: Shown, size: Size): View {
  if (box) return viewOfBounds(box, size);
  if (home) return viewOf(around(center, landmarks ?? []), size, 15.5);
  if (places && places.length > 0) return viewOf(places.map(project), size, countryZoom, countryRoom);
  if (first && first.length > 0) return viewOf([project(center), ...first.map(project)], size, 14.5);
  const shown = pins.length > 0 ? worthSeeing(center, pins, nearestSeen) : worthSeeing(center, areas, areasSeen);
  return viewOf(shown, size, 14.5);
}

type PinsProps = Omit<PlaceMapProps, "onPick"> & {
  view: View;
  size: Size;
  onPick: (pin: MapPin) => void;
  onZoom: (view: View) => void;
};

/** Ground, landmarks and pins, in the order in which they cover each other. */
function Layers(props: PinsProps) {
  const { center, areas, landmarks = [], places = [], home = false, pins, view, size } = props;
  const { t } = useI18n();
  // The home that is pointed at in the list, or whose card is shown, leaves its cluster.
  const isAlone = (pin: MapPin) => pin.id === props.hot;
  const joined = cluster(
    pins
      .map((pin) => ({ pin, at: toWindow(project(pin), view, size) }))
      .filter(({ at }) => at.x > -40 && at.y > -40 && at.x < size.width + 40 && at.y < size.height + 40),
    tooNear,
    isAlone,
  );
  const groups = movedAside(joined, isAlone, size, props.covered).filter(({ at }) => canBeHit(at, size, props.covered));
  const plates = platesOf(places, view, size);
  return (
    <>
      <Ground
        view={view}
        size={size}
        center={center}
        areas={areas}
        towns={townsBeside(plates, view, size)}
        taken={[
          ...groups.map(({ at }) => at),
          ...plates.flatMap(({ at }) => acrossPlate(at)),
          ...(center.is_university ? acrossName(toWindow(project(center), view, size)) : []),
        ]}
        rings={[1, 2].map((n) => ({ metres: n * mile, name: t("ui.ring", { n }) }))}
      />
      {home && landmarks[0] ? <Way from={center} to={landmarks[0]} view={view} size={size} /> : null}
      <Landmarks landmarks={landmarks} view={view} size={size} />
      {places.length > 0 ? null : (
        <Landmark place={center} icon={home ? "door" : center.is_university ? "cap" : "pin"} view={view} size={size} />
      )}
      <Places plates={plates} />
      <Pins {...props} groups={groups} />
    </>
  );
}

const nowhere: View = { center: { x: 128, y: 128 }, zoom: 3 };
const nothing: Size = { width: 0, height: 0 };
const steps: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: 80, y: 0 },
  ArrowRight: { x: -80, y: 0 },
  ArrowUp: { x: 0, y: 80 },
  ArrowDown: { x: 0, y: -80 },
};

/** A home in the very middle of the window, with what lies around it. */
function around(center: LatLng, landmarks: readonly LatLng[]) {
  const middle = project(center);
  const across = landmarks.map(project).map(({ x, y }) => ({ x: 2 * middle.x - x, y: 2 * middle.y - y }));
  return [middle, ...landmarks.map(project), ...across];
}

const nearestSeen = 110;
const areasSeen = 7;

// The centre and the nearest homes: a large city opens on its middle, where prices can be read.
function worthSeeing(center: LatLng, pins: readonly LatLng[], most: number) {
  const middle = project(center);
  const points = pins
    .map((pin) => project(pin))
    .sort((a, b) => (a.x - middle.x) ** 2 + (a.y - middle.y) ** 2 - (b.x - middle.x) ** 2 - (b.y - middle.y) ** 2);
  return [middle, ...points.slice(0, Math.max(1, Math.min(most, Math.ceil(points.length * 0.9))))];
}

function Pins({ groups, view, size, hot, onHover, onPick, onZoom }: PinsProps & { groups: Cluster<MapPin>[] }) {
  return groups.map(({ at, pins: here }) => (
    <Pin
      key={here[0]?.id}
      at={at}
      pins={here}
      hot={here.some((pin) => pin.id === hot)}
      onHover={(id) => onHover?.(id)}
      onPick={(pin) => onPick(pin)}
      onSpread={() =>
        onZoom(
          here.length > 1
            ? closer(
                viewOf(
                  here.map((pin) => project(pin)),
                  size,
                  17,
                ),
                view,
              )
            : view,
        )
      }
    />
  ));
}

// Homes on one spot never spread by fitting them: a press on their cluster always comes nearer.
function closer(wanted: View, now: View): View {
  return wanted.zoom > now.zoom + 0.5 ? wanted : { ...wanted, zoom: Math.min(18, now.zoom + 1.5) };
}

// The largest first: where two would lie over each other, the smaller one is a dot until the next zoom.
function platesOf(places: readonly MapPlace[], view: View, size: Size): Cluster<MapPlace>[] {
  const byHomes = [...places].sort((a, b) => b.homes - a.homes);
  return cluster(
    byHomes.map((pin) => ({ pin, at: toWindow(project(pin), view, size) })),
    { x: 104, y: 52 },
  );
}

// A plate is as wide as three pins and stands on its middle.
const acrossPlate = ({ x, y }: Point): Point[] => [-30, 0, 30].map((aside) => ({ x: x + aside, y: y + 17 }));

// The university's name stands to the right of its mark.
const acrossName = ({ x, y }: Point): Point[] => [0, 50, 100, 150].map((aside) => ({ x: x + aside, y: y + 17 }));

/** Places without a plate of their own, as far as no other plate hides them. */
function townsBeside(plates: readonly Cluster<MapPlace>[], view: View, size: Size): MapPlace[] {
  const isSeen = (town: MapPlace) => {
    const { x, y } = toWindow(project(town), view, size);
    return plates.every(({ at }) => Math.abs(at.x - x) > 54 || Math.abs(at.y - y) > 28);
  };
  return plates.flatMap(({ pins: [_shown, ...hidden] }) => hidden.filter(isSeen));
}

function Places({ plates }: { plates: readonly Cluster<MapPlace>[] }) {
  const { t } = useI18n();
  return plates.map(({ at, pins: [place] }) =>
    place ? (
      <Link key={place.href} className="placep" style={{ left: at.x, top: at.y }} href={place.href}>
        <b>{place.name}</b>
        <span className="num">{t("ui.homes_n", { n: place.homes })}</span>
      </Link>
    ) : null,
  );
}

interface LandmarkProps {
  place: LatLng & { label: string };
  icon: "cap" | "pin" | "door";
  /** Its name stands under it, out of the way of the home's. */
  below?: boolean;
  view: View;
  size: Size;
}

// Universities in one house share one mark.
function Landmarks({ landmarks, view, size }: { landmarks: readonly MapArea[]; view: View; size: Size }) {
  const marks = cluster(landmarks.map((pin) => ({ pin, at: toWindow(project(pin), view, size) })));
  return marks.map(({ pins: [first, ...others] }) =>
    first ? (
      <Landmark
        key={first.name}
        place={{ ...first, label: others.length > 0 ? `${first.name} +${others.length}` : first.name }}
        icon="cap"
        below
        view={view}
        size={size}
      />
    ) : null,
  );
}

function Landmark({ place, icon, below = false, view, size }: LandmarkProps) {
  const at = toWindow(project(place), view, size);
  return (
    <span
      className={`unipin${icon === "door" ? " is-home" : ""}${below ? " is-below" : ""}`}
      style={{ left: at.x, top: at.y }}
    >
      <span className="d">
        <Icon name={icon} size={20} />
      </span>
      {icon === "pin" ? null : <b>{place.label}</b>}
    </span>
  );
}

/** The way from a home to its nearest university, as the crow flies. */
function Way({ from, to, view, size }: { from: LatLng; to: LatLng; view: View; size: Size }) {
  const [start, end] = [from, to].map((place) => toWindow(project(place), view, size));
  if (!start || !end) return null;
  return (
    <svg className="ground" width={size.width} height={size.height} aria-hidden="true">
      <path className="way" d={`M${start.x} ${start.y}L${end.x} ${end.y}`} />
    </svg>
  );
}

function PickedHome({ pin, onClose }: { pin: MapPin; onClose: () => void }) {
  const { t } = useI18n();
  const priceText = usePriceText();
  return (
    <div className="map-card" role="status">
      <div className="grow">
        <Link className="m" href={paths.property(pin.canonical_name)}>
          {pin.name}
        </Link>
        <p className="t-14 soft num">
          {pin.available ? t("ui.from_price", { price: priceText(pin.price) }) : t(shutWords(pin.state))}
        </p>
      </div>
      <IconButton icon="x" size={20} label={t("ui.close")} onClick={onClose} />
    </div>
  );
}

function useSize(element: { current: HTMLElement | null }): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return;
    const measure = () => setSize({ width: box.clientWidth, height: box.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
