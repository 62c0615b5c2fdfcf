/* Made from openapi.json by `make contract`. Change the server, not this file. */

/**
 * Accounts of the ledger.
 */
export type Account =
  | "gateway_clearing"
  | "payouts_in_transit"
  | "bank"
  | "disputes"
  | "deposits"
  | "holding_fees"
  | "rent"
  | "refunds_payable"
  | "paid_elsewhere"
  | "rewards_payable"
  | "suspense"
  | "platform_fees"
  | "processing_fees"
  | "gateway_fees"
  | "dispute_fees"
  | "dispute_losses"
  | "referral_rewards"
  | "exchange_differences";
/**
 * Kind of an account.
 */
export type AccountNature = "asset" | "liability" | "income" | "expense";
/**
 * How a payment link of staff stands.
 */
export type PaymentLinkState = "open" | "under_way" | "paid" | "refunded" | "withdrawn" | "expired";
/**
 * Kind of a payment's line.
 */
export type PaymentType = "deposit" | "refundable_token" | "platform_fee" | "rent";
/**
 * Next step of a student with a property or booking (D27).
 */
export type NextActionKey =
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
  | "contacted"
  | "add_documents";
/**
 * The steps of X8.
 */
export type PaymentStatus =
  "init" | "init_loading" | "init_failure" | "sold_out" | "initiated" | "processing" | "success" | "failed" | "pending";
/**
 * Period that a price is for.
 */
export type Period = "weekly" | "monthly";
/**
 * How a frozen price stands beside today's.
 */
export type PriceLockState = "kept" | "fell" | "over";
/**
 * Where a lead stands.
 */
export type LeadStatus =
  | "created"
  | "enquired"
  | "waitlisted"
  | "viewing_requested"
  | "form_started"
  | "form_completed"
  | "payment_started"
  | "booked"
  | "cancelled"
  | "lost"
  | "completed";
/**
 * Steps of a booking, as the profile shows them.
 */
export type ActivityStepKey = "enquired" | "form" | "payment" | "booked" | "move_in";
/**
 * How far a step is.
 */
export type ActivityStepState = "done" | "now" | "later";
export type Badge = PlainBadge | CashbackBadge;
/**
 * The name three room attributes add up to, as addresses carry it.
 */
export type ConfigurationKey =
  | "ensuite_room"
  | "studio_room"
  | "shared_room"
  | "private_room"
  | "studio"
  | "one_bedroom"
  | "two_bedrooms"
  | "three_bedrooms";
/**
 * Actor of an event, as the log knows it.
 */
export type ActorKind = "visitor" | "student" | "staff" | "gateway" | "rule" | "system";
/**
 * Actor as the desk sees it: a visitor without a login is a student all the same.
 */
export type TimelineActor = "student" | "staff" | "gateway" | "rule" | "system";
/**
 * Languages that pages and messages are written in (D3).
 */
export type Lang = "en" | "es" | "fr" | "de" | "zh";
/**
 * Kinds of region.
 */
export type RegionType = "country" | "state" | "locality" | "sublocality" | "establishment";
/**
 * How a room is taken.
 */
export type Flow = "book" | "apply";
/**
 * Fate of the booking when money goes back.
 */
export type BookingChoice = "keep" | "cancel";
/**
 * Subject that a second person decides about.
 */
export type ApprovalKind = "refund" | "correction";
/**
 * How a request was decided.
 */
export type ApprovalDecision = "approved" | "declined";
/**
 * Payment events that finance lists.
 */
export type AuditKind =
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
  | "dispute_fee"
  | "room_given_back"
  | "booking_cancelled"
  | "refund_paid_elsewhere";
/**
 * How a bank's file is written.
 */
export type FileForm = "csv" | "camt" | "mt940";
/**
 * Whether the rent includes all bills.
 */
export type BillsSaid = "included" | "apart" | "not_said";
/**
 * Form of a block.
 */
export type BlockKind = "section" | "question" | "paragraph" | "bullets" | "steps" | "quote";
/**
 * Countries the marketplace knows.
 */
export type CountryKey =
  | "us"
  | "uk"
  | "canada"
  | "spain"
  | "ireland"
  | "australia"
  | "germany"
  | "france"
  | "singapore"
  | "uae"
  | "india"
  | "new_zealand"
  | "korea"
  | "denmark"
  | "ad"
  | "af"
  | "ag"
  | "ai"
  | "al"
  | "am"
  | "ao"
  | "aq"
  | "ar"
  | "as"
  | "at"
  | "aw"
  | "ax"
  | "az"
  | "ba"
  | "bb"
  | "bd"
  | "be"
  | "bf"
  | "bg"
  | "bh"
  | "bi"
  | "bj"
  | "bl"
  | "bm"
  | "bn"
  | "bo"
  | "bq"
  | "br"
  | "bs"
  | "bt"
  | "bv"
  | "bw"
  | "by"
  | "bz"
  | "cc"
  | "cd"
  | "cf"
  | "cg"
  | "ch"
  | "ci"
  | "ck"
  | "cl"
  | "cm"
  | "cn"
  | "co"
  | "cr"
  | "cu"
  | "cv"
  | "cw"
  | "cx"
  | "cy"
  | "cz"
  | "dj"
  | "dm"
  | "do"
  | "dz"
  | "ec"
  | "ee"
  | "eg"
  | "eh"
  | "er"
  | "et"
  | "fi"
  | "fj"
  | "fk"
  | "fm"
  | "fo"
  | "ga"
  | "gd"
  | "ge"
  | "gf"
  | "gg"
  | "gh"
  | "gi"
  | "gl"
  | "gm"
  | "gn"
  | "gp"
  | "gq"
  | "gr"
  | "gs"
  | "gt"
  | "gu"
  | "gw"
  | "gy"
  | "hk"
  | "hm"
  | "hn"
  | "hr"
  | "ht"
  | "hu"
  | "id"
  | "il"
  | "im"
  | "io"
  | "iq"
  | "ir"
  | "is"
  | "it"
  | "je"
  | "jm"
  | "jo"
  | "jp"
  | "ke"
  | "kg"
  | "kh"
  | "ki"
  | "km"
  | "kn"
  | "kp"
  | "kw"
  | "ky"
  | "kz"
  | "la"
  | "lb"
  | "lc"
  | "li"
  | "lk"
  | "lr"
  | "ls"
  | "lt"
  | "lu"
  | "lv"
  | "ly"
  | "ma"
  | "mc"
  | "md"
  | "me"
  | "mf"
  | "mg"
  | "mh"
  | "mk"
  | "ml"
  | "mm"
  | "mn"
  | "mo"
  | "mp"
  | "mq"
  | "mr"
  | "ms"
  | "mt"
  | "mu"
  | "mv"
  | "mw"
  | "mx"
  | "my"
  | "mz"
  | "na"
  | "nc"
  | "ne"
  | "nf"
  | "ng"
  | "ni"
  | "nl"
  | "no"
  | "np"
  | "nr"
  | "nu"
  | "om"
  | "pa"
  | "pe"
  | "pf"
  | "pg"
  | "ph"
  | "pk"
  | "pl"
  | "pm"
  | "pn"
  | "pr"
  | "ps"
  | "pt"
  | "pw"
  | "py"
  | "qa"
  | "re"
  | "ro"
  | "rs"
  | "ru"
  | "rw"
  | "sa"
  | "sb"
  | "sc"
  | "sd"
  | "se"
  | "sh"
  | "si"
  | "sj"
  | "sk"
  | "sl"
  | "sm"
  | "sn"
  | "so"
  | "sr"
  | "ss"
  | "st"
  | "sv"
  | "sx"
  | "sy"
  | "sz"
  | "tc"
  | "td"
  | "tf"
  | "tg"
  | "th"
  | "tj"
  | "tk"
  | "tl"
  | "tm"
  | "tn"
  | "to"
  | "tr"
  | "tt"
  | "tv"
  | "tw"
  | "tz"
  | "ua"
  | "ug"
  | "um"
  | "uy"
  | "uz"
  | "va"
  | "vc"
  | "ve"
  | "vg"
  | "vi"
  | "vn"
  | "vu"
  | "wf"
  | "ws"
  | "ye"
  | "yt"
  | "za"
  | "zm"
  | "zw";
/**
 * Sections of a booking form.
 */
export type SectionKey = "personal_form" | "emergency_form" | "guarantor_form" | "confirmation_documents";
/**
 * Reader of a student's document by a link.
 */
export type DocumentAudience = "staff" | "provider";
/**
 * How a question is answered.
 */
export type FormFieldKind =
  "text" | "email" | "phone" | "date" | "select" | "textarea" | "checkbox" | "country" | "file";
/**
 * One answer.
 */
export type SectionAnswer = string | boolean;
/**
 * State of a booking form.
 */
export type FormStatus = "started" | "completed";
/**
 * Unit in which a lease is counted.
 */
export type LeaseUnit = "weeks" | "months";
export type U64 = number;
/**
 * How the booking stands that a payment is for.
 */
export type BookingNow = "not_yet" | "booked" | "ended";
/**
 * Call that the payment provider would get.
 */
export type BranchCall = "make_intent" | "cancel_intent" | "send_refund" | "lay_evidence";
/**
 * One gap's filling.
 */
export type SentenceParam = string | number;
/**
 * Streams of a lead's history.
 */
export type StreamKind = "lead" | "booking_form" | "payment" | "approval" | "user" | "case";
/**
 * A message that would go out.
 */
export type BranchMessageKind =
  | "arrived"
  | "form_submitted"
  | "form_left"
  | "payment_left"
  | "payment_pending"
  | "payment_failed"
  | "receipt"
  | "room_gone"
  | "refunded"
  | "booking_cancelled"
  | "payment_link"
  | "place_offered"
  | "link_withdrawn"
  | "home_closed"
  | "refund_returned"
  | "price_dropped"
  | "arrived_again"
  | "changed_for_you"
  | "contact_corrected"
  | "contact_left"
  | "mention"
  | "case_message"
  | "dispute_alert"
  | "refund_came_back";
/**
 * Recipient of a message.
 */
export type BranchReader = "student" | "colleagues" | "finance";
/**
 * A place of a text on a colour of a brand.
 */
export type BrandContrastPlace = "button" | "link" | "chip" | "footer";
/**
 * A font that a brand may choose.
 */
export type BrandFont = "inter" | "system";
/**
 * A section of the home page.
 */
export type HomeSection = "cities" | "recent" | "facts" | "how_it_works" | "ask";
/**
 * Where a setting's value comes from.
 */
export type SettingSource = "default" | "file" | "environment" | "here";
/**
 * Format of a picture that was uploaded for a brand.
 */
export type BrandPictureFormat = "jpeg" | "png" | "webp" | "svg";
/**
 * Kind of address that the code was sent to.
 */
export type By = "email" | "phone";
/**
 * Act of staff on a case.
 */
export type CaseActKind = "assign" | "due" | "note" | "team" | "close" | "reopen";
/**
 * Author of a message of a case.
 */
export type CaseSide = "person" | "staff";
/**
 * Side that has the next word in a case.
 */
export type CaseStatus = "waits_for_staff" | "waits_for_person" | "closed";
/**
 * Topic of a case.
 */
export type CaseTopic = "booking" | "payment" | "cashback" | "account" | "other";
/**
 * A way that a message goes.
 */
export type MessageChannel = "email" | "sms" | "whatsapp";
/**
 * How the payer answers a 3-D Secure challenge.
 */
export type Challenge = "pass" | "fail";
/**
 * Which of the two front doors is served (D119).
 */
export type SiteVariant = "standard" | "china";
/**
 * A form, by the page that it is on.
 */
export type ContactForm = "contact" | "partner" | "group_booking" | "university_partnerships";
/**
 * Meaning of another address for an enquiry that an account has.
 */
export type ContactMeaning = "same" | "slip" | "other_person";
/**
 * Reasons for which a line of a bank's file is no payout.
 */
export type LineReason = "own_transfer" | "bank_charge" | "customer_transfer" | "other_business";
/**
 * Deciders of what waits: finance, or another person than the one who asked.
 */
export type Decider = "finance" | "second_person";
/**
 * Why a card was declined.
 */
export type DeclineCode =
  | "live_mode_test_card"
  | "do_not_honor"
  | "generic_decline"
  | "insufficient_funds"
  | "transaction_not_allowed"
  | "testmode_decline"
  | "incorrect_number"
  | "expired_card"
  | "other";
/**
 * Grouping of the leads of a report.
 */
export type ReportGrouping = "week" | "source";
/**
 * A step that happened to a lead.
 */
export type LeadStep =
  | "enquired"
  | "waitlisted"
  | "viewing_requested"
  | "answered"
  | "wrote"
  | "form_started"
  | "form_completed"
  | "payment_started"
  | "declined"
  | "pending"
  | "sold_out"
  | "paid"
  | "booked"
  | "refunded"
  | "disputed"
  | "cancelled"
  | "lost"
  | "completed";
/**
 * Why a notice concerns no payment here.
 */
export type DismissReason = "other_system" | "test" | "returned" | "payment_checked";
/**
 * How a bank's dispute of a payment stands.
 */
export type DisputeState = "open" | "won" | "lost";
/**
 * Where a dispute stands at the bank, by the words of its notices.
 */
export type DisputeStatus = "needs_response" | "won" | "lost";
/**
 * As what a history is exported.
 */
export type ExportFormat = "json" | "pdf";
/**
 * The value of a fact.
 */
export type FactValue =
  | string
  | number
  | {
      [k: string]: string;
    }
  | string[]
  | TermsValue;
/**
 * Where a page lists an amenity.
 */
export type FeatureGroup = "bills" | "property" | "room" | "community" | "security";
/**
 * Rule of a run of an import for homes that its file does not name.
 */
export type MissingRule = "keep" | "withdraw" | "report";
/**
 * How a run of a scheduled feed ended.
 */
export type FeedEnd = "imported" | "unchanged" | "failed";
/**
 * Whose map is in force.
 */
export type FeedMapOrigin = "kept" | "suggested" | "person";
/**
 * Place where a feed's schedule is set: file or environment, or the workspace.
 */
export type FeedPlace = "setting" | "here";
/**
 * Whether anything is written.
 */
export type FeedRunKind = "dry_run" | "import";
/**
 * Work on an upload.
 */
export type FeedUploadWork = "look" | "dry_run" | "import";
/**
 * Who stopped the work.
 */
export type FeedUploadStopper = "person" | "server";
/**
 * Where the work on an upload stands.
 */
export type FeedUploadStage = "waiting" | "running" | "done" | "failed" | "stopped";
/**
 * Standing of a row of a bank's file beside the provider's account.
 */
export type FileVerdict =
  "matched" | "differing" | "unknown" | "pending" | "informational" | "missing" | "by_hand" | "explained";
/**
 * Why a row of a bank's file is no entry.
 */
export type FileReason =
  "heading" | "day" | "amount" | "too_fine" | "other_sign" | "currency" | "direction" | "open_quote" | "status";
/**
 * By what a line of a bank's file was found at the provider.
 */
export type FileFoundBy = "id" | "amount";
/**
 * Why a bank's file does not say for which days and currency it is complete.
 */
export type FileUncovered = "notification" | "page" | "period" | "currency" | "under_way";
/**
 * Matter that needs finance.
 */
export type FinanceAlertKind =
  | "failed_refunds"
  | "broken_chain"
  | "unknown_notices"
  | "misfit_notices"
  | "stuck_payments"
  | "red_reconciliation"
  | "dispute_deadlines"
  | "payments_refused"
  | "mails_refused"
  | "feeds_failed";
/**
 * Reason for which staff erases a person.
 */
export type ForgetWhy = "asked" | "not_needed" | "unlawful";
/**
 * Guarantors that are taken; `false`: none is needed.
 */
export type Guarantor = "local" | "international" | "false";
/**
 * Where a property stands.
 */
export type InventoryStatus = "draft" | "in_review" | "active" | "inactive" | "deleted";
/**
 * Marks of a property.
 */
export type Tag =
  | "not_available"
  | "dual_occupancy"
  | "exclusive"
  | "students_choice"
  | "breakfast_included"
  | "local_non_commissionable";
/**
 * Payment provider that moves the money.
 */
export type GatewayKind = "sandbox" | "stripe";
/**
 * State of the payment provider.
 */
export type GatewayState = "reachable" | "away";
/**
 * Who may stand surety.
 */
export type GuarantorSaid = "local" | "international" | "not_required" | "not_said";
/**
 * Rule for search engines that read a page.
 */
export type Robots = "index,follow" | "noindex,nofollow";
/**
 * An act of staff on a home as a whole.
 */
export type HomeActWord = "submit" | "ask_changes" | "activate" | "pause" | "reopen" | "close";
/**
 * How somebody has a room.
 */
export type HomeBookingState = "booked" | "held";
/**
 * Deed of an act on a home.
 */
export type HomeChange =
  | "listed"
  | "changed"
  | "edited"
  | "taken_back"
  | "rooms_changed"
  | "submitted"
  | "changes_asked"
  | "activated"
  | "paused"
  | "reopened"
  | "closed"
  | "merged"
  | "deleted"
  | "other";
/**
 * Who closed a home.
 */
export type HomeClosedBy = "feed" | "provider" | "staff";
/**
 * A state of a home as the house and its provider see it.
 */
export type KeptHomeState = "draft" | "in_review" | "changes_asked" | "active" | "paused" | "closed" | "deleted";
/**
 * A kind of house.
 */
export type KindSaid = "student_accommodation" | "apartment" | "university_hall" | "house" | "not_said";
/**
 * Whose value is shown.
 */
export type Whose = "feed" | "person";
/**
 * Something that a student misses at a home.
 */
export type HomeLack = "photos" | "leases" | "description" | "guarantor" | "bills" | "kind" | "facilities";
/**
 * Period of a price.
 */
export type HomePeriod = "weekly" | "monthly";
/**
 * An act on a photo.
 */
export type HomePhotoAct = "take_down" | "restore" | "retry";
/**
 * A feed or a person.
 */
export type HomePhotoSourceKind = "feed" | "person";
/**
 * Where a photo stands.
 */
export type HomePhotoState = "waiting" | "ready" | "refused" | "dead" | "taken_down";
/**
 * States of a home that a visitor may meet.
 */
export type HomeState = "active" | "paused" | "closed";
/**
 * Outcome of an act.
 */
export type HomeVerdictWord = "done" | "unchanged" | "refused";
/**
 * An act of staff on many homes at once.
 */
export type HomesActWord = "pause" | "reopen" | "close" | "move";
/**
 * Asker of a run of an import.
 */
export type ImportAsker = "operator" | "staff" | "schedule";
/**
 * How a run of an import ended.
 */
export type ImportOutcome = "complete" | "stopped" | "too_many_missing" | "number_not_typed";
/**
 * Benefit of an offer.
 */
export type OfferKind = "cashback" | "discount" | "voucher";
/**
 * The two answers of the housing filter.
 */
export type UnitType = "independent_house" | "student_accommodation";
/**
 * Which dialog a lead came from.
 */
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
/**
 * Act of the desk on a lead.
 */
export type LeadActKind =
  | "note"
  | "record_call"
  | "assign"
  | "set_team"
  | "close"
  | "reopen"
  | "change_stay"
  | "change_room"
  | "extend_hold"
  | "send_code"
  | "send_enquiry"
  | "correct_contact"
  | "undo_contact"
  | "ask_refund"
  | "ask_cancellation"
  | "mark_double"
  | "unmark_double";
/**
 * Why staff are to look at a lead.
 */
export type LeadAttention =
  "hold_ending" | "disputed" | "late" | "unanswered" | "declined" | "pending" | "referral_held";
/**
 * Why a lead is closed.
 */
export type LeadCloseCause =
  "booked_elsewhere" | "no_answer" | "no_room" | "price_too_high" | "plans_changed" | "not_genuine" | "other";
/**
 * A length as the forms write it, `44 weeks`, or as room types give it, a number whose unit stands beside it.
 */
export type LeaseSaid = string | number;
/**
 * How a part of the words in the box of the leads' list was understood.
 */
export type LeadWordsKind = "status" | "attention" | "created" | "move_in" | "contact" | "id" | "words";
/**
 * A stage of the desk's work on leads.
 */
export type LeadStage = "open" | "waits_for_student" | "declined_today";
/**
 * Which of the texts that a login accepts.
 */
export type LegalText = "terms" | "privacy";
/**
 * State of a region in the search.
 */
export type RegionState = "active" | "inactive" | "retired";
/**
 * Kinds of establishment.
 */
export type RegionSubtype = "university" | "college_campus" | "residence";
/**
 * State of writes to the log.
 */
export type LogWrites = "taken" | "disk_full" | "stopped";
/**
 * Kind of address of a login.
 */
export type LoginType = "email" | "phone";
/**
 * Part of a person's data that was looked at.
 */
export type Look = "contact" | "letter" | "answers" | "export" | "payments" | "history" | "payment" | "case";
/**
 * A way that messages go.
 */
export type MessageWay = "email" | "sms" | "whatsapp";
/**
 * Why a mirror ended.
 */
export type MirrorEnd = "student" | "staff" | "time" | "left" | "logout";
/**
 * A condition that a page waits for.
 */
export type MirrorGuard =
  "answers_complete" | "no_clash" | "form_up_to_date" | "link_open" | "payment_known" | "room_free";
/**
 * A ready sentence beside a field.
 */
export type Nudge = "goes_here" | "check_this" | "missing" | "choose_one" | "try_again";
/**
 * A page whose steps are shown to support.
 */
export type MirrorPage = "lead_form" | "booking_form" | "payment";
/**
 * A state of a page's machine.
 */
export type MirrorState =
  | "closed"
  | "form.editing"
  | "form.leaving"
  | "submitting"
  | "failure"
  | "continuation"
  | "saving"
  | "confirmation"
  | "requesting_viewing"
  | "finding"
  | "unreachable"
  | "found"
  | "remembering"
  | "room"
  | "starting"
  | "filling.resting"
  | "filling.waiting"
  | "filling.saving"
  | "filling.kept"
  | "completing"
  | "submitted"
  | "loading"
  | "missing"
  | "init"
  | "init_loading"
  | "init_failure"
  | "initiated"
  | "processing.entering"
  | "processing.sending"
  | "processing.waiting"
  | "processing.answering"
  | "processing"
  | "pending"
  | "failed"
  | "sold_out"
  | "success";
export type Nothing = null;
export type PagePayload =
  | {
      chrome: Chrome;
      data: HomePage;
      head: Head;
      redirect: null | string;
      route: "home";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: SearchPage;
      head: Head;
      redirect: null | string;
      route: "search";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: PropertyPage;
      head: Head;
      redirect: null | string;
      route: "property";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: BookingFormPage;
      head: Head;
      redirect: null | string;
      route: "booking_form";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: BookingFormPage;
      head: Head;
      redirect: null | string;
      route: "application";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: PaymentEntryPage;
      head: Head;
      redirect: null | string;
      route: "payment";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: PaymentTokenPage;
      head: Head;
      redirect: null | string;
      route: "payment_token";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: PaymentCompletePage;
      head: Head;
      redirect: null | string;
      route: "payment_complete";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: ReceiptPage;
      head: Head;
      redirect: null | string;
      route: "receipt";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: VerifyPage;
      head: Head;
      redirect: null | string;
      route: "verify";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: FormSubmittedPage;
      head: Head;
      redirect: null | string;
      route: "form_submitted";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: ProfilePage;
      head: Head;
      redirect: null | string;
      route: "profile";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: SupportLinkPage;
      head: Head;
      redirect: null | string;
      route: "support_link";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: WorkspacePage;
      head: Head;
      redirect: null | string;
      route: "workspace";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: LegalPage;
      head: Head;
      redirect: null | string;
      route: "legal";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: ContentPage;
      head: Head;
      redirect: null | string;
      route: "content";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: HelpPage;
      head: Head;
      redirect: null | string;
      route: "help";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: BlogPage;
      head: Head;
      redirect: null | string;
      route: "blog";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: PostPage;
      head: Head;
      redirect: null | string;
      route: "post";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: SiteMapPage;
      head: Head;
      redirect: null | string;
      route: "site_map";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: NotFoundPage;
      head: Head;
      redirect: null | string;
      route: "not_found";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    }
  | {
      chrome: Chrome;
      data: ServerErrorPage;
      head: Head;
      redirect: null | string;
      route: "server_error";
      status: number;
      /**
       * Path and query this payload answers
       */
      url: string;
    };
/**
 * Pages behind the login guard.
 */
export type ProfileTab = "profile" | "leads" | "shortlist" | "support" | "cashback";
/**
 * Pages that belong together in the footer and on the site map.
 */
export type Shelf = "students" | "house" | "help";
/**
 * Next step of the payer.
 */
export type PaymentActionType = "three_d_secure";
/**
 * How far a refund has come.
 */
export type RefundStatus = "requested" | "sent" | "acknowledged" | "failed" | "paid_elsewhere";
/**
 * Consequence of a refund.
 */
export type RefundConsequence =
  | "recorded"
  | "money_back"
  | "payer_told"
  | "booking_stays"
  | "no_booking"
  | "other_payment_keeps_room"
  | "room_free"
  | "booking_ends"
  | "end_told";
/**
 * How a place in a waitlist stands.
 */
export type PlaceState = "waiting" | "offered" | "taken" | "lapsed" | "left" | "booked" | "closed";
/**
 * Kinds of house.
 */
export type PropertyKind = "student_accommodation" | "apartment" | "university_hall" | "house";
/**
 * Standing of the provider's movement beside our books.
 */
export type ProviderVerdict = "matched" | "differing" | "missing_here" | "missing_there" | "own";
/**
 * Which document a receipt is.
 */
export type ReceiptKind = "receipt" | "credit_note";
/**
 * Kind of a line of a receipt.
 */
export type ReceiptLineKind =
  "deposit" | "refundable_token" | "platform_fee" | "rent" | "processing_fee" | "charged_again" | "refund";
/**
 * Fault of a receipt's proof.
 */
export type ReceiptFault = "unreadable" | "key" | "events" | "number" | "lines" | "names" | "pages" | "log";
/**
 * Kind of comparison of the reconciliation.
 */
export type ReconciliationCheck =
  | "missing_here"
  | "missing_there"
  | "differing"
  | "fee_differs"
  | "told_twice"
  | "payout_late"
  | "payout_differs"
  | "unbalanced"
  | "below_zero"
  | "total_differs";
/**
 * Roles of staff.
 */
export type Role = "support" | "finance" | "admin";
/**
 * Standing of a room that a payer did not get.
 */
export type RoomNow = "sold" | "held" | "free";
/**
 * Why a notice waits for a person instead of being taken in.
 */
export type SetAsideReason =
  "no_payment" | "unknown_payment" | "currency_differs" | "amount_differs" | "beyond_payment";
/**
 * Unit in which a setting is counted.
 */
export type SettingUnit = "money" | "hours" | "days" | "minutes" | "names" | "roles" | "address" | "text" | "switch";
export type Sign = -1 | 0 | 1;
/**
 * Why a room is gone.
 */
export type SoldOutReason = "no_room" | "hold_lost" | "too_many_holds" | "other_room_booked";
/**
 * A number, or `5000+`.
 */
export type ViewCount = number | string;
/**
 * Act that staff can try on a branch of a lead's history.
 */
export type WhatIfAct =
  | "close"
  | "reopen"
  | "change_stay"
  | "change_room"
  | "extend_hold"
  | "send_enquiry"
  | "ask_refund"
  | "ask_cancellation"
  | "refund"
  | "cancel_booking";
/**
 * Why a payment was taken back before it was paid.
 */
export type WithdrawnBy = "replacement" | "person";

export interface Served {
  [k: string]: unknown;
}
/**
 * That the account was read.
 */
export interface AccountRead {
  read: boolean;
}
export interface Activity {
  counts: ActivityCounts;
  leads: List_ActivityLead;
  shortlisted: InventoryCard[];
}
export interface ActivityCounts {
  booked: number;
  enquired: number;
  shortlisted: number;
}
/**
 * `{"meta":…,"result":[…]}`.
 */
export interface List_ActivityLead {
  meta: ListMeta;
  result: ActivityLead[];
}
/**
 * Where a page stands in its list. Pages count from 1.
 */
export interface ListMeta {
  count: number;
  current_page: number;
  limit: number;
  next: number | null;
  pages: number;
  prev: number | null;
}
export interface ActivityLead {
  created_at: string;
  lead_uuid: string;
  /**
   * Payment links that staff made for this booking, oldest first; those taken back are left out.
   */
  links: ActivityLink[];
  move_in_date: string | null;
  next_action: NextAction | null;
  payment: ActivityPayment | null;
  price_lock: PriceLock | null;
  property: ActivityProperty;
  reference: string;
  room: ActivityRoom | null;
  state: LeadStatus;
  steps: ActivityStep[];
}
/**
 * One link: to be paid, paid, or over.
 */
export interface ActivityLink {
  currency: string;
  decimals: number;
  due_on: string | null;
  expires_at: string;
  state: PaymentLinkState;
  symbol: string;
  /**
   * Its payment's secret half: the page is `/payments/{token}`.
   */
  token: string;
  total_minor: number;
  type: PaymentType;
}
export interface NextAction {
  deadline: string | null;
  href: string;
  key: NextActionKey;
}
export interface ActivityPayment {
  currency: string;
  status: PaymentStatus;
  token: string;
  total_minor: number;
}
/**
 * Price that the enquiry froze, while nothing is booked.
 */
export interface PriceLock {
  /**
   * Price that counts: the lower one before the deadline, today's after it.
   */
  counts_minor: number;
  currency: string;
  decimals: number;
  duration: Period;
  /**
   * The price of the stay when it was asked for.
   */
  frozen_minor: number;
  now_minor: number;
  state: PriceLockState;
  symbol: string;
  until: string;
}
export interface ActivityProperty {
  address: string;
  canonical_name: string;
  image: string;
  name: string;
}
export interface ActivityRoom {
  name: string;
  price: Price;
}
/**
 * A price as cards and pages show it: never without currency and period.
 */
export interface Price {
  amount_minor: number;
  currency: string;
  decimals: number;
  duration: Period;
  symbol: string;
}
export interface ActivityStep {
  at: string | null;
  key: ActivityStepKey;
  state: ActivityStepState;
}
/**
 * A property as a search result shows it. Distances are from the search's centre.
 */
export interface InventoryCard {
  available: boolean;
  badges: Badge[];
  canonical_name: string;
  distance_m: number | null;
  id: string;
  images: Image[];
  /**
   * Null where nobody said a point, like `lng`.
   */
  lat: number | null;
  lng: number | null;
  name: string;
  /**
   * At most five, a room first; without previews.
   */
  photos: Photo[];
  price: Price;
  region: RegionName;
  reviews_count: number;
  reviews_rating: number | null;
  room_kinds: ConfigurationKey[];
  rooms_left: number | null;
  state: ("active" | "paused" | "closed") | null;
  transit: Travel | null;
  walking: Travel | null;
}
/**
 * A badge that says all by its kind.
 */
