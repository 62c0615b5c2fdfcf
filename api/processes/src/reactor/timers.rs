//! What happens because time passes: holds end, and a gateway that stays silent is asked (a lost notice loses no payment).

use std::time::Duration;

use chrono::TimeDelta;
use domain::gateway_event::GatewayFact;
use domain::id::PaymentId;
use domain::moment::Moment;
use domain::payment::decline::{DeclineCode, name_cancelled};
use domain::payment::refund::RefundStatus;
use domain::payment::{Payment, PaymentCommand, PaymentStatus};
use domain::room_stock::{RoomStock, RoomStockCommand};
use eventlog::{Actor, CommitError, Context, commit};
use gateway::{GatewayIntent, IntentStatus};
use platform::clock;
use platform::duty::ours;
use tokio::sync::watch;

use super::{Reactor, ReactorError, cannot_be_read, effects, follow_up, tell};

/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(400);
/// A confirmation the gateway never heard of has failed after this long; the payer may press again.
const UNHEARD: TimeDelta = TimeDelta::seconds(60);
/// How far ahead of this clock another right one may be. A hold that ends later still was taken by a wrong one, and would
/// keep its room for days (decision 0016).
const AHEAD: TimeDelta = TimeDelta::days(1);
/// A payment that is over is asked about this often more: a charge may have slipped through.
const LOOKS_AFTER_THE_END: i64 = 4;
/// How long before a hold ends its payment is asked about once more: Pay may have been pressed in the gateway's own form, and the
/// notice lost.
const BEFORE_HOLD_ENDS: TimeDelta = TimeDelta::seconds(5);

/// How long after a link's end a payer may finish what they began.
const LINK_GRACE: TimeDelta = TimeDelta::minutes(20);

impl Reactor {
    pub(super) async fn keep_time(self, mut stop: watch::Receiver<bool>) {
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut works = self.works.subscribe();
        while ours(&mut works, &mut stop).await {
            tokio::select! {
                _ = tick.tick() => {}
                _ = stop.wait_for(|stopped| *stopped) => return,
            }
            if let Err(error) = self.look_at_clock().await {
                tell(&error, "a timer could not do its work; trying again");
            }
        }
    }

    async fn look_at_clock(&self) -> Result<(), ReactorError> {
        self.agenda.confirm().await?;
        let now = clock::now();
        // Extended once by its payer and once by staff, a hold lasts three times as long.
        let latest = now + self.hold_for * 3 + AHEAD;
        for room_id in self.agenda.ended_holds(now, latest).await? {
            let context = Context::new(now, Actor::SYSTEM);
            let expire = RoomStockCommand::Expire { at: now, latest };
            match commit::<RoomStock>(&self.log, room_id, expire, &context).await {
                Ok(_) | Err(CommitError::Rejected(_) | CommitError::CommandReused) => {}
                // Everybody else's time goes on.
                Err(CommitError::Log(error)) if cannot_be_read(&error) => {
                    tracing::error!(%room_id, %error, "a hold cannot be ended");
                }
                Err(CommitError::Log(error)) => return Err(ReactorError::Log(error)),
                Err(CommitError::Busy | CommitError::Conflict { .. }) => return Err(ReactorError::Busy),
            }
        }
        for (payment_id, looks) in self.agenda.silent(now).await? {
            match self.ask_gateway(payment_id, looks).await {
                Err(ReactorError::Log(error)) if cannot_be_read(&error) => {
                    tracing::error!(%payment_id, %error, "a payment cannot be looked after");
                    self.agenda.look_again(payment_id, looks).await?;
                }
                asked => asked?,
            }
        }
        Ok(())
    }

