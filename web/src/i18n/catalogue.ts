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

type Files<Content> = Record<string, () => Promise<Content>>;

/** Where texts come from, by their path; each application offers those that its pages show. */
let files: Files<Record<string, string>> = {};
let formFiles: Files<Forms> = {};

/** Says where the texts of an application come from, before the first are loaded, and the forms of its languages. */
export function offerTexts(offered: Files<Record<string, string>>, forms: Files<Forms>): void {
  files = { ...files, ...offered };
  formFiles = forms;
}

const loaded = new Map<string, Promise<void>>();

/** Loads the areas a page shows, once each. The document brings `start` in its own language (`startTexts.ts`). */
export async function loadAreas(lang: Lang, areas: readonly Area[]): Promise<void> {
  const all: readonly Area[] = texts.get(lang)?.has("start.retry") ? areas : ["start", ...areas];
  await Promise.all([loadForms(lang), ...all.map((area) => loadArea(lang, area))]);
}

/** The page's language alone is loaded; the one that all fall back to is always there. */
async function loadForms(lang: Lang): Promise<void> {
  const file = formFiles[`../../../i18n/${lang}/forms.json`];
  if (file) addForms(lang, await file());
}

function loadArea(lang: Lang, area: Area): Promise<void> {
  const key = `../../../i18n/${lang}/${area}.json`;
  const running = loaded.get(key);
  if (running) return running;
  const file = files[key] ?? files[`../../../i18n/${FALLBACK}/${area}.json`];
  if (!file) throw new Error(`this application offers no texts of ${area}`);
  const at = files[key] ? lang : FALLBACK;
  const loading = file().then((entries) => addTexts(at, entries));
  loaded.set(key, loading);
  loading.catch(() => loaded.delete(key));
  return loading;
}
