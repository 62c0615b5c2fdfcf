import "./places.css";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../icon.tsx";
import { useKeys } from "../keys.ts";
import { Bone, NothingFound, Stopped } from "../TableStates.tsx";
import { leaveOnEnter, useSearchWords } from "../useSearchWords.ts";
import { useStaying } from "../useStaying.ts";
import { PlaceEditor } from "./PlaceEditor.tsx";
import { type PlaceLine, placesQuery } from "./placeCalls.ts";

const route = getRouteApi("/workspace/places");

/** Cities, areas and universities: found by a part of a name or a postcode, and corrected beside the list. */
export function PlacesPage() {
  const { t } = useI18n();
  const { q, place } = route.useSearch();
  const asked = useInfiniteQuery(placesQuery(q));
  const lines = asked.data?.pages.flat();
  useKeys({ "/": () => document.getElementById("place-search")?.focus() });
  useEffect(() => {
    document.title = `${t("places.title")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <Top q={q} place={place} />
      <div className="scroll rm" data-list-scroll>
        <p className="muted">{t("places.text")}</p>
        {asked.error === null ? null : (
          <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
        )}
        <div className="place-desk">
          {lines === undefined ? (
            asked.error === null ? (
              <Bone width={240} />
            ) : null
          ) : lines.length === 0 ? (
            <NothingFound title={t("places.none")}>{t("places.none_text")}</NothingFound>
          ) : (
            <div>
              <Lines lines={lines} q={q} chosen={place} />
              {asked.hasNextPage ? (
                <button
                  type="button"
                  className="btn"
                  disabled={asked.isFetchingNextPage}
                  onClick={() => void asked.fetchNextPage()}
                >
                  {t("places.more")}
                </button>
              ) : null}
            </div>
          )}
          {place === null ? null : <PlaceEditor key={place} id={place} />}
        </div>
      </div>
    </main>
  );
}

function Top({ q, place }: { q: string | null; place: string | null }) {
  const { t } = useI18n();
  const navigate = route.useNavigate();
  const isStaying = useStaying();
  const [words, setWords] = useSearchWords(q, (next) => {
    if (isStaying()) void navigate({ search: { q: next, place }, replace: true });
  });
  return (
    <div className="lead-top">
      <h1>{t("places.title")}</h1>
      <label className="field big" htmlFor="place-search">
        <Icon name="search" />
        <span className="vh">{t("places.search")}</span>
        <input
          id="place-search"
          type="search"
          placeholder={t("places.search_hint")}
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={leaveOnEnter}
        />
        <kbd>/</kbd>
      </label>
    </div>
  );
}

interface LinesProps {
  lines: PlaceLine[];
  q: string | null;
  chosen: string | null;
}

function Lines({ lines, q, chosen }: LinesProps) {
  const { t } = useI18n();
  return (
    <ul className="place-lines">
      {lines.map(({ id, name, kind, lies_in, country, homes, is_mended }) => (
        <li key={id}>
          <Link
            to="/workspace/places"
            search={{ q, place: id }}
            resetScroll={false}
            aria-current={id === chosen ? "true" : undefined}
          >
            <b>{name}</b>{" "}
            <span className="sub">
              {[t(`places.kind_${kind}`), lies_in ?? country, t("places.homes", { n: homes })].join(" · ")}
            </span>
            {is_mended ? <span className="chip">{t("places.corrected")}</span> : null}
          </Link>
        </li>
      ))}
    </ul>
  );
}
