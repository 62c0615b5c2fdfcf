import type { ComponentType, ReactNode } from "react";
import type { PagePayload } from "../contract/wire.ts";
import type { Area } from "../i18n/keys.ts";
import { isPage, type PageOf, type RouteName } from "../page.ts";

/** Draws a page from its payload. */
export type PageView = (payload: PagePayload) => ReactNode;

/** `site` stands between header and footer, `bare` brings its own frame. */
export type Frame = "site" | "bare";

/** What the browser must load to show a route. */
export interface Route {
  load: () => Promise<PageView>;
  areas: readonly Area[];
  frame: Frame;
}

type PageModule<R extends RouteName> = { default: ComponentType<{ page: PageOf<R> }> };

function page<R extends RouteName>(name: R, load: () => Promise<PageModule<R>>, areas: Area[], frame: Frame): Route {
  const view = async (): Promise<PageView> => {
    const [{ default: Page }] = await Promise.all([load(), isLight(name) ? null : import("../ui/moreIcons.ts")]);
    return (payload) => (isPage(payload, name) ? <Page page={payload} /> : null);
  };
  return { load: view, areas, frame };
}

/** Pages whose few icons are always there. */
function isLight(name: RouteName): boolean {
  return name === "home" || name === "search" || name === "not_found" || name === "server_error";
}

// One line per route: `build/pageAssets.ts` reads this table to list each page's files. Texts of `ui` and `shell` are always there.
const routes: Partial<Record<RouteName, Route>> = {
  home: page("home", () => import("./home/HomePage.tsx"), ["home"], "site"),
  search: page("search", () => import("./search/SearchPage.tsx"), ["search", "inventory", "numbers"], "site"),
  property: page("property", () => import("./property/PropertyPage.tsx"), ["property"], "site"),
  booking_form: page(
    "booking_form",
    () => import("./booking/BookingFormPage.tsx"),
    ["booking", "form_sync", "change", "stay"],
    "bare",
  ),
  application: page(
    "application",
    () => import("./booking/BookingFormPage.tsx"),
    ["booking", "form_sync", "change", "stay"],
    "bare",
  ),
  form_submitted: page("form_submitted", () => import("./lead/FormSubmittedPage.tsx"), ["lead"], "site"),
  profile: page(
    "profile",
    () => import("./profile/ProfilePage.tsx"),
    ["profile", "messages", "change", "stay", "cases", "looks", "mirror"],
    "site",
  ),
  support_link: page("support_link", () => import("./profile/SupportLinkPage.tsx"), ["cases"], "site"),
  payment: page(
    "payment",
    () => import("./payment/PaymentEntryPage.tsx"),
    ["payment", "change", "rating", "stay"],
    "bare",
  ),
  payment_token: page(
    "payment_token",
    () => import("./payment/PaymentTokenPage.tsx"),
    ["payment", "change", "rating", "stay"],
    "bare",
  ),
  payment_complete: page(
    "payment_complete",
    () => import("./payment/PaymentCompletePage.tsx"),
    ["payment", "change", "rating", "stay"],
    "bare",
  ),
  receipt: page("receipt", () => import("./receipt/ReceiptPage.tsx"), ["receipt"], "site"),
  verify: page("verify", () => import("./receipt/VerifyPage.tsx"), ["receipt", "verify"], "site"),
  legal: page("legal", () => import("./legal/LegalPage.tsx"), ["legal"], "site"),
  content: page("content", () => import("./content/ContentPage.tsx"), ["content"], "site"),
  help: page("help", () => import("./content/HelpPage.tsx"), ["content"], "site"),
  blog: page("blog", () => import("./content/BlogPage.tsx"), ["content"], "site"),
  post: page("post", () => import("./content/PostPage.tsx"), ["content"], "site"),
  site_map: page("site_map", () => import("./content/SiteMapPage.tsx"), ["content"], "site"),
  not_found: page("not_found", () => import("./errors/NotFoundPage.tsx"), ["errors"], "site"),
  server_error: page("server_error", () => import("./errors/ServerErrorPage.tsx"), ["errors"], "site"),
};

const missing: Route = page("not_found", () => import("./errors/NotFoundPage.tsx"), ["errors"], "site");

export function routeOf(name: RouteName): Route {
  return routes[name] ?? missing;
}
