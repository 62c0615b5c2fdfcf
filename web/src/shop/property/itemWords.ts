import { useI18n } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import type { GalleryItem } from "./galleryItems.ts";

/** The names of things in a gallery, in the reader's language. */
export function useItemWords() {
  const { t, tData } = useI18n();
  const kindWords = (kind: string): string => {
    const key = `property.kind_${kind || "photo"}`;
    const words = tData(key);
    return words === key ? kind.replaceAll("_", " ") : words;
  };
  /** Its caption, else what kind of thing it is. */
  const nameOf = ({ caption, kind }: GalleryItem): string => caption || kindWords(kind);
  const openKey = ({ picture, kind }: GalleryItem): MessageKey => {
    if (picture === null || kind === "plan") return "property.open_item";
    return picture.isDrawn ? "property.open_picture" : "property.open_photo";
  };
  return {
    kindWords,
    nameOf,
    /** The name of a button that shows it. */
    opening: (item: GalleryItem, at: number, total: number): string =>
      t(openKey(item), { n: at + 1, total, caption: nameOf(item) }),
  };
}
