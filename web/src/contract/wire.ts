/**
 * The shapes that travel between the server and the browser, in the words of the specification.
 * Amounts named `…_minor` are whole minor units; v0 prices named in the specification are decimal numbers (X5).
 * Times are RFC 3339 UTC strings.
 */

// ---------- the envelope (X4) ----------

export interface Success<T> {
  message: "success";
  data: T;
  /** Log position of the answer to a command; sent back as `x-latchkey-position` so that the next read sees it (X9). */
  position?: number;
}

export interface FieldError {
  field: string;
  code: string;
  message: string;
}

export interface Failure {
  message: { user_friendly_message: string; code: string };
  errors: FieldError[];
  request_id: string;
}

export interface ListMeta {
  prev: number | null;
  next: number | null;
  count: number;
  limit: number;
  pages: number;
  current_page: number;
}

export interface List<T> {
  meta: ListMeta;
  result: T[];
}

// ---------- pages: GET /_page?url=… and the same object embedded in the first HTML ----------

export type Lang = "en" | "es" | "fr" | "de" | "zh";

export interface Head {
  title: string;
  description: string;
  keywords: string | null;
  canonical: string | null;
  robots: "index,follow" | "noindex,nofollow";
  prev: string | null;
  next: string | null;
  image: string | null;
  alternates: { lang: Lang; href: string }[];
}

export interface Chrome {
  brand_name: string;
  lang: Lang;
  variant: "standard" | "china";
  dev_tools: boolean;
  rating: string;
  downloads: string;
  support_email: string | null;
  /** Popular cities by country for menu, home and footer. */
  countries: CountryMenu[];
}

export interface CountryMenu {
  key: string;
  name: string;
  canonical_name: string;
  cities: { id: string; name: string; canonical_name: string }[];
}

interface PageBase<Route extends string, Data> {
  route: Route;
  /** Path and query this payload answers: pages read their filters from it, on the server as in the browser. */
  url: string;
  status: number;
  redirect: string | null;
  head: Head;
  chrome: Chrome;
  data: Data;
}

export type PagePayload =
  | PageBase<"home", HomePage>
  | PageBase<"search", SearchPage>
  | PageBase<"property", PropertyPage>
  | PageBase<"booking_form", BookingFormPage>
  | PageBase<"application", BookingFormPage>
  | PageBase<"payment", PaymentEntryPage>
  | PageBase<"payment_token", PaymentTokenPage>
  | PageBase<"payment_complete", PaymentCompletePage>
  | PageBase<"form_submitted", { lead_uuid: string | null }>
  | PageBase<"profile", { page: "profile" | "leads" | "shortlist" }>
  | PageBase<"workspace", Record<string, never>>
  | PageBase<"not_found", { support_email: string | null; message: string | null }>
  | PageBase<"server_error", { support_email: string | null }>;

export interface HomePage {
  countries: {
    key: string;
    name: string;
    cities: {
      name: string;
      canonical_name: string;
      image: string;
      homes: number;
      from: Price | null;
    }[];
  }[];
  totals: { homes: number; universities: number; cities: number };
}

// ---------- money and prices ----------

export type Period = "weekly" | "monthly";

/** A price as cards and pages show it: never without currency and period. */
export interface Price {
  amount_minor: number;
  currency: string;
  symbol: string;
  decimals: number;
  duration: Period;
}

// ---------- regions ----------

export type RegionType = "country" | "state" | "locality" | "sublocality" | "establishment";

export interface Region {
  id: string;
  name: string;
  canonical_name: string;
  region_type: RegionType;
  subtype: "university" | "college_campus" | "residence" | null;
  state: "active" | "inactive" | "retired";
  parent_id: string | null;
  parent_name: string | null;
  parent_canonical_name: string | null;
  location: {
    country: string;
    country_key: string;
    locality: string | null;
    coordinates: {
      location_coordinates: { lat: number; lng: number };
      location_bounds: {
        southwest: { lat: number; lng: number };
        northeast: { lat: number; lng: number };
      };
    };
  };
  ancestors: { id: string; name: string; canonical_name: string; region_type: RegionType }[];
  period: Period;
  currency: string;
  budget_range: [number, number];
}

