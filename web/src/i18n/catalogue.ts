import type { Lang } from "../contract/wire.ts";
import type { Area } from "./keys.ts";
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
  const message = texts.get(lang)?.get(key) ?? texts.get("en")?.get(key);
  return message === undefined ? key : fill(message, params, lang);
}

type Files = Record<string, () => Promise<Record<string, string>>>;

/** Where texts come from, by their path; each application offers those that its pages show. */
let files: Files = {};

/** Says where the texts of an application come from, before the first are loaded. */
export function offerTexts(offered: Files): void {
  files = { ...files, ...offered };
}

const loaded = new Map<string, Promise<void>>();

/** Loads the areas a page shows, once each. */
export async function loadAreas(lang: Lang, areas: readonly Area[]): Promise<void> {
  await Promise.all(areas.map((area) => loadArea(lang, area)));
}

function loadArea(lang: Lang, area: Area): Promise<void> {
  const key = `../../../i18n/${lang}/${area}.json`;
  const running = loaded.get(key);
  if (running) return running;
  const file = files[key] ?? files[`../../../i18n/en/${area}.json`];
  if (!file) throw new Error(`this application offers no texts of ${area}`);
  const loading = file().then((entries) => addTexts(lang, entries));
  loaded.set(key, loading);
  loading.catch(() => loaded.delete(key));
  return loading;
}
