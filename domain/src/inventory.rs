//! A property with its rooms (Spec §3 Inventory). Rooms are child inventories: each has its own id and lives in its
//! property's stream. How many of a room are still to be had is decided by `room_stock`, not here.

pub mod asked_price;
pub mod let_room;
pub mod market;
pub mod on_offer;
pub mod picture_path;
pub mod price_lock;
pub mod property;
mod publishing;
mod rejection;
pub mod room_offer;
pub mod said;
pub mod state;
pub mod stay_price;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use self::let_room::{LeaseOption, LetRoom, RoomDetails};
use self::market::{Offer, PriceSeries, RatingSums, Review};
use self::property::{PropertyDetails, Tag};
pub use self::rejection::InventoryRejection;
use self::rejection::check_property;
use self::room_offer::{RoomOffer, counted_rooms};
use self::said::{said_room, without_guesses};
pub use self::state::Status;
use self::state::{ClosedBy, HomeState};
use crate::aggregate::Decide;
use crate::id::{InventoryId, PaymentId};
use crate::place::is_canonical;
use crate::sealed::Sealable;
use crate::shape::as_it_is;

/// What a provider, the importer or staff may ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InventoryCommand {
    /// Take the whole listing as its source has it now: lists what is new, records only what differs, withdraws what is gone.
    Adopt {
        property: Box<PropertyDetails>,
        rooms: Vec<(RoomDetails, RoomOffer)>,
    },
    ChangeDetails {
        property: Box<PropertyDetails>,
    },
    ListRoom {
        room: RoomDetails,
    },
    WithdrawRoom {
        room: InventoryId,
    },
    /// Replaces the leases a room is offered for: prices and availability.
    OfferLeases {
        room: InventoryId,
        offer: RoomOffer,
    },
    /// A person says how many rooms of a type there are.
    CountRooms {
        room: InventoryId,
        rooms: u32,
        /// The word of the room's stock at this moment: who takes a night for which there would be too few.
        taken_above: Vec<PaymentId>,
    },
    RecordPriceHistory {
        series: Vec<PriceSeries>,
    },
    PublishOffer {
        offer: Box<Offer>,
    },
    WithdrawOffer {
        offer: String,
    },
    PublishReviews {
        written: Vec<Review>,
        unwritten: RatingSums,
    },
    SubmitForReview,
    /// Asks the provider to change something before it is let.
    AskChanges,
    Activate,
    Deactivate,
    /// Lets it to nobody new, until a day where one is known.
    Pause {
        reopens_on: Option<NaiveDate>,
    },
    /// Lets a paused or closed home again.
    Reopen,
    /// Lets it no longer; its bookings stand.
    Close {
        by: ClosedBy,
    },
    Delete,
    MarkAvailable,
    MarkUnavailable,
}

/// What happened to a property or one of its rooms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum InventoryEvent {
    PropertyListed {
        property: Box<PropertyDetails>,
    },
    PropertyDetailsChanged {
        property: Box<PropertyDetails>,
    },
    RoomListed {
        room: RoomDetails,
        /// Whether all its facts were said. An importer could leave none out in events of version 1, and filled them in.
        #[serde(default)]
        is_said: bool,
    },
    RoomDetailsChanged {
        room: RoomDetails,
        /// The same.
        #[serde(default)]
        is_said: bool,
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
}

crate::event_names!(InventoryEvent {
    PropertyListed => "PropertyListed" 2,
    PropertyDetailsChanged => "PropertyDetailsChanged" 2,
    RoomListed => "RoomListed" 2,
    RoomDetailsChanged => "RoomDetailsChanged" 2,
    RoomWithdrawn => "RoomWithdrawn" 1,
    RoomPriced => "RoomPriced" 3,
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
} upcasts {
    "PropertyListed" 1 => "PropertyListed" 2: without_guesses,
    "PropertyDetailsChanged" 1 => "PropertyDetailsChanged" 2: without_guesses,
    "RoomListed" 1 => "RoomListed" 2: as_it_is,
    "RoomDetailsChanged" 1 => "RoomDetailsChanged" 2: as_it_is,
    "RoomPriced" 1 => "RoomPriced" 2: as_it_is,
    "RoomPriced" 2 => "RoomPriced" 3: as_it_is,
});

impl Sealable for InventoryEvent {}

/// What an event describes anew, for readers that care for names and pictures alone.
#[derive(Debug, Clone, Copy)]
pub enum Described<'e> {
    Property(&'e PropertyDetails),
    Room(&'e RoomDetails),
}

impl InventoryEvent {
    pub fn described(&self) -> Option<Described<'_>> {
        match self {
            Self::PropertyListed { property } | Self::PropertyDetailsChanged { property } => {
                Some(Described::Property(property))
            }
            Self::RoomListed { room, .. } | Self::RoomDetailsChanged { room, .. } => {
                Some(Described::Room(room))
            }
            Self::RoomWithdrawn { .. }
            | Self::RoomPriced { .. }
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
            | Self::PropertyClosed { .. } => None,
        }
    }
}

