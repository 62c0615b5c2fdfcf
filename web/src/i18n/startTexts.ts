import en from "../../../i18n/en/start.json";
import zh from "../../../i18n/zh/start.json";
import { addTexts } from "./catalogue.ts";

// What is said where nothing more can be loaded cannot be loaded itself.
addTexts("en", en);
addTexts("zh", zh);
