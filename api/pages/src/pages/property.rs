//! The property page: what it shows, its head and structured data, and where its address leads (B2–B5, Spec §2).

use axum::http::StatusCode;
use chrono::NaiveDate;
use domain::calendar;
use domain::inventory::Status;
use domain::inventory::picture_path::picture_path;
use domain::language::Language;
use domain::payment::price::{Line, PaymentType};
use domain::region::Subtype;
use http_kit::error::ApiResult;
use search_index::geo::OnGlobe;
use search_index::item::Occasion;
use search_index::places::{Place, PlaceGroup};
use search_index::travel::{driving, walking};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use shop::inventories::home::{self, Home};
use shop::inventories::words::{day, joined, words};
use shop::inventories::{address, market, photos, rooms, view};
use shop::regions;

use crate::pages::page::{Address, Outcome, Page, Render, written};
use crate::pages::sources::PageSources;
use crate::payload_shapes::property::{PropertyNearby, PropertyPage};

mod facts;
mod foreign_texts;
mod head;

/// Universities and similar homes a page lists.
const UNIVERSITIES: usize = 6;
const SIMILAR: usize = 8;
/// Farther universities are not near.
const NEAR_M: f64 = 30_000.0;

/// Where `/places/{key}` leads.
///
/// # Errors
/// Only when something of ours is broken.
pub async fn resolve(sources: &PageSources, address: &Address<'_>, key: &str) -> ApiResult<Outcome> {
    let not_found = Ok(Outcome::NotFound { message: None });
    let Some((named, home)) = home::find(&sources.records, key).await? else {
        return not_found;
    };
    match home.status() {
        Status::Draft | Status::InReview => return not_found,
        Status::Deleted => return gone(sources, &home, address).await,
        Status::Active | Status::Inactive => {}
    }
    // D11: a room has no page of its own.
    if named.is_room() {
        return not_found;
    }
    if home.property.canonical_name != key {
        let to = address.keeping_query(&format!("/places/{}", home.property.canonical_name));
        return Ok(Outcome::Redirect {
            status: StatusCode::MOVED_PERMANENTLY,
            to,
        });
    }
    let move_in = address.param("move_in_date");
    let move_in = move_in.and_then(|day| calendar::read_day(&day));
    let page = Box::new(page(sources, &home, address.lang, move_in).await?);
    Ok(if home.state().is_closed() {
        Outcome::Gone(page)
    } else {
        Outcome::Page(page)
    })
}

/// A double leads to the home that is kept for good; another deleted property leads to the search of its region, or home (D10).
async fn gone(sources: &PageSources, home: &Home, address: &Address<'_>) -> ApiResult<Outcome> {
    if let Some(kept) = kept_page(sources, home).await? {
        return Ok(Outcome::Redirect {
            status: StatusCode::MOVED_PERMANENTLY,
            to: address.keeping_query(&kept),
        });
    }
    let to = home.city().map_or_else(
        || "/".to_owned(),
        |city| format!("/places/search/{}", city.canonical_name()),
    );
    Ok(Outcome::Redirect {
        status: StatusCode::FOUND,
        to: address.keeping_query(&to),
    })
}

/// Finds the page of the home that is kept instead of a double; `None` for a home that is no double.
///
/// # Errors
/// Only when something of ours is broken.
pub(super) async fn kept_page(sources: &PageSources, double: &Home) -> ApiResult<Option<String>> {
    let Some(kept) = double.page.inventory.merged_into else {
        return Ok(None);
    };
    let kept = home::load(&sources.records, kept).await?;
    Ok(kept.map(|kept| format!("/places/{}", kept.property.canonical_name)))
}

async fn page(
    sources: &PageSources,
    home: &Home,
    lang: Language,
    move_in: Option<NaiveDate>,
) -> ApiResult<Page> {
    let shown = property_page(sources, home, lang, move_in).await?;
    let mut top = head::head(sources, home, lang);
    let mut json_ld = head::structured(sources, home, lang);
    if home.state().is_closed() {
        // Nothing of it is offered any more.
        top.robots = "noindex,nofollow";
        json_ld.clear();
    }
    Ok(Page {
        route: "property",
        head: top,
        json_ld,
        // Which size of a photo is shown the browser alone knows.
        preload_image: home.property.pictures.first().map(picture_path),
        data: written(&shown),
        render: Render::Server,
    })
}