/// A property as its events tell it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inventory {
    pub property: Option<Box<PropertyDetails>>,
    pub state: HomeState,
    pub marked_unavailable: bool,
    pub rooms: Vec<LetRoom>,
    pub offers: Vec<Offer>,
    pub ratings: RatingSums,
    pub review_ids: Vec<String>,
}

crate::aggregate!(Inventory);

impl Inventory {
    /// Its status by the wire's word.
    pub const fn status(&self) -> Status {
        self.state.status()
    }

    /// Spec §4: unavailable when tagged, when marked so, or (it has no parent) when its status is not active.
    pub fn available(&self) -> bool {
        let tagged = |property: &PropertyDetails| property.tags.contains(&Tag::NotAvailable);
        let open = self.property.as_deref().is_some_and(|property| !tagged(property));
        open && !self.marked_unavailable && self.status() == Status::Active
    }

    /// Rooms that are still let.
    pub fn let_rooms(&self) -> impl Iterator<Item = &LetRoom> {
        self.rooms.iter().filter(|room| !room.withdrawn)
    }

    fn room(&self, id: InventoryId) -> Option<&LetRoom> {
        self.rooms.iter().find(|room| room.details.id == id)
    }

    fn listed(&self) -> Result<&PropertyDetails, InventoryRejection> {
        match (self.status(), self.property.as_deref()) {
            (Status::Deleted, Some(_)) => Err(InventoryRejection::Deleted),
            (_, Some(property)) => Ok(property),
            (_, None) => Err(InventoryRejection::NotListed),
        }
    }

    fn describe(&self, property: Box<PropertyDetails>) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        if self.status() == Status::Deleted {
            return Err(InventoryRejection::Deleted);
        }
        check_property(&property)?;
        Ok(match self.property.as_deref() {
            None => vec![InventoryEvent::PropertyListed { property }],
            Some(known) if *known == *property => vec![],
            Some(_) => vec![InventoryEvent::PropertyDetailsChanged { property }],
        })
    }

    fn list_room(&self, room: RoomDetails) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        if room.name.is_blank() {
            return Err(InventoryRejection::Empty("room name"));
        }
        if !is_canonical(&room.canonical_name) {
            return Err(InventoryRejection::BadCanonicalName(room.canonical_name));
        }
        if room.asked_minor == Some(0) {
            return Err(InventoryRejection::NoPrice(room.id));
        }
        let is_said = true;
        Ok(match self.room(room.id) {
            None => vec![InventoryEvent::RoomListed { room, is_said }],
            Some(known) if known.withdrawn => vec![InventoryEvent::RoomListed { room, is_said }],
            Some(known) if known.details == room => vec![],
            Some(_) => vec![InventoryEvent::RoomDetailsChanged { room, is_said }],
        })
    }

    fn adopt(
        &self,
        property: Box<PropertyDetails>,
        rooms: Vec<(RoomDetails, RoomOffer)>,
    ) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        let kept: Vec<InventoryId> = rooms.iter().map(|(room, _)| room.id).collect();
        let mut events = self.describe(property)?;
        for (room, offer) in rooms {
            let id = room.id;
            events.extend(self.list_room(room)?);
            events.extend(self.offer_leases(id, offer)?);
        }
        let gone = self
            .let_rooms()
            .map(|room| room.details.id)
            .filter(|id| !kept.contains(id));
        events.extend(gone.map(|room| InventoryEvent::RoomWithdrawn { room }));
        Ok(events)
    }

    fn move_to(
        &self,
        status: Status,
        event: InventoryEvent,
    ) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        self.listed()?;
        if status == Status::Active && self.let_rooms().next().is_none() {
            return Err(InventoryRejection::NoRooms);
        }
        Ok(if self.status() == status {
            vec![]
        } else {
            vec![event]
        })
    }
}

impl Inventory {
    /// Whether a feed brought it.
    fn is_imported(&self) -> bool {
        self.property
            .as_deref()
            .is_some_and(|property| property.source.is_some())
    }

    fn put(&mut self, room: &RoomDetails, is_said: bool) {
        let room = said_room(room.clone(), is_said, self.is_imported());
        match self.rooms.iter_mut().find(|known| known.details.id == room.id) {
            Some(known) => {
                known.details = room;
                known.withdrawn = false;
            }
            None => self.rooms.push(LetRoom {
                details: room,
                rooms: 0,
                is_count_said: false,
                leases: Vec::new(),
                withdrawn: false,
            }),
        }
    }
}

