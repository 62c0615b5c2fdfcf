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
import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  Navigate,
  Outlet,
  type SearchSchemaInput,
  useMatches,
} from "@tanstack/react-router";
import { useEffect } from "react";
import type { WorkspaceMe } from "../contract/wire.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { asQuery } from "../paths.ts";
import { PlaceNotice } from "./AccessPage.tsx";
import { type ReadFilters, readFilters } from "./admin/readFilters.ts";
import { wordsAsked } from "./asked.ts";
import { type AuditFilters, auditFilters, type PanelSearch, panelSearch } from "./finance/auditFilters.ts";
import { type BookFilters, bookFilters } from "./finance/bookFilters.ts";
import { type ProviderFilters, providerFilters } from "./finance/providerFilters.ts";
import { Shell } from "./Shell.tsx";
import { useMe } from "./session.ts";
import { type CaseFilters, caseFilters } from "./support/caseFilters.ts";
import { type LeadFilters, leadFilters } from "./support/leadFilters.ts";
import { placeAsked } from "./support/replayPlace.ts";
import { type ReportFilters, reportFilters } from "./support/reportFilters.ts";
import { withTexts } from "./withTexts.ts";

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** The permission without which the page is not shown. */
    needs?: "leads" | "finance" | "grants";
  }
}

const root = createRootRoute({ component: Frame, notFoundComponent: NoSuchPlace });

const start = createRoute({ getParentRoute: () => root, path: "/workspace", component: Start });

const leads = createRoute({
  getParentRoute: () => root,
  path: "/workspace/leads",
  validateSearch: (search: Partial<LeadFilters> & SearchSchemaInput) => leadFilters(search),
  staticData: { needs: "leads" },
  component: lazyRouteComponent(() => import("./support/LeadsPage.tsx"), "LeadsPage"),
});

const replay = createRoute({
  getParentRoute: () => root,
  path: "/workspace/leads/$leadId",
  // Every role reads a lead's history; finance without personal data.
  validateSearch: (search: { v?: number | null } & SearchSchemaInput) => ({ v: placeAsked(search.v) }),
  remountDeps: ({ params }) => params,
  component: lazyRouteComponent(() => import("./support/ReplayPage.tsx"), "ReplayPage"),
});

const waitlists = createRoute({
  getParentRoute: () => root,
  path: "/workspace/waitlists",
  validateSearch: (search: { room?: string | null } & SearchSchemaInput) => ({
    room: typeof search.room === "string" ? search.room : null,
  }),
  staticData: { needs: "leads" },
  component: lazyRouteComponent(() => import("./support/WaitlistsPage.tsx"), "WaitlistsPage"),
});

const report = createRoute({
  getParentRoute: () => root,
  path: "/workspace/report",
  validateSearch: (search: Partial<ReportFilters> & SearchSchemaInput) => reportFilters(search),
  staticData: { needs: "leads" },
  component: lazyRouteComponent(() => withTexts(import("./support/ReportPage.tsx"), "report"), "ReportPage"),
});

const segments = createRoute({
  getParentRoute: () => root,
  path: "/workspace/segments",
  validateSearch: (search: { steps?: string | null } & SearchSchemaInput) => ({ steps: wordsAsked(search.steps) }),
  staticData: { needs: "leads" },
  component: lazyRouteComponent(() => withTexts(import("./support/SegmentsPage.tsx"), "queues"), "SegmentsPage"),
});

const mirror = createRoute({
  getParentRoute: () => root,
  path: "/workspace/mirror",
  validateSearch: (search: { id?: string | null; lead?: string | null } & SearchSchemaInput) => ({
    id: wordsAsked(search.id),
    lead: wordsAsked(search.lead),
  }),
  staticData: { needs: "leads" },
  component: lazyRouteComponent(
    () => withTexts(import("./support/MirrorPage.tsx"), "mirror_desk", "booking"),
    "MirrorPage",
  ),
});

const cases = createRoute({
  getParentRoute: () => root,
  path: "/workspace/cases",
  validateSearch: (search: Partial<CaseFilters> & SearchSchemaInput) => caseFilters(search),
  staticData: { needs: "leads" },
  component: lazyRouteComponent(() => withTexts(import("./support/CasesPage.tsx"), "desk"), "CasesPage"),
});

