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

// One chunk per language and area; the server bundle replaces this file's loader with all texts at once.
const files = import.meta.glob<Record<string, string>>("../../../i18n/{en,zh}/*.json", {
  import: "default",
});
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
  const loading = file ? file().then((entries) => addTexts(lang, entries)) : Promise.resolve();
  loaded.set(key, loading);
  loading.catch(() => loaded.delete(key));
  return loading;
}