/// The contract's `PropertyPage`.
///
/// # Errors
/// Only when something of ours is broken.
pub async fn property_page(
    sources: &PageSources,
    home: &Home,
    lang: Language,
    move_in: Option<NaiveDate>,
) -> ApiResult<PropertyPage> {
    let property = &home.property;
    let universities = universities(home);
    let views = sources.views.shown(home.id(), home.now).await?;
    Ok(PropertyPage {
        id: home.id().0,
        name: property.name_in(lang.code()).to_owned(),
        canonical_name: property.canonical_name.clone(),
        available: home.available(),
        bookable: home.bookable(),
        state: home.state().key(),
        reopens_on: home.state().reopens_on(),
        flow: home.flow().key(),
        address: address::address_line(property),
        lat: property.coordinates.map(OnGlobe::lat),
        lng: property.coordinates.map(OnGlobe::lng),
        description: property.description.in_language(lang.code()).to_owned(),
        provider_checked_on: property.facts.checked_on,
        region: home
            .city()
            .map(|city| regions::view::plain_region(&home.places, city, lang)),
        breadcrumbs: breadcrumbs(home, lang),
        price: home.available_prices().map(|(low, _)| home.price(low)),
        images: images(home, lang),
        photos: photos::list_photos(home, lang),
        plans: photos::list_plans(home, lang),
        recordings: photos::list_recordings(home, lang),
        facts: facts::facts(home, universities.first(), lang),
        features: features(home, lang),
        room_types: rooms::room_types(home, &rooms::Wanted::default(), lang),
        foreign_texts: foreign_texts::list_foreign_texts(home, lang),
        offers: market::offers(home, lang),
        reviews: market::reviews(home, lang),
        price_trends: market::price_trends(home, lang),
        view_count: views_text(&views),
        nearby: PropertyNearby {
            universities: universities
                .iter()
                .map(|near| near.shown(home, lang))
                .collect::<Vec<_>>(),
            places: places(home, lang),
        },
        faqs: view::faqs(home, lang),
        similar: similar(sources, home, universities.first(), (lang, move_in)),
        payment_summary: list_due(home, true),
        processing_fee_percent: sources.settings.fee_rate(home.property.country).to_string(),
    })
}

