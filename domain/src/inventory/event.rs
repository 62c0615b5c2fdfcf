//! Events of a property and its rooms.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::facts::{Fact, Shown as _};
use super::home_state::ClosedBy;
use super::let_room::{LeaseOption, RoomDetails};
use super::market::{Offer, PriceSeries, RatingSums, Review};
use super::property::PropertyDetails;
use super::said::without_guesses;
use crate::id::{InventoryId, UserId};
use crate::sealed::{Sealable, Sealed};
use crate::shape::as_it_is;

/// What happened to a property or one of its rooms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum InventoryEvent {
    PropertyListed {
        property: Box<PropertyDetails>,
    },
    PropertyDetailsChanged {
        /// As its source describes it: its feed, else the person who listed it.
        property: Box<PropertyDetails>,
        /// Facts that a person set over it, and that are shown instead. One that was set and is not named here shows the source's value
        /// again.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        set: Vec<Fact>,
    },
    RoomListed {
        room: RoomDetails,
        /// Whether all its facts were said. An importer could leave none out in events of version 1, and filled them in.
        #[serde(default)]
        is_said: bool,
        /// Facts that a person set over it, where it was listed before.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        set: Vec<Fact>,
    },
    RoomDetailsChanged {
        room: RoomDetails,
        /// The same.
        #[serde(default)]
        is_said: bool,
        /// Facts that a person set over it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        set: Vec<Fact>,
    },
    RoomWithdrawn {
        room: InventoryId,
    },
    RoomPriced {
        room: InventoryId,
        /// How many rooms of this type there are. Unsaid in events of version 1, whose leases had rooms of their own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rooms: Option<u32>,
        /// Whether somebody said how many; unsaid before version 3, when every importer counted one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        is_count_said: Option<bool>,
        leases: Vec<LeaseOption>,
        /// The number of rooms and the prices that a person set over this list.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        set: Vec<Fact>,
    },
    /// A person set facts over their source's values. The descriptions after it in the same append say what is shown now.
    FactsSet {
        facts: Vec<Fact>,
        by: UserId,
        #[serde(skip)]
        reason: Sealed<String>,
    },
    /// A person took their values back. These are the source's, which are shown again by the descriptions after it in the same append.
    FactsUnset {
        facts: Vec<Fact>,
        by: UserId,
        #[serde(skip)]
        reason: Sealed<String>,
    },
    PriceHistoryRecorded {
        series: Vec<PriceSeries>,
    },
    OfferPublished {
        offer: Box<Offer>,
    },
    OfferWithdrawn {
        offer: String,
    },
    ReviewsPublished {
        written: Vec<Review>,
        unwritten: RatingSums,
    },
    PropertySubmitted {},
    PropertyActivated {},
    PropertyDeactivated {},
    PropertyDeleted {},
    PropertyMarkedAvailable {},
    PropertyMarkedUnavailable {},
    PropertyChangesAsked {},
    PropertyPaused {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reopens_on: Option<NaiveDate>,
    },
    PropertyReopened {},
    PropertyClosed {
        by: ClosedBy,
    },
    /// It is a double of another home, which is kept. What is booked and held stays with its own rooms.
    PropertyMerged {
        into: InventoryId,
    },
    /// A member of staff's reason for what happens after it in the same append.
    ReasonGiven {
        by: UserId,
        #[serde(skip)]
        reason: Sealed<String>,
    },
}

