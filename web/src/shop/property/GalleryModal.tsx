import { type KeyboardEvent, useRef, useState } from "react";
import type { PropertyPage } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { useModal } from "../ui/dialog.tsx";
import "../styles/dialog.css";

/** All pictures, by kind; arrow keys and swipes turn them. */
export default function GalleryModal({
  property,
  first,
  onClose,
}: {
  property: PropertyPage;
  first: number;
  onClose: () => void;
}) {
  const { t } = useI18n();
  const { element, closing, close } = useModal({ onClose });
  const [kind, setKind] = useState("all");
  const [at, setAt] = useState(first);
  const kinds = ["all", ...new Set(property.images.map((image) => image.kind))];
  const images = property.images.filter((image) => kind === "all" || image.kind === kind);
  const image = images[at] ?? images[0];
  const turn = (step: number) => setAt((was) => (was + step + images.length) % images.length);
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    turn(step);
  };
  const swipe = useSwipe(turn);
  const choose = (next: string) => {
    setKind(next);
    setAt(0);
  };
  if (!image) return null;
  return (
    <dialog
      ref={element}
      className={`modal modal-screen gallery${closing ? " closing" : ""}`}
      aria-label={t("property.pictures_of", { name: property.name })}
      onKeyDown={onKey}
    >
      <div className="dialog">
        <div className="gallery-head">
          <KindChips kinds={kinds} kind={kind} onChoose={choose} />
          <IconButton icon="x" label={t("ui.close")} onClick={close} />
        </div>
        <figure className="gallery-stage" {...swipe}>
          <IconButton icon="chev-l" label={t("property.previous")} className="on-photo" onClick={() => turn(-1)} />
          <img key={image.path} src={image.path} alt={image.caption} />
          <IconButton icon="chev-r" label={t("property.next")} className="on-photo" onClick={() => turn(1)} />
        </figure>
        <p className="gallery-words" aria-live="polite">
          <span>{image.caption}</span>
          <span className="num">
            {Math.min(at, images.length - 1) + 1} / {images.length}
          </span>
        </p>
        <div className="gallery-strip">
          {images.map((small, index) => (
            <button
              type="button"
              key={small.path}
              aria-label={t("property.open_picture", { n: index + 1, total: images.length, caption: small.caption })}
              aria-current={index === at || undefined}
              onClick={() => setAt(index)}
            >
              <img src={small.path} alt="" loading="lazy" />
            </button>
          ))}
        </div>
      </div>
    </dialog>
  );
}

function KindChips({
  kinds,
  kind,
  onChoose,
}: {
  kinds: readonly string[];
  kind: string;
  onChoose: (kind: string) => void;
}) {
  const { tData } = useI18n();
  return (
    <div className="hscroll">
      {kinds.map((name) => {
        const key = `property.kind_${name}`;
        const words = tData(key);
        return (
          <Chip key={name} on={name === kind} onPress={() => onChoose(name)}>
            {words === key ? name.replaceAll("_", " ") : words}
          </Chip>
        );
      })}
    </div>
  );
}

function useSwipe(turn: (step: number) => void) {
  const from = useRef<number | null>(null);
  return {
    onPointerDown: (event: { clientX: number }) => {
      from.current = event.clientX;
    },
    onPointerUp: (event: { clientX: number }) => {
      const moved = from.current === null ? 0 : event.clientX - from.current;
      from.current = null;
      if (Math.abs(moved) > 48) turn(moved < 0 ? 1 : -1);
    },
  };
}
