import "../../styles/card.css";
import type { ReactNode } from "react";
import type { Badge, InventoryCard } from "../../../contract/wire.ts";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import type { MessageKey } from "../../../i18n/keys.ts";
import * as paths from "../../../paths.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useRoomKind } from "../../../ui/roomKind.ts";
import { toast } from "../../../ui/toast.tsx";
import { Link } from "../../Link.tsx";
import { openLogin } from "../overlays.ts";
import type { Pictured } from "../picture/pictures.ts";
import { PriceTag, Rating } from "../price.tsx";
import { shutWords } from "../shutWords.ts";
import { CardPictures } from "./CardPictures.tsx";
import { toggleShortlist, useShortlist } from "./shortlist.ts";
import { useTravelText } from "./travel.ts";

type CardData = Pick<
  InventoryCard,
  "id" | "name" | "canonical_name" | "available" | "price" | "images" | "badges" | "reviews_rating" | "reviews_count"
> &
  Pick<Pictured, "photos"> &
  Partial<Pick<InventoryCard, "walking" | "transit" | "distance_m" | "room_kinds" | "rooms_left" | "state">>;

interface PropertyCardProps {
  home: CardData;
  /** What distances are measured to: a university or a centre. */
  landmark?: string | null;
  /** Where the home is, in the place of a distance: on pages of a country or state. */
  city?: string | null;
  /** Its pin is being looked at. */
  hot?: boolean;
  onHover?: (id: string | null) => void;
  /** In the first screenful: its picture is not lazy. */
  eager?: boolean;
  /** Its heading's place in the page's outline. */
  level?: 2 | 3;
}

/** A home in a list: pictures, name, one distance, one availability fact, price. The whole card is one link. */
export function PropertyCard({
  home,
  landmark = null,
  city = null,
  hot = false,
  onHover,
  eager = false,
  level = 3,
}: PropertyCardProps) {
  const href = paths.property(home.canonical_name);
  const Name = level === 2 ? "h2" : "h3";
  return (
    <article
      className={`pcard${hot ? " hot" : ""}${home.available ? "" : " sold"}`}
      data-home={home.id}
      onMouseEnter={() => onHover?.(home.id)}
      onMouseLeave={() => onHover?.(null)}
      onFocus={() => onHover?.(home.id)}
    >
      <CardPictures home={home} href={href} eager={eager} />
      <Badges home={home} />
      <Heart id={home.id} name={home.name} />
      <div className="body">
        <div className="row between">
          <Name className="pname clip">
            <Link href={href}>{home.name}</Link>
          </Name>
          {home.reviews_rating === null ? null : <Rating rating={home.reviews_rating} count={home.reviews_count} />}
        </div>
        <CardFacts home={home} landmark={landmark} city={city} />
        {home.available ? <PriceTag price={home.price} from /> : home.state === "closed" ? null : <WaitlistLine />}
      </div>
    </article>
  );
}

function WaitlistLine() {
  const { t } = useI18n();
  return <p className="price act">{t("ui.join_waitlist")}</p>;
}

function CardFacts({ home, landmark, city }: { home: CardData; landmark: string | null; city: string | null }) {
  const travel = useTravelText();
  const { t } = useI18n();
  const roomKind = useRoomKind();
  const way = city ? { icon: "pin" as const, text: city } : travel(home, landmark);
  const kinds = (home.room_kinds ?? []).slice(0, 2).map(roomKind).join(t("ui.and"));
  const left = home.available && home.rooms_left ? t("ui.rooms_left", { n: home.rooms_left }) : null;
  const fact = [kinds, left].filter(Boolean).join(t("ui.comma"));
  return (
    <>
      {way ? <Meta icon={way.icon}>{way.text}</Meta> : null}
      {fact ? <p className="meta clip">{fact}</p> : null}
    </>
  );
}

function Meta({ icon, children }: { icon: "walk" | "bus" | "pin"; children: ReactNode }) {
  return (
    <p className="meta">
      <Icon name={icon} size={16} />
      <span className="clip">{children}</span>
    </p>
  );
}

const badgeTexts: Record<Exclude<Badge["kind"], "cashback">, MessageKey> = {
  top_rated: "ui.badge_top_rated",
  filling_fast: "ui.badge_filling_fast",
  property_of_the_day: "ui.badge_property_of_the_day",
  exclusive: "ui.badge_exclusive",
  students_choice: "ui.badge_students_choice",
  immediate_move_in: "ui.badge_immediate_move_in",
  breakfast_included: "ui.badge_breakfast_included",
};

function Badges({ home }: { home: CardData }) {
  const { t } = useI18n();
  const format = useFormat();
  if (!home.available) {
    return (
      <div className="badges">
        <span className="badge">{t(shutWords(home.state))}</span>
      </div>
    );
  }
  return (
    <div className="badges">
      {home.badges.slice(0, 2).map((badge) => (
        <span key={badge.kind} className={`badge ${badge.kind === "cashback" ? "badge-amber" : "badge-white"}`}>
          {badge.kind === "cashback"
            ? t("ui.badge_cashback", { value: format.money(badge.value.amount_minor, badge.value) })
            : t(badgeTexts[badge.kind])}
        </span>
      ))}
    </div>
  );
}

/** The shortlist button of one home, wherever it stands. */
export function Heart({ id, name }: { id: string; name: string }) {
  const { t } = useI18n();
  const on = useShortlist().has(id);
  const press = usePressHeart(id);
  return (
    <IconButton
      icon="heart"
      size={20}
      className={`on-photo heart${on ? " on" : ""}`}
      aria-pressed={on}
      label={t("ui.shortlist_name", { name })}
      onClick={press}
    />
  );
}

/** Adds or removes a home, says so, and asks visitors to log in so that the list outlives this browser. */
export function usePressHeart(id: string): () => void {
  const { t } = useI18n();
  return () => {
    void toggleShortlist(id).then((outcome) => {
      if (outcome === "login") openLogin();
      else if (outcome === "failed") toast(t("ui.shortlist_failed"), "error");
      else toast(t(outcome === "added" ? "ui.shortlist_added" : "ui.shortlist_removed"));
    });
  };
}
