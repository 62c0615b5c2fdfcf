import type { CSSProperties } from "react";
import type { BrandColours, BrandPicture, BrandValues } from "../brandCalls.ts";
import { sayWords, type ValueName } from "../brandEdit.ts";

/** Values that every drawn page takes from the draft. */
export interface Face {
  name: string;
  shown: BrandValues;
  logo: BrandPicture | undefined;
  logoDark: BrandPicture | undefined;
  /** The language that is looked at. */
  tag: string;
  /** Marks the part that was changed last. */
  mark: (...names: ValueName[]) => string;
  say: (name: "tagline" | "hero" | "hero_lede") => string | null;
}

interface FaceOf {
  shown: BrandValues;
  pictures: readonly BrandPicture[];
  name: string;
  tag: string;
  touched: ValueName | null;
}

export function readFace({ shown, pictures, name, tag, touched }: FaceOf): Face {
  const find = (content: string | null | undefined) => pictures.find((picture) => picture.content === content);
  const logo = find(shown.logo);
  return {
    name,
    shown,
    logo,
    logoDark: find(shown.logo_dark) ?? logo,
    tag,
    mark: (...names) => (touched !== null && names.includes(touched) ? " marked" : ""),
    say: (value) => sayWords(shown[value], tag),
  };
}

/** Colours as custom properties, as the pages of the house take them. */
export function styleFace({ tokens }: BrandColours, font: BrandValues["font"]): CSSProperties {
  const properties = Object.entries(tokens).map(([name, colour]) => [`--${name}`, colour]);
  return { ...Object.fromEntries(properties), ...(font === "system" ? { fontFamily: "system-ui, sans-serif" } : {}) };
}
