//! One property as its events tell it, with only what searching and showing a card needs; and the row the index keeps.

use std::collections::HashMap;

use chrono::{Datelike, NaiveDate};
use domain::aggregate::Decide;
use domain::country::Country;
use domain::id::{InventoryId, PaymentId, ProviderId, RegionId};
use domain::inventory::InventoryEvent;
use domain::inventory::facts::{Offered, Shown as _, is_each_lease_of_all};
use domain::inventory::let_room::{LeaseOption, RoomDetails};
use domain::inventory::market::RatingSums;
use domain::inventory::property::{Guarantor, Picture, PropertyDetails, PropertyKind, Tag, UnitType};
use domain::inventory::room_offer::counted_rooms;
use domain::inventory::said::said_room;
use domain::inventory::state::HomeState;
use domain::lease::{Lease, LeaseUnit, StayBucket};
use domain::moment::Moment;
use domain::money::{Currency, Period};
use domain::place::Coordinates;
use domain::room::Configuration;
use domain::room_stock::RoomStockEvent;
use domain::wording::Wording;

use super::card_photos::{NamedPhoto, name_photos};
use super::chunk::{LARGEST_PRICE, NO_PRICE, Row};
use super::listed_room::Room;
use super::query::{LeaseRange, MONTH, WEEK};
use super::room_lease::RoomLease;
use super::value::{Kind, Value};

mod days;

/// D58: until there are ratings a property counts as rated 4, weighing as much as ten reviews.
const PRIOR_RATING: u64 = 4;
const PRIOR_REVIEWS: u64 = 10;

/// A property in the index.
#[derive(Debug, Clone)]
pub struct Listing {
    pub id: InventoryId,
    /// Given in the order of first sight, so the same log gives the same numbers.
    pub number: u32,
    pub listed_at: Moment,
    /// The day of its last event: nights before it are over.
    day: NaiveDate,
    pub state: HomeState,
    pub facts: Option<Facts>,
    marked_unavailable: bool,
    rooms: Vec<Room>,
    pub offers: Vec<Offer>,
    pub ratings: RatingSums,
    /// Reviews with words, which a page can show.
    pub reviews_to_read: usize,
}

/// What is known about the property as a whole.
#[derive(Debug, Clone)]
pub struct Facts {
    pub name: String,
    pub local_names: Wording,
    pub canonical_name: String,
    pub kind: Option<PropertyKind>,
    pub unit_type: Option<UnitType>,
    pub country: Country,
    pub region: RegionId,
    pub area: Option<RegionId>,
    pub provider: Option<ProviderId>,
    /// `None` where nobody said a point.
    pub coordinates: Option<Coordinates>,
    pub currency: Currency,
    pub period: Period,
    pub features: Vec<String>,
    pub tags: Vec<Tag>,
    pub guarantor: Option<Guarantor>,
    pub dual_occupancy: Option<bool>,
    /// Whether a feed brought it.
    is_imported: bool,
    photos: Box<[NamedPhoto]>,
    pub pictures: Vec<Picture>,
}

/// A room type of which more rooms are sold for some night to come than there are: it is closed until somebody sees to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Oversold {
    pub home: InventoryId,
    pub room: InventoryId,
    /// How many there are.
    pub rooms: u32,
    /// The bookings of those nights.
    pub bookings: Vec<PaymentId>,
}

/// A discount or cashback with the days it can be had.
#[derive(Debug, Clone)]
pub struct Offer {
    id: String,
    pub value_minor: u64,
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
}

impl Offer {
    pub fn valid_on(&self, day: NaiveDate) -> bool {
        self.from.is_none_or(|from| from <= day) && self.to.is_none_or(|to| day <= to)
    }
}

impl Listing {
    pub fn new(id: InventoryId, number: u32, listed_at: Moment) -> Self {
        Self {
            id,
            number,
            listed_at,
            day: listed_at.date_naive(),
            state: HomeState::default(),
            facts: None,
            marked_unavailable: false,
            rooms: Vec::new(),
            offers: Vec::new(),
            ratings: RatingSums::default(),
            reviews_to_read: 0,
        }
    }