crate::event_names!(InventoryEvent {
    PropertyListed => "PropertyListed" 4,
    PropertyDetailsChanged => "PropertyDetailsChanged" 5,
    RoomListed => "RoomListed" 5,
    RoomDetailsChanged => "RoomDetailsChanged" 5,
    RoomWithdrawn => "RoomWithdrawn" 1,
    RoomPriced => "RoomPriced" 5,
    FactsSet => "FactsSet" 3,
    FactsUnset => "FactsUnset" 3,
    PriceHistoryRecorded => "PriceHistoryRecorded" 1,
    OfferPublished => "OfferPublished" 1,
    OfferWithdrawn => "OfferWithdrawn" 1,
    ReviewsPublished => "ReviewsPublished" 1,
    PropertySubmitted => "PropertySubmitted" 1,
    PropertyActivated => "PropertyActivated" 1,
    PropertyDeactivated => "PropertyDeactivated" 1,
    PropertyDeleted => "PropertyDeleted" 1,
    PropertyMarkedAvailable => "PropertyMarkedAvailable" 1,
    PropertyMarkedUnavailable => "PropertyMarkedUnavailable" 1,
    PropertyChangesAsked => "PropertyChangesAsked" 1,
    PropertyPaused => "PropertyPaused" 1,
    PropertyReopened => "PropertyReopened" 1,
    PropertyClosed => "PropertyClosed" 1,
    PropertyMerged => "PropertyMerged" 1,
    ReasonGiven => "ReasonGiven" 1,
} upcasts {
    "PropertyListed" 1 => "PropertyListed" 2: without_guesses,
    "PropertyListed" 2 => "PropertyListed" 3: as_it_is,
    "PropertyListed" 3 => "PropertyListed" 4: as_it_is,
    "PropertyDetailsChanged" 1 => "PropertyDetailsChanged" 2: without_guesses,
    "PropertyDetailsChanged" 2 => "PropertyDetailsChanged" 3: as_it_is,
    "PropertyDetailsChanged" 3 => "PropertyDetailsChanged" 4: as_it_is,
    "PropertyDetailsChanged" 4 => "PropertyDetailsChanged" 5: as_it_is,
    "RoomListed" 1 => "RoomListed" 2: as_it_is,
    "RoomListed" 2 => "RoomListed" 3: as_it_is,
    "RoomListed" 3 => "RoomListed" 4: as_it_is,
    "RoomListed" 4 => "RoomListed" 5: as_it_is,
    "RoomDetailsChanged" 1 => "RoomDetailsChanged" 2: as_it_is,
    "RoomDetailsChanged" 2 => "RoomDetailsChanged" 3: as_it_is,
    "RoomDetailsChanged" 3 => "RoomDetailsChanged" 4: as_it_is,
    "RoomDetailsChanged" 4 => "RoomDetailsChanged" 5: as_it_is,
    "RoomPriced" 1 => "RoomPriced" 2: as_it_is,
    "RoomPriced" 2 => "RoomPriced" 3: as_it_is,
    "RoomPriced" 3 => "RoomPriced" 4: as_it_is,
    "RoomPriced" 4 => "RoomPriced" 5: as_it_is,
    "FactsSet" 1 => "FactsSet" 2: as_it_is,
    "FactsSet" 2 => "FactsSet" 3: as_it_is,
    "FactsUnset" 1 => "FactsUnset" 2: as_it_is,
    "FactsUnset" 2 => "FactsUnset" 3: as_it_is,
});

impl InventoryEvent {
    /// The property's details as they are shown from this event on; `None` for one that says nothing of them.
    pub fn shown_property(self) -> Option<PropertyDetails> {
        match self {
            Self::PropertyListed { property } => Some(*property),
            Self::PropertyDetailsChanged { property, set } => Some(property.with_facts(&set)),
            _ => None,
        }
    }

    /// Who acted, and why.
    pub const fn reason(&self) -> Option<(UserId, &Sealed<String>)> {
        match self {
            Self::FactsSet { by, reason, .. }
            | Self::FactsUnset { by, reason, .. }
            | Self::ReasonGiven { by, reason } => Some((*by, reason)),
            _ => None,
        }
    }
}

/// A person's reason is sealed under their own key.
impl Sealable for InventoryEvent {
    fn subject(&self) -> Option<UserId> {
        self.reason().map(|(by, _)| by)
    }

    fn personal(&self) -> Option<Vec<u8>> {
        self.reason().and_then(|(_, reason)| reason.to_json())
    }

    fn reveal(&mut self, plain: Option<&[u8]>) {
        if let Self::FactsSet { reason, .. }
        | Self::FactsUnset { reason, .. }
        | Self::ReasonGiven { reason, .. } = self
        {
            reason.reveal(plain);
        }
    }
}

/// Addresses and pictures that an event describes anew, which no person sets over their source's.
#[derive(Debug, Clone, Copy)]
pub enum Described<'e> {
    Property(&'e PropertyDetails),
    Room(&'e RoomDetails),
}

impl InventoryEvent {
    pub fn described(&self) -> Option<Described<'_>> {
        match self {
            Self::PropertyListed { property } | Self::PropertyDetailsChanged { property, .. } => {
                Some(Described::Property(property))
            }
            Self::RoomListed { room, .. } | Self::RoomDetailsChanged { room, .. } => {
                Some(Described::Room(room))
            }
            Self::RoomWithdrawn { .. }
            | Self::RoomPriced { .. }
            | Self::FactsSet { .. }
            | Self::FactsUnset { .. }
            | Self::PriceHistoryRecorded { .. }
            | Self::OfferPublished { .. }
            | Self::OfferWithdrawn { .. }
            | Self::ReviewsPublished { .. }
            | Self::PropertySubmitted {}
            | Self::PropertyActivated {}
            | Self::PropertyDeactivated {}
            | Self::PropertyDeleted {}
            | Self::PropertyMarkedAvailable {}
            | Self::PropertyMarkedUnavailable {}
            | Self::PropertyChangesAsked {}
            | Self::PropertyPaused { .. }
            | Self::PropertyReopened {}
            | Self::PropertyClosed { .. }
            | Self::PropertyMerged { .. }
            | Self::ReasonGiven { .. } => None,
        }
    }
}
