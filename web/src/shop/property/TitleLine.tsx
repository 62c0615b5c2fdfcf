import type { PropertyPage } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../../ui/icon.tsx";
import { toast } from "../../ui/toast.tsx";
import { usePressHeart } from "../ui/card/PropertyCard.tsx";
import { useShortlist } from "../ui/card/shortlist.ts";
import { Rating } from "../ui/price.tsx";
import { hasLocation } from "./point.ts";

/** Name, rating, address; share and shortlist. */
export function TitleLine({ property }: { property: PropertyPage }) {
  const { t } = useI18n();
  const { name, reviews, address } = property;
  return (
    <div className="row between row-top wrapx title-line">
      <div>
        <h1>{name}</h1>
        <p className="row wrapx soft title-facts">
          {reviews.rating === null ? null : (
            <>
              <Rating rating={reviews.rating} />
              <a className="link-ink t-14" href="#reviews">
                {t("property.reviews_n", { n: reviews.count })}
              </a>
              <span className="muted only-wide" aria-hidden="true">
                ·
              </span>
            </>
          )}
          {hasLocation(property) ? (
            <a className="link-ink t-14" href="#location">
              {address}
            </a>
          ) : (
            <span className="t-14">{address}</span>
          )}
        </p>
      </div>
      <div className="row only-wide title-acts">
        <ShareButton name={name} />
        <ShortlistButton id={property.id} name={name} />
      </div>
    </div>
  );
}

function ShareButton({ name }: { name: string }) {
  const { t } = useI18n();
  const share = useShare(name);
  return (
    <button type="button" className="btn btn-plain" onClick={share}>
      <Icon name="share" size={20} />
      {t("property.share")}
    </button>
  );
}

/** The system's share sheet where there is one, else the address on the clipboard. */
export function useShare(name: string): () => void {
  const { t } = useI18n();
  return () => {
    const url = location.origin + location.pathname;
    if (typeof navigator.share === "function") {
      navigator.share({ title: name, url }).catch(() => undefined);
      return;
    }
    navigator.clipboard?.writeText(url).then(
      () => toast(t("property.link_copied")),
      () => toast(url, "info"),
    );
  };
}

function ShortlistButton({ id, name }: { id: string; name: string }) {
  const { t } = useI18n();
  const on = useShortlist().has(id);
  const press = usePressHeart(id);
  return (
    <button
      type="button"
      className={`btn btn-plain save${on ? " on" : ""}`}
      aria-pressed={on}
      aria-label={t("ui.shortlist_name", { name })}
      onClick={press}
    >
      <Icon name="heart" size={20} />
      {t(on ? "property.shortlisted" : "property.shortlist")}
    </button>
  );
}
