import { useEffect, useState } from "react";
import type { Facets } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { fetchPage, type PageOf } from "../../page.ts";
import { Button } from "../../ui/button.tsx";
import { navigate } from "../navigation.ts";
import { Chip } from "../ui/chip.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Check } from "../ui/field.tsx";
import { BudgetFilter } from "./BudgetFilter.tsx";
import {
  cleared,
  countOf,
  type Filters,
  facetValues,
  type ListFilter,
  readFilters,
  toggled,
  withFilters,
} from "./filters.ts";
import { useFilterName, useValueName } from "./labels.ts";

/** All filters; nothing is applied until the button, which says how many homes it will show. */
export function FilterDrawer({ page, onClose }: { page: PageOf<"search">; onClose: () => void }) {
  const { t } = useI18n();
  const format = useFormat();
  const [draft, setDraft] = useState(() => readFilters(page.url));
  const url = withFilters(page.url, draft);
  const { count, facets, loading } = useDraftResult(page, url);
  const show = () => {
    onClose();
    void navigate(url, { scroll: "top" });
  };
  const foot = (
    <div className="drawer-foot-in">
      <button
        type="button"
        className="link-ink tap"
        onClick={() => setDraft(cleared(draft))}
        disabled={countOf(draft) === 0}
      >
        {t("search.clear_all")}
      </button>
      <Button look="primary" size="large" onClick={show} aria-live="polite" busy={loading && count === null}>
        {count === 0 ? t("search.show_none") : t("search.show", { n: count ?? 0, count: format.number(count ?? 0) })}
      </Button>
    </div>
  );
  return (
    <Dialog title={t("search.filters")} shape="drawer" onClose={onClose} foot={foot}>
      <div className="filter-list">
        <BudgetFilter page={page} draft={draft} onChange={setDraft} />
        <Choices name="roomType" look="checks" {...{ page, draft, facets, setDraft }} />
        <Choices name="moveInMonth" look="chips" {...{ page, draft, facets, setDraft }} />
        <Choices name="leaseDuration" look="chips" {...{ page, draft, facets, setDraft }} />
        <Choices name="distance" look="chips" {...{ page, draft, facets, setDraft }} />
        <Choices name="guarantor" look="checks" {...{ page, draft, facets, setDraft }} />
        <Choices name="available" look="chips" {...{ page, draft, facets, setDraft }} />
        <Choices name="dualOccupancy" look="checks" {...{ page, draft, facets, setDraft }} />
        <Choices name="accommodationType" look="checks" {...{ page, draft, facets, setDraft }} />
        <Choices name="features" look="checks" {...{ page, draft, facets, setDraft }} />
      </div>
    </Dialog>
  );
}

interface ChoicesProps {
  name: ListFilter;
  look: "checks" | "chips";
  page: PageOf<"search">;
  draft: Filters;
  facets: Facets | undefined;
  setDraft: (filters: Filters) => void;
}

function Choices({ name, look, page, draft, facets, setDraft }: ChoicesProps) {
  const format = useFormat();
  const filterName = useFilterName();
  const valueName = useValueName(page.data.region.period);
  const values = facetValues(facets, name).filter(({ value }) => value !== "all");
  const on = (value: string) => draft.lists[name]?.includes(value) === true;
  if (values.length === 0) return null;
  return (
    <section>
      <h3>{filterName(name)}</h3>
      <div className={look === "chips" ? "chips" : ""}>
        {values.map(({ value, count }) =>
          look === "chips" ? (
            <Chip key={value} on={on(value)} count={count} onPress={() => setDraft(toggled(draft, name, value))}>
              {valueName(name, value)}
            </Chip>
          ) : (
            <Check
              key={value}
              checked={on(value)}
              disabled={count === 0 && !on(value)}
              count={format.number(count)}
              onChange={() => setDraft(toggled(draft, name, value))}
            >
              {valueName(name, value)}
            </Check>
          ),
        )}
      </div>
    </section>
  );
}

interface DraftResult {
  url: string;
  count: number;
  facets: Facets | undefined;
}

const pauseMs = 150;

// The last answer stays while the next is on its way, so that nothing jumps.
function useDraftResult(
  page: PageOf<"search">,
  url: string,
): { count: number | null; facets: Facets | undefined; loading: boolean } {
  const [result, setResult] = useState<DraftResult>({
    url: page.url,
    count: page.data.search.meta.count,
    facets: page.data.search.facets,
  });
  useEffect(() => {
    if (url === result.url) return;
    const stop = new AbortController();
    const timer = window.setTimeout(() => {
      fetchPage(url, stop.signal)
        .then((answer) => {
          if (answer.route === "search")
            setResult({ url, count: answer.data.search.meta.count, facets: answer.data.search.facets });
        })
        .catch(() => undefined);
    }, pauseMs);
    return () => {
      window.clearTimeout(timer);
      stop.abort();
    };
  }, [url, result.url]);
  const loading = result.url !== url;
  return { count: result.count, facets: result.facets, loading };
}
