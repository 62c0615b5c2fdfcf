import type { Image } from "../../../contract/wire.ts";
import { PictureView } from "./PictureView.tsx";
import { listPictures, type Photo } from "./pictures.ts";

/** The picture of a room in a row: its first photo, or its drawing; calm ground where there is neither. */
export function RoomPicture({
  room,
  sizes,
}: {
  room: { image?: Image | null; photos?: readonly Photo[] };
  sizes: string;
}) {
  const { image, photos = [] } = room;
  const [picture] = listPictures({ images: image ? [image] : [], photos });
  return <span className="pic">{picture ? <PictureView picture={picture} sizes={sizes} /> : null}</span>;
}
