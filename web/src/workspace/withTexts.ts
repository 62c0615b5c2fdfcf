import { loadAreas } from "../i18n/catalogue.ts";
import type { Area } from "../i18n/keys.ts";
import { pageLanguage } from "../i18n/languages.ts";

/** A part whose texts come with its code: the first load of the workspace goes without them. */
export async function withTexts<Module>(module: Promise<Module>, ...areas: Area[]): Promise<Module> {
  const [loaded] = await Promise.all([module, loadAreas(pageLanguage(), areas)]);
  return loaded;
}
