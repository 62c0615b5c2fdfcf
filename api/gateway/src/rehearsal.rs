//! The gateway of a rehearsal: it reads what the provider has and changes nothing there.

use std::sync::Arc;

use domain::id::UserId;
use domain::moment::Moment;
use domain::money::{Currency, Money};
use domain::settlement::{BalanceLine, Payout};

use crate::evidence::{EvidenceRequest, GatewayDispute};
use crate::object::Owner;
use crate::{
    Answer, GatewayError, GatewayIntent, GatewayRefund, IntentRequest, PaymentGateway, Receiver,
    RefundRequest,
};

/// A provider's gateway that refuses every write.
pub struct ReadOnlyGateway(Arc<dyn PaymentGateway>);

impl ReadOnlyGateway {
    /// Reads through `provider`.
    pub fn new(provider: Arc<dyn PaymentGateway>) -> Self {
        Self(provider)
    }
}

fn refused<'a, T: Send + 'a>() -> Answer<'a, T> {
    let error = GatewayError::Refused("this is a rehearsal: nothing is changed at the provider".to_owned());
    Box::pin(std::future::ready(Err(error)))
}

impl PaymentGateway for ReadOnlyGateway {
    fn kind(&self) -> &'static str {
        self.0.kind()
    }

    fn create_intent<'a>(&'a self, _key: &'a str, _request: &'a IntentRequest) -> Answer<'a, GatewayIntent> {
        refused()
    }

    fn charges_in(&self, currency: Currency) -> bool {
        self.0.charges_in(currency)
    }

    fn charges(&self, amount: Money) -> bool {
        self.0.charges(amount)
    }

    fn minor_of_told(&self, currency: &str, told: u64) -> Option<u64> {
        self.0.minor_of_told(currency, told)
    }

    fn intent<'a>(&'a self, intent_id: &'a str) -> Answer<'a, GatewayIntent> {
        self.0.intent(intent_id)
    }

    fn cancel_intent<'a>(&'a self, _key: &'a str, _intent_id: &'a str) -> Answer<'a, GatewayIntent> {
        refused()
    }

    fn refund<'a>(&'a self, _key: &'a str, _request: &'a RefundRequest) -> Answer<'a, GatewayRefund> {
        refused()
    }

    fn find_refund<'a>(&'a self, refund_id: &'a str) -> Answer<'a, GatewayRefund> {
        self.0.find_refund(refund_id)
    }

    fn owner<'a>(&'a self, intent_id: &'a str) -> Answer<'a, Option<Owner>> {
        self.0.owner(intent_id)
    }

    fn account_lines(&self, since: Moment) -> Answer<'_, Vec<BalanceLine>> {
        self.0.account_lines(since)
    }

    fn payouts(&self, since: Moment) -> Answer<'_, Vec<Payout>> {
        self.0.payouts(since)
    }

    fn payout_lines<'a>(&'a self, payout_id: &'a str) -> Answer<'a, Vec<BalanceLine>> {
        self.0.payout_lines(payout_id)
    }

    fn pull<'a>(&'a self, receiver: &'a Receiver) -> Answer<'a, ()> {
        self.0.pull(receiver)
    }

    fn forget(&self, _subject: UserId) -> Answer<'_, ()> {
        refused()
    }

    fn lay_evidence<'a>(
        &'a self,
        _key: &'a str,
        _request: &'a EvidenceRequest,
    ) -> Answer<'a, GatewayDispute> {
        refused()
    }

    fn webhook_secrets(&self) -> Vec<&str> {
        self.0.webhook_secrets()
    }

    fn is_live(&self) -> bool {
        self.0.is_live()
    }

    fn notices_name_the_card(&self) -> bool {
        self.0.notices_name_the_card()
    }

    /// None: with it, a browser would pay the original's open intents in the provider's own form.
    fn publishable_key(&self) -> Option<&str> {
        None
    }
}
