import { type ReactNode, useEffect, useRef } from "react";
import { useI18n } from "../i18n/i18n.tsx";
import { enterTop } from "../ui/topDialog.ts";
import { Icon } from "./icon.tsx";

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

/** A modal layer. The browser's own dialog makes the rest inert, answers Escape and gives focus back. */
export function Overlay({ kind, label, labelledBy, onClose, children }: OverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    const leaveTop = element ? enterTop(element) : null;
    // The first thing to read or fill in, never the closing cross.
    const first = element?.querySelector<HTMLElement>("[data-first]") ?? element;
    first?.focus();
    return () => {
      leaveTop?.();
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way out, through onCancel
    <dialog
      ref={dialog}
      tabIndex={-1}
      className={CLASSES[kind]}
      aria-label={label}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {children}
    </dialog>
  );
}

export function CloseButton({ onClose }: { onClose: () => void }) {
  const { t } = useI18n();
  return (
    <button type="button" className="btn quiet sq sm" aria-label={t("workspace.close")} onClick={onClose}>
      <Icon name="x" size="s" />
    </button>
  );
}