export interface RegionLink {
  id: string;
  name: string;
  canonical_name: string;
  region_type: RegionType;
  lat: number;
  lng: number;
  homes: number;
  distance_m: number | null;
}

// ---------- search ----------

export type Badge =
  | { kind: "top_rated" | "filling_fast" | "property_of_the_day" | "exclusive" | "students_choice" }
  | { kind: "immediate_move_in" | "breakfast_included" }
  | { kind: "cashback"; value: Price };

export interface Travel {
  distance_m: number;
  duration_s: number;
}

/** One result of GET /api/v1/inventories. */
export interface InventoryCard {
  id: string;
  name: string;
  canonical_name: string;
  available: boolean;
  lat: number;
  lng: number;
  price: Price;
  images: { path: string; caption: string }[];
  badges: Badge[];
  reviews_rating: number | null;
  reviews_count: number;
  room_kinds: string[];
  rooms_left: number | null;
  /** From the search's centre: a university or the city centre. */
  distance_m: number | null;
  walking: Travel | null;
  transit: Travel | null;
  region: { id: string; name: string; canonical_name: string };
}

/** `next_token` continues after the last result even while listings change; sent back as `next_token` in place of `p`. */
export interface SearchMeta extends ListMeta {
  next_token: string | null;
}

/**
 * The value is what the page's URL carries for its filter (lists are joined by commas), so a click needs no translation:
 * `roomType` ensuite_room | studio_room | shared_room | private_room, in the US studio | one_bedroom | two_bedrooms |
 * three_bedrooms;
 * `accommodationType` student_accommodation | independent_house; `dualOccupancy` true;
 * `moveInMonth` 1…12; `leaseDuration` 0-4 | 5-8 | 8+ (months) or 0-4 | 5-25 | 26-40 | 41-45 | 45+ (weeks), after the
 * region's period, or `minLeaseDuration` and `maxLeaseDuration` as numbers; `guarantor` local | international | false;
 * `available` true | false; `distance` 1609 | 3218 | 8046 | all (metres); `features` (all of them must be there).
 * Other names in the URL: `budget` 150-320 (major units, either end may be empty), `duration` weekly | monthly (period of
 * budget, default the region's), `locality` and `university` (canonical names), `sortKey` and `sortOrder`, `p`.
 */
export interface FacetValue {
  value: string;
  count: number;
  selected: boolean;
}

export interface Facets {
  room_type: FacetValue[];
  accommodation_type: FacetValue[];
  dual_occupancy: FacetValue[];
  move_in_month: FacetValue[];
  stay_duration: FacetValue[];
  guarantor: FacetValue[];
  availability: FacetValue[];
  distance: FacetValue[];
  features: FacetValue[];
  /** Homes per budget step, low to high, for the slider's histogram. */
  budget: { from_minor: number; to_minor: number; count: number }[];
}

export interface MapPin {
  id: string;
  canonical_name: string;
  name: string;
  lat: number;
  lng: number;
  price: Price;
  available: boolean;
}

export interface SearchResult extends List<InventoryCard> {
  meta: SearchMeta;
  facets?: Facets;
  /** All matches, for the map (P38), up to 1,000. */
  pins?: MapPin[];
}

export interface SearchPage {
  region: Region;
  /** `true` for countries and states: children are shown before homes (D6). */
  is_region_page: boolean;
  children: RegionLink[];
  universities: RegionLink[];
  areas: RegionLink[];
  search: SearchResult;
  total_in_region: number;
  center: { lat: number; lng: number; label: string; is_university: boolean };
  faqs: { question: string; answer: string }[];
}

export interface SuggestResult {
  cities: SuggestItem[];
  areas: SuggestItem[];
  universities: SuggestItem[];
  properties: SuggestItem[];
}

export interface SuggestItem {
  id: string;
  name: string;
  /** "London, United Kingdom" */
  context: string;
  canonical_name: string;
  href: string;
  homes: number | null;
}

