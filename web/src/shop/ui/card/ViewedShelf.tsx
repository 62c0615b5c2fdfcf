import { useI18n } from "../../../i18n/i18n.tsx";
import { PropertyCard } from "./PropertyCard.tsx";
import { forgetViewed, type RecentHome } from "./recentlyViewed.ts";

/** The cards of homes looked at before, and the way to clear them. */
export function ViewedShelf({ homes }: { homes: readonly RecentHome[] }) {
  const { t } = useI18n();
  return (
    <section className="sec">
      <div className="wrap">
        <div className="sec-head">
          <h2>{t("ui.recently_viewed")}</h2>
          <button type="button" className="link-ink t-14 tap" onClick={forgetViewed}>
            {t("ui.clear_list")}
          </button>
        </div>
        <div className="homes rail">
          {homes.map((home) => (
            <PropertyCard key={home.id} home={home} />
          ))}
        </div>
      </div>
    </section>
  );
}
