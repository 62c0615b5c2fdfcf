//! What follows from what happened: event → commands to other aggregates, and effects on the outside world. Pure; the reactor
//! carries it out, once per event.

use chrono::TimeDelta;

use crate::gateway_event::GatewayFact;
use crate::id::{HoldId, InventoryId, LeadId, PaymentId, ReferralId, RefundId, UserId};
use crate::lead::{LeadCommand, LeadStep};
use crate::moment::Moment;
use crate::payment::dispute::DisputeOutcome;
use crate::payment::event::Captured;
use crate::payment::terms::Terms;
use crate::payment::{
    MessageKind, Payment, PaymentCommand, PaymentEvent, PaymentStatus, RefundCommand, RoomOutcome,
    SoldOutReason,
};
use crate::referral::ReferralCommand;
use crate::room_stock::{RoomStock, RoomStockCommand, RoomStockRejection};
use crate::second_factor::SecondFactorEvent;
use crate::user::UserEvent;
use crate::user_history::{HistoryFact, UserHistoryCommand};

mod dispute;
mod effect;
mod letters;
mod link;
mod progress;
mod stock;
mod truth;

pub use effect::{Effect, SecondFactorNotice, still_wanted};
pub use letters::{after_case, after_form, after_lead};
use progress::{asks_answered, history, told_booked, told_started};
pub use progress::{booked, note_begun};
use stock::hold;
pub use stock::{OFFER_HOLDS, after_stock, offer_rooms};
pub use truth::{Facts, why_untrue};

/// One thing to do because of an event.
#[derive(Debug, Clone)]
pub enum FollowUp {
    Payment(PaymentId, PaymentCommand),
    Lead(LeadId, LeadCommand),
    History(UserId, UserHistoryCommand),
    Referral(ReferralId, ReferralCommand),
    /// A command to a room's stock; [`after_room`] says what its answer means for the payment.
    Room {
        room_id: InventoryId,
        /// The property whose word a hold's capacity is: asked anew, and it must not change meanwhile.
        offered_by: Option<InventoryId>,
        payment_id: PaymentId,
        command: RoomStockCommand,
        sale: Option<Sale>,
    },
    Effect(Effect),
    /// The money of a payment that needs no room of its own has arrived.
    Success(PaymentId, PaymentCommand),
    /// The open payment links of a lead are taken back, unless the lead has a booking.
    WithdrawLinks {
        lead_id: LeadId,
        at: Moment,
    },
    /// A card form that is open for another stay or room than the lead wishes now is closed, before somebody pays for what is not
    /// wanted any more.
    EndOutdatedPayment {
        lead_id: LeadId,
        at: Moment,
    },
    /// The person of a booked lead gives up the places in waitlists for rooms of the same time.
    LeavePlaces {
        lead_id: LeadId,
    },
    /// A room may have come free: it is offered to the first place of its waitlist (decision 0022).
    OfferRooms {
        room_id: InventoryId,
        at: Moment,
        /// How long an offer is good.
        offer_for: TimeDelta,
    },
}

/// A success that waits for its room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sale {
    pub capture: Captured,
    pub refund_id: RefundId,
    pub at: Moment,
}

/// When, and by which names, what follows is done: both come from the causing event, so that a repetition is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cause {
    pub at: Moment,
    pub hold_id: HoldId,
    /// How long a room waits, and how much is added once.
    pub hold_for: TimeDelta,
    pub refund_id: RefundId,
}

/// What follows from an event of an account. Whoever forgets somebody by command, without a reason, erases as well.
pub fn after_user(event: &UserEvent) -> Option<FollowUp> {
    match event {
        UserEvent::Forgotten {
            user_id,
            reason: Some(_),
            ..
        } => Some(FollowUp::Effect(Effect::Erase { user_id: *user_id })),
        UserEvent::Forgotten { reason: None, .. }
        | UserEvent::Registered { .. }
        | UserEvent::Verified { .. }
        | UserEvent::SessionOpened { .. }
        | UserEvent::SessionClosed { .. }
        | UserEvent::RoleGranted { .. }
        | UserEvent::RoleRevoked { .. }
        | UserEvent::PersonalDataRevealed { .. }
        | UserEvent::MessagesChosen { .. } => None,
    }
}

