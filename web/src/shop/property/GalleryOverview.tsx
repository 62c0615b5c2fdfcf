import { Icon } from "../../ui/icon.tsx";
import { PictureView } from "../ui/picture/PictureView.tsx";
import type { GalleryItem } from "./galleryItems.ts";
import { useItemWords } from "./itemWords.ts";

/** All of a kind side by side, the first one large, each with its words below. */
export function GalleryOverview({ items, onOpen }: { items: readonly GalleryItem[]; onOpen: (at: number) => void }) {
  const { opening, nameOf } = useItemWords();
  return (
    <ul className="gallery-all">
      {items.map((item, at) => (
        <li key={item.key}>
          <button
            type="button"
            className={item.kind === "plan" ? "plan" : undefined}
            data-item={at}
            aria-label={opening(item, at, items.length)}
            onClick={() => onOpen(at)}
          >
            {item.picture ? (
              <PictureView
                picture={item.picture}
                sizes={at === 0 ? "(min-width: 768px) 66vw, 100vw" : "(min-width: 768px) 33vw, 50vw"}
                eager={at < 5}
              />
            ) : (
              <span className="play-ground">
                <Icon name="video" size={32} />
              </span>
            )}
          </button>
          <p className="t-14 soft" aria-hidden="true">
            {nameOf(item)}
          </p>
        </li>
      ))}
    </ul>
  );
}