// ---------- property ----------

export interface RoomOption {
  /** The room's own inventory id with lease and move-in: what is booked. */
  inventory_id: string;
  move_in_date: string;
  lease_duration: number;
  lease_duration_unit: "weeks" | "months";
  rooms_left: number;
  price: Price;
}

export interface RoomType {
  id: string;
  name: string;
  /** Ensuite Room, Studio Room, Shared Room, Private Room, Studio, 1BHK, … (Spec §5) or null */
  configuration: string | null;
  meta_types: { room_types: string[]; bathroom_types: string[]; kitchen_types: string[] };
  facts: string[];
  area_sqm: number | null;
  image: { path: string; caption: string };
  from: Price;
  rooms_left: number;
  available: boolean;
  options: RoomOption[];
}

export interface Offer {
  id: string;
  title: string;
  description: string;
  kind: string;
  value_minor: number;
  currency: string;
  valid_to: string | null;
  terms: string;
}

export interface Review {
  author: string;
  course: string | null;
  rating: number;
  stayed: string;
  text: string;
}

export interface PriceTrendPoint {
  month: string;
  min: number;
  median: number;
  max: number;
  currency: string;
  duration: Period;
  n: number;
}

export type UserAction =
  | "book"
  | "apply_now"
  | "continue_to_book"
  | "continue_to_apply"
  | "continue_to_pay"
  | "view_bookings"
  | "enquire_now"
  | "enquired"
  | "join_waitlist"
  | "waitlisted"
  | "contact_us"
  | "contacted";

export interface PropertyPage {
  id: string;
  name: string;
  canonical_name: string;
  available: boolean;
  bookable: boolean;
  /** `apply` in the US or where the region says so, else `book` (D28). */
  flow: "book" | "apply";
  address: string;
  lat: number;
  lng: number;
  description: string;
  provider_checked_on: string | null;
  region: Region;
  breadcrumbs: { name: string; href: string }[];
  price: Price;
  images: { path: string; caption: string; kind: string }[];
  facts: { icon: string; title: string; detail: string }[];
  features: { group: string; key: string; name: string }[];
  room_types: RoomType[];
  offers: Offer[];
  reviews: { count: number; rating: number | null; parts: { name: string; rating: number }[]; items: Review[] };
  price_trends: { name: string; points: PriceTrendPoint[] }[];
  view_count: string | null;
  nearby: {
    universities: (RegionLink & { walking: Travel; driving: Travel; transit: Travel })[];
    places: { kind: string; name: string; walking: Travel }[];
  };
  faqs: { question: string; answer: string }[];
  similar: InventoryCard[];
  payment_summary: { type: PaymentType; amount: Price }[];
}

/** What this visitor may do next; fetched after hydration (GET /api/v0/inventories/{id}/user_history). */
export interface UserHistory {
  enquired: boolean;
  waitlisted: boolean;
  contacted: boolean;
  book_form_initiated: boolean;
  book_form_completed: boolean;
  payment_initiated: boolean;
  payment_completed: boolean;
  shortlisted: boolean;
  lead_uuid: string | null;
  form_uuid: string | null;
  payment_token: string | null;
}

// ---------- leads ----------

export type LeadVariant =
  | "get_help"
  | "ask_question_faq_cta"
  | "enquire"
  | "virtual_tour_enquiry"
  | "referred_by_enquiry"
  | "partner_enquire"
  | "book_now"
  | "apply_now"
  | "contact_us"
  | "join_waitlist"
  | "edit_details"
  | "generic_form";

