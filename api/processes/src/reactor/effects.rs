//! The outbox: calls to the gateway and messages, each under a key made from the event that caused it. Every outcome is a
//! command of its own.

use std::time::Duration;

use ::messages::Channel;
use domain::id::{PaymentId, RefundId, UserId};
use domain::payment::event::Captured;
use domain::payment::{Payment, PaymentCommand, RefundCommand};
use domain::policy::{self, Effect};
use eventlog::{Actor, CommitError, Context, commit};
use futures::StreamExt as _;
use gateway::{
    GatewayError, GatewayIntent, GatewayRefund, GatewayRefundStatus, IntentRequest, IntentStatus,
    RefundRequest,
};
use platform::clock;
use platform::duty::ours;
use projections::payment_audit::reference;
use threads::pause_unless_stopped;
use tokio::sync::watch;
use tracing::Instrument as _;

use super::about::{About, about};
use super::agenda::{Due, Lane, Planned};
use super::messenger::{Letter, Posted};
use super::payment_letters::{self, Topic};
use super::{Reactor, ReactorError, lead_letters, tell};
use crate::evidence::EvidenceError;

/// Effects under way at the same time.
const SIDE_BY_SIDE: usize = 16;
/// Effects taken at once.
const AT_ONCE: i64 = 64;
/// How long messages come together before the next are taken: many cost hardly more than one.
const GATHERS: Duration = Duration::from_millis(20);
/// The outbox is looked at least this often.
const IDLE: Duration = Duration::from_secs(1);
/// A payer is waiting: an intent that cannot be made after this many attempts has failed (`init_failure`).
const INTENT_ATTEMPTS: i64 = 3;

