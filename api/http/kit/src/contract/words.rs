//! The closed lists of words that travel. Each is read from the code that decides by it, so the document can list no
//! other words than the server knows.

use std::borrow::Cow;

use domain::bank_statements::LineReason;
use domain::booking_form::SectionKey;
use domain::booking_form::document_link::Audience;
use domain::books::CHART;
use domain::brand::BrandFormat;
use domain::brand::look::{BrandFont, HomeSection};
use domain::case::{CaseStatus, CaseTopic, Side};
use domain::correspondence::{LetterKind, MessageChannel};
use domain::country::{Country, Flow};
use domain::gateway_event::{DismissReason, SetAsideReason};
use domain::import_run::{MissingRule, RunBy, RunOutcome};
use domain::inventory::Status;
use domain::inventory::change_kind::ChangeKind;
use domain::inventory::market::OfferKind;
use domain::inventory::price_lock::LockState;
use domain::inventory::property::{FeatureGroup, Guarantor, PropertyKind, Tag, UnitType};
use domain::inventory::state::HomeState;
use domain::language::Language;
use domain::lead::{CloseCause, LeadStatus, LeadVariant};
use domain::lease::LeaseUnit;
use domain::payment::PaymentStatus;
use domain::payment::decline::DeclineCode;
use domain::payment::link_state::LinkState;
use domain::payment::price::PaymentType;
use domain::payment::receipt::{ReceiptKind, ReceiptLineKind};
use domain::region::{RegionState, RegionType, Subtype};
use domain::room::Configuration;
use domain::room_stock::PlaceState;
use domain::user::{Look, Role};
use domain::user_history::{MirrorEnd, MirrorPage};
use eventlog::ActorKind;
use platform::config::changeable::{Source, Unit};
use projections::lead_board::attention::Attention;
use projections::lead_board::filter::Stage;
use projections::lead_steps::StepKind;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::mirror::{GUARDS, NUDGES, STATES};

/// Declares lists of words under the name they have in the document.
macro_rules! words {
    ($(#[doc = $says:literal] $rust:ident as $name:literal = $words:expr;)+) => {$(
        #[doc = $says]
        pub struct $rust;

        impl PartialSchema for $rust {
            fn schema() -> RefOr<Schema> {
                let words: Vec<String> = $words.iter().map(|word| (*word).to_owned()).collect();
                let list = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words));
                list.description(Some($says.trim())).build().into()
            }
        }

        impl ToSchema for $rust {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed($name)
            }
        }
    )+};
}

