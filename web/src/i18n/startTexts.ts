import { addTexts } from "./catalogue.ts";
import { pageLanguages } from "./languages.ts";

// What is said where nothing more can be loaded cannot be loaded itself.
const files = import.meta.glob<Record<string, string>>("../../../i18n/{pages}/start.json", {
  import: "default",
  eager: true,
});

for (const [tag] of pageLanguages()) addTexts(tag, files[`../../../i18n/${tag}/start.json`] ?? {});
