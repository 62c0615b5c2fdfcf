//! The payment gateway as this server needs it: intents, refunds, signed notices. Each provider is a crate of its own beside
//! this one (`sandbox`), which only the wiring names. Every call that changes something carries
//! an idempotency key derived from the event that caused it, so that a repeat after a kill is the same call.

use domain::id::{LeadId, PaymentId, RefundId, UserId};
use domain::moment::Moment;
use domain::money::{Currency, Money};
use domain::payment::event::Captured;
use domain::settlement::{BalanceLine, Payout};
use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

pub mod evidence;
pub mod notice;
pub mod object;
pub mod rehearsal;
pub mod signature;

use evidence::{EvidenceRequest, GatewayDispute};
use object::Owner;

/// Whose intent it is; comes back with every notice about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntentRequest {
    pub payment_id: PaymentId,
    pub lead_id: LeadId,
    pub subject: UserId,
    pub amount: Money,
    /// What the payer reads on a statement, beside the name of the account: the payment's reference.
    pub reference: String,
}

/// A refund as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundRequest {
    pub payment_id: PaymentId,
    pub subject: UserId,
    pub refund_id: RefundId,
    pub intent_id: String,
    pub amount_minor: u64,
    /// The intent's own. Not among what a key stands for, which names the intent.
    #[serde(skip)]
    pub currency: Option<Currency>,
}

/// Where an intent stands at the gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntentStatus {
    RequiresPaymentMethod,
    RequiresAction,
    Processing,
    Succeeded,
    Canceled,
}

/// An intent as the gateway tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GatewayIntent {
    pub id: String,
    pub client_secret: String,
    pub status: IntentStatus,
    /// What was taken, once `Succeeded`.
    pub captured: Option<Captured>,
    /// The last attempt that was turned down: its id and the gateway's code.
    pub declined: Option<(String, String)>,
    /// Where the payer proves who they are, while `RequiresAction`.
    pub action_url: Option<String>,
}

/// Where a refund stands at the gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GatewayRefundStatus {
    Pending,
    Succeeded,
    Failed,
}

/// A refund as the gateway tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GatewayRefund {
    pub id: String,
    pub amount_minor: u64,
    pub status: GatewayRefundStatus,
}

/// Why a call came to nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GatewayError {
    /// Whether the call arrived is unknown: the same call with the same key is safe.
    #[error("the payment provider cannot be reached")]
    Unreachable,
    /// The gateway said no; asking again will not help.
    #[error("the payment provider refused: {0}")]
    Refused(String),
    /// The key was used for another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
}

pub type Answer<'a, T> = BoxFuture<'a, Result<T, GatewayError>>;

/// What the reactor asks of a gateway.
pub trait PaymentGateway: Send + Sync {
    /// `sandbox` or `stripe`.
    fn kind(&self) -> &'static str;
    /// Whether it charges in this currency: a payment in another one is not opened.
    fn charges_in(&self, _currency: Currency) -> bool {
        true
    }
    /// Whether it charges exactly this much: a payment of another amount is not opened.
    fn charges(&self, amount: Money) -> bool {
        self.charges_in(amount.currency)
    }
    /// An amount that a notice tells, by the currency's ISO code in any case, as minor units of ISO 4217; `None` where it is no whole
    /// number of them.
    fn minor_of_told(&self, _currency: &str, told: u64) -> Option<u64> {
        Some(told)
    }
    fn create_intent<'a>(&'a self, key: &'a str, request: &'a IntentRequest) -> Answer<'a, GatewayIntent>;
    fn intent<'a>(&'a self, intent_id: &'a str) -> Answer<'a, GatewayIntent>;
    fn cancel_intent<'a>(&'a self, key: &'a str, intent_id: &'a str) -> Answer<'a, GatewayIntent>;
    fn refund<'a>(&'a self, key: &'a str, request: &'a RefundRequest) -> Answer<'a, GatewayRefund>;
    fn find_refund<'a>(&'a self, refund_id: &'a str) -> Answer<'a, GatewayRefund>;
    /// Whose intent it is; `None` for one that this server did not make.
    fn owner<'a>(&'a self, intent_id: &'a str) -> Answer<'a, Option<Owner>>;
    /// What happened on the provider's account since then, each movement with the fee it kept; in any order.
    fn account_lines(&self, _since: Moment) -> Answer<'_, Vec<BalanceLine>> {
        Box::pin(async { Ok(vec![]) })
    }
    /// Payouts that were begun since then.
    fn payouts(&self, _since: Moment) -> Answer<'_, Vec<Payout>> {
        Box::pin(async { Ok(vec![]) })
    }
    /// What went out with one payout; the payout's own movement may be among it.
    fn payout_lines<'a>(&'a self, _payout_id: &'a str) -> Answer<'a, Vec<BalanceLine>> {
        Box::pin(async { Ok(vec![]) })
    }
    /// Takes in every event that the provider still lists, through the same door as its notices, which knows what it has seen.
    fn pull<'a>(&'a self, _receiver: &'a Receiver) -> Answer<'a, ()> {
        Box::pin(async { Ok(()) })
    }
    /// Deletes what the provider keeps of a person beside their payments; done before, it is done.
    fn forget(&self, _subject: UserId) -> Answer<'_, ()> {
        Box::pin(async { Ok(()) })
    }
    /// Lays evidence against a dispute, or sends it on to the bank.
    fn lay_evidence<'a>(
        &'a self,
        _key: &'a str,
        _request: &'a EvidenceRequest,
    ) -> Answer<'a, GatewayDispute> {
        Box::pin(async { Err(GatewayError::Refused("it takes no evidence".to_owned())) })
    }
    /// What notices are signed with; two while one is renewed.
    fn webhook_secrets(&self) -> Vec<&str>;
    /// Whether it moves real money: notices of the other mode are not taken in.
    fn is_live(&self) -> bool {
        false
    }
    /// Whether the notice of a success says which card was charged; else the intent is asked for.
    fn notices_name_the_card(&self) -> bool {
        true
    }
    /// With what a browser names the account to the provider's own card form; `None` where there is no such form.
    fn publishable_key(&self) -> Option<&str> {
        None
    }
}

/// Takes in one delivery: the signature header and the body; `true` when answered with 2xx.
pub type Receiver = Box<dyn Fn(String, String) -> BoxFuture<'static, bool> + Send + Sync>;
