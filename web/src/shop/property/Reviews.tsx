import { useState } from "react";
import type { PropertyPage, Review } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { langOf } from "./langOf.ts";

const firstShown = 4;

/** What residents say: the number, its parts, and their words. */
export function Reviews({ property }: { property: PropertyPage }) {
  const { t } = useI18n();
  const format = useFormat();
  const [all, setAll] = useState(false);
  const { count, rating, parts, items } = property.reviews;
  if (count === 0 || rating === null) return null;
  const shown = all ? items : items.slice(0, firstShown);
  return (
    <section className="psec" id="reviews">
      <h2>{t("property.reviews")}</h2>
      <div className="rev-top">
        <div>
          <p className="rev-big num">{format.rating(rating)}</p>
          <p className="t-14 soft rev-count">
            {t("property.verified_reviews", { n: count, count: format.number(count) })}
          </p>
        </div>
        <div>
          {parts.map((part) => (
            <div className="meter" key={part.name}>
              <span>{part.name}</span>
              <span className="tr" aria-hidden="true">
                <i style={{ width: `${part.rating * 20}%` }} />
              </span>
              <span className="m num">{format.rating(part.rating)}</span>
            </div>
          ))}
        </div>
      </div>
      <div className="revs">
        {shown.map((review) => (
          <Resident key={`${review.author}-${review.stayed}`} {...{ property, review }} />
        ))}
      </div>
      {items.length > shown.length ? (
        <Button className="rev-more" onClick={() => setAll(true)}>
          {t("property.show_reviews", { n: items.length })}
        </Button>
      ) : null}
    </section>
  );
}

function Resident({ property, review }: { property: PropertyPage; review: Review }) {
  return (
    <article>
      <div className="row g12">
        <span className="avatar" aria-hidden="true">
          {review.author
            .split(/\s+/)
            .map((word) => word[0])
            .join("")
            .slice(0, 2)}
        </span>
        <div>
          <p className="m rev-name">{review.author}</p>
          {review.course ? (
            <p className="t-14 muted" lang={langOf(property, review.course)}>
              {review.course}
            </p>
          ) : null}
        </div>
      </div>
      <p className="row t-14 muted rev-stars">
        <Stars rating={review.rating} />
        {review.stayed}
      </p>
      <p className="soft" lang={langOf(property, review.text)}>
        {review.text}
      </p>
    </article>
  );
}

function Stars({ rating }: { rating: number }) {
  const { t } = useI18n();
  return (
    <span className="row stars" role="img" aria-label={t("property.stars", { n: rating })}>
      {[1, 2, 3, 4, 5].map((n) => (
        <Icon key={n} name="star" size={16} className={`i-fill ${n <= Math.round(rating) ? "star" : "star-off"}`} />
      ))}
    </span>
  );
}