export interface PlainBadge {
  /**
   * Kinds of badge without a value.
   */
  kind:
    | "top_rated"
    | "filling_fast"
    | "property_of_the_day"
    | "exclusive"
    | "students_choice"
    | "immediate_move_in"
    | "breakfast_included";
}
/**
 * Money back, and how much at the most.
 */
export interface CashbackBadge {
  /**
   * The one kind of badge with a value.
   */
  kind: "cashback";
  value: Price;
}
export interface Image {
  caption: string;
  path: string;
}
/**
 * A photo or a plan with its sizes.
 */
export interface Photo {
  /**
   * Words for those who do not see it.
   */
  alt: string;
  /**
   * Empty where its source gave it none.
   */
  caption: string;
  height: number;
  /**
   * `exterior`, `room`, `bathroom`, `kitchen`, `common` or `plan`; null where nobody said it.
   */
  kind: string | null;
  /**
   * A data URL of a few pixels, shown until the photo is there; may be empty.
   */
  preview: string;
  /**
   * Its widths, the smallest first.
   */
  sources: PhotoSource[];
  /**
   * Pixels of the original.
   */
  width: number;
}
/**
 * One width of a photo, in two formats.
 */
export interface PhotoSource {
  jpeg: string;
  webp: string;
  width: number;
}
/**
 * A region named in passing.
 */
export interface RegionName {
  canonical_name: string;
  id: string;
  name: string;
}
/**
 * A way and how long it takes.
 */
export interface Travel {
  distance_m: number;
  duration_s: number;
}
export interface ActorRef {
  kind: TimelineActor;
  label: string;
}
/**
 * A postal address, part by part.
 */
export interface Address {
  country?: PlaceName;
  district?: PlaceName;
  locality?: PlaceName;
  postal_code?: PlaceName;
  route?: PlaceName;
  state?: PlaceName;
  street_number?: PlaceName;
}
/**
 * A part of an address in its long and its short form.
 */
export interface PlaceName {
  long_name: string;
  short_name: string;
}
/**
 * The same page in another language.
 */
export interface Alternate {
  href: string;
  lang: Lang;
}
/**
 * One of the regions above another.
 */
export interface Ancestor {
  canonical_name: string;
  id: string;
  name: string;
  region_type: RegionType;
}
/**
 * How rooms are taken in a region.
 */
export interface ApplicationConfigs {
  flow: Flow;
}
/**
 * A request with who asked and who decided.
 */
export interface Approval {
  amount_minor: number;
  answered_at: string | null;
  /**
   * Colleague who answered the request without this; nothing is left to decide then.
   */
  answered_by: string | null;
  asked_at: string;
  asked_by: string;
  /**
   * Why it was decided so; null where who decided said nothing, and once its person is forgotten.
   */
  because: string | null;
  booking: BookingChoice | null;
  credit: Account | null;
  currency: string;
  debit:
    | (
        | "gateway_clearing"
        | "payouts_in_transit"
        | "bank"
        | "disputes"
        | "deposits"
        | "holding_fees"
        | "rent"
        | "refunds_payable"
        | "paid_elsewhere"
        | "rewards_payable"
        | "suspense"
        | "platform_fees"
        | "processing_fees"
        | "gateway_fees"
        | "dispute_fees"
        | "dispute_losses"
        | "referral_rewards"
        | "exchange_differences"
      )
    | null;
  decided_at: string | null;
  decided_by: string | null;
  decimals: number;
  decision: ("approved" | "declined") | null;
  id: string;
  /**
   * The exception of the reconciliation that a correction mends.
   */
  item: string | null;
  kind: ApprovalKind;
  /**
   * The reader asked, and cannot decide.
   */
  own: boolean;
  /**
   * Of a refund.
   */
  payment_id: string | null;
  payment_reference: string | null;
  /**
   * Why, in words of the asker; null once its person is forgotten.
   */
  reason: string | null;
  /**
   * Why the colleague requested it; null once its person is forgotten.
   */
  request_reason: string | null;
  /**
   * Of a refund that grants a colleague's request: the colleague.
   */
  requested_by: string | null;
}
export interface AssignRequest {
  /**
   * A member of staff's id, `me`, or null for no owner.
   */
  owner?: string | null;
  /**
   * Why, for colleagues; may be left out.
   */
  reason?: string | null;
}
/**
 * A list with the totals of everything that matches, not only of the page.
 */
export interface AuditPage {
  meta: ListMeta;
  result: AuditRow[];
  totals: CurrencyTotals[];
}
export interface AuditRow {
  amount_minor: number;
  by_hand: ByHand | null;
  causation_position: number | null;
  currency: string;
  decimals: number;
  detail: string;
  gateway_id: string | null;
  kind: AuditKind;
  lead_id: string;
  lead_reference: string;
  /**
   * 0 for the event itself, 1 for what the gateway charged by it.
   */
  line: number;
  payment_id: string;
  payment_reference: string;
  position: number;
  property: string;
  recorded_at: string;
  request_id: string | null;
  /**
   * 1: money in, -1: money out, 0: no money moved.
   */
  sign: -1 | 0 | 1;
}
/**
 * Of an act of staff: who and why.
 */
export interface ByHand {
  /**
   * Why it was approved; null where nothing was recorded, and once its person is forgotten.
   */
  approval_reason: string | null;
  /**
   * Approver of it, or of a colleague's request; both names where a second person had to. Null where it needed no approval.
   */
  approved_by: string | null;
  /**
   * Member of staff who asked.
   */
  asked_by: string;
  /**
   * Why, in words of the asker; null where nothing was recorded, and once its person is forgotten.
   */
  reason: string | null;
}
export interface CurrencyTotals {
  captured_minor: number;
  currency: string;
  decimals: number;
  disputed_minor: number;
  /**
   * Fees that the gateway charged for disputes, less what it gave back of them.
   */
  fees_minor: number;
  /**
   * Money that came in less all that went out: the sum of the amounts of the events that are listed.
   */
  net_minor: number;
  pending_minor: number;
  refunded_minor: number;
}
/**
 * A room that is or was waited for.
 */
export interface AwaitedRoom {
  city: string;
  /**
   * Places that are over.
   */
  ended: number;
  offered: number;
  property: string;
  room: string;
  room_id: string;
  waiting: number;
}
/**
 * A statement that is kept. Its file is sealed.
 */
export interface BankStatement {
  /**
   * The last four signs of the account's number, where the file names it.
   */
  account_end: string | null;
  bytes: number;
  covered: FileCovered[];
  /**
   * Lines that were decided by hand.
   */
  decided: number;
  form: FileForm;
  id: string;
  /**
   * RFC 3339.
   */
  kept_at: string;
  /**
   * Member of staff who gave it in; empty for an account that is no staff any more.
   */
  kept_by: string;
  /**
   * RFC 3339: then it is deleted.
   */
  kept_until: string;
  /**
   * Downloads, newest first.
   */
  openings: StatementOpening[];
  /**
   * Lines whose words were removed since they named someone who was forgotten.
   */
  redacted: number;
  rows: number;
  /**
   * SHA-256 of the file, in hex.
   */
  sha256: string;
}
/**
 * The days of an account for which the file is complete: a payout is missing there alone.
 */
export interface FileCovered {
  currency: string;
  first: string;
  last: string;
}
/**
 * One download of a statement's file.
 */
export interface StatementOpening {
  /**
   * RFC 3339.
   */
  at: string;
  by: string;
}
/**
 * `/blog`, or the posts of an author or with a tag.
 */
export interface BlogPage {
  /**
   * The page shows a part of the posts.
   */
  is_part: boolean;
  lead: string | null;
  posts: PostCard[];
  title: string;
}
/**
 * A post as a list shows it.
 */
export interface PostCard {
  author: PageLink;
  description: string;
  href: string;
  tags: PageLink[];
  title: string;
  /**
   * The day on which it was written.
   */
  written_on: string;
}
/**
 * A link with its name in the reader's language.
 */
export interface PageLink {
  href: string;
  name: string;
}
/**
 * An account in a period; amounts are minor units, debits less credits above zero.
 */
export interface BookAccount {
  account: Account;
  closing_minor: number;
  credit_minor: number;
  debit_minor: number;
  nature: AccountNature;
  opening_minor: number;
}
/**
 * The accounts of one currency; a sum other than zero is an error in the books.
 */
export interface BookCurrency {
  accounts: BookAccount[];
  credit_minor: number;
  currency: string;
  debit_minor: number;
  decimals: number;
  /**
   * All closing balances together.
   */
  sum_minor: number;
}
/**
 * One entry with the event that made it.
 */
export interface BookPosting {
  account: Account;
  /**
   * Of the account after this entry; null where entries of several accounts are listed.
   */
  balance_minor: number | null;
  credit_minor: number;
  currency: string;
  debit_minor: number;
  decimals: number;
  /**
   * Kind of event, e.g. `captured`, `gateway_fee`, `payout`, `correction`.
   */
  kind: string;
  payment_id: string | null;
  payment_reference: string | null;
  /**
   * Of the causing event in the log.
   */
  position: number;
  recorded_at: string;
  /**
   * The provider's object, e.g. a charge.
   */
  source: string | null;
}
/**
 * A page of an account's entries, oldest first.
 */
export interface BookPostings {
  account: Account;
  closing_minor: number;
  currency: string;
  decimals: number;
  meta: ListMeta;
  opening_minor: number;
  result: BookPosting[];
}
/**
 * The trial balance, or a period of it.
 */
export interface BookReport {
  currencies: BookCurrency[];
  from: string | null;
  /**
   * Not included.
   */
  to: string | null;
}
/**
 * The property a form or payment is about.
 */
export interface BookedProperty {
  available: boolean;
  bookable: boolean;
  canonical_name: string;
  flow: Flow;
  guarantor_required: boolean | null;
  id: string;
  image: Image;
  name: string;
  payment_before_bookform: boolean;
  region: BookedRegion;
}
/**
 * The city of a booked property.
 */
export interface BookedRegion {
  canonical_name: string;
  country_key: CountryKey;
  name: string;
}
/**
 * A form as its owner reads it.
 */
export interface BookingForm {
  completed_sections: SectionKey[];
  documents: SentDocument[];
  flow: Flow;
  form: CustomForm;
  form_uuid: string;
  inventory_id: string;
  lead_uuid: string;
  place: FormPlace | null;
  price_lock: PriceLock1 | null;
  sections: FormSections;
  status: FormStatus;
  stay: PaymentRoom | null;
  version: U64;
}
/**
 * A document of a form, with the link that opens it for a while.
 */
export interface SentDocument {
  href: string;
  id: string;
  media_type: string;
  name: string;
  /**
   * Colleagues who opened it too, oldest first.
   */
  opened: DocumentOpening[];
  size_bytes: number;
}
/**
 * One look of support or the provider at a document.
 */
export interface DocumentOpening {
  at: string;
  by: DocumentAudience;
}
/**
 * Questions of a booking or application form.
 */
export interface CustomForm {
  sections: FormSection[];
}
/**
 * One page of questions.
 */
export interface FormSection {
  after_payment: boolean;
  fields: FormField[];
  hidden: boolean;
  key: SectionKey;
  last: boolean;
  /**
   * Printed step number: from 2 before payment, from 1 after it (D92).
   */
  step: number;
}
/**
 * One question.
 */
export interface FormField {
  key: string;
  options: string[];
  required: boolean;
  type: FormFieldKind;
  visible_if: VisibleIf | null;
}
/**
 * Shows a question only while another one has a value.
 */
export interface VisibleIf {
  equals: string;
  field: string;
}
/**
 * Where the student stopped, on whichever device.
 */
export interface FormPlace {
  field: string | null;
  section: SectionKey;
}
/**
 * Price that the enquiry froze, while nothing is booked.
 */
export interface PriceLock1 {
  /**
   * Price that counts: the lower one before the deadline, today's after it.
   */
  counts_minor: number;
  currency: string;
  decimals: number;
  duration: Period;
  /**
   * The price of the stay when it was asked for.
   */
  frozen_minor: number;
  now_minor: number;
  state: PriceLockState;
  symbol: string;
  until: string;
}
/**
 * Answers per section; a section saved but not valid yet is kept too.
 */
export interface FormSections {
  confirmation_documents?: SectionAnswers;
  emergency_form?: SectionAnswers;
  guarantor_form?: SectionAnswers;
  personal_form?: SectionAnswers;
}
/**
 * Answers by question; a checkbox is true or false.
 */
export interface SectionAnswers {
  [k: string]: SectionAnswer;
}
/**
 * Room and stay of the payment behind the form, or of one that is opened now; null where the room is not let for the wish.
 */
export interface PaymentRoom {
  lease_duration: number;
  lease_duration_unit: LeaseUnit;
  move_in_date: string;
  name: string;
  rent: Price;
}
/**
 * `/places/{name}/form` and `/application`.
 */
export interface BookingFormPage {
  form: CustomForm;
  /**
   * Amounts that are paid in the next step, without the processing fee.
   */
  payment_summary: DueLine[];
  prefill: Prefill;
  /**
   * Percentage that is added for processing it: `3.627`, or `0` where nothing is.
   */
  processing_fee_percent: string;
  property: BookedProperty;
  room_types: RoomType[];
  with_accommodation_card: boolean;
}
/**
 * Part of the price that is due before the stay.
 */
export interface DueLine {
  amount: Price;
  /**
   * The house's default, which is no term of the home: it names no deposit of its own.
   */
  is_default: boolean;
  type: PaymentType;
}
/**
 * Fields that an address fills in (Spec §2).
 */
export interface Prefill {
  bookform_source: string | null;
  configuration: string | null;
  email: string | null;
  first_name: string | null;
  inventory_id: string | null;
  last_name: string | null;
  lead_uuid: string | null;
  lease_duration: string | null;
  move_in_date: string | null;
  phone: string | null;
  phone_code: string | null;
  show_submit_confirmation: boolean;
  university: string | null;
}
/**
 * One kind of room.
 */
export interface RoomType {
  area_sqm: number | null;
  available: boolean;
  configuration: string | null;
  facts: string[];
  from: Price;
  id: string;
  image: Image1 | null;
  meta_types: MetaTypes;
  name: string;
  options: RoomOption[];
  /**
   * Its own photos.
   */
  photos: Photo[];
  plans: Photo[];
  /**
   * Null where it can be booked and the number of rooms is not said.
   */
  rooms_left: number | null;
}
/**
 * Null where there is neither a photo nor a drawing of the demo.
 */
export interface Image1 {
  caption: string;
  path: string;
}
/**
 * Spec §7: `meta_types` split into room, bathroom and kitchen.
 */
export interface MetaTypes {
  bathroom_types: string[];
  kitchen_types: string[];
  room_types: string[];
}
/**
 * One lease: what is booked.
 */
export interface RoomOption {
  /**
   * Null where nobody said it, like the three below.
   */
  book_by: string | null;
  /**
   * Its last day to book is over.
   */
  booking_over: boolean;
  deposit: Price1 | null;
  ends_on: string | null;
  inventory_id: string;
  lease_duration: number;
  lease_duration_unit: LeaseUnit;
  move_in_date: string;
  /**
   * The last day of moving in, where there is more than one.
   */
  move_in_until: string | null;
  /**
   * Nothing is paid for it through the house: it is asked about, since a booking begins with a payment.
   */
  nothing_due: boolean;
  price: Price;
  /**
   * Null where it can be booked and the number of rooms is not said.
   */
  rooms_left: number | null;
}
/**
 * A price as cards and pages show it: never without currency and period.
 */
export interface Price1 {
  amount_minor: number;
  currency: string;
  decimals: number;
  duration: Period;
  symbol: string;
}
/**
 * A payment link of the same lead.
 */
export interface BookingLink {
  payment_id: string;
  reference: string;
  refundable_minor: number;
  /**
   * How a payment link of staff stands.
   */
  state: "open" | "under_way" | "paid" | "refunded" | "withdrawn" | "expired";
  total_minor: number;
  type: PaymentType;
}
/**
 * The rectangle around a region.
 */
export interface Bounds {
  northeast: Coordinates;
  southwest: Coordinates;
}
/**
 * A point on earth.
 */
export interface Coordinates {
  lat: number;
  lng: number;
}
/**
 * One event that would be recorded.
 */
export interface BranchEvent {
  /**
   * The act that makes it, from 0; null: it follows from one.
   */
  step: number | null;
  /**
   * Kind of stream that it goes into, e.g. `room_stock`.
   */
  stream: string;
  told: TimelineEvent | null;
  type: string;
}
/**
 * Its sentence, where it is part of the lead's history.
 */
export interface TimelineEvent {
  actor: ActorRef;
  because_of: number | null;
  changes: TimelineChange[];
  failed: boolean;
  n: number;
  position: number;
  recorded_at: string;
  revision: number;
  sentence: Sentence;
  stream: StreamKind;
  stream_id: string;
  type: string;
}
/**
 * Changes of one event: all changes up to an event give the state at it. Personal values are masked.
 */
export interface TimelineChange {
  field: string;
  from: string | null;
  masked: boolean;
  to: string | null;
}
export interface Sentence {
  key: string;
  params: SentenceParams;
}
/**
 * Values that fill the gaps of a sentence.
 */
export interface SentenceParams {
  [k: string]: SentenceParam;
}
/**
 * A message that would go out.
 */
export interface BranchMessage {
  kind: BranchMessageKind;
  to: BranchReader;
}
/**
 * One line of the books: debit or credit is above zero.
 */
export interface BranchPosting {
  account: Account;
  credit_minor: number;
  currency: string;
  debit_minor: number;
  decimals: number;
  payment_reference: string;
  type: string;
}
/**
 * The price of a stay that is not booked, per period of its home; null where it is booked or its home lets no such room.
 */
export interface BranchStayPrice {
  after_minor: number | null;
  before_minor: number | null;
  currency: string;
  decimals: number;
  duration: Period;
  symbol: string;
}
/**
 * The house's brand: the draft, and what readers see.
 */
export interface Brand {
  /**
   * Values of the draft that readers do not see yet.
   */
  changed: string[];
  colours: BrandColours;
  draft: BrandValues;
  /**
   * RFC 3339, as all times.
   */
  drafted_at: string | null;
  drafted_by: string | null;
  /**
   * Values that file or environment give.
   */
  given: GivenBrandValue[];
  pictures: BrandPictureView[];
  published: BrandVersion | null;
  /**
   * Of its last event: a change names it.
   */
  revision: number;
}
/**
 * Of the draft.
 */
export interface BrandColours {
  contrasts: BrandContrast[];
  /**
   * Custom properties of pages without their dashes (`act-hover`), with their colours; none where the look chooses no colour.
   */
  tokens: {
    [k: string]: string;
  };
}
/**
 * A text on a colour of the brand.
 */
export interface BrandContrast {
  /**
   * The colour that was chosen, where it gives way to `ground`: the nearest that can be read.
   */
  chosen: string | null;
  chosen_ratio: number | null;
  ground: string;
  place: BrandContrastPlace;
  /**
   * From 1 to 21; 4.5 is needed.
   */
  ratio: number;
  text: string;
}
/**
 * Everything that a brand may say of itself; what it does not say is null, and as the house ships it.
 */
export interface BrandValues {
  app_icon?: string | null;
  /**
   * The main colour where it is null.
   */
  button_colour?: string | null;
  /**
   * ISO 4217.
   */
  currency?: string | null;
  favicon?: string | null;
  /**
   * Language of readers who chose none.
   */
  first_language?: string | null;
  font?: BrandFont | null;
  footer_colour?: string | null;
  footer_links?: BrandLink[] | null;
  /**
   * The heading of the home page.
   */
  hero?: {
    [k: string]: string | null;
  } | null;
  /**
   * The sentence below it.
   */
  hero_lede?: {
    [k: string]: string | null;
  } | null;
  /**
   * At the head of papers, a line each.
   */
  letterhead?: string[] | null;
  /**
   * The picture's content, as its upload answers; on white. Marks of tabs and devices are made of it unless they are given.
   */
  logo?: string | null;
  logo_dark?: string | null;
  /**
   * Under every mail, a line each.
   */
  mail_small_print?: string[] | null;
  /**
   * `#7A2E5D`, as all colours.
   */
  main_colour?: string | null;
  name?: string | null;
  /**
   * The place that searches begin with, by its name in addresses.
   */
  region?: string | null;
  /**
   * Sections of the home page that are shown, in their order; null for all.
   */
  sections?: HomeSection[] | null;
  /**
   * For links that are shared.
   */
  social_picture?: string | null;
  support?: BrandContact[] | null;
  /**
   * By the tag of its language, as all texts; in a change null takes one away.
   */
  tagline?: {
    [k: string]: string | null;
  } | null;
}
/**
 * A link of the footer.
 */
export interface BrandLink {
  /**
   * A path of the site, or an `https` address.
   */
  href: string;
  label: {
    [k: string]: string;
  };
}
/**
 * Ways to reach the house from a country.
 */
export interface BrandContact {
  /**
   * A name in a chat program.
   */
  chat?: string | null;
  country?:
    | (
        | "us"
        | "uk"
        | "canada"
        | "spain"
        | "ireland"
        | "australia"
        | "germany"
        | "france"
        | "singapore"
        | "uae"
        | "india"
        | "new_zealand"
        | "korea"
        | "denmark"
        | "ad"
        | "af"
        | "ag"
        | "ai"
        | "al"
        | "am"
        | "ao"
        | "aq"
        | "ar"
        | "as"
        | "at"
        | "aw"
        | "ax"
        | "az"
        | "ba"
        | "bb"
        | "bd"
        | "be"
        | "bf"
        | "bg"
        | "bh"
        | "bi"
        | "bj"
        | "bl"
        | "bm"
        | "bn"
        | "bo"
        | "bq"
        | "br"
        | "bs"
        | "bt"
        | "bv"
        | "bw"
        | "by"
        | "bz"
        | "cc"
        | "cd"
        | "cf"
        | "cg"
        | "ch"
        | "ci"
        | "ck"
        | "cl"
        | "cm"
        | "cn"
        | "co"
        | "cr"
        | "cu"
        | "cv"
        | "cw"
        | "cx"
        | "cy"
        | "cz"
        | "dj"
        | "dm"
        | "do"
        | "dz"
        | "ec"
        | "ee"
        | "eg"
        | "eh"
        | "er"
        | "et"
        | "fi"
        | "fj"
        | "fk"
        | "fm"
        | "fo"
        | "ga"
        | "gd"
        | "ge"
        | "gf"
        | "gg"
        | "gh"
        | "gi"
        | "gl"
        | "gm"
        | "gn"
        | "gp"
        | "gq"
        | "gr"
        | "gs"
        | "gt"
        | "gu"
        | "gw"
        | "gy"
        | "hk"
        | "hm"
        | "hn"
        | "hr"
        | "ht"
        | "hu"
        | "id"
        | "il"
        | "im"
        | "io"
        | "iq"
        | "ir"
        | "is"
        | "it"
        | "je"
        | "jm"
        | "jo"
        | "jp"
        | "ke"
        | "kg"
        | "kh"
        | "ki"
        | "km"
        | "kn"
        | "kp"
        | "kw"
        | "ky"
        | "kz"
        | "la"
        | "lb"
        | "lc"
        | "li"
        | "lk"
        | "lr"
        | "ls"
        | "lt"
        | "lu"
        | "lv"
        | "ly"
        | "ma"
        | "mc"
        | "md"
        | "me"
        | "mf"
        | "mg"
        | "mh"
        | "mk"
        | "ml"
        | "mm"
        | "mn"
        | "mo"
        | "mp"
        | "mq"
        | "mr"
        | "ms"
        | "mt"
        | "mu"
        | "mv"
        | "mw"
        | "mx"
        | "my"
        | "mz"
        | "na"
        | "nc"
        | "ne"
        | "nf"
        | "ng"
        | "ni"
        | "nl"
        | "no"
        | "np"
        | "nr"
        | "nu"
        | "om"
        | "pa"
        | "pe"
        | "pf"
        | "pg"
        | "ph"
        | "pk"
        | "pl"
        | "pm"
        | "pn"
        | "pr"
        | "ps"
        | "pt"
        | "pw"
        | "py"
        | "qa"
        | "re"
        | "ro"
        | "rs"
        | "ru"
        | "rw"
        | "sa"
        | "sb"
        | "sc"
        | "sd"
        | "se"
        | "sh"
        | "si"
        | "sj"
        | "sk"
        | "sl"
        | "sm"
        | "sn"
        | "so"
        | "sr"
        | "ss"
        | "st"
        | "sv"
        | "sx"
        | "sy"
        | "sz"
        | "tc"
        | "td"
        | "tf"
        | "tg"
        | "th"
        | "tj"
        | "tk"
        | "tl"
        | "tm"
        | "tn"
        | "to"
        | "tr"
        | "tt"
        | "tv"
        | "tw"
        | "tz"
        | "ua"
        | "ug"
        | "um"
        | "uy"
        | "uz"
        | "va"
        | "vc"
        | "ve"
        | "vg"
        | "vi"
        | "vn"
        | "vu"
        | "wf"
        | "ws"
        | "ye"
        | "yt"
        | "za"
        | "zm"
        | "zw"
      )
    | null;
  email?: string | null;
  hours?: string | null;
  phone?: string | null;
}
/**
 * A value that file or environment give: it wins over what is published.
 */
export interface GivenBrandValue {
  name: string;
  source: SettingSource;
  value: string;
}
/**
 * A picture of a brand, in its sizes.
 */
export interface BrandPictureView {
  /**
   * Names it in the values of a draft.
   */
  content: string;
  format: BrandPictureFormat;
  height: number;
  /**
   * Square, for tabs and devices; the smallest first.
   */
  icons: string[];
  /**
   * For links that are shared.
   */
  shared: string;
  /**
   * The picture as heads of pages and mails show it.
   */
  url: string;
  /**
   * Pixels of `url`.
   */
  width: number;
}
/**
 * Null while nothing was published.
 */
export interface BrandVersion {
  at: string;
  /**
   * Null for the command line.
   */
  by: string | null;
  /**
   * Values that differ from the version before.
   */
  changed: string[];
  /**
   * The version that was brought back.
   */
  of: number | null;
  /**
   * For colleagues; null where nobody said why.
   */
  reason: string | null;
  values: BrandValues;
  version: number;
}
/**
 * Colours of a look, and how well they can be read.
 */
export interface BrandColours1 {
  contrasts: BrandContrast[];
  /**
   * Custom properties of pages without their dashes (`act-hover`), with their colours; none where the look chooses no colour.
   */
  tokens: {
    [k: string]: string;
  };
}
/**
 * Values to change; one that is not named stays, and null gives one back to what ships.
 */
export interface BrandEdit {
  /**
   * The revision of the brand that was read: one that was changed since refuses the edit.
   */
  revision: number;
  values: BrandValues;
}
/**
 * A picture with its pixels.
 */
export interface BrandMark {
  height: number;
  url: string;
  width: number;
}
/**
 * The draft with these values.
 */
export interface BrandPreview {
  colours: BrandColours1;
  values: BrandValues;
}
/**
 * A draft to publish.
 */
export interface BrandPublication {
  /**
   * Why, for colleagues.
   */
  reason?: string | null;
  /**
   * The revision of the brand that was read: one that was changed since is not published.
   */
  revision: number;
}
/**
 * An earlier version to show again.
 */
export interface BrandReturn {
  /**
   * Why, for colleagues.
   */
  reason?: string | null;
  /**
   * The revision of the brand that was read.
   */
  revision: number;
  version: number;
}
/**
 * Values to look at, over those of the draft.
 */
export interface BrandTrial {
  values: BrandValues;
}
/**
 * A version that readers saw, or see.
 */
export interface BrandVersion1 {
  at: string;
  /**
   * Null for the command line.
   */
  by: string | null;
  /**
   * Values that differ from the version before.
   */
  changed: string[];
  /**
   * The version that was brought back.
   */
  of: number | null;
  /**
   * For colleagues; null where nobody said why.
   */
  reason: string | null;
  values: BrandValues;
  version: number;
}
/**
 * One step of the way to a page.
 */
export interface Breadcrumb {
  href: string;
  name: string;
}
/**
 * A bar of the budget's histogram.
 */
export interface BudgetStep {
  count: number;
  from_minor: number;
  to_minor: number;
}
/**
 * An act of staff, with its second person where it needed one.
 */
export interface ByHand1 {
  /**
   * Why it was approved; null where nothing was recorded, and once its person is forgotten.
   */
  approval_reason: string | null;
  /**
   * Approver of it, or of a colleague's request; both names where a second person had to. Null where it needed no approval.
   */
  approved_by: string | null;
  /**
   * Member of staff who asked.
   */
  asked_by: string;
  /**
   * Why, in words of the asker; null where nothing was recorded, and once its person is forgotten.
   */
  reason: string | null;
}
export interface CancelBookingBody {
  /**
   * The colleague's request for cancellation that it grants and closes, `ask_id` of the refund requests.
   */
  ask_id?: string | null;
  reason: string;
}
export interface CardBody {
  /**
   * One of the test cards of X7.
   */
  card_number?: string | null;
  challenge?: ("pass" | "fail") | null;
}
/**
 * Act on a case.
 */
export interface CaseAct {
  act: CaseActKind;
  /**
   * For `due`: by when it is to be answered, RFC 3339; left out for no time.
   */
  at?: string | null;
  /**
   * For `note`: for colleagues alone; those called by `@name` or `@address` are sent a mail.
   */
  note?: string | null;
  /**
   * For `assign`: a member of staff's id, or `me`; left out for no owner.
   */
  owner?: string | null;
  /**
   * For `team`: left out for none.
   */
  team?: string | null;
}
export interface CaseAnswer {
  words: string;
}
/**
 * A file of a case.
 */
export interface CaseAttachment {
  at: string;
  attachment_id: string;
  media_type: string;
  /**
   * Null once its person was forgotten.
   */
  name: string | null;
  side: CaseSide;
  size_bytes: number;
}
/**
 * How many cases stand in each view, whatever is asked for.
 */
export interface CaseCounts {
  closed: number;
  late: number;
  mentions: number;
  mine: number;
  my_team: number;
  waits_for_person: number;
  waits_for_staff: number;
}
/**
 * One case in the queue, without a word that was written: who opens the case is recorded as its reader, who sees a list is not.
 */
export interface CaseItem {
  case_id: string;
  due_at: string | null;
  /**
   * True once its person was forgotten.
   */
  is_erased: boolean;
  last_at: string;
  last_side: CaseSide;
  lead_id: string | null;
  message_count: number;
  name_masked: string;
  opened_at: string;
  owner: string | null;
  owner_name: string | null;
  /**
   * The lead's.
   */
  reference: string | null;
  status: CaseStatus;
  team: string | null;
  topic: CaseTopic;
}
export interface CaseListPage {
  counts: CaseCounts;
  meta: ListMeta;
  result: CaseItem[];
}
/**
 * One message of a case.
 */
export interface CaseMessage {
  at: string;
  /**
   * The way on which staff's words went.
   */
  channel: "email" | "sms" | "whatsapp";
  message_id: string;
  /**
   * `sent`, `refused`, or null while it is under way and for a person's own words.
   */
  outcome: string | null;
  side: CaseSide;
  /**
   * Null once its person was forgotten.
   */
  words: string | null;
}
/**
 * A note of a colleague.
 */