    /// Asks what became of a payment's intent and refunds, and takes the answers in like notices.
    async fn ask_gateway(&self, payment_id: PaymentId, looks: i64) -> Result<(), ReactorError> {
        let loaded = self.log.load::<Payment>(payment_id).await?;
        let payment = loaded.state;
        let expected = expects_news(&payment, looks);
        if !expected && !is_unpaid(&payment) {
            return self.agenda.look_away(payment_id).await;
        }
        self.agenda.look_again(payment_id, looks).await?;
        let context = Context::new(clock::now(), Actor::GATEWAY).because(loaded.last_event);
        let open = self.ask_intent(payment_id, &payment, &context).await?;
        self.ask_refunds(payment_id, &payment, &context).await?;
        // A payment that is over is let go only on the gateway's word that its intent is.
        if !expected && !open {
            if let Some(due) = last_look(&payment, context.at) {
                return self.agenda.look_at(payment_id, due).await;
            }
            self.close_expired_link(payment_id, &payment, &context).await?;
            self.agenda.look_away(payment_id).await?;
        }
        Ok(())
    }

    /// What a payer began on a link and left is cancelled at the gateway once the link is past its end: it cannot be paid any more.
    async fn close_expired_link(
        &self,
        payment_id: PaymentId,
        payment: &Payment,
        context: &Context,
    ) -> Result<(), ReactorError> {
        if link_closes(payment).is_none_or(|due| due > context.at) {
            return Ok(());
        }
        let close = PaymentCommand::Withdraw { at: context.at };
        match commit::<Payment>(&self.log, payment_id, close, context).await {
            Err(CommitError::Log(error)) => Err(ReactorError::Log(error)),
            Err(CommitError::Busy | CommitError::Conflict { .. }) => Err(ReactorError::Busy),
            Ok(_) | Err(CommitError::Rejected(_) | CommitError::CommandReused) => Ok(()),
        }
    }

    /// Whether the gateway may still charge what is not paid; nobody knows when it does not answer.
    async fn ask_intent(
        &self,
        payment_id: PaymentId,
        payment: &Payment,
        context: &Context,
    ) -> Result<bool, ReactorError> {
        let Some(known) = payment.intent.as_ref().filter(|_| is_unpaid(payment)) else {
            return Ok(false);
        };
        let Ok(intent) = self.gateway.intent(&known.id).await else {
            return Ok(true);
        };
        self.note_press(payment_id, payment, &intent, context).await?;
        for fact in facts(payment, &intent) {
            follow_up::hear(&self.log, payment_id, payment, &fact, context).await?;
        }
        self.give_up_unheard(payment_id, payment, &intent, context)
            .await?;
        Ok(intent.status == IntentStatus::Processing)
    }

    /// Pay was pressed in the gateway's own form, which tells the gateway alone: the room is kept for as long as after a press here.
    async fn note_press(
        &self,
        payment_id: PaymentId,
        payment: &Payment,
        intent: &GatewayIntent,
        context: &Context,
    ) -> Result<(), ReactorError> {
        let is_under_way = matches!(
            intent.status,
            IntentStatus::Processing | IntentStatus::RequiresAction
        );
        let may_press = matches!(payment.status, PaymentStatus::Initiated | PaymentStatus::Failed);
        if !may_press || !is_under_way {
            return Ok(());
        }
        let press = PaymentCommand::NotePress { at: context.at };
        match commit::<Payment>(&self.log, payment_id, press, context).await {
            Err(CommitError::Log(error)) => Err(ReactorError::Log(error)),
            Err(CommitError::Busy | CommitError::Conflict { .. }) => Err(ReactorError::Busy),
            Ok(_) | Err(CommitError::Rejected(_) | CommitError::CommandReused) => Ok(()),
        }
    }

    async fn ask_refunds(
        &self,
        payment_id: PaymentId,
        payment: &Payment,
        context: &Context,
    ) -> Result<(), ReactorError> {
        let sent = payment
            .refunds
            .iter()
            .filter(|(_, refund)| refund.status == RefundStatus::Sent);
        for (refund_id, refund) in sent {
            let Some(name) = &refund.gateway_refund_id else {
                continue;
            };
            let Ok(found) = self.gateway.find_refund(name).await else {
                continue;
            };
            if let Some(command) = effects::settled(*refund_id, &found) {
                let command = PaymentCommand::Refund(command);
                match commit::<Payment>(&self.log, payment_id, command, context).await {
                    Err(CommitError::Log(error)) => return Err(ReactorError::Log(error)),
                    Err(CommitError::Busy | CommitError::Conflict { .. }) => return Err(ReactorError::Busy),
                    Ok(_) | Err(CommitError::Rejected(_) | CommitError::CommandReused) => {}
                }
            }
        }
        Ok(())
    }

