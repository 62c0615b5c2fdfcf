import type acts from "../../../i18n/en/acts.json";
import type booking from "../../../i18n/en/booking.json";
import type cases from "../../../i18n/en/cases.json";
import type change from "../../../i18n/en/change.json";
import type desk from "../../../i18n/en/desk.json";
import type errors from "../../../i18n/en/errors.json";
import type evidence from "../../../i18n/en/evidence.json";
import type finance from "../../../i18n/en/finance.json";
import type form_sync from "../../../i18n/en/form_sync.json";
import type home from "../../../i18n/en/home.json";
import type inventory from "../../../i18n/en/inventory.json";
import type lead from "../../../i18n/en/lead.json";
import type lead_form from "../../../i18n/en/lead_form.json";
import type legal from "../../../i18n/en/legal.json";
import type links from "../../../i18n/en/links.json";
import type login from "../../../i18n/en/login.json";
import type messages from "../../../i18n/en/messages.json";
import type payment from "../../../i18n/en/payment.json";
import type profile from "../../../i18n/en/profile.json";
import type property from "../../../i18n/en/property.json";
import type provider from "../../../i18n/en/provider.json";
import type rating from "../../../i18n/en/rating.json";
import type receipt from "../../../i18n/en/receipt.json";
import type returned from "../../../i18n/en/returned.json";
import type search from "../../../i18n/en/search.json";
import type shell from "../../../i18n/en/shell.json";
import type stay from "../../../i18n/en/stay.json";
import type support from "../../../i18n/en/support.json";
import type timeline from "../../../i18n/en/timeline.json";
import type timeline_ui from "../../../i18n/en/timeline_ui.json";
import type ui from "../../../i18n/en/ui.json";
import type verify from "../../../i18n/en/verify.json";
import type waitlists from "../../../i18n/en/waitlists.json";
import type workspace from "../../../i18n/en/workspace.json";

interface Catalogues {
  acts: typeof acts;
  booking: typeof booking;
  cases: typeof cases;
  change: typeof change;
  desk: typeof desk;
  errors: typeof errors;
  evidence: typeof evidence;
  finance: typeof finance;
  form_sync: typeof form_sync;
  home: typeof home;
  inventory: typeof inventory;
  lead: typeof lead;
  lead_form: typeof lead_form;
  legal: typeof legal;
  links: typeof links;
  login: typeof login;
  messages: typeof messages;
  payment: typeof payment;
  profile: typeof profile;
  property: typeof property;
  provider: typeof provider;
  rating: typeof rating;
  receipt: typeof receipt;
  returned: typeof returned;
  search: typeof search;
  shell: typeof shell;
  stay: typeof stay;
  support: typeof support;
  timeline: typeof timeline;
  timeline_ui: typeof timeline_ui;
  ui: typeof ui;
  verify: typeof verify;
  waitlists: typeof waitlists;
  workspace: typeof workspace;
}

/** A catalogue file: one area of the product, loaded with the chunk that shows it. */
export type Area = keyof Catalogues;

/** Every text there is: `area.name`. A key that is not in the English file does not compile. */
export type MessageKey = { [A in Area]: keyof Catalogues[A] }[Area];
