import { useState } from "react";
import type { PropertyPage } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Heart } from "../ui/card/PropertyCard.tsx";
import { PictureView } from "../ui/picture/PictureView.tsx";
import { GalleryLayer, type Opened } from "./GalleryLayer.tsx";
import { type GalleryItem, listGallery, pickTiles } from "./galleryItems.ts";
import { useItemWords } from "./itemWords.ts";
import { useShare } from "./TitleLine.tsx";

const LARGE = "(min-width: 1024px) 600px, 100vw";
const SMALL = "300px";

/** One large picture and four small ones; all of them in a dialog. */
export function Gallery({ property }: { property: PropertyPage }) {
  const { t } = useI18n();
  const { opening } = useItemWords();
  const [opened, setOpened] = useState<Opened>(null);
  const items = listGallery(property);
  const total = items.length;
  // The page's own words stand alone: nothing is drawn for a home that nobody has pictures of.
  if (total === 0) return <Acts property={property} className="gal-none" />;
  const isDrawn = items.every(({ picture }) => picture?.isDrawn);
  const { name } = property;
  return (
    <div className={`gal gal-${Math.min(total, 5)}`}>
      {pickTiles(items).map((item, place) => (
        <button
          type="button"
          key={item.key}
          className={item.kind === "plan" ? "tile plan" : "tile"}
          aria-label={opening(item, items.indexOf(item), total)}
          onClick={() => setOpened(items.indexOf(item))}
        >
          <Tile item={item} isLarge={place === 0} />
        </button>
      ))}
      <button type="button" className="btn all" onClick={() => setOpened("all")}>
        <Icon name="grid" size={20} />
        <span className="only-wide">{t(isDrawn ? "property.all_pictures" : "property.all_items", { n: total })}</span>
        <span className="only-narrow num">1 / {total}</span>
      </button>
      <Acts property={property} className="gal-acts" />
      <GalleryLayer
        title={t(isDrawn ? "property.pictures_of" : "property.photos_of", { name })}
        {...{ items, opened }}
        onOpen={setOpened}
      />
    </div>
  );
}

function Tile({ item, isLarge }: { item: GalleryItem; isLarge: boolean }) {
  const { nameOf } = useItemWords();
  return (
    <>
      {item.picture ? (
        <PictureView picture={item.picture} sizes={isLarge ? LARGE : SMALL} eager={isLarge ? "high" : true} />
      ) : (
        <span className="play-ground">
          <Icon name="video" />
        </span>
      )}
      {/* A drawing bears its word where the label would lie. */}
      {item.picture?.isDrawn ? null : <span className="gal-says">{nameOf(item)}</span>}
    </>
  );
}

/** On a phone they stand on the picture, where the title line has no room for them. */
function Acts({ property, className }: { property: PropertyPage; className: string }) {
  const { t } = useI18n();
  const share = useShare(property.name);
  return (
    <div className={`${className} only-narrow`}>
      <IconButton icon="share" label={t("property.share")} className="on-photo" onClick={share} />
      <Heart id={property.id} name={property.name} />
    </div>
  );
}
