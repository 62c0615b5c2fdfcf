import { type UIEvent, useRef, useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { Link } from "../../Link.tsx";
import { PictureView } from "../picture/PictureView.tsx";
import { CARD_PICTURES, listPictures, type Pictured } from "../picture/pictures.ts";

interface CardPicturesProps {
  home: Pictured & { name: string };
  href: string;
  eager: boolean;
}

/** A card in a grid of four, in a rail, in a list. */
const SIZES = "(min-width: 1024px) 300px, (min-width: 600px) 50vw, 100vw";

/**
 * The pictures of a card: a thumb swipes them, arrows turn them. All have their places from the start, and those behind the first
 * are loaded once somebody reaches for the card.
 */
export function CardPictures({ home, href, eager }: CardPicturesProps) {
  const [isWoken, setWoken] = useState(false);
  const [at, setAt] = useState(0);
  const row = useRef<HTMLAnchorElement>(null);
  const pictures = listPictures(home).slice(0, CARD_PICTURES);
  if (pictures.length === 0) return <BareGround name={home.name} />;
  const wake = () => setWoken(true);
  const turnTo = (next: number) => {
    const place = row.current?.children[next];
    if (place instanceof HTMLElement) row.current?.scrollTo({ left: place.offsetLeft, behavior: behaviour() });
  };
  const onScroll = ({ currentTarget: { scrollLeft, clientWidth } }: UIEvent) => {
    if (clientWidth > 0) setAt(Math.min(pictures.length - 1, Math.round(scrollLeft / clientWidth)));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pictures are loaded as somebody comes near, and nothing is acted on
    <div className="pic" onPointerEnter={wake} onTouchStart={wake} onFocus={wake}>
      {/* The card's name is its link; this one lies under the thumb. */}
      <Link ref={row} className="slides" href={href} tabIndex={-1} aria-hidden="true" onScroll={onScroll}>
        {pictures.map((picture, place) => (
          <span key={picture.path}>
            {place === 0 || isWoken ? (
              <PictureView picture={picture} sizes={SIZES} eager={place === 0 ? eager : true} />
            ) : null}
          </span>
        ))}
      </Link>
      {pictures.length > 1 ? <Turns name={home.name} at={at} count={pictures.length} turnTo={turnTo} /> : null}
    </div>
  );
}

const behaviour = () => (window.matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth");

/** Nothing is drawn in the place of a picture that nobody gave. */
function BareGround({ name }: { name: string }) {
  return (
    <div className="pic bare" aria-hidden="true">
      <span>{name}</span>
    </div>
  );
}

interface TurnsProps {
  name: string;
  at: number;
  count: number;
  turnTo: (next: number) => void;
}

/** Arrows, which rest at the ends and keep the focus there, and one dot a picture. */
function Turns({ name, at, count, turnTo }: TurnsProps) {
  const { t } = useI18n();
  const arrow = (step: number) => {
    const rests = at + step < 0 || at + step >= count;
    return {
      "aria-disabled": rests || undefined,
      tabIndex: rests ? -1 : undefined,
      onClick: () => (rests ? undefined : turnTo(at + step)),
      size: 20,
    } as const;
  };
  return (
    <>
      <IconButton icon="chev-l" className="on-photo turn" label={t("ui.previous_picture", { name })} {...arrow(-1)} />
      <IconButton icon="chev-r" className="on-photo turn" label={t("ui.next_picture", { name })} {...arrow(1)} />
      <div className="dots" aria-hidden="true">
        {["a", "b", "c", "d", "e"].slice(0, count).map((key, place) => (
          <i key={key} className={place === at ? "on" : undefined} />
        ))}
      </div>
    </>
  );
}
