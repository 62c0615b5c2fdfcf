//! What follows on a branch of the log (row N3): the reactor's own rules and commands, with a list of effects in place of the outbox.

use chrono::TimeDelta;
use domain::aggregate::Decide;
use domain::booking_form::BookingForm;
use domain::case::Case;
use domain::gateway_event::GatewayFact;
use domain::id::{InventoryId, PaymentId, RefundId};
use domain::inventory::Inventory;
use domain::lead::Lead;
use domain::payment::{Payment, PaymentCommand, RefundCommand};
use domain::policy::{self, Effect, FollowUp};
use domain::room_stock::RoomStock;
use domain::user::User;
use eventlog::{Actor, Context, EventLog, LogError, Position, RecordedEvent, commit};
use platform::clock;

use super::causes::{actor, cause};
use super::reactions::{after_case, after_catalogue, after_form, after_lead, after_user};
use super::{BATCH, ReactorError, follow_up};

/// What the provider would call a refund that was never sent to it.
const REFUND_OF_BRANCH: &str = "re_branch";
/// Stands for the provider's reason of a refusal on a branch.
const REFUSED: &str = "refused on a branch";

/// What the provider is taken to answer to a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderAnswer {
    PaidOut,
    Refused,
}

/// Carries out on `branch` what follows from its events after `base`, until nothing more does, and gives back the effects that the
/// outbox would get, in order. A refund is taken as answered by the provider with `answer`; nothing is sent.
///
/// # Errors
/// When the branch cannot be read.
pub async fn follow(
    branch: &EventLog,
    base: Position,
    hold_for: TimeDelta,
    answer: ProviderAnswer,
) -> Result<Vec<Effect>, ReactorError> {
    let (mut reached, mut effects) = (base, Vec::new());
    loop {
        let events = branch.read_all(reached, BATCH).await?;
        let Some(last) = events.last() else {
            return Ok(effects);
        };
        reached = last.position;
        for event in &events {
            for (number, next) in after(branch, event, hold_for).await?.into_iter().enumerate() {
                let context = Context::following(event, clock::now(), actor(event), &number.to_string());
                let Some(effect) = follow_up::carry_out(branch, next, &context).await? else {
                    continue;
                };
                if let Effect::SendRefund {
                    payment_id,
                    refund_id,
                } = &effect
                {
                    let refund = (*payment_id, *refund_id);
                    match answer {
                        ProviderAnswer::PaidOut => confirm(branch, refund, &context).await?,
                        ProviderAnswer::Refused => refuse(branch, refund, &context).await?,
                    }
                }
                effects.push(effect);
            }
        }
    }
}

async fn after(
    branch: &EventLog,
    event: &RecordedEvent,
    hold_for: TimeDelta,
) -> Result<Vec<FollowUp>, ReactorError> {
    let (_, follow_ups) = match event.stream.kind {
        Payment::KIND => return after_payment(branch, event, hold_for).await,
        RoomStock::KIND => {
            let Ok(happened) = event.decode::<RoomStock>() else {
                return Ok(vec![]);
            };
            let room_id = InventoryId(event.stream.id);
            return Ok(policy::after_stock(room_id, &happened, cause(event, hold_for)));
        }
        Lead::KIND => after_lead(event),
        BookingForm::KIND => after_form(branch, event).await?,
        User::KIND => after_user(event),
        Inventory::KIND => after_catalogue(branch, event, hold_for).await?,
        Case::KIND => after_case(event),
        _ => (None, vec![]),
    };
    Ok(follow_ups)
}

async fn after_payment(
    branch: &EventLog,
    event: &RecordedEvent,
    hold_for: TimeDelta,
) -> Result<Vec<FollowUp>, ReactorError> {
    let payment_id = PaymentId(event.stream.id);
    let Ok(happened) = event.decode_sealed::<Payment>() else {
        return Ok(vec![]);
    };
    let payment = branch.load::<Payment>(payment_id).await?.state;
    let after = policy::after_payment(payment_id, &payment, &happened, cause(event, hold_for));
    let useful = after
        .into_iter()
        .filter(|next| follow_up::still_useful(next, &payment));
    Ok(useful.collect())
}

/// The provider takes the refund and pays it out.
async fn confirm(
    branch: &EventLog,
    (payment_id, refund_id): (PaymentId, RefundId),
    context: &Context,
) -> Result<(), ReactorError> {
    let mut context = context.step("provider");
    context.actor = Actor::GATEWAY;
    let command = PaymentCommand::Refund(RefundCommand::Send {
        refund_id,
        gateway_refund_id: REFUND_OF_BRANCH.to_owned(),
    });
    let sent = commit::<Payment>(branch, payment_id, command, &context.step("sent")).await;
    let payment = sent
        .map_err(|error| ReactorError::Log(LogError::Refused(error.to_string())))?
        .state;
    let Some(refund) = payment.refunds.get(&refund_id) else {
        return Ok(());
    };
    let fact = GatewayFact::RefundAcknowledged {
        refund_id,
        gateway_refund_id: REFUND_OF_BRANCH.to_owned(),
        amount_minor: refund.amount_minor,
    };
    follow_up::hear(branch, payment_id, &payment, &fact, &context).await
}

/// The provider refuses the refund, as where its account holds too little: the money stays with the payment.
async fn refuse(
    branch: &EventLog,
    (payment_id, refund_id): (PaymentId, RefundId),
    context: &Context,
) -> Result<(), ReactorError> {
    let payment = branch.load::<Payment>(payment_id).await?.state;
    let Some(refund) = payment.refunds.get(&refund_id) else {
        return Ok(());
    };
    let fact = GatewayFact::RefundFailed {
        refund_id,
        amount_minor: refund.amount_minor,
        reason: REFUSED.to_owned(),
    };
    let mut context = context.step("provider");
    context.actor = Actor::GATEWAY;
    follow_up::hear(branch, payment_id, &payment, &fact, &context).await
}
