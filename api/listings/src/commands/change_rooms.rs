//! Adds and takes away room types and leases of a home that people list: the rooms of a feed's home are its feed's.

use std::collections::BTreeSet;

use domain::aggregate::Decide as _;
use domain::id::{InventoryId, UserId};
use domain::inventory::facts::{Fact, FactKey};
use domain::inventory::let_room::{LeaseOption, RoomDetails};
use domain::inventory::room_offer::RoomOffer;
use domain::inventory::values::FactEdit;
use domain::inventory::{Inventory, InventoryCommand, InventoryEvent, InventoryRejection};
use domain::room_stock::RoomStock;
use domain::sealed::Sealed;
use eventlog::{Append, Appended, CommitError, Context, EventLog, Position, StreamId, commit_together};

use super::edit_home::{check_bounds, check_reason, name_bookings, refuse_changed, reject};
use crate::error::ListingsError;
use crate::questions::home_values::read_home_values;

/// Leases of one room type, more than any has.
const LEASES_MAX: usize = 500;

/// A change of the rooms that a home has.
#[derive(Debug, Clone)]
pub enum RoomChange {
    Add {
        room: Box<RoomDetails>,
        offer: RoomOffer,
    },
    Withdraw {
        room: InventoryId,
    },
    /// All leases of a room type, in place of those that it has.
    Leases {
        room: InventoryId,
        leases: Vec<LeaseOption>,
    },
}

/// A change of rooms by a member of staff.
#[derive(Debug, Clone)]
pub struct ChangeRooms {
    pub home_id: InventoryId,
    /// Where the home stood when its editor read it.
    pub position: Position,
    pub change: RoomChange,
    pub reason: String,
    pub by: UserId,
}

/// Changes the rooms of a home.
///
/// # Errors
/// The reason as a [`ListingsError`], and whatever else stands against an append.
pub async fn change_rooms(
    log: &EventLog,
    asked: &ChangeRooms,
    context: &Context,
) -> Result<Appended, CommitError<ListingsError>> {
    check_reason(&asked.reason).map_err(CommitError::Rejected)?;
    check_change(&asked.change).map_err(CommitError::Rejected)?;
    commit_together(log, context, |append| compose(log, asked, context, append)).await
}

async fn compose(
    log: &EventLog,
    asked: &ChangeRooms,
    context: &Context,
    append: Append,
) -> Result<Append, CommitError<ListingsError>> {
    let read = read_home_values(log, asked.home_id).await?;
    let read = read.ok_or(CommitError::Rejected(ListingsError::UnknownHome))?;
    refuse_changed(&read, asked.position)?;
    if let Some(feed) = read.feed() {
        let feed = feed.to_owned();
        return Err(CommitError::Rejected(ListingsError::OfFeed { feed }));
    }
    let home = &read.home.state;
    let mut guarded = append;
    if let RoomChange::Withdraw { room } = asked.change {
        let stock = log.load::<RoomStock>(room).await?;
        let taken = stock.state.taken_above(0, context.at);
        if !taken.is_empty() {
            let bookings = name_bookings(log, &taken).await?;
            return Err(CommitError::Rejected(ListingsError::Booked { room, bookings }));
        }
        // Should somebody take a room meanwhile, it is asked again.
        guarded = guarded.guard(StreamId::of::<RoomStock>(room), stock.expected());
    }
    let mut events = decide(home, asked).map_err(reject)?;
    if events.is_empty() {
        return Ok(guarded);
    }
    let given = InventoryEvent::ReasonGiven {
        by: asked.by,
        reason: Sealed::new(asked.reason.trim().to_owned()),
    };
    events.insert(0, given);
    let decided = guarded.decision(asked.home_id, &read.home, &events);
    decided.map_err(|error| CommitError::Log(error.into()))
}

