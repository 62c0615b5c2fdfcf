//! What a search answers for one property: most of its JSON written once when the property changes, the rest (distance,
//! badges of the day) when it is asked for.

use std::sync::Arc;

use bytes::Bytes;
use chrono::{Days, NaiveDate};
use domain::id::{InventoryId, RegionId};
use domain::inventory::Status;
use domain::inventory::picture_path::picture_path;
use domain::inventory::property::{Guarantor, Tag};
use domain::inventory::state::HomeState;
use domain::money::{Currency, Period};
use domain::place::Coordinates;
use domain::wording::Wording;
use serde::Serialize;
use serde_json::{Value, json};

use super::card_photos::CardPhotos;
use super::chunk::LARGEST_PRICE;
use super::geo::OnGlobe;
use super::listing::{Facts, Listing, Offer};
use super::places::Place;
use super::travel::{Travel, walking};

/// Pictures a card carries.
const CARD_PICTURES: usize = 4;
/// Reviews with words that a property's page shows; no number of reviews is larger.
pub const REVIEWS_SHOWN: usize = 20;
/// D59: available within this many days is "immediate".
const IMMEDIATE_DAYS: u64 = 14;
/// Spec §9: a lower rating is not shown.
const LOWEST_SHOWN_TENTHS: u32 = 30;

/// One property as a search result.
#[derive(Debug)]
pub struct Item {
    pub id: InventoryId,
    /// Its name in languages without one of their own.
    pub name: String,
    pub(super) local_names: Wording,
    pub canonical_name: String,
    /// Where it stands, as far as somebody said it.
    pub place: Option<Coordinates>,
    /// Where searches look for it: where it stands, else the middle of its area or city (decision 0047).
    pub(super) found_at: Coordinates,
    pub region: RegionId,
    /// The part of the city, where one is said.
    pub(super) area: Option<RegionId>,
    pub state: HomeState,
    pub status: Status,
    pub available: bool,
    pub price: Price,
    /// The path of its first picture, where it is drawn.
    pub first_picture: Option<String>,
    /// Fields of the card that hold for every search: `"id":…,"canonical_name":…` without braces.
    card: Bytes,
    /// Fields of Spec §3 that the card does not show, likewise.
    details: Bytes,
    /// Keys of its features.
    features: Box<[String]>,
    marks: Marks,
    /// Its city, named in the reader's language.
    city: Option<Arc<Place>>,
}

/// A price as the contract shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Price {
    pub amount_minor: u64,
    pub currency: &'static str,
    pub symbol: &'static str,
    pub decimals: u32,
    pub duration: Period,
}

impl Price {
    pub fn new(amount_minor: u64, currency: Currency, duration: Period) -> Self {
        Self {
            amount_minor,
            currency: currency.code(),
            symbol: currency.symbol(),
            decimals: currency.decimals(),
            duration,
        }
    }
}

/// What badges are decided by (D59).
#[derive(Debug)]
struct Marks {
    top_rated: bool,
    filling_fast: bool,
    tags: Vec<Tag>,
    offers: Vec<Offer>,
    earliest_move_in: Option<NaiveDate>,
    currency: Currency,
    period: Period,
}

/// A badge on a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Badge {
    TopRated,
    FillingFast,
    Cashback { value: Price },
    PropertyOfTheDay,
    Exclusive,
    StudentsChoice,
    ImmediateMoveIn,
    BreakfastIncluded,
}

/// Why a property is shown: what the rest of its card depends on.
#[derive(Debug, Clone, Copy)]
pub struct Occasion {
    pub today: NaiveDate,
    /// The reader's language.
    pub lang: &'static str,
    /// Distances are measured from here.
    pub origin: Option<Coordinates>,
}

#[derive(Serialize)]
struct City<'i> {
    id: RegionId,
    name: &'i str,
    canonical_name: &'i str,
}

#[derive(Serialize)]
struct Tail<'i> {
    name: &'i str,
    price: Price,
    region: City<'i>,
    badges: Vec<Badge>,
    distance_m: Option<u32>,
    walking: Option<Travel>,
    /// No timetable is known, and none is made up (U27).
    transit: Option<Travel>,
}

/// A feature with its name in the reader's language.
#[derive(Serialize)]
struct NamedFeature<'i> {
    key: &'i str,
    name: String,
}

#[derive(Serialize)]
struct Named<'i> {
    features: Vec<NamedFeature<'i>>,
}

