import { Dialog } from "@base-ui/react/dialog";
import { useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import { enterTop } from "../ui/topDialog.ts";
import type { OverlayKind, OverlayProps } from "./Overlay.tsx";
import { FrameContext } from "./session.ts";

const CLASSES: Readonly<Record<OverlayKind, string>> = { centre: "w-over c", top: "w-over t", side: "w-over r" };

/** What an overlay is drawn with. */
export function DialogLayer({ kind, label, labelledBy, onClose, children }: OverlayProps) {
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
