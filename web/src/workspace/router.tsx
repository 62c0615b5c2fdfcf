import "./workspace.css";
import "./support/leads.css";
import "./support/replay.css";
import "./finance/finance.css";
import "./frame.css";
import "./readModels.css";
import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  type SearchSchemaInput,
  useMatches,
} from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { useI18n } from "../i18n/i18n.tsx";
import { asQuery } from "../paths.ts";
import { Toasts } from "../ui/toast.tsx";
import { PlaceNotice } from "./AccessPage.tsx";
import { leadsPath, places } from "./address.ts";
import { auditFilters, panelOf, panelSearch } from "./finance/auditFilters.ts";
import { FinancePage } from "./finance/FinancePage.tsx";
import { GrantsPage } from "./GrantsPage.tsx";
import { ReadModelsPage } from "./ReadModelsPage.tsx";
import { landOn, Shell } from "./Shell.tsx";
import { useMe } from "./session.ts";
import { LeadsPage } from "./support/LeadsPage.tsx";
import { leadFilters } from "./support/leadFilters.ts";
import { ReplayPage } from "./support/ReplayPage.tsx";
import { placeAsked } from "./support/replayPlace.ts";
import { WorkLink } from "./WorkLink.tsx";

/** Loaded when it is first opened: most visits never do. */
const Palette = lazy(async () => ({ default: (await import("./Palette.tsx")).Palette }));

/** The parameters of an address as they stand there; of a place that was read once, what is absent is null. */
type Texts = Readonly<Record<string, string>>;

/** The router reads what it has read again when it builds the address: null is absent then too. */
const asked = (search: Texts) => new URLSearchParams(asQuery(search));

const root = createRootRoute({ component: Frame, notFoundComponent: NoSuchPlace });

const start = createRoute({ getParentRoute: () => root, path: "/workspace", component: Start });

const leads = createRoute({
  getParentRoute: () => root,
  path: "/workspace/leads",
  validateSearch: (search: Texts & SearchSchemaInput) => leadFilters(asked(search)),
  component: Leads,
});

const replay = createRoute({
  getParentRoute: () => root,
  path: "/workspace/leads/$leadId",
  validateSearch: (search: Texts & SearchSchemaInput) => ({ v: placeAsked(asked(search).get("v")) }),
  component: Replay,
});

const finance = createRoute({
  getParentRoute: () => root,
  path: "/workspace/finance",
  validateSearch: (search: Texts & SearchSchemaInput) => {
    const params = asked(search);
    return { ...auditFilters(params), ...panelSearch(params) };
  },
  component: Finance,
});

const readModels = createRoute({
  getParentRoute: () => root,
  path: "/workspace/read_models",
  component: ReadModelsPage,
});

const grants = createRoute({ getParentRoute: () => root, path: "/workspace/grants", component: Grants });

/** What stands at each address of the workspace; the server (`api/src/pages.rs`) answers 404 for any other. */
export const router = createRouter({
  routeTree: root.addChildren([start, leads, replay, finance, readModels, grants]),
  history: places,
  // Plain words in the address, as the server's own pages have them.
  parseSearch: (query) => Object.fromEntries(new URLSearchParams(query)),
  stringifySearch: asQuery,
  // What fails in a page is told by the boundary around the whole workspace.
  disableGlobalCatchBoundary: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

/** The side bar around every page, and the palette over it. */
function Frame() {
  const me = useMe();
  const at = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const [finding, setFinding] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      setFinding((open) => !open);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <Shell me={me} at={at} onFind={() => setFinding(true)}>
        <Outlet />
        <Suspense fallback={null}>{finding ? <Palette onClose={() => setFinding(false)} /> : null}</Suspense>
      </Shell>
      <Toasts />
    </>
  );
}

/** The start has no page of its own: each role begins in a part of the workspace. */
function Start() {
  const me = useMe();
  useEffect(() => landOn(me), [me]);
  return <main className="main" id="work" />;
}

function Leads() {
  const { can } = useMe();
  const { q, status, attention, p } = leads.useSearch();
  return can.leads ? <LeadsPage filters={{ q, status, attention, p }} /> : <NotYours />;
}

function Replay() {
  const { can } = useMe();
  const { leadId } = replay.useParams();
  const { v } = replay.useSearch();
  return can.leads ? <ReplayPage key={leadId} leadId={leadId} asked={v} /> : <NotYours />;
}

function Finance() {
  const { can } = useMe();
  const { q, kind, currency, from, to, asof, p, payment, refund, chain } = finance.useSearch();
  if (!can.finance) return <NotYours />;
  return <FinancePage filters={{ q, kind, currency, from, to, asof, p }} panel={panelOf({ payment, refund, chain })} />;
}

function Grants() {
  return useMe().can.grants ? <GrantsPage /> : <NotYours />;
}

function NotYours() {
  const { t } = useI18n();
  return (
    <PlaceNotice icon="lock" title={t("workspace.not_yours_title")} text={t("workspace.not_yours_text")}>
      <WorkLink className="btn" href="/workspace">
        {t("workspace.to_start")}
      </WorkLink>
    </PlaceNotice>
  );
}

function NoSuchPlace() {
  const { t } = useI18n();
  return (
    <PlaceNotice icon="search" title={t("workspace.missing_title")} text={t("workspace.missing_text")}>
      <WorkLink className="btn" href={leadsPath()}>
        {t("workspace.to_start")}
      </WorkLink>
    </PlaceNotice>
  );
}
