import "./serverPolyfills.ts";
import type { ReactElement } from "react";
import { renderToString } from "react-dom/server.browser";
import type { PagePayload } from "../contract/wire.ts";
import { addServerTexts } from "../i18n/serverTexts.ts";
import NotFoundPage from "./errors/NotFoundPage.tsx";
import ServerErrorPage from "./errors/ServerErrorPage.tsx";
import HomePage from "./home/HomePage.tsx";
import LegalPage from "./legal/LegalPage.tsx";
import { PageTree } from "./PageTree.tsx";
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

/**
 * What stands inside `#root` for a page payload: HTML, or the empty string for pages the browser draws by itself.
 * Public pages hold no Suspense boundary, so the synchronous renderer prints them whole (docs/decisions/0035).
 */
function render(payloadJson: string): string {
  const payload: PagePayload = JSON.parse(payloadJson);
  const page = publicPage(payload);
  if (page === null) return "";
  return renderToString(
    <PageTree payload={payload} frame="site">
      {page}
    </PageTree>,
  );
}

Object.assign(globalThis, { render });
