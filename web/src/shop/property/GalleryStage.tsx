import { useEffect, useRef } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PictureView } from "../ui/picture/PictureView.tsx";
import type { GalleryItem } from "./galleryItems.ts";
import { useItemWords } from "./itemWords.ts";
import { RecordingStage } from "./RecordingStage.tsx";

interface GalleryStageProps {
  items: readonly GalleryItem[];
  at: number;
  onTurn: (step: number) => void;
  onOpen: (at: number) => void;
}

/** One picture, plan or recording, with its words, its place among the others, and all of them in a strip. */
export function GalleryStage({ items, at, onTurn, onOpen }: GalleryStageProps) {
  const { t } = useI18n();
  const { nameOf } = useItemWords();
  const swipe = useSwipe(onTurn);
  const item = items[at] ?? items[0];
  if (!item) return null;
  const turns = items.length > 1;
  return (
    <>
      <figure className="gallery-stage" data-stage tabIndex={-1} {...swipe}>
        {turns ? (
          <IconButton icon="chev-l" label={t("property.previous")} className="on-photo" onClick={() => onTurn(-1)} />
        ) : null}
        {item.picture ? (
          <PictureView
            key={item.key}
            picture={item.picture}
            sizes="100vw"
            alt={item.picture.alt || nameOf(item)}
            eager
          />
        ) : null}
        {item.recording ? <RecordingStage key={item.key} recording={item.recording} name={nameOf(item)} /> : null}
        {turns ? (
          <IconButton icon="chev-r" label={t("property.next")} className="on-photo" onClick={() => onTurn(1)} />
        ) : null}
      </figure>
      <p className="gallery-words" aria-live="polite">
        <span>{nameOf(item)}</span>
        <span className="num">
          {items.indexOf(item) + 1} / {items.length}
        </span>
      </p>
      {turns ? <Strip items={items} at={at} onOpen={onOpen} /> : null}
    </>
  );
}

function Strip({ items, at, onOpen }: Pick<GalleryStageProps, "items" | "at" | "onOpen">) {
  const { opening } = useItemWords();
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [strip, small] = [row.current, row.current?.children[at]];
    if (strip && small instanceof HTMLElement)
      strip.scrollLeft = small.offsetLeft - (strip.clientWidth - small.clientWidth) / 2;
  }, [at]);
  return (
    <div className="gallery-strip" ref={row}>
      {items.map((item, place) => (
        <button
          type="button"
          key={item.key}
          aria-label={opening(item, place, items.length)}
          aria-current={place === at || undefined}
          onClick={() => onOpen(place)}
        >
          {item.picture ? (
            <PictureView picture={item.picture} sizes="88px" />
          ) : (
            <span className="play-ground">
              <Icon name="video" />
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

/** The way of a thumb, in pixels, that turns a picture. */
const SWIPE = 48;

function useSwipe(turn: (step: number) => void) {
  const from = useRef<number | null>(null);
  return {
    onPointerDown: (event: { clientX: number }) => {
      from.current = event.clientX;
    },
    onPointerUp: (event: { clientX: number }) => {
      const moved = from.current === null ? 0 : event.clientX - from.current;
      from.current = null;
      if (Math.abs(moved) > SWIPE) turn(moved < 0 ? 1 : -1);
    },
    // The page was scrolled, or a second thumb came: it was no swipe.
    onPointerCancel: () => {
      from.current = null;
    },
  };
}
