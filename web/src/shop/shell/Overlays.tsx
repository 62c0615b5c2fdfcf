import { Suspense, useEffect } from "react";
import { loadAreas } from "../../i18n/catalogue.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { Area } from "../../i18n/keys.ts";
import { ErrorBoundary } from "../../ui/errorBoundary.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { toastFailure } from "../../ui/toastFailure.ts";
import { loadSession } from "../session.ts";
import { MirrorPart } from "../ui/MirrorAsk.tsx";
import { closeOverlay, openAgain, openLogin, useOverlay } from "../ui/overlays.ts";

const language = () => (typeof document === "undefined" ? "en" : document.documentElement.lang);

// A dialog's texts come with its code, so that it never shows a bare key.
async function withTexts<P>(module: Promise<{ default: P }>, areas: Area[]): Promise<P> {
  const [loaded] = await Promise.all([
    module,
    import("../../ui/moreIcons.ts"),
    loadAreas(language() === "zh" ? "zh" : "en", areas),
  ]);
  return loaded.default;
}

const LeadModal = lazyPart(() => withTexts(import("../lead/LeadModal.tsx"), ["lead", "change"]));
const LoginModal = lazyPart(() => withTexts(import("../login/LoginModal.tsx"), ["login"]));
const MenuOverlay = lazyPart(async () => (await import("./MenuOverlay.tsx")).default);
const SearchOverlay = lazyPart(async () => (await import("./SearchOverlay.tsx")).default);

/** Draws the overlay that is open; each brings its own chunk when it is first opened. One that cannot open says so and is gone. */
export function Overlays() {
  const { t } = useI18n();
  const overlay = useOverlay();
  useFirstVisit();
  // A dialog makes the page under it unreachable: the enquiry's shows the mirror itself.
  const mirror = overlay.kind === "lead" ? null : <MirrorPart />;
  if (overlay.kind === "none") return mirror;
  const onFailed = (failure: unknown) => {
    toastFailure(failure, t, () => openAgain(overlay));
    closeOverlay();
  };
  return (
    <>
      {mirror}
      <ErrorBoundary key={overlay.kind} onFailed={onFailed}>
        <Suspense fallback={null}>
          <OpenOverlay />
        </Suspense>
      </ErrorBoundary>
    </>
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
