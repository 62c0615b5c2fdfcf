//! The built-in payment provider (D103): deterministic, offline, and with a memory of its own (`sandbox.db`) that stands for
//! the outside world, so that a kill of this process never loses what the provider knows. No card number is kept.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::id::{PaymentId, UserId};
use domain::moment::Moment;
use domain::money::Currency;
use domain::payment::event::{Captured, Card};
use domain::settlement::{BalanceLine, Payout};
use gateway::evidence::{EvidenceRequest, GatewayDispute};
use gateway::object::Owner;
use gateway::{
    Answer, GatewayError, GatewayIntent, GatewayRefund, GatewayRefundStatus, IntentRequest, IntentStatus,
    PaymentGateway, Receiver, RefundRequest,
};
use platform::duty::Duty;
use serde::{Deserialize, Serialize};
use tables::Place;
use tokio::sync::Notify;

pub mod cards;
pub mod charging;
pub mod courier;
pub mod disputing;
mod forgetting;
pub mod memory;
pub mod memory_error;
mod repeats;
mod settling;

use disputing::{Dispute, DisputeStatus};
use memory::{FaultPlan, Memory};

/// An intent as the provider keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intent {
    pub id: String,
    pub client_secret: String,
    pub payment_id: PaymentId,
    pub subject: UserId,
    pub amount_minor: u64,
    pub currency: Currency,
    pub status: IntentStatus,
    pub attempts: u32,
    pub charge: Option<Charge>,
    /// The last attempt turned down: its id and the code.
    pub declined: Option<(String, String)>,
    pub action_url: Option<String>,
    /// Where the payer goes after 3-D Secure.
    pub return_url: Option<String>,
    /// The card being challenged or settled: brand and last digits only.
    pub card: Option<Card>,
    /// When a delayed method settles, and how.
    pub settles: Option<(Moment, Settlement)>,
    pub created_at: Moment,
}

/// Money the provider took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charge {
    pub id: String,
    pub amount_minor: u64,
    pub refunded_minor: u64,
    pub card: Option<Card>,
    #[serde(default)]
    pub dispute: Option<Dispute>,
}

/// How a delayed method ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settlement {
    Paid,
    Declined,
}

/// A refund as the provider keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refund {
    pub id: String,
    pub request: RefundRequest,
    pub status: GatewayRefundStatus,
    pub settles_at: Option<Moment>,
    pub created_at: Moment,
}

/// A handle on the provider; cheap to clone.
#[derive(Clone)]
pub struct Sandbox {
    memory: Memory,
    secret: Arc<str>,
    /// Wakes whoever delivers notices.
    news: Arc<Notify>,
}

impl Sandbox {
    /// Opens the provider's memory at `place`; `node` names this process among all there ever were.
    ///
    /// # Errors
    /// When it cannot be reached or a migration fails.
    pub async fn open(place: &Place, node: &str) -> Result<Self, sqlx::Error> {
        let memory = Memory::open(place, node).await?;
        let secret = memory.secret().await?;
        Ok(Self {
            memory,
            secret: secret.into(),
            news: Arc::new(Notify::new()),
        })
    }

    /// Lets go of the memory's files.
    pub async fn close(&self) {
        self.memory.database.pool().close().await;
    }

    /// The present fault plan.
    ///
    /// # Errors
    /// When the memory cannot be read.
    pub async fn plan(&self) -> Result<FaultPlan, GatewayError> {
        Ok(self.memory.plan().await?)
    }

    /// Changes how notices are delivered and whether calls are answered (X6).
    ///
    /// # Errors
    /// When the memory cannot be written.
    pub async fn set_plan(&self, plan: &FaultPlan) -> Result<(), sqlx::Error> {
        self.memory.set_plan(plan).await?;
        self.news.notify_waiters();
        Ok(())
    }

    /// What one node at a time does for the provider: settling, and carrying notices.
    pub fn duty(&self) -> Duty {
        self.memory.duty().clone()
    }

    /// What notices are signed with.
    pub fn webhook_secret(&self) -> &str {
        &self.secret
    }

    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// A call as the world would answer it: nothing at all during an outage.
    async fn reachable(&self) -> Result<FaultPlan, GatewayError> {
        let plan = self.memory.plan().await?;
        if plan.outage {
            Err(GatewayError::Unreachable)
        } else {
            Ok(plan)
        }
    }

    async fn make_intent(&self, key: &str, request: &IntentRequest) -> Result<GatewayIntent, GatewayError> {
        self.reachable().await?;
        let name = memory::name("pi", key);
        let intent = Intent {
            client_secret: format!(
                "{name}_secret_{}",
                memory::name("s", &format!("{key}{}", self.secret))
            ),
            id: name,
            payment_id: request.payment_id,
            subject: request.subject,
            amount_minor: request.amount.amount_minor,
            currency: request.amount.currency,
            status: IntentStatus::RequiresPaymentMethod,
            attempts: 0,
            charge: None,
            declined: None,
            action_url: None,
            return_url: None,
            card: None,
            settles: None,
            created_at: platform::clock::now(),
        };
        let mut work = self.memory.begin().await?;
        let kept = if let Some(first) = work.answered::<Intent>(key, request).await? {
            work.intent(&first.id).await?.unwrap_or(first)
        } else {
            work.put_intent(&intent).await?;
            work.tell("payment_intent.created", &charging::intent_object(&intent))
                .await?;
            work.answer(key, request, &intent).await?;
            intent
        };
        work.commit().await?;
        self.news.notify_waiters();
        Ok(told(&kept))
    }

