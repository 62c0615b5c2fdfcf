//! Stripe behind the trait [`PaymentGateway`], through async-stripe. Requests are built by its types; of answers only the fields
//! that are needed are read ([`gateway::object`]). The payer enters the card into Stripe's own form: no card number comes here.

use std::sync::Arc;

use domain::id::UserId;
use domain::moment::Moment;
use domain::money::{Currency, Money};
use domain::settlement::{BalanceLine, Payout};
use gateway::evidence::{EvidenceRequest, GatewayDispute};
use gateway::object::Owner;
use gateway::{
    Answer, GatewayError, GatewayIntent, GatewayRefund, IntentRequest, PaymentGateway, Receiver,
    RefundRequest,
};
use platform::config::stripe::{Mode, StripeAccount};
use platform::duty::Duty;
use platform::provider_words::bound_provider_words;
use tables::Place;

mod breaker;
mod calls;
pub mod currencies;
mod customers;
mod disputes;
pub mod events;
mod files;
mod intents;
mod memory;
mod refunds;
mod refusal;
mod settlement;
pub mod standing;

use calls::Calls;
use events::SyncError;
use memory::Memory;

/// A handle on the account; cheap to clone.
#[derive(Clone)]
pub struct Stripe(Arc<Parts>);

struct Parts {
    account: StripeAccount,
    calls: Calls,
    memory: Memory,
}

impl Stripe {
    /// Opens what is kept of the account at `place`; `node` names this process among all there ever were. Stripe itself is not asked:
    /// a server starts while it is away.
    ///
    /// # Errors
    /// One sentence, when the tables cannot be reached or a setting cannot be used.
    pub async fn open(account: StripeAccount, place: &Place, node: &str) -> Result<Self, String> {
        let memory = Memory::open(place, &account.publishable_key, node)
            .await
            .map_err(|error| format!("what is kept of the Stripe account cannot be opened: {error}"))?;
        Ok(Self(Arc::new(Parts {
            calls: Calls::new(&account)?,
            account,
            memory,
        })))
    }

    /// What one node at a time does: fetching the events that no notice told of.
    pub fn duty(&self) -> Duty {
        self.0.memory.duty.clone()
    }
}

impl PaymentGateway for Stripe {
    fn kind(&self) -> &'static str {
        "stripe"
    }

    fn pull<'a>(&'a self, receiver: &'a Receiver) -> Answer<'a, ()> {
        Box::pin(async move {
            match self.sync(receiver).await {
                Ok(_) => Ok(()),
                Err(SyncError::Gateway(error)) => Err(error),
                Err(error) => {
                    let error = bound_provider_words(&error.to_string());
                    tracing::warn!(error, "events of the Stripe account could not be taken in");
                    Err(GatewayError::Unreachable)
                }
            }
        })
    }

    fn charges_in(&self, currency: Currency) -> bool {
        currencies::charges_in(currency)
    }

    fn charges(&self, amount: Money) -> bool {
        self.charges_in(amount.currency)
            && currencies::charge_amount(amount.currency.code(), amount.amount_minor).is_ok()
    }

    fn minor_of_told(&self, currency: &str, told: u64) -> Option<u64> {
        currencies::minor(currency, told)
    }

    fn create_intent<'a>(&'a self, key: &'a str, request: &'a IntentRequest) -> Answer<'a, GatewayIntent> {
        Box::pin(self.make_intent(key, request))
    }

    fn intent<'a>(&'a self, intent_id: &'a str) -> Answer<'a, GatewayIntent> {
        Box::pin(self.find_intent(intent_id))
    }

    fn cancel_intent<'a>(&'a self, key: &'a str, intent_id: &'a str) -> Answer<'a, GatewayIntent> {
        Box::pin(self.drop_intent(key, intent_id))
    }

    fn refund<'a>(&'a self, key: &'a str, request: &'a RefundRequest) -> Answer<'a, GatewayRefund> {
        Box::pin(self.give_back(key, request))
    }

    fn find_refund<'a>(&'a self, refund_id: &'a str) -> Answer<'a, GatewayRefund> {
        Box::pin(self.look_up_refund(refund_id))
    }

    fn owner<'a>(&'a self, intent_id: &'a str) -> Answer<'a, Option<Owner>> {
        Box::pin(self.owner_of(intent_id))
    }

    fn account_lines(&self, since: Moment) -> Answer<'_, Vec<BalanceLine>> {
        Box::pin(self.lines_since(since))
    }

    fn payouts(&self, since: Moment) -> Answer<'_, Vec<Payout>> {
        Box::pin(self.payouts_since(since))
    }

    fn payout_lines<'a>(&'a self, payout_id: &'a str) -> Answer<'a, Vec<BalanceLine>> {
        Box::pin(self.lines_of(payout_id))
    }

    fn lay_evidence<'a>(&'a self, key: &'a str, request: &'a EvidenceRequest) -> Answer<'a, GatewayDispute> {
        Box::pin(self.answer_dispute(key, request))
    }

    fn forget(&self, subject: UserId) -> Answer<'_, ()> {
        Box::pin(self.delete_customer(subject))
    }

    fn webhook_secrets(&self) -> Vec<&str> {
        let secrets = self.0.account.webhook_secrets.iter();
        secrets.map(|secret| secret.0.as_str()).collect()
    }

    fn is_live(&self) -> bool {
        self.0.account.mode == Mode::Live
    }

    fn notices_name_the_card(&self) -> bool {
        false
    }

    fn publishable_key(&self) -> Option<&str> {
        Some(&self.0.account.publishable_key)
    }
}

#[cfg(test)]
mod tests;
