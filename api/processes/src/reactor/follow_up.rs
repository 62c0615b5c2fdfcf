//! Executes one follow-up command. A domain rejection is ignored: the state has changed since the event.

use std::fmt::Display;

use chrono::TimeDelta;
use domain::aggregate::Decide;
use domain::gateway_event::GatewayFact;
use domain::id::{HoldId, InventoryId, LeadId, PaymentId, ReferralId, RefundId, StreamKey, UserId};
use domain::inventory::Inventory;
use domain::inventory::on_offer::OnOffer;
use domain::lead::Lead;
use domain::moment::Moment;
use domain::payment::terms::Terms;
use domain::payment::{Payment, PaymentCommand, PaymentEvent, PaymentRejection, PaymentStatus, RoomOutcome};
use domain::policy::{self, Cause, Effect, FollowUp, Sale};
use domain::referral::{Referral, ReferralCommand, SharedContact};
use domain::room_stock::{HoldRequest, Place, RoomStock, RoomStockCommand, RoomStockRejection, Turn};
use domain::shared_contact::Contact;
use domain::user::User;
use domain::user_history::{UserHistory, UserHistoryCommand};
use eventlog::{
    CommitError, Context, EventLog, Expected, Loaded, LogError, StreamId, commit, commit_together,
};
use platform::{clock, morning};

use super::{ReactorError, booking_end};
use crate::payment_room::{self, Room};

/// Whether a follow-up still makes sense for the payment as it stands: no room is held for an attempt that is over.
pub(super) fn still_useful(follow_up: &FollowUp, payment: &Payment) -> bool {
    match follow_up {
        FollowUp::Room {
            command: RoomStockCommand::Hold(_),
            ..
        } => payment.status == PaymentStatus::InitLoading,
        FollowUp::Effect(effect) => policy::still_wanted(effect, payment),
        FollowUp::Room { .. }
        | FollowUp::Payment(..)
        | FollowUp::Success(..)
        | FollowUp::OfferRooms { .. }
        | FollowUp::WithdrawLinks { .. }
        | FollowUp::LeavePlaces { .. }
        | FollowUp::EndOutdatedPayment { .. }
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
        FollowUp::Success(payment_id, command) => {
            succeed(log, payment_id, command, &context.step("payment")).await?;
        }
        FollowUp::OfferRooms {
            room_id,
            at,
            offer_for,
        } => offer_rooms(log, room_id, (at, at + offer_for), context).await?,
        FollowUp::WithdrawLinks { lead_id, at } => withdraw_links(log, lead_id, at, context).await?,
        FollowUp::LeavePlaces { lead_id } => leave_places(log, lead_id, context).await?,
        FollowUp::EndOutdatedPayment { lead_id, at } => end_outdated(log, lead_id, at, context).await?,
        FollowUp::Lead(lead_id, command) => give::<Lead>(log, lead_id, command, context).await?,
        FollowUp::History(user_id, command) => {
            let UserHistoryCommand::Note { lead_id, .. } = &command else {
                return Ok(None);
            };
            let lead = log.load::<Lead>(*lead_id).await?.state;
            // Until somebody proves that the lead is theirs, nothing of it is in their history (T5).
            if !lead.is_unclaimed() {
                let owner = lead.person().unwrap_or(user_id);
                give::<UserHistory>(log, owner, command, context).await?;
            }
        }
        FollowUp::Referral(referral_id, command) => {
            let command = compared(log, referral_id, command).await?;
            give::<Referral>(log, referral_id, command, context).await?;
        }
        FollowUp::Room {
            room_id,
            offered_by,
            payment_id,
            command,
            sale,
        } => {
            let asked = Asked {
                room_id,
                offered_by,
                payment_id,
            };
            ask_room(log, &asked, command, sale, context).await?;
        }
    }
    Ok(None)
}

