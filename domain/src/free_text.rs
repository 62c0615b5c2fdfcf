//! Every string of a stored event's payload is a word of our own: what a person typed freely is sealed. The samples of today's shapes
//! are looked through, and each string that is no id, time or date stands in [`OWN_WORDS`].

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use uuid::Uuid;

use crate::kinds::KINDS;

/// Strings that no person types freely, by kind of stream and the beginning of their path, with where they come from.
const OWN_WORDS: &[(&str, &str, &str)] = &[
    (
        "approval",
        "Asked.what",
        "lists of ours, and ids of the payment provider",
    ),
    (
        "approval",
        "Approved.what",
        "lists of ours, and ids of the payment provider",
    ),
    (
        "approval",
        "Declined.what",
        "lists of ours, and ids of the payment provider",
    ),
    ("bank_statements", "Kept.file", "computed, and words of lists"),
    (
        "bank_statements",
        "LineDecided.decision",
        "a list of ours, or an id of the payment provider",
    ),
    (
        "booking_form",
        "DefinitionChanged.definition",
        "the published catalogue",
    ),
    ("booking_form", "DefinitionChanged.reopened", "a list of ours"),
    (
        "booking_form",
        "PlaceKept.place",
        "checked: a section and a field of the form",
    ),
    ("booking_form", "DocumentAdded.document.digest", "computed"),
    (
        "booking_form",
        "DocumentAdded.document.media_type",
        "a list of ours",
    ),
    ("booking_form", "DocumentLinkMade.link.audience", "a list of ours"),
    ("booking_form", "DocumentOpened.link.audience", "a list of ours"),
    ("booking_form", "SectionSaved.filled", "names of fields"),
    ("booking_form", "SectionSaved.section", "a list of ours"),
    (
        "booking_form",
        "Started.start",
        "the form as the catalogue asks it",
    ),
    ("booking_form", "Submitted.flow", "a list of ours"),
    (
        "brand",
        "DraftChanged.look",
        "what administrators publish of the house; tells of no person",
    ),
    (
        "brand",
        "Published.look",
        "what administrators publish of the house; tells of no person",
    ),
    ("brand", "PictureAdded.picture", "computed, and a list of ours"),
    ("case", "Opened", "lists of ours, and a host of the settings"),
    (
        "case",
        "AttachmentAdded.attachment",
        "lists of ours, and computed",
    ),
    ("case", "MessagePosted.outcome", "a list of ours"),
    ("case", "MessageWritten.written", "lists of ours"),
    ("case", "TeamSet.team", "a team of the settings"),
    ("gateway_event", "BalanceLineRead", "the payment provider's words"),
    ("gateway_event", "NoticeDismissed.reason", "a list of ours"),
    ("gateway_event", "PayoutRead", "the payment provider's words"),
    (
        "gateway_event",
        "GatewayEventReceived",
        "the payment provider's words",
    ),
    ("handle", "Claimed.kind", "a list of ours"),
    (
        "import_run",
        "Begun.source",
        "names that the house gives to feeds and files, lists of ours, and computed",
    ),
    (
        "import_run",
        "Ended.outcome",
        "a list of ours, or a sentence of ours",
    ),
    ("inventory", "", "the published catalogue"),
    ("lead", "ActedOn.act", "a list of ours, or a team of the settings"),
    ("lead", "Created.submission.language", "a list of ours"),
    ("lead", "Created.submission.reference", "made from the id"),
    ("lead", "Created.submission.request_digest", "computed"),
    ("lead", "Created.submission.site", "a host of the settings"),
    ("lead", "Created.submission.variant", "a list of ours"),
    ("lead", "Created.submission.wish.budget_", "a list of ours"),
    (
        "lead",
        "Created.submission.wish.lease_duration",
        "checked: a number and a unit",
    ),
    ("lead", "Enquired.variant", "a list of ours"),
    ("lead", "FormStarted.flow", "a list of ours"),
    ("lead", "LetterPosted.posted", "lists of ours"),
    (
        "lead",
        "ViewingRequested.viewing",
        "checked: slot, time zone and mode of lists",
    ),
    ("lead", "WishChanged.wish.budget_", "a list of ours"),
    (
        "lead",
        "WishChanged.wish.lease_duration",
        "checked: a number and a unit",
    ),
    ("payment", "DisputeClosed", "the payment provider's words"),
    (
        "payment",
        "DisputeEvidenceNoted",
        "a digest, or the payment provider's words",
    ),
    ("payment", "DisputeOpened", "the payment provider's words"),
    ("payment", "IntentFailed.reason", "the payment provider's words"),
    ("payment", "IntentReady.intent_id", "the payment provider's words"),
    (
        "payment",
        "PaymentActionRequired.url",
        "the payment provider's words",
    ),
    ("payment", "PaymentCaptured", "the payment provider's words"),
    ("payment", "PaymentDeclined", "the payment provider's words"),
    ("payment", "PaymentMessage", "a list of ours"),
    ("payment", "PaymentOpened.terms.country", "a list of ours"),
    ("payment", "PaymentOpened.terms.lease.unit", "a list of ours"),
    ("payment", "PaymentOpened.terms.quote", "lists of ours"),
    ("payment", "PaymentOpened.terms.rent.period", "a list of ours"),
    ("payment", "PaymentOpened.terms.token_digest", "computed"),
    ("payment", "PaymentSoldOut.reason", "a list of ours"),
    (
        "payment",
        "PaymentSucceeded.capture",
        "the payment provider's words",
    ),
    ("payment", "RefundAcknowledged", "the payment provider's words"),
    ("payment", "RefundFailed.reason", "the payment provider's words"),
    ("payment", "RefundRequested.booking", "a list of ours"),
    ("payment", "RefundRequested.reason", "a list of ours"),
    ("payment", "RefundSent", "the payment provider's words"),
    (
        "own_text",
        "Drafted.draft",
        "written to be published, and computed",
    ),
    ("own_text", "Drafted.language", "a list of ours"),
    ("own_text", "Drafted.page", "a list of ours"),
    ("own_text", "Published.language", "a list of ours"),
    ("own_text", "Published.page", "a list of ours"),
    ("own_text", "Published.version", "published, and computed"),
    ("own_text", "TakenBack.language", "a list of ours"),
    ("own_text", "TakenBack.page", "a list of ours"),
    ("photo", "Fetched.place", "an address of the published catalogue"),
    ("photo", "Fetched.taken", "computed, and a list of ours"),
    ("photo", "Refused.place", "an address of the published catalogue"),
    ("photo", "Refused.refusal", "a list of ours"),
    ("photo", "Restored.content", "computed"),
    ("photo", "TakenDown.content", "computed"),
    ("referral", "Completed.reward.currency", "a list of ours"),
    ("referral", "RewardPaid.reward.currency", "a list of ours"),
    ("referral", "RewardReversed.reward.currency", "a list of ours"),
    ("referral", "Held.code", "the code of an account"),
    ("referral", "Held.shared", "a list of ours"),
    ("referral", "HeldLater.shared", "a list of ours"),
    ("referral", "Opened.code", "the code of an account"),
    ("region", "", "the published catalogue"),
    ("second_factor", "Enrolled.recovery", "computed"),
    ("second_factor", "Recovered.digest", "computed"),
    ("second_factor", "RecoveryRenewed.recovery", "computed"),
    ("site_settings", "Changed.name", "a list of ours"),
    (
        "site_settings",
        "Changed.value",
        "what administrators set for the house; tells of no person",
    ),
    ("room_stock", "WaitlistJoined.stay", "a list of ours"),
    (
        "room_stock",
        "WaitlistJoined.time_zone",
        "a name of the IANA list",
    ),
    ("room_stock", "HoldTaken.stay.length.unit", "a list of ours"),
    ("user", "Forgotten.reason", "a list of ours"),
    ("user", "MessagesChosen.choice", "lists of ours"),
    ("user", "Registered.kind", "a list of ours"),
    ("user", "PersonalDataRevealed.what", "a list of ours"),
    ("user", "RoleGranted.role", "a list of ours"),
    ("user", "RoleRevoked.role", "a list of ours"),
    ("user", "SessionOpened.login_type", "a list of ours"),
    ("user", "SessionOpened.token_digest", "computed"),
    ("user", "Verified.kind", "a list of ours"),
    ("user_history", "MirrorBegan.page", "a list of ours"),
    ("user_history", "MirrorEnded.ended_by", "a list of ours"),
];

