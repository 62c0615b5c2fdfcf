//! A property as answers and pages need it: its page document, the stock taken of its rooms, and where it lies.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::NaiveDate;
use domain::country::Flow;
use domain::id::{InventoryId, PhotoId, RegionId};
use domain::inventory::Status;
use domain::inventory::let_room::{LeaseOption, LetRoom};
use domain::inventory::market::Offer;
use domain::inventory::media::SaidPhoto;
use domain::inventory::property::{PropertyDetails, Tag};
use domain::inventory::state::HomeState;
use domain::language::Language;
use domain::moment::Moment;
use domain::money::Money;
use domain::payment::price::{Line, PaymentConfig, Stage, due};
use domain::place::{Coordinates, is_canonical, slug};
use http_kit::error::ApiResult;
use platform::{clock, country_zone};
use projections::inventory_page::{self, InventoryPage, Named, Taken};
use projections::photo::ShownPhoto;
use records::Records;
use search_index::item::Price;
use search_index::places::{Place, Places};

use super::photos::find_shown;

/// Longer keys name nothing.
const KEY_MAX: usize = 300;

/// A property with what is true of it now.
pub struct Home {
    pub page: InventoryPage,
    pub property: PropertyDetails,
    taken: Taken,
    photos: BTreeMap<PhotoId, ShownPhoto>,
    pub places: Arc<Places>,
    pub now: Moment,
    /// The day where it stands: last days to book are days there.
    pub today: NaiveDate,
}

/// Finds a property, or the property of a room, by id, canonical name or feed id; a name may be written a little otherwise.
pub async fn find(records: &Records, key: &str) -> ApiResult<Option<(Named, Home)>> {
    if key.is_empty() || key.len() > KEY_MAX {
        return Ok(None);
    }
    let pool = records.read.readers();
    let mut named = inventory_page::find(pool, key).await?;
    if named.is_none() && !is_canonical(key) {
        named = inventory_page::find(pool, &slug(key)).await?;
    }
    let Some(named) = named else {
        return Ok(None);
    };
    Ok(load(records, named.root).await?.map(|home| (named, home)))
}

/// The property of that id.
pub async fn load(records: &Records, root: InventoryId) -> ApiResult<Option<Home>> {
    let Some(page) = inventory_page::page(records.read.readers(), root).await? else {
        return Ok(None);
    };
    with_stock(records, page).await
}

/// A page with the stock taken of its rooms.
pub async fn with_stock(records: &Records, page: InventoryPage) -> ApiResult<Option<Home>> {
    let Some(property) = page.property().cloned() else {
        return Ok(None);
    };
    let now = clock::now();
    let pool = records.read.readers();
    let places = records.catalogue.places();
    let city = places.get(property.region);
    let time_zone = city.map_or("", |city| city.details.time_zone.as_str());
    let today = country_zone::day_at(time_zone, property.country, now);
    let taken = inventory_page::taken(pool, &page, (now, today)).await?;
    let photos = find_shown(pool, &page).await?;
    let places = records.places_of(page.id, property.region).await;
    Ok(Some(Home {
        page,
        property,
        taken,
        photos,
        places,
        now,
        today,
    }))
}

impl Home {
    pub fn id(&self) -> InventoryId {
        self.page.id
    }

    pub fn status(&self) -> Status {
        self.page.inventory.status()
    }

    /// Its state as the house and its provider see it.
    pub fn state(&self) -> HomeState {
        self.page.inventory.state
    }

    /// A photo that was fetched and not taken down.
    pub fn shown_photo(&self, said: &SaidPhoto) -> Option<&ShownPhoto> {
        self.photos.get(&PhotoId::of_place(&said.place))
    }

    pub fn rooms(&self) -> impl Iterator<Item = &LetRoom> {
        self.page.inventory.let_rooms()
    }

    /// Rooms of this kind that nobody holds or has, on the lease with most of them: leases of the same nights share them.
    pub fn left(&self, room: &LetRoom) -> u32 {
        let left = room.leases.iter().map(|lease| self.left_of(room, lease));
        left.max().unwrap_or(0)
    }

    /// Rooms of this kind that can still be had on this lease.
    pub fn left_of(&self, room: &LetRoom, lease: &LeaseOption) -> u32 {
        self.taken.left(room, lease)
    }

    /// The same, as far as the number was said: that none is left is always known.
    pub fn said_left(&self, room: &LetRoom) -> Option<u32> {
        said(self.left(room), room)
    }

    /// Rooms that can still be had on this lease, as far as their number was said.
    pub fn said_left_of(&self, room: &LetRoom, lease: &LeaseOption) -> Option<u32> {
        said(self.left_of(room, lease), room)
    }

    /// Rooms of all kinds that are left, as far as their number was said.
    pub fn said_rooms_left(&self) -> Option<u32> {
        let left = self.rooms_left();
        let is_said = |room: &LetRoom| (left == 0 || room.is_count_said) && room.on_request_minor().is_none();
        let is_said = self.rooms().all(is_said);
        is_said.then_some(left)
    }

    pub fn rooms_left(&self) -> u32 {
        self.rooms()
            .map(|room| self.left(room))
            .fold(0, u32::saturating_add)
    }