async fn withdraw_links(
    log: &EventLog,
    lead_id: LeadId,
    at: Moment,
    context: &Context,
) -> Result<(), ReactorError> {
    for link in booking_end::links_without_booking(log, lead_id).await? {
        let context = context.step(&link.to_string());
        give::<Payment>(log, link, PaymentCommand::Withdraw { at }, &context).await?;
    }
    Ok(())
}

async fn end_outdated(
    log: &EventLog,
    lead_id: LeadId,
    at: Moment,
    context: &Context,
) -> Result<(), ReactorError> {
    if let Some(payment_id) = booking_end::outdated_payment(log, lead_id).await? {
        give::<Payment>(log, payment_id, PaymentCommand::Cancel { at }, context).await?;
    }
    Ok(())
}

/// The next who waits has their turn.
async fn leave_places(log: &EventLog, lead_id: LeadId, context: &Context) -> Result<(), ReactorError> {
    for (room_id, payment_id) in booking_end::places_of_the_same_time(log, lead_id).await? {
        let leave = RoomStockCommand::Leave {
            payment_id,
            booked: true,
        };
        let context = context.step(&payment_id.to_string());
        give::<RoomStock>(log, room_id, leave, &context).await?;
    }
    Ok(())
}

/// A completion, with what referrer and referred are both reached by now: they may have changed it since the enquiry (decision 0028).
async fn compared(
    log: &EventLog,
    referral_id: ReferralId,
    command: ReferralCommand,
) -> Result<ReferralCommand, LogError> {
    let ReferralCommand::Complete {
        payment_id,
        reward,
        at,
        ..
    } = command
    else {
        return Ok(command);
    };
    let referral = log.load::<Referral>(referral_id).await?.state;
    let shared = match (referral.compared_with(), referral.lead_id) {
        (Some(referrer), Some(lead_id)) => shared_now(log, referrer, lead_id).await?,
        _ => None,
    };
    Ok(ReferralCommand::Complete {
        payment_id,
        shared,
        reward,
        at,
    })
}

/// What a referrer and the person of a lead are both reached by, by their accounts and by what the enquiries in the referrer's
/// history name.
async fn shared_now(
    log: &EventLog,
    referrer: UserId,
    lead_id: LeadId,
) -> Result<Option<SharedContact>, LogError> {
    let lead = log.load::<Lead>(lead_id).await?.state;
    let (mut own, mut theirs) = (Contact::default(), Contact::default());
    if let Some(person) = lead.person() {
        own.add_account(&log.load::<User>(person).await?.state);
    }
    own.add_lead(&lead);
    theirs.add_account(&log.load::<User>(referrer).await?.state);
    for lead_id in log.load::<UserHistory>(referrer).await?.state.leads() {
        theirs.add_lead(&log.load::<Lead>(lead_id).await?.state);
    }
    Ok(own.shared_with(&theirs))
}

/// Which room is asked, by whose word it is offered, for which payment.
struct Asked {
    room_id: InventoryId,
    offered_by: Option<InventoryId>,
    payment_id: PaymentId,
}

async fn ask_room(
    log: &EventLog,
    asked: &Asked,
    command: RoomStockCommand,
    sale: Option<Sale>,
    context: &Context,
) -> Result<(), ReactorError> {
    let payment_id = asked.payment_id;
    let context_of_room = context.step("room");
    let stock = match asked.offered_by {
        Some(home_id) => hold_offered(log, (home_id, asked.room_id), &command, &context_of_room).await,
        None => commit::<RoomStock>(log, asked.room_id, command.clone(), &context_of_room)
            .await
            .map(|committed| committed.state),
    };
    let answer = match stock {
        Ok(stock) => policy::after_room(payment_id, &command, sale, Ok(&stock)),
        Err(CommitError::Rejected(rejection)) => {
            // The catalogue may have let rooms since the last event of this room: its waitlist is offered them now.
            if let RoomStockCommand::Hold(asked_hold) = &command {
                let until = asked_hold.at + (asked_hold.until - asked_hold.at) * policy::OFFER_HOLDS;
                let offered = (asked_hold.at, until);
                offer_rooms(log, asked.room_id, offered, &context.step("offer")).await?;
            }
            policy::after_room(payment_id, &command, sale, Err(&rejection))
        }
        Err(error) => return Err(trouble(error)),
    };
    match answer {
        Some(next @ PaymentCommand::Succeed { .. }) => {
            succeed(log, payment_id, next, &context.step("payment")).await
        }
        Some(next) => give::<Payment>(log, payment_id, next, &context.step("payment")).await,
        None => Ok(()),
    }
}

