import { addTexts } from "./catalogue.ts";
import { addForms, type Forms } from "./forms.ts";
import { pageLanguages } from "./languages.ts";

// Texts of the pages that the server prints, and of the frames of those that the browser draws.
const files = import.meta.glob<Record<string, string>>(
  "../../../i18n/{pages}/{ui,shell,home,search,numbers,property,errors,inventory,legal,content,receipt,verify,booking,form_sync,payment,profile,cases,change,stay,rating,messages,looks,mirror,start}.json",
  {
    import: "default",
    eager: true,
  },
);

const forms = import.meta.glob<Forms>("../../../i18n/{pages}/forms.json", { import: "default", eager: true });

/** Puts all languages of the public pages in place. */
export function addServerTexts(): void {
  for (const [lang] of pageLanguages()) {
    const folder = `../../../i18n/${lang}/`;
    for (const [path, entries] of Object.entries(files)) if (path.startsWith(folder)) addTexts(lang, entries);
    const own = forms[`${folder}forms.json`];
    if (own) addForms(lang, own);
  }
}
