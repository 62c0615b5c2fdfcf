//! Disputes as the bank's side sees them: evidence is kept until it is submitted, once, before the deadline.

use serde_json::{Value, json};

use crate::books::{Answer, Books, now_s, refused};
use crate::form::Form;
use crate::objects::published;

/// How long a bank waits for evidence.
const WAITS_S: u64 = 7 * 24 * 60 * 60;
/// Stripe's own limit of one text.
const TEXT_CHARS: usize = 20_000;
/// Fields that take the id of an uploaded file.
const FILES: [&str; 9] = [
    "cancellation_policy",
    "customer_communication",
    "customer_signature",
    "duplicate_charge_documentation",
    "receipt",
    "refund_policy",
    "service_documentation",
    "shipping_documentation",
    "uncategorized_file",
];

impl Books {
    /// Every dispute, in any order.
    pub(crate) fn all_disputes(&self) -> Vec<Value> {
        self.disputes.values().cloned().collect()
    }

    /// A dispute that was just opened or decided, with what was laid against it before.
    pub(crate) fn with_evidence(&self, intent_id: &str, mut dispute: Value) -> Value {
        if let Some(known) = self.disputes.get(intent_id) {
            for field in ["evidence", "evidence_details"] {
                dispute[field] = known[field].clone();
            }
        } else {
            dispute["evidence_details"]["due_by"] = json!(now_s() + WAITS_S);
        }
        dispute
    }

    /// Keeps a file's name and size.
    pub(crate) fn keep_file(&mut self, form: &Form) -> Answer {
        if form.get("purpose") != Some("dispute_evidence") || form.get("type") != Some("pdf") {
            return refused(
                400,
                "parameter_invalid",
                "This stand-in takes evidence as PDF alone.",
            );
        }
        let id = self.name("file");
        let file = published(
            "file",
            &json!({ "id": id, "purpose": "dispute_evidence", "type": "pdf", "size": form.number("size"), "created": now_s() }),
        );
        self.files.push(file.clone());
        (200, file)
    }

    fn intent_of(&self, id: &str) -> Option<String> {
        let mut all = self.disputes.iter();
        let found = all.find(|(_, dispute)| dispute["id"] == id);
        found.map(|(intent_id, _)| intent_id.clone())
    }

    pub(crate) fn dispute_of(&self, id: &str) -> Answer {
        match self.intent_of(id) {
            Some(intent_id) => (200, self.disputes[&intent_id].clone()),
            None => refused(404, "resource_missing", &format!("No such dispute: '{id}'")),
        }
    }

    pub(crate) fn answer_dispute(&mut self, id: &str, form: &Form) -> Answer {
        let Some(intent_id) = self.intent_of(id) else {
            return refused(404, "resource_missing", &format!("No such dispute: '{id}'"));
        };
        let mut dispute = self.disputes[&intent_id].clone();
        let details = &dispute["evidence_details"];
        if details["submission_count"] != 0 || details["due_by"].as_u64().unwrap_or_default() < now_s() {
            return refused(
                400,
                "dispute_not_updatable",
                "This dispute takes no evidence any more.",
            );
        }
        let laid = form.pairs("evidence");
        for (field, value) in laid.as_object().into_iter().flatten() {
            if let Err(why) = self.fits(&dispute["evidence"], field, value) {
                return refused(400, "parameter_invalid", &why);
            }
            // An empty text unsets what was laid before.
            let is_empty = value == "";
            dispute["evidence"][field] = if is_empty { Value::Null } else { value.clone() };
        }
        let kept = dispute["evidence"].as_object();
        let has_evidence = kept.is_some_and(|kept| kept.values().any(Value::is_string));
        dispute["evidence_details"]["has_evidence"] = json!(has_evidence);
        if form.get("submit") != Some("false") {
            dispute["evidence_details"]["submission_count"] = json!(1);
            dispute["status"] = json!("under_review");
        }
        self.disputes.insert(intent_id, dispute.clone());
        self.tell("charge.dispute.updated", &dispute);
        (200, dispute)
    }

    /// Whether a field is one that Stripe has, takes this text, or names a file that was uploaded.
    fn fits(&self, published: &Value, field: &str, value: &Value) -> Result<(), String> {
        let text = value.as_str().unwrap_or_default();
        let is_known = published
            .as_object()
            .is_some_and(|known| known.contains_key(field));
        let is_file = self.files.iter().any(|file| file["id"] == text);
        match (is_known, FILES.contains(&field)) {
            (false, _) => Err(format!("Received unknown parameter: evidence[{field}]")),
            (true, true) if !is_file && !text.is_empty() => Err(format!("No such file upload: '{text}'")),
            (true, false) if text.chars().count() > TEXT_CHARS => Err(format!(
                "evidence[{field}] must be at most {TEXT_CHARS} characters"
            )),
            (true, _) => Ok(()),
        }
    }
}
