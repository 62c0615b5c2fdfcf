import { Suspense } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { ErrorBoundary } from "../../../ui/errorBoundary.tsx";
import { lazyPart } from "../../../ui/lazyPart.tsx";
import { forgetViewed, useRecentlyViewed } from "./recentlyViewed.ts";

// Nobody has viewed anything on a first visit: cards come when there is something to put on them.
const PropertyCard = lazyPart(async () => (await import("./PropertyCard.tsx")).PropertyCard);

/** Homes looked at in this browser; nothing where there are none. */
export function RecentlyViewed() {
  const { t } = useI18n();
  const homes = useRecentlyViewed();
  if (homes.length === 0) return null;
  return (
    <ErrorBoundary onFailed={() => undefined}>
      <Suspense fallback={null}>
        <section className="sec">
          <div className="wrap">
            <div className="sec-head">
              <h2>{t("ui.recently_viewed")}</h2>
              <button type="button" className="link-ink t-14 tap" onClick={forgetViewed}>
                {t("ui.clear_list")}
              </button>
            </div>
            <div className="homes rail">
              {homes.slice(0, 4).map((home) => (
                <PropertyCard key={home.id} home={home} />
              ))}
            </div>
          </div>
        </section>
      </Suspense>
    </ErrorBoundary>
  );
}