impl Decide for Inventory {
    const KIND: &'static str = "inventory";
    type Command = InventoryCommand;
    type Event = InventoryEvent;
    type Rejection = InventoryRejection;

    fn decide(&self, command: InventoryCommand) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        use InventoryCommand as C;
        use InventoryEvent as E;
        match command {
            C::Adopt { property, rooms } => self.adopt(property, rooms),
            C::ChangeDetails { property } => self.listed().map(|_| ()).and_then(|()| self.describe(property)),
            C::ListRoom { room } => self.listed().map(|_| ()).and_then(|()| self.list_room(room)),
            C::WithdrawRoom { room } => {
                self.listed()?;
                let known = self.room(room).ok_or(InventoryRejection::UnknownRoom(room))?;
                Ok(if known.withdrawn {
                    vec![]
                } else {
                    vec![E::RoomWithdrawn { room }]
                })
            }
            C::OfferLeases { room, offer } => {
                self.listed()?;
                self.room(room).ok_or(InventoryRejection::UnknownRoom(room))?;
                self.offer_leases(room, offer)
            }
            C::CountRooms {
                room,
                rooms,
                taken_above,
            } => self.count_rooms(room, rooms, taken_above),
            C::RecordPriceHistory { series } => self.record_prices(series),
            C::PublishOffer { offer } => self.publish_offer(offer),
            C::WithdrawOffer { offer } => self.withdraw_offer(offer),
            C::PublishReviews { written, unwritten } => self.publish_reviews(written, unwritten),
            C::SubmitForReview => self.move_to(Status::InReview, E::PropertySubmitted {}),
            // Who waits is offered its rooms by this event alone.
            C::Activate if self.status() == Status::Inactive => self.reopen(),
            C::Activate => self.move_to(Status::Active, E::PropertyActivated {}),
            C::AskChanges => self.ask_changes(),
            C::Pause { reopens_on } => self.pause(reopens_on),
            C::Reopen => self.reopen(),
            C::Close { by } => self.close(by),
            C::Deactivate => self.move_to(Status::Inactive, E::PropertyDeactivated {}),
            C::Delete if self.status() == Status::Deleted => Ok(vec![]),
            C::Delete => self.move_to(Status::Deleted, E::PropertyDeleted {}),
            C::MarkAvailable => {
                self.listed()?;
                Ok(if self.marked_unavailable {
                    vec![E::PropertyMarkedAvailable {}]
                } else {
                    vec![]
                })
            }
            C::MarkUnavailable => {
                self.listed()?;
                Ok(if self.marked_unavailable {
                    vec![]
                } else {
                    vec![E::PropertyMarkedUnavailable {}]
                })
            }
        }
    }

    fn evolve(&mut self, event: &InventoryEvent) {
        use InventoryEvent as E;
        self.state = HomeState::after(event).unwrap_or(self.state);
        match event {
            E::PropertyListed { property } | E::PropertyDetailsChanged { property } => {
                self.property = Some(property.clone());
            }
            E::RoomListed { room, is_said } | E::RoomDetailsChanged { room, is_said } => {
                self.put(room, *is_said);
            }
            E::RoomWithdrawn { room } => {
                for known in self.rooms.iter_mut().filter(|known| known.details.id == *room) {
                    known.withdrawn = true;
                }
            }
            E::RoomPriced {
                room,
                rooms,
                is_count_said,
                leases,
            } => {
                let is_count_said = is_count_said.unwrap_or_else(|| !self.is_imported());
                for known in self.rooms.iter_mut().filter(|known| known.details.id == *room) {
                    (known.rooms, known.leases) = counted_rooms(known.rooms, *rooms, leases);
                    known.is_count_said = is_count_said;
                }
            }
            E::OfferPublished { offer } => {
                self.offers.retain(|known| known.id != offer.id);
                self.offers.push((**offer).clone());
            }
            E::OfferWithdrawn { offer } => self.offers.retain(|known| known.id != *offer),
            E::ReviewsPublished { written, unwritten } => {
                self.ratings.add_all(*unwritten);
                for review in written {
                    self.ratings.add(review);
                    self.review_ids.push(review.id.clone());
                }
            }
            E::PropertyMarkedAvailable {} => self.marked_unavailable = false,
            E::PropertyMarkedUnavailable {} => self.marked_unavailable = true,
            E::PropertySubmitted {}
            | E::PropertyChangesAsked {}
            | E::PropertyActivated {}
            | E::PropertyDeactivated {}
            | E::PropertyPaused { .. }
            | E::PropertyReopened {}
            | E::PropertyClosed { .. }
            | E::PropertyDeleted {}
            | E::PriceHistoryRecorded { series: _ } => {}
        }
    }
}

#[cfg(test)]
mod counting;
#[cfg(test)]
mod samples;
#[cfg(test)]
pub(crate) mod tests;
