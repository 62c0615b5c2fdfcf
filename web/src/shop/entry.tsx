import "./styles/index.css";
import "../i18n/shopTexts.ts";
import { createRoot, hydrateRoot } from "react-dom/client";
import { embeddedPage, fetchPage } from "../page.ts";
import { surviveTranslation } from "../translated.ts";
import { leaveComposingAlone } from "../ui/composing.ts";
import { tellStartFailure } from "../ui/startFailure.ts";
import { App } from "./App.tsx";
import { answerFirstAddress, begin, fetchAhead } from "./navigation.ts";
import { watchPictures } from "./pictures.ts";
import { routeOf } from "./routes.tsx";

const visit = { url: location.href, referrer: document.referrer };

async function start(): Promise<void> {
  leaveComposingAlone();
  const root = document.getElementById("root");
  if (!root) throw new Error("the page has no #root");
  surviveTranslation(document.body);
  const screen = await begin(embeddedPage() ?? (await fetchPage(location.pathname + location.search)), routeOf);
  const app = <App first={screen} />;
  const printed = root.firstElementChild;
  // The server leaves the root empty where it could not print the page; the grey frame of a page that is drawn here is no part of it.
  if (printed && printed.id !== "coming") hydrateRoot(root, app, { onRecoverableError: reportHydration });
  else createRoot(root).render(app);
  watchPictures();
  fetchAhead();
  document.documentElement.dataset.ready = "true";
}

/** Spec §3: where a visitor came from is kept from the first page on, whichever that is; after the page, beside it. */
async function rememberFirstVisit(): Promise<void> {
  const { rememberVisit } = await import("../attribution.ts");
  rememberVisit(visit);
}

/** Browser tests assert that nothing arrives here. */
function reportHydration(error: unknown): void {
  console.error("hydration:", error);
}

start().then(() => Promise.all([answerFirstAddress(), rememberFirstVisit()]), tellStartFailure);
