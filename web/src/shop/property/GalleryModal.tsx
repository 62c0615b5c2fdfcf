import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { useModal } from "../ui/dialog.tsx";
import "../styles/dialog.css";
import "./gallery.css";
import { GalleryOverview } from "./GalleryOverview.tsx";
import { GalleryStage } from "./GalleryStage.tsx";
import { type GalleryItem, listKinds } from "./galleryItems.ts";
import { useItemWords } from "./itemWords.ts";

interface GalleryModalProps {
  title: string;
  items: readonly GalleryItem[];
  first: number | "all";
  onClose: () => void;
}

/** All there is to see, by kind: side by side, and one at a time, where arrow keys and swipes turn them. */
export default function GalleryModal({ title, items, first, onClose }: GalleryModalProps) {
  const { t } = useI18n();
  const { element, closing, close } = useModal({ onClose });
  const [kind, setKind] = useState("all");
  const [at, setAt] = useState(first);
  const kinds = listKinds(items);
  const shown = items.filter((item) => kind === "all" || item.kind === kind);
  useKeptFocus(element, at);
  const turn = (step: number) => setAt((was) => (was === "all" ? was : (was + step + shown.length) % shown.length));
  const choose = (next: string) => {
    setKind(next);
    setAt((was) => (was === "all" ? was : 0));
  };
  return (
    <dialog
      ref={element}
      className={`modal modal-screen gallery${closing ? " closing" : ""}`}
      aria-label={title}
      onKeyDown={(event) => turnByKey(event, turn)}
    >
      <div className="dialog">
        <div className="gallery-head">
          {at === "all" || items.length < 2 ? null : (
            <IconButton icon="grid" label={t("property.show_all")} onClick={() => setAt("all")} />
          )}
          <KindChips kinds={kinds} kind={kind} onChoose={choose} />
          <IconButton icon="x" label={t("ui.close")} onClick={close} />
        </div>
        {at === "all" ? (
          <GalleryOverview items={shown} onOpen={setAt} />
        ) : (
          <GalleryStage items={shown} at={at} onTurn={turn} onOpen={setAt} />
        )}
      </div>
    </dialog>
  );
}

function turnByKey(event: KeyboardEvent, turn: (step: number) => void): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  turn(step);
}

/** The focus stays in the gallery when what was pressed goes, and comes back to the picture it went in by. */
function useKeptFocus(dialog: RefObject<HTMLDialogElement | null>, at: number | "all"): void {
  const last = useRef(at);
  useEffect(() => {
    const from = last.current;
    last.current = at;
    const inside = dialog.current;
    if (!inside || inside.contains(document.activeElement)) return;
    const home = at === "all" ? `[data-item="${from}"]` : "[data-stage]";
    (inside.querySelector<HTMLElement>(home) ?? inside).focus();
  }, [dialog, at]);
}

interface KindChipsProps {
  kinds: readonly { kind: string; count: number }[];
  kind: string;
  onChoose: (kind: string) => void;
}

function KindChips({ kinds, kind, onChoose }: KindChipsProps) {
  const { kindWords } = useItemWords();
  return (
    <div className="hscroll">
      {kinds.map(({ kind: name, count }) => (
        <Chip key={name} on={name === kind} count={count} onPress={() => onChoose(name)}>
          {kindWords(name)}
        </Chip>
      ))}
    </div>
  );
}
