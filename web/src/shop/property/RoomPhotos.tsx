import { useState } from "react";
import type { RoomType } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../../ui/icon.tsx";
import { GalleryLayer, type Opened } from "./GalleryLayer.tsx";
import { listRoomGallery } from "./galleryItems.ts";

/** Opens the photos of one room, where it has its own. */
export function RoomPhotos({ room }: { room: RoomType }) {
  const { t } = useI18n();
  const [opened, setOpened] = useState<Opened>(null);
  const items = listRoomGallery(room);
  if (items.length === 0) return null;
  return (
    <>
      <button type="button" className="btn btn-plain rt-next" onClick={() => setOpened(0)}>
        <Icon name="grid" size={16} />
        {t("property.room_photos", { n: items.length })}
      </button>
      <GalleryLayer title={t("property.photos_of", { name: room.name })} {...{ items, opened }} onOpen={setOpened} />
    </>
  );
}
