import { useEffect, useState } from "react";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { fetchPage, type PageOf } from "../../page.ts";
import * as paths from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { Link } from "../Link.tsx";
import { openLead } from "../ui/overlays.ts";
import { useBudgetWords } from "./FilterBar.tsx";
import { cleared, type Filters, listFilters, toggled, withFilters } from "./filters.ts";
import { useValueName } from "./labels.ts";

interface ZeroResultsProps {
  page: PageOf<"search">;
  filters: Filters;
  onChange: (filters: Filters) => void;
}

interface Way {
  words: string;
  filters: Filters;
}

/** Nothing matches: which single filter to give up and how many homes that opens, or where the nearest homes are. */
export function ZeroResults({ page, filters, onChange }: ZeroResultsProps) {
  const { t } = useI18n();
  const format = useFormat();
  const ways = useWays(page, filters);
  const counts = useCounts(page, ways);
  const open = ways
    .map((way, at) => ({ ...way, count: counts[at] ?? null }))
    .filter(({ count }) => count === null || count > 0);
  return (
    <div className="zero">
      {page.data.total_in_region === 0 ? (
        <NoHomesYet page={page} />
      ) : (
        <>
          <h2 className="t-22">{t("search.zero")}</h2>
          <p className="soft">{ways.length > 0 ? t("search.zero_words") : t("search.zero_no_filters")}</p>
        </>
      )}
      <ul>
        {open.map((way) => (
          <li key={way.words}>
            <button type="button" className="chip" onClick={() => onChange(way.filters)}>
              {t("search.without", { filter: way.words })}
              <span className="n">
                {way.count === null ? "…" : t("search.homes", { n: way.count, count: format.number(way.count) })}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className="row wrapx">
        {ways.length > 1 ? <Button onClick={() => onChange(cleared(filters))}>{t("search.clear_all")}</Button> : null}
        <Button look="tint" onClick={() => openLead(null, "generic_form")}>
          {t("search.ask")}
        </Button>
      </p>
    </div>
  );
}

/** A place where no home stands: the nearest cities with homes, or the offer to look for one. */
function NoHomesYet({ page }: { page: PageOf<"search"> }) {
  const { t } = useI18n();
  const { region, center, nearest } = page.data;
  return (
    <>
      <h2 className="t-22">
        {t(center.is_university ? "search.none_near" : "search.none_in", { place: region.name })}
      </h2>
      {nearest.length === 0 ? (
        <p className="soft">{t("search.zero_no_filters")}</p>
      ) : (
        <p className="row wrapx">
          <span className="soft">{t("search.nearest")}</span>
          {nearest.map((city) => (
            <Link key={city.id} className="chip" href={paths.search(city.canonical_name)}>
              {city.name}
            </Link>
          ))}
        </p>
      )}
    </>
  );
}

function useWays(page: PageOf<"search">, filters: Filters): Way[] {
  const { t } = useI18n();
  const valueName = useValueName(page.data.region.period);
  const budgetWords = useBudgetWords(page)(filters);
  const ways = listFilters.flatMap((name) =>
    (filters.lists[name] ?? []).map((value) => ({
      words: valueName(name, value),
      filters: toggled(filters, name, value),
    })),
  );
  if (budgetWords) ways.push({ words: budgetWords, filters: { ...filters, budget: { from: null, to: null } } });
  if (filters.box) ways.unshift({ words: t("search.map_part"), filters: { ...filters, box: null } });
  return ways.slice(0, 6);
}

function useCounts(page: PageOf<"search">, ways: readonly Way[]): (number | null)[] {
  const urls = ways.map((way) => withFilters(page.url, way.filters)).join("\n");
  const [found, setFound] = useState<{ urls: string; counts: (number | null)[] }>({ urls: "", counts: [] });
  useEffect(() => {
    if (!urls) return;
    const stop = new AbortController();
    const ask = async (url: string) => {
      const answer = await fetchPage(url, stop.signal);
      return answer.route === "search" ? answer.data.search.meta.count : null;
    };
    Promise.all(urls.split("\n").map((url) => ask(url).catch(() => null))).then(
      (counts) => {
        if (!stop.signal.aborted) setFound({ urls, counts });
      },
      () => undefined,
    );
    return () => stop.abort();
  }, [urls]);
  return found.urls === urls ? found.counts : [];
}