    /// Takes in one event of the property's stream.
    pub fn evolve(&mut self, event: InventoryEvent) {
        use InventoryEvent as E;
        self.state = HomeState::after(&event).unwrap_or(self.state);
        match event {
            E::PropertyListed { property } => self.facts = Some(Facts::of(*property)),
            E::PropertyDetailsChanged { property, set } => {
                self.end_offers_of_other_money(property.currency);
                self.facts = Some(Facts::of(property.with_facts(&set)));
            }
            E::RoomListed { room, is_said, set } | E::RoomDetailsChanged { room, is_said, set } => {
                self.put_room(&said_room(room, is_said, self.is_imported()).with_facts(&set));
            }
            E::RoomWithdrawn { room } => self.with_room(room, |room| room.withdrawn = true),
            E::RoomPriced {
                room,
                rooms,
                is_count_said,
                leases,
                set,
            } => {
                let is_count_said = is_count_said.unwrap_or_else(|| !self.is_imported());
                self.with_room(room, |known| {
                    let (rooms, leases) = counted_rooms(known.rooms, rooms, &leases);
                    let offer = Offered {
                        rooms,
                        is_count_said,
                        leases,
                    };
                    known.leases_take_all = is_each_lease_of_all(room, is_count_said, &set);
                    let (_, offer) = (room, offer).with_facts(&set);
                    known.rooms = offer.rooms;
                    known.is_count_said = offer.is_count_said;
                    known.leases = offer.leases;
                });
            }
            E::OfferPublished { offer } => {
                self.offers.retain(|known| known.id != offer.id);
                self.offers.push(Offer {
                    value_minor: offer.value_minor,
                    from: offer.valid_from,
                    to: offer.valid_to,
                    id: offer.id,
                });
            }
            E::OfferWithdrawn { offer } => self.offers.retain(|known| known.id != offer),
            E::ReviewsPublished { written, unwritten } => {
                self.ratings.add_all(unwritten);
                self.reviews_to_read += written.len();
                for review in &written {
                    self.ratings.add(review);
                }
            }
            E::PropertySubmitted {}
            | E::PropertyChangesAsked {}
            | E::PropertyActivated {}
            | E::PropertyDeactivated {}
            | E::PropertyPaused { .. }
            | E::PropertyReopened {}
            | E::PropertyClosed { .. }
            | E::PropertyMerged { .. }
            | E::ReasonGiven { .. }
            | E::PropertyDeleted {}
            | E::PriceHistoryRecorded { series: _ }
            // The descriptions that come with an edit say what is shown now.
            | E::FactsSet { .. }
            | E::FactsUnset { .. } => {}
            E::PropertyMarkedAvailable {} => self.marked_unavailable = false,
            E::PropertyMarkedUnavailable {} => self.marked_unavailable = true,
        }
    }

    /// Takes in one event of a room's stock.
    pub fn evolve_stock(&mut self, room: InventoryId, event: &RoomStockEvent) {
        self.with_room(room, |room| room.stock.evolve(event));
    }

    /// The value of an offer means nothing in another currency than the one it was published in.
    fn end_offers_of_other_money(&mut self, currency: Currency) {
        if self
            .facts
            .as_ref()
            .is_some_and(|known| known.currency != currency)
        {
            self.offers.clear();
        }
    }

    fn put_room(&mut self, details: &RoomDetails) {
        match self.rooms.iter_mut().find(|room| room.id == details.id) {
            Some(room) => room.describe(details),
            None => self.rooms.push(Room::new(details)),
        }
    }

    fn is_imported(&self) -> bool {
        self.facts.as_ref().is_some_and(|facts| facts.is_imported)
    }

    fn with_room(&mut self, id: InventoryId, change: impl FnOnce(&mut Room)) {
        if let Some(room) = self.rooms.iter_mut().find(|room| room.id == id) {
            change(room);
        }
    }

    /// Photos that may come onto its card: its own, then those of its rooms.
    pub(super) fn card_photos(&self) -> impl Iterator<Item = NamedPhoto> {
        let own = self.facts.iter().flat_map(|facts| &facts.photos);
        let of_rooms = self.let_rooms().flat_map(|room| &room.photos);
        own.chain(of_rooms).copied()
    }

    fn let_rooms(&self) -> impl Iterator<Item = &Room> {
        self.rooms.iter().filter(|room| !room.withdrawn)
    }

    /// Leases of rooms that are still to be had; all leases when nothing is.
    fn shown_leases(&self) -> impl Iterator<Item = &LeaseOption> {
        self.shown_rooms().map(|(_, lease)| lease)
    }

    /// The same with their rooms.
    fn shown_rooms(&self) -> impl Iterator<Item = (&Room, &LeaseOption)> {
        let open_only = self.rooms_left() > 0;
        self.let_rooms().flat_map(move |room| {
            let open = move |lease: &&LeaseOption| !open_only || room.left_of(lease, self.day) > 0;
            room.leases.iter().filter(open).map(move |lease| (room, lease))
        })
    }

    /// Rooms neither held nor sold.
    pub fn rooms_left(&self) -> u32 {
        let left = self.let_rooms().map(|room| room.left(self.day));
        left.fold(0, u32::saturating_add)
    }