export interface CaseNoteShown {
  at: string;
  /**
   * Empty for older notes, which do not say.
   */
  by: string;
  /**
   * Null once its person was forgotten.
   */
  words: string | null;
}
/**
 * A case with its conversation.
 */
export interface CaseView {
  attachments: CaseAttachment[];
  case: CaseItem;
  /**
   * Ways on which its person can be reached.
   */
  channels: MessageChannel[];
  /**
   * Whom a note can mention.
   */
  colleagues: Colleague[];
  /**
   * Languages that pages and messages are written in (D3).
   */
  language: "en" | "es" | "fr" | "de" | "zh";
  messages: CaseMessage[];
  /**
   * Of colleagues, oldest first.
   */
  notes: CaseNoteShown[];
  /**
   * Null once its person was forgotten.
   */
  subject: string | null;
  /**
   * Every team of the deployment.
   */
  teams: string[];
}
/**
 * A member of staff with rights to leads.
 */
export interface Colleague {
  /**
   * Name that a note writes after `@`.
   */
  handle: string;
  name: string;
  user_id: string;
}
/**
 * An event that set the value.
 */
export interface Cause {
  actor: ActorRef;
  because_of: number | null;
  /**
   * The request or flow that it belongs to.
   */
  correlation_id: string;
  /**
   * Masked as in the history.
   */
  from: string | null;
  /**
   * Its place in the lead's history, from 1.
   */
  n: number;
  position: number;
  recorded_at: string;
  sentence: Sentence;
  to: string | null;
  type: string;
}
export interface ChainStatus {
  checked_at: string;
  first_broken: U64 | null;
  head: U64;
  ok: boolean;
  verified_through: U64;
}
/**
 * A new value; null gives the setting back to file and environment.
 */
export interface ChangeSetting {
  value?: string | null;
  /**
   * The value that the change was made from: a change that came too late is refused.
   */
  was?: string | null;
}
/**
 * A room by name.
 */
export interface ChildName {
  id: string;
  name: string;
}
/**
 * The frame around every page: brand, language, menus.
 */
export interface Chrome {
  brand: ShownBrand | null;
  brand_name: string;
  /**
   * Popular cities by country for menu, home and footer.
   */
  countries: CountryMenu[];
  dev_tools: boolean;
  downloads: string | null;
  lang: Lang;
  /**
   * Writes are refused for now.
   */
  maintenance: boolean;
  /**
   * Figures of the house; null where it sets none.
   */
  rating: string | null;
  support_email: string | null;
  /**
   * Payments take test cards, and no real money moves.
   */
  test_payments: boolean;
  variant: SiteVariant;
}
/**
 * Null for the face that ships.
 */
export interface ShownBrand {
  hero: string | null;
  hero_lede: string | null;
  /**
   * Square, the smallest first.
   */
  icons: BrandMark[];
  links: ShownBrandLink[];
  mark: BrandMark1;
  mark_dark: BrandMark2;
  sections: HomeSection[] | null;
  /**
   * Whole address of the picture of links that are shared.
   */
  shared: string | null;
  /**
   * Custom properties over those that ship, as the head's `style` element has them.
   */
  style: string | null;
  support: ShownBrandContact[];
  tagline: string | null;
  theme_colour: string | null;
}
/**
 * A link of the footer, in the reader's language.
 */
export interface ShownBrandLink {
  href: string;
  label: string;
}
/**
 * A picture with its pixels.
 */
export interface BrandMark1 {
  height: number;
  url: string;
  width: number;
}
/**
 * A picture with its pixels.
 */
export interface BrandMark2 {
  height: number;
  url: string;
  width: number;
}
/**
 * Ways to reach the house from a country.
 */
export interface ShownBrandContact {
  chat: string | null;
  country:
    | (
        | "us"
        | "uk"
        | "canada"
        | "spain"
        | "ireland"
        | "australia"
        | "germany"
        | "france"
        | "singapore"
        | "uae"
        | "india"
        | "new_zealand"
        | "korea"
        | "denmark"
        | "ad"
        | "af"
        | "ag"
        | "ai"
        | "al"
        | "am"
        | "ao"
        | "aq"
        | "ar"
        | "as"
        | "at"
        | "aw"
        | "ax"
        | "az"
        | "ba"
        | "bb"
        | "bd"
        | "be"
        | "bf"
        | "bg"
        | "bh"
        | "bi"
        | "bj"
        | "bl"
        | "bm"
        | "bn"
        | "bo"
        | "bq"
        | "br"
        | "bs"
        | "bt"
        | "bv"
        | "bw"
        | "by"
        | "bz"
        | "cc"
        | "cd"
        | "cf"
        | "cg"
        | "ch"
        | "ci"
        | "ck"
        | "cl"
        | "cm"
        | "cn"
        | "co"
        | "cr"
        | "cu"
        | "cv"
        | "cw"
        | "cx"
        | "cy"
        | "cz"
        | "dj"
        | "dm"
        | "do"
        | "dz"
        | "ec"
        | "ee"
        | "eg"
        | "eh"
        | "er"
        | "et"
        | "fi"
        | "fj"
        | "fk"
        | "fm"
        | "fo"
        | "ga"
        | "gd"
        | "ge"
        | "gf"
        | "gg"
        | "gh"
        | "gi"
        | "gl"
        | "gm"
        | "gn"
        | "gp"
        | "gq"
        | "gr"
        | "gs"
        | "gt"
        | "gu"
        | "gw"
        | "gy"
        | "hk"
        | "hm"
        | "hn"
        | "hr"
        | "ht"
        | "hu"
        | "id"
        | "il"
        | "im"
        | "io"
        | "iq"
        | "ir"
        | "is"
        | "it"
        | "je"
        | "jm"
        | "jo"
        | "jp"
        | "ke"
        | "kg"
        | "kh"
        | "ki"
        | "km"
        | "kn"
        | "kp"
        | "kw"
        | "ky"
        | "kz"
        | "la"
        | "lb"
        | "lc"
        | "li"
        | "lk"
        | "lr"
        | "ls"
        | "lt"
        | "lu"
        | "lv"
        | "ly"
        | "ma"
        | "mc"
        | "md"
        | "me"
        | "mf"
        | "mg"
        | "mh"
        | "mk"
        | "ml"
        | "mm"
        | "mn"
        | "mo"
        | "mp"
        | "mq"
        | "mr"
        | "ms"
        | "mt"
        | "mu"
        | "mv"
        | "mw"
        | "mx"
        | "my"
        | "mz"
        | "na"
        | "nc"
        | "ne"
        | "nf"
        | "ng"
        | "ni"
        | "nl"
        | "no"
        | "np"
        | "nr"
        | "nu"
        | "om"
        | "pa"
        | "pe"
        | "pf"
        | "pg"
        | "ph"
        | "pk"
        | "pl"
        | "pm"
        | "pn"
        | "pr"
        | "ps"
        | "pt"
        | "pw"
        | "py"
        | "qa"
        | "re"
        | "ro"
        | "rs"
        | "ru"
        | "rw"
        | "sa"
        | "sb"
        | "sc"
        | "sd"
        | "se"
        | "sh"
        | "si"
        | "sj"
        | "sk"
        | "sl"
        | "sm"
        | "sn"
        | "so"
        | "sr"
        | "ss"
        | "st"
        | "sv"
        | "sx"
        | "sy"
        | "sz"
        | "tc"
        | "td"
        | "tf"
        | "tg"
        | "th"
        | "tj"
        | "tk"
        | "tl"
        | "tm"
        | "tn"
        | "to"
        | "tr"
        | "tt"
        | "tv"
        | "tw"
        | "tz"
        | "ua"
        | "ug"
        | "um"
        | "uy"
        | "uz"
        | "va"
        | "vc"
        | "ve"
        | "vg"
        | "vi"
        | "vn"
        | "vu"
        | "wf"
        | "ws"
        | "ye"
        | "yt"
        | "za"
        | "zm"
        | "zw"
      )
    | null;
  email: string | null;
  hours: string | null;
  phone: string | null;
}
/**
 * A country with its popular cities.
 */
export interface CountryMenu {
  canonical_name: string;
  cities: CityName[];
  key: CountryKey;
  name: string;
}
/**
 * A city in a menu.
 */
export interface CityName {
  canonical_name: string;
  id: string;
  name: string;
}
/**
 * Time that the clock shows now.
 */
export interface ClockAnswer {
  now: string;
}
/**
 * `{forward_seconds: 601}`
 */
export interface ClockRequest {
  forward_seconds: number;
}
/**
 * Facts about the people in it.
 */
export interface CommunityFacts {
  residents: number | null;
}
/**
 * Arrangement that three room attributes add up to.
 */
export interface ConfigurationName {
  id: ConfigurationKey;
  name: string;
}
/**
 * A message that arrived.
 */
export interface ContactSent {
  /**
   * Where the answer goes.
   */
  email: string;
}
/**
 * `/about` and its like.
 */
export interface ContentPage {
  act: PageLink | null;
  blocks: TextBlock[];
  form: ContactForm | null;
  /**
   * The day from which a text of the house holds; null of one that ships.
   */
  holds_from: string | null;
  /**
   * Its path without the slash.
   */
  key: string;
  lead: string | null;
  /**
   * Pages that belong to it.
   */
  more: PageLink[];
  title: string;
}
/**
 * One block of a text.
 */
export interface TextBlock {
  /**
   * The number of the first step; steps that another block interrupts go on counting.
   */
  first: number | null;
  /**
   * By which an address names a heading.
   */
  id: string | null;
  /**
   * Of lists.
   */
  items: TextRun[][];
  kind: BlockKind;
  runs: TextRun[];
}
/**
 * Words of one look.
 */
export interface TextRun {
  /**
   * Where the words lead.
   */
  href: string | null;
  is_strong: boolean;
  text: string;
}
/**
 * Words of a partner's counsellor about themselves.
 */
export interface CounsellorDetails {
  councellor_country?: string | null;
  councellor_email?: string | null;
  councellor_name?: string | null;
  councellor_office?: string | null;
}
/**
 * One look.
 */
export interface DataRead {
  by: DataReader;
  /**
   * Empty where it is about no lead.
   */
  lead_id: string;
  lead_reference: string;
  /**
   * RFC 3339.
   */
  looked_at: string;
  position: number;
  /**
   * As it was given; null once the person was forgotten, and of a history, which is read without one.
   */
  reason: string | null;
  what: ("contact" | "letter" | "answers" | "export" | "payments" | "history" | "payment" | "case") | null;
}
/**
 * A member of staff who looked.
 */
export interface DataReader {
  /**
   * Empty for an account that is no staff any more.
   */
  name: string;
  user_id: string;
}
/**
 * A page of looks.
 */
export interface DataReads {
  /**
   * Where the next page begins; null on the last.
   */
  next: number | null;
  /**
   * Everybody who ever looked, for the filter.
   */
  readers: DataReader[];
  reads: DataRead[];
}
/**
 * A photo that a home names and whose address gives none.
 */
export interface DeadPhoto {
  /**
   * Without what follows a question mark, which may be a key.
   */
  address: string;
  /**
   * The status of the host's last answer.
   */
  answered: number | null;
  home_id: string;
  /**
   * Of the home.
   */
  name: string;
  /**
   * When it is asked for next; null where it is not.
   */
  next_try_at: string | null;
  /**
   * `gone`, `unreachable` or `not_permitted`.
   */
  refusal: string;
  /**
   * RFC 3339.
   */
  tried_at: string | null;
}
/**
 * Photos whose addresses give none.
 */
export interface DeadPhotos {
  /**
   * True where there are more than are named.
   */
  is_cut: boolean;
  photos: DeadPhoto[];
}
/**
 * A payout, or what the line is instead: one of both.
 */
export interface DecideLine {
  /**
   * Words about it, at most 400 characters.
   */
  note?: string | null;
  /**
   * The provider's id of the payout.
   */
  payout?: string | null;
  reason?: LineReason | null;
}
/**
 * Outcome of a notice.
 */
export interface Decided {
  /**
   * The payment it belongs to; null when it belongs to none.
   */
  payment_id: string | null;
}
/**
 * A line after a decision.
 */
export interface DecidedLine {
  decided: LineDecision | null;
  place: number;
}
/**
 * Null once it is open again.
 */
export interface LineDecision {
  /**
   * RFC 3339.
   */
  at: string;
  by: string;
  /**
   * Words of who decided; null without any, and once they named someone who was forgotten.
   */
  note: string | null;
  /**
   * The provider's payout that it is; null where it is something else.
   */
  payout: string | null;
  reason: LineReason | null;
}
export interface DeclineApproval {
  reason: string;
}
export interface DeclineBody {
  reason: string;
}
/**
 * Declined attempts to pay.
 */
export interface DeclineCount {
  code: string;
  count: number;
  /**
   * The country of the home.
   */
  country: string;
}
/**
 * A refund that waits for finance.
 */
export interface DeskAsk {
  amount_minor: number | null;
  ask_id: string;
  at: string;
  by: string;
  ends_booking: boolean;
  payment_reference: string;
  /**
   * Null once the student is forgotten.
   */
  why: string | null;
}
/**
 * Another lead of the same person.
 */
export interface DeskLead {
  created_at: string;
  lead_id: string;
  property: string | null;
  reference: string;
  status: LeadStatus;
}
/**
 * The lead's payment.
 */
export interface DeskPayment {
  currency: string;
  decimals: number;
  hold_until: string | null;
  payment_id: string;
  reference: string;
  /**
   * Amount that can still be given back, in minor units.
   */
  refundable_minor: number;
}
/**
 * The figures of a period.
 */
export interface DeskReport {
  by: ReportGrouping;
  declines: DeclineCount[];
  from: string;
  groups: ReportGroup[];
  to: string;
  whole: ReportGroup;
}
/**
 * Leads that came in one week or from one source.
 */
export interface ReportGroup {
  answered: number;
  leads: number;
  /**
   * From the enquiry to its first answer.
   */
  median_seconds: number | null;
  /**
   * A Monday, or a source; empty where none is known.
   */
  name: string;
  /**
   * Nine of ten answers took no longer.
   */
  p90_seconds: number | null;
  /**
   * How many of the leads reached each step, in the order of the way.
   */
  steps: ReportStep[];
}
export interface ReportStep {
  count: number;
  step: LeadStep;
}
export interface DeskRoom {
  inventory_id: string;
  name: string;
}
/**
 * A stay in a room, and what it costs this student.
 */
export interface DeskStay {
  inventory_id: string | null;
  lease_duration: string | null;
  move_in_date: string | null;
  rent: Price2 | null;
  /**
   * The room's name.
   */
  room: string | null;
}
/**
 * A price as cards and pages show it: never without currency and period.
 */
export interface Price2 {
  amount_minor: number;
  currency: string;
  decimals: number;
  duration: Period;
  symbol: string;
}
export interface DismissBody {
  reason: DismissReason;
}
export interface DisputeBody {
  /**
   * The charged intent, `pi_…`.
   */
  intent: string;
  /**
   * `needs_response` opens a dispute, `won` and `lost` decide it.
   */
  status: "needs_response" | "won" | "lost";
}
/**
 * Everything that answers a dispute.
 */
export interface DisputeEvidence {
  /**
   * The dispute that `evidence` and `lines` answer: the one that was asked for, else the first of `disputes`.
   */
  dispute_id: string;
  disputes: EvidenceDispute[];
  evidence: StripeEvidence;
  /**
   * Every event of the booking that the fields rest on, in order.
   */
  lines: EvidenceLine[];
  payment_id: string;
  reference: string;
  /**
   * The version of the terms of use that the payer accepted; null for payments of before versions were recorded.
   */
  terms_of_use: string | null;
}
export interface EvidenceDispute {
  amount: string;
  asked_at: string | null;
  /**
   * Member of staff who pressed Send, and when.
   */
  asked_by: string | null;
  /**
   * How many lines came after those that finance saw, until it was sent: the bank did not get them.
   */
  came_since: number;
  /**
   * True where finance may send it now.
   */
  can_send: boolean;
  /**
   * Until when the bank takes an answer.
   */
  due_by: string | null;
  id: string;
  /**
   * The deadline is over, by the server's clock.
   */
  is_late: boolean;
  /**
   * When the pack was laid with the gateway.
   */
  laid_at: string | null;
  /**
   * The lines that answer this dispute: those that were sent, or are being sent; before that every line.
   */
  lines: EvidenceLine[];
  /**
   * `open`, `won` or `lost`.
   */
  outcome: string;
  /**
   * Why the gateway did not take it.
   */
  refused: string | null;
  sent_at: string | null;
  /**
   * How many lines finance struck from what it sent.
   */
  struck: number;
}
/**
 * One thing that happened.
 */
export interface EvidenceLine {
  at: string;
  /**
   * The event that says so: `latchkey prove POSITION` proves it.
   */
  event_id: string;
  position: number;
  text: string;
  type: string;
}
/**
 * Under Stripe's names (<https://docs.stripe.com/api/disputes/evidence_object>).
 */
export interface StripeEvidence {
  /**
   * Log-ins and acts of the payer: each with its time and the place that it came from.
   */
  access_activity_log: string;
  /**
   * Messages that were delivered, or that no mail server took.
   */
  customer_communication: string;
  /**
   * Whose name the enquiry and the receipt carry; `None` once they were forgotten.
   */
  customer_name: string | null;
  product_description: string;
  refund_policy: string;
  refund_policy_disclosure: string;
  /**
   * Amount given back or refusal, and when.
   */
  refund_refusal_explanation: string;
  /**
   * The day on which the stay begins.
   */
  service_date: string;
  /**
   * The bank's own check of the payer, and all else.
   */
  uncategorized_text: string;
}
/**
 * A link that opens one document once.
 */
export interface DocumentLinkMade {
  expires_at: string;
  path: string;
}
export interface DocumentLinkRequest {
  audience: DocumentAudience;
}
/**
 * The document that was taken back.
 */
export interface DocumentTakenBack {
  document_id: string;
}
/**
 * Ours beside the gateway's; either may be missing.
 */
export interface DossierPair {
  ours: AuditRow | null;
  webhook: DossierWebhook | null;
}
export interface DossierWebhook {
  id: string;
  received_at: string;
  type: string;
}
/**
 * The newest complete answers of each section.
 */
export interface EarlierAnswers {
  sections: FormSections;
}
/**
 * A device is enrolled with six digits of its own and a fresh code of the mail.
 */
export interface Enrolment {
  code: string;
  otp: string;
  session_uuid: string;
}
export interface ErasureCodeRequest {
  by: By;
}
export interface EventOptions {
  user_notification?: string | null;
}
/**
 * Why, and as what.
 */
export interface ExportRequest {
  format: ExportFormat;
  reason: string;
}
/**
 * One value of a filter: what addresses carry, how many results it would leave, whether it is chosen.
 */
export interface FacetValue {
  count: number;
  selected: boolean;
  value: string;
}
export interface Facets {
  accommodation_type: FacetValue[];
  availability: FacetValue[];
  budget: BudgetStep[];
  distance: FacetValue[];
  dual_occupancy: FacetValue[];
  features: FacetValue[];
  guarantor: FacetValue[];
  move_in_month: FacetValue[];
  room_type: FacetValue[];
  stay_duration: FacetValue[];
}
/**
 * One of the few facts that decide.
 */
export interface Fact {
  detail: string;
  icon: string;
  title: string;
}
/**
 * Terms of payment, in minor units of the home's currency; 0 where nothing is said.
 */
export interface TermsValue {
  /**
   * True where it is said that none is taken.
   */
  asks_no_deposit: boolean;
  booking_allowed: boolean;
  deposit_minor: number;
  deposit_multiplier_percent: number;
  max_deposit_minor: number;
  payment_before_bookform: boolean;
  platform_fee_minor: number;
  refundable_token_minor: number;
}
/**
 * A refund that came back and waits for another way.
 */
export interface FailedRefund {
  amount_minor: number;
  currency: string;
  decimals: number;
  failed_at: string;
  payment_id: string;
  /**
   * The gateway's words, e.g. `lost_or_stolen_card`.
   */
  reason: string;
  reference: string;
  refund_id: string;
  /**
   * Amount of the payment that is left to give back.
   */
  refundable_minor: number;
  /**
   * The payer had been told that the money was on its way, and was told since that it is not.
   */
  was_announced: boolean;
}
/**
 * The body of every error answer.
 */
export interface Failure {
  /**
   * Present value with its version: a change that came too late loses nothing, its sender chooses (D79, D82).
   */
  current?: {};
  errors: FieldError[];
  message: FailureMessage;
  request_id: string;
}
/**
 * One field that cannot be used, and what to do about it.
 */
export interface FieldError {
  code: string;
  field: string;
  message: string;
}
export interface FailureMessage {
  code: string;
  user_friendly_message: string;
}
/**
 * A question with its answer.
 */
export interface Faq {
  answer: string;
  question: string;
}
/**
 * How the provider misbehaves on purpose (X6). Percentages fall on notices by a digest of their id: the same notices every
 * time.
 */
export interface FaultPlan {
  /**
   * Notices wait up to this long, each for its own time.
   */
  delay_ms?: number;
  /**
   * How long the bank of a disputed charge waits for evidence.
   */
  dispute_due_ms?: number;
  /**
   * Share of notices that are never delivered.
   */
  drop_percent?: number;
  /**
   * Share of notices that are delivered `1 + duplicates` times.
   */
  duplicate_percent?: number;
  duplicates?: number;
  fee_extra_minor?: number;
  /**
   * Of this charge the provider keeps more than agreed: so many minor units.
   */
  fee_extra_of?: string;
  /**
   * Calls are not answered at all.
   */
  outage?: boolean;
  /**
   * How much later than promised a payout arrives.
   */
  payout_delay_ms?: number;
  /**
   * How often what is on the account goes to the bank.
   */
  payout_every_ms?: number;
  /**
   * How long a refund takes to be acknowledged.
   */
  refund_after_ms?: number;
  refunds_fail?: boolean;
  /**
   * Newest first instead of oldest first.
   */
  reorder?: boolean;
  /**
   * How long a delayed method takes to settle.
   */
  settle_after_ms?: number;
}
/**
 * Amenities of one group.
 */
export interface FeatureList {
  name: string;
  type: FeatureGroup;
  values: FeatureValue[];
}
/**
 * One amenity.
 */
export interface FeatureValue {
  key: string;
  name: string;
}
/**
 * A feature by its name.
 */
export interface FeatureName {
  key: string;
  name: string;
}
/**
 * A feed to be fetched.
 */
export interface FeedAddress {
  /**
   * Homes are known by it and their id: 1 to 64 letters.
   */
  feed: string;
  /**
   * Begins with https://.
   */
  url: string;
}
/**
 * A feed as somebody wants it.
 */
export interface FeedChange {
  /**
   * Whole minutes, hours or days, from 15m to 31d.
   */
  every: string;
  is_paused: boolean;
  /**
   * Under the names of docs/import/feeds.md; null keeps the one that is known, else takes that of the feed's last import.
   */
  map?: {} | null;
  missing: MissingRule;
  /**
   * Null keeps the address that is known.
   */
  url?: string | null;
  /**
   * The version that was seen; null makes the feed.
   */
  version?: number | null;
}
/**
 * A column of a file.
 */
export interface FeedColumn {
  /**
   * The field that an unused column could be.
   */
  could_be: string | null;
  /**
   * The field that reads it under the map; null where nothing does.
   */
  field: string | null;
  /**
   * Whether the map names it; else it is read by its own name.
   */
  is_mapped: boolean;
  /**
   * As a map names it.
   */
  name: string;
  /**
   * The first different values.
   */
  samples: string[];
  /**
   * Words of the first values, where they name kinds of rooms or periods.
   */
  words: FeedWord[];
}
/**
 * A word of a column.
 */
export interface FeedWord {
  /**
   * Whether it can be read; an unknown word says nothing.
   */
  is_known: boolean;
  /**
   * Its meaning by the map.
   */
  meaning: string | null;
  word: string;
}
/**
 * A field that a map can name.
 */
export interface FeedField {
  key: string;
  /**
   * `home`, `room` or `lease`: the thing that it is a fact of.
   */
  level: string;
  /**
   * `one` value, `texts` by language (`name_en`) or `many`.
   */
  shape: string;
}
/**
 * What a map may name.
 */
export interface FeedFields {
  fields: FeedField[];
  /**
   * Meanings of words of `room_type`.
   */
  kinds: string[];
  /**
   * The most that a file may have.
   */
  limit_bytes: number;
  /**
   * Meanings of words of `price_per`.
   */
  periods: string[];
}
/**
 * Where one scheduled feed stands. `ended` is how its last run ended, `last_import` its last run that took a file in; null before the first.
 */
export interface FeedHealth {
  /**
   * RFC 3339, as all moments here: when it is fetched next.
   */
  due_at: string | null;
  ended: FeedEnd | null;
  ended_at: string | null;
  /**
   * Why the last run failed.
   */
  failure: string | null;
  /**
   * It fails again and again, or until a person mends something.
   */
  is_failing: boolean;
  is_running: boolean;
  last_import: FeedImport | null;
  /**
   * As in the file of the setting `feeds`.
   */
  name: string;
}
/**
 * Counts of the rows of a feed's last file by their outcome.
 */
export interface FeedImport {
  added: number;
  at: string;
  changed: number;
  rejected: number;
  rows: number;
  unchanged: number;
}
/**
 * A file as the person sees it who maps it.
 */
export interface FeedLook {
  /**
   * Homes that were checked.
   */
  checked: number;
  columns: FeedColumn[];
  /**
   * `csv`, `json`, `json_lines` or `xml`.
   */
  format: string;
  /**
   * The file is written in another encoding than the map says.
   */
  has_unreadable_letters: boolean;
  /**
   * The first homes that would be taken.
   */
  homes: PreviewHome[];
  /**
   * Where the homes were found: the path of a list, or nothing.
   */
  list: string;
  /**
   * Rows or objects.
   */
  records: number;
  /**
   * The first faults of the homes that were checked.
   */
  rejected: VerdictLine[];
}
/**
 * A home as it would be shown.
 */
export interface PreviewHome {
  area: string | null;
  /**
   * `included` or `apart`.
   */
  bills: string | null;
  city: string;
  /**
   * ISO 3166 code of two letters.
   */
  country: string;
  /**
   * ISO 4217 code.
   */
  currency: string;
  decimals: number;
  /**
   * 0 where the feed says that there is none.
   */
  deposit_minor: number | null;
  /**
   * Hundredths of one period's price.
   */
  deposit_percent: number | null;
  description: string;
  /**
   * Keys of facilities.
   */
  facilities: string[];
  /**
   * As the feed names it; it is not fetched before the import.
   */
  first_photo: string | null;
  from_minor: number | null;
  /**
   * `local`, `international` or `not_required`.
   */
  guarantor: string | null;
  has_point: boolean;
  /**
   * Its id in the feed.
   */
  id: string;
  instalments: number | null;
  kind: string | null;
  line: number;
  name: string;
  /**
   * Names in other languages, by their tags.
   */
  names: {
    [k: string]: string;
  };
  /**
   * Words for what nobody said: `photos`, `description`, `address`, `point`, `facilities`, `bills`, `deposit`, `guarantor`, `kind`,
   * `room_size`, `room_count`.
   */
  not_said: string[];
  notes: VerdictLine[];
  /**
   * `weekly` or `monthly`: what prices are for.
   */
  period: string;
  /**
   * Photos of the home and its rooms.
   */
  photos: number;
  plans: number;
  postal_code: string | null;
  rooms: PreviewRoom[];
  street: string | null;
}
/**
 * One line of a report, as it is shown.
 */
export interface VerdictLine {
  /**
   * The home's id in its feed.
   */
  home: string;
  line: number;
  /**
   * One of the words of docs/import.md.
   */
  outcome: string;
  /**
   * The column, or the path in a nested record.
   */
  path: string;
  /**
   * The fault of the value, and what would be right.
   */
  reason: string;
  /**
   * As it is written there.
   */
  value: string;
}
/**
 * A room type as it would be shown.
 */
export interface PreviewRoom {
  /**
   * Rooms of this type, where the feed says it.
   */
  count: number | null;
  from_minor: number | null;
  /**
   * The feed has it, and it cannot be used.
   */
  is_rejected: boolean;
  name: string;
  photos: number;
  size_sqm: number | null;
  stays: PreviewStay[];
  /**
   * The words of its filters.
   */
  types: string[];
}
/**
 * A stay that can be booked.
 */
export interface PreviewStay {
  free: number;
  /**
   * `44 weeks`.
   */
  length: string;
  /**
   * `2027-09-11`.
   */
  move_in: string;
  price_minor: number;
}
/**
 * A map for an upload.
 */
export interface FeedMapChange {
  /**
   * Under the names of docs/import/feeds.md.
   */
  map: {};
}
/**
 * A run that is asked for.
 */
export interface FeedRunRequest {
  kind: FeedRunKind;
  missing: MissingRule;
  /**
   * How many homes may be closed; null for a fifth of them.
   */
  missing_limit?: number | null;
}
/**
 * An upload with what was seen in it.
 */
export interface FeedUpload {
  /**
   * Why the work failed.
   */
  fault: string | null;
  /**
   * Whether the file lies on the node that answers: that node alone works on it.
   */
  is_here: boolean;
  /**
   * Whether that map fits the file: before, nothing can be run.
   */
  is_looked: boolean;
  /**
   * Why the map of the feed's last import does not fit this file.
   */
  kept_fault: string | null;
  look: FeedLook1 | null;
  /**
   * The map in force, under the names of docs/import/feeds.md.
   */
  map: {};
  map_from: FeedMapOrigin;
  run: FeedUploadRun | null;
  stopped_by: FeedUploadStopper | null;
  upload: FeedUploadLine;
}
/**
 * Under the last map that fits.
 */
export interface FeedLook1 {
  /**
   * Homes that were checked.
   */
  checked: number;
  columns: FeedColumn[];
  /**
   * `csv`, `json`, `json_lines` or `xml`.
   */
  format: string;
  /**
   * The file is written in another encoding than the map says.
   */
  has_unreadable_letters: boolean;
  /**
   * The first homes that would be taken.
   */
  homes: PreviewHome[];
  /**
   * Where the homes were found: the path of a list, or nothing.
   */
  list: string;
  /**
   * Rows or objects.
   */
  records: number;
  /**
   * The first faults of the homes that were checked.
   */
  rejected: VerdictLine[];
}
/**
 * The last dry run or import of an upload.
 */