/// Records a success together with the lead's booking, in one append: of two rooms paid on one enquiry at once one is booked, and
/// the other's money goes back (decision 0022).
async fn succeed(
    log: &EventLog,
    payment_id: PaymentId,
    command: PaymentCommand,
    context: &Context,
) -> Result<(), ReactorError> {
    let appended = commit_together::<PaymentRejection, _>(log, context, |append| {
        let command = command.clone();
        async move {
            let payment = log.load::<Payment>(payment_id).await?;
            let Some(terms) = &payment.state.terms else {
                return Ok(append);
            };
            let lead = log.load::<Lead>(terms.lead_id).await?;
            let command = match terms.link {
                Some(_) => unless_ended(command, has_ended(&payment.state, &lead.state, terms)),
                None => unless_booked(command, lead.state.booked_other_room(payment_id, terms.room_id)),
            };
            let events = payment.state.decide(command).map_err(CommitError::Rejected)?;
            if events.is_empty() {
                return Ok(append);
            }
            let booking = match events.iter().find_map(succeeded_at) {
                Some(at) if terms.link.is_none() => {
                    lead.state.progress(policy::booked(payment_id, terms), at)
                }
                Some(_) | None => vec![],
            };
            let append = append
                .decision(payment_id, &payment, &events)
                .map_err(|error| CommitError::Log(error.into()))?;
            if booking.is_empty() {
                // The booking that a link pays for must still stand when its money is taken in.
                return Ok(append.guard(StreamId::of::<Lead>(terms.lead_id), lead.expected()));
            }
            append
                .decision(terms.lead_id, &lead, &booking)
                .map_err(|error| CommitError::Log(error.into()))
        }
    })
    .await;
    match appended {
        Ok(_) | Err(CommitError::CommandReused | CommitError::Rejected(_)) => Ok(()),
        Err(error) => Err(trouble(error)),
    }
}

const fn succeeded_at(event: &PaymentEvent) -> Option<Moment> {
    match event {
        PaymentEvent::PaymentSucceeded { at, .. } => Some(*at),
        _ => None,
    }
}

fn unless_booked(command: PaymentCommand, other_room: bool) -> PaymentCommand {
    match command {
        PaymentCommand::Succeed {
            capture,
            room: RoomOutcome::Sold,
            refund_id,
            at,
        } if other_room => PaymentCommand::Succeed {
            capture,
            room: RoomOutcome::OtherRoomBooked,
            refund_id,
            at,
        },
        other => other,
    }
}

/// Whether what a link was made for is over: it was withdrawn, its booking has ended, or the lead has booked another room since.
fn has_ended(payment: &Payment, lead: &Lead, terms: &Terms) -> bool {
    payment.cancelled_at.is_some()
        || lead.booked_by.is_none()
        || lead.booked_inventory_id != Some(terms.room_id)
}

/// A link's money goes back where what it is for is over.
fn unless_ended(command: PaymentCommand, has_ended: bool) -> PaymentCommand {
    match command {
        PaymentCommand::Succeed {
            capture,
            refund_id,
            at,
            ..
        } if has_ended => PaymentCommand::Succeed {
            capture,
            room: RoomOutcome::Lost,
            refund_id,
            at,
        },
        other => other,
    }
}

