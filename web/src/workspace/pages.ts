import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  redirect,
  type SearchSchemaInput,
} from "@tanstack/react-router";
import type { WorkspaceMe } from "../contract/wire.ts";
import type { MessageKey } from "../i18n/keys.ts";
import { type ReadFilters, readFilters } from "./admin/readFilters.ts";
import { wordsAsked } from "./asked.ts";
import { brandView } from "./brand/brandView.ts";
import { type ContentFilters, contentFilters } from "./content/contentFilters.ts";
import { type FeedsFilters, feedsFilters, uploadAsked } from "./feeds/feedsFilters.ts";
import { type AuditFilters, auditFilters, type PanelSearch, panelSearch } from "./finance/auditFilters.ts";
import { type BookFilters, bookFilters } from "./finance/bookFilters.ts";
import { type ProviderFilters, providerFilters } from "./finance/providerFilters.ts";
import { type HomesFilters, homePart, homesFilters } from "./homes/homesFilters.ts";
import type { IconName } from "./icon.tsx";
import { type PlacesFilters, placesFilters } from "./places/placesFilters.ts";
import { waitingQuery } from "./queries.ts";
import { type CaseFilters, caseFilters } from "./support/caseFilters.ts";
import { type LeadFilters, leadFilters } from "./support/leadFilters.ts";
import { placeAsked } from "./support/replayPlace.ts";
import { type ReportFilters, reportFilters } from "./support/reportFilters.ts";
import { withTexts } from "./withTexts.ts";

/** Where the side bar and the command list name a page. A page that is only reached from another one has none. */
interface Place {
  icon: IconName;
  name: MessageKey;
  /** What the command list calls it, where that differs. */
  inList?: MessageKey;
  /** Left out of a phone's bar, where the command list leads to it. */
  isWide?: boolean;
  /** Left out of the side bar. */
  isOnlyInList?: boolean;
  /** How much waits there. */
  waiting?: typeof waitingQuery;
}

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** The permission without which the page is neither named nor shown. */
    needs?: "leads" | "finance" | "grants";
    place?: Place;
  }
}

/** What lies around every page is given by `router.tsx`. */
export const root = createRootRoute();