    /// How many rooms are left, as far as that was said: that none is left is always known.
    pub fn said_rooms_left(&self) -> Option<u32> {
        let left = self.rooms_left();
        let is_said = |room: &Room| (left == 0 || room.is_count_said) && room.on_request_minor().is_none();
        let is_said = self.let_rooms().all(is_said);
        is_said.then_some(left)
    }

    /// Rooms held or sold of those the provider gave.
    pub fn rooms_given(&self) -> u32 {
        self.let_rooms().map(Room::given).fold(0, u32::saturating_add)
    }

    /// Room types that are sold more often than there are rooms, withdrawn ones too: their bookings stand.
    pub fn oversold(&self) -> Vec<Oversold> {
        let rooms = self.rooms.iter().map(|room| Oversold {
            home: self.id,
            room: room.id,
            rooms: room.rooms,
            bookings: room.stock.sold_above(room.rooms, self.day),
        });
        rooms.filter(|room| !room.bookings.is_empty()).collect()
    }

    /// Spec §4, and D43 for its rooms: somebody can book here now.
    pub fn available(&self) -> bool {
        let tagged = self
            .facts
            .as_ref()
            .is_none_or(|facts| facts.tags.contains(&Tag::NotAvailable));
        let is_open = !tagged && !self.marked_unavailable && self.state == HomeState::Active;
        is_open && (self.rooms_left() > 0 || self.on_request_minor().next().is_some())
    }

    /// Rents of the rooms whose terms are still to be agreed. No filter about days, lengths or rooms counts them: no lease says them.
    fn on_request_minor(&self) -> impl Iterator<Item = u64> {
        self.let_rooms().filter_map(Room::on_request_minor)
    }

    /// The cheapest and dearest lease, in minor units.
    pub fn prices(&self) -> Option<(u64, u64)> {
        let leases = self.shown_leases().map(|lease| lease.price_minor);
        ends(leases.chain(self.on_request_minor()))
    }

    /// The same over all leases, whether somebody can still have them or not.
    pub fn all_prices(&self) -> Option<(u64, u64)> {
        let leases = self.let_rooms().flat_map(|room| &room.leases);
        let leases = leases.map(|lease| lease.price_minor);
        ends(leases.chain(self.on_request_minor()))
    }

    /// The first day somebody can move in.
    pub fn earliest_move_in(&self) -> Option<NaiveDate> {
        self.shown_leases().map(|lease| lease.move_in).min()
    }