fn views_text(views: &Value) -> Option<String> {
    match views {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if number.as_i64() != Some(0) => Some(number.to_string()),
        Value::Number(_) | Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn breadcrumbs(home: &Home, lang: Language) -> Vec<Value> {
    let link = |place: &Place| {
        json!({
            "name": place.name_in(lang.code()),
            "href": format!("/places/search/{}", place.canonical_name()),
        })
    };
    let Some(city) = home.city() else {
        return Vec::new();
    };
    let above = regions::view::above(&home.places, city);
    // The country, the city, the area: a state in between says nothing to a student.
    let country = above.last().map(|country| link(country));
    let area = home
        .property
        .area
        .and_then(|area| home.places.get(area))
        .map(|area| link(area));
    let name = home.property.name_in(lang.code());
    let own = json!({ "name": name, "href": format!("/places/{}", home.property.canonical_name) });
    country
        .into_iter()
        .chain([link(city)])
        .chain(area)
        .chain([own])
        .collect()
}

/// One size of each picture, for those who take one alone: photos, or drawings of the demo where there is no photo.
fn images(home: &Home, lang: Language) -> Vec<Value> {
    let photos = photos::list_photos(home, lang);
    if !photos.is_empty() {
        let image = |photo: &photos::Photo| {
            let shown = photos::describe_image(photo);
            json!({ "path": shown.path, "caption": shown.caption, "kind": photo.kind.unwrap_or_default() })
        };
        return photos.iter().map(image).collect();
    }
    let of_rooms = home.rooms().filter_map(|room| room.details.pictures.first());
    let mut all: Vec<_> = home.property.pictures.iter().chain(of_rooms).collect();
    all.dedup();
    let image = |picture: &domain::inventory::property::Picture| {
        json!({
            "path": picture_path(picture),
            "caption": rooms::caption(picture, lang),
            "kind": picture.kind.key(),
        })
    };
    all.into_iter().map(image).collect()
}

fn features(home: &Home, lang: Language) -> Vec<Value> {
    let shown = home.property.features.iter().map(|feature| {
        json!({
            "group": words(lang, &format!("feature_group.{}", feature.group.key()), &[]),
            "key": feature.key,
            "name": words(lang, &format!("feature.{}", feature.key), &[]),
        })
    });
    shown.collect()
}

/// A university with the way to it.
pub struct Near {
    pub name: domain::region::RegionDetails,
    place: std::sync::Arc<Place>,
    pub metres: u32,
}

impl Near {
    pub fn title(&self, lang: Language) -> String {
        self.place.name_in(lang.code()).to_owned()
    }

    fn shown(&self, home: &Home, lang: Language) -> Value {
        let mut link = shop::search::region_link(
            &home.places,
            &self.place,
            Some(f64::from(self.metres)),
            lang.code(),
        );
        link["walking"] = json!(walking(self.metres));
        link["driving"] = json!(driving(self.metres));
        link["transit"] = Value::Null;
        link
    }
}

/// The nearest universities, nearest first; none of a home whose point nobody said.
pub fn universities(home: &Home) -> Vec<Near> {
    let Some(point) = home.property.coordinates else {
        return Vec::new();
    };
    let nearest = home
        .places
        .nearest(PlaceGroup::Universities, point, &[], UNIVERSITIES * 6);
    // Minutes to a university are said where its campus is known.
    let is_near = |(place, metres): &(&std::sync::Arc<Place>, f64)| {
        *metres <= NEAR_M
            && place.details.subtype == Some(Subtype::University)
            && !place.details.is_without_campus
    };
    let universities = nearest.into_iter().filter(is_near);
    let near = universities.take(UNIVERSITIES).map(|(place, metres)| Near {
        name: place.details.clone(),
        place: std::sync::Arc::clone(place),
        metres: whole(metres),
    });
    near.collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "no distance on earth exceeds 20,100 km"
)]
fn whole(metres: f64) -> u32 {
    metres.round() as u32
}

/// Lists what daily life needs, grouped as the page lists it.
fn places(home: &Home, lang: Language) -> Vec<Value> {
    let kind = |key: &str| match key {
        "bus_stop" | "station" => "getting_around",
        "park" | "library" | "cafe" => "free_time",
        _ => "daily_life",
    };
    let shown = home.property.places.iter().map(|place| {
        json!({
            "kind": words(lang, &format!("place_kind.{}", kind(&place.kind)), &[]),
            "name": words(lang, &format!("place.{}", place.kind), &[]),
            "walking": walking(place.distance_m),
        })
    });
    shown.collect()
}

/// Homes close by that can be booked too, from the month of `move_in` on where one is asked for, without this one; distances are to the same university.
fn similar(
    sources: &PageSources,
    home: &Home,
    university: Option<&Near>,
    (lang, move_in): (Language, Option<NaiveDate>),
) -> Vec<Box<RawValue>> {
    let around = home.middle();
    let nearby = sources
        .records
        .catalogue
        .free_nearby(around, Some(home.id().0), (SIMILAR * 3, move_in));
    let occasion = Occasion {
        today: home.now.date_naive(),
        lang: lang.code(),
        origin: university
            .map(|near| near.name.centre)
            .or(home.property.coordinates),
    };
    let cards = nearby
        .iter()
        .filter(|(item, _)| item.available)
        .take(SIMILAR)
        .filter_map(|(item, _)| {
            let mut card = Vec::new();
            item.write_card(&occasion, false, &mut card);
            RawValue::from_string(String::from_utf8(card).ok()?).ok()
        });
    cards.collect()
}

/// The first payment. A deposit that the home does not name is the house's default, and says so.
pub fn payment_summary(home: &Home) -> Vec<Value> {
    list_due(home, false)
}

/// Lines of the first payment; with that of a deposit which the home says it does not ask for.
fn list_due(home: &Home, with_none: bool) -> Vec<Value> {
    // Nothing can be booked, and so nothing is due, where no lease has a price.
    if home.available_prices().is_none() {
        return Vec::new();
    }
    let (of_lease, terms) = (home.first_deposit(), &home.property.terms);
    let names_deposit = of_lease.is_some() || terms.names_deposit();
    let is_none_said = with_none && of_lease.map_or(terms.asks_no_deposit, |minor| minor == 0);
    let is_shown = |line: &Line| line.amount_minor > 0 || is_none_said && line.kind == PaymentType::Deposit;
    let due = home.due().into_iter().filter(is_shown);
    due.map(|line| {
        json!({
            "type": line.kind.code(),
            "amount": home.price(line.amount_minor),
            "is_default": line.kind == PaymentType::Deposit && !names_deposit,
        })
    })
    .collect()
}

/// The kinds of rooms in one text: `Ensuite Room, Studio Room`.
pub fn room_names(home: &Home, lang: Language) -> String {
    let mut names: Vec<String> = home
        .rooms()
        .map(|room| room.details.name.in_language(lang.code()).to_owned())
        .collect();
    names.dedup();
    names.truncate(3);
    joined(lang, &names)
}

/// The day our people last looked at the house.
pub fn checked(home: &Home, lang: Language) -> Option<String> {
    home.property.facts.checked_on.map(|checked| day(lang, checked))
}
