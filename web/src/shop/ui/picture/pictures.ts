import type { Image } from "../../../contract/wire.ts";

/** One width of a photo, as both files that are made of it. */
export interface PhotoSource {
  width: number;
  webp: string;
  jpeg: string;
}

/** A photo or a plan, as the server tells of it. */
export interface Photo {
  /** Null or empty where nobody said what it shows. */
  kind?: string | null;
  alt?: string | null;
  caption?: string | null;
  width: number;
  height: number;
  /** A few blurred pixels, as a `data:` address. */
  preview?: string | null;
  sources: readonly PhotoSource[];
}

/** A picture to draw: a photo in several widths, or a drawing, which has one file. */
export interface Picture {
  /** The file of browsers that choose none of `sources`; tells one picture from another. */
  path: string;
  kind: string;
  caption: string;
  alt: string;
  width: number;
  height: number;
  preview: string | null;
  sources: readonly PhotoSource[];
  isDrawn: boolean;
}

/** Something with pictures: a card, a room, a home. */
export interface Pictured {
  images?: readonly (Image & { kind?: string })[];
  photos?: readonly Photo[];
}

/** Spec §9: a card has at most five. */
export const CARD_PICTURES = 5;

/** The width of the file for browsers that choose none. */
const PLAIN_WIDTH = 1000;

/** Photos where there is one; drawings stand only where there is none. */
export function listPictures({ images = [], photos = [] }: Pictured): readonly Picture[] {
  const taken = photos.flatMap((photo) => readPhoto(photo) ?? []);
  return taken.length > 0 ? taken : images.map(readDrawing);
}

/** A photo of which no file was made is none. */
export function readPhoto(photo: Photo): Picture | null {
  const sources = [...photo.sources].sort((one, other) => one.width - other.width);
  const plain = sources.findLast((source) => source.width <= PLAIN_WIDTH) ?? sources[0];
  if (!plain) return null;
  const caption = photo.caption ?? "";
  return {
    path: plain.jpeg,
    kind: photo.kind ?? "",
    caption,
    alt: photo.alt || caption,
    width: photo.width,
    height: photo.height,
    preview: photo.preview?.startsWith("data:image/") ? photo.preview : null,
    sources,
    isDrawn: false,
  };
}

/** Drawings are four to three. */
function readDrawing({ path, caption, kind = "" }: Image & { kind?: string }): Picture {
  return {
    path,
    kind,
    caption,
    alt: caption,
    width: 800,
    height: 600,
    preview: null,
    sources: [],
    isDrawn: true,
  };
}
