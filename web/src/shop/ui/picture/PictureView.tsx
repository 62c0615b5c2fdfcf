import type { CSSProperties } from "react";
import type { PhotoSource, Picture } from "./pictures.ts";

interface PictureViewProps {
  picture: Picture;
  /** The width in which it is drawn, as `sizes` of an image says it. */
  sizes: string;
  /** Empty where its words stand beside it. */
  alt?: string;
  /** Loaded before the page is scrolled to it; `high` is the largest of the first screenful. */
  eager?: boolean | "high";
}

/**
 * A picture in the width its place needs. Its own width and height keep its place before it comes, and a photo is blurred there
 * meanwhile; `watchPictures` leaves calm ground where it never comes.
 */
export function PictureView({ picture, sizes, alt = "", eager = false }: PictureViewProps) {
  const { path, sources, width, height, preview } = picture;
  const style: CSSProperties | undefined = preview ? { backgroundImage: `url("${preview}")` } : undefined;
  const image = (
    <img
      key={path}
      className={preview ? "blurred-before" : undefined}
      style={style}
      src={path}
      srcSet={srcSet(sources, "jpeg")}
      sizes={sources.length > 0 ? sizes : undefined}
      alt={alt}
      width={width}
      height={height}
      loading={eager ? "eager" : "lazy"}
      fetchPriority={eager === "high" ? "high" : "auto"}
      decoding="async"
      draggable={false}
    />
  );
  if (sources.length === 0) return image;
  return (
    <picture>
      <source type="image/webp" srcSet={srcSet(sources, "webp")} sizes={sizes} />
      {image}
    </picture>
  );
}

function srcSet(sources: readonly PhotoSource[], format: "webp" | "jpeg"): string | undefined {
  if (sources.length === 0) return undefined;
  return sources.map((source) => `${source[format]} ${source.width}w`).join(",");
}
