//! A lead's history for finance (row I6): amounts, dates, statuses, rooms and codes; no name, no contact and no free words. What is told is
//! listed here, so that a new field stays hidden until it is named.

use projections::lead_timeline::pages::Outline;
use serde_json::{Map, Value};

/// Fields of the Then | Now table whose values tell of no person.
const TOLD_FIELDS: [&str; 37] = [
    "status",
    "owner",
    "property",
    "move_in_date",
    "lease_duration",
    "budget",
    "no_of_students",
    "viewing",
    "flow",
    "verified",
    "repeat",
    "reference",
    "rating",
    "message_way",
    "form_status",
    "form_flow",
    "sections",
    "personal_form",
    "emergency_form",
    "guarantor_form",
    "confirmation_documents",
    "payment_status",
    "due",
    "captured",
    "refunded",
    "refund",
    "refund_asked_by",
    "dispute",
    "card",
    "decline",
    "held_until",
    "login_type",
    "last_looked_at",
    "case_owner",
    "case_team",
    "double_of",
    "team",
];

/// Parts of a sentence that tell of no person.
const TOLD_PARAMS: [&str; 12] = [
    "amount", "total", "captured", "refunded", "count", "date", "slot", "place", "kind", "score", "role",
    "code",
];

/// Stands for the part of a sentence that is not told.
pub(crate) const HIDDEN: &str = "•••";

/// Whether finance reads the values of a field.
pub(crate) fn tells(field: &str) -> bool {
    TOLD_FIELDS.contains(&field)
}

/// Takes the values of other fields out of the changes of an event.
pub(crate) fn keep_told_changes(changes: &mut Value) {
    if let Some(changes) = changes.as_array_mut() {
        changes.retain(|change| change["field"].as_str().is_some_and(tells));
    }
}

/// Hides the other parts of a sentence; an empty part stays empty, so that the sentence reads as it did.
pub(crate) fn hide_params(params: &mut Value) {
    let parts = params.as_object_mut().map(Map::iter_mut);
    for (name, part) in parts.into_iter().flatten() {
        if !TOLD_PARAMS.contains(&name.as_str()) && part.as_str() != Some("") {
            *part = HIDDEN.into();
        }
    }
}

/// Takes the other fields out of a long history's outline.
pub(crate) fn keep_told_tracks(outline: &mut Outline) {
    outline.tracks.retain(|track| tells(&track.field));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{hide_params, keep_told_changes};
    use crate::history::FIELDS;

    #[test]
    fn masked_fields_and_free_words_are_not_told() {
        let hidden = [
            "name",
            "email",
            "phone",
            "proved_email",
            "proved_phone",
            "counsellor_name",
            "counsellor_email",
            "counsellor_country",
            "counsellor_office",
            "question",
            "configuration",
            "university",
            "intake",
            "source",
            "bookform_source",
            "referral_code",
            "reason",
            "rating_words",
        ];
        let all = FIELDS.iter().flat_map(|(_, fields)| fields.iter());
        for field in all {
            assert_eq!(super::tells(field), !hidden.contains(field), "{field}");
        }
    }

    #[test]
    fn event_keeps_amounts_and_loses_words() {
        let mut params = json!({ "amount": "£250.00", "refunded": "£1.00", "reason": "Her mother is ill", "to": "m•••", "code": "" });
        hide_params(&mut params);
        assert_eq!(
            params,
            json!({ "amount": "£250.00", "refunded": "£1.00", "reason": "•••", "to": "•••", "code": "" })
        );
        let mut changes = json!([{ "field": "name", "to": "M•••" }, { "field": "due", "to": "£0.00" }]);
        keep_told_changes(&mut changes);
        assert_eq!(changes, json!([{ "field": "due", "to": "£0.00" }]));
    }
}
