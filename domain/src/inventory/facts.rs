//! Facts of a home that a person may set over what its source says (U6, decision 0044). A fact is laid over details by one function,
//! which the fold of the home and every reader of its events use.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::let_room::{LeaseOption, RoomDetails};
use super::photo_list::PhotoList;
use super::property::{Feature, Guarantor, PaymentTerms, PropertyDetails, PropertyKind};
use crate::id::{InventoryId, RegionId};
use crate::lease::Stay;
use crate::place::{Address, Coordinates};
use crate::room::RoomAttributes;
use crate::wording::Wording;

/// A fact of a home with its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    Name(String),
    /// Its name for readers of the language of this tag; `None` where it has none of its own.
    LocalName {
        language: String,
        text: Option<String>,
    },
    /// In the language of this tag; `None` where nothing is written in it.
    Description {
        language: String,
        text: Option<String>,
    },
    Kind(Option<PropertyKind>),
    Address(Box<Address>),
    Facilities(Vec<Feature>),
    Guarantor(Option<Guarantor>),
    BillsIncluded(Option<bool>),
    Terms(PaymentTerms),
    /// The city that it is found under, and the area of the city.
    Place {
        region: RegionId,
        area: Option<RegionId>,
    },
    /// The point on the map.
    Coordinates(Option<Coordinates>),
    /// Its photos and plans, those of its room types left out.
    Photos(PhotoList),
    RoomName {
        room: InventoryId,
        name: Wording,
    },
    RoomKind {
        room: InventoryId,
        attributes: RoomAttributes,
    },
    RoomPhotos {
        room: InventoryId,
        list: PhotoList,
    },
    /// How many rooms of the type there are, and whether that was said.
    RoomCount {
        room: InventoryId,
        rooms: u32,
        is_said: bool,
    },
    /// Per period of the property, in its currency.
    LeasePrice {
        room: InventoryId,
        stay: Stay,
        price_minor: u64,
    },
}

/// Which fact, without its value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FactKey {
    Name,
    LocalName(String),
    Description(String),
    Kind,
    Address,
    Facilities,
    Guarantor,
    BillsIncluded,
    Terms,
    Place,
    Coordinates,
    Photos,
    RoomName(InventoryId),
    RoomKind(InventoryId),
    RoomPhotos(InventoryId),
    RoomCount(InventoryId),
    LeasePrice(InventoryId, Stay),
}

/// The facts that a source describes with one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Property,
    Room(InventoryId),
    Offer(InventoryId),
}

/// Its name in answers: `guarantor`, `description.` with a tag, `rooms.<id>.count`.
impl fmt::Display for FactKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name => f.write_str("name"),
            Self::LocalName(language) => write!(f, "name.{language}"),
            Self::Description(language) => write!(f, "description.{language}"),
            Self::Kind => f.write_str("kind"),
            Self::Address => f.write_str("address"),
            Self::Facilities => f.write_str("facilities"),
            Self::Guarantor => f.write_str("guarantor"),
            Self::BillsIncluded => f.write_str("bills_included"),
            Self::Terms => f.write_str("terms"),
            Self::Place => f.write_str("place"),
            Self::Coordinates => f.write_str("coordinates"),
            Self::Photos => f.write_str("photos"),
            Self::RoomName(room) => write!(f, "rooms.{room}.name"),
            Self::RoomKind(room) => write!(f, "rooms.{room}.kind"),
            Self::RoomPhotos(room) => write!(f, "rooms.{room}.photos"),
            Self::RoomCount(room) => write!(f, "rooms.{room}.count"),
            Self::LeasePrice(room, stay) => write!(f, "rooms.{room}.price.{}", stay.key()),
        }
    }
}

impl FactKey {
    /// The event that describes it.
    pub const fn part(&self) -> Part {
        match self {
            Self::Name
            | Self::LocalName(_)
            | Self::Description(_)
            | Self::Kind
            | Self::Address
            | Self::Facilities
            | Self::Guarantor
            | Self::BillsIncluded
            | Self::Terms
            | Self::Place
            | Self::Coordinates
            | Self::Photos => Part::Property,
            Self::RoomName(room) | Self::RoomKind(room) | Self::RoomPhotos(room) => Part::Room(*room),
            Self::RoomCount(room) | Self::LeasePrice(room, _) => Part::Offer(*room),
        }
    }

    /// The room that it is a fact of.
    pub const fn room(&self) -> Option<InventoryId> {
        match self.part() {
            Part::Property => None,
            Part::Room(room) | Part::Offer(room) => Some(room),
        }
    }

