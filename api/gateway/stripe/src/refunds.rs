//! Refunds: sent once for each refund of ours, and found again by its id.

use std::collections::HashMap;

use gateway::object::Object;
use gateway::{GatewayError, GatewayRefund, GatewayRefundStatus, RefundRequest};
use serde::Deserialize;
use stripe_core::refund::{CreateRefund, ListRefund, RetrieveRefund};

use crate::Stripe;
use crate::currencies::{self, AmountError};

/// Refunds of one intent that are looked through: Stripe's largest page.
const PAGE: i64 = 100;

#[derive(Deserialize)]
struct Refunds {
    #[serde(default)]
    data: Vec<Object>,
}

impl Stripe {
    /// Gives money back. Stripe forgets a key after a day; the outbox may repeat a call after a longer outage. So the refunds of the
    /// intent are looked through for ours first.
    pub(crate) async fn give_back(
        &self,
        key: &str,
        request: &RefundRequest,
    ) -> Result<GatewayRefund, GatewayError> {
        if let Some(sent) = self.sent_before(request).await? {
            return Ok(told(&sent));
        }
        let amount = match request.currency {
            Some(currency) => currencies::amount(currency.code(), request.amount_minor),
            None => i64::try_from(request.amount_minor).map_err(|_| AmountError::TooLarge),
        };
        let amount = amount.map_err(|error| GatewayError::Refused(error.to_string()))?;
        let create = CreateRefund::new()
            .payment_intent(request.intent_id.clone())
            .amount(amount)
            .metadata(HashMap::from([
                ("payment_id".to_owned(), request.payment_id.0.to_string()),
                ("subject".to_owned(), request.subject.0.to_string()),
                ("refund_id".to_owned(), request.refund_id.0.to_string()),
            ]));
        let made: Object = self.0.calls.tell(&create, key).await?;
        Ok(told(&made))
    }

    async fn sent_before(&self, request: &RefundRequest) -> Result<Option<Object>, GatewayError> {
        let list = ListRefund::new()
            .payment_intent(request.intent_id.clone())
            .limit(PAGE);
        let found: Refunds = self.0.calls.ask(&list).await?;
        let ours = |refund: &Object| refund.metadata.refund_id == Some(request.refund_id);
        Ok(found.data.into_iter().find(ours))
    }

    pub(crate) async fn look_up_refund(&self, refund_id: &str) -> Result<GatewayRefund, GatewayError> {
        let found: Object = self.0.calls.ask(&RetrieveRefund::new(refund_id)).await?;
        Ok(told(&found))
    }
}

fn told(refund: &Object) -> GatewayRefund {
    GatewayRefund {
        id: refund.id.clone(),
        amount_minor: currencies::minor_of(refund, refund.amount.unwrap_or_default()),
        status: match refund.status.as_deref() {
            Some("succeeded") => GatewayRefundStatus::Succeeded,
            Some("failed" | "canceled") => GatewayRefundStatus::Failed,
            _ => GatewayRefundStatus::Pending,
        },
    }
}
