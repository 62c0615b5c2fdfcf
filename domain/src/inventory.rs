//! A property with its rooms (Spec §3 Inventory). Rooms are child inventories: each has its own id and lives in its
//! property's stream. How many of a room are still to be had is decided by `room_stock`, not here.

pub mod asked_price;
pub mod change_kind;
mod event;
pub mod facts;
mod home_state;
pub mod let_room;
pub mod market;
pub mod media;
pub mod on_offer;
pub mod photo_list;
pub mod picture_path;
pub mod price_lock;
pub mod property;
mod publishing;
mod rejection;
pub mod room_offer;
pub mod said;
pub mod state;
pub mod stay_price;
pub mod values;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

pub use self::event::{Described, InventoryEvent};
use self::facts::{Fact, Part, is_each_lease_of_all, list_property_facts, list_room_facts};
use self::let_room::{LetRoom, RoomDetails};
use self::market::{Offer, PriceSeries, RatingSums, Review};
use self::property::{PropertyDetails, Tag};
pub use self::rejection::InventoryRejection;
use self::rejection::check_property;
use self::room_offer::{RoomOffer, counted_rooms};
use self::said::said_room;
pub use self::state::Status;
use self::state::{ClosedBy, HomeState};
use self::values::FactEdit;
use crate::aggregate::Decide;
use crate::id::{InventoryId, UserId};
use crate::money::Currency;
use crate::place::is_canonical;
use crate::sealed::Sealed;

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
    /// A person sets facts over their source's values, or takes their own back.
    EditFacts {
        edit: Box<FactEdit>,
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
    /// Leads to another home, of which this is a double.
    MergeInto {
        home: InventoryId,
    },
    /// A command of a member of staff, with their reason.
    Reasoned(Box<Reasoned>),
    MarkAvailable,
    MarkUnavailable,
}

/// A command of a member of staff, and why they give it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reasoned {
    pub command: InventoryCommand,
    pub by: UserId,
    pub reason: String,
}

/// A property as its events tell it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inventory {
    /// As it is shown.
    pub property: Option<Box<PropertyDetails>>,
    pub state: HomeState,
    pub marked_unavailable: bool,
    pub rooms: Vec<LetRoom>,
    pub offers: Vec<Offer>,
    pub ratings: RatingSums,
    pub review_ids: Vec<String>,
    /// The home that is kept instead of this double.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged_into: Option<InventoryId>,
    /// The source's own values of the facts that a person set: these are not shown, and lie beneath those that are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    beneath: Vec<Fact>,
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
        let source = self.sourced();
        Ok(match source.property.as_deref() {
            None => vec![InventoryEvent::PropertyListed { property }],
            Some(known) if *known == *property => vec![],
            Some(known) => {
                let is_same_money = known.has_money_of(&property);
                let incoming = || list_property_facts(&property);
                let set = self.standing(Part::Property, is_same_money, incoming);
                vec![InventoryEvent::PropertyDetailsChanged { property, set }]
            }
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
        let set = self.standing(Part::Room(room.id), true, || list_room_facts(&room));
        Ok(match self.sourced().room(room.id) {
            Some(known) if !known.withdrawn && known.details == room => vec![],
            Some(known) if !known.withdrawn => {
                vec![InventoryEvent::RoomDetailsChanged { room, is_said, set }]
            }
            Some(_) | None => vec![InventoryEvent::RoomListed { room, is_said, set }],
        })
    }

    fn adopt(
        &self,
        property: Box<PropertyDetails>,
        rooms: Vec<(RoomDetails, RoomOffer)>,
    ) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        let kept: Vec<InventoryId> = rooms.iter().map(|(room, _)| room.id).collect();
        let known = self.property.as_deref();
        let is_same_money = known.is_none_or(|known| known.has_money_of(&property));
        let mut events = self.describe(property)?;
        for (room, offer) in rooms {
            let id = room.id;
            events.extend(self.list_room(room)?);
            events.extend(self.offer_leases(id, offer, is_same_money)?);
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

    /// Puts the reason before the events; a command that changes nothing needs none.
    fn with_reason(&self, asked: Reasoned) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        let Reasoned { command, by, reason } = asked;
        let mut events = self.decide(command)?;
        if !events.is_empty() {
            let reason = Sealed::new(reason);
            events.insert(0, InventoryEvent::ReasonGiven { by, reason });
        }
        Ok(events)
    }
}

impl Inventory {
    /// Whether a feed brought it.
    fn is_imported(&self) -> bool {
        self.property
            .as_deref()
            .is_some_and(|property| property.source.is_some())
    }

    /// The value of an offer means nothing in another currency than the one it was published in.
    fn end_offers_of_other_money(&mut self, currency: Currency) {
        let known = self.property.as_deref();
        if known.is_some_and(|known| known.currency != currency) {
            self.offers.clear();
        }
    }

    fn count_reviews(&mut self, written: &[Review], unwritten: RatingSums) {
        self.ratings.add_all(unwritten);
        for review in written {
            self.ratings.add(review);
            self.review_ids.push(review.id.clone());
        }
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
                leases_take_all: false,
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
                self.offer_leases(room, offer, true)
            }
            C::EditFacts { edit } => self.edit_facts(*edit),
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
            C::MergeInto { home } => self.merge_into(home),
            C::Reasoned(asked) => self.with_reason(*asked),
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
            E::PropertyListed { property } => self.property = Some(property.clone()),
            E::PropertyDetailsChanged { property, set } => {
                self.end_offers_of_other_money(property.currency);
                self.property = Some(property.clone());
                self.lay_over(Part::Property, set);
            }
            E::RoomListed { room, is_said, set } | E::RoomDetailsChanged { room, is_said, set } => {
                self.put(room, *is_said);
                self.lay_over(Part::Room(room.id), set);
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
                set,
            } => {
                let is_count_said = is_count_said.unwrap_or_else(|| !self.is_imported());
                for known in self.rooms.iter_mut().filter(|known| known.details.id == *room) {
                    (known.rooms, known.leases) = counted_rooms(known.rooms, *rooms, leases);
                    known.is_count_said = is_count_said;
                    known.leases_take_all = is_each_lease_of_all(*room, is_count_said, set);
                }
                self.lay_over(Part::Offer(*room), set);
            }
            E::OfferPublished { offer } => {
                self.offers.retain(|known| known.id != offer.id);
                self.offers.push((**offer).clone());
            }
            E::OfferWithdrawn { offer } => self.offers.retain(|known| known.id != *offer),
            E::ReviewsPublished { written, unwritten } => self.count_reviews(written, *unwritten),
            E::PropertyMerged { into } => self.merged_into = Some(*into),
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
            | E::PriceHistoryRecorded { series: _ }
            // The descriptions that come with an edit say what is shown now.
            | E::FactsSet { .. }
            | E::FactsUnset { .. }
            | E::ReasonGiven { .. } => {}
        }
    }
}

#[cfg(test)]
mod counting;
#[cfg(test)]
mod edit_story;
#[cfg(test)]
mod samples;
#[cfg(test)]
pub(crate) mod tests;
