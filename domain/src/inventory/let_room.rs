//! A room of a property (a child inventory) and the leases it is offered for.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::media::Media;
use super::on_offer::OnOffer;
use super::property::Picture;
use crate::id::InventoryId;
use crate::lease::{Lease, Stay};
use crate::room::RoomAttributes;
use crate::wording::Wording;

/// One kind of room; how many of it can still be sold lives in `room_stock` under the same id. An absent fact was said by nobody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomDetails {
    pub id: InventoryId,
    pub canonical_name: String,
    pub name: Wording,
    pub attributes: RoomAttributes,
    /// Of a flat; 0 for a studio.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bedrooms: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bathrooms: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area_sqm: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bed: Option<Bed>,
    /// Floors above the ground; 0 on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor: Option<u8>,
    /// How many may live in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sleeps: Option<u8>,
    /// How many people share the kitchen; none when it is one's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kitchen_shared_by: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dual_occupancy: Option<bool>,
    /// Its rent for each period of the property, in minor units, where its source names no day and no length: such a room is asked about,
    /// not booked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_minor: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// Photos, plans, videos and tours of its own.
    #[serde(default, skip_serializing_if = "Media::is_empty")]
    pub media: Media,
}

/// The bed in a room; its text is `bed.<key>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bed {
    Single,
    SmallDouble,
    Double,
    TwoSingles,
}

impl Bed {
    pub const fn key(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::SmallDouble => "small_double",
            Self::Double => "double",
            Self::TwoSingles => "two_singles",
        }
    }
}

/// One lease a room is offered for: when, how long, for how much, and how many of the room type's rooms its source lets free for it.
/// Leases that share a night share the rooms of that night (decision 0022).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaseOption {
    pub move_in: NaiveDate,
    pub length: Lease,
    /// Per period of the property, in its currency.
    pub price_minor: u64,
    pub rooms_available: u32,
    #[serde(default, skip_serializing_if = "LeaseTerms::is_silent")]
    pub terms: LeaseTerms,
}

/// Terms of one lease beside its price, as far as its source says them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LeaseTerms {
    /// The last day on which it can be booked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book_by: Option<NaiveDate>,
    /// The last day of moving in, where there is more than one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_in_until: Option<NaiveDate>,
    /// The last day as the source writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_on: Option<NaiveDate>,
    /// Where it is not that of the home, in the home's currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deposit_minor: Option<u64>,
}

impl LeaseTerms {
    /// True where nothing is said.
    pub fn is_silent(&self) -> bool {
        *self == Self::default()
    }
}

impl LeaseOption {
    /// True until its last day to book is over.
    pub fn is_open_on(&self, today: NaiveDate) -> bool {
        self.terms.book_by.is_none_or(|last| today <= last)
    }

    pub const fn stay(&self) -> Stay {
        Stay {
            move_in: self.move_in,
            length: self.length,
        }
    }
}

/// A room as the property's state holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LetRoom {
    pub details: RoomDetails,
    /// How many rooms of this type there are (N).
    #[serde(default)]
    pub rooms: u32,
    /// Whether somebody said so. Else one is let at a time, and no page says how many are left.
    pub is_count_said: bool,
    pub leases: Vec<LeaseOption>,
    /// Whether each lease that is let may take all rooms: a person counted them, and the source said of no lease how many are free.
    #[serde(default)]
    pub leases_take_all: bool,
    pub withdrawn: bool,
}

impl LetRoom {
    /// The lease it is let for on these terms.
    pub fn lease(&self, stay: Stay) -> Option<&LeaseOption> {
        self.leases.iter().find(|lease| lease.stay() == stay)
    }

    /// Its rent where it is let on terms still to be agreed: no lease says when and for how long.
    pub fn on_request_minor(&self) -> Option<u64> {
        self.details.asked_minor.filter(|_| self.leases.is_empty())
    }

    /// The lowest price of all its leases, or its rent on request.
    pub fn lowest_price_minor(&self) -> Option<u64> {
        self.prices_minor().min()
    }

    /// The prices of all its leases, or its rent on request.
    pub fn prices_minor(&self) -> impl Iterator<Item = u64> {
        let leases = self.leases.iter().map(|lease| lease.price_minor);
        leases.chain(self.on_request_minor())
    }

    /// The lowest price of the leases that still have rooms.
    pub fn lowest_available_price_minor(&self) -> Option<u64> {
        let open = self.leases.iter().filter(|lease| lease.rooms_available > 0);
        open.map(|lease| lease.price_minor).min()
    }

    /// Its rooms, with the stays that can be booked on this day.
    pub fn on_offer_on(&self, today: NaiveDate) -> OnOffer {
        let mut offer = self.on_offer();
        let is_open = |stay: Stay| self.lease(stay).is_some_and(|lease| lease.is_open_on(today));
        offer.stays.retain(|stay, _| is_open(*stay));
        offer
    }

    /// Rooms the provider gives for the lease that has most of them.
    pub fn rooms_available(&self) -> u32 {
        self.leases
            .iter()
            .map(|lease| self.most_of(lease))
            .max()
            .unwrap_or(0)
    }

    /// How many of the rooms one of its leases may take.
    pub fn most_of(&self, lease: &LeaseOption) -> u32 {
        self.free_for(lease).min(self.rooms)
    }

    fn free_for(&self, lease: &LeaseOption) -> u32 {
        if self.leases_take_all && lease.rooms_available > 0 {
            self.rooms
        } else {
            lease.rooms_available
        }
    }

    /// The same on this day: none once the last day to book the lease is over.
    pub fn most_of_on(&self, lease: &LeaseOption, today: NaiveDate) -> u32 {
        if lease.is_open_on(today) {
            self.most_of(lease)
        } else {
            0
        }
    }

    /// Its rooms, with the stays that share them.
    pub fn on_offer(&self) -> OnOffer {
        let mut offer = OnOffer {
            rooms: self.rooms,
            ..OnOffer::default()
        };
        for lease in &self.leases {
            // Of two that say the same stay the first counts, as `lease` finds it.
            offer.stays.entry(lease.stay()).or_insert(self.free_for(lease));
        }
        offer
    }
}
