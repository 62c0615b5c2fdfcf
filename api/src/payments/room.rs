//! The room a payment is for, as the catalogue knows it now.

use domain::id::InventoryId;
use domain::inventory::Inventory;
use domain::inventory::let_room::{LeaseOption, LetRoom};
use domain::inventory::property::PropertyDetails;
use domain::lead::LeadWish;
use domain::lease::Stay;
use domain::payment::Payment;
use eventlog::{EventLog, LogError, Revision};

use crate::app::App;
use crate::error::ApiResult;

/// A property with the room that is paid for.
pub struct Room {
    pub home: Inventory,
    /// Where the property's stream stood: a guard for whoever relies on what is said here.
    pub revision: Revision,
    pub property: Box<PropertyDetails>,
    pub room: LetRoom,
}

/// Finds a room in its property; `None` where either is unknown.
///
/// # Errors
/// When the log cannot be read.
pub async fn find(
    log: &EventLog,
    home_id: InventoryId,
    room_id: InventoryId,
) -> Result<Option<Room>, LogError> {
    let home = log.load::<Inventory>(home_id).await?;
    let (revision, home) = (home.revision, home.state);
    let room = home.rooms.iter().find(|room| room.details.id == room_id).cloned();
    let property = home.property.clone();
    Ok(room.zip(property).map(|(room, property)| Room {
        home,
        revision,
        property,
        room,
    }))
}

impl Room {
    /// Spec §4: bookable when available, and booking is not switched off (D41).
    pub fn bookable(&self) -> bool {
        self.home.available() && self.property.terms.booking_allowed && !self.room.withdrawn
    }

    /// How many of it there are for this stay to be held or sold; 0 when it cannot be booked.
    pub fn capacity(&self, stay: Stay) -> u32 {
        let offered = self.room.lease(stay).filter(|_| self.bookable());
        offered.map_or(0, |lease| lease.rooms_available)
    }

    /// The lease the lead wished for: every part of the wish that was said must fit (decision 066). Who said nothing gets
    /// the first that is offered.
    pub fn lease(&self, wish: &LeadWish) -> Option<&LeaseOption> {
        let day = said(wish.move_in_date.as_deref());
        let length = said(wish.lease_duration.as_deref());
        let fits = |lease: &&LeaseOption| {
            day.is_none_or(|day| lease.move_in.to_string() == day)
                && length.is_none_or(|length| length == length_of(lease))
        };
        let mut offered = self.room.leases.iter().filter(|lease| lease.rooms_available > 0);
        offered.find(fits)
    }
}

fn said(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

/// As the room step writes it to the lead: `44 weeks`.
fn length_of(lease: &LeaseOption) -> String {
    format!("{} {}", lease.length.duration, lease.length.unit.key())
}

/// What the catalogue offers of this payment's room and stay at this moment.
///
/// # Errors
/// When the log cannot be read.
pub async fn capacity(app: &App, payment: &Payment) -> ApiResult<u32> {
    let Some((terms, stay)) = payment
        .terms
        .as_ref()
        .and_then(|terms| Some((terms, terms.stay()?)))
    else {
        return Ok(0);
    };
    let room = find(&app.log, terms.inventory_root_id, terms.room_id).await?;
    Ok(room.map_or(0, |room| room.capacity(stay)))
}
