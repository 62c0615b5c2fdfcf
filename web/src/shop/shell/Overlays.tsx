import { Suspense, useEffect } from "react";
import { loadAreas } from "../../i18n/catalogue.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { Area } from "../../i18n/keys.ts";
import { pageLanguage } from "../../i18n/languages.ts";
import { ErrorBoundary } from "../../ui/errorBoundary.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { toastFailure } from "../../ui/toastFailure.ts";
import { loadSession } from "../session.ts";
import { MirrorPart } from "../ui/MirrorAsk.tsx";
import { closeOverlay, type Overlay, openAgain, useOverlay } from "../ui/overlays.ts";

// A dialog's texts come with its code, so that it never shows a bare key.
async function withTexts<P>(module: Promise<{ default: P }>, areas: Area[]): Promise<P> {
  const [loaded] = await Promise.all([module, import("../../ui/moreIcons.ts"), loadAreas(pageLanguage(), areas)]);
  return loaded.default;
}

const LeadModal = lazyPart(() => withTexts(import("../lead/LeadModal.tsx"), ["lead", "change", "numbers"]));
const LoginModal = lazyPart(() => withTexts(import("../login/LoginModal.tsx"), ["login"]));
const MenuOverlay = lazyPart(async () => (await import("./MenuOverlay.tsx")).default);
const SearchOverlay = lazyPart(async () => (await import("./SearchOverlay.tsx")).default);

/** Draws the overlay that is open; each brings its own chunk when it is first opened. One that cannot open says so and is gone. */
export function Overlays() {
  const overlay = useOverlay();
  useFirstVisit();
  // A dialog makes the page under it unreachable: the enquiry's shows the mirror itself.
  const mirror = overlay.kind === "lead" ? null : <MirrorPart />;
  if (overlay.kind === "none") return mirror;
  const under = overlay.kind === "login" ? overlay.over : null;
  return (
    <>
      {mirror}
      <Opening overlay={under ?? overlay} />
      {under ? <Opening overlay={overlay} /> : null}
    </>
  );
}

function Opening({ overlay }: { overlay: Overlay }) {
  const { t } = useI18n();
  const onFailed = (failure: unknown) => {
    toastFailure(failure, t, () => openAgain(overlay));
    closeOverlay();
  };
  return (
    <ErrorBoundary key={overlay.kind} onFailed={onFailed}>
      <Suspense fallback={null}>
        <OpenOverlay overlay={overlay} />
      </Suspense>
    </ErrorBoundary>
  );
}

function OpenOverlay({ overlay }: { overlay: Overlay }) {
  switch (overlay.kind) {
    case "none":
      return null;
    case "menu":
      return <MenuOverlay onClose={closeOverlay} />;
    case "search":
      return <SearchOverlay onClose={closeOverlay} />;
    case "login":
      return <LoginModal next={overlay.next} isOver={overlay.over !== null} onClose={closeOverlay} />;
    case "lead":
      return <LeadModal {...overlay} onClose={closeOverlay} />;
  }
}

function useFirstVisit(): void {
  const { lang } = useI18n();
  useEffect(() => {
    document.documentElement.lang = lang;
  }, [lang]);
  useEffect(() => {
    void loadSession();
  }, []);
}
