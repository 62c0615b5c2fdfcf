//! An edit of rooms that is tried and not made: which bookings it would leave without a room, and for whom of those who wait a room would
//! come free. Decided by the rules that decide the edit itself.

use domain::aggregate::Decide as _;
use domain::id::{InventoryId, UserId};
use domain::inventory::facts::Fact;
use domain::inventory::let_room::LetRoom;
use domain::inventory::values::FactEdit;
use domain::inventory::{Inventory, InventoryCommand};
use domain::moment::Moment;
use domain::room_stock::RoomStock;
use eventlog::{CommitError, EventLog};
use uuid::Uuid;

use crate::commands::edit_home::{check_bounds, check_count, name_bookings, reject};
use crate::error::ListingsError;

/// A home before an edit and after it.
#[derive(Debug, Clone)]
pub struct TriedEdit {
    pub before: Inventory,
    pub after: Inventory,
    /// Room types that the edit touches.
    pub rooms: Vec<TriedRoom>,
}

/// A room type that an edit touches.
#[derive(Debug, Clone)]
pub struct TriedRoom {
    pub before: LetRoom,
    pub after: LetRoom,
    /// References of enquiries whose rooms would be too many: the edit is refused while there are some.
    pub short: Vec<String>,
    /// Places of its waitlist.
    pub waiting: u64,
    /// Those of them that would find a room which they do not find now, each looked at alone.
    pub would_find: u64,
}

/// Tries an edit.
///
/// # Errors
/// As the edit itself, but for bookings: those are named.
pub async fn try_edit(
    log: &EventLog,
    home_id: InventoryId,
    set: Vec<Fact>,
    at: Moment,
) -> Result<TriedEdit, CommitError<ListingsError>> {
    check_count(set.len()).map_err(CommitError::Rejected)?;
    set.iter()
        .try_for_each(check_bounds)
        .map_err(CommitError::Rejected)?;
    let before = log.load::<Inventory>(home_id).await?.state;
    if before.property.is_none() {
        return Err(CommitError::Rejected(ListingsError::UnknownHome));
    }
    let touched: Vec<InventoryId> = set.iter().filter_map(|fact| fact.key().room()).collect();
    let edit = FactEdit {
        set,
        unset: Vec::new(),
        by: UserId(Uuid::nil()),
        reason: String::new(),
        taken_above: Vec::new(),
    };
    let command = InventoryCommand::EditFacts { edit: Box::new(edit) };
    let mut after = before.clone();
    for event in before.decide(command).map_err(reject)? {
        after.evolve(&event);
    }
    let mut rooms = Vec::new();
    for room in before
        .let_rooms()
        .filter(|room| touched.contains(&room.details.id))
    {
        let id = room.details.id;
        let Some(changed) = after.let_rooms().find(|after| after.details.id == id) else {
            continue;
        };
        let stock = log.load::<RoomStock>(id).await?.state;
        let short = stock.taken_above(changed.rooms, at);
        rooms.push(TriedRoom {
            short: name_bookings(log, &short).await?,
            waiting: stock.waitlist.alive().count() as u64,
            would_find: count_finders(&stock, (room, changed), at),
            before: room.clone(),
            after: changed.clone(),
        });
    }
    Ok(TriedEdit { before, after, rooms })
}

fn count_finders(stock: &RoomStock, (before, after): (&LetRoom, &LetRoom), at: Moment) -> u64 {
    let is_free = |room: &LetRoom, stay| stock.free(stay, &room.on_offer_on(at.date_naive()), at) > 0;
    let waiting = stock
        .waitlist
        .alive()
        .filter(|place| place.offered_until().is_none());
    let finders = waiting.filter(|place| !is_free(before, place.stay) && is_free(after, place.stay));
    finders.count() as u64
}
