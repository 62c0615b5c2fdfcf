import { addTexts } from "./catalogue.ts";
import { pageLanguage } from "./languages.ts";

// What is said where nothing more can be loaded comes with the document, in its language alone. Where pages are printed there is none.
const written = globalThis.document?.getElementById("start-texts")?.textContent;
if (written) addTexts(pageLanguage(), JSON.parse(written));
