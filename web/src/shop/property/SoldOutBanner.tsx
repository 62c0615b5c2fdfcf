import type { PropertyPage } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { spaceAfter } from "../../i18n/sentences.ts";
import * as paths from "../../paths.ts";
import { Icon } from "../../ui/icon.tsx";
import { Link } from "../Link.tsx";

/** Calm words first, why nothing of it can be had, then where to go on. */
export function SoldOutBanner({ property }: { property: PropertyPage }) {
  const { t } = useI18n();
  const [title, words] = useReason(property);
  return (
    <div className="banner sold-out">
      <Icon name="info" size={20} />
      <div>
        <strong>{title}</strong>
        {spaceAfter(title)}
        {words}
        {spaceAfter(words)}
        <Link className="link" href={paths.search(property.region.canonical_name, { available: "true" })}>
          {t("property.see_free", { place: property.region.name })}
        </Link>
      </div>
    </div>
  );
}

/** Title and sentence of the state in which nothing can be booked. */
function useReason(property: PropertyPage): readonly [title: string, words: string] {
  const { t } = useI18n();
  const format = useFormat();
  if (property.state === "closed") return [t("property.closed_title"), t("property.closed_words")];
  if (property.state !== "paused") return [t("property.sold_out_title"), t("property.sold_out_words")];
  const day = property.reopens_on;
  const title = day === null ? t("property.paused_title") : t("property.paused_until", { date: format.date(day) });
  return [title, t("property.sold_out_words")];
}
