import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import type { LeadView } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { Icon } from "../icon.tsx";
import { AlarmMark } from "./AlarmMark.tsx";
import { FILTERS, isWhole } from "./leadFilterNames.ts";
import { type LeadFilters, leadFilters } from "./leadFilters.ts";
import { viewsQuery } from "./queueCalls.ts";
import { useDeskLive } from "./useDeskLive.ts";

const ViewDialog = lazyPart(async () => (await import("./ViewDialog.tsx")).ViewDialog);

/** What a view is called: those that everybody has by a text, saved ones by their name. */
export function useViewName(): (view: LeadView) => string {
  const { tData } = useI18n();
  return (view) => view.name ?? tData(`queues.view_${view.id}`);
}

/** The view whose filters are in force, wherever they came from. */
function isCurrent(view: LeadView, filters: LeadFilters): boolean {
  const own = leadFilters(view.filters);
  return FILTERS.every((name) => own[name] === filters[name]);
}

/** Views of the list with their live counts, and the way to save the filters in force as one. */
export function LeadViews({ filters }: { filters: LeadFilters }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const { data: views = [], error } = useQuery(viewsQuery);
  const counts = useDeskLive();
  const name = useViewName();
  const [open, setOpen] = useState(false);
  const current = views.find((view) => isCurrent(view, filters));
  const canSave = current === undefined && !isWhole(filters);
  return (
    <nav className="needs lead-views" aria-label={t("queues.views")}>
      {error === null ? null : <span className="sub bad">{t("queues.views_failed")}</span>}
      {views.map((view) => (
        <Link
          key={view.id}
          className={view === current ? "pill on" : "pill"}
          to="/workspace/leads"
          search={leadFilters({ ...view.filters, view: view.id })}
          aria-current={view === current ? "page" : undefined}
          title={view.owner_name === null ? undefined : t("queues.shared_by", { name: view.owner_name })}
        >
          <AlarmMark view={view} />
          {name(view)} <b className="num">{number(counts?.[view.id] ?? view.count)}</b>
        </Link>
      ))}
      {canSave || current?.own === true ? (
        <button type="button" className="pill add" onClick={() => setOpen(true)}>
          <Icon name={canSave ? "plus" : "down"} size="xs" />
          {t(canSave ? "queues.save" : "queues.change")}
        </button>
      ) : null}
      {open ? (
        <Suspense>
          <ViewDialog filters={filters} view={current?.own === true ? current : null} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </nav>
  );
}