impl Item {
    /// The item of a listing that can be shown: described and priced.
    pub(super) fn of(
        listing: &Listing,
        found_at: Coordinates,
        city: Option<&Arc<Place>>,
        photos: &CardPhotos,
    ) -> Option<Self> {
        let facts = listing.facts.as_ref()?;
        let (low, high) = listing.prices()?;
        let price = Price::new(low, facts.currency, facts.period);
        let available = listing.available();
        let photos = photos.write_card(listing.card_photos(), &facts.name);
        // Which size of a photo is shown the browser alone knows.
        let drawn = facts.pictures.first().filter(|_| photos.is_empty());
        Some(Self {
            id: listing.id,
            name: facts.name.clone(),
            local_names: facts.local_names.clone(),
            canonical_name: facts.canonical_name.clone(),
            place: facts.coordinates,
            found_at,
            region: facts.region,
            area: facts.area,
            state: listing.state,
            status: listing.state.status(),
            available,
            price,
            first_picture: drawn.map(picture_path),
            card: fields_of(&card(listing, facts, &photos)),
            details: fields_of(&details(listing, facts, (low, high))),
            features: facts.features.as_slice().into(),
            marks: Marks::of(listing, facts),
            city: city.cloned(),
        })
    }

    /// Its name in the reader's language.
    pub fn name_in(&self, lang: &str) -> &str {
        self.local_names.written_in(lang).unwrap_or(&self.name)
    }

    /// The card's JSON object.
    pub fn write_card(&self, occasion: &Occasion, of_the_day: bool, out: &mut Vec<u8>) {
        self.write_priced_card(occasion, self.price, of_the_day, out);
    }

    /// The same with the lowest price of what was searched for.
    pub fn write_priced_card(&self, occasion: &Occasion, price: Price, of_the_day: bool, out: &mut Vec<u8>) {
        out.push(b'{');
        out.extend_from_slice(&self.card);
        self.write_tail(occasion, price, of_the_day, out);
    }

    /// The card with the fields of Spec §3 beside it, as `GET /api/v1/inventories` shows it. A feature has a name, and a
    /// name is in the reader's language: `feature_names` gives it for a key.
    pub fn write_whole(
        &self,
        occasion: &Occasion,
        price: Price,
        of_the_day: bool,
        feature_names: impl Fn(&str) -> String,
        out: &mut Vec<u8>,
    ) {
        let features: Vec<_> = self
            .features
            .iter()
            .map(|key| NamedFeature {
                key,
                name: feature_names(key),
            })
            .collect();
        out.push(b'{');
        out.extend_from_slice(&self.card);
        out.push(b',');
        out.extend_from_slice(&self.details);
        out.push(b',');
        out.extend_from_slice(&fields_of(&Named { features }));
        self.write_tail(occasion, price, of_the_day, out);
    }

    fn write_tail(&self, occasion: &Occasion, price: Price, of_the_day: bool, out: &mut Vec<u8>) {
        let distance_m = occasion
            .origin
            .zip(self.place)
            .map(|(origin, place)| whole_metres(origin.metres_to(place)));
        let tail = Tail {
            name: self.name_in(occasion.lang),
            price,
            region: self.city(occasion.lang),
            badges: self.badges(occasion.today, of_the_day),
            distance_m,
            walking: distance_m.map(walking),
            transit: None,
        };
        out.push(b',');
        out.extend_from_slice(&fields_of(&tail));
        out.push(b'}');
    }

    /// The price in hundredths of a unit that a search found, as a card shows it. Of prices that are too large to be compared the usual one
    /// is shown: the number that stands for them is no price.
    pub fn price_of(&self, hundredths: u32) -> Price {
        let (currency, found) = (self.marks.currency, u64::from(hundredths));
        // The usual price keeps its thousandth, which the search does not know.
        if hundredths >= LARGEST_PRICE || currency.hundredths(self.price.amount_minor) == found {
            return self.price;
        }
        Price {
            amount_minor: currency.minor_of_hundredths(found),
            ..self.price
        }
    }