    /// The server was killed between recording a confirmation and asking the gateway: nothing was charged.
    async fn give_up_unheard(
        &self,
        payment_id: PaymentId,
        payment: &Payment,
        intent: &GatewayIntent,
        context: &Context,
    ) -> Result<(), ReactorError> {
        let unheard = payment.status == PaymentStatus::Processing
            && intent.status == IntentStatus::RequiresPaymentMethod
            && payment.confirmed_at.is_some_and(|at| context.at - at >= UNHEARD);
        if !unheard {
            return Ok(());
        }
        let attempt_id = format!(
            "unheard:{}",
            payment.confirmed_at.unwrap_or(context.at).timestamp_micros()
        );
        let fact = GatewayFact::Declined {
            attempt_id,
            code: DeclineCode::Other,
        };
        follow_up::hear(&self.log, payment_id, payment, &fact, context).await
    }
}

/// Whether there is something to charge that is not charged as far as we know.
fn is_unpaid(payment: &Payment) -> bool {
    payment.captures.is_empty() && payment.intent.is_some()
}

/// When a payment whose card is asked for is asked about for the last time before its room is given up; `None` where that time is over.
fn last_look(payment: &Payment, now: Moment) -> Option<Moment> {
    if let Some(due) = link_closes(payment) {
        return (due > now).then_some(due);
    }
    let ends = payment.hold?.expires_at?;
    let due = ends - BEFORE_HOLD_ENDS;
    (payment.status == PaymentStatus::Initiated && is_unpaid(payment) && due > now).then_some(due)
}

/// When a link that was begun and not paid is closed; `None` for every other payment.
fn link_closes(payment: &Payment) -> Option<Moment> {
    let terms = payment.terms.as_ref().filter(|terms| terms.link.is_some())?;
    let is_left = matches!(payment.status, PaymentStatus::Initiated | PaymentStatus::Failed)
        && payment.cancelled_at.is_none()
        && is_unpaid(payment);
    is_left.then(|| terms.expires_at + LINK_GRACE)
}

/// Whether the gateway may still have something to say.
fn expects_news(payment: &Payment, looks: i64) -> bool {
    let refund_under_way = payment
        .refunds
        .values()
        .any(|refund| refund.status == RefundStatus::Sent);
    refund_under_way
        || match payment.status {
            PaymentStatus::Processing | PaymentStatus::Pending => true,
            PaymentStatus::SoldOut | PaymentStatus::Failed | PaymentStatus::Initiated => {
                is_unpaid(payment) && looks < LOOKS_AFTER_THE_END
            }
            PaymentStatus::Init
            | PaymentStatus::InitLoading
            | PaymentStatus::InitFailure
            | PaymentStatus::Success => false,
        }
}

/// What an intent's state says that a payment does not know yet.
pub fn facts(payment: &Payment, intent: &GatewayIntent) -> Vec<GatewayFact> {
    let declined = intent
        .declined
        .as_ref()
        .filter(|(attempt, _)| !payment.declined_attempts.contains(attempt));
    match intent.status {
        IntentStatus::Succeeded => intent
            .captured
            .clone()
            .map(GatewayFact::Succeeded)
            .into_iter()
            .collect(),
        IntentStatus::Processing => vec![GatewayFact::Delayed],
        IntentStatus::RequiresAction => {
            let ask = |url: &String| GatewayFact::ActionRequired {
                intent_id: intent.id.clone(),
                url: url.clone(),
            };
            intent.action_url.as_ref().map(ask).into_iter().collect()
        }
        IntentStatus::RequiresPaymentMethod => {
            let told = declined.map(|(attempt_id, code)| GatewayFact::Declined {
                attempt_id: attempt_id.clone(),
                code: DeclineCode::from_gateway(code),
            });
            told.into_iter().collect()
        }
        // In the provider's dashboard, or at its own end: nothing was charged, and another try gets another intent.
        IntentStatus::Canceled if loses_its_intent(payment, intent) => vec![GatewayFact::Declined {
            attempt_id: name_cancelled(&intent.id),
            code: DeclineCode::Other,
        }],
        IntentStatus::Canceled => vec![],
    }
}

