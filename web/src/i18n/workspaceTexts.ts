import { offerTexts } from "./catalogue.ts";
import type { Forms } from "./forms.ts";

// One chunk per language and area. The server's own texts, and those of the shop's pages alone, are no part of it.
const files = import.meta.glob<Record<string, string>>(
  [
    "../../../i18n/{pages}/*.json",
    "!../../../i18n/*/forms.json",
    "!../../../i18n/*/{document_link,legal,mail,payment_decline,refusal,sandbox,search_head,template,unsubscribe,validation}.json",
    "!../../../i18n/*/{errors,form_sync,home,login,mirror,missing_answers,profile,property,rating,receipt,search,verify}.json",
  ],
  { import: "default" },
);

// The forms that all fall back to are in every first load already.
const forms = import.meta.glob<Forms>(["../../../i18n/{pages}/forms.json", "!../../../i18n/{fallback}/forms.json"], {
  import: "default",
});

offerTexts(files, forms);
