import { useEffect, useState } from "react";
import type { PropertyPage } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import { hasLocation } from "./point.ts";

/** The sections of the page; the one being read is marked. */
export function AnchorNav({ property }: { property: PropertyPage }) {
  const { t } = useI18n();
  const sections: [string, MessageKey, boolean][] = [
    ["overview", "property.overview", hasOverview(property)],
    ["rooms", "property.rooms", property.room_types.length > 0],
    ["amenities", "property.amenities", property.features.length > 0],
    ["trends", "property.price_trends", property.price_trends.some(({ points }) => points.length > 1)],
    ["reviews", "property.reviews", property.reviews.count > 0],
    ["location", "property.location", hasLocation(property)],
    ["faq", "property.faq", property.faqs.length > 0],
  ];
  const shown = sections.filter(([, , there]) => there);
  const current = useCurrent(shown.map(([id]) => id));
  return (
    <div className="anch">
      <nav className="tabs" aria-label={t("property.on_this_page")}>
        {shown.map(([id, key]) => (
          <a key={id} href={`#${id}`} aria-current={id === current ? "true" : undefined}>
            {t(key)}
          </a>
        ))}
      </nav>
    </div>
  );
}

/** Whether anything is said of the home as a whole. */
export function hasOverview({ facts, description, provider_checked_on }: PropertyPage): boolean {
  return facts.length > 0 || description !== "" || provider_checked_on !== null;
}

// The last section whose head has passed below the bars; the first one at the top of the page.
function useCurrent(ids: readonly string[]): string {
  const [current, setCurrent] = useState(ids[0] ?? "");
  const all = ids.join(" ");
  useEffect(() => {
    const passedAt = 200;
    const look = () => {
      const passed = all
        .split(" ")
        .filter(
          (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) < passedAt,
        );
      setCurrent(passed.at(-1) ?? all.split(" ")[0] ?? "");
    };
    look();
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, [all]);
  return current;
}