export interface LeadPayload {
  state: "created";
  inventory_id?: string;
  user_details: { name: string; phone: string; email: string };
  region_id?: string;
  location_place_name?: string;
  data?: {
    property_view_request_details?: { date: string; slot: string; timezone: string; mode: string };
    budget?: number;
    budget_currency?: string;
    budget_duration?: Period;
    user_query?: string;
    intake?: string;
    filters?: Record<string, string>;
    configuration?: string;
    university?: string;
    lease_duration?: string;
    move_in_date?: string;
    no_of_students?: number;
  };
  meta?: {
    payment_before_bookform?: boolean;
    lead_source?: string;
    variant?: LeadVariant;
    idp_form_data?: {
      councellor_name: string;
      councellor_email: string;
      councellor_country: string;
      councellor_office: string;
    };
  };
  source_details?: SourceDetails;
  event_options?: { user_notification: "true" | "false" };
  referral_details?: { name: string; code: string };
  /** A field no person sees: filled in by scripts only (T20). */
  website?: string;
}

export type SourceDetails = Partial<
  Record<
    | "final_url"
    | "referrer"
    | "initial_referrer"
    | "referring_domain"
    | "initial_referring_domain"
    | "utm_source"
    | "utm_medium"
    | "utm_campaign"
    | "utm_content"
    | "utm_term"
    | "utm_group"
    | "gclid"
    | "fbclid"
    | "msclkid"
    | "keyword"
    | "wbraid"
    | "gbraid"
    | "referral_code",
    string
  >
>;

export interface Lead {
  id: string;
  uuid: string;
  lead_uuid: string;
  reference: string;
  state: string;
  version: number;
  repeat: boolean;
  verified: boolean;
  inventory_id: string | null;
  inventory_root_id: string | null;
  user_details: {
    name: string;
    email: string;
    phone: string;
    phone_details: { country_code: string; national: string; international: string };
  };
  data: NonNullable<LeadPayload["data"]>;
  forms_present: string[];
  created_at: string;
}

// ---------- booking and application forms ----------

export type SectionKey = "personal_form" | "emergency_form" | "guarantor_form" | "confirmation_documents";

export interface CustomForm {
  sections: {
    key: SectionKey;
    hidden: boolean;
    /** Printed step number: from 2 before payment, from 1 after it (D92). */
    step: number;
    last: boolean;
    after_payment: boolean;
    fields: {
      key: string;
      type: "text" | "email" | "phone" | "date" | "select" | "textarea" | "checkbox" | "country" | "file";
      required: boolean;
      options: string[];
      visible_if: { field: string; equals: string } | null;
    }[];
  }[];
}

/** A document sent with a form; its link opens it for some minutes (D93). */
export interface SentDocument {
  id: string;
  name: string;
  media_type: string;
  size_bytes: number;
  href: string;
}

export interface BookingForm {
  documents: SentDocument[];
  form_uuid: string;
  lead_uuid: string;
  inventory_id: string;
  flow: "book" | "apply";
  status: "started" | "completed";
  version: number;
  /** Values per section; a section saved but not valid yet is kept too. */
  sections: Partial<Record<SectionKey, Record<string, string | boolean>>>;
  completed_sections: SectionKey[];
  form: CustomForm;
}

export interface BookingFormPage {
  property: {
    id: string;
    name: string;
    canonical_name: string;
    image: { path: string; caption: string };
    region: { name: string; canonical_name: string; country_key: string };
    available: boolean;
    bookable: boolean;
    guarantor_required: boolean;
    flow: "book" | "apply";
    payment_before_bookform: boolean;
  };
  room_types: RoomType[];
  prefill: {
    inventory_id: string | null;
    lead_uuid: string | null;
    configuration: string | null;
    university: string | null;
    lease_duration: string | null;
    move_in_date: string | null;
    email: string | null;
    phone: string | null;
    phone_code: string | null;
    first_name: string | null;
    last_name: string | null;
    bookform_source: string | null;
    show_submit_confirmation: boolean;
  };
  form: CustomForm;
  /** What is paid in the next step, without the processing fee. */
  payment_summary: { type: PaymentType; amount: Price }[];
  with_accommodation_card: boolean;
}

// ---------- payments ----------

export type PaymentType = "deposit" | "refundable_token" | "platform_fee" | "rent";

/** X8. The browser alone starts in `loading`. */
export type PaymentStatus =
  | "init"
  | "init_loading"
  | "init_failure"
  | "sold_out"
  | "initiated"
  | "processing"
  | "success"
  | "failed"
  | "pending";

