import "../styles/index.css";
import "../i18n/workspaceTexts.ts";
import { createRoot } from "react-dom/client";
import { loadAreas } from "../i18n/catalogue.ts";
import { LanguageProvider } from "../i18n/i18n.tsx";
import { embeddedPage } from "../page.ts";
import { PageContext } from "../pageContext.ts";
import { surviveTranslation } from "../translated.ts";
import { leaveComposingAlone } from "../ui/composing.ts";
import { ErrorBoundary } from "../ui/errorBoundary.tsx";
import { forgetReload } from "../ui/reloadOnce.ts";
import { tellStartFailure } from "../ui/startFailure.ts";
import { workspaceAreas } from "./areas.ts";

const visit = { url: location.href, referrer: document.referrer };

async function start(): Promise<void> {
  leaveComposingAlone();
  const root = document.getElementById("root");
  const page = embeddedPage();
  if (!root || !page) throw new Error("the document holds no page");
  surviveTranslation(document.body);
  history.scrollRestoration = "manual";
  const { lang } = page.chrome;
  const [{ default: WorkspacePage }] = await Promise.all([
    import("./WorkspacePage.tsx"),
    loadAreas(lang, workspaceAreas),
  ]);
  createRoot(root).render(
    <LanguageProvider lang={lang}>
      <PageContext value={page}>
        <ErrorBoundary>
          <WorkspacePage />
        </ErrorBoundary>
      </PageContext>
    </LanguageProvider>,
  );
  document.documentElement.dataset.ready = "true";
  forgetReload();
}

async function rememberFirstVisit(): Promise<void> {
  const { rememberVisit } = await import("../attribution.ts");
  rememberVisit(visit);
}

start().then(rememberFirstVisit, tellStartFailure);
