import "./workspace.css";
import "./support/leads.css";
import "./support/replay.css";
import "./support/cases.css";
import "./support/waitlists.css";
import "./support/queues.css";
import "./finance/finance.css";
import "./finance/provider.css";
import "./why.css";
import "./frame.css";
import "./readModels.css";
import { createRoute, createRouter, Link, Navigate, Outlet, useMatches } from "@tanstack/react-router";
import { useEffect } from "react";
import type { WorkspaceMe } from "../contract/wire.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { asQuery } from "../paths.ts";
import { PlaceNotice } from "./AccessPage.tsx";
import { pages, root } from "./pages.ts";
import { momentIn, showMoment, withMoment } from "./pastMoment.ts";
import { Shell } from "./Shell.tsx";
import { useMe } from "./session.ts";

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

const start = createRoute({ getParentRoute: () => root, path: "/workspace", component: Start });

root.update({ component: Frame, notFoundComponent: NoSuchPlace });

// Before anything is read: an address that names a moment opens as it was then.
showMoment(momentIn(location.search));

/** What stands at each address of the workspace; for any other the server answers 404, from `workspace_paths.txt` (`make contract`). */
export const router = createRouter({
  routeTree: root.addChildren([start, ...pages]),
  // Plain words in the address, as the server's own pages have them.
  parseSearch: (query) => Object.fromEntries(new URLSearchParams(query)),
  stringifySearch: (search) => asQuery(withMoment(search)),
  scrollRestoration: true,
  scrollToTopSelectors: ["[data-list-scroll]"],
  // What fails in a page is told by the boundary around the whole workspace.
  disableGlobalCatchBoundary: true,
});

/**
 * Fetches the code of the other pages that a person may open. Moving to one then waits for no code, and works as far as it can while the
 * server is away.
 */
function fetchPages(can: WorkspaceMe["can"]): void {
  for (const page of pages) {
    const { needs } = page.options.staticData ?? {};
    if (needs === undefined || can[needs]) void router.loadRouteChunk(page);
  }
}

/** The side bar, and beside it the page that the address names, for those who may see it. */
function Frame() {
  const me = useMe();
  const needs = useMatches({ select: (matches) => matches.at(-1)?.staticData.needs });
  const isAllowed = needs === undefined || me.can[needs];
  useEffect(() => fetchPages(me.can), [me.can]);
  return <Shell me={me}>{isAllowed ? <Outlet /> : <NotYours />}</Shell>;
}

/** The start has no page of its own: each role begins in a part of the workspace. */
function Start() {
  const { can } = useMe();
  return <Navigate to={can.leads ? "/workspace/leads" : "/workspace/finance"} replace />;
}

function NotYours() {
  const { t } = useI18n();
  return (
    <PlaceNotice icon="lock" title={t("workspace.not_yours_title")} text={t("workspace.not_yours_text")}>
      <Link className="btn" to="/workspace">
        {t("workspace.to_start")}
      </Link>
    </PlaceNotice>
  );
}

function NoSuchPlace() {
  const { t } = useI18n();
  return (
    <PlaceNotice icon="search" title={t("workspace.missing_title")} text={t("workspace.missing_text")}>
      <Link className="btn" to="/workspace/leads">
        {t("workspace.to_start")}
      </Link>
    </PlaceNotice>
  );
}
