//! What is laid with a gateway against a dispute, under Stripe's names
//! (<https://docs.stripe.com/api/disputes/evidence_object>).

use chrono::DateTime;
use domain::moment::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The fields that the log can fill.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StripeEvidence {
    /// Log-ins and acts of the payer: each with its time and the place that it came from.
    pub access_activity_log: String,
    /// Whose name the enquiry and the receipt carry; `None` once they were forgotten.
    #[serde(default)]
    pub customer_name: Option<String>,
    /// Messages that were delivered, or that no mail server took.
    pub customer_communication: String,
    pub product_description: String,
    /// The day on which the stay begins.
    pub service_date: String,
    pub refund_policy: String,
    pub refund_policy_disclosure: String,
    /// Amount given back or refusal, and when.
    pub refund_refusal_explanation: String,
    /// The bank's own check of the payer, and all else.
    pub uncategorized_text: String,
}

/// Evidence as it is laid with the gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceRequest {
    pub dispute_id: String,
    /// The intent whose charge is disputed.
    pub intent_id: String,
    pub fields: StripeEvidence,
    /// The same as a paper; its digest stands for it.
    #[serde(skip)]
    pub pdf: Vec<u8>,
    /// SHA-256 of the pack, in hex.
    pub digest: String,
    /// Whether it goes on to the bank, after which nothing can be added.
    pub submit: bool,
}

/// A dispute as the gateway tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GatewayDispute {
    pub due_by: Option<Moment>,
    /// How often evidence went to the bank.
    pub submissions: u64,
}

/// A dispute's details in Stripe's words.
#[derive(Debug, Clone, Default, Deserialize)]
struct Details {
    /// Seconds.
    #[serde(default)]
    due_by: Option<i64>,
    #[serde(default)]
    submission_count: u64,
}

/// A dispute in Stripe's words; what is not listed is not read.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct DisputeObject {
    #[serde(default)]
    evidence_details: Option<Details>,
}

impl From<DisputeObject> for GatewayDispute {
    fn from(object: DisputeObject) -> Self {
        let details = object.evidence_details.unwrap_or_default();
        Self {
            due_by: details
                .due_by
                .and_then(|due_by| DateTime::from_timestamp(due_by, 0)),
            submissions: details.submission_count,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// Stripe's own published dispute names the deadline and how often evidence was sent, and has each field that is laid.
    #[test]
    fn published_dispute_names_deadline_and_fields() {
        let fixtures: Value = serde_json::from_str(include_str!("../tests/stripe-fixtures.json")).unwrap();
        let published = &fixtures["resources"]["dispute"];
        let object: DisputeObject = serde_json::from_value(published.clone()).unwrap();
        let dispute = GatewayDispute::from(object);
        assert_eq!(dispute.due_by, DateTime::from_timestamp(1_723_679_999, 0));
        assert_eq!(dispute.submissions, 0);
        let laid = serde_json::to_value(StripeEvidence::default()).unwrap();
        let known = published["evidence"].as_object().unwrap();
        for (field, _) in laid.as_object().unwrap() {
            assert!(known.contains_key(field), "{field}");
        }
    }
}