export interface FeedUploadRun {
  /**
   * Ids of the first homes that the file does not name.
   */
  absent: string[];
  added: number;
  /**
   * RFC 3339.
   */
  begun_at: string | null;
  changed: number;
  ended_at: string | null;
  has_report: boolean;
  homes: number;
  kind: FeedUploadWork;
  left_out: number;
  /**
   * Of a refused run: the feed's homes that are let.
   */
  let_homes: number | null;
  /**
   * Homes that the file does not name, and that stay; of a refused run those that it would have closed.
   */
  missing: number;
  /**
   * How many homes may be closed; null for a fifth of them.
   */
  missing_limit: number | null;
  /**
   * `keep`, `report` or `withdraw`.
   */
  missing_rule: string;
  /**
   * `complete`, `stopped`, `too_many_missing` or `number_not_typed`; null before the end.
   */
  outcome: string | null;
  /**
   * How much of its reading is done.
   */
  percent: number;
  /**
   * Why the file could not be read to its end.
   */
  reason: string | null;
  rejected: number;
  /**
   * Rows or objects; 0 before the end.
   */
  rows: number;
  /**
   * Of an import: its name in the log.
   */
  run_id: string | null;
  unchanged: number;
  /**
   * Homes that the file does not name, and that are closed.
   */
  withdrawn: number;
  /**
   * The first homes, rooms and leases that are rejected, and room types that are closed since more of them is booked.
   */
  worst: VerdictLine[];
}
/**
 * An uploaded file, and where the work on it stands.
 */
export interface FeedUploadLine {
  by_name: string;
  bytes: number;
  /**
   * SHA-256 of the file, in hex.
   */
  digest: string;
  /**
   * When it is removed, with its file.
   */
  expires_at: string;
  feed: string;
  /**
   * The file's name.
   */
  file: string;
  /**
   * RFC 3339.
   */
  made_at: string;
  /**
   * Of its last import: its name in the log.
   */
  run_id: string | null;
  stage: FeedUploadStage;
  upload_id: string;
  work: FeedUploadWork;
}
/**
 * Uploads, the newest first.
 */
export interface FeedUploads {
  uploads: FeedUploadLine[];
}
/**
 * One field as it was typed.
 */
export interface FieldChange {
  seen?: (string | boolean) | null;
  value: SectionAnswer;
}
/**
 * A field that would change.
 */
export interface FieldDifference {
  after: string | null;
  before: string | null;
  field: string;
  /**
   * In the catalogues.
   */
  label_key: string;
  stream: StreamKind;
}
export interface FieldRef {
  field: string;
  label_key: string;
  stream: StreamKind;
}
/**
 * A file compared, in its own order, and then what it lacks.
 */
export interface FileCompared {
  /**
   * Matched to a payout by a person.
   */
  by_hand: number;
  covered: FileCovered[];
  differing: number;
  /**
   * Said to be something else by a person.
   */
  explained: number;
  form: FileForm;
  /**
   * Account data, headings and totals around the table.
   */
  headings: number;
  /**
   * Told by the bank for information: no money moved.
   */
  informational: number;
  lines: FileLine[];
  matched: number;
  /**
   * Arrived by the provider's word, and not in the file; null where the file covers no days.
   */
  missing: number | null;
  /**
   * Rows that may be entries and were not understood.
   */
  not_understood: number;
  /**
   * Every row that is no entry, with its reason.
   */
  odd_rows: FileOddRow[];
  /**
   * Payouts around the days of the file that no line is yet.
   */
  open_payouts: OpenPayout[];
  /**
   * Announced by the bank and not booked.
   */
  pending: number;
  /**
   * Rows that were read as entries; a batch is one row and several lines.
   */
  rows: number;
  statement: BankStatement1 | null;
  uncovered: ("notification" | "page" | "period" | "currency" | "under_way") | null;
  /**
   * In the file alone.
   */
  unknown: number;
  /**
   * The same file was given in before.
   */
  was_known: boolean;
}
/**
 * One row of the file, or a payout that the file lacks.
 */
export interface FileLine {
  amount_minor: number;
  by: ("id" | "amount") | null;
  currency: string;
  /**
   * `2026-11-28`.
   */
  date: string;
  decided: LineDecision1 | null;
  decimals: number;
  /**
   * In CSV and MT940 the line, in camt the number of the entry; null for what the file lacks.
   */
  line: number | null;
  /**
   * Names the line where it is decided by hand; null for what the file lacks.
   */
  place: number | null;
  reference: string;
  /**
   * The payout or movement that it is; several with `, ` between them.
   */
  source: string | null;
  /**
   * Amount of that as read at the provider; null where it is of another currency.
   */
  there_minor: number | null;
  verdict: FileVerdict;
  /**
   * Its words named someone who was forgotten.
   */
  words_removed: boolean;
}
/**
 * The decision by hand; null without one.
 */
export interface LineDecision1 {
  /**
   * RFC 3339.
   */
  at: string;
  by: string;
  /**
   * Words of who decided; null without any, and once they named someone who was forgotten.
   */
  note: string | null;
  /**
   * The provider's payout that it is; null where it is something else.
   */
  payout: string | null;
  reason: LineReason | null;
}
/**
 * A row of the file that is no entry.
 */
export interface FileOddRow {
  line: number;
  reason: FileReason;
  /**
   * The payout that its words name: it is not counted as missing.
   */
  source: string | null;
  /**
   * As it is written, cut.
   */
  text: string;
}
/**
 * A payout that no line of the statement is.
 */
export interface OpenPayout {
  amount_minor: number;
  currency: string;
  /**
   * The day of its arrival, as the provider says it.
   */
  day: string;
  decimals: number;
  id: string;
}
/**
 * As it is kept.
 */
export interface BankStatement1 {
  /**
   * The last four signs of the account's number, where the file names it.
   */
  account_end: string | null;
  bytes: number;
  covered: FileCovered[];
  /**
   * Lines that were decided by hand.
   */
  decided: number;
  form: FileForm;
  id: string;
  /**
   * RFC 3339.
   */
  kept_at: string;
  /**
   * Member of staff who gave it in; empty for an account that is no staff any more.
   */
  kept_by: string;
  /**
   * RFC 3339: then it is deleted.
   */
  kept_until: string;
  /**
   * Downloads, newest first.
   */
  openings: StatementOpening[];
  /**
   * Lines whose words were removed since they named someone who was forgotten.
   */
  redacted: number;
  rows: number;
  /**
   * SHA-256 of the file, in hex.
   */
  sha256: string;
}
/**
 * One thing that needs finance, and how many there are of it.
 */
export interface FinanceAlert {
  count: number;
  kind: FinanceAlertKind;
}
/**
 * A text, as the page has it, in another language than the reader's.
 */
export interface ForeignText {
  /**
   * A tag for `lang`: `en`.
   */
  lang: string;
  text: string;
}
export interface ForgetMeRequest {
  by: By;
  otp: string;
  session_uuid: string;
}
export interface ForgetRequest {
  /**
   * The lead's reference, typed again.
   */
  confirm: string;
  reason: ForgetWhy;
}
/**
 * The section, and the field that had the focus.
 */
export interface FormPlace1 {
  field: string | null;
  section: SectionKey;
}
/**
 * `/forms/submit`.
 */
export interface FormSubmittedPage {
  lead_uuid: string | null;
}
/**
 * The same with the fields of Spec §3.
 */
export interface FoundInventories {
  facets?: Facets;
  meta: SearchMeta;
  pins?: MapPin[];
  result: FoundInventory[];
}
/**
 * `next_token` goes on after the last result even while listings change; sent back in place of `p`.
 */
export interface SearchMeta {
  count: number;
  current_page: number;
  limit: number;
  next: number | null;
  next_token: string | null;
  pages: number;
  prev: number | null;
}
/**
 * A match on the map (P38).
 */
export interface MapPin {
  available: boolean;
  canonical_name: string;
  id: string;
  lat: number;
  lng: number;
  name: string;
  price: Price;
  state: ("active" | "paused" | "closed") | null;
}
/**
 * A card with the fields of Spec §3 beside it: those of [`InventoryCard`] and these; `only` and `except` choose.
 */
export interface FoundInventory {
  available?: boolean;
  badges?: Badge[];
  canonical_name?: string;
  distance_m?: number | null;
  features?: FeatureName[];
  id?: string;
  images?: Image[];
  /**
   * Null where nobody said a point, like `lng`.
   */
  lat?: number | null;
  lng?: number | null;
  location_coordinates?: Coordinates | null;
  meta?: FoundMeta;
  name?: string;
  /**
   * At most five, a room first; without previews.
   */
  photos?: Photo[];
  price?: Price;
  pricing?: Pricing;
  provider_id?: string | null;
  region?: RegionName;
  region_id?: string;
  reviews_count?: number;
  reviews_rating?: number | null;
  room_kinds?: ConfigurationKey[];
  rooms_left?: number | null;
  state?: ("active" | "paused" | "closed") | null;
  status?: InventoryStatus;
  tags?: Tag[];
  transit?: Travel | null;
  type?: ("student_accommodation" | "apartment" | "university_hall" | "house") | null;
  walking?: Travel | null;
}
/**
 * Terms a search result carries.
 */
export interface FoundMeta {
  guarantor: Guarantor | null;
  /**
   * `true` or `false`, as the specification writes it; null where it is not said.
   */
  guarantor_required: string | null;
}
/**
 * Prices as decimal numbers (X5); null where nothing has one.
 */
export interface Pricing {
  available_price: number | null;
  currency: string;
  duration: Period;
  max_available_price: number | null;
  max_price: number | null;
  min_available_price: number | null;
  min_price: number | null;
  price: number | null;
}
export interface GiveApproval {
  /**
   * May be left out.
   */
  reason?: string | null;
}
/**
 * Head that search engines and browser tabs read.
 */
export interface Head {
  alternates: Alternate[];
  canonical: string | null;
  description: string;
  image: string | null;
  keywords: string | null;
  next: string | null;
  prev: string | null;
  robots: Robots;
  title: string;
}
/**
 * `/help`.
 */
export interface HelpPage {
  lead: string | null;
  title: string;
  topics: HelpTopic[];
}
/**
 * Questions that belong together.
 */
export interface HelpTopic {
  id: string;
  name: string;
  questions: HelpQuestion[];
}
/**
 * A question with its answer.
 */
export interface HelpQuestion {
  answer: TextBlock[];
  id: string;
  question: string;
}
/**
 * An act on a home.
 */
export interface HomeAct {
  act: HomeActWord;
  /**
   * Why, for colleagues.
   */
  reason: string;
  /**
   * Of a pause: the day from which it is let again, where one is known.
   */
  reopens_on?: string | null;
}
/**
 * An address, part by part.
 */
export interface HomeAddress {
  country?: string | null;
  district?: string | null;
  locality?: string | null;
  postal_code?: string | null;
  route?: string | null;
  state?: string | null;
  street_number?: string | null;
}
/**
 * A room of a home that somebody has booked or holds.
 */
export interface HomeBooking {
  ends: string | null;
  /**
   * Null for a booking, and for a hold that lasts until its payment is settled.
   */
  held_until: string | null;
  lead_id: string | null;
  length: string | null;
  /**
   * Null, as length and end, for a room that was taken before stays were written down with it.
   */
  move_in: string | null;
  payment_id: string;
  /**
   * What people call the enquiry by.
   */
  reference: string | null;
  room: string;
  room_id: string;
  state: HomeBookingState;
}
/**
 * A city's card; `from` is what the cheapest room costs that can be booked.
 */
export interface HomeCity {
  canonical_name: string;
  from: Price | null;
  homes: number;
  image: string;
  name: string;
}
/**
 * A country on the home page.
 */
export interface HomeCountry {
  cities: HomeCity[];
  key: CountryKey;
  name: string;
}
/**
 * Another home of the same name and address.
 */
export interface HomeDouble {
  address: string;
  home_id: string;
  name: string;
  state: KeptHomeState;
}
/**
 * Facts to change; one that is not named stays.
 */
export interface HomeEdit {
  address?: HomeAddress1 | null;
  bills?: BillsSaid | null;
  coordinates?: HomePoint | null;
  /**
   * By the tag of their language; null takes the text away.
   */
  description?: {
    [k: string]: string | null;
  };
  /**
   * The whole list, by their keys.
   */
  facilities?: string[] | null;
  guarantor?: GuarantorSaid | null;
  kind?: KindSaid | null;
  name?: string | null;
  /**
   * Names for readers of other languages, by the tag of the language; null takes one away.
   */
  names?: {
    [k: string]: string | null;
  };
  place?: HomePlaceAsked | null;
  /**
   * The position of the values that were read: what was changed after it refuses the edit.
   */
  position: number;
  /**
   * Why, for colleagues.
   */
  reason: string;
  rooms?: RoomEdit[];
  terms?: HomeTermsEdit | null;
  /**
   * Names of facts that show the feed's value again, as the values name them.
   */
  unset?: string[];
}
/**
 * The whole address: a part that is left out is not said.
 */
export interface HomeAddress1 {
  country?: string | null;
  district?: string | null;
  locality?: string | null;
  postal_code?: string | null;
  route?: string | null;
  state?: string | null;
  street_number?: string | null;
}
/**
 * A point in degrees.
 */
export interface HomePoint {
  lat: number;
  lng: number;
}
/**
 * Moves it to another city or area of its country.
 */
export interface HomePlaceAsked {
  area?: string | null;
  /**
   * Its id, or its name in addresses.
   */
  city: string;
}
/**
 * Facts of one room type to change.
 */
export interface RoomEdit {
  /**
   * How many rooms of the type there are.
   */
  count?: number | null;
  leases?: LeaseEdit[];
  /**
   * By the tag of the language, in every language that it has.
   */
  name?: {
    [k: string]: string;
  };
  room_id: string;
  /**
   * Such as `private_room`, `shared_kitchen`; what is left out is not said.
   */
  types?: string[] | null;
}
/**
 * The price of one lease that the room is let for.
 */
export interface LeaseEdit {
  /**
   * Such as `44 weeks`.
   */
  length: string;
  move_in: string;
  /**
   * For each period, in minor units of the home's currency.
   */
  price_minor: number;
}
/**
 * Terms of payment; one that is left out stays. Amounts are in minor units of the home's currency; 0 says nothing.
 */
export interface HomeTermsEdit {
  /**
   * True for a home that takes no deposit: an amount takes its place.
   */
  asks_no_deposit?: boolean | null;
  booking_allowed?: boolean | null;
  deposit_minor?: number | null;
  deposit_multiplier_percent?: number | null;
  max_deposit_minor?: number | null;
  payment_before_bookform?: boolean | null;
  platform_fee_minor?: number | null;
  refundable_token_minor?: number | null;
}
/**
 * Numbers of rooms and prices to try.
 */
export interface HomeEditTried {
  rooms: RoomEdit[];
}
/**
 * One fact of a home.
 */
export interface HomeFact {
  /**
   * Its name, by which an edit takes a person's value back.
   */
  fact: string;
  feed: HomeFactSaid | null;
  from: Whose;
  /**
   * Whether a person's value stands over another one, which taking it back would show again.
   */
  is_set: boolean;
  /**
   * Which of both is shown, and when the feed will win.
   */
  note: string;
  person: HomeFactSaid1 | null;
  room_id: string | null;
  value:
    | (
        | string
        | number
        | {
            [k: string]: string;
          }
        | string[]
        | TermsValue
      )
    | null;
}
/**
 * What the feed says of it.
 */
export interface HomeFactSaid {
  at: string;
  by: ActorRef;
  /**
   * The run of the feed or the request that it came with.
   */
  correlation_id: string;
  position: number;
  /**
   * Why, where a person edited it.
   */
  reason: string | null;
  value: FactValue | null;
}
/**
 * What a person says of it, where that is shown.
 */
export interface HomeFactSaid1 {
  at: string;
  by: ActorRef;
  /**
   * The run of the feed or the request that it came with.
   */
  correlation_id: string;
  position: number;
  /**
   * Why, where a person edited it.
   */
  reason: string | null;
  value: FactValue | null;
}
/**
 * A fact before and after a step.
 */
export interface HomeFactChange {
  /**
   * Its name.
   */
  fact: string;
  from:
    | (
        | string
        | number
        | {
            [k: string]: string;
          }
        | string[]
        | TermsValue
      )
    | null;
  room_id: string | null;
  to: FactValue | null;
}
/**
 * A value with who said it when.
 */
export interface HomeFactSaid2 {
  at: string;
  by: ActorRef;
  /**
   * The run of the feed or the request that it came with.
   */
  correlation_id: string;
  position: number;
  /**
   * Why, where a person edited it.
   */
  reason: string | null;
  value: FactValue | null;
}
/**
 * A page of a home's history, the newest step first.
 */
export interface HomeHistory {
  /**
   * How many there are.
   */
  count: number;
  /**
   * Where the next page begins; null on the last.
   */
  next: number | null;
  steps: HomeStep[];
}
/**
 * One act on a home.
 */
export interface HomeStep {
  at: string;
  by: ActorRef;
  can_undo: boolean;
  changes: HomeFactChange[];
  kind: HomeChange;
  /**
   * Why, where somebody said so.
   */
  reason: string | null;
  /**
   * The run of the feed that it came with.
   */
  run_id: string | null;
  /**
   * An undo names it.
   */
  step: number;
  /**
   * Why it is not undone.
   */
  why_not: string | null;
}
/**
 * Numbers of homes that lack something as a whole.
 */
export interface HomeLackCounts {
  leases: number;
  photos: number;
}
/**
 * All leases of a room type.
 */
export interface HomeLeases {
  /**
   * In place of those that it has.
   */
  leases: NewHomeLease[];
  /**
   * The position of the home that was read: what was changed after it refuses the edit.
   */
  position: number;
  /**
   * Why, for colleagues.
   */
  reason: string;
}
/**
 * A lease that a room is let for.
 */
export interface NewHomeLease {
  /**
   * Such as `44 weeks`.
   */
  length: string;
  move_in: string;
  /**
   * For each period, in minor units of the home's currency.
   */
  price_minor: number;
  /**
   * How many of the rooms are let for it; all of them where it is left out.
   */
  rooms_available?: number | null;
}
/**
 * A page of homes, the one changed last first.
 */
export interface HomeList {
  /**
   * How many there are in each state, whatever state is asked for.
   */
  counts: {
    [k: string]: number;
  };
  /**
   * Feeds and providers that homes have, for the filters.
   */
  feeds: string[];
  homes: HomeRow[];
  lacking: HomeLackCounts;
  /**
   * Where the next page begins; null on the last.
   */
  next: string | null;
  providers: string[];
  /**
   * How many there are on all pages.
   */
  total: number;
}
/**
 * One home in a list.
 */
export interface HomeRow {
  address: string;
  booked: number;
  canonical_name: string;
  changed_at: string;
  changed_by: ActorRef;
  changed_what: HomeChange;
  city: HomePlace | null;
  currency: string;
  feed: string | null;
  /**
   * Its id in the feed.
   */
  feed_id: string | null;
  free: number;
  /**
   * The lowest price, in minor units.
   */
  from_minor: number | null;
  held: number;
  home_id: string;
  /**
   * True where somebody said of every room type how many there are.
   */
  is_count_said: boolean;
  /**
   * Everything that a student misses.
   */
  lacks: HomeLack[];
  leases: number;
  name: string;
  period: Period;
  photos: number;
  picture: string | null;
  provider: string | null;
  /**
   * The day from which a paused home is let again.
   */
  reopens_on: string | null;
  /**
   * Rooms of all types; of these so many are booked and held for some night to come.
   */
  rooms: number;
  state: KeptHomeState;
}
/**
 * A city or an area.
 */
export interface HomePlace {
  id: string;
  name: string;
}
/**
 * A merge of a double into the home that is kept.
 */
export interface HomeMerge {
  /**
   * The home that is kept.
   */
  into: string;
  /**
   * Why, for colleagues.
   */
  reason: string;
}
/**
 * `/`: popular cities by country.
 */
export interface HomePage {
  countries: HomeCountry[];
  totals: HomeTotals;
}
/**
 * Totals of the marketplace.
 */
export interface HomeTotals {
  cities: number;
  homes: number;
  universities: number;
}
/**
 * A photo or a plan, and where it stands.
 */
export interface HomePhoto {
  /**
   * Words for those who do not see it, by the tag of the language.
   */
  alt: {
    [k: string]: string;
  };
  /**
   * The status of its host's last answer, where it could not be had.
   */
  answered: number | null;
  /**
   * Of the original.
   */
  bytes: number | null;
  can: HomePhotoAct[];
  /**
   * By the tag of the language.
   */
  caption: {
    [k: string]: string;
  };
  /**
   * `jpeg`, `png` or `webp`: the original's.
   */
  format: string | null;
  height: number | null;
  /**
   * The host of the feed's address; null for an upload and for a file beside a feed.
   */
  host: string | null;
  /**
   * False where no feed and no person names it any more: it is not shown.
   */
  is_named: boolean;
  /**
   * `exterior`, `room`, `bathroom`, `kitchen`, `common` or `plan`; null where nobody said it.
   */
  kind: string | null;
  /**
   * When it is asked for next.
   */
  next_try_at: string | null;
  photo_id: string;
  /**
   * A data URL of a few pixels.
   */
  preview: string | null;
  /**
   * Why it is not there: `gone`, `unreachable`, `not_permitted`, `too_large`, `too_many_pixels`, `format_not_taken`, `not_a_picture` or
   * `damaged`.
   */
  refusal: string | null;
  /**
   * Until when one that was taken down can be shown again.
   */
  restorable_until: string | null;
  /**
   * The room type; null for one of the home.
   */
  room_id: string | null;
  /**
   * Its widths where it is shown, the smallest first.
   */
  sizes: HomePhotoSize[];
  source: HomePhotoSource;
  state: HomePhotoState;
  taken_down_at: string | null;
  /**
   * The address of a small size, where it is shown.
   */
  thumbnail: string | null;
  /**
   * When it was last asked for in vain.
   */
  tried_at: string | null;
  /**
   * The same as a sentence.
   */
  why: string | null;
  /**
   * Pixels of the original, upright.
   */
  width: number | null;
}
/**
 * One width of a photo, in two formats.
 */
export interface HomePhotoSize {
  height: number;
  jpeg: string;
  webp: string;
  width: number;
}
/**
 * Whose a photo is.
 */
export interface HomePhotoSource {
  /**
   * When the home heard of it.
   */
  at: string | null;
  by: ActorRef1 | null;
  feed: string | null;
  kind: HomePhotoSourceKind;
  /**
   * The run of the feed that named it first.
   */
  run_id: string | null;
}
/**
 * The person who added it.
 */
export interface ActorRef1 {
  kind: TimelineActor;
  label: string;
}
/**
 * A photo among those of a home; what is left out stays as it is.
 */
export interface HomePhotoArranged {
  /**
   * Words for those who do not see it, in every language that they have.
   */
  alt?: {
    [k: string]: string;
  } | null;
  /**
   * By the tag of the language, in every language that it has.
   */
  caption?: {
    [k: string]: string;
  } | null;
  /**
   * `exterior`, `room`, `bathroom`, `kitchen`, `common`, `plan` or `not_said`.
   */
  kind?: string | null;
  photo_id: string;
  /**
   * The room type; the home itself where it is left out.
   */
  room_id?: string | null;
}
/**
 * A photo that was sent.
 */
export interface HomePhotoUploaded {
  photo: HomePhoto;
  /**
   * Where the home stands now.
   */
  position: number;
}
/**
 * Photos and plans of a home, then those of its room types, then those that nobody names any more.
 */
export interface HomePhotos {
  /**
   * How many a home may have.
   */
  most: number;
  photos: HomePhoto[];
  /**
   * Where the home stands: an arrangement names it.
   */
  position: number;
}
/**
 * All photos of a home as they are to be.
 */
export interface HomePhotosArranged {
  /**
   * In their order; one that is left out is shown at this home no more.
   */
  photos: HomePhotoArranged[];
  /**
   * The position of the photos that were read: what was changed of them after it refuses the arrangement.
   */
  position: number;
  /**
   * Why, for colleagues.
   */
  reason: string;
}
/**
 * A city, and an area of it.
 */
export interface HomePlaceAsked1 {
  area?: string | null;
  /**
   * Its id, or its name in addresses.
   */
  city: string;
}
/**
 * A room type to add.
 */
export interface HomeRoomAddition {
  /**
   * The position of the home that was read: what was changed after it refuses the edit.
   */
  position: number;
  /**
   * Why, for colleagues.
   */
  reason: string;
  room: NewHomeRoom;
}
/**
 * A room type as its maker describes it.
 */
export interface NewHomeRoom {
  /**
   * How many there are.
   */
  count: number;
  leases?: NewHomeLease[];
  /**
   * By the tag of the language.
   */
  name: {
    [k: string]: string;
  };
  size_sqm?: number | null;
  /**
   * Such as `private_room`, `shared_kitchen`; what is left out is not said.
   */
  types?: string[];
}
/**
 * A room type to let no longer.
 */
export interface HomeRoomWithdrawal {
  /**
   * The position of the home that was read: what was changed after it refuses the edit.
   */
  position: number;
  /**
   * Why, for colleagues.
   */
  reason: string;
}
/**
 * Rooms of a home that are at stake: on the fullest night to come of each room type.
 */
export interface HomeStakes {
  booked: number;
  free: number;
  held: number;
  /**
   * Places of its waitlists.
   */
  waiting: number;
}
/**
 * Rooms of a home by weeks of a year.
 */
export interface HomeStock {
  from: string;
  rooms: HomeStockRoom[];
}
/**
 * A room type by weeks.
 */
export interface HomeStockRoom {
  /**
   * True where more are sold for a night to come than there are: then none is let.
   */
  is_oversold: boolean;
  leases: HomeStockLease[];
  name: string;
  room_id: string;
  /**
   * How many there are.
   */
  rooms: number;
  weeks: HomeStockWeek[];
}
/**
 * A lease of a room type, with how many rooms were let for it.
 */
export interface HomeStockLease {
  booked: number;
  ends: string;
  held: number;
  length: string;
  move_in: string;
}
/**
 * A week of a room type, by its fullest night.
 */
export interface HomeStockWeek {
  booked: number;
  free: number;
  from: string;
  held: number;
}
/**
 * An undo of a step.
 */
export interface HomeUndo {
  /**
   * Why, for colleagues.
   */
  reason: string;
  /**
   * As the history names it.
   */
  step: number;
}
/**
 * A home with the values of its facts.
 */
export interface HomeValues {
  currency: string;
  /**
   * The feed that is its source; null where people listed it.
   */
  feed: string | null;
  home_id: string;
  name: string;
  period: Period;
  /**
   * Where the home stands: an edit names it.
   */
  position: number;
  values: HomeFact[];
}
/**
 * Verdict on one of many homes.
 */
export interface HomeVerdict {
  /**
   * Of a refusal.
   */
  code: string | null;
  home_id: string;
  /**
   * Empty for an unknown home.
   */
  name: string;
  verdict: HomeVerdictWord;
  why: string | null;
}
/**
 * Consequences of a change that is tried.
 */
export interface HomeWhatIf {
  /**
   * True where the edit would be made: no booking and no hold would be without a room.
   */
  is_possible: boolean;
  /**
   * Open enquiries whose price would change.
   */
  leads: HomeWhatIfLead[];
  /**
   * Open enquiries at the home that were looked at; of more than 500 the newest.
   */
  leads_read: number;
  rooms: HomeWhatIfRoom[];
}
/**
 * An enquiry before and after the change, at the price that counts for it: one that it froze may.
 */
export interface HomeWhatIfLead {
  after_minor: number | null;
  before_minor: number | null;
  lead_id: string;
  reference: string;
}
/**
 * A room type that the change touches.
 */
export interface HomeWhatIfRoom {
  /**
   * Leases whose price changes.
   */
  leases: HomeWhatIfLease[];
  name: string;
  room_id: string;
  rooms_after: number;
  rooms_before: number;
  /**
   * References of enquiries whose bookings or holds would be too many.
   */
  short: string[];
  /**
   * Places of its waitlist, and those of them that would find a room.
   */
  waiting: number;
  would_find: number;
}
/**
 * A lease before and after the change.
 */
export interface HomeWhatIfLease {
  after_minor: number;
  before_minor: number;
  length: string;
  move_in: string;
}
/**
 * An act on many homes.
 */
export interface HomesAct {
  act: HomesActWord;
  /**
   * Ids of at most 200 homes.
   */
  homes: string[];
  place?: HomePlaceAsked2 | null;
  /**
   * Why, for colleagues.
   */
  reason: string;
  /**
   * Of a pause: the day from which they are let again, where one is known.
   */
  reopens_on?: string | null;
}
/**
 * Of a move: where to.
 */
export interface HomePlaceAsked2 {
  area?: string | null;
  /**
   * Its id, or its name in addresses.
   */
  city: string;
}
/**
 * A feed of the house.
 */
export interface HouseFeed {
  /**
   * RFC 3339.
   */
  changed_at: string | null;
  changed_by: string | null;
  /**
   * `6h`.
   */
  every: string | null;
  has_map: boolean;
  /**
   * Of its address, whose rest may hold a key.
   */
  host: string | null;
  is_paused: boolean;
  last_run: ImportRun | null;
  missing: MissingRule | null;
  name: string;
  set_in: ("setting" | "here") | null;
  state: FeedHealth1 | null;
  /**
   * Names what a change was made from; null for a feed that is not set here.
   */
  version: number | null;
}
/**
 * One run of an import.
 */
export interface ImportRun {
  added: number;
  /**
   * Of a refused run: the number of homes that might have been closed, where a limit was given.
   */
  allowed: number | null;
  /**
   * RFC 3339.
   */
  begun_at: string;
  by: ImportAsker;
  /**
   * The member of staff; empty for another asker and for an account that is no staff any more.
   */
  by_name: string;
  changed: number;
  /**
   * SHA-256 of the file, in hex.
   */
  digest: string;
  /**
   * Null for a run that is under way, or that broke off.
   */
  ended_at: string | null;
  feed: string;
  /**
   * The file's name, or the host of its address.
   */
  file: string;
  /**
   * The outcome of each row can be downloaded: of the newest runs of a scheduled feed.
   */
  has_report: boolean;
  /**
   * Of a refused run: the feed's homes that are let.
   */
  homes: number | null;
  /**
   * Homes that the feed itself does not publish.
   */
  left_out: number;
  /**
   * SHA-256 of its map; null without one.
   */
  map_digest: string | null;
  /**
   * Homes that the file does not name, and that stay.
   */
  missing: number;
  /**
   * Rule of a run of an import for homes that its file does not name.
   */
  missing_rule: "keep" | "withdraw" | "report";
  outcome: ("complete" | "stopped" | "too_many_missing" | "number_not_typed") | null;
  /**
   * Why the file could not be read to its end.
   */
  reason: string | null;
  rejected: number;
  run_id: string;
  unchanged: number;
  /**
   * Homes that the file does not name, and that were closed.
   */
  withdrawn: number;
}
/**
 * Null before its first run on a schedule.
 */
export interface FeedHealth1 {
  /**
   * RFC 3339, as all moments here: when it is fetched next.
   */
  due_at: string | null;
  ended: FeedEnd | null;
  ended_at: string | null;
  /**
   * Why the last run failed.
   */
  failure: string | null;
  /**
   * It fails again and again, or until a person mends something.
   */
  is_failing: boolean;
  is_running: boolean;
  last_import: FeedImport | null;
  /**
   * As in the file of the setting `feeds`.
   */
  name: string;
}
/**
 * Every feed of the house, by name.
 */
export interface HouseFeeds {
  feeds: HouseFeed[];
}
/**
 * Everything of a page's text in one language.
 */
