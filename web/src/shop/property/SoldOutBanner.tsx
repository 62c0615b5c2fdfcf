import type { PropertyPage } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import * as paths from "../../paths.ts";
import { Icon } from "../../ui/icon.tsx";
import { Link } from "../Link.tsx";

/** Calm words first, then where to go on. */
export function SoldOutBanner({ property }: { property: PropertyPage }) {
  const { t } = useI18n();
  return (
    <div className="banner sold-out">
      <Icon name="info" size={20} />
      <div>
        <strong>{t("property.sold_out_title")}</strong> {t("property.sold_out_words")}{" "}
        <Link className="link" href={paths.search(property.region.canonical_name, { available: "true" })}>
          {t("property.see_free", { place: property.region.name })}
        </Link>
      </div>
    </div>
  );
}
