import { Dialog } from "@base-ui/react/dialog";
import { type ReactNode, useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useI18n } from "../i18n/i18n.tsx";
import { enterTop } from "../ui/topDialog.ts";
import { Icon } from "./icon.tsx";
import { FrameContext } from "./session.ts";

/** `centre` for a question, `top` for the palette, `side` for a drawer. */
export type OverlayKind = "centre" | "top" | "side";

const CLASSES: Readonly<Record<OverlayKind, string>> = { centre: "w-over c", top: "w-over t", side: "w-over r" };

interface OverlayProps {
  kind: OverlayKind;
  /** What the dialog is, for readers; or the id of its heading. */
  label?: string;
  labelledBy?: string;
  onClose: () => void;
  children: ReactNode;
}

/** A modal layer: Escape and a press beside it close it, and focus goes back to where it came from. */
export function Overlay({ kind, label, labelledBy, onClose, children }: OverlayProps) {
  const frame = useContext(FrameContext);
  const popup = useRef<HTMLDivElement>(null);
  const [before] = useState(() => document.activeElement);
  return (
    <Dialog.Root open modal="trap-focus" onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal container={frame ?? undefined}>
        <Dialog.Backdrop className="w-scrim" />
        <Dialog.Viewport className={CLASSES[kind]}>
          <Dialog.Popup
            ref={popup}
            className="w-box"
            aria-label={label}
            aria-labelledby={labelledBy}
            aria-modal="true"
            initialFocus={() => firstOf(popup.current)}
            // Focus that was on nothing goes back to nothing: the body stands for its first link otherwise.
            finalFocus={() => (before instanceof HTMLElement && before !== document.body ? before : false)}
          >
            {children}
            <Opening />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The first thing to read or fill in, never the closing cross. */
function firstOf(box: HTMLElement | null): HTMLElement | null {
  return box?.querySelector<HTMLElement>("[data-first]") ?? box;
}

/**
 * Takes the keyboard in the moment the dialog opens: the library does so a frame later, and letters typed until then would be lost.
 * Toasts that come while the dialog is open are drawn here, since what is outside is hidden from readers.
 */
function Opening() {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => firstOf(place.current?.parentElement ?? null)?.focus(), []);
  useEffect(() => (place.current ? enterTop(place.current) : undefined), []);
  return <div ref={place} />;
}

export function CloseButton({ onClose }: { onClose: () => void }) {
  const { t } = useI18n();
  return (
    <button type="button" className="btn quiet sq sm" aria-label={t("workspace.close")} onClick={onClose}>
      <Icon name="x" size="s" />
    </button>
  );
}