export interface HouseText {
  draft: HouseTextDraft | null;
  /**
   * The newest version is shown.
   */
  is_shown: boolean;
  language: Lang;
  /**
   * Names that a text may use in braces.
   */
  names: string[];
  page: string;
  /**
   * Where the text stands: an edit names it.
   */
  revision: number;
  shipped: HouseWords;
  /**
   * The newest first.
   */
  versions: HouseTextVersion[];
}
/**
 * A text that is not shown yet.
 */
export interface HouseTextDraft {
  at: string;
  /**
   * The Markdown as the page would draw it.
   */
  blocks: TextBlock[];
  by: string;
  is_older: boolean;
  text: HouseWords;
}
/**
 * Words of a page.
 */
export interface HouseWords {
  /**
   * What the page's button says.
   */
  act?: string;
  /**
   * Markdown.
   */
  body: string;
  description: string;
  lead?: string;
  title: string;
}
/**
 * A text as it was published.
 */
export interface HouseTextVersion {
  at: string;
  by: string;
  is_older: boolean;
  number: number;
  text: HouseWords;
}
/**
 * A page's text in one language.
 */
export interface HouseTextLine {
  has_draft: boolean;
  /**
   * The text that ships has changed since the shown one was written.
   */
  is_older: boolean;
  language: Lang;
  page: string;
  published_at: string | null;
  /**
   * Of the text that ships.
   */
  title: string;
  /**
   * The version that is shown; null where the text that ships is.
   */
  version: number | null;
}
export interface HouseTextStep {
  /**
   * The revision of the text that was read.
   */
  revision: number;
}
/**
 * A page of runs.
 */
export interface ImportRuns {
  /**
   * Every feed that ever had a run, for the filter.
   */
  feeds: string[];
  /**
   * Where the next page begins; null on the last.
   */
  next: number | null;
  runs: ImportRun[];
}
/**
 * A property or room in the words of Spec §3; `only`, `except` and `methods` choose the fields.
 */
export interface Inventory {
  active_children?: RoomType[];
  active_children_count?: number;
  available?: boolean;
  canonical_name?: string;
  children_short?: ChildName[];
  config?: ConfigurationName | null;
  description?: string;
  destination_distances?: PlaceDistance[];
  faqs?: Faq[];
  feature_tags?: string[];
  features?: FeatureList[];
  id?: string;
  images?: InventoryImage[];
  inventory_custom_form?: CustomForm;
  is_local_non_commissionable?: boolean;
  /**
   * `child` for a room.
   */
  level?: string | null;
  location?: Address;
  location_coordinates?: Coordinates1 | null;
  meta?: InventoryMeta;
  meta_community_facts?: CommunityFacts;
  meta_distances?: PlaceDistance[];
  meta_facts?: MetaFacts;
  meta_general_facts?: MetaFacts;
  meta_short?: MetaFacts;
  meta_types?: string[];
  name?: string;
  offers?: Offer[];
  owner?: Owner;
  parent?: InventoryParent | null;
  parent_id?: string | null;
  payment_before_bookform?: boolean;
  pricing?: Pricing;
  provider_id?: string | null;
  region?: RegionName | null;
  region_id?: string;
  region_parent_city_canonical?: string | null;
  region_parent_country?: CountryKey;
  resetMoveInDate?: boolean;
  reviews_count?: number;
  reviews_rating?: number | null;
  /**
   * Null where it can be booked and the number of rooms is not said.
   */
  rooms_left?: number | null;
  site_plan?: string | null;
  source_link?: string | null;
  status?: InventoryStatus;
  tags?: Tag[];
  tenancyName?: string | null;
  type?: ("student_accommodation" | "apartment" | "university_hall" | "house") | null;
  unit_type?: UnitType | null;
  videos?: string[];
  virtual_views?: string[];
}
/**
 * Something near a property.
 */
export interface PlaceDistance {
  distance_m: number;
  kind: string;
  name: string;
}
/**
 * A picture of a property.
 */
export interface InventoryImage {
  caption: string;
  featured: boolean;
  path: string;
  type: string;
}
/**
 * A point on earth.
 */
export interface Coordinates1 {
  lat: number;
  lng: number;
}
/**
 * Terms of a property (Spec §3).
 */
export interface InventoryMeta {
  available_from_formatted: string | null;
  /**
   * The home's own; null where it names none.
   */
  deposit: number | null;
  deposit_multiplier: number | null;
  guarantor: Guarantor | null;
  /**
   * `true` or `false`, as the specification writes it; null where it is not said.
   */
  guarantor_required: string | null;
  lease_duration: number | null;
  max_deposit: number | null;
  max_lease_duration: number | null;
  meta_description: string | null;
  meta_keywords: string | null;
  meta_title: string | null;
  min_lease_duration: number | null;
  payment: boolean;
  platform_fee: number | null;
  refundable_token: number | null;
}
/**
 * Facts of the house.
 */
export interface MetaFacts {
  bills_included: boolean | null;
  checked_on: string | null;
  floors: number | null;
  opened_year: number | null;
}
/**
 * An offer that can be had today.
 */
export interface Offer {
  currency: string;
  description: string;
  id: string;
  kind: OfferKind;
  stackable: boolean;
  terms: string;
  title: string;
  valid_from: string | null;
  valid_to: string | null;
  value: number;
  value_minor: number;
}
/**
 * How the owner is reached.
 */
export interface Owner {
  phones: string[];
}
/**
 * The property that a room belongs to.
 */
export interface InventoryParent {
  canonical_name: string;
  id: string;
  name: string;
  region: RegionName | null;
  region_id: string;
  status: InventoryStatus;
}
/**
 * The property a lead is about.
 */
export interface InventoryRoot {
  canonical_name: string;
  city: string;
  id: string;
  name: string;
}
/**
 * All that is known of a place.
 */
export interface KnownPlace {
  bounds: PlaceBox;
  canonical_name: string;
  centre: PlacePoint;
  /**
   * ISO code.
   */
  country: string;
  /**
   * Other names and postcodes by which it is found.
   */
  found_by: string[];
  homes: number;
  id: string;
  is_mended: boolean;
  kind: RegionType;
  lies_in: string | null;
  /**
   * Names in further languages, by their tags.
   */
  local_names: {
    [k: string]: string;
  };
  name: string;
  /**
   * Where it stands: a correction names it.
   */
  revision: number;
  time_zone: string;
}
/**
 * The box around a place.
 */
export interface PlaceBox {
  northeast: PlacePoint;
  southwest: PlacePoint;
}
/**
 * A point on earth, in degrees.
 */
export interface PlacePoint {
  lat: number;
  lng: number;
}
export interface Lead {
  created_at: string;
  data: LeadWish;
  event_options: EventOptions;
  forms_present: string[];
  id: string;
  inventory_id: string | null;
  inventory_root?: InventoryRoot1 | null;
  inventory_root_id: string | null;
  lead_uuid: string;
  location_coordinates_latitude?: number | null;
  location_coordinates_longitude?: number | null;
  location_place_id?: string | null;
  location_place_name?: string | null;
  meta: LeadMeta;
  reference: string;
  referral_details: ReferralDetails;
  region_id: string | null;
  repeat: boolean;
  /**
   * The same was asked for before: a second tour, say, not a first one after a question.
   */
  repeats_wish: boolean;
  source_details: SourceDetails;
  state: LeadStatus;
  user_details: LeadPerson;
  uuid: string;
  verified: boolean;
  version: number;
}
export interface LeadWish {
  budget?: number;
  budget_currency?: string;
  budget_duration?: Period;
  configuration?: string;
  email?: string;
  filters?: {
    [k: string]: string;
  };
  intake?: string;
  lease_duration?: string;
  move_in_date?: string;
  no_of_students?: number;
  property_view_request_details?: ViewingRequested;
  university?: string;
  user_query?: string;
}
/**
 * A viewing that was asked for.
 */
export interface ViewingRequested {
  date: string;
  mode: string;
  slot: string;
  timezone: string;
}
/**
 * With `methods=inventory_root`.
 */
export interface InventoryRoot1 {
  canonical_name: string;
  city: string;
  id: string;
  name: string;
}
export interface LeadMeta {
  idp_form_data?: CounsellorDetails | null;
  lead_source?: string | null;
  payment_before_bookform?: boolean | null;
  variant?: LeadVariant | null;
}
export interface ReferralDetails {
  code?: string | null;
  name?: string | null;
}
/**
 * Where the visitor came from: tracked parameters, click ids, referrers.
 */
export interface SourceDetails {
  fbclid?: string | null;
  final_url?: string | null;
  gbraid?: string | null;
  gclid?: string | null;
  initial_referrer?: string | null;
  initial_referring_domain?: string | null;
  keyword?: string | null;
  msclkid?: string | null;
  referral_code?: string | null;
  referrer?: string | null;
  referring_domain?: string | null;
  utm_campaign?: string | null;
  utm_content?: string | null;
  utm_group?: string | null;
  utm_medium?: string | null;
  utm_source?: string | null;
  utm_term?: string | null;
  wbraid?: string | null;
}
export interface LeadPerson {
  email: string;
  name: string;
  phone: string;
  phone_details: PhoneDetails;
}
export interface PhoneDetails {
  country_code: string;
  international: string;
  national: string;
}
/**
 * One act; which fields it needs follows from `act`.
 */
export interface LeadAct {
  /**
   * Act of the desk on a lead.
   */
  act?:
    | "note"
    | "record_call"
    | "assign"
    | "set_team"
    | "close"
    | "reopen"
    | "change_stay"
    | "change_room"
    | "extend_hold"
    | "send_code"
    | "send_enquiry"
    | "correct_contact"
    | "undo_contact"
    | "ask_refund"
    | "ask_cancellation"
    | "mark_double"
    | "unmark_double";
  /**
   * `ask_refund`: minor units; unsaid: as much as finance finds right.
   */
  amount_minor?: number | null;
  cause?:
    | ("booked_elsewhere" | "no_answer" | "no_room" | "price_too_high" | "plans_changed" | "not_genuine" | "other")
    | null;
  email?: string | null;
  /**
   * `change_room`.
   */
  inventory_id?: string | null;
  /**
   * `mark_double`: the lead that is kept.
   */
  kept_lead_id?: string | null;
  lease_duration?: string | null;
  meaning?: ("same" | "slip" | "other_person") | null;
  /**
   * `change_stay`: what is not said stays.
   */
  move_in_date?: string | null;
  /**
   * `correct_contact`: what is not said stays.
   */
  name?: string | null;
  phone?: string | null;
  /**
   * `record_call`: whether they spoke.
   */
  reached?: boolean | null;
  /**
   * Why, for colleagues.
   */
  reason?: string;
  /**
   * `mark_double`: the kept lead takes over the phone number of the double.
   */
  take_phone?: boolean;
  /**
   * `set_team`: null takes it from its team.
   */
  team?: string | null;
}
export interface LeadData {
  budget?: number | null;
  budget_currency?: string | null;
  budget_duration?: Period | null;
  configuration?: string | null;
  /**
   * Another address than the one of `user_details`.
   */
  email?: string | null;
  filters?: {
    [k: string]: unknown;
  } | null;
  intake?: string | null;
  lease_duration?: LeaseSaid | null;
  /**
   * `weeks` or `months`, where `lease_duration` is a number.
   */
  lease_duration_unit?: string | null;
  move_in_date?: string | null;
  no_of_students?: number | null;
  property_view_request_details?: ViewingDetails | null;
  university?: string | null;
  user_query?: string | null;
}
export interface ViewingDetails {
  date?: string;
  mode?: string;
  slot?: string;
  timezone?: string;
}
/**
 * A lead with what can be done to it.
 */
export interface LeadDesk {
  /**
   * Refunds that finance has not answered.
   */
  asks: DeskAsk[];
  /**
   * The acts that are possible now.
   */
  can: LeadActKind[];
  /**
   * True where it can be taken from that account: its key is its own, and what was begun in it was begun before the claim.
   */
  can_move: boolean;
  /**
   * Other leads of the same address or number.
   */
  candidates: DeskLead[];
  colleagues: Colleague[];
  double_of: DeskLead1 | null;
  doubles: DeskLead[];
  /**
   * True where it belongs to an account: another address then says what it means.
   */
  is_claimed: boolean;
  lead_id: string;
  payment: DeskPayment | null;
  /**
   * Until when the enquiry keeps its price.
   */
  price_until: string | null;
  reference: string;
  /**
   * Enquiries that were made of this one, or that this one was made of.
   */
  related: DeskLead[];
  room: string | null;
  /**
   * Rooms of the lead's home, for a form that is still open.
   */
  rooms: DeskRoom[];
  status: LeadStatus;
  stay: DeskStay1;
  /**
   * Stays that can be picked instead, and paid.
   */
  stays: DeskStay[];
  team: string | null;
  /**
   * Every team of the deployment.
   */
  teams: string[];
}
/**
 * Another lead of the same person.
 */
export interface DeskLead1 {
  created_at: string;
  lead_id: string;
  property: string | null;
  reference: string;
  status: LeadStatus;
}
/**
 * The stay that the student wishes for.
 */
export interface DeskStay1 {
  inventory_id: string | null;
  lease_duration: string | null;
  move_in_date: string | null;
  rent: Price2 | null;
  /**
   * The room's name.
   */
  room: string | null;
}
/**
 * A document that the student sent.
 */
export interface LeadDocument {
  id: string;
  media_type: string;
  name: string;
  opened: LeadDocumentOpening[];
  size_bytes: number;
}
/**
 * One look at it.
 */
export interface LeadDocumentOpening {
  at: string;
  by: DocumentAudience;
}
/**
 * Some events of a long history.
 */
export interface LeadEvents {
  events: TimelineEvent1[];
}
export interface TimelineEvent1 {
  actor: ActorRef;
  because_of: number | null;
  changes: TimelineChange[];
  failed: boolean;
  n: number;
  position: number;
  recorded_at: string;
  revision: number;
  sentence: Sentence;
  stream: StreamKind;
  stream_id: string;
  type: string;
}
/**
 * Filters of a list of leads. One that is left out narrows nothing.
 */
export interface LeadFilters {
  attention?: ("hold_ending" | "disputed" | "late" | "unanswered" | "declined" | "pending" | "referral_held") | null;
  city?: string | null;
  /**
   * Days of UTC such as 2026-11-26; both ends count.
   */
  created_from?: string | null;
  created_to?: string | null;
  /**
   * `me`: only leads with a note that mentions the caller.
   */
  mentions?: string | null;
  move_in_from?: string | null;
  move_in_to?: string | null;
  /**
   * A member of staff's id, or `me`.
   */
  owner?: string | null;
  partner?: string | null;
  /**
   * A property's id, name in addresses, or name.
   */
  property?: string | null;
  /**
   * Words, as typed into the box.
   */
  q?: string | null;
  source?: string | null;
  stage?: ("open" | "waits_for_student" | "declined_today") | null;
  status?: LeadStatus | null;
  /**
   * Steps that happened one after another, between commas: `declined,declined,paid<60` (within sixty minutes of the step before),
   * `enquired,!answered<120` (not answered within two hours), `declined:expired_card` (with that code).
   */
  steps?: string | null;
  /**
   * Only leads of this team, or `mine`: of the caller's teams.
   */
  team?: string | null;
}
/**
 * A form as support sees it.
 */
export interface LeadForm {
  documents: LeadDocument[];
  sections: LeadFormSection[];
  submitted: boolean;
}
export interface LeadFormSection {
  complete: boolean;
  fields: LeadFormField[];
  key: SectionKey;
}
/**
 * One answer.
 */
export interface LeadFormField {
  /**
   * A ticked box is `true`.
   */
  answer: string;
  /**
   * The property's form does not ask for it any more; the answer was kept.
   */
  former: boolean;
  name: string;
}
export interface LeadListPage {
  /**
   * How many of them have each reason to be looked at.
   */
  attention: {
    [k: string]: number;
  };
  counts: {
    [k: string]: number;
  };
  meta: ListMeta;
  result: LeadRow[];
  /**
   * How the words were understood, part by part.
   */
  understood: UnderstoodPart[];
}
/**
 * One lead in a list; personal values masked.
 */
export interface LeadRow {
  /**
   * When an answer is due, while the lead waits for one.
   */
  answer_due_at: string | null;
  /**
   * A colleague's message or recorded call has reached the student.
   */
  answered: boolean;
  /**
   * Why it is to be looked at, the most urgent reason first.
   */
  attention: LeadAttention[];
  created_at: string;
  email_masked: string;
  /**
   * When the hold of its room ends, while it runs.
   */
  hold_until: string | null;
  last_event_at: string;
  lead_id: string;
  name_masked: string;
  owner: string | null;
  phone_masked: string;
  price: Price | null;
  progress: number;
  property: LeadProperty | null;
  reference: string;
  repeat: boolean;
  room: string | null;
  source: string | null;
  status: LeadStatus;
}
export interface LeadProperty {
  id: string;
  name: string;
  region: string;
}
/**
 * How one part of the words was understood.
 */
export interface UnderstoodPart {
  from: string | null;
  kind: LeadWordsKind;
  to: string | null;
  /**
   * The status or the reason.
   */
  value: string | null;
  /**
   * The words without this part.
   */
  without: string;
  written: string;
}
/**
 * So much of every event that the whole can be drawn, and its fields told at any moment, without the events themselves.
 */
export interface LeadOutline {
  days: OutlineDay[];
  /**
   * The events that did not work out.
   */
  failed: number[];
  /**
   * Of each event, in order, which of `streams` it is in: counted from 0.
   */
  of_stream: number[];
  tracks: OutlineTrack[];
}
/**
 * A day, and its first event.
 */
export interface OutlineDay {
  day: string;
  n: number;
}
/**
 * One field's changes: event `at[i]` made it `values[became[i]]`.
 */
export interface OutlineTrack {
  at: number[];
  became: number[];
  field: string;
  masked: boolean;
  stream: StreamKind;
  values: (string | null)[];
}
export interface LeadPayload {
  data?: LeadData;
  event_options?: EventOptions;
  inventory_id?: string | null;
  /**
   * Of an earlier lead; a viewing is then asked for on that one.
   */
  lead_uuid?: string | null;
  location_coordinates_latitude?: number | null;
  location_coordinates_longitude?: number | null;
  location_place_id?: string | null;
  location_place_name?: string | null;
  meta?: LeadMeta;
  referral_details?: ReferralDetails;
  region_id?: string | null;
  source_details?: SourceDetails;
  state?: string | null;
  user_details?: UserDetails;
  /**
   * A field that no person sees; what fills it in fills in everything (T20).
   */
  website?: string | null;
}
export interface UserDetails {
  email?: string | null;
  name?: string | null;
  phone?: string | null;
}
/**
 * `{lead: …}`
 */
export interface LeadRequest {
  lead: LeadPayload;
}
/**
 * One lead's history as a paragraph.
 */
export interface LeadStory {
  /**
   * In the reader's language.
   */
  story: string;
}
export interface LeadTimeline {
  /**
   * How many events there are.
   */
  count: number;
  /**
   * All of them, or the newest of a long history.
   */
  events: TimelineEvent1[];
  fields: FieldRef[];
  lead: LeadRow;
  outline: LeadOutline1 | null;
  streams: StreamRef[];
}
/**
 * Of a long history.
 */
export interface LeadOutline1 {
  days: OutlineDay[];
  /**
   * The events that did not work out.
   */
  failed: number[];
  /**
   * Of each event, in order, which of `streams` it is in: counted from 0.
   */
  of_stream: number[];
  tracks: OutlineTrack[];
}
export interface StreamRef {
  revision: number;
  stream: StreamKind;
  stream_id: string;
}
/**
 * One view, with how many leads it holds now.
 */
export interface LeadView {
  /**
   * Its owner gets a mail when it grows.
   */
  alarm: boolean;
  count: number;
  filters: LeadFilters;
  /**
   * A word for one that everybody has, else an id.
   */
  id: string;
  /**
   * None for those that everybody has: their names are texts of the page.
   */
  name: string | null;
  /**
   * The caller may change it.
   */
  own: boolean;
  /**
   * Member of staff who shares it.
   */
  owner_name: string | null;
  shared: boolean;
}
export interface LeadViewChange {
  alarm?: boolean | null;
  filters?: LeadFilters | null;
  /**
   * Left out: as it is.
   */
  name?: string | null;
  shared?: boolean | null;
}
export interface LeadWriting {
  /**
   * True while the caller writes at this lead.
   */
  writing: boolean;
}
export interface LedgerLine {
  account: Account;
  credit_minor: number;
  debit_minor: number;
  kind: string;
  position: number;
  recorded_at: string;
}
/**
 * An event that could not be taken in, or that follows one in its stream.
 */
export interface LeftOut {
  error: string;
  event_type: string;
  position: number;
  /**
   * When the event was recorded; it was left out moments later.
   */
  since: string | null;
  stream: string;
}
/**
 * `/terms` and `/privacy`.
 */
export interface LegalPage {
  /**
   * How long a room is kept while its payer pays, in words.
   */
  hold: string;
  page: LegalText;
  /**
   * Who processes personal data for the house, each in a sentence.
   */
  processors: string[];
}
/**
 * A message as it went out.
 */
export interface Letter {
  body: string;
  subject: string;
  to: string;
}
/**
 * A decision by hand about a line.
 */
export interface LineDecision2 {
  /**
   * RFC 3339.
   */
  at: string;
  by: string;
  /**
   * Words of who decided; null without any, and once they named someone who was forgotten.
   */
  note: string | null;
  /**
   * The provider's payout that it is; null where it is something else.
   */
  payout: string | null;
  reason: LineReason | null;
}
/**
 * A new link is on its way, where the booking has an address.
 */
export interface LinkRenewed {
  number: string;
}
/**
 * `{"meta":…,"result":[…]}`.
 */
export interface List_Image {
  meta: ListMeta;
  result: Image[];
}
/**
 * `{"meta":…,"result":[…]}`.
 */
export interface List_Inventory {
  meta: ListMeta;
  result: Inventory[];
}
/**
 * `{"meta":…,"result":[…]}`.
 */
export interface List_RegionFields {
  meta: ListMeta;
  result: RegionFields[];
}
/**
 * A region with the fields that `only` left and `methods` added: those of [`Region`] and these.
 */
export interface RegionFields {
  ancestors?: Ancestor[];
  ancestors_short?: Ancestor[];
  application_configs?: ApplicationConfigs;
  /**
   * @minItems 2
   * @maxItems 2
   */
  budget_range?: [number, number];
  canonical_name?: string;
  currency?: string;
  faqs?: Faq[];
  homes?: number;
  id?: string;
  location?: RegionLocation;
  meta?: RegionMeta;
  name?: string;
  parent_canonical_name?: string | null;
  parent_id?: string | null;
  parent_name?: string | null;
  period?: Period;
  redirect_canonical_name?: string | null;
  region_inventory_price_range?: PriceRange | null;
  region_type?: RegionType;
  root_name?: string | null;
  state?: RegionState;
  stories?: string[];
  subtype?: RegionSubtype | null;
  time_zone?: string | null;
}
/**
 * Where a region lies.
 */
export interface RegionLocation {
  coordinates: RegionCoordinates;
  country: string;
  country_key: CountryKey;
  locality: string | null;
}
/**
 * A region's middle and its rectangle.
 */
export interface RegionCoordinates {
  location_bounds: Bounds;
  location_coordinates: Coordinates;
}
/**
 * Name and texts of a region's page.
 */
export interface RegionMeta {
  keywords: string;
  meta: string;
  title: string;
}
/**
 * The cheapest and the dearest starting price of a region.
 */
export interface PriceRange {
  max: Price;
  min: Price;
}
/**
 * `{"meta":…,"result":[…]}`.
 */
export interface List_RoomTypeFields {
  meta: ListMeta;
  result: RoomTypeFields[];
}
/**
 * A kind of room with the fields that `only` left: those of `RoomType`.
 */
export interface RoomTypeFields {
  area_sqm?: number | null;
  available?: boolean;
  configuration?: string | null;
  facts?: string[];
  from?: Price;
  id?: string;
  image?: Image2 | null;
  meta_types?: MetaTypes;
  name?: string;
  options?: RoomOption[];
  /**
   * Its own photos.
   */
  photos?: Photo[];
  plans?: Photo[];
  /**
   * Null where it can be booked and the number of rooms is not said.
   */
  rooms_left?: number | null;
}
/**
 * Null where there is neither a photo nor a drawing of the demo.
 */
export interface Image2 {
  caption: string;
  path: string;
}
/**
 * A login has ended.
 */
export interface LoggedOut {
  message: string;
}
/**
 * A code of the account's own mail: asked for once more before what guards the account is changed.
 */
export interface MailCode {
  otp: string;
  /**
   * Answer to the request for the code.
   */
  session_uuid: string;
}
export interface MatchBody {
  /**
   * The payment's reference or id.
   */
  payment: string;
}
export interface Mending {
  amount_minor: number;
  credit: Account;
  debit: Account;
}
/**
 * `{fields: {field: {value, seen}}, complete: bool, focused: field}`
 */
export interface MergeRequest {
  complete?: boolean;
  /**
   * The fields that were typed; all others stay as they are.
   */
  fields: {
    [k: string]: FieldChange;
  };
  /**
   * The field that has the focus, where another device goes on.
   */
  focused?: string | null;
}
/**
 * The form after a merge.
 */
export interface MergedForm {
  form: BookingForm;
  overwritten: SectionAnswers1;
}
/**
 * Answers by question; a checkbox is true or false.
 */
export interface SectionAnswers1 {
  [k: string]: SectionAnswer;
}
/**
 * Choices of a person about messages, and what may be chosen.
 */
export interface MessageSettings {
  channel: MessageWay;
  /**
   * Ways that lead somewhere: text messages need a number that a code has proved.
   */
  channels: MessageWay[];
  /**
   * A language of the site's pages; null: the language of what the message is about.
   */
  language: string | null;
  reminders: boolean;
}
export interface MessageSettingsRequest {
  channel: string;
  language?: string | null;
  reminders: boolean;
}
/**
 * A message to begin with.
 */
export interface MessageTemplate {
  name: string;
  subject: string;
  words: string;
}
/**
 * The code that a person read out.
 */
export interface MirrorBegin {
  code: string;
}
/**
 * A code to read out to support.
 */
export interface MirrorCode {
  /**
   * Six digits, once.
   */
  code: string;
  mirror_id: string;
  /**
   * RFC 3339.
   */
  until: string;
}
/**
 * One field that holds the page up.
 */
export interface MirrorFault {
  /**
   * The code of its fault.
   */
  code: string;
  /**
   * The field's name, never what stands in it.
   */
  field: string;
}
/**
 * A sentence beside a field.
 */
export interface MirrorNudge {
  /**
   * Milliseconds since 1970: the same sentence again is another nudge.
   */
  at: number;
  field: string;
  sentence: Nudge;
}
/**
 * Where the person is as they ask for a code.
 */
export interface MirrorOffer {
  page: MirrorPage;
}
/**
 * Where a page stands.
 */
export interface MirrorReport {
  declined?:
    | (
        | "live_mode_test_card"
        | "do_not_honor"
        | "generic_decline"
        | "insufficient_funds"
        | "transaction_not_allowed"
        | "testmode_decline"
        | "incorrect_number"
        | "expired_card"
        | "other"
      )
    | null;
  faults: MirrorFault[];
  /**
   * Names of the fields on screen.
   */
  fields: string[];
  /**
   * Conditions that are not met.
   */
  guards: MirrorGuard[];
  page: MirrorPage;
  /**
   * How often the network failed and the page tried again.
   */
  retries: number;
  state: MirrorState;
}
/**
 * How far one read model has come.
 */
export interface ModelHealth {
  lag: number;
  lag_seconds: number;
  name: string;
  /**
   * Streams of which it leaves something out.
   */
  parked: number;
  position: number;
  rests: boolean;
  version: number;
}
export interface MovePlace {
  reason: string;
}
/**
 * Place that daily life needs.
 */
export interface NearPlace {
  kind: string;
  name: string;
  walking: Travel;
}
/**
 * A university with the ways to it.
 */
export interface NearUniversity {
  canonical_name: string;
  distance_m: number | null;
  driving: Travel;
  homes: number;
  id: string;
  lat: number;
  lng: number;
  name: string;
  region_type: RegionType;
  transit: Travel1 | null;
  walking: Travel;
}
/**
 * A way and how long it takes.
 */
export interface Travel1 {
  distance_m: number;
  duration_s: number;
}
/**
 * Places around a place.
 */
export interface Nearby {
  areas: RegionLink[];
  cities: RegionLink[];
  inventories: InventoryCard[];
  universities: RegionLink[];
}
/**
 * A region as a link.
 */
export interface RegionLink {
  canonical_name: string;
  distance_m: number | null;
  homes: number;
  id: string;
  lat: number;
  lng: number;
  name: string;
  region_type: RegionType;
}
/**
 * A home as its maker describes it; what is left out is not said.
 */
export interface NewHome {
  address?: HomeAddress | null;
  bills?: BillsSaid | null;
  /**
   * The country's where it is left out, as the period.
   */
  currency?: string | null;
  /**
   * By the tag of the language.
   */
  description?: {
    [k: string]: string;
  };
  /**
   * By their keys.
   */
  facilities?: string[];
  guarantor?: GuarantorSaid | null;
  kind?: KindSaid | null;
  /**
   * The point in degrees, both or neither; none is said where they are left out.
   */
  lat?: number | null;
  lng?: number | null;
  name: string;
  period?: HomePeriod | null;
  place: HomePlaceAsked1;
  /**
   * Why, for colleagues.
   */
  reason: string;
  rooms?: NewHomeRoom[];
  terms?: HomeTermsEdit | null;
}
export interface NewLeadView {
  /**
   * A mail to its owner when it grows; for a sequence of steps.
   */
  alarm?: boolean;
  filters: LeadFilters;
  name: string;
  shared?: boolean;
}
export interface NewPaymentLink {
  /**
   * Before the processing fee, in minor units of the property's currency.
   */
  amount_minor: number;
  /**
   * The day by which it is to be paid.
   */
  due_on?: string | null;
  /**
   * How many days the link is good; unsaid: 14.
   */
  expires_in_days?: number | null;
  lead_id: string;
  /**
   * For the payer.
   */
  note?: string;
  /**
   * For colleagues: why the link is made.
   */
  reason: string;
  type: PaymentType;
}
/**
 * Page 404.
 */
export interface NotFoundPage {
  message: string | null;
  support_email: string | null;
}
export interface NoteRequest {
  note: string;
}
/**
 * A notice with a signature that is good right now, so that a test can deliver it itself.
 */
export interface NoticeView {
  body: string;
  delivered: number;
  dropped: boolean;
  id: string;
  remaining: number;
  signature: string;
  type: string;
}
/**
 * A ready sentence beside a field of the person's page.
 */
export interface NudgeRequest {
  field: string;
  sentence: Nudge;
}
export interface OpenBody {
  payment: OpenFields;
}
export interface OpenFields {
  form_uuid?: string | null;
  /**
   * The room: a child inventory.
   */
  inventory_id: string;
  lead_uuid: string;
  /**
   * Links of the browser's other enquiries, by which bookings without a login are known to be the same student's.
   *
   * @maxItems 50
   */
  other_leads?: string[];
  /**
   * Empty: everything that is due.
   */
  payment_types?: PaymentType[];
  /**
   * The student wants this home beside another one that is booked for the same time: it is not asked again.
   */
  second_home?: boolean;
}
export interface OpenCase {
  /**
   * The enquiry or booking it is about.
   */
  lead_id?: string | null;
  subject: string;
  topic: CaseTopic;
  words: string;
}
/**
 * A reward that is not settled.
 */