const leads = createRoute({
  getParentRoute: () => root,
  path: "/workspace/leads",
  validateSearch: (search: Partial<LeadFilters> & SearchSchemaInput) => leadFilters(search),
  staticData: { needs: "leads", place: { icon: "queue", name: "workspace.leads" } },
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

const homes = createRoute({
  getParentRoute: () => root,
  path: "/workspace/homes",
  validateSearch: (search: Partial<HomesFilters> & SearchSchemaInput) => homesFilters(search),
  staticData: { needs: "leads", place: { icon: "building", name: "workspace.homes" } },
  component: lazyRouteComponent(() => withTexts(import("./homes/list/HomesPage.tsx"), "homes"), "HomesPage"),
});

const newHome = createRoute({
  getParentRoute: () => root,
  path: "/workspace/homes/new",
  staticData: { needs: "leads" },
  component: lazyRouteComponent(() => withTexts(import("./homes/NewHomePage.tsx"), "homes"), "NewHomePage"),
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/workspace/homes/$homeId",
  validateSearch: (search: { part?: string | null } & SearchSchemaInput) => homePart(search),
  staticData: { needs: "leads" },
  remountDeps: ({ params }) => params,
  component: lazyRouteComponent(() => withTexts(import("./homes/HomePage.tsx"), "homes", "inventory"), "HomePage"),
});

const feeds = createRoute({
  getParentRoute: () => root,
  path: "/workspace/feeds",
  validateSearch: (search: Partial<FeedsFilters> & SearchSchemaInput) => feedsFilters(search),
  staticData: { needs: "leads", place: { icon: "upload", name: "workspace.feeds" } },
  component: lazyRouteComponent(() => withTexts(import("./feeds/FeedsPage.tsx"), "imports"), "FeedsPage"),
});

const newImport = createRoute({
  getParentRoute: () => root,
  path: "/workspace/feeds/new",
  validateSearch: (search: { upload?: string | null } & SearchSchemaInput) => uploadAsked(search),
  staticData: { needs: "leads" },
  component: lazyRouteComponent(
    () => withTexts(import("./feeds/upload/UploadPage.tsx"), "imports", "homes"),
    "UploadPage",
  ),
});

const importRun = createRoute({
  getParentRoute: () => root,
  path: "/workspace/feeds/runs/$runId",
  staticData: { needs: "leads" },
  remountDeps: ({ params }) => params,
  component: lazyRouteComponent(() => withTexts(import("./feeds/run/RunPage.tsx"), "imports"), "RunPage"),
});

/** The list of runs had this address before there was a page of feeds. */
const imports = createRoute({
  getParentRoute: () => root,
  path: "/workspace/imports",
  validateSearch: (search: Partial<FeedsFilters> & SearchSchemaInput) => feedsFilters(search),
  staticData: { needs: "leads" },
  beforeLoad: ({ search }) => {
    throw redirect({ to: "/workspace/feeds", search, replace: true });
  },
});

const places = createRoute({
  getParentRoute: () => root,
  path: "/workspace/places",
  validateSearch: (search: Partial<PlacesFilters> & SearchSchemaInput) => placesFilters(search),
  staticData: { needs: "leads", place: { icon: "pin", name: "workspace.places", isWide: true } },
  component: lazyRouteComponent(() => withTexts(import("./places/PlacesPage.tsx"), "places"), "PlacesPage"),
});

const waitlists = createRoute({
  getParentRoute: () => root,
  path: "/workspace/waitlists",
  validateSearch: (search: { room?: string | null } & SearchSchemaInput) => ({
    room: typeof search.room === "string" ? search.room : null,
  }),
  staticData: { needs: "leads", place: { icon: "people", name: "waitlists.title" } },
  component: lazyRouteComponent(() => import("./support/WaitlistsPage.tsx"), "WaitlistsPage"),
});

const cases = createRoute({
  getParentRoute: () => root,
  path: "/workspace/cases",
  validateSearch: (search: Partial<CaseFilters> & SearchSchemaInput) => caseFilters(search),
  staticData: { needs: "leads", place: { icon: "mail", name: "workspace.cases" } },
  component: lazyRouteComponent(() => withTexts(import("./support/CasesPage.tsx"), "desk"), "CasesPage"),
});

const oneCase = createRoute({
  getParentRoute: () => root,
  path: "/workspace/cases/$caseId",
  staticData: { needs: "leads" },
  remountDeps: ({ params }) => params,
  component: lazyRouteComponent(() => withTexts(import("./support/CasePage.tsx"), "desk"), "CasePage"),
});

const segments = createRoute({
  getParentRoute: () => root,
  path: "/workspace/segments",
  validateSearch: (search: { steps?: string | null } & SearchSchemaInput) => ({ steps: wordsAsked(search.steps) }),
  staticData: { needs: "leads", place: { icon: "cause", name: "workspace.segments", isWide: true } },
  component: lazyRouteComponent(() => withTexts(import("./support/SegmentsPage.tsx"), "queues"), "SegmentsPage"),
});

const mirror = createRoute({
  getParentRoute: () => root,
  path: "/workspace/mirror",
  validateSearch: (search: { id?: string | null; lead?: string | null } & SearchSchemaInput) => ({
    id: wordsAsked(search.id),
    lead: wordsAsked(search.lead),
  }),
  staticData: { needs: "leads", place: { icon: "user", name: "workspace.mirror", isWide: true } },
  component: lazyRouteComponent(
    () => withTexts(import("./support/MirrorPage.tsx"), "mirror_desk", "booking"),
    "MirrorPage",
  ),
});

const report = createRoute({
  getParentRoute: () => root,
  path: "/workspace/report",
  validateSearch: (search: Partial<ReportFilters> & SearchSchemaInput) => reportFilters(search),
  staticData: { needs: "leads", place: { icon: "cal", name: "workspace.report", isWide: true } },
  component: lazyRouteComponent(() => withTexts(import("./support/ReportPage.tsx"), "report"), "ReportPage"),
});

const finance = createRoute({
  getParentRoute: () => root,
  path: "/workspace/finance",
  validateSearch: (search: Partial<AuditFilters & PanelSearch> & SearchSchemaInput) => ({
    ...auditFilters(search),
    ...panelSearch(search),
  }),
  staticData: {
    needs: "finance",
    place: { icon: "ledger", name: "workspace.finance", inList: "workspace.payment_audit" },
  },
  component: lazyRouteComponent(() => import("./finance/FinancePage.tsx"), "FinancePage"),
});

const provider = createRoute({
  getParentRoute: () => root,
  path: "/workspace/provider",
  validateSearch: (search: Partial<ProviderFilters> & SearchSchemaInput) => providerFilters(search),
  staticData: { needs: "finance", place: { icon: "card", name: "workspace.payouts", inList: "provider.title" } },
  component: lazyRouteComponent(() => import("./finance/ProviderPage.tsx"), "ProviderPage"),
});

const books = createRoute({
  getParentRoute: () => root,
  path: "/workspace/books",
  validateSearch: (search: Partial<BookFilters> & SearchSchemaInput) => bookFilters(search),
  staticData: { needs: "finance", place: { icon: "file", name: "workspace.books" } },
  component: lazyRouteComponent(() => withTexts(import("./finance/BooksPage.tsx"), "books"), "BooksPage"),
});

const reconciliation = createRoute({
  getParentRoute: () => root,
  path: "/workspace/reconciliation",
  staticData: { needs: "finance", place: { icon: "refresh", name: "workspace.reconciliation" } },
  component: lazyRouteComponent(
    () => withTexts(import("./finance/ReconciliationPage.tsx"), "reconciliation"),
    "ReconciliationPage",
  ),
});

const approvals = createRoute({
  getParentRoute: () => root,
  path: "/workspace/approvals",
  staticData: { needs: "finance", place: { icon: "check", name: "workspace.approvals", waiting: waitingQuery } },
  component: lazyRouteComponent(
    () => withTexts(import("./finance/ApprovalsPage.tsx"), "approvals", "acts"),
    "ApprovalsPage",
  ),
});

const health = createRoute({
  getParentRoute: () => root,
  path: "/workspace/health",
  staticData: { place: { icon: "bolt", name: "workspace.health" } },
  component: lazyRouteComponent(() => withTexts(import("./admin/HealthPage.tsx"), "admin"), "HealthPage"),
});

const readModels = createRoute({
  getParentRoute: () => root,
  path: "/workspace/read_models",
  staticData: { place: { icon: "replay", name: "workspace.read_models" } },
  component: lazyRouteComponent(() => import("./ReadModelsPage.tsx"), "ReadModelsPage"),
});

const grants = createRoute({
  getParentRoute: () => root,
  path: "/workspace/grants",
  staticData: { needs: "grants", place: { icon: "people", name: "workspace.grants" } },
  component: lazyRouteComponent(() => import("./GrantsPage.tsx"), "GrantsPage"),
});

const reads = createRoute({
  getParentRoute: () => root,
  path: "/workspace/reads",
  validateSearch: (search: Partial<ReadFilters> & SearchSchemaInput) => readFilters(search),
  staticData: { needs: "grants", place: { icon: "eye", name: "workspace.reads", isWide: true } },
  component: lazyRouteComponent(() => withTexts(import("./admin/ReadsPage.tsx"), "admin", "looks"), "ReadsPage"),
});

const brand = createRoute({
  getParentRoute: () => root,
  path: "/workspace/brand",
  validateSearch: (search: { view?: string | null } & SearchSchemaInput) => brandView(search),
  staticData: { needs: "grants", place: { icon: "brush", name: "workspace.brand", isWide: true } },
  component: lazyRouteComponent(() => withTexts(import("./brand/BrandPage.tsx"), "brand", "home"), "BrandPage"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/workspace/settings",
  staticData: { needs: "grants", place: { icon: "shield", name: "workspace.settings", isWide: true } },
  component: lazyRouteComponent(() => withTexts(import("./admin/SettingsPage.tsx"), "admin"), "SettingsPage"),
});

const content = createRoute({
  getParentRoute: () => root,
  path: "/workspace/content",
  validateSearch: (search: Partial<ContentFilters> & SearchSchemaInput) => contentFilters(search),
  staticData: { needs: "grants", place: { icon: "pen", name: "workspace.content", isWide: true } },
  component: lazyRouteComponent(
    () => withTexts(import("./content/ContentListPage.tsx"), "house_texts"),
    "ContentListPage",
  ),
});

const contentText = createRoute({
  getParentRoute: () => root,
  path: "/workspace/content/$page/$language",
  staticData: { needs: "grants" },
  remountDeps: ({ params }) => params,
  component: lazyRouteComponent(
    () => withTexts(import("./content/editor/TextEditorPage.tsx"), "house_texts"),
    "TextEditorPage",
  ),
});

const secondStep = createRoute({
  getParentRoute: () => root,
  path: "/workspace/second_step",
  staticData: { place: { icon: "lock", name: "workspace.second_step", isOnlyInList: true } },
  component: lazyRouteComponent(() => withTexts(import("./admin/SecondStepPage.tsx"), "second_step"), "SecondStepPage"),
});

const messageLanguage = createRoute({
  getParentRoute: () => root,
  path: "/workspace/message_language",
  staticData: { place: { icon: "mail", name: "workspace.message_language", isOnlyInList: true } },
  component: lazyRouteComponent(
    () => withTexts(import("./admin/MessageLanguagePage.tsx"), "messages"),
    "MessageLanguagePage",
  ),
});

/** Every page, in the order in which the side bar and the command list name them. */
export const pages = [
  leads,
  replay,
  homes,
  newHome,
  home,
  feeds,
  newImport,
  importRun,
  imports,
  places,
  content,
  contentText,
  waitlists,
  cases,
  oneCase,
  segments,
  mirror,
  report,
  finance,
  provider,
  books,
  reconciliation,
  approvals,
  health,
  readModels,
  grants,
  reads,
  brand,
  settings,
  secondStep,
  messageLanguage,
] as const;

type Path = (typeof pages)[number]["to"];

/** The address of a page that needs nothing filled in. */
type PlainPath = Exclude<Path, `${string}$${string}`>;

/** A page as the side bar and the command list name it. */
export type NamedPage = Place & { to: PlainPath };

/** The pages that a person may open by their names. */
export function listPlaces(can: WorkspaceMe["can"]): NamedPage[] {
  return pages.flatMap(({ to, options: { staticData: { needs, place } = {} } }) =>
    place === undefined || !isPlain(to) || (needs !== undefined && !can[needs]) ? [] : [{ ...place, to }],
  );
}

function isPlain(path: Path): path is PlainPath {
  return !path.includes("$");
}