    fn city(&self, lang: &str) -> City<'_> {
        let city = self.city.as_ref();
        City {
            id: self.region,
            name: city.map_or("", |city| city.name_in(lang)),
            canonical_name: city.map_or("", |city| city.canonical_name()),
        }
    }

    /// What may be said about the property on a day, the weightiest first.
    pub fn badges(&self, today: NaiveDate, of_the_day: bool) -> Vec<Badge> {
        let tagged = |tag: Tag| self.marks.tags.contains(&tag);
        let offers = self
            .marks
            .offers
            .iter()
            .filter(|offer| offer.valid_on(today) && offer.value_minor > 0);
        let best_offer = offers.map(|offer| offer.value_minor).max();
        let soon = today.checked_add_days(Days::new(IMMEDIATE_DAYS)).unwrap_or(today);
        let immediate = self.marks.earliest_move_in.is_some_and(|day| day <= soon);
        let value = |minor| Price::new(minor, self.marks.currency, self.marks.period);
        [
            self.marks.top_rated.then_some(Badge::TopRated),
            self.marks.filling_fast.then_some(Badge::FillingFast),
            best_offer.map(|minor| Badge::Cashback { value: value(minor) }),
            of_the_day.then_some(Badge::PropertyOfTheDay),
            tagged(Tag::Exclusive).then_some(Badge::Exclusive),
            tagged(Tag::StudentsChoice).then_some(Badge::StudentsChoice),
            (self.available && immediate).then_some(Badge::ImmediateMoveIn),
            tagged(Tag::BreakfastIncluded).then_some(Badge::BreakfastIncluded),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

impl Marks {
    fn of(listing: &Listing, facts: &Facts) -> Self {
        let ratings = listing.ratings;
        let (left, given) = (u64::from(listing.rooms_left()), u64::from(listing.rooms_given()));
        Self {
            top_rated: ratings.count >= 10
                && ratings.tenths(ratings.rating).is_some_and(|tenths| tenths >= 45),
            filling_fast: listing.available() && listing.said_rooms_left().is_some() && left * 5 <= given,
            tags: facts.tags.clone(),
            offers: listing.offers.clone(),
            earliest_move_in: listing.earliest_move_in(),
            currency: facts.currency,
            period: facts.period,
        }
    }
}

fn card(listing: &Listing, facts: &Facts, photos: &[Value]) -> Value {
    let images = list_images(facts, photos);
    let rating = listing
        .ratings
        .tenths(listing.ratings.rating)
        .filter(|tenths| *tenths >= LOWEST_SHOWN_TENTHS);
    json!({
        "id": listing.id,
        "canonical_name": facts.canonical_name,
        "available": listing.available(),
        "state": listing.state.shown_key(),
        "lat": facts.coordinates.map(OnGlobe::lat),
        "lng": facts.coordinates.map(OnGlobe::lng),
        "images": images,
        "photos": photos,
        "reviews_rating": rating.map(|tenths| f64::from(tenths) / 10.0),
        "reviews_count": listing.reviews_to_read.min(REVIEWS_SHOWN),
        "room_kinds": listing.configurations().into_iter().map(domain::room::Configuration::key).collect::<Vec<_>>(),
        "rooms_left": listing.said_rooms_left(),
    })
}

/// One size of each picture, for whoever takes one alone: drawings of the demo where there is no photo.
fn list_images(facts: &Facts, photos: &[Value]) -> Vec<Value> {
    let image = |path: Value| json!({ "path": path, "caption": facts.name });
    if photos.is_empty() {
        let pictures = facts.pictures.iter().take(CARD_PICTURES);
        return pictures
            .map(|picture| image(picture_path(picture).into()))
            .collect();
    }
    let widest = |photo: &Value| {
        photo["sources"]
            .as_array()?
            .last()
            .map(|source| source["jpeg"].clone())
    };
    photos.iter().filter_map(widest).map(image).collect()
}

/// The fields of Spec §3 in their own words; prices as decimal numbers (X5).
fn details(listing: &Listing, facts: &Facts, (low, high): (u64, u64)) -> Value {
    let decimal = |minor: u64| {
        let text = domain::money::Money::new(minor, facts.currency).decimal();
        text.parse::<f64>().map_or(Value::Null, |number| json!(number))
    };
    let (all_low, all_high) = listing.all_prices().unwrap_or((low, high));
    json!({
        "status": listing.state.status(),
        "type": facts.kind,
        "region_id": facts.region,
        "provider_id": facts.provider,
        "pricing": {
            "min_price": decimal(all_low),
            "max_price": decimal(all_high),
            "price": decimal(all_low),
            "min_available_price": decimal(low),
            "max_available_price": decimal(high),
            "available_price": decimal(low),
            "currency": facts.currency.code(),
            "duration": facts.period,
        },
        "location_coordinates": facts.coordinates.map(|place| json!({ "lat": place.lat(), "lng": place.lng() })),
        "tags": facts.tags.iter().map(|tag| tag.key()).collect::<Vec<_>>(),
        "meta": {
            "guarantor_required": facts.guarantor.map(Guarantor::required),
            "guarantor": facts.guarantor.map(Guarantor::key),
        },
    })
}

/// The fields of a JSON object without its braces.
fn fields_of(object: &impl Serialize) -> Bytes {
    let json = serde_json::to_vec(object).unwrap_or_default();
    let inside = json.get(1..json.len().saturating_sub(1)).unwrap_or_default();
    Bytes::copy_from_slice(inside)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "no distance on earth exceeds 20,100 km"
)]
fn whole_metres(metres: f64) -> u32 {
    metres.round() as u32
}
