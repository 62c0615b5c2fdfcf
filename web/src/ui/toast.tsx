import { useEffect, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { useI18n } from "../i18n/i18n.tsx";
import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";
import type { WayOn } from "./loadTrouble.ts";
import { useTopDialog } from "./topDialog.ts";

/** `away`: the server could not be reached, which is over soon. */
type ToastKind = "success" | "info" | "away" | "error";

interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
  detail: string | null;
  /** What can be done about it. */
  wayOn: WayOn | null;
}

/** Spec §2 and D29: all go by themselves but errors, which stay until closed. */
const toastMs = 3000;

const icons = { success: "ok", info: "info", away: "alert", error: "alert" } as const;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const none: readonly Toast[] = [];

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

interface ToastOptions {
  detail?: string;
  wayOn?: WayOn;
}

/** Says that something was done. Errors of a form stay beside the form instead. Answers how to take it away. */
export function toast(text: string, kind: ToastKind = "success", options: ToastOptions = {}): () => void {
  lastId += 1;
  const id = lastId;
  change([...toasts.slice(-2), { id, kind, text, detail: options.detail ?? null, wayOn: options.wayOn ?? null }]);
  return () => dismiss(id);
}

/** Takes all away: one test's words are not the next one's. */
export function clearToasts(): void {
  change([]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The corner where toasts appear: once per page, in the frame, and within the topmost dialog while one is open. */
export function Toasts() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  );
  const dialog = useTopDialog();
  const lines = (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((one) => (
        <ToastLine key={one.id} {...one} />
      ))}
    </div>
  );
  return dialog && shown.length > 0 ? createPortal(lines, dialog) : lines;
}

function ToastLine({ id, kind, text, detail, wayOn }: Toast) {
  const { t } = useI18n();
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held || kind === "error") return;
    const timer = window.setTimeout(() => dismiss(id), toastMs);
    return () => window.clearTimeout(timer);
  }, [held, id, kind]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only keeps the message; it does nothing else
    <div
      className="toast"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={icons[kind]} size={20} />
      <span>
        {text}
        {detail ? <span className="toast-detail">{detail}</span> : null}
      </span>
      {wayOn ? (
        <button type="button" className="toast-act" onClick={() => followWay(id, wayOn)}>
          {wayOn.label}
        </button>
      ) : null}
      <IconButton icon="x" size={16} label={t("ui.dismiss")} onClick={() => dismiss(id)} />
    </div>
  );
}

function followWay(id: number, { act }: WayOn): void {
  dismiss(id);
  act();
}

function dismiss(id: number): void {
  change(toasts.filter((one) => one.id !== id));
}
