//! Objects in the shapes that Stripe publishes, with the fields of the moment set.

use serde_json::{Value, json};

/// Taken from Stripe's own OpenAPI fixtures; the file names its source and licence.
const FIXTURES: &str = include_str!("../../../tests/stripe-fixtures.json");

/// A published object with some fields set.
pub(crate) fn published(name: &str, set: &Value) -> Value {
    let fixtures: Value = serde_json::from_str(FIXTURES).unwrap_or_default();
    let mut object = fixtures["resources"][name].clone();
    for (field, value) in set.as_object().into_iter().flatten() {
        object[field] = value.clone();
    }
    object
}

/// A list as Stripe pages it.
pub(crate) fn list(objects: &[Value], has_more: bool) -> Value {
    json!({ "object": "list", "data": objects, "has_more": has_more, "url": "/v1" })
}

/// Stripe's published error.
pub(crate) fn error(kind: &str, code: Option<&str>, message: &str) -> Value {
    json!({ "error": { "type": kind, "code": code, "message": message } })
}
