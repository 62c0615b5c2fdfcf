import { type ComponentType, type ReactNode, Suspense, useState } from "react";
import { useI18n } from "../i18n/i18n.tsx";
import { lazyPart } from "../ui/lazyPart.tsx";
import { Icon } from "./icon.tsx";

/** `centre` for a question, `top` for the palette, `side` for a drawer. */
export type OverlayKind = "centre" | "top" | "side";

export interface OverlayProps {
  kind: OverlayKind;
  /** What the dialog is, for readers; or the id of its heading. */
  label?: string;
  labelledBy?: string;
  onClose: () => void;
  children: ReactNode;
}

type Layer = ComponentType<OverlayProps>;

let fetched: Layer | null = null;

async function fetchLayer(): Promise<Layer> {
  const { DialogLayer } = await import("./DialogLayer.tsx");
  fetched = DialogLayer;
  return DialogLayer;
}

/** Fetches what dialogs are drawn with, after the first page: the first load goes without it. */
export function fetchDialogs(): void {
  // Without it the first dialog asks again.
  fetchLayer().catch(() => undefined);
}

const LayerComing = lazyPart(fetchLayer);

/** A modal layer: Escape and a press beside it close it, and focus goes back to where it came from. */
export function Overlay(props: OverlayProps) {
  // Chosen once: a dialog that changed its layer would lose what was typed.
  const [Layer] = useState(() => fetched ?? LayerComing);
  return (
    <Suspense>
      <Layer {...props} />
    </Suspense>
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