    /// That nothing is written in a language, which is a value too; `None` for a fact of another kind.
    pub fn unwritten(&self) -> Option<Fact> {
        match self {
            Self::Description(language) => Some(Fact::Description {
                language: language.clone(),
                text: None,
            }),
            Self::LocalName(language) => Some(Fact::LocalName {
                language: language.clone(),
                text: None,
            }),
            _ => None,
        }
    }

    /// Whether its value is an amount, which means nothing in another currency.
    pub const fn is_amount(&self) -> bool {
        matches!(self, Self::Terms | Self::LeasePrice(..))
    }

    /// True for photos and plans, which are edited apart from other facts.
    pub const fn is_photos(&self) -> bool {
        matches!(self, Self::Photos | Self::RoomPhotos(_))
    }
}

impl Fact {
    pub fn key(&self) -> FactKey {
        match self {
            Self::Name(_) => FactKey::Name,
            Self::LocalName { language, .. } => FactKey::LocalName(language.clone()),
            Self::Description { language, .. } => FactKey::Description(language.clone()),
            Self::Kind(_) => FactKey::Kind,
            Self::Address(_) => FactKey::Address,
            Self::Facilities(_) => FactKey::Facilities,
            Self::Guarantor(_) => FactKey::Guarantor,
            Self::BillsIncluded(_) => FactKey::BillsIncluded,
            Self::Terms(_) => FactKey::Terms,
            Self::Place { .. } => FactKey::Place,
            Self::Coordinates(_) => FactKey::Coordinates,
            Self::Photos(_) => FactKey::Photos,
            Self::RoomName { room, .. } => FactKey::RoomName(*room),
            Self::RoomKind { room, .. } => FactKey::RoomKind(*room),
            Self::RoomPhotos { room, .. } => FactKey::RoomPhotos(*room),
            Self::RoomCount { room, .. } => FactKey::RoomCount(*room),
            Self::LeasePrice { room, stay, .. } => FactKey::LeasePrice(*room, *stay),
        }
    }

    /// The photos of a fact that says some.
    pub const fn photos(&self) -> Option<&PhotoList> {
        match self {
            Self::Photos(list) | Self::RoomPhotos { list, .. } => Some(list),
            _ => None,
        }
    }

    /// The rest of a person's value that stands where its source, which said `before`, says `now`: of photos each that the source did not
    /// change, of anything else nothing.
    pub(super) fn meet(&self, before: &Self, now: &Self) -> Option<Self> {
        let (set, before, now) = (self.photos()?, before.photos()?, now.photos()?);
        let met = set.meet(before, now);
        if met == *now {
            return None;
        }
        Some(match self {
            Self::RoomPhotos { room, .. } => Self::RoomPhotos {
                room: *room,
                list: met,
            },
            _ => Self::Photos(met),
        })
    }

    fn write_to_property(&self, property: &mut PropertyDetails) {
        match self {
            Self::Name(name) => property.name.clone_from(name),
            Self::LocalName { language, text } => property.local_names.write(language, text.as_deref()),
            Self::Description { language, text } => property.description.write(language, text.as_deref()),
            Self::Kind(kind) => property.kind = *kind,
            Self::Address(address) => property.address.clone_from(address),
            Self::Facilities(features) => property.features.clone_from(features),
            Self::Guarantor(guarantor) => property.guarantor = *guarantor,
            Self::BillsIncluded(bills_included) => property.facts.bills_included = *bills_included,
            Self::Terms(terms) => property.terms.clone_from(terms),
            Self::Place { region, area } => (property.region, property.area) = (*region, *area),
            Self::Coordinates(point) => property.coordinates = *point,
            Self::Photos(list) => list.write_to(&mut property.media),
            Self::RoomName { .. }
            | Self::RoomKind { .. }
            | Self::RoomPhotos { .. }
            | Self::RoomCount { .. }
            | Self::LeasePrice { .. } => {}
        }
    }

    fn write_to_room(&self, details: &mut RoomDetails) {
        match self {
            Self::RoomName { room, name } if *room == details.id => details.name.clone_from(name),
            Self::RoomKind { room, attributes } if *room == details.id => details.attributes = *attributes,
            Self::RoomPhotos { room, list } if *room == details.id => list.write_to(&mut details.media),
            _ => {}
        }
    }

    fn write_to_offer(&self, of: InventoryId, offer: &mut Offered) {
        match self {
            Self::RoomCount { room, rooms, is_said } if *room == of => {
                offer.rooms = *rooms;
                offer.is_count_said = *is_said;
            }
            Self::LeasePrice {
                room,
                stay,
                price_minor,
            } if *room == of => {
                // Of two that say the same stay the first counts.
                let lease = offer.leases.iter_mut().find(|lease| lease.stay() == *stay);
                if let Some(lease) = lease {
                    lease.price_minor = *price_minor;
                }
            }
            _ => {}
        }
    }
}