/// Why an effect is not done yet.
#[derive(Debug, thiserror::Error)]
pub(super) enum Undone {
    #[error(transparent)]
    Gateway(#[from] GatewayError),
    #[error(transparent)]
    Reactor(#[from] ReactorError),
    #[error("the evidence is not gathered: {0}")]
    Evidence(#[from] EvidenceError),
    #[error("the message could not be sent: {0}")]
    Message(String),
    #[error("somebody could not be erased: {0}")]
    Erasure(String),
}

impl Reactor {
    pub(super) async fn empty_outbox(self, lane: Lane, mut stop: watch::Receiver<bool>) {
        let (work, mut works) = (self.work_of(lane), self.works.subscribe());
        while ours(&mut works, &mut stop).await {
            match self.agenda.take_due(lane, AT_ONCE).await {
                Ok(due) if due.is_empty() => {
                    let wait = self.until_next(lane).await;
                    tokio::select! {
                        () = work.notified() => {}
                        () = tokio::time::sleep(wait) => {}
                        _ = stop.wait_for(|stopped| *stopped) => return,
                    }
                }
                Ok(due) => {
                    let due = self.confirm_enquiries(due).await;
                    let all = due.into_iter().map(|due| self.attempt(due));
                    futures::stream::iter(all)
                        .buffer_unordered(SIDE_BY_SIDE)
                        .collect::<()>()
                        .await;
                    if lane == Lane::Messages {
                        pause_unless_stopped(GATHERS, &mut stop).await;
                    }
                }
                Err(error) => {
                    tell(&error, "the outbox cannot be read; trying again");
                    pause_unless_stopped(IDLE, &mut stop).await;
                }
            }
        }
    }

    async fn until_next(&self, lane: Lane) -> Duration {
        let next = self.agenda.next_due_ms(lane).await.ok().flatten();
        let now = clock::now().timestamp_millis();
        next.map_or(IDLE, |due| {
            let wait = u64::try_from(due.saturating_sub(now)).unwrap_or_default();
            Duration::from_millis(wait.max(5)).min(IDLE)
        })
    }

    async fn attempt(&self, due: Due) {
        let span = span_of(&due.planned);
        self.attempt_within(due).instrument(span).await;
    }

    async fn attempt_within(&self, due: Due) {
        let id = due.planned.id.clone();
        // Whoever took over begins it anew.
        if let Err(error) = self.agenda.confirm().await {
            tracing::warn!(effect = %id, %error, "an effect is left to another node");
            return;
        }
        let outcome = match self.carry_out(&due).await {
            Ok(None) => self.agenda.done(std::slice::from_ref(&id)).await,
            Ok(Some(reason)) => self.drop_effect(&id, reason).await,
            Err(error) => {
                tracing::warn!(attempts = due.attempts + 1, %error, "an effect waits for another attempt");
                self.agenda.failed(&id, &error.to_string()).await
            }
        };
        if let Err(error) = outcome {
            // The effect stays in the outbox and is repeated under the same key.
            tracing::error!(%error, "the outbox cannot be written");
        }
    }

    /// Carries an effect out, unless what it tells is no longer so: then says why.
    async fn carry_out(&self, due: &Due) -> Result<Option<&'static str>, Undone> {
        let planned = &due.planned;
        let payment_id = match about(&planned.effect) {
            About::Payment(payment_id) => payment_id,
            About::Lead(lead_id) => return self.send_lead_message(planned, lead_id).await,
            About::Letter(lead_id, letter, about) => {
                return self.send_letter(planned, lead_id, letter, about).await;
            }
            about => return self.carry_out_of_others(planned, about).await.map(|()| None),
        };
        let payment = self
            .log
            .load::<Payment>(payment_id)
            .await
            .map_err(ReactorError::from)?
            .state;
        let reason = self.why_payment_untrue(&planned.effect, (payment_id, &payment));
        if let Some(reason) = reason.await? {
            return Ok(Some(reason));
        }
        if policy::still_wanted(&planned.effect, &payment) {
            self.carry_out_of_payment(due, (payment_id, &payment)).await?;
        }
        Ok(None)
    }

    async fn carry_out_of_others(&self, planned: &Planned, about: About) -> Result<(), Undone> {
        match about {
            About::Case(case_id, message_id) => self.send_case_message(planned, case_id, message_id).await,
            About::Mentions(lead_id, note_id, to) => {
                self.send_mentions(planned, lead_id, (note_id, &to)).await
            }
            About::CaseMentions(case_id, note_id, to) => {
                self.send_case_mentions(planned, case_id, (note_id, &to)).await
            }
            About::SecondFactor(user_id, notice) => {
                self.send_second_factor_notice(planned, user_id, notice).await
            }
            About::Person(user_id) => self.erase(planned, user_id).await,
            // Carried out by their own.
            About::Payment(_) | About::Lead(_) | About::Letter(..) => Ok(()),
        }
    }

    async fn carry_out_of_payment(
        &self,
        due: &Due,
        (payment_id, payment): (PaymentId, &Payment),
    ) -> Result<(), Undone> {
        let planned = &due.planned;
        match &planned.effect {
            Effect::EnsureIntent { .. } => self.ensure_intent(due, payment_id, payment).await,
            Effect::CancelIntent { .. } => self.cancel_intent(planned, payment).await,
            Effect::SendRefund { refund_id, .. } => {
                self.send_refund(planned, payment_id, payment, *refund_id).await
            }
            Effect::SendMessage { kind, .. } => {
                self.send_message(planned, (payment_id, payment), Topic::Kind(*kind))
                    .await
            }
            Effect::SendRefundMessage { refund_id, .. } => {
                self.send_message(planned, (payment_id, payment), Topic::Refund(*refund_id))
                    .await
            }
            Effect::SendRefundReturned { refund_id, .. } => {
                self.tell_of_return(planned, (payment_id, payment), *refund_id)
                    .await
            }
            Effect::SendDisputeAlert {
                dispute_id, outcome, ..
            } => {
                self.alert_finance(planned, (payment_id, payment), (dispute_id, *outcome))
                    .await
            }
            Effect::LayEvidence {
                dispute_id, submit, ..
            } => {
                self.lay_evidence(planned, (payment_id, payment), (dispute_id, *submit))
                    .await
            }
            // Done above.
            Effect::SendLeadMessage { .. }
            | Effect::SendLetter { .. }
            | Effect::SendCaseMessage { .. }
            | Effect::SendMentions { .. }
            | Effect::SendCaseMentions { .. }
            | Effect::SendSecondFactorNotice { .. }
            | Effect::Erase { .. } => Ok(()),
        }
    }

    async fn erase(&self, planned: &Planned, user_id: UserId) -> Result<(), Undone> {
        let Some(eraser) = &self.eraser else {
            return Err(Undone::Erasure("nobody erases here".to_owned()));
        };
        let context = Context::new(clock::now(), Actor::RULE).correlated(planned.correlation_id);
        let gone = eraser.erase(user_id, context).await.map_err(Undone::Erasure)?;
        let (messages, documents) = (gone.messages, gone.documents);
        tracing::info!(person = %user_id, messages, documents, "a person was forgotten");
        Ok(())
    }

    async fn ensure_intent(&self, due: &Due, payment_id: PaymentId, payment: &Payment) -> Result<(), Undone> {
        let planned = &due.planned;
        let intent = match self.find_or_make(planned, payment_id, payment).await {
            Ok(intent) => intent,
            Err(GatewayError::Unreachable) if due.attempts + 1 < INTENT_ATTEMPTS => {
                return Err(GatewayError::Unreachable.into());
            }
            Err(error) => {
                // An intent is asked for with ids and an amount alone, so that the gateway's words name nobody.
                tracing::warn!(payment.id = %payment_id, reason = %error, "a payment could not be begun: the gateway made no intent");
                let failed = PaymentCommand::FailIntent {
                    reason: error.to_string(),
                };
                self.tell(planned, payment_id, failed, "failed").await?;
                return Ok(());
            }
        };
        let ready = PaymentCommand::ReadyIntent {
            intent_id: intent.id.clone(),
            client_secret: intent.client_secret.clone(),
        };
        if !self.tell(planned, payment_id, ready, "ready").await? {
            // The room went while the intent was made: nobody knows its secret, and nobody shall pay it.
            let key = format!("{}:stray", planned.id);
            let cancelled = self.gateway.cancel_intent(&key, &intent.id).await;
            if matches!(cancelled, Err(GatewayError::Unreachable)) {
                return Err(GatewayError::Unreachable.into());
            }
        }
        Ok(())
    }

    /// One live intent per payment: a retry after a decline goes on with the one there is (E8).
    async fn find_or_make(
        &self,
        planned: &Planned,
        payment_id: PaymentId,
        payment: &Payment,
    ) -> Result<GatewayIntent, GatewayError> {
        if let Some(known) = &payment.intent {
            match self.gateway.intent(&known.id).await {
                Ok(intent) if intent.status != IntentStatus::Canceled => return Ok(intent),
                // Cancelled, or of another account than the settings name now.
                Ok(_) | Err(GatewayError::Refused(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let terms = payment.terms.as_ref();
        let terms = terms.ok_or_else(|| GatewayError::Refused("there is no such payment".to_owned()))?;
        let request = IntentRequest {
            payment_id,
            lead_id: terms.lead_id,
            subject: terms.seal(),
            amount: terms.quote.total(),
            reference: reference(payment_id),
        };
        tracing::info!(call = "create_intent", payment.id = %payment_id, "the gateway is asked");
        self.gateway.create_intent(&planned.id, &request).await
    }

    async fn cancel_intent(&self, planned: &Planned, payment: &Payment) -> Result<(), Undone> {
        let Some(intent) = &payment.intent else {
            return Ok(());
        };
        tracing::info!(call = "cancel_intent", intent.id = %intent.id, "the gateway is asked");
        match self.gateway.cancel_intent(&planned.id, &intent.id).await {
            // Too late to cancel: the success that follows finds no room and is refunded.
            Ok(_) | Err(GatewayError::Refused(_) | GatewayError::KeyReused) => Ok(()),
            Err(GatewayError::Unreachable) => Err(GatewayError::Unreachable.into()),
        }
    }

    async fn send_refund(
        &self,
        planned: &Planned,
        payment_id: PaymentId,
        payment: &Payment,
        refund_id: RefundId,
    ) -> Result<(), Undone> {
        let (Some(terms), Some(refund)) = (&payment.terms, payment.refunds.get(&refund_id)) else {
            return Ok(());
        };
        let mut refused = "nothing was charged".to_owned();
        for capture in newest_first(payment) {
            let request = RefundRequest {
                payment_id,
                subject: terms.seal(),
                refund_id,
                intent_id: capture.intent_id.clone(),
                amount_minor: refund.amount_minor,
                currency: Some(terms.quote.currency),
            };
            let key = format!("{}:{}", planned.id, capture.charge_id);
            tracing::info!(call = "refund", payment.id = %payment_id, "the gateway is asked");
            match self.gateway.refund(&key, &request).await {
                Ok(sent) => return self.note_refund(planned, payment_id, refund_id, &sent).await,
                Err(GatewayError::Unreachable) => return Err(GatewayError::Unreachable.into()),
                Err(error @ (GatewayError::Refused(_) | GatewayError::KeyReused)) => {
                    refused = error.to_string();
                }
            }
        }
        let failed = RefundCommand::Fail {
            refund_id,
            amount_minor: refund.amount_minor,
            reason: refused,
            at: clock::now(),
        };
        self.tell(planned, payment_id, PaymentCommand::Refund(failed), "failed")
            .await?;
        Ok(())
    }

    async fn note_refund(
        &self,
        planned: &Planned,
        payment_id: PaymentId,
        refund_id: RefundId,
        sent: &GatewayRefund,
    ) -> Result<(), Undone> {
        let gateway_refund_id = sent.id.clone();
        let command = RefundCommand::Send {
            refund_id,
            gateway_refund_id: gateway_refund_id.clone(),
        };
        self.tell(planned, payment_id, PaymentCommand::Refund(command), "sent")
            .await?;
        if let Some(settled) = settled(refund_id, sent) {
            self.tell(planned, payment_id, PaymentCommand::Refund(settled), "settled")
                .await?;
        }
        Ok(())
    }

    async fn send_message(
        &self,
        planned: &Planned,
        (payment_id, payment): (PaymentId, &Payment),
        topic: Topic,
    ) -> Result<(), Undone> {
        let Some(terms) = &payment.terms else {
            return Ok(());
        };
        let letter =
            payment_letters::about_payment(&self.log, &self.sites, payment_id, payment, topic).await?;
        let key = format!("{}:{}", planned.id, terms.lead_id);
        let text = letter.as_ref().and_then(|letter| self.messages.text_of(letter));
        let posted = self.post(&planned.id, &key, letter).await?;
        if let (Some(outcome), true) = (lead_letters::outcome_of(posted), text.is_some()) {
            let (kind, about) = topic.letter(payment_id);
            let posted = lead_letters::noted(kind, Some(about), Channel::Email, outcome);
            self.note_letter(planned, terms.lead_id, posted, text).await?;
        }
        let noted = match (posted, topic) {
            (Posted::Sent | Posted::LeftOut, Topic::Kind(kind)) => PaymentCommand::NoteMessage { kind },
            (Posted::Sent | Posted::LeftOut, Topic::Refund(refund_id) | Topic::Returned(refund_id)) => {
                PaymentCommand::NoteRefundTold { refund_id }
            }
            (Posted::Refused(code), topic) => {
                let (kind, refund_id) = topic.noted();
                PaymentCommand::NoteRefusal {
                    kind,
                    refund_id,
                    code,
                }
            }
        };
        let mut context = outcome(planned, "sent");
        context.actor = Actor::RULE;
        self.record(payment_id, noted, &context).await?;
        Ok(())
    }

    /// Sends a letter of an effect; to somebody who was forgotten there is none.
    pub(super) async fn post(
        &self,
        effect: &str,
        key: &str,
        letter: Option<Letter>,
    ) -> Result<Posted, Undone> {
        let Some(letter) = letter else {
            return Ok(Posted::Sent);
        };
        let sent = self.messages.send(effect, key, letter).await;
        sent.map_err(Undone::Message)
    }

    /// Records an outcome, once; `false` when a rule stands against it.
    pub(super) async fn tell(
        &self,
        planned: &Planned,
        payment_id: PaymentId,
        command: PaymentCommand,
        step: &str,
    ) -> Result<bool, ReactorError> {
        self.record(payment_id, command, &outcome(planned, step)).await
    }

    async fn record(
        &self,
        payment_id: PaymentId,
        command: PaymentCommand,
        context: &Context,
    ) -> Result<bool, ReactorError> {
        match commit::<Payment>(&self.log, payment_id, command, context).await {
            Ok(_) | Err(CommitError::CommandReused) => Ok(true),
            Err(CommitError::Rejected(rejection)) => {
                tracing::debug!(payment.id = %payment_id, %rejection, "an outcome came too late");
                Ok(false)
            }
            Err(CommitError::Log(error)) => Err(ReactorError::Log(error)),
            Err(CommitError::Busy | CommitError::Conflict { .. }) => Err(ReactorError::Busy),
        }
    }
}

/// What a refund's state at the gateway means here; `None` while it is on its way.
pub(super) fn settled(refund_id: RefundId, refund: &GatewayRefund) -> Option<RefundCommand> {
    let (amount_minor, at) = (refund.amount_minor, clock::now());
    match refund.status {
        GatewayRefundStatus::Pending => None,
        GatewayRefundStatus::Succeeded => {
            let gateway_refund_id = refund.id.clone();
            Some(RefundCommand::Acknowledge {
                refund_id,
                gateway_refund_id,
                amount_minor,
                at,
            })
        }
        GatewayRefundStatus::Failed => {
            let reason = "the gateway could not pay it out".to_owned();
            Some(RefundCommand::Fail {
                refund_id,
                amount_minor,
                reason,
                at,
            })
        }
    }
}

/// Where the gateway took twice, the charge that made the payment a success is the last to be touched.
fn newest_first(payment: &Payment) -> Vec<&Captured> {
    let first = payment.intent.as_ref().map(|intent| intent.id.as_str());
    let mut captures: Vec<&Captured> = payment.captures.values().collect();
    captures.sort_by_key(|capture| Some(capture.intent_id.as_str()) == first);
    captures
}

/// Whatever is logged while an effect is carried out says whose it is.
pub(super) fn span_of(planned: &Planned) -> tracing::Span {
    tracing::error_span!(
        "effect",
        effect.id = %planned.id,
        correlation.id = %planned.correlation_id,
        causation.id = %planned.event_id,
    )
}

/// In whose name, because of what, and under which command id an outcome is recorded.
pub(super) fn outcome(planned: &Planned, step: &str) -> Context {
    let mut context = Context::new(clock::now(), Actor::GATEWAY).correlated(planned.correlation_id);
    context.causation_id = Some(planned.event_id);
    context.command_id = Some(planned.event_id);
    context.step(&format!("{}:{step}", planned.id))
}
