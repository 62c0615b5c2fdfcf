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
            initialFocus={() => firstOf(popup.current, kind)}
            // Focus that was on nothing goes back to nothing: the body stands for its first link otherwise.
            finalFocus={() => (before instanceof HTMLElement && before !== document.body ? before : false)}
          >
            {children}
            <Opening kind={kind} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Fields in which a question is answered. */
const FIELDS = "input:not([type=hidden], :disabled), select:not(:disabled), textarea:not(:disabled)";

/** What is to be read or filled in first: what the dialog names, else the first field of a question; never the closing cross. */
function firstOf(box: HTMLElement | null, kind: OverlayKind): HTMLElement | null {
  const named = box?.querySelector<HTMLElement>("[data-first]");
  const checked = box?.querySelector<HTMLElement>("input[type=radio]:checked");
  const field = box?.querySelector<HTMLElement>(FIELDS);
  const isChosen = checked !== null && field?.getAttribute("type") === "radio";
  return named ?? (kind === "centre" ? (isChosen ? checked : field) : null) ?? box;
}

/**
 * Takes the keyboard in the moment the dialog opens: the library does so a frame later, and letters typed until then would be lost.
 * Fields that come later, with an act or an answer of the server, take it when they come, unless it is in another field by then.
 * Toasts that come while the dialog is open are drawn here, since what is outside is hidden from readers.
 */
function Opening({ kind }: { kind: OverlayKind }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = place.current?.parentElement ?? null;
    firstOf(box, kind)?.focus();
    if (box === null) return;
    const later = new MutationObserver(() => {
      const isIdle = document.activeElement === box || document.activeElement === document.body;
      if (isIdle) firstOf(box, kind)?.focus();
    });
    later.observe(box, { childList: true, subtree: true });
    return () => later.disconnect();
  }, [kind]);
  useEffect(() => (place.current ? enterTop(place.current) : undefined), []);
  return <div ref={place} />;
}
