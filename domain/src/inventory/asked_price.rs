//! What a home asks the sender of an enquiry now (decision 0025).

use super::Inventory;
use super::stay_price::stay_price_minor;
use crate::id::InventoryId;
use crate::lead::LeadWish;

/// What a home asks an enquirer, per period in minor units: for the room they named, else for its cheapest one. Of a room it is the
/// lease that the wish names, else the first. `None` where that room is not let.
pub fn asked_minor(home: &Inventory, room: Option<InventoryId>, wish: &LeadWish) -> Option<u64> {
    let rooms = home.let_rooms();
    let meant = rooms.filter(|known| room.is_none_or(|room| known.details.id == room));
    let prices = meant.filter_map(|room| {
        let first = || room.leases.first().map(|lease| lease.price_minor);
        stay_price_minor(room, None, wish).or_else(first)
    });
    prices.min()
}