/// Decides what the owner of a second login step is told by mail: every change of it, by whomever it was done.
pub const fn after_second_factor(user_id: UserId, event: &SecondFactorEvent) -> Option<FollowUp> {
    use SecondFactorEvent as E;
    let notice = match event {
        E::Enrolled { .. } => SecondFactorNotice::Enrolled,
        E::Recovered { .. } => SecondFactorNotice::RecoveryUsed,
        E::RecoveryRenewed { .. } => SecondFactorNotice::RecoveryRenewed,
        E::Removed { .. } => SecondFactorNotice::Removed,
        E::Reset { .. } => SecondFactorNotice::Reset,
        E::Offered { .. } | E::Passed { .. } => return None,
    };
    Some(FollowUp::Effect(Effect::SendSecondFactorNotice {
        user_id,
        notice,
    }))
}

/// What follows from an event of a payment, which by now stands as `payment`.
pub fn after_payment(
    payment_id: PaymentId,
    payment: &Payment,
    event: &PaymentEvent,
    cause: Cause,
) -> Vec<FollowUp> {
    let mut all = deeds_after(payment_id, payment, event, cause);
    all.extend(letters::after_payment(payment_id, payment, event, cause.at));
    all.extend(asks_answered(payment_id, payment, event, cause.at));
    all
}

fn deeds_after(
    payment_id: PaymentId,
    payment: &Payment,
    event: &PaymentEvent,
    cause: Cause,
) -> Vec<FollowUp> {
    let Some(terms) = &payment.terms else {
        return vec![];
    };
    if terms.link.is_some() {
        return link::after_link(payment_id, terms, event, cause.at);
    }
    let room = |command| FollowUp::Room {
        room_id: terms.room_id,
        offered_by: None,
        payment_id,
        command,
        sale: None,
    };
    let message = |kind| FollowUp::Effect(Effect::SendMessage { payment_id, kind });
    let cancel_intent = FollowUp::Effect(Effect::CancelIntent { payment_id });
    let take_back = || room(RoomStockCommand::TakeBack { payment_id });
    let back = payment.gives_room_back().then(take_back);
    match event {
        PaymentEvent::PaymentBegun {
            capacity, proved_by, ..
        }
        | PaymentEvent::PaymentRetried {
            capacity, proved_by, ..
        } => begun(payment_id, terms, (*capacity, *proved_by), cause),
        PaymentEvent::PaymentConfirmed { .. } => vec![room(extended(payment_id, terms, cause))],
        PaymentEvent::PaymentDelayed {} => vec![room(RoomStockCommand::Keep { payment_id })],
        PaymentEvent::PaymentDeclined { .. } => vec![room(declined(payment_id, cause))],
        PaymentEvent::PaymentSoldOut { .. } | PaymentEvent::PaymentCancelled { .. } => {
            vec![room(RoomStockCommand::Release { payment_id }), cancel_intent]
        }
        PaymentEvent::PaymentSucceeded { .. } => told_booked(payment_id, terms, cause.at)
            .into_iter()
            .chain([message(MessageKind::Receipt)])
            .chain(back)
            .collect(),
        PaymentEvent::PaymentCapturedWithoutRoom { .. } => {
            let release = room(RoomStockCommand::Release { payment_id });
            vec![release, take_back(), message(MessageKind::RoomGone)]
        }
        PaymentEvent::RefundRequested { refund_id, .. } => vec![sent_back(payment_id, *refund_id)],
        PaymentEvent::PaymentBookingCancelled { .. } => back.into_iter().collect(),
        PaymentEvent::RefundAcknowledged { refund_id, .. }
        | PaymentEvent::RefundPaidElsewhere { refund_id, .. } => [refund_told(payment_id, *refund_id)]
            .into_iter()
            .chain(back)
            .collect(),
        PaymentEvent::RefundFailed { refund_id, .. } => vec![refund_returned(payment_id, *refund_id)],
        // Never a booking: its money went back before the student was told of a booking.
        PaymentEvent::PaymentRoomGivenBack { .. } if payment.status != PaymentStatus::Success => vec![],
        PaymentEvent::PaymentRoomGivenBack { vacated, .. } => {
            room_given_back(payment_id, terms, *vacated, cause.at)
        }
        PaymentEvent::DisputeOpened { .. } | PaymentEvent::DisputeEvidenceNoted { .. } => {
            dispute::answered(payment_id, event)
        }
        PaymentEvent::DisputeClosed { .. } => lost(payment_id, event).into_iter().chain(back).collect(),
        PaymentEvent::PaymentOpened { .. }
        | PaymentEvent::PaymentLinkMade { .. }
        | PaymentEvent::PaymentHoldNoted { .. }
        | PaymentEvent::IntentReady { .. }
        | PaymentEvent::IntentFailed { .. }
        | PaymentEvent::PaymentActionRequired { .. }
        | PaymentEvent::PaymentCapturedAgain { .. }
        | PaymentEvent::RefundSent { .. }
        | PaymentEvent::PaymentMessageSent { .. }
        | PaymentEvent::RefundMessageSent { .. }
        | PaymentEvent::PaymentMessageRefused { .. } => vec![],
    }
}