/// Whether a card is asked for with an intent, or charged on it: its end is then the end of the try. Before and after that this server
/// makes or cancels intents itself.
fn loses_its_intent(payment: &Payment, intent: &GatewayIntent) -> bool {
    let is_own = payment.intent.as_ref().is_some_and(|known| known.id == intent.id);
    is_own
        && match payment.status {
            PaymentStatus::Processing | PaymentStatus::Pending => true,
            PaymentStatus::Initiated | PaymentStatus::Failed => payment.cancelled_at.is_none(),
            PaymentStatus::Init
            | PaymentStatus::InitLoading
            | PaymentStatus::InitFailure
            | PaymentStatus::SoldOut
            | PaymentStatus::Success => false,
        }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use domain::id::HoldId;
    use domain::payment::{HeldRoom, Intent};
    use uuid::Uuid;

    use super::*;

    /// Pay may have been pressed at Stripe while its notices were lost: before the room goes, the payment is asked about.
    #[test]
    fn last_look_comes_before_the_hold_ends() {
        let second = |at| DateTime::<Utc>::from_timestamp(at, 0).unwrap();
        let hold_id = HoldId(Uuid::from_u128(1));
        let held = |status, expires_at| Payment {
            status,
            intent: Some(Intent {
                id: "pi_1".to_owned(),
                client_secret: None,
            }),
            hold: Some(HeldRoom { hold_id, expires_at }),
            ..Payment::default()
        };
        let asked = held(PaymentStatus::Initiated, Some(second(600)));
        assert_eq!(last_look(&asked, second(30)), Some(second(595)));
        assert_eq!(last_look(&asked, second(595)), None);
        assert_eq!(last_look(&held(PaymentStatus::Initiated, None), second(30)), None);
        let failed = held(PaymentStatus::Failed, Some(second(600)));
        assert_eq!(last_look(&failed, second(30)), None);
    }

    /// A card that is asked for with a cancelled intent can never be charged; one that is being charged would wait for ever.
    #[test]
    fn cancelled_intent_ends_the_try_that_needs_it() {
        let cancelled = |id: &str| GatewayIntent {
            id: id.to_owned(),
            client_secret: String::new(),
            status: IntentStatus::Canceled,
            captured: None,
            declined: None,
            action_url: None,
        };
        for status in PaymentStatus::ALL {
            let payment = Payment {
                status,
                intent: Some(Intent {
                    id: "pi_1".to_owned(),
                    client_secret: None,
                }),
                ..Payment::default()
            };
            let is_needed = matches!(
                status,
                PaymentStatus::Initiated
                    | PaymentStatus::Processing
                    | PaymentStatus::Pending
                    | PaymentStatus::Failed
            );
            let declined = GatewayFact::Declined {
                attempt_id: "canceled:pi_1".to_owned(),
                code: DeclineCode::Other,
            };
            let expected = if is_needed { vec![declined] } else { vec![] };
            assert_eq!(facts(&payment, &cancelled("pi_1")), expected, "{status:?}");
            assert_eq!(facts(&payment, &cancelled("pi_0")), vec![], "{status:?}");
            // Taken back by its payer: the card is asked for no more, and the intent's end is ours.
            let taken_back = Payment {
                cancelled_at: Some(Moment::UNIX_EPOCH),
                ..payment
            };
            let is_charging = matches!(status, PaymentStatus::Processing | PaymentStatus::Pending);
            let told = facts(&taken_back, &cancelled("pi_1"));
            assert_eq!(!told.is_empty(), is_charging, "{status:?}");
        }
    }
}
