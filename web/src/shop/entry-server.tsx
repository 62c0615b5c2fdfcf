import "./serverPolyfills.ts";
import type { ReactElement } from "react";
import { renderToString } from "react-dom/server.browser";
import type { PagePayload } from "../contract/wire.ts";
import { addServerTexts } from "../i18n/serverTexts.ts";
import type { RouteName } from "../page.ts";
import { FormFrame } from "./booking/FormComing.tsx";
import BlogPage from "./content/BlogPage.tsx";
import ContentPage from "./content/ContentPage.tsx";
import HelpPage from "./content/HelpPage.tsx";
import PostPage from "./content/PostPage.tsx";
import SiteMapPage from "./content/SiteMapPage.tsx";
import NotFoundPage from "./errors/NotFoundPage.tsx";
import ServerErrorPage from "./errors/ServerErrorPage.tsx";
import HomePage from "./home/HomePage.tsx";
import LegalPage from "./legal/LegalPage.tsx";
import { PageTree } from "./PageTree.tsx";
import { PaymentComing, PaymentFrame } from "./payment/PaymentComing.tsx";
import { ProfileComing } from "./profile/ProfilePage.tsx";
import PropertyPage from "./property/PropertyPage.tsx";
import VerifyPage from "./receipt/VerifyPage.tsx";
import SearchPage from "./search/SearchPage.tsx";

addServerTexts();

/** The public pages; everything else the server leaves to the browser (decision 0035). */
function publicPage(payload: PagePayload): ReactElement | null {
  switch (payload.route) {
    case "home":
      return <HomePage page={payload} />;
    case "search":
      return <SearchPage page={payload} />;
    case "property":
      return <PropertyPage page={payload} />;
    case "legal":
      return <LegalPage page={payload} />;
    case "content":
      return <ContentPage page={payload} />;
    case "help":
      return <HelpPage page={payload} />;
    case "blog":
      return <BlogPage page={payload} />;
    case "post":
      return <PostPage page={payload} />;
    case "site_map":
      return <SiteMapPage page={payload} />;
    case "not_found":
      return <NotFoundPage page={payload} />;
    case "verify":
      return <VerifyPage page={payload} />;
    case "server_error":
      return <ServerErrorPage page={payload} />;
    case "booking_form":
    case "application":
    case "payment":
    case "payment_token":
    case "payment_complete":
    case "form_submitted":
    case "receipt":
    case "support_link":
    case "profile":
    case "workspace":
      return null;
  }
}

/** The server's question for the frame of a page that the browser draws: nothing of the page's own data is in it. */
interface FrameAsked {
  frame_of: RouteName;
  chrome: PagePayload["chrome"];
}

/** The grey page of a route that the browser draws, until its code has come: the same for all readers. */
function pageComing(route: RouteName): ReactElement | null {
  switch (route) {
    case "booking_form":
    case "application":
      return <FormFrame />;
    case "payment_token":
    case "payment_complete":
      return (
        <PaymentFrame at={3}>
          <PaymentComing />
        </PaymentFrame>
      );
    case "profile":
      return <ProfileComing />;
    default:
      return null;
  }
}

/** The browser draws its page anew in the place of this, and does not take it over. */
function printFrame({ frame_of, chrome }: FrameAsked): string {
  const page = pageComing(frame_of);
  if (page === null) return "";
  const payload: PagePayload = { ...nothingShown, chrome };
  const frame = frame_of === "profile" ? "site" : "bare";
  return renderToString(
    <div id="coming">
      <PageTree payload={payload} frame={frame}>
        {page}
      </PageTree>
    </div>,
  );
}

/** A payload without a page, around which a frame is drawn. */
const nothingShown = {
  route: "server_error",
  url: "",
  status: 200,
  redirect: null,
  head: {
    title: "",
    description: "",
    keywords: null,
    canonical: null,
    robots: "noindex,nofollow",
    prev: null,
    next: null,
    image: null,
    alternates: [],
  },
  data: { support_email: null },
} as const satisfies Omit<PagePayload, "chrome">;

/**
 * Prints the inside of `#root` for a page payload: HTML; for a page that the browser draws its grey frame, or the empty string.
 * Public pages hold no Suspense boundary, so the synchronous renderer prints them whole (docs/decisions/0035).
 */
function render(askedJson: string): string {
  const asked: PagePayload | FrameAsked = JSON.parse(askedJson);
  if ("frame_of" in asked) return printFrame(asked);
  const page = publicPage(asked);
  if (page === null) return "";
  return renderToString(
    <PageTree payload={asked} frame="site">
      {page}
    </PageTree>,
  );
}

Object.assign(globalThis, { render });
