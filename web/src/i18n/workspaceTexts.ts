import { languages } from "virtual:texts/workspace";
import { offerTexts } from "./catalogue.ts";

offerTexts(languages);
