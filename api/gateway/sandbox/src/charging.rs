//! Charging a card, answering a challenge, settling what was delayed; and the objects the provider's notices carry.

use chrono::TimeDelta;
use domain::moment::Moment;
use domain::payment::event::Card;
use platform::clock;
use serde_json::{Value, json};

use crate::cards::{self, CardBehaviour};
use crate::disputing;
use crate::memory::{Work, name};
use crate::{
    Charge, GatewayError, GatewayIntent, GatewayRefundStatus, Intent, IntentStatus, Refund, Sandbox,
    Settlement, told,
};

/// How the payer answers a 3-D Secure challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Challenge {
    Pass,
    Fail,
}

/// The code of a payer who could not prove who they are; outside the specification's list, so shown as the general one.
const AUTHENTICATION_FAILED: &str = "authentication_failed";

impl Sandbox {
    /// How often a card was tried on an intent.
    ///
    /// # Errors
    /// When there is no such intent, or the provider is unreachable.
    pub async fn attempts(&self, intent_id: &str) -> Result<u32, GatewayError> {
        self.reachable().await?;
        let mut work = self.memory.begin().await?;
        Ok(work.known_intent(intent_id).await?.attempts)
    }

    /// Charges a card, as the payer's browser would ask the provider to, unless another press came first: one press is
    /// one attempt.
    ///
    /// # Errors
    /// When the intent cannot be charged now, or the provider is unreachable.
    pub async fn confirm(
        &self,
        intent_id: &str,
        card_number: &str,
        return_url: &str,
        attempts_before: u32,
    ) -> Result<GatewayIntent, GatewayError> {
        let plan = self.reachable().await?;
        let mut work = self.memory.begin().await?;
        let mut intent = work.known_intent(intent_id).await?;
        if intent.attempts != attempts_before {
            return Ok(told(&intent));
        }
        match intent.status {
            IntentStatus::RequiresPaymentMethod | IntentStatus::RequiresAction => {}
            // A second press, a second tab: the first one counts.
            IntentStatus::Processing | IntentStatus::Succeeded => return Ok(told(&intent)),
            IntentStatus::Canceled => {
                return Err(GatewayError::Refused("this intent was cancelled".to_owned()));
            }
        }
        intent.attempts += 1;
        intent.action_url = None;
        intent.card = Some(Card {
            brand: cards::brand(card_number).to_owned(),
            last4: cards::last4(card_number),
        });
        let later = |ms: u32| clock::now() + TimeDelta::milliseconds(i64::from(ms));
        match cards::behaviour(card_number) {
            CardBehaviour::Succeeds => pay(&mut work, &mut intent).await?,
            CardBehaviour::Disputes => {
                pay(&mut work, &mut intent).await?;
                disputing::open(&mut work, &mut intent, &plan).await?;
            }
            CardBehaviour::Declines(code) => decline(&mut work, &mut intent, code.code()).await?,
            CardBehaviour::Challenges => {
                intent.status = IntentStatus::RequiresAction;
                intent.return_url = Some(return_url.to_owned());
                intent.action_url = Some(format!("/sandbox/3ds/{}", intent.id));
                work.tell("payment_intent.requires_action", &intent_object(&intent))
                    .await?;
            }
            CardBehaviour::SettlesLater => {
                delay(
                    &mut work,
                    &mut intent,
                    (later(plan.settle_after_ms), Settlement::Paid),
                )
                .await?;
            }
            CardBehaviour::FailsLater => {
                delay(
                    &mut work,
                    &mut intent,
                    (later(plan.settle_after_ms), Settlement::Declined),
                )
                .await?;
            }
        }
        work.put_intent(&intent).await?;
        work.commit().await?;
        self.news.notify_waiters();
        Ok(told(&intent))
    }

    /// The payer's answer on the 3-D Secure page.
    ///
    /// # Errors
    /// When nothing is being asked, or the provider is unreachable.
    pub async fn answer_challenge(
        &self,
        intent_id: &str,
        answer: Challenge,
    ) -> Result<(GatewayIntent, Option<String>), GatewayError> {
        self.reachable().await?;
        let mut work = self.memory.begin().await?;
        let mut intent = work.known_intent(intent_id).await?;
        let return_url = intent.return_url.clone();
        match (intent.status, answer) {
            (IntentStatus::RequiresAction, Challenge::Pass) => pay(&mut work, &mut intent).await?,
            (IntentStatus::RequiresAction, Challenge::Fail) => {
                decline(&mut work, &mut intent, AUTHENTICATION_FAILED).await?;
            }
            // Answered before, perhaps in another tab.
            (
                IntentStatus::RequiresPaymentMethod
                | IntentStatus::Processing
                | IntentStatus::Succeeded
                | IntentStatus::Canceled,
                Challenge::Pass | Challenge::Fail,
            ) => return Ok((told(&intent), return_url)),
        }
        work.put_intent(&intent).await?;
        work.commit().await?;
        self.news.notify_waiters();
        Ok((told(&intent), return_url))
    }