/// Takes a hold on what the catalogue says at this very moment: should the property or a hold in it change meanwhile, it is
/// asked again.
async fn hold_offered(
    log: &EventLog,
    (home_id, room_id): (InventoryId, InventoryId),
    command: &RoomStockCommand,
    context: &Context,
) -> Result<RoomStock, CommitError<RoomStockRejection>> {
    commit_together(log, context, |append| {
        let command = command.clone();
        async move {
            let home = payment_room::find(log, home_id, room_id).await?;
            let loaded = log.load::<RoomStock>(room_id).await?;
            let others = other_stocks(log, room_id, home.as_ref()).await?;
            let command = offered(command, &others, home.as_ref());
            let events = loaded.state.decide(command).map_err(CommitError::Rejected)?;
            if events.is_empty() {
                return Ok(append);
            }
            let still = Expected::Revision(home.map_or(0, |home| home.revision));
            others
                .iter()
                .fold(append, |append, (room, stock)| {
                    append.guard(StreamId::of::<RoomStock>(*room), stock.expected())
                })
                .guard(StreamId::of::<Inventory>(home_id), still)
                .decision(room_id, &loaded, &events)
                .map_err(|error| CommitError::Log(error.into()))
        }
    })
    .await?;
    Ok(log.load::<RoomStock>(room_id).await?.state)
}

/// The stocks of the house's other rooms: one person's holds are counted over all of it (T19).
async fn other_stocks(
    log: &EventLog,
    room_id: InventoryId,
    home: Option<&Room>,
) -> Result<Vec<(InventoryId, Loaded<RoomStock>)>, LogError> {
    let rooms = home.into_iter().flat_map(|home| &home.home.rooms);
    let mut stocks = Vec::new();
    for other in rooms.map(|room| room.details.id).filter(|id| *id != room_id) {
        stocks.push((other, log.load::<RoomStock>(other).await?));
    }
    Ok(stocks)
}

/// The hold, with the rooms that are offered now.
fn offered(
    command: RoomStockCommand,
    others: &[(InventoryId, Loaded<RoomStock>)],
    home: Option<&Room>,
) -> RoomStockCommand {
    match command {
        RoomStockCommand::Hold(asked) => RoomStockCommand::Hold(HoldRequest {
            offer: home.map_or_else(OnOffer::default, |home| home.on_offer_to(asked.lead_id)),
            own_elsewhere: others
                .iter()
                .map(|(_, stock)| stock.state.holds_of(asked.identity, asked.proved, asked.at))
                .fold(0, u32::saturating_add),
            ..asked
        }),
        other => other,
    }
}

/// Offers what is free of a room to the first places of its waitlist, or ends them where the home is let no longer.
async fn offer_rooms(
    log: &EventLog,
    room_id: InventoryId,
    (at, until): (Moment, Moment),
    context: &Context,
) -> Result<(), ReactorError> {
    let stock = log.load::<RoomStock>(room_id).await?.state;
    // A room stays in its home: the places of one room are all of one home.
    let Some(home_id) = stock.waitlist.alive().next().map(|place| place.home_id) else {
        return Ok(());
    };
    let room = payment_room::find(log, home_id, room_id).await?;
    if room.as_ref().is_some_and(|room| room.home.state.is_gone()) {
        return give::<RoomStock>(
            log,
            room_id,
            RoomStockCommand::ClosePlaces,
            &context.step("closed"),
        )
        .await;
    }
    let waiting = stock.waitlist.waiting();
    let ends = waiting.map(|place| (place.payment_id, find_morning(place, at)));
    let turn = Turn {
        offer: room.as_ref().map_or_else(OnOffer::default, Room::on_offer),
        at,
        until,
        ends: ends.collect(),
    };
    give::<RoomStock>(log, room_id, RoomStockCommand::Offer(turn), &context.step("turn")).await
}

/// Ten o'clock of the morning after an offer, where the place's student lives.
fn find_morning(place: &Place, at: Moment) -> Moment {
    morning::next_morning(place.time_zone.as_deref().unwrap_or_default(), at)
}

/// Gives a command that follows from something; a rule that stands against it means that the state has moved on.
pub(super) async fn give<A: Decide>(
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
