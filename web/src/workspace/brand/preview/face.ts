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

/** Custom properties that the drawn pages read. */
const TOKENS = [
  ...["brand", "brand-3", "act", "act-text", "act-edge", "act-line", "act-tint", "act-dark"],
  ...["foot", "foot-text", "foot-soft"],
];

/** Colours as custom properties; one that the draft does not choose is as it ships, not as the published brand has it. */
export function styleFace({ tokens }: BrandColours, font: BrandValues["font"]): CSSProperties {
  const properties = TOKENS.map((name) => [`--${name}`, tokens[name] ?? "initial"]);
  return { ...Object.fromEntries(properties), ...(font === "system" ? { fontFamily: "system-ui, sans-serif" } : {}) };
}