    async fn drop_intent(&self, key: &str, intent_id: &str) -> Result<GatewayIntent, GatewayError> {
        self.reachable().await?;
        let mut work = self.memory.begin().await?;
        let mut intent = work.known_intent(intent_id).await?;
        match intent.status {
            IntentStatus::RequiresPaymentMethod | IntentStatus::RequiresAction => {
                intent.status = IntentStatus::Canceled;
                intent.action_url = None;
                work.put_intent(&intent).await?;
                work.tell("payment_intent.canceled", &charging::intent_object(&intent))
                    .await?;
                work.answer(key, &intent_id, &intent).await?;
            }
            IntentStatus::Canceled => {}
            IntentStatus::Processing | IntentStatus::Succeeded => {
                return Err(GatewayError::Refused(
                    "this intent can no longer be cancelled".to_owned(),
                ));
            }
        }
        work.commit().await?;
        self.news.notify_waiters();
        Ok(told(&intent))
    }

    async fn give_back(&self, key: &str, request: &RefundRequest) -> Result<GatewayRefund, GatewayError> {
        let plan = self.reachable().await?;
        let mut work = self.memory.begin().await?;
        if let Some(first) = work.answered::<Refund>(key, request).await? {
            let refund = work.refund(&first.id).await?.unwrap_or(first);
            return Ok(told_refund(&refund));
        }
        let mut intent = work.known_intent(&request.intent_id).await?;
        let charge = intent
            .charge
            .as_mut()
            .ok_or_else(|| GatewayError::Refused("nothing was charged".to_owned()))?;
        let withheld = charge
            .dispute
            .as_ref()
            .is_some_and(|dispute| dispute.status != DisputeStatus::Won);
        if withheld {
            return Err(GatewayError::Refused("the charge is disputed".to_owned()));
        }
        // The provider keeps its own limit: all refunds of a charge together never exceed it.
        if charge.refunded_minor.saturating_add(request.amount_minor) > charge.amount_minor {
            return Err(GatewayError::Refused(
                "the refund is greater than what is left of the charge".to_owned(),
            ));
        }
        charge.refunded_minor += request.amount_minor;
        let now = platform::clock::now();
        let refund = Refund {
            id: memory::name("re", key),
            request: request.clone(),
            status: GatewayRefundStatus::Pending,
            settles_at: Some(now + TimeDelta::milliseconds(i64::from(plan.refund_after_ms))),
            created_at: now,
        };
        work.put_intent(&intent).await?;
        work.put_refund(&refund).await?;
        work.tell("refund.created", &charging::refund_object(&refund, &intent))
            .await?;
        work.answer(key, request, &refund).await?;
        work.commit().await?;
        self.news.notify_waiters();
        Ok(told_refund(&refund))
    }
}

impl PaymentGateway for Sandbox {
    fn kind(&self) -> &'static str {
        "sandbox"
    }

    fn create_intent<'a>(&'a self, key: &'a str, request: &'a IntentRequest) -> Answer<'a, GatewayIntent> {
        Box::pin(self.make_intent(key, request))
    }

    fn intent<'a>(&'a self, intent_id: &'a str) -> Answer<'a, GatewayIntent> {
        Box::pin(async move {
            self.reachable().await?;
            let mut work = self.memory.begin().await?;
            Ok(told(&work.known_intent(intent_id).await?))
        })
    }

    fn cancel_intent<'a>(&'a self, key: &'a str, intent_id: &'a str) -> Answer<'a, GatewayIntent> {
        Box::pin(self.drop_intent(key, intent_id))
    }

    fn refund<'a>(&'a self, key: &'a str, request: &'a RefundRequest) -> Answer<'a, GatewayRefund> {
        Box::pin(self.give_back(key, request))
    }

    fn find_refund<'a>(&'a self, refund_id: &'a str) -> Answer<'a, GatewayRefund> {
        Box::pin(async move {
            self.reachable().await?;
            let mut work = self.memory.begin().await?;
            let refund = work.refund(refund_id).await?;
            refund
                .map(|refund| told_refund(&refund))
                .ok_or_else(|| GatewayError::Refused("no such refund".to_owned()))
        })
    }

    fn owner<'a>(&'a self, intent_id: &'a str) -> Answer<'a, Option<Owner>> {
        Box::pin(async move {
            self.reachable().await?;
            let mut work = self.memory.begin().await?;
            Ok(work.intent(intent_id).await?.map(|intent| Owner {
                payment_id: intent.payment_id,
                subject: intent.subject,
            }))
        })
    }

    fn pull<'a>(&'a self, receiver: &'a Receiver) -> Answer<'a, ()> {
        Box::pin(self.hand_over(receiver))
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
        Box::pin(self.keep_evidence(key, request))
    }

    fn forget(&self, subject: UserId) -> Answer<'_, ()> {
        Box::pin(self.drop_evidence(subject))
    }

    fn webhook_secrets(&self) -> Vec<&str> {
        vec![self.webhook_secret()]
    }
}

/// The intent as the server learns it.
fn told(intent: &Intent) -> GatewayIntent {
    GatewayIntent {
        id: intent.id.clone(),
        client_secret: intent.client_secret.clone(),
        status: intent.status,
        captured: intent.charge.as_ref().map(|charge| Captured {
            intent_id: intent.id.clone(),
            charge_id: charge.id.clone(),
            amount_minor: charge.amount_minor,
            card: charge.card.clone(),
        }),
        declined: intent.declined.clone(),
        action_url: intent.action_url.clone(),
    }
}

fn told_refund(refund: &Refund) -> GatewayRefund {
    GatewayRefund {
        id: refund.id.clone(),
        amount_minor: refund.request.amount_minor,
        status: refund.status,
    }
}

#[cfg(test)]
mod tests;