export type DeclineCode =
  | "live_mode_test_card"
  | "do_not_honor"
  | "generic_decline"
  | "insufficient_funds"
  | "transaction_not_allowed"
  | "testmode_decline"
  | "incorrect_number"
  | "expired_card";

export interface Payment {
  token: string;
  reference: string;
  status: PaymentStatus;
  version: number;
  lead_uuid: string;
  form_uuid: string | null;
  inventory_id: string;
  inventory_root_id: string;
  inventory_root: { provider_id: string | null; canonical_name: string; name: string; image: string };
  room: {
    name: string;
    lease_duration: number;
    lease_duration_unit: "weeks" | "months";
    move_in_date: string;
    rent: Price;
  };
  lines: { type: PaymentType; amount_minor: number; refundable: boolean }[];
  subtotal_minor: number;
  processing_fee_minor: number;
  processing_fee_percent: string;
  total_minor: number;
  refunded_minor: number;
  refunds: { id: string; amount_minor: number; status: "requested" | "sent" | "acknowledged" | "failed"; at: string }[];
  currency: string;
  symbol: string;
  decimals: number;
  /** While a room is held for this payment. */
  hold_expires_at: string | null;
  decline: { code: string; message: string } | null;
  /** Why the room is gone, once it is. */
  sold_out_reason: "no_room" | "hold_lost" | "too_many_holds" | null;
  next_action: { type: "three_d_secure"; url: string } | null;
  card: { brand: string; last4: string } | null;
  gateway: { kind: "sandbox" | "stripe"; client_secret: string | null; publishable_key: string | null };
  succeeded_at: string | null;
  /** Set when the payer gave up before paying: nothing more can be begun on this token. */
  cancelled_at?: string | null;
  expires_at: string;
}

export interface PaymentEntryPage {
  property: BookingFormPage["property"];
  room_types: RoomType[];
  lead_uuid: string | null;
  with_accommodation_card: boolean;
}

export interface PaymentTokenPage {
  token: string;
}

export interface PaymentCompletePage {
  token: string;
  lead_uuid: string | null;
  inventory_id: string | null;
}

// ---------- accounts ----------

export interface OtpSent {
  session_uuid: string;
  resend_after_s: number;
  expires_in_s: number;
}

export interface User {
  id: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  login_type: "email" | "phone";
  is_internal: boolean;
  roles: Role[];
}

export type Role = "support" | "finance" | "admin";

export interface ActivityLead {
  lead_uuid: string;
  reference: string;
  state: string;
  property: { name: string; canonical_name: string; image: string; address: string };
  room: { name: string; price: Price } | null;
  move_in_date: string | null;
  steps: {
    key: "enquired" | "form" | "payment" | "booked" | "move_in";
    state: "done" | "now" | "later";
    at: string | null;
  }[];
  next_action: { key: UserAction | "add_documents"; href: string; deadline: string | null } | null;
  payment: { token: string; status: PaymentStatus; total_minor: number; currency: string } | null;
  created_at: string;
}

export interface Activity {
  counts: { booked: number; enquired: number; shortlisted: number };
  leads: List<ActivityLead>;
  shortlisted: InventoryCard[];
}

// ---------- workspace: support ----------

export interface WorkspaceMe {
  user_id: string;
  name: string;
  roles: Role[];
  log_position: number;
  can: { leads: boolean; unmask: boolean; finance: boolean; refund_limit_minor: number; grants: boolean };
}

/** Personal values arrive masked, e.g. `M••• L•••`, until shown with a reason. */
export interface LeadRow {
  lead_id: string;
  reference: string;
  name_masked: string;
  email_masked: string;
  phone_masked: string;
  property: { id: string; name: string; region: string } | null;
  room: string | null;
  price: Price | null;
  status: string;
  /** 0–100: how far towards a booking. */
  progress: number;
  source: string | null;
  owner: string | null;
  repeat: boolean;
  created_at: string;
  last_event_at: string;
  answered: boolean;
  answer_due_at: string | null;
}