/// Finance is told of a dispute that was lost.
fn lost(payment_id: PaymentId, event: &PaymentEvent) -> Option<FollowUp> {
    match event {
        PaymentEvent::DisputeClosed {
            dispute_id,
            outcome: DisputeOutcome::Lost,
            ..
        } => Some(alert(payment_id, dispute_id, Some(DisputeOutcome::Lost))),
        _ => None,
    }
}

const fn refund_told(payment_id: PaymentId, refund_id: RefundId) -> FollowUp {
    FollowUp::Effect(Effect::SendRefundMessage {
        payment_id,
        refund_id,
    })
}

/// What was announced does not arrive: the payer and finance are told.
const fn refund_returned(payment_id: PaymentId, refund_id: RefundId) -> FollowUp {
    FollowUp::Effect(Effect::SendRefundReturned {
        payment_id,
        refund_id,
    })
}

fn alert(payment_id: PaymentId, dispute_id: &str, outcome: Option<DisputeOutcome>) -> FollowUp {
    FollowUp::Effect(Effect::SendDisputeAlert {
        payment_id,
        dispute_id: dispute_id.to_owned(),
        outcome,
    })
}

fn sent_back(payment_id: PaymentId, refund_id: RefundId) -> FollowUp {
    FollowUp::Effect(Effect::SendRefund {
        payment_id,
        refund_id,
    })
}

fn extended(payment_id: PaymentId, terms: &Terms, cause: Cause) -> RoomStockCommand {
    RoomStockCommand::Extend {
        payment_id,
        continues: terms.continues,
        by: cause.hold_for,
    }
}

/// A room is held before money moves (D97).
fn begun(payment_id: PaymentId, terms: &Terms, asked: (u32, Option<UserId>), cause: Cause) -> Vec<FollowUp> {
    let intent = FollowUp::Effect(Effect::EnsureIntent { payment_id });
    [hold(payment_id, terms, asked, cause), intent]
        .into_iter()
        .chain(told_started(payment_id, terms, cause.at))
        .collect()
}

const fn declined(payment_id: PaymentId, cause: Cause) -> RoomStockCommand {
    RoomStockCommand::Decline {
        payment_id,
        hold_for: cause.hold_for,
        at: cause.at,
    }
}

/// All money went back. Where an earlier payment of the booking still has the room, the booking is that payment's again.
fn room_given_back(payment_id: PaymentId, terms: &Terms, vacated: bool, at: Moment) -> Vec<FollowUp> {
    let lead = |step| FollowUp::Lead(terms.lead_id, LeadCommand::Progress { step, at });
    if vacated {
        return vec![
            lead(LeadStep::BookingEnded { payment_id }),
            history(terms, HistoryFact::PaymentRefunded { payment_id }, at),
            // Who referred them is owed nothing for a booking that ended.
            FollowUp::Referral(
                ReferralId(terms.lead_id.0),
                ReferralCommand::ReverseReward { payment_id, at },
            ),
            FollowUp::Effect(Effect::SendMessage {
                payment_id,
                kind: MessageKind::BookingCancelled,
            }),
        ];
    }
    let earlier = terms.continues.map(|payment_id| {
        lead(LeadStep::Booked {
            payment_id,
            inventory_id: terms.room_id,
            stay: terms.stay(),
        })
    });
    earlier.into_iter().collect()
}

