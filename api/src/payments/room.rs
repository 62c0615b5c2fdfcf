//! The room a payment is for, as the catalogue knows it now.

use domain::id::InventoryId;
use domain::inventory::Inventory;
use domain::inventory::let_room::{LeaseOption, LetRoom};
use domain::inventory::property::PropertyDetails;
use domain::lead::LeadWish;
use domain::payment::Payment;

use crate::app::App;
use crate::error::ApiResult;

/// A property with the room that is paid for.
pub struct Room {
    pub home: Inventory,
    pub property: Box<PropertyDetails>,
    pub room: LetRoom,
}

/// Finds a room in its property; `None` where either is unknown.
///
/// # Errors
/// When the log cannot be read.
pub async fn find(app: &App, home_id: InventoryId, room_id: InventoryId) -> ApiResult<Option<Room>> {
    let home = app.log.load::<Inventory>(home_id).await?.state;
    let room = home.rooms.iter().find(|room| room.details.id == room_id).cloned();
    let property = home.property.clone();
    Ok(room
        .zip(property)
        .map(|(room, property)| Room { home, property, room }))
}

impl Room {
    /// Spec §4: bookable when available, and booking is not switched off (D41).
    pub fn bookable(&self) -> bool {
        self.home.available() && self.property.terms.booking_allowed && !self.room.withdrawn
    }

    /// How many of it there are to be held or sold; 0 when it cannot be booked.
    pub fn capacity(&self) -> u32 {
        if self.bookable() {
            self.room.rooms_available()
        } else {
            0
        }
    }

    /// The lease the lead wished for, else the first that is open.
    pub fn lease(&self, wish: &LeadWish) -> Option<&LeaseOption> {
        let fits = |lease: &&LeaseOption| {
            wish.move_in_date
                .as_deref()
                .is_some_and(|date| lease.move_in.to_string() == date)
                || wish
                    .lease_duration
                    .as_deref()
                    .is_some_and(|wished| wished.starts_with(&format!("{} ", lease.length.duration)))
        };
        let open = || self.room.leases.iter().filter(|lease| lease.rooms_available > 0);
        open()
            .find(fits)
            .or_else(|| open().next())
            .or_else(|| self.room.leases.first())
    }
}

/// What the catalogue offers of this payment's room at this moment.
///
/// # Errors
/// When the log cannot be read.
pub async fn capacity(app: &App, payment: &Payment) -> ApiResult<u32> {
    let Some(terms) = &payment.terms else {
        return Ok(0);
    };
    let room = find(app, terms.inventory_root_id, terms.room_id).await?;
    Ok(room.map_or(0, |room| room.capacity()))
}