export interface LeadListPage extends List<LeadRow> {
  counts: Record<string, number>;
}

export type StreamKind = "lead" | "booking_form" | "payment" | "user";

export interface TimelineEvent {
  /** 1-based place in this lead's merged history. */
  n: number;
  position: number;
  stream: StreamKind;
  stream_id: string;
  revision: number;
  type: string;
  recorded_at: string;
  actor: { kind: "student" | "staff" | "gateway" | "rule" | "system"; label: string };
  /** n of the event that caused this one. */
  because_of: number | null;
  /** A sentence as catalogue key and parameters: `timeline.lead_submitted`. */
  sentence: { key: string; params: Record<string, string | number> };
  failed: boolean;
  /** What the fold changed: applying all changes up to n gives the state at n. */
  changes: { field: string; from: string | null; to: string | null; masked: boolean }[];
}

export interface LeadTimeline {
  lead: LeadRow;
  streams: { stream: StreamKind; stream_id: string; revision: number }[];
  events: TimelineEvent[];
  /** Field order and labels per stream for the Then | Now table. */
  fields: { stream: StreamKind; field: string; label_key: string }[];
}

export interface RawEvent {
  position: number;
  stream: string;
  revision: number;
  event_id: string;
  event_type: string;
  schema_version: number;
  recorded_at: string;
  occurred_at: string;
  actor_kind: string;
  actor_id: string | null;
  command_id: string | null;
  correlation_id: string;
  causation_id: string | null;
  payload: unknown;
  sealed: boolean;
  leaf: string;
  chain: string;
}

export interface Revealed {
  name: string | null;
  email: string | null;
  phone: string | null;
  until: string;
}

// ---------- workspace: finance ----------

export interface AuditRow {
  position: number;
  recorded_at: string;
  kind:
    | "opened"
    | "intent_ready"
    | "confirmed"
    | "captured"
    | "declined"
    | "pending"
    | "sold_out"
    | "refund_requested"
    | "refund_sent"
    | "refund_acknowledged"
    | "refund_failed"
    | "cancelled"
    | "dispute_opened"
    | "dispute_won"
    | "dispute_lost"
    | "room_given_back";
  detail: string;
  payment_id: string;
  payment_reference: string;
  lead_id: string;
  lead_reference: string;
  property: string;
  amount_minor: number;
  /** + money in, − money out, 0 no money moved. */
  sign: -1 | 0 | 1;
  currency: string;
  decimals: number;
  gateway_id: string | null;
  request_id: string | null;
  causation_position: number | null;
}

export interface CurrencyTotals {
  currency: string;
  decimals: number;
  captured_minor: number;
  refunded_minor: number;
  pending_minor: number;
  disputed_minor: number;
  net_minor: number;
}

export interface AuditPage extends List<AuditRow> {
  totals: CurrencyTotals[];
}

export interface LedgerLine {
  position: number;
  recorded_at: string;
  kind: string;
  account:
    | "gateway_clearing"
    | "holding_fees"
    | "deposits"
    | "platform_fees"
    | "rent"
    | "processing_fees"
    | "gateway_fees"
    | "disputes"
    | "dispute_losses";
  debit_minor: number;
  credit_minor: number;
}

export interface PaymentDossier {
  payment_id: string;
  reference: string;
  status: PaymentStatus;
  lead_id: string;
  lead_reference: string;
  name_masked: string;
  property: string;
  opened_at: string;
  currency: string;
  decimals: number;
  captured_minor: number;
  refunded_minor: number;
  refund_pending_minor: number;
  disputed_minor: number;
  refundable_minor: number;
  processing_fee_minor: number;
  /** Ours beside the gateway's, in time order; either side may be missing. */
  events: { ours: AuditRow | null; webhook: { id: string; type: string; received_at: string } | null }[];
  ledger: LedgerLine[];
  balance_minor: number;
}

export interface ChainStatus {
  verified_through: number;
  head: number;
  ok: boolean;
  first_broken: number | null;
  checked_at: string;
}
