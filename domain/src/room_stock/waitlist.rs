//! Who waits for a room that is sold out, in the order of the log (D141, decision 0022).
//!
//! A place is named by the payment that found no room. A room that comes free is kept for the first place alone, with a
//! deadline; only then for the next. A payer without a place comes after all of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::id::{InventoryId, LeadId, PaymentId};
use crate::inventory::on_offer::OnOffer;
use crate::lease::Stay;
use crate::moment::Moment;
use crate::nights::Nights;

/// T19: so many rooms one person may wait for. Each place that is offered a room keeps it from sale until the student's next
/// morning; a student chooses among a handful of rooms.
pub const PLACES_PER_IDENTITY: usize = 5;

/// Every place ever taken, in the order of the log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Waitlist {
    pub places: Vec<Place>,
}

/// One place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub payment_id: PaymentId,
    pub lead_id: LeadId,
    pub home_id: InventoryId,
    pub stay: Stay,
    pub joined_at: Moment,
    /// By whose clock its student lives; `None` in older places.
    #[serde(default)]
    pub time_zone: Option<String>,
    pub state: PlaceState,
    /// A member of staff moved it to the front: before all that were not moved, in the order of the moves.
    pub moved_up: Option<u64>,
}

/// How a place stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaceState {
    Waiting,
    /// A room is kept for it until then.
    Offered {
        expires_at: Moment,
    },
    Taken,
    Lapsed,
    Left,
    /// Given up because its person booked a room for the same time.
    Booked,
    /// Its home is let no longer.
    Closed,
}

impl PlaceState {
    /// Its name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Offered { .. } => "offered",
            Self::Taken => "taken",
            Self::Lapsed => "lapsed",
            Self::Left => "left",
            Self::Booked => "booked",
            Self::Closed => "closed",
        }
    }

    /// The names of all of them.
    pub const NAMES: [&'static str; 7] = [
        "waiting", "offered", "taken", "lapsed", "left", "booked", "closed",
    ];
}

/// What a place is asked with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinRequest {
    /// The payment that found no room.
    pub payment_id: PaymentId,
    pub lead_id: LeadId,
    pub home_id: InventoryId,
    pub stay: Stay,
    /// The catalogue's offer.
    pub offer: OnOffer,
    /// For how many rooms its person waits already, in all waitlists.
    pub open_places: usize,
    /// By whose clock the student lives, else the home's.
    pub time_zone: String,
    pub at: Moment,
}

/// Rooms that may be offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The catalogue's offer now.
    pub offer: OnOffer,
    pub at: Moment,
    /// When an offer ends at the earliest.
    pub until: Moment,
    /// When an offer to each waiting place ends: the morning differs from student to student (U1).
    pub ends: BTreeMap<PaymentId, Moment>,
}

impl Turn {
    /// When an offer to this place ends.
    pub(super) fn end_for(&self, payment_id: PaymentId) -> Moment {
        let own = self.ends.get(&payment_id).copied();
        own.map_or(self.until, |own| own.max(self.until))
    }
}

impl Waitlist {
    /// The place of a payment.
    pub fn place(&self, payment_id: PaymentId) -> Option<&Place> {
        self.places.iter().find(|place| place.payment_id == payment_id)
    }

    /// The number of a place, from 1, among those that wait or are offered a room for nights of its stay: 1 is next. `None` once it is
    /// over.
    pub fn number(&self, payment_id: PaymentId) -> Option<usize> {
        let stay = self.place(payment_id)?.stay;
        let index = self
            .queue(stay)
            .iter()
            .position(|place| place.payment_id == payment_id);
        index.map(|index| index + 1)
    }

    /// The places that wait or are offered a room for a night of this stay, next first.
    pub fn queue(&self, stay: Stay) -> Vec<&Place> {
        let nights = Nights::of(stay);
        let mut queue = self.in_order();
        queue.retain(|place| Nights::of(place.stay).overlaps(nights));
        queue
    }

    /// All places that wait or are offered a room, next first.
    pub(super) fn in_order(&self) -> Vec<&Place> {
        let mut queue: Vec<&Place> = self.alive().collect();
        // Stable: among places that were not moved the log's order stands.
        queue.sort_by_key(|place| (!place.is_offered(), place.moved_up.unwrap_or(u64::MAX)));
        queue
    }

    /// The places that wait or are offered a room, in the order of the log.
    pub fn alive(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(|place| place.is_alive())
    }

    /// The places that wait, in the order of the log.
    pub fn waiting(&self) -> impl Iterator<Item = &Place> {
        let places = self.places.iter();
        places.filter(|place| place.state == PlaceState::Waiting)
    }

    pub(super) fn offer_to(&self, lead_id: Option<LeadId>, stay: Stay) -> Option<&Place> {
        let lead_id = lead_id?;
        let mut places = self.places.iter();
        places.find(|place| place.lead_id == lead_id && place.stay == stay && place.is_offered())
    }

    /// When the offers end that keep a night of this stay.
    pub(super) fn offers_end(&self, stay: Stay) -> impl Iterator<Item = Moment> {
        let nights = Nights::of(stay);
        let places = self.places.iter();
        let sharing = places.filter(move |place| Nights::of(place.stay).overlaps(nights));
        sharing.filter_map(Place::offered_until)
    }

    pub(super) fn place_mut(&mut self, payment_id: PaymentId) -> Option<&mut Place> {
        self.places
            .iter_mut()
            .find(|place| place.payment_id == payment_id)
    }
}

impl Place {
    /// It waits, or is offered a room.
    pub const fn is_alive(&self) -> bool {
        matches!(self.state, PlaceState::Waiting | PlaceState::Offered { .. })
    }

    pub(super) const fn is_offered(&self) -> bool {
        matches!(self.state, PlaceState::Offered { .. })
    }

    /// Until when a room is kept for it.
    pub const fn offered_until(&self) -> Option<Moment> {
        match self.state {
            PlaceState::Offered { expires_at } => Some(expires_at),
            PlaceState::Waiting
            | PlaceState::Taken
            | PlaceState::Lapsed
            | PlaceState::Left
            | PlaceState::Booked
            | PlaceState::Closed => None,
        }
    }
}
