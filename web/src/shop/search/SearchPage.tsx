import "./search.css";
import { useEffect, useState } from "react";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { joinSentences } from "../../i18n/sentences.ts";
import type { PageOf } from "../../page.ts";
import { keepToastsClear } from "../../ui/clearToasts.ts";
import { Icon } from "../../ui/icon.tsx";
import { loadText } from "../../ui/loadTrouble.ts";
import { navigate, useShown } from "../navigation.ts";
import { PropertyCard } from "../ui/card/PropertyCard.tsx";
import { PeriodSwitch } from "../ui/price.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { FilterBar } from "./FilterBar.tsx";
import { FilterDrawer } from "./FilterDrawer.tsx";
import { type Box, type Filters, readFilters, unreadBudget, withFilters, withPage } from "./filters.ts";
import { Places, Questions } from "./RegionParts.tsx";
import { MobileMap, SideMap } from "./ResultMap.tsx";
import { SortSelect } from "./SortSelect.tsx";
import { useResults } from "./useResults.ts";
import { ZeroResults } from "./ZeroResults.tsx";

/** Results of a place as a list and a map in step; for countries and states the places below come first (D6). */
export default function SearchPage({ page }: { page: PageOf<"search"> }) {
  const { t } = useI18n();
  const filters = readFilters(page.url);
  const [hot, setHot] = useState<string | null>(null);
  const [over, setOver] = useState<"filters" | "map" | null>(null);
  const results = useResults(page);
  const { pending } = useShown();
  useEffect(keepToastsClear, []);
  const change = (next: Filters) => void navigate(withFilters(page.url, next), { scroll: "keep" });
  // The first move is a step to go back from; the moves after it only move it.
  const toBox = (box: Box) =>
    void navigate(withFilters(page.url, { ...filters, box }), { scroll: "keep", replace: filters.box !== null });
  return (
    <>
      <FilterBar page={page} filters={filters} onChange={change} onOpen={() => setOver("filters")} />
      <main id="main" className="split">
        <div className="slist">
          <Heading page={page} />
          <Places page={page} />
          <div className="row between list-head">
            <PeriodSwitch fallback={page.data.region.period} />
            <SortSelect filters={filters} onChange={change} className="only-narrow" />
          </div>
          {page.data.search.meta.count === 0 ? (
            <ZeroResults page={page} filters={filters} onChange={change} />
          ) : (
            <div className={pending ? "homes old" : "homes"} aria-busy={pending || results.loading}>
              {results.homes.map((home, at) => (
                <PropertyCard
                  key={home.id}
                  home={home}
                  landmark={landmarkOf(page)}
                  city={page.data.is_region_page ? home.region.name : null}
                  hot={hot === home.id}
                  onHover={setHot}
                  eager={at < 2}
                  level={2}
                />
              ))}
              {results.loading ? <Coming /> : null}
            </div>
          )}
          <More page={page} results={results} />
          <Questions page={page} />
        </div>
        <SideMap page={page} hot={hot} onHover={setHot} onBox={toBox} />
      </main>
      <button type="button" className="btn mappill only-narrow" onClick={() => setOver("map")}>
        <Icon name="map" size={20} />
        {t("search.map")}
      </button>
      {over === "filters" ? <FilterDrawer page={page} onClose={() => setOver(null)} /> : null}
      {over === "map" ? (
        <MobileMap
          page={page}
          homes={results.homes}
          onClose={() => setOver(null)}
          onFilters={() => setOver("filters")}
          onShow={(url) => void navigate(url, { scroll: "top" })}
        />
      ) : null}
    </>
  );
}

/** Two cards on their way. */
function Coming() {
  return [1, 2].map((card) => (
    <div key={card} className="coming" aria-hidden="true">
      <Skeleton radius={14} />
      <Skeleton width="70%" height={18} />
      <Skeleton width="48%" height={14} />
      <Skeleton width="38%" height={18} />
    </div>
  ));
}

function landmarkOf({ data }: PageOf<"search">): string | null {
  return data.center.is_university ? data.center.label : null;
}

function Heading({ page }: { page: PageOf<"search"> }) {
  const { t } = useI18n();
  const format = useFormat();
  const { region, center, search, total_in_region } = page.data;
  const unread = unreadBudget(page.url);
  const place = region.name;
  // The search of an area or a university reaches far beyond it: what it finds lies near, not in it.
  const near = center.is_university || region.region_type === "sublocality";
  const around = center.is_university ? center.label : place;
  const n = search.meta.count;
  const count = format.number(n);
  const total = format.number(total_in_region);
  const isWhole = n === total_in_region;
  const counted =
    readFilters(page.url).box !== null
      ? t("search.sum_box", { n, count })
      : isWhole
        ? t(near ? "search.sum_all_near" : "search.sum_all", { n, count, place: around })
        : t(near ? "search.sum_near" : "search.sum", { n, count, total, all: total_in_region, place: around });
  const distances = near ? t("search.distances_to", { place: center.label }) : t("search.distances_centre");
  return (
    <>
      <h1 className="t-28">{t(center.is_university ? "search.title_near" : "search.title_in", { place })}</h1>
      <p className="sum" aria-live="polite">
        {total_in_region === 0 ? null : joinSentences(counted, page.data.is_region_page ? "" : distances)}
      </p>
      {unread === null ? null : <p className="err">{t("search.budget_unread", { typed: unread })}</p>}
    </>
  );
}

function More({ page, results }: { page: PageOf<"search">; results: ReturnType<typeof useResults> }) {
  const { t } = useI18n();
  const format = useFormat();
  const total = page.data.search.meta.count;
  const shown = results.homes.length;
  if (total === 0) return null;
  return (
    <div className="more" ref={results.end}>
      <p className="t-14 soft num" role="status">
        {t("search.seen", { n: format.number(shown), total: format.number(total), all: total })}
      </p>
      <div className="bar" aria-hidden="true">
        <i style={{ width: `${(100 * shown) / total}%` }} />
      </div>
      {results.next === null ? null : (
        <a
          className="btn btn-quiet"
          href={withPage(page.url, results.next)}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            results.more();
          }}
          aria-busy={results.loading}
        >
          {results.loading ? <span className="spin" aria-hidden="true" /> : null}
          <span>
            {results.failure
              ? t("start.retry")
              : t("search.show_more", { n: Math.min(page.data.search.meta.limit, total - shown) })}
          </span>
        </a>
      )}
      {results.failure ? <p className="err">{loadText(results.failure, t)}</p> : null}
    </div>
  );
}
