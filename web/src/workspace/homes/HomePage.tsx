import "../recordPages.css";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { plainDay } from "../clock.ts";
import { Icon } from "../icon.tsx";
import { Bone, Stopped } from "../TableStates.tsx";
import { HomeActs } from "./acts/HomeActs.tsx";
import { HomeDoubles } from "./acts/HomeDoubles.tsx";
import { HomeFacts } from "./facts/HomeFacts.tsx";
import { HomeContacts } from "./HomeContacts.tsx";
import { homeQuery, type StaffHome } from "./homeCalls.ts";
import { HOME_PARTS, type HomePart } from "./homesFilters.ts";
import { StateChip } from "./StateChip.tsx";

const HomeStock = lazyPart(async () => (await import("./stock/HomeStock.tsx")).HomeStock);
const HomeHistory = lazyPart(async () => (await import("./history/HomeHistory.tsx")).HomeHistory);
const HomePhotos = lazyPart(async () => (await import("./photos/HomePhotos.tsx")).HomePhotos);
const RoomActs = lazyPart(async () => (await import("./rooms/RoomActs.tsx")).RoomActs);

const route = getRouteApi("/workspace/homes/$homeId");

/** One home: its facts beside what a student sees, rooms, stock, photos and history. */
export function HomePage() {
  const { t } = useI18n();
  const { homeId } = route.useParams();
  const { part } = route.useSearch();
  const asked = useQuery(homeQuery(homeId));
  const home = asked.data;
  const name = home?.name ?? t("homes.title");
  useEffect(() => {
    document.title = `${name} · ${t("workspace.title")}`;
  }, [name, t]);
  return (
    <main className="main" id="work">
      {asked.error === null ? null : (
        <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
      )}
      {home === undefined ? (
        <HeadOnItsWay isComing={asked.error === null} />
      ) : (
        <>
          <Head home={home} />
          <HomeDoubles home={home} />
          <Parts home={home} part={part ?? "facts"} />
          <Suspense>
            <Part home={home} part={part ?? "facts"} />
          </Suspense>
        </>
      )}
    </main>
  );
}

function HeadOnItsWay({ isComing }: { isComing: boolean }) {
  return (
    <div className="hh">
      <ToList />
      {isComing ? <Bone width={240} /> : null}
    </div>
  );
}

function ToList() {
  const { t } = useI18n();
  return (
    <Link className="btn quiet sq" to="/workspace/homes" aria-label={t("homes.to_list")}>
      <Icon name="left" />
    </Link>
  );
}

function Head({ home }: { home: StaffHome }) {
  const { t, lang } = useI18n();
  const places = [home.area?.name, home.city?.name].filter((part) => typeof part === "string");
  const source = home.feed === null ? t("homes.by_hand") : t("homes.from_feed", { feed: home.feed });
  return (
    <header className="hh">
      <ToList />
      {home.pictures[0] === undefined ? null : <img className="thumb" src={home.pictures[0]} alt="" />}
      <div className="grow">
        <h1>
          {home.name} <StateChip state={home.state} reopensOn={home.reopens_on} />
        </h1>
        <p className="sub">
          {[...places, source, t("homes.changed_on", { day: plainDay(home.changed_at, lang) })].join(" · ")}
        </p>
        <HomeContacts home={home} />
      </div>
      <div className="right">
        {home.state === "active" || home.state === "paused" ? (
          <a className="btn" href={home.url} target="_blank" rel="noreferrer">
            {t("homes.open_page")}
          </a>
        ) : null}
        <HomeActs home={home} />
      </div>
    </header>
  );
}

/** Parts of the page, each at an address of its own. */
function Parts({ home, part }: { home: StaffHome; part: HomePart }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const counts: Partial<Record<HomePart, number>> = { rooms: home.rooms.length, photos: home.pictures.length };
  return (
    <nav className="tabs" aria-label={t("homes.parts")}>
      {HOME_PARTS.map((name) => {
        const count = counts[name];
        return (
          <Link
            key={name}
            to="/workspace/homes/$homeId"
            params={{ homeId: home.home_id }}
            search={{ part: name === "facts" ? null : name }}
            aria-current={name === part ? "page" : undefined}
          >
            {t(`homes.part_${name}`)} {count === undefined ? null : <span>{number(count)}</span>}
          </Link>
        );
      })}
    </nav>
  );
}

function Part({ home, part }: { home: StaffHome; part: HomePart }) {
  switch (part) {
    case "facts":
      return <HomeFacts key={home.home_id} home={home} part="facts" />;
    case "rooms":
      return (
        <HomeFacts key={home.home_id} home={home} part="rooms">
          <RoomActs home={home} />
        </HomeFacts>
      );
    case "stock":
      return <HomeStock home={home} />;
    case "photos":
      return <HomePhotos key={home.home_id} home={home} />;
    case "history":
      return <HomeHistory home={home} />;
  }
}