words! {
    /// How a bank's dispute of a payment stands.
    DisputeStateWord as "DisputeState" = ["open", "won", "lost"];
    /// Topic of a case.
    CaseTopicWord as "CaseTopic" = CaseTopic::ALL.map(CaseTopic::key);
    /// Side that has the next word in a case.
    CaseStatusWord as "CaseStatus" = CaseStatus::ALL.map(CaseStatus::key);
    /// Act of staff on a case.
    CaseActWord as "CaseActKind" = ["assign", "due", "note", "team", "close", "reopen"];
    /// Act of the desk on a lead.
    DeskActWord as "LeadActKind" = [
        "note", "record_call", "assign", "set_team", "close", "reopen", "change_stay", "change_room", "extend_hold", "send_code",
        "send_enquiry", "correct_contact", "undo_contact", "ask_refund", "ask_cancellation", "mark_double",
        "unmark_double",
    ];
    /// Act that staff can try on a branch of a lead's history.
    WhatIfActWord as "WhatIfAct" = [
        "close", "reopen", "change_stay", "change_room", "extend_hold", "send_enquiry", "ask_refund", "ask_cancellation",
        "refund", "cancel_booking",
    ];
    /// A message that would go out.
    BranchMessageWord as "BranchMessageKind" = LetterKind::ALL.map(LetterKind::key).into_iter()
        .chain(["mention", "case_message", "dispute_alert", "refund_came_back"]).collect::<Vec<_>>();
    /// Recipient of a message.
    BranchReaderWord as "BranchReader" = ["student", "colleagues", "finance"];
    /// Call that the payment provider would get.
    BranchCallWord as "BranchCall" = ["make_intent", "cancel_intent", "send_refund", "lay_evidence"];
    /// Why a lead is closed.
    CloseCauseWord as "LeadCloseCause" = CloseCause::ALL.map(CloseCause::key);
    /// Meaning of another address for an enquiry that an account has.
    ContactMeaningWord as "ContactMeaning" = ["same", "slip", "other_person"];
    /// Author of a message of a case.
    CaseSideWord as "CaseSide" = [Side::Person, Side::Staff].map(Side::key);
    /// A way that a message goes.
    MessageWayWord as "MessageChannel" = MessageChannel::ALL.map(MessageChannel::key);
    /// Standing of the provider's movement beside our books.
    ProviderVerdictWord as "ProviderVerdict" = projections::provider_account::query::VERDICTS;
    /// Why a notice concerns no payment here.
    DismissReasonWord as "DismissReason" = DismissReason::ALL.map(DismissReason::key);
    /// Why a notice waits for a person instead of being taken in.
    SetAsideReasonWord as "SetAsideReason" = SetAsideReason::ALL.map(SetAsideReason::key);
    /// Period that a price is for.
    PeriodWord as "Period" = ["weekly", "monthly"];
    /// Languages that pages and messages are written in (D3).
    LanguageWord as "Lang" = Language::ALL.map(Language::code);
    /// Unit in which a lease is counted.
    LeaseUnitWord as "LeaseUnit" = [LeaseUnit::Weeks, LeaseUnit::Months].map(LeaseUnit::key);
    /// How a room is taken.
    FlowWord as "Flow" = [Flow::Book, Flow::Apply].map(Flow::key);
    /// Countries the marketplace knows.
    CountryWord as "CountryKey" = Country::ALL.map(Country::key);
    /// Kinds of region.
    RegionTypeWord as "RegionType" = RegionType::ALL.map(RegionType::key);
    /// Kinds of establishment.
    SubtypeWord as "RegionSubtype" =
        [Subtype::University, Subtype::CollegeCampus, Subtype::Residence].map(Subtype::key);
    /// State of a region in the search.
    RegionStateWord as "RegionState" =
        [RegionState::Active, RegionState::Inactive, RegionState::Retired].map(RegionState::key);
    /// Where a property stands.
    InventoryStatusWord as "InventoryStatus" =
        [Status::Draft, Status::InReview, Status::Active, Status::Inactive, Status::Deleted].map(Status::key);
    /// States of a home that a visitor may meet.
    HomeStateWord as "HomeState" = HomeState::SHOWN;
    /// A state of a home as the house and its provider see it.
    KeptHomeStateWord as "KeptHomeState" = HomeState::KEYS;
    /// Deed of an act on a home.
    HomeChangeWord as "HomeChange" = ChangeKind::ALL.map(ChangeKind::key);
    /// Kinds of house.
    PropertyKindWord as "PropertyKind" = PropertyKind::ALL.map(PropertyKind::key);
    /// The two answers of the housing filter.
    UnitTypeWord as "UnitType" = [UnitType::IndependentHouse, UnitType::StudentAccommodation].map(UnitType::key);
    /// Guarantors that are taken; `false`: none is needed.
    GuarantorWord as "Guarantor" =
        [Guarantor::Local, Guarantor::International, Guarantor::NotRequired].map(Guarantor::key);
    /// Marks of a property.
    TagWord as "Tag" = [
        Tag::NotAvailable, Tag::DualOccupancy, Tag::Exclusive, Tag::StudentsChoice, Tag::BreakfastIncluded,
        Tag::LocalNonCommissionable,
    ].map(Tag::key);
    /// Where a page lists an amenity.
    FeatureGroupWord as "FeatureGroup" = [
        FeatureGroup::Bills, FeatureGroup::Property, FeatureGroup::Room, FeatureGroup::Community,
        FeatureGroup::Security,
    ].map(FeatureGroup::key);
    /// Benefit of an offer.
    OfferKindWord as "OfferKind" =
        [OfferKind::Cashback, OfferKind::Discount, OfferKind::Voucher].map(OfferKind::key);
    /// The name three room attributes add up to, as addresses carry it.
    ConfigurationWord as "ConfigurationKey" = [
        Configuration::EnsuiteRoom, Configuration::StudioRoom, Configuration::SharedRoom, Configuration::PrivateRoom,
        Configuration::Studio, Configuration::OneBedroom, Configuration::TwoBedrooms, Configuration::ThreeBedrooms,
    ].map(Configuration::key);
    /// Which dialog a lead came from.
    LeadVariantWord as "LeadVariant" = LeadVariant::ALL.map(LeadVariant::key);
    /// Where a lead stands.
    LeadStatusWord as "LeadStatus" = LeadStatus::ALL.map(LeadStatus::key);
    /// Sections of a booking form.
    SectionKeyWord as "SectionKey" = SectionKey::ALL.map(SectionKey::key);
    /// Reader of a student's document by a link.
    DocumentAudienceWord as "DocumentAudience" = Audience::ALL.map(Audience::key);
    /// Part of a person's data that was looked at.
    LookWord as "Look" = Look::ALL.map(Look::key);
    /// As what a history is exported.
    ExportFormatWord as "ExportFormat" = ["json", "pdf"];
    /// Unit in which a setting is counted.
    SettingUnitWord as "SettingUnit" = Unit::ALL.map(Unit::key);
    /// Where a setting's value comes from.
    SettingSourceWord as "SettingSource" = Source::ALL.map(Source::key);
    /// State of writes to the log.
    LogWritesWord as "LogWrites" = ["taken", "disk_full", "stopped"];
    /// State of the payment provider.
    GatewayStateWord as "GatewayState" = ["reachable", "away"];
    /// A step that happened to a lead.
    LeadStepWord as "LeadStep" = StepKind::ALL.map(StepKind::key);
    /// Grouping of the leads of a report.
    ReportGroupingWord as "ReportGrouping" = ["week", "source"];
    /// A stage of the desk's work on leads.
    LeadStageWord as "LeadStage" = Stage::ALL.map(Stage::key);
    /// How a part of the words in the box of the leads' list was understood.
    LeadWordsWord as "LeadWordsKind" = ["status", "attention", "created", "move_in", "contact", "id", "words"];
    /// Why staff are to look at a lead.
    AttentionWord as "LeadAttention" = Attention::ALL.map(Attention::key);
    /// Kind of a payment's line.
    PaymentTypeWord as "PaymentType" = PaymentType::ALL.map(PaymentType::code);
    /// Which document a receipt is.
    ReceiptKindWord as "ReceiptKind" = [ReceiptKind::Receipt, ReceiptKind::CreditNote].map(ReceiptKind::name);
    /// Kind of a line of a receipt.
    ReceiptLineWord as "ReceiptLineKind" = ReceiptLineKind::ALL.map(ReceiptLineKind::name);
    /// Fault of a receipt's proof.
    ReceiptFaultWord as "ReceiptFault" = ["unreadable", "key", "events", "number", "lines", "names", "pages", "log"];
    /// The steps of X8.
    PaymentStatusWord as "PaymentStatus" = PaymentStatus::ALL.map(PaymentStatus::name);
    /// Why a card was declined.
    DeclineCodeWord as "DeclineCode" = DeclineCode::ALL.map(DeclineCode::code);
    /// How far a refund has come.
    RefundStatusWord as "RefundStatus" = ["requested", "sent", "acknowledged", "failed", "paid_elsewhere"];
    /// A page whose steps are shown to support.
    MirrorPageWord as "MirrorPage" = MirrorPage::ALL.map(MirrorPage::key);
    /// Why a mirror ended.
    MirrorEndWord as "MirrorEnd" = MirrorEnd::ALL.map(MirrorEnd::key);
    /// A state of a page's machine.
    MirrorStateWord as "MirrorState" = STATES;
    /// A condition that a page waits for.
    MirrorGuardWord as "MirrorGuard" = GUARDS;
    /// A ready sentence beside a field.
    NudgeWord as "Nudge" = NUDGES;
    /// Roles of staff.
    RoleWord as "Role" = Role::ALL.map(Role::key);
    /// Actor of an event, as the log knows it.
    ActorKindWord as "ActorKind" = [
        ActorKind::Visitor, ActorKind::Student, ActorKind::Staff, ActorKind::Gateway, ActorKind::Rule,
        ActorKind::System,
    ].map(ActorKind::name);
    /// Next step of a student with a property or booking (D27).
    NextActionWord as "NextActionKey" = [
        "book", "apply_now", "continue_to_book", "continue_to_apply", "continue_to_pay", "view_bookings",
        "enquire_now", "enquired", "join_waitlist", "waitlisted", "contact_us", "contacted", "add_documents",
    ];
    /// Why a room is gone.
    SoldOutReasonWord as "SoldOutReason" = ["no_room", "hold_lost", "too_many_holds", "other_room_booked"];
    /// How the booking stands that a payment is for.
    BookingNowWord as "BookingNow" = ["not_yet", "booked", "ended"];
    /// Why a payment was taken back before it was paid.
    WithdrawnByWord as "WithdrawnBy" = ["replacement", "person"];
    /// Standing of a room that a payer did not get.
    RoomNowWord as "RoomNow" = ["sold", "held", "free"];
    /// Fate of the booking when money goes back.
    BookingChoiceWord as "BookingChoice" = ["keep", "cancel"];
    /// Consequence of a refund.
    ConsequenceWord as "RefundConsequence" = [
        "recorded", "money_back", "payer_told", "booking_stays", "no_booking", "other_payment_keeps_room", "room_free",
        "booking_ends", "end_told",
    ];
    /// Payment events that finance lists.
    AuditKindWord as "AuditKind" = [
        "opened", "intent_ready", "confirmed", "captured", "declined", "pending", "sold_out", "refund_requested",
        "refund_sent", "refund_acknowledged", "refund_failed", "cancelled", "dispute_opened", "dispute_won",
        "dispute_lost", "dispute_fee", "room_given_back", "booking_cancelled", "refund_paid_elsewhere",
    ];
    /// Accounts of the ledger.
    AccountWord as "Account" = CHART.map(|(account, _)| account.name());
    /// Matter that needs finance.
    AlertKindWord as "FinanceAlertKind" = [
        "failed_refunds", "broken_chain", "unknown_notices", "misfit_notices", "stuck_payments", "red_reconciliation",
        "dispute_deadlines", "payments_refused", "mails_refused", "feeds_failed",
    ];
    /// Place where a feed's schedule is set: file or environment, or the workspace.
    FeedPlaceWord as "FeedPlace" = ["setting", "here"];
    /// How a run of a scheduled feed ended.
    FeedEndWord as "FeedEnd" = ["imported", "unchanged", "failed"];
    /// Standing of a row of a bank's file beside the provider's account.
    FileVerdictWord as "FileVerdict" = [
        "matched", "differing", "unknown", "pending", "informational", "missing",
        "by_hand", "explained",
    ];
    /// Reasons for which a line of a bank's file is no payout.
    LineReasonWord as "LineReason" = LineReason::ALL.map(LineReason::key);
    /// How a bank's file is written.
    FileFormWord as "FileForm" = ["csv", "camt", "mt940"];
    /// By what a line of a bank's file was found at the provider.
    FileFoundByWord as "FileFoundBy" = ["id", "amount"];
    /// Why a row of a bank's file is no entry.
    FileReasonWord as "FileReason" = [
        "heading", "day", "amount", "too_fine", "other_sign", "currency", "direction", "open_quote", "status",
    ];
    /// Why a bank's file does not say for which days and currency it is complete.
    FileUncoveredWord as "FileUncovered" = ["notification", "page", "period", "currency", "under_way"];
    /// Subject that a second person decides about.
    ApprovalKindWord as "ApprovalKind" = ["refund", "correction"];
    /// Deciders of what waits: finance, or another person than the one who asked.
    DeciderWord as "Decider" = ["finance", "second_person"];
    /// How a request was decided.
    DecisionWord as "ApprovalDecision" = ["approved", "declined"];
    /// Kind of comparison of the reconciliation.
    CheckWord as "ReconciliationCheck" = [
        "missing_here", "missing_there", "differing", "fee_differs", "told_twice", "payout_late", "payout_differs", "unbalanced",
        "below_zero", "total_differs",
    ];
    /// Kind of an account.
    NatureWord as "AccountNature" = ["asset", "liability", "income", "expense"];
    /// Streams of a lead's history.
    StreamKindWord as "StreamKind" = ["lead", "booking_form", "payment", "approval", "user", "case"];
    /// Kind of address of a login.
    LoginTypeWord as "LoginType" = ["email", "phone"];
    /// State of a booking form.
    FormStatusWord as "FormStatus" = ["started", "completed"];
    /// Steps of a booking, as the profile shows them.
    StepKeyWord as "ActivityStepKey" = ["enquired", "form", "payment", "booked", "move_in"];
    /// How far a step is.
    StepStateWord as "ActivityStepState" = ["done", "now", "later"];
    /// Next step of the payer.
    NextStepWord as "PaymentActionType" = ["three_d_secure"];
    /// How a frozen price stands beside today's.
    PriceLockStateWord as "PriceLockState" = LockState::ALL.map(LockState::name);
    /// How a place in a waitlist stands.
    PlaceStateWord as "PlaceState" = PlaceState::NAMES;
    /// How a payment link of staff stands.
    PaymentLinkStateWord as "PaymentLinkState" = LinkState::ALL.map(LinkState::name);
    /// Asker of a run of an import.
    ImportAskerWord as "ImportAsker" = RunBy::KEYS;
    /// How a run of an import ended.
    ImportOutcomeWord as "ImportOutcome" = RunOutcome::KEYS;
    /// Rule of a run of an import for homes that its file does not name.
    MissingRuleWord as "MissingRule" = MissingRule::ALL.map(MissingRule::key);
    /// A font that a brand may choose.
    BrandFontWord as "BrandFont" = BrandFont::ALL.map(BrandFont::key);
    /// Format of a picture that was uploaded for a brand.
    BrandFormatWord as "BrandPictureFormat" = BrandFormat::ALL.map(BrandFormat::key);
    /// A section of the home page.
    HomeSectionWord as "HomeSection" = HomeSection::ALL.map(HomeSection::key);
    /// A place of a text on a colour of a brand.
    ContrastPlaceWord as "BrandContrastPlace" = ["button", "link", "chip", "footer"];
    /// Payment provider that moves the money.
    GatewayWord as "GatewayKind" = ["sandbox", "stripe"];
    /// Actor as the desk sees it: a visitor without a login is a student all the same.
    TimelineActorWord as "TimelineActor" = ["student", "staff", "gateway", "rule", "system"];
}

/// Which way money moved: in, out, or not at all.
pub struct Sign;

impl PartialSchema for Sign {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .enum_values(Some([-1, 0, 1]))
            .build()
            .into()
    }
}

impl ToSchema for Sign {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Sign")
    }
}

/// A command was done, and there is nothing to show.
pub struct Nothing;

impl PartialSchema for Nothing {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Null).build().into()
    }
}

impl ToSchema for Nothing {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Nothing")
    }
}
