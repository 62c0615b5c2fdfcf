//! JSON merge of a change into a lead (D82): absent keeps, null clears, arrays replace. Only `user_details` and `data` can
//! change; every other field of the body has nothing to land in.

use domain::lead::Lead;
use http_kit::body;
use http_kit::error::{ApiError, ApiResult};
use http_kit::said::say;
use serde_json::{Map, Value, json};

use super::answer::{View, lead_answer};
use super::payload::LeadPayload;

/// The lead's payload as it would be after the change, still to be checked.
pub(super) fn merged(lead: &Lead, body: &Value) -> ApiResult<LeadPayload> {
    let Some(patch) = body.get("lead").and_then(Value::as_object) else {
        return Err(ApiError::malformed(say("refusal.lead_object")));
    };
    let known = lead_answer(lead, View::Own).ok_or_else(|| ApiError::not_found(say("refusal.no_lead")))?;
    let mut payload = json!({ "user_details": known.user_details, "data": known.data });
    for key in ["user_details", "data"] {
        if let (Some(change), Some(target)) = (patch.get(key), payload.get_mut(key)) {
            merge(target, change);
        }
    }
    // A viewing that stands is not asked for again: its half hour may be over by now.
    let asks_viewing = patch
        .get("data")
        .is_some_and(|change| change.get("property_view_request_details").is_some());
    if !asks_viewing && let Some(said) = payload.get_mut("data").and_then(Value::as_object_mut) {
        said.remove("property_view_request_details");
    }
    body::read(payload)
}

/// RFC 7396.
fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(changes) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(fields) = target else { return };
    for (name, change) in changes {
        if change.is_null() {
            fields.remove(name);
        } else {
            merge(fields.entry(name.clone()).or_insert(Value::Null), change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_keeps_null_clears_and_arrays_replace() {
        let mut target = json!({ "a": 1, "b": { "c": 2, "d": 3 }, "e": [1, 2] });
        merge(&mut target, &json!({ "b": { "c": null, "x": 4 }, "e": [9] }));
        assert_eq!(target, json!({ "a": 1, "b": { "d": 3, "x": 4 }, "e": [9] }));
    }
}