const oneCase = createRoute({
  getParentRoute: () => root,
  path: "/workspace/cases/$caseId",
  staticData: { needs: "leads" },
  remountDeps: ({ params }) => params,
  component: lazyRouteComponent(() => withTexts(import("./support/CasePage.tsx"), "desk"), "CasePage"),
});

const finance = createRoute({
  getParentRoute: () => root,
  path: "/workspace/finance",
  validateSearch: (search: Partial<AuditFilters & PanelSearch> & SearchSchemaInput) => ({
    ...auditFilters(search),
    ...panelSearch(search),
  }),
  staticData: { needs: "finance" },
  component: lazyRouteComponent(() => import("./finance/FinancePage.tsx"), "FinancePage"),
});

const provider = createRoute({
  getParentRoute: () => root,
  path: "/workspace/provider",
  validateSearch: (search: Partial<ProviderFilters> & SearchSchemaInput) => providerFilters(search),
  staticData: { needs: "finance" },
  component: lazyRouteComponent(() => import("./finance/ProviderPage.tsx"), "ProviderPage"),
});

const books = createRoute({
  getParentRoute: () => root,
  path: "/workspace/books",
  validateSearch: (search: Partial<BookFilters> & SearchSchemaInput) => bookFilters(search),
  staticData: { needs: "finance" },
  component: lazyRouteComponent(() => withTexts(import("./finance/BooksPage.tsx"), "books"), "BooksPage"),
});

const approvals = createRoute({
  getParentRoute: () => root,
  path: "/workspace/approvals",
  staticData: { needs: "finance" },
  component: lazyRouteComponent(
    () => withTexts(import("./finance/ApprovalsPage.tsx"), "approvals", "acts"),
    "ApprovalsPage",
  ),
});

const reconciliation = createRoute({
  getParentRoute: () => root,
  path: "/workspace/reconciliation",
  staticData: { needs: "finance" },
  component: lazyRouteComponent(
    () => withTexts(import("./finance/ReconciliationPage.tsx"), "reconciliation"),
    "ReconciliationPage",
  ),
});

const readModels = createRoute({
  getParentRoute: () => root,
  path: "/workspace/read_models",
  component: lazyRouteComponent(() => import("./ReadModelsPage.tsx"), "ReadModelsPage"),
});

const grants = createRoute({
  getParentRoute: () => root,
  path: "/workspace/grants",
  staticData: { needs: "grants" },
  component: lazyRouteComponent(() => import("./GrantsPage.tsx"), "GrantsPage"),
});

const health = createRoute({
  getParentRoute: () => root,
  path: "/workspace/health",
  component: lazyRouteComponent(() => withTexts(import("./admin/HealthPage.tsx"), "admin"), "HealthPage"),
});

const reads = createRoute({
  getParentRoute: () => root,
  path: "/workspace/reads",
  validateSearch: (search: Partial<ReadFilters> & SearchSchemaInput) => readFilters(search),
  staticData: { needs: "grants" },
  component: lazyRouteComponent(() => withTexts(import("./admin/ReadsPage.tsx"), "admin", "looks"), "ReadsPage"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/workspace/settings",
  staticData: { needs: "grants" },
  component: lazyRouteComponent(() => withTexts(import("./admin/SettingsPage.tsx"), "admin"), "SettingsPage"),
});

const secondStep = createRoute({
  getParentRoute: () => root,
  path: "/workspace/second_step",
  component: lazyRouteComponent(() => withTexts(import("./admin/SecondStepPage.tsx"), "second_step"), "SecondStepPage"),
});

const pages = [
  leads,
  replay,
  cases,
  oneCase,
  waitlists,
  segments,
  mirror,
  report,
  finance,
  provider,
  books,
  reconciliation,
  approvals,
  readModels,
  grants,
  health,
  reads,
  settings,
  secondStep,
];

/** What stands at each address of the workspace; the server (`workspace` in `api/pages/src/pages.rs`) answers 404 for any other. */
export const router = createRouter({
  routeTree: root.addChildren([start, ...pages]),
  // Plain words in the address, as the server's own pages have them.
  parseSearch: (query) => Object.fromEntries(new URLSearchParams(query)),
  stringifySearch: asQuery,
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