/// The offer of a room type: how many rooms there are, whether that was said, and its leases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    pub rooms: u32,
    pub is_count_said: bool,
    pub leases: Vec<LeaseOption>,
}

/// Details of which facts are laid over their source's.
pub trait Shown {
    /// Puts a fact in place of the one that stands there; a fact of something else changes nothing.
    fn lay(&mut self, fact: &Fact);

    /// The same details as they are shown: their source's, with what a person set over it.
    #[must_use]
    fn with_facts(mut self, set: &[Fact]) -> Self
    where
        Self: Sized,
    {
        for fact in set {
            self.lay(fact);
        }
        self
    }
}

impl Shown for PropertyDetails {
    fn lay(&mut self, fact: &Fact) {
        fact.write_to_property(self);
    }
}

impl Shown for RoomDetails {
    fn lay(&mut self, fact: &Fact) {
        fact.write_to_room(self);
    }
}

/// An offer with the room that it is of.
impl Shown for (InventoryId, Offered) {
    fn lay(&mut self, fact: &Fact) {
        fact.write_to_offer(self.0, &mut self.1);
    }
}

/// The facts of a property's details.
pub(super) fn list_property_facts(property: &PropertyDetails) -> Vec<Fact> {
    let texts = property.description.texts().map(|(tag, text)| Fact::Description {
        language: tag.to_owned(),
        text: Some(text.to_owned()),
    });
    let names = property.local_names.texts().map(|(tag, text)| Fact::LocalName {
        language: tag.to_owned(),
        text: Some(text.to_owned()),
    });
    let mut facts = vec![Fact::Name(property.name.clone())];
    facts.extend(names);
    facts.extend(texts);
    facts.extend([
        Fact::Kind(property.kind),
        Fact::Address(Box::new(property.address.clone())),
        Fact::Facilities(property.features.clone()),
        Fact::Guarantor(property.guarantor),
        Fact::BillsIncluded(property.facts.bills_included),
        Fact::Terms(property.terms.clone()),
        Fact::Place {
            region: property.region,
            area: property.area,
        },
        Fact::Coordinates(property.coordinates),
        Fact::Photos(PhotoList::of(&property.media)),
    ]);
    facts
}

/// The facts of a room's details.
pub(super) fn list_room_facts(details: &RoomDetails) -> Vec<Fact> {
    let room = details.id;
    vec![
        Fact::RoomName {
            room,
            name: details.name.clone(),
        },
        Fact::RoomKind {
            room,
            attributes: details.attributes,
        },
        Fact::RoomPhotos {
            room,
            list: PhotoList::of(&details.media),
        },
    ]
}

/// The facts of a room's offer.
pub(super) fn list_offer_facts(room: InventoryId, offer: &Offered) -> Vec<Fact> {
    let count = Fact::RoomCount {
        room,
        rooms: offer.rooms,
        is_said: offer.is_count_said,
    };
    let prices = offer.leases.iter().map(|lease| Fact::LeasePrice {
        room,
        stay: lease.stay(),
        price_minor: lease.price_minor,
    });
    std::iter::once(count).chain(prices).collect()
}

/// The value of a fact among these. That nothing is written in a language is a value too.
pub(super) fn find_fact(facts: &[Fact], key: &FactKey) -> Option<Fact> {
    let found = facts.iter().find(|fact| fact.key() == *key).cloned();
    found.or_else(|| key.unwritten())
}

/// How many rooms of a type are shown where its source says this number and a person set these facts.
pub fn count_shown(of: InventoryId, rooms: u32, set: &[Fact]) -> u32 {
    let counted = set.iter().find_map(|fact| match fact {
        Fact::RoomCount { room, rooms, .. } if *room == of => Some(*rooms),
        _ => None,
    });
    counted.unwrap_or(rooms)
}

/// Whether each lease of a room may take all rooms, where its source says a count or none and a person set these facts: of a source that counts
/// nothing, one room free for a lease is an assumption, which a person's count ends.
pub fn is_each_lease_of_all(of: InventoryId, is_count_said: bool, set: &[Fact]) -> bool {
    let counts = |fact: &Fact| matches!(fact, Fact::RoomCount { room, is_said: true, .. } if *room == of);
    !is_count_said && set.iter().any(counts)
}

/// The leases of a room that are shown where its source says these and a person set these facts.
pub fn show_leases(of: InventoryId, leases: Vec<LeaseOption>, set: &[Fact]) -> Vec<LeaseOption> {
    let offer = Offered {
        rooms: 0,
        is_count_said: false,
        leases,
    };
    (of, offer).with_facts(set).1.leases
}