    /// Settles delayed methods and refunds whose time has come.
    pub(crate) async fn settle(&self, now: Moment) -> Result<(), GatewayError> {
        let mut work = self.memory.begin_on_duty().await?;
        let plan = work.plan().await?;
        let (intents, refunds) = work.settling(now).await?;
        for mut intent in intents {
            match intent.settles.take().map(|(_, settlement)| settlement) {
                Some(Settlement::Paid) => pay(&mut work, &mut intent).await?,
                Some(Settlement::Declined) => decline(&mut work, &mut intent, "insufficient_funds").await?,
                None => {}
            }
            work.put_intent(&intent).await?;
        }
        for mut refund in refunds {
            refund.settles_at = None;
            refund.status = if plan.refunds_fail {
                GatewayRefundStatus::Failed
            } else {
                GatewayRefundStatus::Succeeded
            };
            let mut intent = work.known_intent(&refund.request.intent_id).await?;
            if plan.refunds_fail {
                if let Some(charge) = &mut intent.charge {
                    charge.refunded_minor = charge.refunded_minor.saturating_sub(refund.request.amount_minor);
                }
                work.put_intent(&intent).await?;
            }
            work.put_refund(&refund).await?;
            work.tell("refund.updated", &refund_object(&refund, &intent))
                .await?;
        }
        work.commit().await?;
        Ok(())
    }
}

async fn pay(work: &mut Work, intent: &mut Intent) -> Result<(), GatewayError> {
    intent.status = IntentStatus::Succeeded;
    intent.action_url = None;
    intent.charge = Some(Charge {
        id: attempt_name(intent),
        amount_minor: intent.amount_minor,
        refunded_minor: 0,
        card: intent.card.clone(),
        dispute: None,
    });
    Ok(work
        .tell("payment_intent.succeeded", &intent_object(intent))
        .await?)
}

async fn decline(work: &mut Work, intent: &mut Intent, code: &str) -> Result<(), GatewayError> {
    intent.status = IntentStatus::RequiresPaymentMethod;
    intent.action_url = None;
    intent.declined = Some((attempt_name(intent), code.to_owned()));
    Ok(work
        .tell("payment_intent.payment_failed", &intent_object(intent))
        .await?)
}

async fn delay(
    work: &mut Work,
    intent: &mut Intent,
    settles: (Moment, Settlement),
) -> Result<(), GatewayError> {
    intent.status = IntentStatus::Processing;
    intent.settles = Some(settles);
    Ok(work
        .tell("payment_intent.processing", &intent_object(intent))
        .await?)
}

fn attempt_name(intent: &Intent) -> String {
    name("ch", &format!("{} {}", intent.id, intent.attempts))
}

/// An intent as notices carry it.
pub(crate) fn intent_object(intent: &Intent) -> Value {
    let declined = intent.declined.as_ref().filter(|_| intent.charge.is_none());
    json!({
        "id": intent.id,
        "object": "payment_intent",
        "amount": intent.amount_minor,
        "amount_received": intent.charge.as_ref().map_or(0, |charge| charge.amount_minor),
        "currency": intent.currency.code().to_lowercase(),
        "status": intent.status,
        "latest_charge": intent.charge.as_ref().map(|charge| json!({ "id": charge.id, "card": charge.card })),
        "last_payment_error": declined.map(|(charge, code)| json!({ "charge": charge, "decline_code": code })),
        "next_action": intent.action_url.as_ref().map(|url| json!({ "type": "redirect_to_url", "url": url })),
        "metadata": { "payment_id": intent.payment_id, "subject": intent.subject },
    })
}

/// A refund of an intent's charge as notices carry it.
pub(crate) fn refund_object(refund: &Refund, intent: &Intent) -> Value {
    let request = &refund.request;
    json!({
        "id": refund.id,
        "object": "refund",
        "amount": request.amount_minor,
        "currency": intent.currency.code().to_lowercase(),
        "payment_intent": request.intent_id,
        "status": refund.status,
        "failure_reason": (refund.status == GatewayRefundStatus::Failed).then_some("lost_or_stolen_card"),
        "metadata": { "payment_id": request.payment_id, "subject": request.subject, "refund_id": request.refund_id },
    })
}
