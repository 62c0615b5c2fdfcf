import { lazy, Suspense, useEffect } from "react";
import { loadAreas } from "../../i18n/catalogue.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { Area } from "../../i18n/keys.ts";
import { ErrorBoundary } from "../../ui/errorBoundary.tsx";
import { loadSession } from "../session.ts";
import { closeOverlay, openLogin, useOverlay } from "../ui/overlays.ts";

const language = () => (typeof document === "undefined" ? "en" : document.documentElement.lang);

// A dialog's texts come with its code, so that it never shows a bare key.
async function withTexts<M>(module: Promise<M>, areas: Area[]): Promise<M> {
  const [loaded] = await Promise.all([
    module,
    import("../../ui/moreIcons.ts"),
    loadAreas(language() === "zh" ? "zh" : "en", areas),
  ]);
  return loaded;
}

const LeadModal = lazy(() => withTexts(import("../lead/LeadModal.tsx"), ["lead", "change"]));
const LoginModal = lazy(() => withTexts(import("../login/LoginModal.tsx"), ["login"]));
const MenuOverlay = lazy(() => import("./MenuOverlay.tsx"));
const SearchOverlay = lazy(() => import("./SearchOverlay.tsx"));

/** Draws the overlay that is open; each brings its own chunk when it is first opened. */
export function Overlays() {
  const overlay = useOverlay();
  useFirstVisit();
  if (overlay.kind === "none") return null;
  return (
    <ErrorBoundary key={overlay.kind}>
      <Suspense fallback={null}>
        <OpenOverlay />
      </Suspense>
    </ErrorBoundary>
  );
}

function OpenOverlay() {
  const overlay = useOverlay();
  switch (overlay.kind) {
    case "none":
      return null;
    case "menu":
      return <MenuOverlay onClose={closeOverlay} />;
    case "search":
      return <SearchOverlay onClose={closeOverlay} />;
    case "login":
      return <LoginModal next={overlay.next} onClose={closeOverlay} />;
    case "lead":
      return <LeadModal {...overlay} onClose={closeOverlay} />;
  }
}

// D19: a guarded page sends visitors to `/?login=1&next=…`.
function useFirstVisit(): void {
  const { lang } = useI18n();
  useEffect(() => {
    document.documentElement.lang = lang;
  }, [lang]);
  useEffect(() => {
    void loadSession();
    const asked = new URLSearchParams(location.search);
    if (asked.get("login") === "1") openLogin(samePath(asked.get("next")));
  }, []);
}

function samePath(next: string | null): string | null {
  return next?.startsWith("/") && !next.startsWith("//") ? next : null;
}