/// What follows from what the gateway told about a payment.
pub fn after_gateway(
    payment_id: PaymentId,
    terms: &Terms,
    fact: &GatewayFact,
    cause: Cause,
) -> Vec<FollowUp> {
    let at = cause.at;
    let command = match fact {
        GatewayFact::Succeeded(capture) if terms.link.is_some() => {
            return vec![link::success(payment_id, capture.clone(), cause)];
        }
        // The room first: a payment is a success only when its room is sold to it.
        GatewayFact::Succeeded(capture) => {
            return vec![FollowUp::Room {
                room_id: terms.room_id,
                offered_by: None,
                payment_id,
                command: RoomStockCommand::Sell {
                    payment_id,
                    continues: terms.continues,
                },
                sale: Some(Sale {
                    capture: capture.clone(),
                    refund_id: cause.refund_id,
                    at,
                }),
            }];
        }
        GatewayFact::Noted => return vec![],
        GatewayFact::Declined { attempt_id, code } => PaymentCommand::Decline {
            attempt_id: attempt_id.clone(),
            code: *code,
            at,
        },
        GatewayFact::Delayed => PaymentCommand::Delay,
        GatewayFact::ActionRequired { intent_id, url } => PaymentCommand::RequireAction {
            intent_id: intent_id.clone(),
            url: url.clone(),
        },
        GatewayFact::RefundAcknowledged {
            refund_id,
            gateway_refund_id,
            amount_minor,
        } => PaymentCommand::Refund(RefundCommand::Acknowledge {
            refund_id: *refund_id,
            gateway_refund_id: gateway_refund_id.clone(),
            amount_minor: *amount_minor,
            at,
        }),
        GatewayFact::RefundFailed {
            refund_id,
            amount_minor,
            reason,
        } => {
            let (refund_id, amount_minor, reason) = (*refund_id, *amount_minor, reason.clone());
            PaymentCommand::Refund(RefundCommand::Fail {
                refund_id,
                amount_minor,
                reason,
                at,
            })
        }
        GatewayFact::DisputeOpened { .. } | GatewayFact::DisputeClosed { .. } => {
            return dispute::disputed(payment_id, fact, at);
        }
    };
    vec![FollowUp::Payment(payment_id, command)]
}

/// What a room's answer means for the payment that asked.
pub fn after_room(
    payment_id: PaymentId,
    command: &RoomStockCommand,
    sale: Option<Sale>,
    answer: Result<&RoomStock, &RoomStockRejection>,
) -> Option<PaymentCommand> {
    let lost = |reason| PaymentCommand::SellOut {
        hold_id: None,
        reason,
    };
    match (command, answer) {
        (RoomStockCommand::Sell { .. }, answer) => sale.map(|sale| PaymentCommand::Succeed {
            capture: sale.capture,
            room: if answer.is_ok() {
                RoomOutcome::Sold
            } else {
                RoomOutcome::Lost
            },
            refund_id: sale.refund_id,
            at: sale.at,
        }),
        (RoomStockCommand::Hold(_), Err(RoomStockRejection::TooManyHolds)) => {
            Some(lost(SoldOutReason::TooManyHolds))
        }
        (
            RoomStockCommand::Hold(_),
            Err(
                RoomStockRejection::SoldOut
                | RoomStockRejection::NoHold
                | RoomStockRejection::RoomFree
                | RoomStockRejection::NoPlace
                | RoomStockRejection::TooManyPlaces
                | RoomStockRejection::ExtendedAlready,
            ),
        ) => Some(lost(SoldOutReason::NoRoom)),
        (RoomStockCommand::Extend { .. }, Err(_)) => Some(lost(SoldOutReason::HoldLost)),
        // A pending payment whose hold is gone waits for the gateway: its success will find no room and go back.
        (
            RoomStockCommand::Keep { .. }
            | RoomStockCommand::Decline { .. }
            | RoomStockCommand::Release { .. }
            | RoomStockCommand::Expire { .. }
            | RoomStockCommand::TakeBack { .. },
            Err(_),
        )
        // No payment asks for these.
        | (
            RoomStockCommand::Join(_)
            | RoomStockCommand::Leave { .. }
            | RoomStockCommand::Offer(_)
            | RoomStockCommand::ClosePlaces
            | RoomStockCommand::MoveUp { .. }
            | RoomStockCommand::ExtendByStaff { .. },
            _,
        ) => None,
        (
            RoomStockCommand::Hold(_)
            | RoomStockCommand::Extend { .. }
            | RoomStockCommand::Keep { .. }
            | RoomStockCommand::Decline { .. }
            | RoomStockCommand::Release { .. }
            | RoomStockCommand::Expire { .. }
            | RoomStockCommand::TakeBack { .. },
            Ok(stock),
        ) => stock.holds.get(&payment_id).map(|hold| PaymentCommand::NoteHold {
            hold_id: hold.hold_id,
            expires_at: hold.expires_at,
        }),
    }
}

#[cfg(test)]
#[path = "policy/links.rs"]
mod links;
#[cfg(test)]
#[path = "policy/messages.rs"]
mod messages;
#[cfg(test)]
#[path = "policy/story.rs"]
mod story;
#[cfg(test)]
#[path = "policy/wanted.rs"]
mod wanted;
