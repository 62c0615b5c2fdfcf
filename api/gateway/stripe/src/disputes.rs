//! Evidence against disputes: laid first, which Stripe keeps for its dashboard, and sent on to the bank once.

use gateway::GatewayError;
use gateway::evidence::{DisputeObject, EvidenceRequest, GatewayDispute, StripeEvidence};
use stripe_core::dispute::{RetrieveDispute, UpdateDispute, UpdateDisputeEvidence};

use crate::Stripe;

/// Stripe takes 150,000 characters over all fields: each of the eight at most this many.
const FIELD_CHARS: usize = 18_000;

impl Stripe {
    /// Lays the evidence. Stripe forgets a key after a day; what was sent to the bank before is found by the dispute itself.
    pub(crate) async fn answer_dispute(
        &self,
        key: &str,
        request: &EvidenceRequest,
    ) -> Result<GatewayDispute, GatewayError> {
        if request.submit {
            let known: DisputeObject = self
                .0
                .calls
                .ask(&RetrieveDispute::new(request.dispute_id.clone()))
                .await?;
            let known = GatewayDispute::from(known);
            if known.submissions > 0 {
                return Ok(known);
            }
        }
        let name = format!("{}.pdf", request.dispute_id);
        let file = self
            .upload_evidence(&format!("{key}:file"), &name, &request.pdf)
            .await?;
        let mut evidence = fields(&request.fields);
        evidence.uncategorized_file = Some(file);
        let update = UpdateDispute::new(request.dispute_id.clone())
            .evidence(evidence)
            .submit(request.submit);
        let told: DisputeObject = self.0.calls.tell(&update, key).await?;
        Ok(told.into())
    }
}

/// Every field is named, also those that hold nothing: Stripe keeps what was laid before in a field that an update leaves out, and
/// forgets it where it gets an empty text.
fn fields(laid: &StripeEvidence) -> UpdateDisputeEvidence {
    let shortened = |text: &str| Some(shortened(text));
    let mut evidence = UpdateDisputeEvidence::new();
    evidence.access_activity_log = shortened(&laid.access_activity_log);
    evidence.customer_name = shortened(laid.customer_name.as_deref().unwrap_or_default());
    evidence.product_description = shortened(&laid.product_description);
    evidence.service_date = shortened(&laid.service_date);
    evidence.refund_policy_disclosure = shortened(&laid.refund_policy_disclosure);
    evidence.refund_refusal_explanation = shortened(&laid.refund_refusal_explanation);
    // Stripe takes these two as files alone: their words stand at the end of what is free text.
    let rest = [
        &laid.uncategorized_text,
        &laid.customer_communication,
        &laid.refund_policy,
    ];
    let rest: Vec<&str> = rest
        .into_iter()
        .map(String::as_str)
        .filter(|text| !text.is_empty())
        .collect();
    evidence.uncategorized_text = shortened(&rest.join("\n\n"));
    evidence
}

/// The beginning of a text that is too long, and that it goes on.
fn shortened(text: &str) -> String {
    if text.chars().count() <= FIELD_CHARS {
        return text.to_owned();
    }
    let kept: String = text.chars().take(FIELD_CHARS).collect();
    let whole = kept.rsplit_once('\n').map_or(kept.as_str(), |(whole, _)| whole);
    format!("{whole}\n… (the rest stands in the seller's records)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emptied_fields_are_sent_as_empty() {
        let sent = fields(&StripeEvidence::default());
        for (name, field) in [
            ("access_activity_log", sent.access_activity_log),
            ("customer_name", sent.customer_name),
            ("product_description", sent.product_description),
            ("service_date", sent.service_date),
            ("refund_policy_disclosure", sent.refund_policy_disclosure),
            ("refund_refusal_explanation", sent.refund_refusal_explanation),
            ("uncategorized_text", sent.uncategorized_text),
        ] {
            assert_eq!(field.as_deref(), Some(""), "{name}");
        }
    }

    #[test]
    fn long_field_ends_with_a_whole_line() {
        let text = shortened(&format!("first\n{}", "x".repeat(FIELD_CHARS)));
        assert_eq!(text, "first\n… (the rest stands in the seller's records)");
    }
}