fn decide(home: &Inventory, asked: &ChangeRooms) -> Result<Vec<InventoryEvent>, InventoryRejection> {
    match &asked.change {
        RoomChange::Add { room, offer } => {
            let id = room.id;
            let room = (**room).clone();
            let events = home.decide(InventoryCommand::ListRoom { room })?;
            offer_after(home, events, (id, offer.clone()))
        }
        RoomChange::Withdraw { room } => home.decide(InventoryCommand::WithdrawRoom { room: *room }),
        RoomChange::Leases { room, leases } => {
            let source = home.sourced();
            let known = source.let_rooms().find(|known| known.details.id == *room);
            let known = known.ok_or(InventoryRejection::UnknownRoom(*room))?;
            let offer = RoomOffer {
                rooms: Some(known.rooms),
                is_count_said: known.is_count_said,
                leases: leases.clone(),
            };
            let events = end_edits(home, asked, (*room, leases.as_slice()))?;
            offer_after(home, events, (*room, offer))
        }
    }
}

/// Lets a room type for these leases after what has been decided before.
fn offer_after(
    home: &Inventory,
    mut events: Vec<InventoryEvent>,
    (room, offer): (InventoryId, RoomOffer),
) -> Result<Vec<InventoryEvent>, InventoryRejection> {
    let mut after = home.clone();
    for event in &events {
        after.evolve(event);
    }
    events.extend(after.decide(InventoryCommand::OfferLeases { room, offer })?);
    Ok(events)
}

/// Takes back the prices of earlier edits that would hide those of a newer list: a list that says what the one before it said changes
/// nothing by itself.
fn end_edits(
    home: &Inventory,
    asked: &ChangeRooms,
    (room, leases): (InventoryId, &[LeaseOption]),
) -> Result<Vec<InventoryEvent>, InventoryRejection> {
    let prices = leases.iter().map(|lease| Fact::LeasePrice {
        room,
        stay: lease.stay(),
        price_minor: lease.price_minor,
    });
    let is_hidden = |price: &Fact| {
        let key = price.key();
        home.fact_beneath(&key) == Some(price) && home.fact(&key).as_ref() != Some(price)
    };
    let unset: Vec<FactKey> = prices.filter(is_hidden).map(|price| price.key()).collect();
    if unset.is_empty() {
        return Ok(Vec::new());
    }
    let edit = FactEdit {
        set: Vec::new(),
        unset,
        by: asked.by,
        reason: asked.reason.trim().to_owned(),
        taken_above: Vec::new(),
    };
    home.decide(InventoryCommand::EditFacts { edit: Box::new(edit) })
}

fn check_change(change: &RoomChange) -> Result<(), ListingsError> {
    match change {
        RoomChange::Add { room, offer } => check_room(room, offer),
        RoomChange::Withdraw { .. } => Ok(()),
        RoomChange::Leases { room, leases } => check_leases(*room, leases),
    }
}

/// Checks the sizes of a room type's texts and numbers.
///
/// # Errors
/// The text or number that is too long, too large or too many.
pub(super) fn check_room(room: &RoomDetails, offer: &RoomOffer) -> Result<(), ListingsError> {
    let id = room.id;
    check_bounds(&Fact::RoomName {
        room: id,
        name: room.name.clone(),
    })?;
    check_bounds(&Fact::RoomCount {
        room: id,
        rooms: offer.rooms.unwrap_or_default(),
        is_said: true,
    })?;
    check_leases(id, &offer.leases)
}

fn check_leases(room: InventoryId, leases: &[LeaseOption]) -> Result<(), ListingsError> {
    if leases.len() > LEASES_MAX {
        return Err(ListingsError::TooMany { max: LEASES_MAX });
    }
    // The price of the first one would be asked for, and the lowest of both shown.
    let mut stays = BTreeSet::new();
    if let Some(twice) = leases.iter().find(|lease| !stays.insert(lease.stay())) {
        return Err(ListingsError::LetTwice(twice.stay()));
    }
    leases.iter().try_for_each(|lease| {
        check_bounds(&Fact::LeasePrice {
            room,
            stay: lease.stay(),
            price_minor: lease.price_minor,
        })
    })
}

#[cfg(test)]
mod tests;
