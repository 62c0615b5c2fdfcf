import type { PropertyPage } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import * as paths from "../../paths.ts";
import { Icon } from "../../ui/icon.tsx";
import { Link } from "../Link.tsx";

/** Calm words first, why nothing of it can be had, then where to go on. */
export function SoldOutBanner({ property }: { property: PropertyPage }) {
  const { t } = useI18n();
  return (
    <div className="banner sold-out">
      <Icon name="info" size={20} />
      <div>
        <Reason property={property} />{" "}
        <Link className="link" href={paths.search(property.region.canonical_name, { available: "true" })}>
          {t("property.see_free", { place: property.region.name })}
        </Link>
      </div>
    </div>
  );
}

function Reason({ property }: { property: PropertyPage }) {
  const { t } = useI18n();
  const format = useFormat();
  if (property.state === "closed") {
    return (
      <>
        <strong>{t("property.closed_title")}</strong> {t("property.closed_words")}
      </>
    );
  }
  if (property.state === "paused") {
    const day = property.reopens_on;
    return (
      <>
        <strong>
          {day === null ? t("property.paused_title") : t("property.paused_until", { date: format.date(day) })}
        </strong>{" "}
        {t("property.sold_out_words")}
      </>
    );
  }
  return (
    <>
      <strong>{t("property.sold_out_title")}</strong> {t("property.sold_out_words")}
    </>
  );
}
