import { Suspense } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { ErrorBoundary } from "../../ui/errorBoundary.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { toastFailure } from "../../ui/toastFailure.ts";
import type { GalleryItem } from "./galleryItems.ts";

const GalleryModal = lazyPart(async () => (await import("./GalleryModal.tsx")).default);

/** The item that is open, by its place, or all of them side by side. */
export type Opened = number | "all" | null;

interface GalleryLayerProps {
  title: string;
  items: readonly GalleryItem[];
  opened: Opened;
  onOpen: (opened: Opened) => void;
}

/** The gallery over the page, whose code comes when it is first opened. */
export function GalleryLayer({ title, items, opened, onOpen }: GalleryLayerProps) {
  const { t } = useI18n();
  if (opened === null) return null;
  const failed = (failure: unknown) => {
    toastFailure(failure, t, () => onOpen(opened));
    onOpen(null);
  };
  return (
    <ErrorBoundary onFailed={failed}>
      <Suspense fallback={null}>
        <GalleryModal title={title} items={items} first={opened} onClose={() => onOpen(null)} />
      </Suspense>
    </ErrorBoundary>
  );
}
