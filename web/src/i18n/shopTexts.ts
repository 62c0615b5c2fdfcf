import { offerTexts } from "./catalogue.ts";

// One chunk per language and area. The server's own texts, and those of the workspace alone, are no part of it.
const files = import.meta.glob<Record<string, string>>(
  [
    "../../../i18n/{en,zh}/*.json",
    "!../../../i18n/*/forms.json",
    "!../../../i18n/*/{document_link,mail,payment_decline,refusal,sandbox,search_head,start,template,unsubscribe,validation}.json",
    "!../../../i18n/*/{admin,desk,evidence,export,finance,finance_detail,finance_history,person_search,lead_form,links,mirror_desk,provider,returned,second_step,support}.json",
    "!../../../i18n/*/{bank_file,timeline,timeline_ui,waitlists,what_if,why,workspace}.json",
  ],
  { import: "default" },
);

offerTexts(files);