/// Where the strings of a value stand that are no id, time or date.
fn strings(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    let below = |name: &str| {
        let dot = if path.is_empty() { "" } else { "." };
        format!("{path}{dot}{name}")
    };
    match value {
        Value::Object(fields) => fields
            .iter()
            .for_each(|(name, value)| strings(value, &below(name), found)),
        Value::Array(values) => values.iter().for_each(|value| strings(value, path, found)),
        Value::String(text) if !is_id_or_time(text) => drop(found.insert(path.to_owned())),
        _ => {}
    }
}

fn is_id_or_time(text: &str) -> bool {
    Uuid::parse_str(text).is_ok()
        || text.parse::<chrono::NaiveDate>().is_ok()
        || chrono::DateTime::parse_from_rfc3339(text).is_ok()
}

#[test]
fn each_string_of_an_event_is_sealed_or_our_own() {
    let mut unknown = BTreeSet::new();
    let mut met = BTreeSet::new();
    for kind in KINDS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("events")
            .join(kind.kind);
        let mut found = BTreeSet::new();
        for (name, version) in kind.current {
            let file = folder.join(format!("{name}.v{version}.json"));
            let text = std::fs::read_to_string(&file).expect("each shape has its sample");
            let sample: Value = serde_json::from_str(&text).expect("a sample is JSON");
            strings(&sample["payload"], "", &mut found);
        }
        for path in found {
            let own = OWN_WORDS
                .iter()
                .find(|(of, start, _)| *of == kind.kind && path.starts_with(start));
            match own {
                Some(line) => drop(met.insert(line)),
                None => drop(unknown.insert(format!("{} {path}", kind.kind))),
            }
        }
    }
    assert!(
        unknown.is_empty(),
        "free text is sealed, other strings are named here: {unknown:#?}"
    );
    let stale: Vec<_> = OWN_WORDS.iter().filter(|line| !met.contains(line)).collect();
    assert!(stale.is_empty(), "no event has them: {stale:#?}");
}
