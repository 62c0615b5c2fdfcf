import { languages } from "virtual:texts/shop";
import { offerTexts } from "./catalogue.ts";

offerTexts(languages);
