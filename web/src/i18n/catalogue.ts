import type { Lang } from "../contract/wire.ts";
import { addForms, type Forms } from "./forms.ts";
import type { Area } from "./keys.ts";
import { FALLBACK } from "./languages.ts";
import { fill, type MessageParams } from "./message.ts";

const texts = new Map<string, Map<string, string>>();

/** Puts an area's texts in place; loaded areas stay. */
export function addTexts(lang: Lang, entries: Record<string, string>): void {
  const known = texts.get(lang) ?? new Map<string, string>();
  for (const [key, text] of Object.entries(entries)) known.set(key, text);
  texts.set(lang, known);
}

/** The text for a key in a language, English where a language lacks it, the key itself where its area is not loaded. */
export function text(lang: Lang, key: string, params: MessageParams): string {
  const own = texts.get(lang)?.get(key);
  if (own !== undefined) return fill(own, params, lang);
  // An English sentence has English plurals, in a Chinese page too.
  const english = texts.get(FALLBACK)?.get(key);
  return english === undefined ? key : fill(english, params, FALLBACK);
}

/** The files of a language: its areas of texts, and its forms unless all fall back to them. */
export interface LanguageFiles {
  areas: Partial<Record<Area, () => Promise<Record<string, string>>>>;
  forms: (() => Promise<Forms>) | null;
}

/** Maps of files by language (`build/pageTexts.ts`), each loaded with its language alone. */
export type OfferedLanguages = Partial<Record<Lang, () => Promise<LanguageFiles>>>;

const offers: OfferedLanguages[] = [];

/** Says where the texts of an application come from, before the first are loaded. */
export function offerTexts(languages: OfferedLanguages): void {
  offers.push(languages);
}

const loaded = new Map<string, Promise<void>>();

/** Loads the areas a page shows, once each. The document brings `start` in its own language (`startTexts.ts`). */
export async function loadAreas(lang: Lang, areas: readonly Area[]): Promise<void> {
  const all: readonly Area[] = texts.get(lang)?.has("start.retry") ? areas : ["start", ...areas];
  const maps = await Promise.all(offers.map((languages) => languages[lang]?.()));
  await Promise.all([
    ...maps.map(async (map) => map?.forms && addForms(lang, await map.forms())),
    ...all.map((area) => loadArea(lang, area, maps.find((map) => map?.areas[area])?.areas[area])),
  ]);
}

function loadArea(lang: Lang, area: Area, file: (() => Promise<Record<string, string>>) | undefined): Promise<void> {
  const key = `${lang}/${area}`;
  const running = loaded.get(key);
  if (running) return running;
  if (!file) throw new Error(`this application offers no texts of ${key}`);
  const loading = file().then((entries) => addTexts(lang, entries));
  loaded.set(key, loading);
  loading.catch(() => loaded.delete(key));
  return loading;
}
