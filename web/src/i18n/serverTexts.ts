import type { Lang } from "../contract/wire.ts";
import { addTexts } from "./catalogue.ts";

// Texts of the pages that the server prints, and of the frames of those that the browser draws.
const files = import.meta.glob<Record<string, string>>(
  "../../../i18n/*/{ui,shell,home,search,numbers,property,errors,inventory,legal,receipt,verify,booking,form_sync,payment,profile,cases,change,stay,rating,messages,looks,mirror}.json",
  {
    import: "default",
    eager: true,
  },
);

/** Puts all languages of the public pages in place. */
export function addServerTexts(): void {
  for (const [path, entries] of Object.entries(files)) {
    const lang = langOf(path.split("/").at(-2));
    if (lang) addTexts(lang, entries);
  }
}

function langOf(name: string | undefined): Lang | null {
  switch (name) {
    case "en":
    case "es":
    case "fr":
    case "de":
    case "zh":
      return name;
    default:
      return null;
  }
}