    /// The configuration names of its rooms (Spec §5), each once.
    pub fn configurations(&self) -> Vec<Configuration> {
        let Some(facts) = &self.facts else {
            return Vec::new();
        };
        let name_of = |room: &Room| Configuration::of(facts.country, room.attributes, room.bedrooms);
        let mut names: Vec<Configuration> = self.let_rooms().filter_map(name_of).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// What can be searched of its rooms and leases, each once.
    fn room_leases(&self, facts: &Facts) -> Vec<RoomLease> {
        let dual = facts.tags.contains(&Tag::DualOccupancy).then_some(true);
        let of = |(room, lease): (&Room, &LeaseOption)| {
            let price = u32::try_from(facts.currency.hundredths(lease.price_minor)).unwrap_or(NO_PRICE);
            let length = twelfths_of_a_week(lease.length);
            let configuration = Configuration::of(facts.country, room.attributes, room.bedrooms);
            // One of home and room that allows two is enough; where neither says so it is not known.
            let said = [dual, facts.dual_occupancy, room.dual_occupancy];
            let is_dual = said.into_iter().flatten().reduce(|one, other| one || other);
            let occupancy = is_dual.map(|is_dual| {
                if is_dual {
                    Value::DUAL_OCCUPANCY
                } else {
                    Value::SINGLE_OCCUPANCY
                }
            });
            let stays = StayBucket::ALL.into_iter().filter(|bucket| {
                let unit = match bucket.unit {
                    LeaseUnit::Weeks => WEEK,
                    LeaseUnit::Months => MONTH,
                };
                LeaseRange::whole(bucket.from, Some(bucket.to), unit).overlaps(length, length)
            });
            let values = [Value::room(room.attributes)]
                .into_iter()
                .chain(room.bedrooms.map(Value::bedrooms))
                .chain(room.bathrooms.map(Value::bathrooms))
                .chain(occupancy)
                .chain(configuration.map(Value::configuration))
                .chain(stays.map(Value::stay));
            RoomLease::new(values, price.min(LARGEST_PRICE), length, month_of(lease.move_in))
        };
        let mut leases: Vec<RoomLease> = self.shown_rooms().map(of).collect();
        leases.sort_unstable();
        leases.dedup();
        leases
    }

    /// The order of "Recommended" (D52): what can be booked first, then what residents rated best (D58), what many have
    /// rated, and what bears a mark.
    pub fn relevance(&self) -> u32 {
        let tagged = |tag: Tag| self.facts.as_ref().is_some_and(|facts| facts.tags.contains(&tag));
        let marks = [Tag::Exclusive, Tag::StudentsChoice, Tag::BreakfastIncluded]
            .into_iter()
            .filter(|tag| tagged(*tag));
        let marks = marks.count() + usize::from(!self.offers.is_empty());
        let reviews = u64::from(self.ratings.count);
        let mean = (PRIOR_RATING * PRIOR_REVIEWS + u64::from(self.ratings.rating)) * 200_000
            / (PRIOR_REVIEWS + reviews);
        let points = if self.available() { 2_000_000 } else { 0 } + mean + reviews.min(200) * 500;
        u32::try_from(points + 50_000 * marks as u64).unwrap_or(u32::MAX)
    }

    /// The row to index, which is searched for at `place`. `ancestors` are the regions the listing lies in; `intern` numbers open values.
    pub fn row(
        &self,
        place: Coordinates,
        ancestors: &[RegionId],
        mut intern: impl FnMut(Kind, &str) -> Value,
    ) -> Option<Row> {
        let facts = self.facts.as_ref()?;
        let mut named: Vec<Value> = facts
            .features
            .iter()
            .map(|feature| intern(Kind::Feature, feature))
            .collect();
        named.extend(facts.tags.iter().map(|tag| intern(Kind::Tag, tag.key())));
        named.extend(
            ancestors
                .iter()
                .map(|region| intern(Kind::Region, &region.to_string())),
        );
        named.extend(
            facts
                .provider
                .map(|provider| intern(Kind::Owner, &provider.to_string())),
        );
        named.sort_unstable();
        named.dedup();
        Some(Row {
            id: self.id.0.as_u128(),
            number: self.number,
            place,
            leases: self.room_leases(facts),
            worth: facts.currency.worth(),
            relevance: self.relevance(),
            created: u32::try_from(self.listed_at.timestamp()).unwrap_or(0),
            fixed: self
                .values(facts)
                .iter()
                .fold(0, |bits, value| bits | value.bit()),
            named,
        })
    }

    /// The fixed values of the listing as a whole; those of its rooms follow from its leases.
    fn values(&self, facts: &Facts) -> Vec<Value> {
        let mut values = vec![
            Value::guarantor(facts.guarantor),
            Value::status(self.state.status()),
            if self.available() {
                Value::AVAILABLE
            } else {
                Value::UNAVAILABLE
            },
        ];
        let is_placed = facts.coordinates.is_some();
        values.push(if is_placed { Value::PLACED } else { Value::UNPLACED });
        values.extend(facts.unit_type.map(Value::unit_type));
        values.extend(facts.kind.map(Value::property_kind));
        values.extend((facts.period == Period::Monthly).then_some(Value::MONTHLY));
        values
    }
}

/// Weeks and months are both whole in twelfths of a week.
fn twelfths_of_a_week(lease: Lease) -> u16 {
    lease.duration.saturating_mul(match lease.unit {
        LeaseUnit::Weeks => WEEK,
        LeaseUnit::Months => MONTH,
    })
}

/// The month of a day, counted from the year 0.
pub(super) fn month_of(day: NaiveDate) -> u16 {
    let months = i64::from(day.year()) * 12 + i64::from(day.month0());
    u16::try_from(months).unwrap_or(0)
}

impl Facts {
    fn of(property: PropertyDetails) -> Self {
        Self {
            is_imported: property.source.is_some(),
            photos: name_photos(&property.media, None),
            name: property.name,
            local_names: property.local_names,
            canonical_name: property.canonical_name,
            kind: property.kind,
            unit_type: property.unit_type,
            country: property.country,
            region: property.region,
            area: property.area,
            provider: property.provider,
            coordinates: property.coordinates,
            currency: property.currency,
            period: property.period,
            features: property.features.into_iter().map(|feature| feature.key).collect(),
            tags: property.tags,
            guarantor: property.guarantor,
            dual_occupancy: property.dual_occupancy,
            pictures: property.pictures,
        }
    }
}

/// Which property a room belongs to; rooms have streams of their own only for their stock.
pub(super) type Homes = HashMap<InventoryId, InventoryId>;
/// The lowest and the highest.
fn ends(mut prices: impl Iterator<Item = u64>) -> Option<(u64, u64)> {
    let first = prices.next()?;
    Some(prices.fold((first, first), |(low, high), price| {
        (low.min(price), high.max(price))
    }))
}