    /// Spec §4, and D43 for its rooms: somebody can book here now, or ask for a room whose terms are still to be agreed.
    pub fn available(&self) -> bool {
        self.rooms().any(|room| self.room_available(room))
    }

    /// Spec §4: a room follows its property, not a status of its own (D43).
    pub fn room_available(&self, room: &LetRoom) -> bool {
        self.page.inventory.available() && (self.left(room) > 0 || room.on_request_minor().is_some())
    }

    /// D26, D41: it can be booked here and now, without asking first.
    pub fn bookable(&self) -> bool {
        let mut open = self.rooms().flat_map(|room| self.open_leases(room));
        self.available() && open.any(|lease| self.property.terms.takes_bookings(&lease.terms))
    }

    pub fn flow(&self) -> Flow {
        self.property.country.flow()
    }

    /// A point to look around from: its own, else the middle of its area or city.
    pub fn middle(&self) -> Coordinates {
        let middle = |region: RegionId| self.places.get(region).map(|place| place.center());
        let named = self
            .property
            .area
            .and_then(middle)
            .or_else(|| middle(self.property.region));
        self.property.coordinates.or(named).unwrap_or_default()
    }

    pub fn tagged(&self, tag: Tag) -> bool {
        self.property.tags.contains(&tag)
    }

    pub fn price(&self, amount_minor: u64) -> Price {
        Price::new(amount_minor, self.property.currency, self.property.period)
    }

    /// The lowest and highest price: of what is left, or of everything when nothing is.
    pub fn available_prices(&self) -> Option<(u64, u64)> {
        let open = self.rooms().flat_map(|room| {
            let leases = self.open_leases(room).map(|lease| lease.price_minor);
            leases.chain(room.on_request_minor())
        });
        ends(open).or_else(|| self.all_prices())
    }

    /// The leases of a room that somebody can still have.
    pub fn open_leases<'h>(&'h self, room: &'h LetRoom) -> impl Iterator<Item = &'h LeaseOption> {
        room.leases.iter().filter(|lease| self.left_of(room, lease) > 0)
    }

    /// The price a room begins at: of the leases that can still be had, or of all when none can.
    pub fn lowest_price(&self, room: &LetRoom) -> Option<u64> {
        let open = self.open_leases(room).map(|lease| lease.price_minor).min();
        open.or_else(|| room.lowest_price_minor())
    }

    /// The lowest and highest price of all leases.
    pub fn all_prices(&self) -> Option<(u64, u64)> {
        ends(self.rooms().flat_map(LetRoom::prices_minor))
    }

    /// A price as v0 answers show it (X5).
    pub fn decimal(&self, amount_minor: u64) -> serde_json::Value {
        let text = Money::new(amount_minor, self.property.currency).decimal();
        text.parse::<f64>()
            .map_or(serde_json::Value::Null, |number| serde_json::json!(number))
    }

    /// Offers that can be had today, the most valuable first.
    pub fn offers(&self) -> Vec<&Offer> {
        let today = self.now.date_naive();
        let mut offers: Vec<&Offer> = self
            .page
            .inventory
            .offers
            .iter()
            .filter(|offer| offer.valid_on(today))
            .collect();
        offers.sort_by_key(|offer| (std::cmp::Reverse(offer.value_minor), offer.id.clone()));
        offers
    }

    /// First payment of a booking, for the cheapest room (D37, D38).
    pub fn due(&self) -> Vec<Line> {
        let price = self.available_prices().map_or(0, |(low, _)| low);
        let config = payment_config(&self.property).with_lease_deposit(self.first_deposit());
        due(&config, price, Stage::First)
    }

    /// The deposit of the cheapest lease that can be had, where it has one of its own.
    pub fn first_deposit(&self) -> Option<u64> {
        let open = self.rooms().flat_map(|room| self.open_leases(room));
        open.min_by_key(|lease| lease.price_minor)?.terms.deposit_minor
    }

    /// The city it is found under.
    pub fn city(&self) -> Option<&Arc<Place>> {
        self.places.get(self.property.region)
    }

    pub fn city_name(&self, lang: Language) -> &str {
        self.city().map_or("", |city| city.name_in(lang.code()))
    }
}

fn said(left: u32, room: &LetRoom) -> Option<u32> {
    let is_said = room.on_request_minor().is_none() && (left == 0 || room.is_count_said);
    is_said.then_some(left)
}

/// The payment config of a property in the words of the price rules.
pub fn payment_config(property: &PropertyDetails) -> PaymentConfig {
    PaymentConfig {
        currency: property.currency,
        deposit_minor: property.terms.deposit_minor,
        asks_no_deposit: property.terms.asks_no_deposit,
        refundable_token_minor: property.terms.refundable_token_minor,
        platform_fee_minor: property.terms.platform_fee_minor,
        max_deposit_minor: property.terms.max_deposit_minor,
        deposit_multiplier_hundredths: property.terms.deposit_multiplier_percent.into(),
    }
}

fn ends(prices: impl Iterator<Item = u64>) -> Option<(u64, u64)> {
    prices.fold(None, |ends, price| match ends {
        None => Some((price, price)),
        Some((low, high)) => Some((low.min(price), high.max(price))),
    })
}
