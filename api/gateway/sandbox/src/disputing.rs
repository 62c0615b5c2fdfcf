//! A cardholder's bank takes a charge back, and later decides who is right (X6: driven from `/dev/sandbox`).

use chrono::TimeDelta;
use domain::moment::Moment;
use domain::money::Currency;
use gateway::evidence::{EvidenceRequest, GatewayDispute, StripeEvidence};
use platform::clock;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::memory::{FaultPlan, Work, name};
use crate::{GatewayError, Intent, Sandbox};

/// Where a dispute stands at the bank, by the words of its notices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DisputeStatus {
    NeedsResponse,
    Won,
    Lost,
}

/// A dispute as the provider keeps it, with the charge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    pub id: String,
    pub amount_minor: u64,
    pub status: DisputeStatus,
    /// Until when the bank takes evidence.
    #[serde(default)]
    pub due_by: Option<Moment>,
    /// What was laid last.
    #[serde(default)]
    pub evidence: Option<StripeEvidence>,
    /// Bytes of the paper that was laid last.
    #[serde(default)]
    pub paper_bytes: usize,
    /// How often evidence went to the bank.
    #[serde(default)]
    pub submissions: u64,
}

impl Sandbox {
    /// Moves the dispute about an intent's charge: opened first, then decided.
    ///
    /// # Errors
    /// When there is nothing to dispute or to decide, or the provider is unreachable.
    pub async fn dispute(&self, intent_id: &str, status: DisputeStatus) -> Result<Intent, GatewayError> {
        let plan = self.reachable().await?;
        let mut work = self.memory.begin().await?;
        let mut intent = work.known_intent(intent_id).await?;
        match status {
            DisputeStatus::NeedsResponse => open(&mut work, &mut intent, &plan).await?,
            DisputeStatus::Won | DisputeStatus::Lost => decide(&mut work, &mut intent, status).await?,
        }
        work.put_intent(&intent).await?;
        work.commit().await?;
        self.news.notify_waiters();
        Ok(intent)
    }
}

impl Sandbox {
    /// Keeps the evidence, or passes it on to the bank, after which it is closed.
    pub(crate) async fn keep_evidence(
        &self,
        key: &str,
        request: &EvidenceRequest,
    ) -> Result<GatewayDispute, GatewayError> {
        self.reachable().await?;
        let mut work = self.memory.begin().await?;
        if let Some(first) = work.answered::<Intent>(key, request).await? {
            return Ok(told(&first));
        }
        let mut intent = work.known_intent(&request.intent_id).await?;
        let dispute = intent
            .charge
            .as_mut()
            .and_then(|charge| charge.dispute.as_mut())
            .filter(|dispute| dispute.id == request.dispute_id)
            .ok_or_else(|| refused("there is no such dispute"))?;
        if dispute.status != DisputeStatus::NeedsResponse {
            return Err(refused("the bank has decided"));
        }
        if dispute.submissions > 0 {
            return Err(refused("evidence was sent to the bank before"));
        }
        if dispute.due_by.is_some_and(|due_by| due_by < clock::now()) {
            return Err(refused("the bank's deadline is over"));
        }
        dispute.evidence = Some(request.fields.clone());
        dispute.paper_bytes = request.pdf.len();
        dispute.submissions += u64::from(request.submit);
        work.put_intent(&intent).await?;
        work.tell("charge.dispute.updated", &dispute_object(&intent))
            .await?;
        work.answer(key, request, &intent).await?;
        work.commit().await?;
        self.news.notify_waiters();
        Ok(told(&intent))
    }
}

fn told(intent: &Intent) -> GatewayDispute {
    let dispute = intent.charge.as_ref().and_then(|charge| charge.dispute.as_ref());
    GatewayDispute {
        due_by: dispute.and_then(|dispute| dispute.due_by),
        submissions: dispute.map_or(0, |dispute| dispute.submissions),
    }
}

/// Takes back what is left of the charge.
pub(crate) async fn open(work: &mut Work, intent: &mut Intent, plan: &FaultPlan) -> Result<(), GatewayError> {
    let id = name("dp", &intent.id);
    let charge = intent
        .charge
        .as_mut()
        .filter(|charge| charge.dispute.is_none())
        .ok_or_else(|| refused("there is no charge that can be disputed"))?;
    charge.dispute = Some(Dispute {
        id,
        amount_minor: charge.amount_minor.saturating_sub(charge.refunded_minor),
        status: DisputeStatus::NeedsResponse,
        due_by: Some(clock::now() + TimeDelta::milliseconds(i64::from(plan.dispute_due_ms))),
        evidence: None,
        paper_bytes: 0,
        submissions: 0,
    });
    Ok(work
        .tell("charge.dispute.created", &dispute_object(intent))
        .await?)
}

async fn decide(work: &mut Work, intent: &mut Intent, status: DisputeStatus) -> Result<(), GatewayError> {
    let dispute = intent
        .charge
        .as_mut()
        .and_then(|charge| charge.dispute.as_mut())
        .filter(|dispute| dispute.status == DisputeStatus::NeedsResponse)
        .ok_or_else(|| refused("there is no open dispute"))?;
    dispute.status = status;
    Ok(work
        .tell("charge.dispute.closed", &dispute_object(intent))
        .await?)
}

fn refused(why: &str) -> GatewayError {
    GatewayError::Refused(why.to_owned())
}

/// What a dispute costs here, in whole units of a currency worth about a dollar; given back when it is won.
const FEE_DOLLARS: u64 = 15;

pub(crate) fn fee_minor(currency: Currency) -> u64 {
    FEE_DOLLARS * currency.units_for_one_dollar() * 10_u64.pow(currency.decimals())
}

/// A dispute as notices carry it.
fn dispute_object(intent: &Intent) -> Value {
    let dispute = intent.charge.as_ref().and_then(|charge| charge.dispute.as_ref());
    let fee = fee_minor(intent.currency).cast_signed();
    let amount = dispute.map_or(0, |dispute| dispute.amount_minor.cast_signed());
    let moved = |amount: i64, fee: i64| json!({ "amount": amount, "fee": fee, "currency": intent.currency.code().to_lowercase() });
    let mut transactions = vec![moved(-amount, fee)];
    if dispute.is_some_and(|dispute| dispute.status == DisputeStatus::Won) {
        transactions.push(moved(amount, -fee));
    }
    json!({
        "id": dispute.map(|dispute| &dispute.id),
        "object": "dispute",
        "amount": dispute.map(|dispute| dispute.amount_minor),
        "status": dispute.map(|dispute| dispute.status),
        "reason": "fraudulent",
        "currency": intent.currency.code().to_lowercase(),
        "balance_transactions": transactions,
        "evidence": dispute.map(|dispute| &dispute.evidence),
        "evidence_details": {
            "due_by": dispute.and_then(|dispute| dispute.due_by).map(|due_by| due_by.timestamp()),
            "has_evidence": dispute.is_some_and(|dispute| dispute.evidence.is_some()),
            "past_due": dispute.and_then(|dispute| dispute.due_by).is_some_and(|due_by| due_by < clock::now()),
            "submission_count": dispute.map_or(0, |dispute| dispute.submissions),
        },
        "payment_intent": intent.id,
        "metadata": { "payment_id": intent.payment_id, "subject": intent.subject },
    })
}
