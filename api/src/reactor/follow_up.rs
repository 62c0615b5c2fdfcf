//! Carries out one follow-up. A rule that stands against it is no trouble: the world has moved on since the event.

use std::fmt::Display;

use chrono::TimeDelta;
use domain::aggregate::Decide;
use domain::gateway_event::GatewayFact;
use domain::id::{HoldId, InventoryId, PaymentId, RefundId, StreamKey};
use domain::lead::Lead;
use domain::payment::{Payment, PaymentStatus};
use domain::policy::{self, Cause, Effect, FollowUp, Sale};
use domain::referral::Referral;
use domain::room_stock::{RoomStock, RoomStockCommand};
use domain::user_history::UserHistory;
use eventlog::{CommitError, Context, EventLog, commit};

use super::ReactorError;
use crate::clock;

/// Whether a follow-up still makes sense for the payment as it stands: no room is held for an attempt that is over.
pub(super) fn still_useful(follow_up: &FollowUp, payment: &Payment) -> bool {
    match follow_up {
        FollowUp::Room {
            command: RoomStockCommand::Hold { .. },
            ..
        } => payment.status == PaymentStatus::InitLoading,
        FollowUp::Effect(effect) => policy::still_wanted(effect, payment),
        FollowUp::Room { .. }
        | FollowUp::Payment(..)
        | FollowUp::Lead(..)
        | FollowUp::History(..)
        | FollowUp::Referral(..) => true,
    }
}

/// Does it; gives back the effects that belong into the outbox.
pub(super) async fn carry_out(
    log: &EventLog,
    follow_up: FollowUp,
    context: &Context,
) -> Result<Option<Effect>, ReactorError> {
    match follow_up {
        FollowUp::Effect(effect) => return Ok(Some(effect)),
        FollowUp::Payment(payment_id, command) => {
            give::<Payment>(log, payment_id, command, context).await?;
        }
        FollowUp::Lead(lead_id, command) => give::<Lead>(log, lead_id, command, context).await?,
        FollowUp::History(user_id, command) => give::<UserHistory>(log, user_id, command, context).await?,
        FollowUp::Referral(referral_id, command) => {
            give::<Referral>(log, referral_id, command, context).await?;
        }
        FollowUp::Room {
            room_id,
            payment_id,
            command,
            sale,
        } => {
            ask_room(log, (room_id, payment_id), command, sale, context).await?;
        }
    }
    Ok(None)
}

async fn ask_room(
    log: &EventLog,
    (room_id, payment_id): (InventoryId, PaymentId),
    command: RoomStockCommand,
    sale: Option<Sale>,
    context: &Context,
) -> Result<(), ReactorError> {
    let answer = match commit::<RoomStock>(log, room_id, command.clone(), &context.step("room")).await {
        Ok(committed) => policy::after_room(payment_id, &command, sale, Ok(&committed.state)),
        Err(CommitError::Rejected(rejection)) => {
            policy::after_room(payment_id, &command, sale, Err(&rejection))
        }
        Err(error) => return Err(trouble(error)),
    };
    match answer {
        Some(next) => give::<Payment>(log, payment_id, next, &context.step("payment")).await,
        None => Ok(()),
    }
}

async fn give<A: Decide>(
    log: &EventLog,
    key: impl StreamKey,
    command: A::Command,
    context: &Context,
) -> Result<(), ReactorError>
where
    A::Rejection: Display,
{
    match commit::<A>(log, key, command, context).await {
        // With a command reused the same cause asked before; what it asked then stands.
        Ok(_) | Err(CommitError::CommandReused) => Ok(()),
        Err(CommitError::Rejected(rejection)) => {
            tracing::debug!(stream = A::KIND, id = %key.uuid(), %rejection, "a follow-up came too late");
            Ok(())
        }
        Err(error) => Err(trouble(error)),
    }
}

fn trouble<R>(error: CommitError<R>) -> ReactorError {
    match error {
        CommitError::Log(error) => ReactorError::Log(error),
        CommitError::Rejected(_)
        | CommitError::Conflict { .. }
        | CommitError::CommandReused
        | CommitError::Busy => ReactorError::Busy,
    }
}

/// Takes in what the gateway said in answer to a call of ours: the same commands its notice leads to, whichever comes
/// first (P1).
///
/// # Errors
/// When the log cannot be used.
pub async fn hear(
    log: &EventLog,
    payment_id: PaymentId,
    payment: &Payment,
    fact: &GatewayFact,
    context: &Context,
) -> Result<(), ReactorError> {
    let Some(terms) = &payment.terms else {
        return Ok(());
    };
    let cause = Cause {
        at: context.at,
        // No fact of the gateway takes a hold.
        hold_for: TimeDelta::zero(),
        hold_id: HoldId(clock::new_id()),
        refund_id: RefundId(clock::new_id()),
    };
    for follow_up in policy::after_gateway(payment_id, terms, fact, cause) {
        carry_out(log, follow_up, context).await?;
    }
    Ok(())
}
