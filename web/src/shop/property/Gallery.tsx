import { Suspense, useState } from "react";
import type { PropertyPage } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { IconButton } from "../../ui/button.tsx";
import { ErrorBoundary } from "../../ui/errorBoundary.tsx";
import { Icon } from "../../ui/icon.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { toastFailure } from "../../ui/toastFailure.ts";
import { Heart } from "../ui/card/PropertyCard.tsx";
import { useShare } from "./TitleLine.tsx";

const GalleryModal = lazyPart(async () => (await import("./GalleryModal.tsx")).default);

/** One large picture and four small ones; all of them in a dialog. */
export function Gallery({ property }: { property: PropertyPage }) {
  const { t } = useI18n();
  const share = useShare(property.name);
  const [open, setOpen] = useState<number | null>(null);
  const { images } = property;
  const total = images.length;
  if (total === 0) return null;
  const failed = (failure: unknown) => {
    toastFailure(failure, t, () => setOpen(open));
    setOpen(null);
  };
  return (
    <div className={`gal gal-${Math.min(total, 5)}`}>
      {images.slice(0, 5).map((image, at) => (
        <button
          type="button"
          key={image.path}
          aria-label={t("property.open_picture", { n: at + 1, total, caption: image.caption })}
          onClick={() => setOpen(at)}
        >
          <img src={image.path} alt="" width={800} height={600} fetchPriority={at === 0 ? "high" : "auto"} />
        </button>
      ))}
      <button type="button" className="btn all" onClick={() => setOpen(0)}>
        <Icon name="grid" size={20} />
        <span className="only-wide">{t("property.all_pictures", { n: total })}</span>
        <span className="only-narrow num">1 / {total}</span>
      </button>
      <div className="gal-acts only-narrow">
        <IconButton icon="share" label={t("property.share")} className="on-photo" onClick={share} />
        <Heart id={property.id} name={property.name} />
      </div>
      {open === null ? null : (
        <ErrorBoundary onFailed={failed}>
          <Suspense fallback={null}>
            <GalleryModal property={property} first={open} onClose={() => setOpen(null)} />
          </Suspense>
        </ErrorBoundary>
      )}
    </div>
  );
}