export interface OpenReward {
  currency: string;
  decimals: number;
  /**
   * The first day on which it may be paid, e.g. 2027-09-25.
   */
  due_on: string;
  /**
   * True where it can be paid today.
   */
  is_due: boolean;
  lead_reference: string;
  /**
   * Above zero owed to the referrer, below zero owed by them: it was paid, and the booking refunded later.
   */
  owed_minor: number;
  /**
   * Names the referral; the referred lead has the same id.
   */
  referral_id: string;
}
/**
 * A code is on its way.
 */
export interface OtpSent {
  expires_in_s: number;
  resend_after_s: number;
  session_uuid: string;
}
/**
 * A room type with more bookings than rooms.
 */
export interface OversoldRoom {
  /**
   * References of the bookings.
   */
  bookings: string[];
  /**
   * Names of the home and of the room type.
   */
  home: string;
  room: string;
  room_id: string;
  /**
   * How many rooms there are.
   */
  rooms: number;
}
/**
 * One case in its person's list.
 */
export interface OwnCase {
  case_id: string;
  /**
   * The newest message is of staff, and the case waits for its person.
   */
  is_answered: boolean;
  last_at: string;
  opened_at: string;
  status: CaseStatus;
  subject: string | null;
  topic: CaseTopic;
}
/**
 * A case with everything that was written.
 */
export interface OwnCaseThread {
  attachments: CaseAttachment[];
  case_id: string;
  messages: CaseMessage[];
  status: CaseStatus;
  subject: string | null;
  topic: CaseTopic;
}
/**
 * One look at the caller's data.
 */
export interface OwnDataRead {
  /**
   * RFC 3339.
   */
  looked_at: string;
  /**
   * The enquiry it was about.
   */
  reference: string;
  role: ("support" | "finance" | "admin") | null;
  what: ("contact" | "letter" | "answers" | "export" | "payments" | "history" | "payment" | "case") | null;
}
/**
 * One mirror of the caller's pages.
 */
export interface OwnMirror {
  /**
   * RFC 3339.
   */
  began_at: string;
  ended_by: MirrorEnd | null;
  page: MirrorPage;
  role: ("support" | "finance" | "admin") | null;
  /**
   * How long it lasted; null while it lasts.
   */
  seconds: number | null;
}
/**
 * `/places/search/{region}`.
 */
export interface SearchPage {
  areas: RegionLink[];
  center: SearchCenter;
  children: RegionLink[];
  faqs: Faq[];
  /**
   * Countries and states: children are shown before homes (D6).
   */
  is_region_page: boolean;
  /**
   * Cities with homes, the nearest first, where the place has none.
   */
  nearest: RegionLink[];
  region: Region;
  search: SearchResult;
  total_in_region: number;
  universities: RegionLink[];
}
/**
 * Where distances are measured from.
 */
export interface SearchCenter {
  is_university: boolean;
  label: string;
  lat: number;
  lng: number;
}
/**
 * A region with all its usual fields.
 */
export interface Region {
  ancestors: Ancestor[];
  /**
   * @minItems 2
   * @maxItems 2
   */
  budget_range: [number, number];
  canonical_name: string;
  currency: string;
  homes: number;
  id: string;
  location: RegionLocation;
  name: string;
  parent_canonical_name: string | null;
  parent_id: string | null;
  parent_name: string | null;
  period: Period;
  redirect_canonical_name: string | null;
  region_type: RegionType;
  state: RegionState;
  subtype: RegionSubtype | null;
  time_zone: string | null;
}
/**
 * A page of search results; facets and pins when asked for.
 */
export interface SearchResult {
  facets?: Facets;
  meta: SearchMeta;
  pins?: MapPin[];
  result: InventoryCard[];
}
/**
 * `/places/{name}`.
 */
export interface PropertyPage {
  address: string;
  available: boolean;
  bookable: boolean;
  breadcrumbs: Breadcrumb[];
  canonical_name: string;
  description: string;
  facts: Fact[];
  faqs: Faq[];
  features: PropertyFeature[];
  flow: Flow;
  /**
   * Texts of the page that are not there in the reader's language (D132), each with its own.
   */
  foreign_texts: ForeignText[];
  id: string;
  images: PropertyImage[];
  /**
   * Null where nobody said a point, like `lng`.
   */
  lat: number | null;
  lng: number | null;
  name: string;
  nearby: PropertyNearby;
  offers: Offer[];
  payment_summary: DueLine[];
  /**
   * Photos of the home, then those of its room types.
   */
  photos: Photo[];
  plans: Photo[];
  price: Price3 | null;
  price_trends: PriceTrend[];
  /**
   * Percentage that is added for processing it: `3.627`, or `0` where nothing is.
   */
  processing_fee_percent: string;
  provider_checked_on: string | null;
  recordings: Recording[];
  region: Region;
  /**
   * The day from which a paused home is let again, where one is known.
   */
  reopens_on: string | null;
  reviews: Reviews;
  room_types: RoomType[];
  similar: InventoryCard[];
  state: HomeState;
  view_count: string | null;
}
/**
 * An amenity with its group, in the reader's language.
 */
export interface PropertyFeature {
  group: string;
  key: string;
  name: string;
}
/**
 * A picture of the gallery.
 */
export interface PropertyImage {
  caption: string;
  kind: string;
  path: string;
}
/**
 * Universities and places around a property.
 */
export interface PropertyNearby {
  places: NearPlace[];
  universities: NearUniversity[];
}
/**
 * A price as cards and pages show it: never without currency and period.
 */
export interface Price3 {
  amount_minor: number;
  currency: string;
  decimals: number;
  duration: Period;
  symbol: string;
}
/**
 * Prices of one kind of room by month (D60).
 */
export interface PriceTrend {
  name: string;
  points: PriceTrendPoint[];
}
/**
 * One month; prices as decimal numbers.
 */
export interface PriceTrendPoint {
  currency: string;
  duration: Period;
  max: number;
  median: number;
  min: number;
  month: string;
  n: number;
}
/**
 * A video or a tour on a platform of others.
 */
export interface Recording {
  /**
   * `video` or `tour`.
   */
  kind: string;
  /**
   * Empty where its source gave it none.
   */
  title: string;
  url: string;
}
/**
 * Ratings and what residents wrote.
 */
export interface Reviews {
  count: number;
  items: Review[];
  parts: RatingPart[];
  rating: number | null;
}
/**
 * Review by a resident.
 */
export interface Review {
  author: string;
  course: string | null;
  rating: number;
  stayed: string;
  text: string;
}
/**
 * The mean of one aspect.
 */
export interface RatingPart {
  name: string;
  rating: number;
}
/**
 * `/places/{id}/payment`.
 */
export interface PaymentEntryPage {
  lead_uuid: string | null;
  property: BookedProperty;
  room_types: RoomType[];
  with_accommodation_card: boolean;
}
/**
 * `/payments/{token}`.
 */
export interface PaymentTokenPage {
  token: string;
}
/**
 * `/payments/complete`.
 */
export interface PaymentCompletePage {
  inventory_id: string | null;
  lead_uuid: string | null;
  token: string;
}
/**
 * `/receipts/{number}`.
 */
export interface ReceiptPage {
  number: string;
  /**
   * Of a mail's link.
   */
  pass: string | null;
  /**
   * The payment's token, where the address names it.
   */
  token: string | null;
}
/**
 * `/verify`.
 */
export interface VerifyPage {}
/**
 * `/profile` and below.
 */
export interface ProfilePage {
  /**
   * The conversation that is open under `support`.
   */
  case_id: string | null;
  lead: ActivityLead1 | null;
  page: ProfileTab;
}
/**
 * The one lead that its own link shows without a login (D19).
 */
export interface ActivityLead1 {
  created_at: string;
  lead_uuid: string;
  /**
   * Payment links that staff made for this booking, oldest first; those taken back are left out.
   */
  links: ActivityLink[];
  move_in_date: string | null;
  next_action: NextAction | null;
  payment: ActivityPayment | null;
  price_lock: PriceLock | null;
  property: ActivityProperty;
  reference: string;
  room: ActivityRoom | null;
  state: LeadStatus;
  steps: ActivityStep[];
}
/**
 * `/support/{token}`: the link of a mail.
 */
export interface SupportLinkPage {
  token: string;
}
/**
 * `/workspace`: the browser asks for the rest.
 */
export interface WorkspacePage {}
/**
 * `/blog/{post}`.
 */
export interface PostPage {
  blocks: TextBlock[];
  /**
   * Other posts, the newest first.
   */
  more: PostCard[];
  post: PostCard;
}
/**
 * `/sitemap`.
 */
export interface SiteMapPage {
  countries: SiteMapCountry[];
  shelves: SiteMapShelf[];
}
/**
 * A country in which homes are let, with its cities.
 */
export interface SiteMapCountry {
  cities: PageLink[];
  country: PageLink;
  homes: number;
}
/**
 * Pages of words that belong together.
 */
export interface SiteMapShelf {
  links: PageLink[];
  shelf: Shelf;
}
/**
 * Page 500.
 */
export interface ServerErrorPage {
  support_email: string | null;
}
export interface PaidElsewhereBody {
  /**
   * How it was paid, for colleagues.
   */
  reason: string;
}
export interface Payment {
  /**
   * Says so in the reader's language; null where no bank has any of it.
   */
  bank_has: string | null;
  /**
   * How the booking stands that it is for, whatever became of the money.
   */
  booking: "not_yet" | "booked" | "ended";
  cancelled_at: string | null;
  card: PaymentCard | null;
  currency: string;
  decimals: number;
  decline: PaymentDecline | null;
  /**
   * Amount that banks took back, or keep until they have decided a dispute.
   */
  disputed_minor: number;
  expires_at: string;
  fetch_payment_info: PaymentConfig;
  /**
   * As `lead_uuid`.
   */
  form_uuid: string | null;
  gateway: PaymentGateway;
  /**
   * Until when the last of these rooms is held for others; null also where a hold has no end yet.
   */
  held_until: string | null;
  hold_expires_at: string | null;
  inventory_id: string;
  inventory_root: PaymentHome;
  inventory_root_id: string;
  /**
   * The booking can be rated, or was (D105); null where there is none.
   */
  is_rated: boolean | null;
  /**
   * For the lead's owner, and for who shows the link of the unclaimed lead; null for everybody else who holds the token.
   */
  lead_uuid: string | null;
  lines: PaymentLine[];
  link: PaymentLink | null;
  next_action: PaymentAction | null;
  price_lock: PriceLock2 | null;
  processing_fee_minor: number;
  processing_fee_percent: string;
  reference: string;
  refunded_minor: number;
  refunds: PaymentRefund[];
  room: PaymentRoom1;
  room_now: ("sold" | "held" | "free") | null;
  sold_out_reason: ("no_room" | "hold_lost" | "too_many_holds" | "other_room_booked") | null;
  status: PaymentStatus;
  subtotal_minor: number;
  succeeded_at: string | null;
  symbol: string;
  token: string;
  total_minor: number;
  version: number;
  withdrawn_by: ("replacement" | "person") | null;
}
export interface PaymentCard {
  brand: string;
  last4: string;
}
export interface PaymentDecline {
  code: DeclineCode;
  message: string;
}
/**
 * Spec §3 "Payment config": what the property asks, as decimal numbers (X5).
 */
export interface PaymentConfig {
  currency: string;
  /**
   * The home's own; null where it names none.
   */
  deposit: number | null;
  deposit_multiplier: number | null;
  max_deposit: number | null;
  platform_fee: number;
  refundable_token: number;
}
export interface PaymentGateway {
  client_secret: string | null;
  kind: GatewayKind;
  publishable_key: string | null;
}
export interface PaymentHome {
  canonical_name: string;
  image: string;
  name: string;
  provider_id: string | null;
}
export interface PaymentLine {
  amount_minor: number;
  /**
   * The house's default deposit, which is no term of the home: it names none of its own.
   */
  is_default: boolean;
  /**
   * Comes back in full when the payer cancels: always, or in time where `refundable_days` says until when (D40).
   */
  refundable: boolean;
  /**
   * Days after booking in which it comes back, by the house's own rules; null where it always or never does.
   */
  refundable_days: number | null;
  type: PaymentType;
}
/**
 * Where a member of staff made this payment as a link for a booking.
 */
export interface PaymentLink {
  /**
   * The day by which it is to be paid, as `2027-01-01`; the link itself ends at the payment's `expires_at`.
   */
  due_on: string | null;
  /**
   * Past its end, by the server's clock: nothing can be begun with it.
   */
  is_expired: boolean;
  /**
   * Words of its maker to the payer; empty where nothing was written.
   */
  note: string;
}
export interface PaymentAction {
  type: PaymentActionType;
  url: string;
}
/**
 * Price that the enquiry froze, while nothing is booked.
 */
export interface PriceLock2 {
  /**
   * Price that counts: the lower one before the deadline, today's after it.
   */
  counts_minor: number;
  currency: string;
  decimals: number;
  duration: Period;
  /**
   * The price of the stay when it was asked for.
   */
  frozen_minor: number;
  now_minor: number;
  state: PriceLockState;
  symbol: string;
  until: string;
}
export interface PaymentRefund {
  amount_minor: number;
  at: string;
  id: string;
  status: RefundStatus;
}
export interface PaymentRoom1 {
  lease_duration: number;
  lease_duration_unit: LeaseUnit;
  move_in_date: string;
  name: string;
  rent: Price;
}
export interface PaymentDossier {
  /**
   * Amount that the reader can still give back of it without a second person; null without a limit.
   */
  alone_minor: number | null;
  balance_minor: number;
  /**
   * The booking stands, and a refund cannot cancel it: nothing is left to give back. Never while a bank has not decided a dispute,
   * since its money may come back.
   */
  can_cancel_booking: boolean;
  captured_minor: number;
  /**
   * Choices for the booking with a refund, and what follows from each.
   */
  choices: RefundChoice[];
  currency: string;
  decimals: number;
  dispute: ("open" | "won" | "lost") | null;
  disputed_minor: number;
  events: DossierPair[];
  /**
   * Refunds that came back and wait for another way.
   */
  failed_refunds: FailedRefund[];
  lead_id: string;
  lead_reference: string;
  ledger: LedgerLine[];
  /**
   * The payment links of the same lead.
   */
  links: BookingLink[];
  name_masked: string;
  opened_at: string;
  payment_id: string;
  processing_fee_minor: number;
  property: string;
  /**
   * Numbers of the receipt and of each refund's credit note, in the order they were made.
   */
  receipts: string[];
  reference: string;
  refund_pending_minor: number;
  refundable_minor: number;
  refunded_minor: number;
  status: PaymentStatus;
  /**
   * Above this a refund's amount is typed.
   */
  typed_above_minor: number;
}
/**
 * Choice for the booking with a refund.
 */
export interface RefundChoice {
  booking: BookingChoice;
  /**
   * Consequences, in order.
   */
  then: RefundConsequence[];
}
/**
 * View of a payer on a link that staff made.
 */
export interface PaymentLink1 {
  /**
   * The day by which it is to be paid, as `2027-01-01`; the link itself ends at the payment's `expires_at`.
   */
  due_on: string | null;
  /**
   * Past its end, by the server's clock: nothing can be begun with it.
   */
  is_expired: boolean;
  /**
   * Words of its maker to the payer; empty where nothing was written.
   */
  note: string;
}
/**
 * A payment link with how it stands.
 */
export interface PaymentLinkRow {
  amount_minor: number;
  currency: string;
  decimals: number;
  due_on: string | null;
  expires_at: string;
  made_at: string;
  made_by: string;
  note: string;
  /**
   * The address to hand on; null once nothing can be paid with it.
   */
  path: string | null;
  payment_id: string;
  processing_fee_minor: number;
  reason: string;
  reference: string;
  state: PaymentLinkState;
  total_minor: number;
  type: PaymentType;
}
/**
 * The links of one lead.
 */
export interface PaymentLinks {
  /**
   * True where links can be made: the lead is booked, and its person was not forgotten.
   */
  can_make: boolean;
  currency: string | null;
  decimals: number;
  /**
   * Newest first.
   */
  links: PaymentLinkRow[];
  /**
   * The largest amount of a link, in minor units.
   */
  most_minor: number;
  /**
   * Scheme and host of the further site where the lead was sent: its links are handed on with it. Null at the first site.
   */
  origin: string | null;
}
/**
 * Every entry that a payment has made.
 */
export interface PaymentPostings {
  payment_id: string;
  result: BookPosting[];
  /**
   * Debits less credits: zero.
   */
  sum_minor: number;
}
/**
 * A payment of a lead that names the address.
 */
export interface PersonPayment {
  captured_minor: number;
  currency: string;
  decimals: number;
  dispute: ("open" | "won" | "lost") | null;
  lead_id: string;
  lead_reference: string;
  payment_id: string;
  reference: string;
  refunded_minor: number;
  status: PaymentStatus;
}
export interface PersonSearch {
  email: string;
  /**
   * Why, for the record of looks.
   */
  reason: string;
}
/**
 * A photo to be shown again.
 */
export interface PhotoRestoration {
  photo_id: string;
  /**
   * Why, for colleagues.
   */
  reason: string;
}
/**
 * A photo to be asked for again.
 */
export interface PhotoRetry {
  photo_id: string;
}
/**
 * A photo to be taken down.
 */
export interface PhotoTakeDown {
  /**
   * Deletes the original at once: it can be shown again for thirty days otherwise.
   */
  is_final?: boolean;
  photo_id: string;
  /**
   * Why, for colleagues.
   */
  reason: string;
}
/**
 * Facts of a place to correct; one that is not named stays.
 */
export interface PlaceEdit {
  bounds?: PlaceBox1 | null;
  centre?: PlacePoint | null;
  /**
   * All of them.
   */
  found_by?: string[] | null;
  /**
   * By the tag of their language; null takes the name away.
   */
  local_names?: {
    [k: string]: string | null;
  };
  name?: string | null;
  /**
   * Why, for colleagues.
   */
  reason: string;
  /**
   * The revision of the place that was read: one that was corrected since refuses the edit.
   */
  revision: number;
}
/**
 * The box around a place.
 */
export interface PlaceBox1 {
  northeast: PlacePoint;
  southwest: PlacePoint;
}
/**
 * A place in the list.
 */
export interface PlaceLine {
  canonical_name: string;
  /**
   * ISO code.
   */
  country: string;
  /**
   * Homes that a search of it finds.
   */
  homes: number;
  id: string;
  /**
   * Staff corrected it: no import takes that back.
   */
  is_mended: boolean;
  kind: RegionType;
  /**
   * The place above it.
   */
  lies_in: string | null;
  name: string;
}
/**
 * Statement of a place token.
 */
export interface PlaceStatement {
  joined_at: string;
  /**
   * The number when the place was taken: how many were before it, and one.
   */
  number: number;
  /**
   * Where in the log the place was taken.
   */
  position: number;
  room: string;
  stay: string;
}
export interface PlaceToken {
  token: string;
}
export interface PlaceView {
  joined_at: string;
  /**
   * The same as the student reads it, by the clock of their city and with its name.
   */
  kept_until: string | null;
  /**
   * From 1: who is offered the next room; null once the place is over.
   */
  number: number | null;
  /**
   * Until when a room is kept for this place.
   */
  offered_until: string | null;
  /**
   * Where in the log the place was taken.
   */
  position: number;
  state: PlaceState;
  /**
   * Proves number, position and room: to be kept, and verified with `/api/v0/place_tokens/verify`.
   */
  token: string;
}
/**
 * A frozen price beside today's.
 */
export interface PriceLock3 {
  /**
   * Price that counts: the lower one before the deadline, today's after it.
   */
  counts_minor: number;
  currency: string;
  decimals: number;
  duration: Period;
  /**
   * The price of the stay when it was asked for.
   */
  frozen_minor: number;
  now_minor: number;
  state: PriceLockState;
  symbol: string;
  until: string;
}
/**
 * One month of one kind of room (D60).
 */
export interface PriceMonthRow {
  configuration: string;
  currency: string;
  duration: Period;
  max: number;
  median: number;
  min: number;
  month: string;
  n: number;
}
/**
 * Task of the proof: find `answer` such that SHA-256 of `challenge:answer` begins with `bits` zero bits, and send
 * `challenge:answer` as the header `x-latchkey-proof`.
 */
export interface ProofChallenge {
  bits: number;
  challenge: string;
  expires_in_s: number;
}
export interface ProposalBody {
  /**
   * The exception to mend, as the reconciliation names it.
   */
  item: string;
  reason: string;
}
/**
 * A page of movements, with the payouts and how many movements there are by verdict.
 */
export interface ProviderAccount {
  counts: ProviderCount[];
  meta: ListMeta;
  payouts: ProviderPayout[];
  result: ProviderLine[];
}
export interface ProviderCount {
  count: number;
  verdict: ProviderVerdict;
}
/**
 * Money on its way from the provider to the bank.
 */
export interface ProviderPayout {
  amount_minor: number;
  arrives_at: string;
  created_at: string;
  currency: string;
  decimals: number;
  id: string;
  /**
   * True where it is the sum of its movements; null where the provider does not say which it holds.
   */
  is_whole: boolean | null;
  /**
   * How many movements went out with it, and what they come to.
   */
  items: number;
  items_minor: number;
  /**
   * The provider's word, e.g. `in_transit`.
   */
  status: string;
}
/**
 * One movement of the provider's account beside our own books.
 */
export interface ProviderLine {
  amount_minor: number;
  available_at: string | null;
  created_at: string;
  currency: string;
  decimals: number;
  /**
   * By which rate a charge of another currency was settled, as the provider writes it.
   */
  exchange_rate: string | null;
  fee_minor: number;
  here_currency: string | null;
  /**
   * Amount in our books, signed.
   */
  here_minor: number | null;
  /**
   * Null for what only our books know.
   */
  id: string | null;
  /**
   * The provider's word, e.g. `charge`; for what only our books know, ours.
   */
  kind: string;
  net_minor: number;
  payment_id: string | null;
  payment_reference: string | null;
  payout_id: string | null;
  /**
   * Object that moved the money, e.g. a charge.
   */
  source: string | null;
  verdict: ProviderVerdict;
}
/**
 * State of the payment provider.
 */
export interface ProviderHealth {
  /**
   * `sandbox` or `stripe`.
   */
  kind: string;
  state: GatewayState;
}
/**
 * That everything the provider lists is taken in.
 */
export interface Pulled {
  pulled: boolean;
}
/**
 * Rows that a rollback put in each other's place.
 */
export interface PutBack {
  /**
   * The same of those that served until now, and are kept.
   */
  kept_through: number;
  /**
   * The event through which the rows had come that serve again. They go on from there.
   */
  serves_through: number;
}
/**
 * Work that waits, and what does not work.
 */
export interface QueueHealth {
  failing: number;
  waiting: number;
}
/**
 * `{score: 9, words: "Quick and clear"}`
 */
export interface RatingRequest {
  /**
   * 0 to 10.
   */
  score: number;
  /**
   * Free words.
   */
  words?: string;
}
/**
 * One event as stored; the sealed part never.
 */
export interface RawEvent {
  actor_id: string | null;
  actor_kind: ActorKind;
  causation_id: string | null;
  chain: string;
  command_id: string | null;
  correlation_id: string;
  event_id: string;
  event_type: string;
  leaf: string;
  occurred_at: string;
  payload: unknown;
  position: number;
  recorded_at: string;
  revision: number;
  schema_version: number;
  sealed: boolean;
  stream: string;
}
export interface ReadFormRequest {
  reason: string;
}
export interface ReadLetterRequest {
  reason: string;
}
/**
 * How far one read model has come, as `/readyz` and the metrics say it.
 */
export interface ReadModelStanding {
  /**
   * Why it rests.
   */
  error: string | null;
  /**
   * The event through which the rows had come that the last rebuild replaced: a rollback lets them serve again.
   */
  kept_through: number | null;
  /**
   * Events it is behind.
   */
  lag: number;
  lag_seconds: number;
  /**
   * Events that it leaves out, oldest first.
   */
  left_out: LeftOut[];
  name: string;
  /**
   * Streams of which it leaves something out.
   */
  parked: number;
  position: number;
  version: number;
}
export interface ReadModels {
  /**
   * True where the process that answered is the one that folds.
   */
  folds_here: boolean;
  /**
   * The log's last event.
   */
  head: number;
  /**
   * The process that folds, where several share the database.
   */
  owner: string | null;
  read_models: ReadModelStanding[];
}
/**
 * A document with the names that stand on it.
 */
export interface Receipt {
  clock: ReceiptClock | null;
  facts: ReceiptFacts;
  home: string;
  /**
   * Null where the reader may not know, or the payer was forgotten.
   */
  payer: string | null;
  provider: string | null;
  reference: string;
  room: string;
  seller: string;
  seller_address: string;
}
/**
 * The home's clock, on which page and PDF tell their times; null for documents of before, whose times are in UTC.
 */
export interface ReceiptClock {
  /**
   * As the reader calls it: `London time`.
   */
  name: string;
  /**
   * IANA name: `Europe/London`.
   */
  zone: string;
}
/**
 * Facts that follow from the log's events alone.
 */
export interface ReceiptFacts {
  charges: ReceiptCharge[];
  currency: string;
  decimals: number;
  issued_at: string;
  kind: ReceiptKind;
  lines: ReceiptLine[];
  number: string;
  /**
   * Of a credit note: the number of the receipt.
   */
  receipt_number: string | null;
  refunded_minor: number;
  refunds: ReceiptRefund[];
  total_minor: number;
}
/**
 * Money that the gateway took.
 */
export interface ReceiptCharge {
  amount_minor: number;
  at: string;
  card: PaymentCard | null;
}
export interface ReceiptLine {
  amount_minor: number;
  kind: ReceiptLineKind;
}
/**
 * Money that went back.
 */
export interface ReceiptRefund {
  amount_minor: number;
  at: string;
  /**
   * The bank did not take it.
   */
  failed: boolean;
  /**
   * The credit note's number.
   */
  number: string;
}
/**
 * A clock and its name.
 */
export interface ReceiptClock1 {
  /**
   * As the reader calls it: `London time`.
   */
  name: string;
  /**
   * IANA name: `Europe/London`.
   */
  zone: string;
}
/**
 * Result of a check.
 */
export interface ReceiptVerdict {
  /**
   * The same in technical words.
   */
  detail: string | null;
  fault: ("unreadable" | "key" | "events" | "number" | "lines" | "names" | "pages" | "log") | null;
  /**
   * The name of the key that signed it.
   */
  key: string | null;
  receipt: ReceiptFacts1 | null;
  /**
   * When the head of the log was signed that vouches for the events.
   */
  signed_at: string | null;
  valid: boolean;
}
/**
 * Facts that follow from the log's events alone.
 */
export interface ReceiptFacts1 {
  charges: ReceiptCharge[];
  currency: string;
  decimals: number;
  issued_at: string;
  kind: ReceiptKind;
  lines: ReceiptLine[];
  number: string;
  /**
   * Of a credit note: the number of the receipt.
   */
  receipt_number: string | null;
  refunded_minor: number;
  refunds: ReceiptRefund[];
  total_minor: number;
}
export interface Received {
  received: boolean;
}
export interface Reconciliation {
  exceptions: ReconciliationException[];
  /**
   * The provider's newest movement that was read; null before the first.
   */
  newest: string | null;
  tiles: ReconciliationTile[];
  totals: ReconciliationTotal[];
}
/**
 * Difference that the reconciliation found. Amounts are signed minor units.
 */
export interface ReconciliationException {
  /**
   * The request for the mending that waits for a second person.
   */
  approval_id: string | null;
  at: string;
  check: ReconciliationCheck;
  currency: string;
  decimals: number;
  difference_minor: number;
  here_minor: number | null;
  item: string;
  mending: Mending1 | null;
  payment_id: string | null;
  payment_reference: string | null;
  /**
   * The provider's object.
   */
  source: string | null;
  there_minor: number | null;
}
/**
 * The posting that would mend it; null where only reading the provider again or waiting helps.
 */
export interface Mending1 {
  amount_minor: number;
  credit: Account;
  debit: Account;
}
/**
 * One thing that is compared: green without a counter-example.
 */
export interface ReconciliationTile {
  check: ReconciliationCheck;
  count: number;
  /**
   * The newest exception; null where there is none.
   */
  example: string | null;
}
/**
 * The provider's account and the books in one currency, cut at the provider's newest movement.
 */
export interface ReconciliationTotal {
  currency: string;
  decimals: number;
  difference_minor: number;
  here_minor: number;
  /**
   * Amount here after that movement: compared at the next reading.
   */
  newer_minor: number;
  there_minor: number;
}
/**
 * Codes for the day the device is lost, shown once.
 */
export interface RecoveryCodes {
  codes: string[];
}
/**
 * Where what was begun goes on.
 */
export interface RedirectionUrls {
  book_form: string | null;
  payment: string | null;
}
export interface ReferralReview {
  /**
   * True where referrer and referred are two people.
   */
  accepted: boolean;
}
export interface RefundBody {
  amount_minor: number;
  /**
   * The colleague's request that it grants and closes, `ask_id` of the refund requests.
   */
  ask_id?: string | null;
  /**
   * Fate of the booking when money goes back.
   */
  booking: "keep" | "cancel";
  reason: string;
  /**
   * The amount once more, as a person typed it: above `typed_above_minor` of the payment's dossier nothing goes back without.
   */
  typed_minor?: number | null;
}
/**
 * A refund that waits for finance.
 */
export interface RefundRequest {
  /**
   * Amount that support thinks right, in minor units; null leaves it to finance.
   */
  amount_minor: number | null;
  ask_id: string;
  at: string;
  by: string;
  currency: string;
  decimals: number;
  ends_booking: boolean;
  lead_id: string;
  payment_id: string;
  /**
   * The payment's.
   */
  reference: string;
  refundable_minor: number;
  /**
   * Null once the student is forgotten.
   */
  why: string | null;
}
/**
 * A feed that is fetched no more.
 */
export interface RemovedFeed {
  name: string;
}
/**
 * An upload that is gone.
 */
export interface RemovedUpload {
  upload_id: string;
}
export interface RenewLinkBody {
  /**
   * Of the link that is over.
   */
  pass: string;
}
export interface RepeatBody {
  /**
   * Under other ids, as if each had happened twice.
   */
  as_new?: boolean;
  /**
   * Notices to deliver once more, dropped ones included.
   */
  notices: string[];
}
export interface RevealRequest {
  reason: string;
}
export interface Revealed {
  counsellor_email: string | null;
  /**
   * The partner's adviser behind the lead (C9).
   */
  counsellor_name: string | null;
  email: string | null;
  name: string | null;
  phone: string | null;
  until: string;
  /**
   * Question that the student sent with the enquiry.
   */
  user_query: string | null;
}
/**
 * One role of one account.
 */
