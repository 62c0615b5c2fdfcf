//! Intents: made, found, cancelled, and read.

use std::collections::HashMap;

use domain::payment::event::Captured;
use gateway::object::{NextAction, Object, Owner};
use gateway::{GatewayError, GatewayIntent, IntentRequest, IntentStatus};
use stripe_core::payment_intent::{
    CancelPaymentIntent, CreatePaymentIntent, CreatePaymentIntentAutomaticPaymentMethods,
    RetrievePaymentIntent,
};
use stripe_types::Currency;

use crate::Stripe;
use crate::currencies;

/// Letters of a statement that are left beside the ten of the account's own name, its star and the blank.
const SUFFIX_MAX: usize = 10;
/// The charge comes along whole: it says which card it was.
const WITH_CHARGE: &str = "latest_charge";

impl Stripe {
    /// An intent that takes every method switched on in the account. Its metadata leads back to payment, enquiry and person by their
    /// ids alone; what people wrote about themselves stays here.
    pub(crate) async fn make_intent(
        &self,
        key: &str,
        request: &IntentRequest,
    ) -> Result<GatewayIntent, GatewayError> {
        let code = request.amount.currency.code();
        let amount = currencies::charge_amount(code, request.amount.amount_minor)
            .map_err(|error| GatewayError::Refused(error.to_string()))?;
        let Ok(currency) = code.to_lowercase().parse::<Currency>();
        let metadata = HashMap::from([
            ("payment_id".to_owned(), request.payment_id.0.to_string()),
            ("lead_id".to_owned(), request.lead_id.0.to_string()),
            ("subject".to_owned(), request.subject.0.to_string()),
        ]);
        let customer = self.customer_of(request.subject).await?;
        let create = CreatePaymentIntent::new(amount, currency)
            .automatic_payment_methods(CreatePaymentIntentAutomaticPaymentMethods::new(true))
            .customer(customer)
            .description(request.reference.clone())
            .statement_descriptor_suffix(suffix(&request.reference))
            .metadata(metadata);
        let made: Object = self.0.calls.tell(&create, key).await?;
        Ok(told(&made))
    }

    pub(crate) async fn find_intent(&self, intent_id: &str) -> Result<GatewayIntent, GatewayError> {
        let find = RetrievePaymentIntent::new(intent_id).expand([WITH_CHARGE.to_owned()]);
        let found: Object = self.0.calls.ask(&find).await?;
        Ok(told(&found))
    }

    pub(crate) async fn drop_intent(
        &self,
        key: &str,
        intent_id: &str,
    ) -> Result<GatewayIntent, GatewayError> {
        let dropped: Object = self
            .0
            .calls
            .tell(&CancelPaymentIntent::new(intent_id), key)
            .await?;
        Ok(told(&dropped))
    }

    pub(crate) async fn owner_of(&self, intent_id: &str) -> Result<Option<Owner>, GatewayError> {
        let found: Object = self.0.calls.ask(&RetrievePaymentIntent::new(intent_id)).await?;
        Ok(found.metadata.owner())
    }
}

/// What Stripe puts behind the account's name on a statement: letters, digits and blanks alone, one letter at least.
fn suffix(reference: &str) -> String {
    let is_shown = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '-';
    reference.chars().filter(is_shown).take(SUFFIX_MAX).collect()
}

/// Where an intent stands, in the words of this side.
fn status_of(word: Option<&str>) -> IntentStatus {
    match word {
        Some("requires_action") => IntentStatus::RequiresAction,
        // Nothing is captured by hand here: a capture that is still to come is under way.
        Some("processing" | "requires_capture") => IntentStatus::Processing,
        Some("succeeded") => IntentStatus::Succeeded,
        Some("canceled") => IntentStatus::Canceled,
        _ => IntentStatus::RequiresPaymentMethod,
    }
}

/// The intent as the server learns it.
fn told(intent: &Object) -> GatewayIntent {
    let is_paid_later = intent.next_action.as_ref().is_some_and(NextAction::is_paid_later);
    let status = match status_of(intent.status.as_deref()) {
        IntentStatus::RequiresAction if is_paid_later => IntentStatus::Processing,
        status => status,
    };
    let charge = intent
        .latest_charge
        .as_ref()
        .filter(|_| status == IntentStatus::Succeeded);
    GatewayIntent {
        id: intent.id.clone(),
        client_secret: intent.client_secret.clone().unwrap_or_default(),
        status,
        captured: charge.map(|charge| Captured {
            intent_id: intent.id.clone(),
            charge_id: charge.id().to_owned(),
            amount_minor: currencies::minor_of(
                intent,
                intent.amount_received.or(intent.amount).unwrap_or_default(),
            ),
            card: charge.card(),
        }),
        declined: intent
            .last_payment_error
            .as_ref()
            .map(|error| (error.attempt_id(), error.code().to_owned())),
        action_url: intent
            .next_action
            .as_ref()
            .and_then(NextAction::url)
            .map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statement_suffix_has_only_what_stripe_takes() {
        assert_eq!(suffix("P-0123ABCD"), "P-0123ABCD");
        assert_eq!(suffix("P*<'0123456789\u{e9}"), "P012345678");
    }

    #[test]
    fn stripe_statuses_have_their_word_here() {
        for (word, status) in [
            ("requires_payment_method", IntentStatus::RequiresPaymentMethod),
            ("requires_confirmation", IntentStatus::RequiresPaymentMethod),
            ("requires_action", IntentStatus::RequiresAction),
            ("processing", IntentStatus::Processing),
            ("requires_capture", IntentStatus::Processing),
            ("succeeded", IntentStatus::Succeeded),
            ("canceled", IntentStatus::Canceled),
        ] {
            assert_eq!(status_of(Some(word)), status, "{word}");
        }
    }

    /// A voucher is on its way like a slow method: its room is kept until Stripe says how it ended.
    #[test]
    fn voucher_is_a_delayed_payment() {
        for (kind, status) in [
            ("multibanco_display_details", IntentStatus::Processing),
            ("display_bank_transfer_instructions", IntentStatus::Processing),
            ("use_stripe_sdk", IntentStatus::RequiresAction),
        ] {
            let intent = serde_json::json!({ "id": "pi_1", "status": "requires_action", "next_action": { "type": kind } });
            assert_eq!(
                told(&serde_json::from_value(intent).unwrap()).status,
                status,
                "{kind}"
            );
        }
    }

    /// Stripe's published example of an intent, which has never been paid.
    #[test]
    fn published_intent_is_read() {
        let fixtures: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/stripe-fixtures.json")).unwrap();
        let published = fixtures["resources"]["payment_intent"].clone();
        let intent = told(&serde_json::from_value(published).unwrap());
        assert_eq!(intent.status, IntentStatus::RequiresPaymentMethod);
        assert!(intent.client_secret.contains("_secret_"));
        assert_eq!((intent.captured, intent.action_url), (None, None));
    }
}