export interface RoleGrant {
  /**
   * The address or number that the role was given to.
   */
  address: string;
  /**
   * The administrator who gave it; null for the command line.
   */
  by: string | null;
  /**
   * True where it counts: for addresses of the company's domain that a code has proved.
   */
  counts: boolean;
  /**
   * The name, else the address before the company's domain; empty where no code has proved the address yet.
   */
  name: string;
  /**
   * True for the reader's own.
   */
  own: boolean;
  role: Role;
  /**
   * True where a device is enrolled for its second login step.
   */
  second_factor: boolean;
  /**
   * RFC 3339.
   */
  since: string;
  user_id: string;
}
/**
 * Enquiry and booking of one room.
 */
export interface RoomFlags {
  booked: boolean;
  enquired: boolean;
  inventory_id: string;
}
/**
 * Everything the sandbox knows.
 */
export interface SandboxView {
  cards: TestCardView[];
  intents: unknown[];
  notices: NoticeView[];
  plan: FaultPlan;
  refunds: unknown[];
}
export interface TestCardView {
  number: string;
  says: string;
}
/**
 * Six digits of the device.
 */
export interface SecondFactorCode {
  code: string;
}
/**
 * A secret for a device, shown once.
 */
export interface SecondFactorOffer {
  /**
   * `otpauth://…`, what the picture says.
   */
  address: string;
  /**
   * The path of the picture's dark squares, each of size 1.
   */
  qr_path: string;
  /**
   * The picture's width and height, in squares.
   */
  qr_size: number;
  /**
   * Base32, to be typed where no camera is.
   */
  secret: string;
}
/**
 * Where the second factor of the caller stands.
 */
export interface SecondFactorState {
  enrolled: boolean;
  /**
   * The workspace opens only after a second step.
   */
  needed: boolean;
  /**
   * This login has passed it.
   */
  passed: boolean;
  /**
   * Recovery codes that are left.
   */
  recovery_left: number;
}
/**
 * `{section: {field: value}, complete: bool}`
 */
export interface SectionRequest {
  complete?: boolean;
  section: SectionAnswers;
}
/**
 * A message from a page of words.
 */
export interface SendContact {
  email: string;
  form: ContactForm;
  name: string;
  /**
   * Company, university or group; its name leads the message.
   */
  organisation?: string | null;
  /**
   * A field that no person sees; what fills it in fills in everything (T20).
   */
  website?: string | null;
  words: string;
}
export interface SendEvidenceBody {
  /**
   * The gateway's id of the dispute.
   */
  dispute_id: string;
  /**
   * Event of the last line that was shown: lines that came later are not sent.
   */
  last_seen: string;
  /**
   * Events whose lines the bank does not get.
   */
  struck?: string[];
}
/**
 * One message that went out.
 */
export interface Sent {
  body: string;
  channel: string;
  code: string | null;
  /**
   * Why it was not sent after all: what it tells was no longer so.
   */
  dropped: string | null;
  /**
   * The half of a mail that shows pictures; what a mail program without them shows is `body`.
   */
  html: string | null;
  id: number;
  kind: string;
  recipient: string;
  sent_at: string;
  subject: string;
}
/**
 * One entry (Spec §3).
 */
export interface ShortlistEntry {
  id: string;
  inventory_id: string;
}
export interface ShortlistFields {
  inventory_id: string;
}
/**
 * `{inventories_shortlist: {inventory_id}}`
 */
export interface ShortlistRequest {
  inventories_shortlist: ShortlistFields;
}
/**
 * The face of the house in the reader's language; what it does not say is as the house ships it.
 */
export interface ShownBrand1 {
  hero: string | null;
  hero_lede: string | null;
  /**
   * Square, the smallest first.
   */
  icons: BrandMark[];
  links: ShownBrandLink[];
  mark: BrandMark1;
  mark_dark: BrandMark2;
  sections: HomeSection[] | null;
  /**
   * Whole address of the picture of links that are shared.
   */
  shared: string | null;
  /**
   * Custom properties over those that ship, as the head's `style` element has them.
   */
  style: string | null;
  support: ShownBrandContact[];
  tagline: string | null;
  theme_colour: string | null;
}
/**
 * One setting as administrators see it.
 */
export interface SiteSetting {
  /**
   * The latest changes, newest first.
   */
  changes: SiteSettingChange[];
  /**
   * The smallest number, or the fewest letters.
   */
  least: number;
  /**
   * The largest number, or the most letters.
   */
  most: number;
  /**
   * As in `latchkey.toml`.
   */
  name: string;
  source: SettingSource;
  unit: SettingUnit;
  value: string;
  /**
   * Value in force once it is given back.
   */
  without_here: string;
}
/**
 * One change.
 */
export interface SiteSettingChange {
  /**
   * RFC 3339.
   */
  at: string;
  /**
   * Null for the command line.
   */
  by: string | null;
  /**
   * Null: given back to file and environment.
   */
  value: string | null;
}
export interface StaffCase {
  channel: MessageChannel;
  lead_id: string;
  subject: string;
  topic: CaseTopic;
  words: string;
}
/**
 * A home as staff keep it.
 */
export interface StaffHome {
  area: HomePlace | null;
  /**
   * Acts that its state allows, the likeliest first.
   */
  can: HomeActWord[];
  canonical_name: string;
  changed_at: string;
  city: HomePlace | null;
  closed_by: HomeClosedBy | null;
  country: string;
  currency: string;
  /**
   * Other homes of the same name and address.
   */
  doubles: HomeDouble[];
  /**
   * Address of its office; no page shows it.
   */
  email: string | null;
  feed: string | null;
  /**
   * Its id in the feed.
   */
  feed_id: string | null;
  home_id: string;
  /**
   * The run of its feed that changed it last.
   */
  last_run: string | null;
  listed_at: string;
  /**
   * The home that is kept instead of this double.
   */
  merged_into: string | null;
  name: string;
  period: Period;
  /**
   * Numbers of its office, in E.164.
   */
  phones: string[];
  /**
   * Its photos that can be shown, a room first; drawings of the demo where there are none.
   */
  pictures: string[];
  /**
   * Where the home stands: an edit names it.
   */
  position: number;
  provider: string | null;
  /**
   * The day from which a paused home is let again.
   */
  reopens_on: string | null;
  rooms: StaffRoom[];
  /**
   * Its page at its source; no page shows it.
   */
  source_link: string | null;
  stakes: HomeStakes;
  state: KeptHomeState;
  /**
   * Its page for students.
   */
  url: string;
}
/**
 * A room type that a home lets.
 */
export interface StaffRoom {
  is_count_said: boolean;
  leases: StaffLease[];
  /**
   * By the tag of the language.
   */
  name: {
    [k: string]: string;
  };
  room_id: string;
  /**
   * How many there are, and whether somebody said so.
   */
  rooms: number;
  size_sqm: number | null;
  /**
   * Such as `private_room`, `shared_kitchen`; what is not said is not among them.
   */
  types: string[];
}
/**
 * A lease that a room is let for.
 */
export interface StaffLease {
  /**
   * Such as `44 weeks`.
   */
  length: string;
  move_in: string;
  price_minor: number;
  /**
   * How many of the rooms its source lets free for it.
   */
  rooms_available: number;
}
export interface StaffMessage {
  channel: MessageChannel;
  words: string;
}
/**
 * Where a person stands, as support sees it.
 */
export interface StaffMirror {
  /**
   * RFC 3339.
   */
  began_at: string | null;
  ended_by: MirrorEnd | null;
  ends_at: string | null;
  mirror_id: string;
  nudge: MirrorNudge | null;
  /**
   * A page whose steps are shown to support.
   */
  page: "lead_form" | "booking_form" | "payment";
  report: MirrorReport1 | null;
  /**
   * The states that the page passed, the oldest first.
   */
  way: MirrorState[];
}
/**
 * Null until the page has told where it stands.
 */
export interface MirrorReport1 {
  declined?:
    | (
        | "live_mode_test_card"
        | "do_not_honor"
        | "generic_decline"
        | "insufficient_funds"
        | "transaction_not_allowed"
        | "testmode_decline"
        | "incorrect_number"
        | "expired_card"
        | "other"
      )
    | null;
  faults: MirrorFault[];
  /**
   * Names of the fields on screen.
   */
  fields: string[];
  /**
   * Conditions that are not met.
   */
  guards: MirrorGuard[];
  page: MirrorPage;
  /**
   * How often the network failed and the page tried again.
   */
  retries: number;
  state: MirrorState;
}
export interface StartFields {
  /**
   * Where the link to the form came from, as its address says it (Spec §2).
   */
  bookform_source?: string | null;
  flow?: Flow | null;
  inventory_id: string;
  lead_uuid: string;
}
/**
 * `{booking_form: {…}}`
 */
export interface StartRequest {
  booking_form: StartFields;
}
/**
 * The refusal that the real act would give.
 */
export interface StepRefusal {
  code: string;
  errors: FieldError[];
  message: string;
}
/**
 * The fields that the log can fill.
 */
export interface StripeEvidence1 {
  /**
   * Log-ins and acts of the payer: each with its time and the place that it came from.
   */
  access_activity_log: string;
  /**
   * Messages that were delivered, or that no mail server took.
   */
  customer_communication: string;
  /**
   * Whose name the enquiry and the receipt carry; `None` once they were forgotten.
   */
  customer_name: string | null;
  product_description: string;
  refund_policy: string;
  refund_policy_disclosure: string;
  /**
   * Amount given back or refusal, and when.
   */
  refund_refusal_explanation: string;
  /**
   * The day on which the stay begins.
   */
  service_date: string;
  /**
   * The bank's own check of the payer, and all else.
   */
  uncategorized_text: string;
}
export interface SuggestItem {
  canonical_name: string;
  /**
   * Where it is, e.g. "London, United Kingdom"; and the nearest homes where it has none.
   */
  context: string;
  /**
   * Null for a home, and for a place without homes.
   */
  homes: number | null;
  href: string;
  id: string;
  name: string;
}
export interface SuggestResult {
  areas: SuggestItem[];
  cities: SuggestItem[];
  properties: SuggestItem[];
  universities: SuggestItem[];
}
/**
 * State of the server's parts.
 */
export interface SystemHealth {
  accepted_breaks: number;
  /**
   * Matter that needs finance; empty for staff without rights to payments.
   */
  alerts: FinanceAlert[];
  /**
   * Events that are not what they were.
   */
  broken_events: number;
  /**
   * RFC 3339.
   */
  checked_at: string;
  /**
   * How far this machine's clock is off, in seconds.
   */
  clock_off_seconds: number;
  /**
   * Photos that homes name and whose addresses give none.
   */
  dead_photos: number;
  disk_free_bytes: number | null;
  /**
   * Background work that ended badly.
   */
  ended: string[];
  /**
   * Events since the last backup; null without one, or where positions do not count events.
   */
  events_since_backup: number | null;
  /**
   * Events since midnight UTC; null where positions do not count events.
   */
  events_today: number | null;
  /**
   * Feeds that are fetched on a schedule.
   */
  feeds: FeedHealth[] | null;
  /**
   * Names of files that were taken away under the server.
   */
  gone_files: string[];
  /**
   * The log's last event.
   */
  head: number;
  /**
   * RFC 3339; null: `latchkey backup` never copied this data folder.
   */
  last_backup_at: string | null;
  mails: QueueHealth | null;
  maintenance: boolean;
  outbox: QueueHealth1 | null;
  /**
   * Room types with more bookings for some night to come than rooms: they are closed until a person sees to it.
   */
  oversold_rooms: OversoldRoom[];
  payment_provider: ProviderHealth;
  read_models: ModelHealth[];
  /**
   * Events that the search in memory is behind.
   */
  search_lag: number;
  writes: LogWrites;
}
/**
 * Work that waits, and what does not work.
 */
export interface QueueHealth1 {
  failing: number;
  waiting: number;
}
/**
 * Result of a further try or a rebuild.
 */
export interface TakenIn {
  /**
   * Streams still left out.
   */
  parked: number;
  /**
   * True once the whole read model was built anew.
   */
  rebuilt: boolean;
  /**
   * Rows that were not what the log says, and are now.
   */
  repaired: number;
}
/**
 * The payment of a room that was kept for a place.
 */
export interface TakenOffer {
  token: string;
}
/**
 * A notice that was set aside; of its text only what tells of no person.
 */
export interface UnknownNotice {
  amount_minor: number | null;
  currency: string | null;
  decimals: number;
  gateway_event_id: string;
  id: string;
  /**
   * The provider's word, e.g. `payment_intent.succeeded`.
   */
  kind: string;
  /**
   * Names of what the sender wrote beside it, without what was written.
   */
  metadata_names: string;
  /**
   * The payment that it names and does not fit, or that is not known here; null where it names none.
   */
  named_payment_id: string | null;
  /**
   * Null for a payment that is not known here.
   */
  named_reference: string | null;
  /**
   * True where it names a payment of ours that it does not fit: that payment is checked first.
   */
  names_payment: boolean;
  /**
   * The provider's object, e.g. `pi_…`.
   */
  object_id: string;
  payment_id: string | null;
  reason: DismissReason | null;
  received_at: string;
  set_aside: ("no_payment" | "unknown_payment" | "currency_differs" | "amount_differs" | "beyond_payment") | null;
  /**
   * When it happened, by the provider's clock.
   */
  told_at: string | null;
  /**
   * `matched` or `dismissed`; null while it waits.
   */
  verdict: string | null;
}
/**
 * The account that is logged in.
 */
export interface User {
  email: string | null;
  id: string;
  is_internal: boolean;
  login_type: LoginType;
  name: string | null;
  phone: string | null;
  /**
   * Code with which friends enquire (D123).
   */
  referral_code: string;
  roles: Role[];
  /**
   * The login itself, for the China variant's programs that keep no cookies (Spec §7, D76); no other caller sees it.
   */
  user_auth_token?: string | null;
}
export interface UserFields {
  email?: string | null;
  otp?: string | null;
  phone?: string | null;
  session_uuid?: string | null;
}
export interface UserHistory {
  book_form_completed: boolean;
  book_form_initiated: boolean;
  contacted: boolean;
  enquired: boolean;
  form_uuid: string | null;
  getHelpClicked: boolean;
  lead_uuid: string | null;
  payment_completed: boolean;
  payment_initiated: boolean;
  payment_token: string | null;
  redirection_urls: RedirectionUrls;
  /**
   * Rooms of the property with flags of their own.
   */
  rooms: RoomFlags[];
  shortlisted: boolean;
  waitlisted: boolean;
}
/**
 * `{user: {email | phone, otp, session_uuid}}`, each call its part.
 */
export interface UserRequest {
  user: UserFields;
}
/**
 * One decision that waits: either field is set.
 */
export interface WaitingDecision {
  approval: Approval1 | null;
  /**
   * True where the reader may.
   */
  can_decide: boolean;
  /**
   * Group that may decide it.
   */
  decider: "finance" | "second_person";
  request: RefundRequest1 | null;
}
/**
 * Request of a member of finance to a second person.
 */
export interface Approval1 {
  amount_minor: number;
  answered_at: string | null;
  /**
   * Colleague who answered the request without this; nothing is left to decide then.
   */
  answered_by: string | null;
  asked_at: string;
  asked_by: string;
  /**
   * Why it was decided so; null where who decided said nothing, and once its person is forgotten.
   */
  because: string | null;
  booking: BookingChoice | null;
  credit: Account | null;
  currency: string;
  debit:
    | (
        | "gateway_clearing"
        | "payouts_in_transit"
        | "bank"
        | "disputes"
        | "deposits"
        | "holding_fees"
        | "rent"
        | "refunds_payable"
        | "paid_elsewhere"
        | "rewards_payable"
        | "suspense"
        | "platform_fees"
        | "processing_fees"
        | "gateway_fees"
        | "dispute_fees"
        | "dispute_losses"
        | "referral_rewards"
        | "exchange_differences"
      )
    | null;
  decided_at: string | null;
  decided_by: string | null;
  decimals: number;
  decision: ("approved" | "declined") | null;
  id: string;
  /**
   * The exception of the reconciliation that a correction mends.
   */
  item: string | null;
  kind: ApprovalKind;
  /**
   * The reader asked, and cannot decide.
   */
  own: boolean;
  /**
   * Of a refund.
   */
  payment_id: string | null;
  payment_reference: string | null;
  /**
   * Why, in words of the asker; null once its person is forgotten.
   */
  reason: string | null;
  /**
   * Why the colleague requested it; null once its person is forgotten.
   */
  request_reason: string | null;
  /**
   * Of a refund that grants a colleague's request: the colleague.
   */
  requested_by: string | null;
}
/**
 * Refund that support asks finance for.
 */
export interface RefundRequest1 {
  /**
   * Amount that support thinks right, in minor units; null leaves it to finance.
   */
  amount_minor: number | null;
  ask_id: string;
  at: string;
  by: string;
  currency: string;
  decimals: number;
  ends_booking: boolean;
  lead_id: string;
  payment_id: string;
  /**
   * The payment's.
   */
  reference: string;
  refundable_minor: number;
  /**
   * Null once the student is forgotten.
   */
  why: string | null;
}
export interface WaitingDecisions {
  count: number;
  /**
   * The oldest first.
   */
  decisions: WaitingDecision[];
}
export interface WaitlistOrderLine {
  /**
   * A member of staff moved it to the front.
   */
  is_override: boolean;
  is_own: boolean;
  joined_at: string;
  /**
   * From 1: whose turn it is; null once the place is over.
   */
  number: number | null;
  /**
   * Where in the log the place was taken.
   */
  position: number;
  state: PlaceState;
}
/**
 * A payer's view of the waitlist of the room they did not get.
 */
export interface WaitlistView {
  /**
   * True where a place can be taken: the room is gone, and this payment has none yet.
   */
  can_join: boolean;
  /**
   * When each hold that others have on these rooms ends, soonest first: their number is how many rooms may come free.
   */
  holds_end: string[];
  /**
   * Every place ever taken for a night of this stay, in the order of the log, without names.
   */
  order: WaitlistOrderLine[];
  place: PlaceView | null;
  /**
   * How many wait or are offered a room.
   */
  waiting: number;
}
/**
 * Result that acts would have.
 */
export interface WhatIf {
  /**
   * The moment of that event.
   */
  at: string | null;
  /**
   * The position of the log where it begins.
   */
  base: number;
  /**
   * The branch's id; the same acts from the same position make the same branch.
   */
  branch: string;
  calls: BranchCall[];
  /**
   * It begins at the present, under no conditions, and no act is refused.
   */
  can_apply: boolean;
  events: BranchEvent[];
  fields: FieldDifference[];
  /**
   * The event of the past that it begins at; null: the present.
   */
  from: number | null;
  messages: BranchMessage[];
  postings: BranchPosting[];
  stay_price: BranchStayPrice1 | null;
  steps: WhatIfStepAnswer[];
}
/**
 * Price that the stay would have, where it is not booked.
 */
export interface BranchStayPrice1 {
  after_minor: number | null;
  before_minor: number | null;
  currency: string;
  decimals: number;
  duration: Period;
  symbol: string;
}
/**
 * One act's answer.
 */
export interface WhatIfStepAnswer {
  act: WhatIfAct;
  refusal: StepRefusal1 | null;
  /**
   * Another person would be asked for it.
   */
  waits_for_approval: boolean;
}
/**
 * Reason for which the real act would be refused.
 */
export interface StepRefusal1 {
  code: string;
  errors: FieldError[];
  message: string;
}
/**
 * Acts that were done.
 */
export interface WhatIfApplied {
  /**
   * Approvals that other people are asked for.
   */
  approvals: string[];
  branch: string;
}
/**
 * The branch as it was answered, and why it is applied.
 */
export interface WhatIfApply {
  /**
   * Where the branch begins.
   */
  base: number;
  conditions?: WhatIfConditions;
  /**
   * The event of the past that it begins at: such a branch is not applied.
   */
  from?: number | null;
  /**
   * Why, for colleagues.
   */
  reason: string;
  steps: WhatIfStep[];
}
/**
 * Conditions that it was tried under: such a branch is not applied.
 */
export interface WhatIfConditions {
  /**
   * The moment at which the acts are judged, with its offset from UTC.
   */
  at?: string | null;
  /**
   * The position of an event of the lead, its form or its payment that is taken as never recorded; what followed from it stays.
   */
  leave_out?: number | null;
  /**
   * A moment that is over, with its offset from UTC: the stay costs what the home asked then.
   */
  price_at?: string | null;
  /**
   * The payment provider refuses each refund.
   */
  provider_refuses?: boolean;
  /**
   * Amount that the caller may send back of one payment alone, in whole units of its currency.
   */
  refund_limit?: number | null;
}
/**
 * One act to try; which fields it needs follows from `act`.
 */
export interface WhatIfStep {
  /**
   * Act that staff can try on a branch of a lead's history.
   */
  act?:
    | "close"
    | "reopen"
    | "change_stay"
    | "change_room"
    | "extend_hold"
    | "send_enquiry"
    | "ask_refund"
    | "ask_cancellation"
    | "refund"
    | "cancel_booking";
  /**
   * `refund`, `ask_refund` and `ask_cancellation`, in minor units.
   */
  amount_minor?: number | null;
  booking?: ("keep" | "cancel") | null;
  cause?:
    | ("booked_elsewhere" | "no_answer" | "no_room" | "price_too_high" | "plans_changed" | "not_genuine" | "other")
    | null;
  /**
   * `change_room`.
   */
  inventory_id?: string | null;
  lease_duration?: string | null;
  /**
   * `change_stay`: what is not said stays.
   */
  move_in_date?: string | null;
  /**
   * `refund`: the amount once more, where it is so large that it must be typed.
   */
  typed_minor?: number | null;
}
/**
 * Conditions that are taken to be otherwise while acts are tried. Such a branch is looked at and not applied.
 */
export interface WhatIfConditions1 {
  /**
   * The moment at which the acts are judged, with its offset from UTC.
   */
  at?: string | null;
  /**
   * The position of an event of the lead, its form or its payment that is taken as never recorded; what followed from it stays.
   */
  leave_out?: number | null;
  /**
   * A moment that is over, with its offset from UTC: the stay costs what the home asked then.
   */
  price_at?: string | null;
  /**
   * The payment provider refuses each refund.
   */
  provider_refuses?: boolean;
  /**
   * Amount that the caller may send back of one payment alone, in whole units of its currency.
   */
  refund_limit?: number | null;
}
/**
 * From where, and what to try.
 */
export interface WhatIfRequest {
  conditions?: WhatIfConditions1;
  /**
   * The position of an event of the lead's history; unsaid, or the newest one: the present.
   */
  from?: number | null;
  steps: WhatIfStep[];
}
export interface Why {
  /**
   * Oldest first; the last one is why the value is what it is.
   */
  causes: Cause[];
  field: string;
  stream: StreamKind;
}
/**
 * `{}`: a withdrawal says nothing more than which link.
 */
export interface WithdrawLink {}
export interface WorkspaceMe {
  can: WorkspaceRights;
  log_position: number;
  name: string;
  roles: Role[];
  user_id: string;
}
export interface WorkspaceRights {
  finance: boolean;
  grants: boolean;
  leads: boolean;
  refund_limit_minor: number;
  unmask: boolean;
}
/**
 * One place in a room's waitlist.
 */
export interface WorkspacePlace {
  is_override: boolean;
  joined_at: string;
  lead_id: string;
  /**
   * From 1; null once the place is over.
   */
  number: number | null;
  offered_until: string | null;
  payment_id: string;
  reference: string;
  state: PlaceState;
  stay: string;
}
export interface WriteHouseText {
  /**
   * The revision of the text that was read.
   */
  revision: number;
  text: HouseWords;
}
/**
 * Every call of the server: what goes into its path, query and body, and the data of its answer.
 */
export interface Operations {
  get: {
    "/_page": {
      query: {
        url: string;
      };
      data: PagePayload;
    };
    "/api/openapi.json": {};
    "/api/v0/auth/providers/users": {};
    "/api/v0/booking_forms/{form_uuid}": {
      path: {
        form_uuid: string;
      };
      data: BookingForm;
    };
    "/api/v0/booking_forms/{form_uuid}/documents/{id}": {
      path: {
        form_uuid: string;
        id: string;
      };
      query: {
        expires: number;
        signature: string;
      };
    };
    "/api/v0/booking_forms/{form_uuid}/stream": {
      path: {
        form_uuid: string;
      };
    };
    "/api/v0/challenge": {
      data: ProofChallenge;
    };
    "/api/v0/inventories": {
      query?: {
        p?: number;
        limit?: number;
        type?: string;
        statuses?: string;
        region_id?: string;
        methods?: string;
        only?: string;
        except?: string;
      };
      data: List_Inventory;
    };
    "/api/v0/inventories/{id}/user_history": {
      path: {
        id: string;
      };
      query?: {
        lead_uuid?: string | null;
      };
      data: UserHistory;
    };
    "/api/v0/inventories/{inventory}": {
      path: {
        inventory: string;
      };
      query?: {
        methods?: string;
        only?: string;
        except?: string;
        type?: string;
        region_id?: string;
      };
      data: Inventory;
    };
    "/api/v0/inventories/{inventory}/offers": {
      path: {
        inventory: string;
      };
      data: Offer[];
    };
    "/api/v0/inventories/{inventory}/price_trends": {
      path: {
        inventory: string;
      };
      data: PriceMonthRow[];
    };
    "/api/v0/inventories/{inventory}/reviews/media": {
      path: {
        inventory: string;
      };
      query?: {
        page?: number;
        limit?: number;
      };
      data: List_Image;
    };
    "/api/v0/inventories/{inventory}/room_types": {
      path: {
        inventory: string;
      };
      query?: {
        p?: number;
        limit?: number;
        meta_types?: string;
        room_types?: string;
        bathroom_types?: string;
        kitchen_types?: string;
        filters?: string;
        only?: string;
        methods?: string;
        type?: string;
        use_open_search?: boolean;
      };
      data: List_RoomTypeFields;
    };
    "/api/v0/inventories/{inventory}/view_count": {
      path: {
        inventory: string;
      };
      data: ViewCount;
    };
    "/api/v0/leads/{id}": {
      path: {
        id: string;
      };
      query?: {
        methods?: string | null;
      };
      data: Lead;
    };
    "/api/v0/payments/{token}": {
      path: {
        token: string;
      };
      query?: {
        lead_uuid?: string | null;
      };
      data: Payment;
    };
    "/api/v0/payments/{token}/stream": {
      path: {
        token: string;
      };
    };
    "/api/v0/payments/{token}/waitlist": {
      path: {
        token: string;
      };
      data: WaitlistView;
    };
    "/api/v0/receipts/{number}": {
      path: {
        number: string;
      };
      query?: {
        token?: string | null;
        pass?: string | null;
      };
      data: Receipt;
    };
    "/api/v0/receipts/{number}/pdf": {
      path: {
        number: string;
      };
      query?: {
        token?: string | null;
        pass?: string | null;
      };
    };
    "/api/v0/receipts/{number}/proof": {
      path: {
        number: string;
      };
      query?: {
        token?: string | null;
        pass?: string | null;
      };
    };
    "/api/v0/regions": {
      query?: {
        p?: number;
        limit?: number;
        state?: string;
        methods?: string;
        only?: string;
        ancestor_id?: string;
        sort_key?: string;
        sort_order?: string;
        region_types?: string;
        region_type?: string;
        search_name?: string;
      };
      data: List_RegionFields;
    };
    "/api/v0/regions/nearby_places": {
      query: {
        id: string;
        region_types?: string;
        for_property_page?: boolean;
      };
      data: Nearby;
    };
    "/api/v0/regions/{region}": {
      path: {
        region: string;
      };
      query?: {
        methods?: string;
        only?: string;
        location_place_id?: string;
      };
      data: RegionFields;
    };
    "/api/v0/search/suggest": {
      query?: {
        q?: string;
      };
      data: SuggestResult;
    };
    "/api/v0/support/cases": {
      data: OwnCase[];
    };
    "/api/v0/support/cases/{id}": {
      path: {
        id: string;
      };
      data: OwnCaseThread;
    };
    "/api/v0/support/cases/{id}/attachments/{attachment}": {
      path: {
        id: string;
        attachment: string;
      };
    };
    "/api/v0/support/links/{token}": {
      path: {
        token: string;
      };
      data: OwnCaseThread;
    };
    "/api/v0/users/activity": {
      query?: {
        tab?: string | null;
        p?: number | null;
        enquiry?: string | null;
      };
      data: Activity;
    };
    "/api/v0/users/data_reads": {
      data: OwnDataRead[];
    };
    "/api/v0/users/details": {
      data: null | User;
    };
    "/api/v0/users/earlier_answers": {
      data: EarlierAnswers;
    };
    "/api/v0/users/message_settings": {
      data: MessageSettings;
    };
    "/api/v0/users/mirrors": {
      data: OwnMirror[];
    };
    "/api/v0/users/mirrors/{id}/stream": {
      path: {
        id: string;
      };
    };
    "/api/v0/users/second_factor": {
      data: SecondFactorState;
    };
    "/api/v0/workspace/alerts": {
      query?: {
        as_of?: string;
      };
      data: FinanceAlert[];
    };
    "/api/v0/workspace/approvals": {
      query?: {
        decided?: boolean | null;
        payment?: string | null;
        as_of?: string;
      };
      data: Approval[];
    };
    "/api/v0/workspace/approvals/waiting": {
      query?: {
        as_of?: string;
      };
      data: WaitingDecisions;
    };
    "/api/v0/workspace/awaited_rooms": {
      query?: {
        as_of?: string;
      };
      data: AwaitedRoom[];
    };
    "/api/v0/workspace/books/accounts": {
      query?: {
        from?: string | null;
        to?: string | null;
        as_of?: string;
      };
      data: BookReport;
    };
    "/api/v0/workspace/books/accounts/{account}": {
      path: {
        account: string;
      };
      query?: {
        currency?: string | null;
        from?: string | null;
        to?: string | null;
        p?: number | null;
        limit?: number | null;
        as_of?: string;
      };
      data: BookPostings;
    };
    "/api/v0/workspace/books/payments/{id}": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
      data: PaymentPostings;
    };
    "/api/v0/workspace/books/periods": {
      query?: {
        from?: string | null;
        to?: string | null;
        as_of?: string;
      };
      data: BookReport;
    };
    "/api/v0/workspace/brand": {
      query?: {
        as_of?: string;
      };
      data: Brand;
    };
    "/api/v0/workspace/brand/versions": {
      query?: {
        as_of?: string;
      };
      data: BrandVersion1[];
    };
    "/api/v0/workspace/cases": {
      query?: {
        status?: CaseStatus | null;
        topic?: CaseTopic | null;
        owner?: string | null;
        late?: boolean | null;
        lead_id?: string | null;
        team?: string | null;
        mentions?: string | null;
        p?: number | null;
        limit?: number | null;
        as_of?: string;
      };
      data: CaseListPage;
    };
    "/api/v0/workspace/cases/{id}": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
      data: CaseView;
    };
    "/api/v0/workspace/cases/{id}/attachments/{attachment}": {
      path: {
        id: string;
        attachment: string;
      };
      query?: {
        as_of?: string;
      };
    };
    "/api/v0/workspace/chain": {
      query?: {
        as_of?: string;
      };
      data: ChainStatus;
    };
    "/api/v0/workspace/chain/consistency": {
      query: {
        from: string;
        to: string;
        as_of?: string;
      };
    };
    "/api/v0/workspace/chain/head": {
      query: {
        day: string;
        as_of?: string;
      };
    };
    "/api/v0/workspace/events/{position}": {
      path: {
        position: number;
      };
      query?: {
        as_of?: string;
      };
      data: RawEvent;
    };
    "/api/v0/workspace/feed_fields": {
      query?: {
        as_of?: string;
      };
      data: FeedFields;
    };
    "/api/v0/workspace/feed_uploads": {
      query?: {
        as_of?: string;
      };
      data: FeedUploads;
    };
    "/api/v0/workspace/feed_uploads/{id}": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
      data: FeedUpload;
    };
    "/api/v0/workspace/feed_uploads/{id}/report": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
    };
    "/api/v0/workspace/feeds": {
      query?: {
        as_of?: string;
      };
      data: HouseFeeds;
    };
    "/api/v0/workspace/grants": {
      query?: {
        as_of?: string;
      };
      data: RoleGrant[];
    };
    "/api/v0/workspace/health": {
      query?: {
        as_of?: string;
      };
      data: SystemHealth;
    };
    "/api/v0/workspace/homes": {
      query?: {
        q?: string | null;
        state?: KeptHomeState | null;
        provider?: string | null;
        feed?: string | null;
        city?: string | null;
        lacks?: ("photos" | "leases") | null;
        changed_since?: string | null;
        after?: string | null;
        limit?: number | null;
        as_of?: string;
      };
      data: HomeList;
    };
    "/api/v0/workspace/homes/{id}": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
      data: StaffHome;
    };
    "/api/v0/workspace/homes/{id}/bookings": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
      data: HomeBooking[];
    };
    "/api/v0/workspace/homes/{id}/history": {
      path: {
        id: string;
      };
      query?: {
        before?: number | null;
        limit?: number | null;
        as_of?: string;
      };
      data: HomeHistory;
    };
    "/api/v0/workspace/homes/{id}/photos": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
      data: HomePhotos;
    };
    "/api/v0/workspace/homes/{id}/stock": {
      path: {
        id: string;
      };
      query?: {
        from?: string | null;
        as_of?: string;
      };
      data: HomeStock;
    };
    "/api/v0/workspace/homes/{id}/values": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
      data: HomeValues;
    };
    "/api/v0/workspace/imports": {
      query?: {
        feed?: string | null;
        home?: string | null;
        before?: number | null;
        limit?: number | null;
        as_of?: string;
      };
      data: ImportRuns;
    };
    "/api/v0/workspace/imports/{id}": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
      data: ImportRun;
    };
    "/api/v0/workspace/imports/{id}/dead_photos": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
      data: DeadPhotos;
    };
    "/api/v0/workspace/imports/{id}/report": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
    };
    "/api/v0/workspace/leads": {
      query?: {
        q?: string | null;
        status?: string | null;
        attention?: LeadAttention | null;
        stage?: LeadStage | null;
        steps?: string | null;
        owner?: string | null;
        mentions?: string | null;
        team?: string | null;
        city?: string | null;
        property?: string | null;
        partner?: string | null;
        source?: string | null;
        created_from?: string | null;
        created_to?: string | null;
        move_in_from?: string | null;
        move_in_to?: string | null;
        p?: number | null;
        limit?: number | null;
        as_of?: string;
      };
      data: LeadListPage;
    };
    "/api/v0/workspace/leads/live": {
      query?: {
        lead_id?: string | null;
      };
    };
    "/api/v0/workspace/leads/report": {
      query?: {
        from?: string | null;
        to?: string | null;
        by?: ReportGrouping | null;
        as_of?: string;
      };
      data: DeskReport;
    };
    "/api/v0/workspace/leads/report.csv": {
      query?: {
        from?: string | null;
        to?: string | null;
        by?: ReportGrouping | null;
        as_of?: string;
      };
    };
    "/api/v0/workspace/leads/views": {
      query?: {
        as_of?: string;
      };
      data: LeadView[];
    };
    "/api/v0/workspace/leads/{id}/desk": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
      data: LeadDesk;
    };
    "/api/v0/workspace/leads/{id}/story": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
      data: LeadStory;
    };
    "/api/v0/workspace/leads/{id}/stream": {
      path: {
        id: string;
      };
    };
    "/api/v0/workspace/leads/{id}/timeline": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
      data: LeadTimeline;
    };
    "/api/v0/workspace/leads/{id}/timeline/events": {
      path: {
        id: string;
      };
      query?: {
        from?: number | null;
        limit?: number | null;
        as_of?: string;
      };
      data: LeadEvents;
    };
    "/api/v0/workspace/me": {
      query?: {
        as_of?: string;
      };
      data: WorkspaceMe;
    };
    "/api/v0/workspace/message_templates": {
      query: {
        lead_id: string;
        as_of?: string;
      };
      data: MessageTemplate[];
    };
    "/api/v0/workspace/mirrors/{id}/stream": {
      path: {
        id: string;
      };
    };
    "/api/v0/workspace/payment_links": {
      query: {
        lead_id: string;
        as_of?: string;
      };
      data: PaymentLinks;
    };
    "/api/v0/workspace/payments/events": {
      query?: {
        kind?: string | null;
        money?: boolean | null;
        currency?: string | null;
        from?: string | null;
        to?: string | null;
        q?: string | null;
        p?: number | null;
        limit?: number | null;
        as_of?: string;
      };
      data: AuditPage;
    };
    "/api/v0/workspace/payments/events.csv": {
      query?: {
        kind?: string | null;
        money?: boolean | null;
        currency?: string | null;
        from?: string | null;
        to?: string | null;
        q?: string | null;
        p?: number | null;
        limit?: number | null;
        as_of?: string;
      };
    };
    "/api/v0/workspace/payments/events.xlsx": {
      query?: {
        kind?: string | null;
        money?: boolean | null;
        currency?: string | null;
        from?: string | null;
        to?: string | null;
        q?: string | null;
        p?: number | null;
        limit?: number | null;
        as_of?: string;
      };
    };
    "/api/v0/workspace/payments/failed_refunds": {
      query?: {
        as_of?: string;
      };
      data: FailedRefund[];
    };
    "/api/v0/workspace/payments/provider_account": {
      query?: {
        verdict?: string | null;
        payout?: string | null;
        payment?: string | null;
        p?: number | null;
        limit?: number | null;
        as_of?: string;
      };
      data: ProviderAccount;
    };
    "/api/v0/workspace/payments/provider_account.csv": {
      query?: {
        verdict?: string | null;
        payout?: string | null;
        payment?: string | null;
        p?: number | null;
        limit?: number | null;
        as_of?: string;
      };
    };
    "/api/v0/workspace/payments/refund_requests": {
      query?: {
        as_of?: string;
      };
      data: RefundRequest[];
    };
    "/api/v0/workspace/payments/unknown_notices": {
      query?: {
        decided?: boolean | null;
        as_of?: string;
      };
      data: UnknownNotice[];
    };
    "/api/v0/workspace/payments/{id}": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
      data: PaymentDossier;
    };
    "/api/v0/workspace/payments/{id}/evidence": {
      path: {
        id: string;
      };
      query?: {
        dispute_id?: string | null;
        as_of?: string;
      };
      data: DisputeEvidence;
    };
    "/api/v0/workspace/payments/{id}/evidence.pdf": {
      path: {
        id: string;
      };
      query?: {
        dispute_id?: string | null;
        struck?: string | null;
        last_seen?: string | null;
        as_of?: string;
      };
    };
    "/api/v0/workspace/places": {
      query?: {
        text?: string;
        skip?: number;
        as_of?: string;
      };
      data: PlaceLine[];
    };
    "/api/v0/workspace/places/{id}": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
      data: KnownPlace;
    };
    "/api/v0/workspace/read_models": {
      query?: {
        as_of?: string;
      };
      data: ReadModels;
    };
    "/api/v0/workspace/reads": {
      query?: {
        by?: string | null;
        lead?: string | null;
        from?: string | null;
        to?: string | null;
        before?: number | null;
        limit?: number | null;
        as_of?: string;
      };
      data: DataReads;
    };
    "/api/v0/workspace/reconciliation": {
      query?: {
        as_of?: string;
      };
      data: Reconciliation;
    };
    "/api/v0/workspace/reconciliation/statements": {
      query?: {
        as_of?: string;
      };
      data: BankStatement[];
    };
    "/api/v0/workspace/reconciliation/statements/{id}": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
      data: FileCompared;
    };
    "/api/v0/workspace/reconciliation/statements/{id}/file": {
      path: {
        id: string;
      };
      query?: {
        as_of?: string;
      };
    };
    "/api/v0/workspace/rewards": {
      query?: {
        as_of?: string;
      };
      data: OpenReward[];
    };
    "/api/v0/workspace/segments": {
      query: {
        steps: string;
        p?: number | null;
        limit?: number | null;
        as_of?: string;
      };
      data: LeadListPage;
    };
    "/api/v0/workspace/settings": {
      query?: {
        as_of?: string;
      };
      data: SiteSetting[];
    };
    "/api/v0/workspace/texts": {
      query?: {
        as_of?: string;
      };
      data: HouseTextLine[];
    };
    "/api/v0/workspace/texts/{page}/{language}": {
      path: {
        page: string;
        language: string;
      };
      query?: {
        as_of?: string;
      };
      data: HouseText;
    };
    "/api/v0/workspace/waitlists": {
      query: {
        room_id: string;
        as_of?: string;
      };
      data: WorkspacePlace[];
    };
    "/api/v0/workspace/why": {
      query: {
        aggregate: string;
        path: string;
        as_of?: string;
      };
      data: Why;
    };
    "/api/v1/inventories": {
      query?: {
        p?: number;
        limit?: number;
        next_token?: string;
        region_canonical_name?: string;
        region_type?: string;
        region_center?: string;
        destination_coordinates?: string;
        locality?: string;
        locality_canonical_name?: string;
        region_lat?: number;
        region_lng?: number;
        region_radius?: number;
        locality_radius?: number;
        region_bounds_lat1?: number;
        region_bounds_lng1?: number;
        region_bounds_lat2?: number;
        region_bounds_lng2?: number;
        min_price?: number;
        max_price?: number;
        range_available_price?: string;
        weekly_range_price?: string;
        duration?: string;
        meta_types?: string;
        room_types?: string;
        bathroom_types?: string;
        kitchen_types?: string;
        meta_bedroom_counts?: string;
        meta_bathroom_counts?: string;
        meta_unit_types?: string;
        type?: string;
        statuses?: string;
        guarantor?: string;
        features?: string;
        tags?: string;
        owner?: string;
        name?: string;
        move_in_month?: string;
        meta_min_lease_duration?: number;
        meta_max_lease_duration?: number;
        features_and?: boolean;
        available?: boolean;
        use_open_search?: boolean;
        facets?: boolean;
        pins?: boolean;
        sort_key?: string;
        sort_order?: string;
        only?: string;
        except?: string;
        methods?: string;
        lang?: string;
        whitelabel_partner_id?: string;
      };
      data: FoundInventories;
    };
    "/api/v1/regions/index_bulk": {
      query?: {
        ids?: string;
        canonical_names?: string;
        methods?: string;
        only?: string;
      };
      data: (null | RegionFields)[];
    };
    "/dev/outbox": {
      query?: {
        to?: string | null;
      };
      data: Sent[];
    };
    "/dev/sandbox": {
      data: SandboxView;
    };
    "/documents/{token}": {
      path: {
        token: string;
      };
    };
    "/unsubscribe/{token}": {
      path: {
        token: string;
      };
    };
  };
  post: {
    "/api/v0/auth/users/inventories_shortlists": {
      body: ShortlistRequest;
      data: ShortlistEntry;
    };
    "/api/v0/booking_forms": {
      body: StartRequest;
      data: BookingForm;
    };
    "/api/v0/booking_forms/{form_uuid}/documents": {
      path: {
        form_uuid: string;
      };
      body: File;
      data: SentDocument;
    };
    "/api/v0/booking_forms/{form_uuid}/submit": {
      path: {
        form_uuid: string;
      };
      data: BookingForm;
    };
    "/api/v0/contact": {
      query?: {
        recaptcha_token?: string;
        recaptcha_action?: string;
        with_visual_challenge?: string;
      };
      body: SendContact;
      data: ContactSent;
    };
    "/api/v0/leads": {
      query?: {
        recaptcha_token?: string;
        recaptcha_action?: string;
        with_visual_challenge?: string;
      };
      body: LeadRequest;
      data: Lead;
    };
    "/api/v0/leads/virtual_tour_request": {
      query?: {
        recaptcha_token?: string;
        recaptcha_action?: string;
        with_visual_challenge?: string;
      };
      body: LeadRequest;
      data: Lead;
    };
    "/api/v0/payments": {
      body: OpenBody;
      data: Payment;
    };
    "/api/v0/payments/{token}/cancel": {
      path: {
        token: string;
      };
      data: Payment;
    };
    "/api/v0/payments/{token}/intent": {
      path: {
        token: string;
      };
      query?: {
        second_home?: boolean;
      };
      data: Payment;
    };
    "/api/v0/payments/{token}/rating": {
      path: {
        token: string;
      };
      body: RatingRequest;
      data: null;
    };
    "/api/v0/payments/{token}/sandbox_confirm": {
      path: {
        token: string;
      };
      body: CardBody;
      data: Payment;
    };
    "/api/v0/payments/{token}/waitlist": {
      path: {
        token: string;
      };
      query?: {
        time_zone?: string | null;
      };
      data: WaitlistView;
    };
    "/api/v0/payments/{token}/waitlist/leave": {
      path: {
        token: string;
      };
      data: WaitlistView;
    };
    "/api/v0/payments/{token}/waitlist/take": {
      path: {
        token: string;
      };
      data: TakenOffer;
    };
    "/api/v0/place_tokens/verify": {
      body: PlaceToken;
      data: PlaceStatement;
    };
    "/api/v0/receipts/verify": {
      body: File;
      data: ReceiptVerdict;
    };
    "/api/v0/receipts/{number}/link": {
      path: {
        number: string;
      };
      body: RenewLinkBody;
      data: LinkRenewed;
    };
    "/api/v0/support/cases": {
      body: OpenCase;
      data: OwnCaseThread;
    };
    "/api/v0/support/cases/{id}/attachments": {
      path: {
        id: string;
      };
      body: File;
      data: OwnCaseThread;
    };
    "/api/v0/support/cases/{id}/messages": {
      path: {
        id: string;
      };
      body: CaseAnswer;
      data: OwnCaseThread;
    };
    "/api/v0/support/links/{token}/messages": {
      path: {
        token: string;
      };
      body: CaseAnswer;
      data: OwnCaseThread;
    };
    "/api/v0/users/external_service/generate_email_otp": {
      query?: {
        recaptcha_token?: string;
        recaptcha_action?: string;
        with_visual_challenge?: string;
      };
      body: UserRequest;
      data: OtpSent;
    };
    "/api/v0/users/forget": {
      body: ForgetMeRequest;
      data: null;
    };
    "/api/v0/users/forget/code": {
      body: ErasureCodeRequest;
      data: OtpSent;
    };
    "/api/v0/users/generate_email_otp": {
      query?: {
        recaptcha_token?: string;
        recaptcha_action?: string;
        with_visual_challenge?: string;
      };
      body: UserRequest;
      data: OtpSent;
    };
    "/api/v0/users/generate_phone_otp": {
      query?: {
        recaptcha_token?: string;
        recaptcha_action?: string;
        with_visual_challenge?: string;
      };
      body: UserRequest;
      data: OtpSent;
    };
    "/api/v0/users/login_email_otp": {
      body: UserRequest;
      data: User;
    };
    "/api/v0/users/login_phone_otp": {
      body: UserRequest;
      data: User;
    };
    "/api/v0/users/logout": {
      data: undefined;
    };
    "/api/v0/users/mirrors": {
      body: MirrorOffer;
      data: MirrorCode;
    };
    "/api/v0/users/second_factor": {
      data: SecondFactorOffer;
    };
    "/api/v0/users/second_factor/confirm": {
      body: Enrolment;
      data: RecoveryCodes;
    };
    "/api/v0/users/second_factor/mail_code": {
      data: OtpSent;
    };
    "/api/v0/users/second_factor/pass": {
      body: SecondFactorCode;
      data: SecondFactorState;
    };
    "/api/v0/users/second_factor/recovery_codes": {
      body: MailCode;
      data: RecoveryCodes;
    };
    "/api/v0/users/second_factor/remove": {
      body: MailCode;
      data: SecondFactorState;
    };
    "/api/v0/workspace/approvals/{id}/approve": {
      path: {
        id: string;
      };
      body: GiveApproval;
      data: Approval;
    };
    "/api/v0/workspace/approvals/{id}/decline": {
      path: {
        id: string;
      };
      body: DeclineApproval;
      data: Approval;
    };
    "/api/v0/workspace/brand/pictures": {
      body: File;
      data: BrandPictureView;
    };
    "/api/v0/workspace/brand/preview": {
      body: BrandTrial;
      data: BrandPreview;
    };
    "/api/v0/workspace/brand/publish": {
      body: BrandPublication;
      data: Brand;
    };
    "/api/v0/workspace/brand/take_back": {
      body: BrandReturn;
      data: Brand;
    };
    "/api/v0/workspace/cases": {
      body: StaffCase;
      data: CaseView;
    };
    "/api/v0/workspace/cases/{id}/acts": {
      path: {
        id: string;
      };
      body: CaseAct;
      data: CaseView;
    };
    "/api/v0/workspace/cases/{id}/attachments": {
      path: {
        id: string;
      };
      body: File;
      data: CaseView;
    };
    "/api/v0/workspace/cases/{id}/messages": {
      path: {
        id: string;
      };
      body: StaffMessage;
      data: CaseView;
    };
    "/api/v0/workspace/feed_uploads": {
      query: {
        feed: string;
      };
      body: File;
      data: FeedUpload;
    };
    "/api/v0/workspace/feed_uploads/address": {
      body: FeedAddress;
      data: FeedUpload;
    };
    "/api/v0/workspace/feed_uploads/{id}/cancel": {
      path: {
        id: string;
      };
      data: FeedUpload;
    };
    "/api/v0/workspace/feed_uploads/{id}/runs": {
      path: {
        id: string;
      };
      body: FeedRunRequest;
      data: FeedUpload;
    };
    "/api/v0/workspace/feeds/{name}/run": {
      path: {
        name: string;
      };
      data: HouseFeed;
    };
    "/api/v0/workspace/homes": {
      body: NewHome;
      data: StaffHome;
    };
    "/api/v0/workspace/homes/acts": {
      body: HomesAct;
      data: HomeVerdict[];
    };
    "/api/v0/workspace/homes/{id}/acts": {
      path: {
        id: string;
      };
      body: HomeAct;
      data: StaffHome;
    };
    "/api/v0/workspace/homes/{id}/merge": {
      path: {
        id: string;
      };
      body: HomeMerge;
      data: StaffHome;
    };
    "/api/v0/workspace/homes/{id}/photos": {
      path: {
        id: string;
      };
      query?: {
        room_id?: string | null;
        kind?: string | null;
      };
      body: File;
      data: HomePhotoUploaded;
    };
    "/api/v0/workspace/homes/{id}/photos/restore": {
      path: {
        id: string;
      };
      body: PhotoRestoration;
      data: HomePhotos;
    };
    "/api/v0/workspace/homes/{id}/photos/retry": {
      path: {
        id: string;
      };
      body: PhotoRetry;
      data: HomePhotos;
    };
    "/api/v0/workspace/homes/{id}/photos/take_down": {
      path: {
        id: string;
      };
      body: PhotoTakeDown;
      data: HomePhotos;
    };
    "/api/v0/workspace/homes/{id}/rooms": {
      path: {
        id: string;
      };
      body: HomeRoomAddition;
      data: StaffHome;
    };
    "/api/v0/workspace/homes/{id}/rooms/{room_id}/withdraw": {
      path: {
        id: string;
        room_id: string;
      };
      body: HomeRoomWithdrawal;
      data: StaffHome;
    };
    "/api/v0/workspace/homes/{id}/undo": {
      path: {
        id: string;
      };
      body: HomeUndo;
      data: StaffHome;
    };
    "/api/v0/workspace/homes/{id}/what_if": {
      path: {
        id: string;
      };
      body: HomeEditTried;
      data: HomeWhatIf;
    };
    "/api/v0/workspace/leads/views": {
      body: NewLeadView;
      data: LeadView;
    };
    "/api/v0/workspace/leads/{id}/acts": {
      path: {
        id: string;
      };
      body: LeadAct;
      data: LeadDesk;
    };
    "/api/v0/workspace/leads/{id}/assign": {
      path: {
        id: string;
      };
      body: AssignRequest;
      data: null | string;
    };
    "/api/v0/workspace/leads/{id}/documents/{document}/link": {
      path: {
        id: string;
        document: string;
      };
      body: DocumentLinkRequest;
      data: DocumentLinkMade;
    };
    "/api/v0/workspace/leads/{id}/export": {
      path: {
        id: string;
      };
      body: ExportRequest;
    };
    "/api/v0/workspace/leads/{id}/forget": {
      path: {
        id: string;
      };
      body: ForgetRequest;
      data: null;
    };
    "/api/v0/workspace/leads/{id}/form": {
      path: {
        id: string;
      };
      body: ReadFormRequest;
      data: LeadForm;
    };
    "/api/v0/workspace/leads/{id}/letters/{position}": {
      path: {
        id: string;
        position: number;
      };
      body: ReadLetterRequest;
      data: Letter;
    };
    "/api/v0/workspace/leads/{id}/notes": {
      path: {
        id: string;
      };
      body: NoteRequest;
      data: null;
    };
    "/api/v0/workspace/leads/{id}/presence": {
      path: {
        id: string;
      };
      body: LeadWriting;
      data: null;
    };
    "/api/v0/workspace/leads/{id}/referral": {
      path: {
        id: string;
      };
      body: ReferralReview;
      data: null;
    };
    "/api/v0/workspace/leads/{id}/reveal": {
      path: {
        id: string;
      };
      body: RevealRequest;
      data: Revealed;
    };
    "/api/v0/workspace/leads/{id}/what-if": {
      path: {
        id: string;
      };
      body: WhatIfRequest;
      data: WhatIf;
    };
    "/api/v0/workspace/leads/{id}/what-if/{branch}/apply": {
      path: {
        id: string;
        branch: string;
      };
      body: WhatIfApply;
      data: WhatIfApplied;
    };
    "/api/v0/workspace/mirrors": {
      body: MirrorBegin;
      data: StaffMirror;
    };
    "/api/v0/workspace/mirrors/{id}/nudges": {
      path: {
        id: string;
      };
      body: NudgeRequest;
      data: null;
    };
    "/api/v0/workspace/payment_links": {
      body: NewPaymentLink;
      data: PaymentLinkRow;
    };
    "/api/v0/workspace/payment_links/{id}/withdraw": {
      path: {
        id: string;
      };
      body: WithdrawLink;
      data: PaymentLinkRow;
    };
    "/api/v0/workspace/payments/by_email": {
      body: PersonSearch;
      data: PersonPayment[];
    };
    "/api/v0/workspace/payments/provider_account/read": {
      data: AccountRead;
    };
    "/api/v0/workspace/payments/refund_requests/{id}/decline": {
      path: {
        id: string;
      };
      body: DeclineBody;
      data: null;
    };
    "/api/v0/workspace/payments/unknown_notices/{id}/dismiss": {
      path: {
        id: string;
      };
      body: DismissBody;
      data: Decided;
    };
    "/api/v0/workspace/payments/unknown_notices/{id}/match": {
      path: {
        id: string;
      };
      body: MatchBody;
      data: Decided;
    };
    "/api/v0/workspace/payments/{id}/cancel_booking": {
      path: {
        id: string;
      };
      body: CancelBookingBody;
      data: PaymentDossier;
    };
    "/api/v0/workspace/payments/{id}/evidence/send": {
      path: {
        id: string;
      };
      body: SendEvidenceBody;
      data: DisputeEvidence;
    };
    "/api/v0/workspace/payments/{id}/refund_approvals": {
      path: {
        id: string;
      };
      body: RefundBody;
      data: Approval;
    };
    "/api/v0/workspace/payments/{id}/refunds": {
      path: {
        id: string;
      };
      body: RefundBody;
      data: PaymentDossier;
    };
    "/api/v0/workspace/payments/{id}/refunds/{refund_id}/paid_elsewhere": {
      path: {
        id: string;
        refund_id: string;
      };
      body: PaidElsewhereBody;
      data: PaymentDossier;
    };
    "/api/v0/workspace/read_models/{name}/rebuild": {
      path: {
        name: string;
      };
      data: TakenIn;
    };
    "/api/v0/workspace/read_models/{name}/retry": {
      path: {
        name: string;
      };
      data: TakenIn;
    };
    "/api/v0/workspace/read_models/{name}/rollback": {
      path: {
        name: string;
      };
      data: PutBack;
    };
    "/api/v0/workspace/reconciliation/file": {
      query?: {
        date?: string | null;
        amount?: string | null;
        paid_in?: string | null;
        paid_out?: string | null;
        sign?: string | null;
        currency?: string | null;
        reference?: string | null;
        account_currency?: string | null;
        decimal?: string | null;
        days?: string | null;
        account_of?: string | null;
      };
      body: File;
      data: FileCompared;
    };
    "/api/v0/workspace/reconciliation/proposals": {
      body: ProposalBody;
      data: Approval;
    };
    "/api/v0/workspace/reconciliation/pull": {
      data: Pulled;
    };
    "/api/v0/workspace/reconciliation/run": {
      data: Reconciliation;
    };
    "/api/v0/workspace/reconciliation/statements/{id}/lines/{place}/decision": {
      path: {
        id: string;
        place: number;
      };
      body: DecideLine;
      data: DecidedLine;
    };
    "/api/v0/workspace/reconciliation/statements/{id}/lines/{place}/reopen": {
      path: {
        id: string;
        place: number;
      };
      data: DecidedLine;
    };
    "/api/v0/workspace/rewards/{id}/pay": {
      path: {
        id: string;
      };
      data: null;
    };
    "/api/v0/workspace/texts/{page}/{language}/publish": {
      path: {
        page: string;
        language: string;
      };
      body: HouseTextStep;
      data: HouseText;
    };
    "/api/v0/workspace/texts/{page}/{language}/take_back": {
      path: {
        page: string;
        language: string;
      };
      body: HouseTextStep;
      data: HouseText;
    };
    "/api/v0/workspace/waitlists/{id}/move_up": {
      path: {
        id: string;
      };
      body: MovePlace;
      data: WorkspacePlace[];
    };
    "/api/webhooks/stripe": {
      body: File;
      data: Received;
    };
    "/dev/clock": {
      body: ClockRequest;
      data: ClockAnswer;
    };
    "/dev/sandbox/disputes": {
      body: DisputeBody;
      data: unknown;
    };
    "/dev/sandbox/plan": {
      body: FaultPlan;
      data: FaultPlan;
    };
    "/dev/sandbox/repeat": {
      body: RepeatBody;
      data: number;
    };
    "/documents/{token}": {
      path: {
        token: string;
      };
    };
    "/unsubscribe/{token}": {
      path: {
        token: string;
      };
    };
  };
  delete: {
    "/api/v0/auth/users/inventories_shortlists/{id}": {
      path: {
        id: string;
      };
      data: null | ShortlistEntry;
    };
    "/api/v0/booking_forms/{form_uuid}/documents/{id}": {
      path: {
        form_uuid: string;
        id: string;
      };
      data: DocumentTakenBack;
    };
    "/api/v0/users/mirrors/{id}": {
      path: {
        id: string;
      };
      data: null;
    };
    "/api/v0/workspace/feed_uploads/{id}": {
      path: {
        id: string;
      };
      data: RemovedUpload;
    };
    "/api/v0/workspace/feeds/{name}": {
      path: {
        name: string;
      };
      data: RemovedFeed;
    };
    "/api/v0/workspace/grants/{id}/{role}": {
      path: {
        id: string;
        role: Role;
      };
      data: boolean;
    };
    "/api/v0/workspace/leads/views/{id}": {
      path: {
        id: string;
      };
      data: boolean;
    };
    "/api/v0/workspace/mirrors/{id}": {
      path: {
        id: string;
      };
      data: null;
    };
    "/api/v0/workspace/second_factors/{id}": {
      path: {
        id: string;
      };
      body: MailCode;
      data: boolean;
    };
  };
  patch: {
    "/api/v0/booking_forms/{form_uuid}/sections/{key}": {
      path: {
        form_uuid: string;
        key: string;
      };
      body: MergeRequest;
      data: MergedForm;
    };
    "/api/v0/workspace/brand": {
      body: BrandEdit;
      data: Brand;
    };
    "/api/v0/workspace/homes/{id}": {
      path: {
        id: string;
      };
      body: HomeEdit;
      data: HomeValues;
    };
    "/api/v0/workspace/places/{id}": {
      path: {
        id: string;
      };
      body: PlaceEdit;
      data: KnownPlace;
    };
  };
  put: {
    "/api/v0/booking_forms/{form_uuid}/sections/{key}": {
      path: {
        form_uuid: string;
        key: string;
      };
      body: SectionRequest;
      data: BookingForm;
    };
    "/api/v0/leads/{id}": {
      path: {
        id: string;
      };
      body: LeadRequest;
      data: Lead;
    };
    "/api/v0/users/message_settings": {
      body: MessageSettingsRequest;
      data: MessageSettings;
    };
    "/api/v0/users/mirrors/{id}/report": {
      path: {
        id: string;
      };
      body: MirrorReport;
      data: null;
    };
    "/api/v0/workspace/feed_uploads/{id}/map": {
      path: {
        id: string;
      };
      body: FeedMapChange;
      data: FeedUpload;
    };
    "/api/v0/workspace/feeds/{name}": {
      path: {
        name: string;
      };
      body: FeedChange;
      data: HouseFeed;
    };
    "/api/v0/workspace/homes/{id}/photos": {
      path: {
        id: string;
      };
      body: HomePhotosArranged;
      data: HomePhotos;
    };
    "/api/v0/workspace/homes/{id}/rooms/{room_id}/leases": {
      path: {
        id: string;
        room_id: string;
      };
      body: HomeLeases;
      data: StaffHome;
    };
    "/api/v0/workspace/leads/views/{id}": {
      path: {
        id: string;
      };
      body: LeadViewChange;
      data: LeadView;
    };
    "/api/v0/workspace/settings/{name}": {
      path: {
        name: string;
      };
      body: ChangeSetting;
      data: SiteSetting;
    };
    "/api/v0/workspace/texts/{page}/{language}/draft": {
      path: {
        page: string;
        language: string;
      };
      body: WriteHouseText;
      data: HouseText;
    };
  };
}
