//! Rooms of a property as the contract's `RoomType`: what they are, from how much, and every lease they are offered for.

use chrono::NaiveDate;
use domain::inventory::let_room::{LeaseOption, LetRoom};
use domain::inventory::picture_path::picture_path;
use domain::inventory::property::Picture;
use domain::language::Language;
use domain::room::Configuration;
use search_index::item::Price;
use serde::Serialize;

use super::home::Home;
use super::photos::{Photo, choose_image, describe_image, list_room_photos, list_room_plans};
use super::words::words;

/// One kind of room.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct RoomType {
    id: String,
    pub name: String,
    configuration: Option<&'static str>,
    meta_types: MetaTypes,
    facts: Vec<String>,
    area_sqm: Option<u16>,
    /// Null where there is neither a photo nor a drawing of the demo.
    image: Option<Image>,
    /// Its own photos.
    photos: Vec<Photo>,
    plans: Vec<Photo>,
    #[schema(value_type = http_kit::contract::price::Price)]
    from: Price,
    /// Null where it can be booked and the number of rooms is not said.
    rooms_left: Option<u32>,
    available: bool,
    options: Vec<RoomOption>,
}

/// Spec §7: `meta_types` split into room, bathroom and kitchen.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[expect(clippy::struct_field_names, reason = "the names are the contract's")]
pub struct MetaTypes {
    room_types: Vec<&'static str>,
    bathroom_types: Vec<&'static str>,
    kitchen_types: Vec<&'static str>,
}

#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct Image {
    pub path: String,
    pub caption: String,
}

/// One lease: what is booked.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct RoomOption {
    inventory_id: String,
    move_in_date: String,
    lease_duration: u16,
    #[schema(value_type = http_kit::contract::words::LeaseUnitWord)]
    lease_duration_unit: &'static str,
    /// Null where it can be booked and the number of rooms is not said.
    rooms_left: Option<u32>,
    #[schema(value_type = http_kit::contract::price::Price)]
    price: Price,
    /// Null where nobody said it, like the three below.
    book_by: Option<String>,
    /// The last day of moving in, where there is more than one.
    move_in_until: Option<String>,
    ends_on: Option<String>,
    /// The lease's own deposit.
    #[schema(value_type = Option<http_kit::contract::price::Price>)]
    deposit: Option<Price>,
    /// Its last day to book is over.
    booking_over: bool,
    /// Nothing is paid for it through the house: it is asked about, since a booking begins with a payment.
    nothing_due: bool,
}

/// Which rooms a request wants (`meta_types` split into three filters, Spec §7).
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    pub room_types: Vec<String>,
    pub bathroom_types: Vec<String>,
    pub kitchen_types: Vec<String>,
}

impl Wanted {
    fn takes(&self, types: &MetaTypes) -> bool {
        let meets = |wanted: &[String], have: &[&str]| {
            wanted.is_empty() || have.iter().any(|one| wanted.iter().any(|want| want == one))
        };
        meets(&self.room_types, &types.room_types)
            && meets(&self.bathroom_types, &types.bathroom_types)
            && meets(&self.kitchen_types, &types.kitchen_types)
    }
}

/// The rooms of a home that are wanted, cheapest first; sold-out ones last.
pub fn room_types(home: &Home, wanted: &Wanted, lang: Language) -> Vec<RoomType> {
    let mut rooms: Vec<RoomType> = home
        .rooms()
        .filter_map(|room| room_type(home, room, lang))
        .collect();
    rooms.retain(|room| wanted.takes(&room.meta_types));
    rooms.sort_by_key(|room| (room.rooms_left == Some(0), room.from.amount_minor));
    rooms
}

fn room_type(home: &Home, room: &LetRoom, lang: Language) -> Option<RoomType> {
    let left = home.said_left(room);
    let photos = list_room_photos(home, room, lang);
    let details = &room.details;
    Some(RoomType {
        id: details.id.to_string(),
        name: details.name.in_language(lang.code()).to_owned(),
        configuration: Configuration::of(home.property.country, details.attributes, details.bedrooms)
            .map(Configuration::name),
        meta_types: MetaTypes {
            room_types: details.attributes.room_type().into_iter().collect(),
            bathroom_types: details.attributes.bathroom_type().into_iter().collect(),
            kitchen_types: details.attributes.kitchen_type().into_iter().collect(),
        },
        facts: facts(room, lang),
        area_sqm: details.area_sqm,
        image: picture(home, room, &photos, lang),
        photos,
        plans: list_room_plans(home, room, lang),
        from: home.price(home.lowest_price(room)?),
        rooms_left: left,
        available: home.room_available(room),
        options: room
            .leases
            .iter()
            .map(|lease| option(home, room, lease))
            .collect(),
    })
}

fn option(home: &Home, room: &LetRoom, lease: &LeaseOption) -> RoomOption {
    RoomOption {
        inventory_id: room.details.id.to_string(),
        move_in_date: lease.move_in.to_string(),
        lease_duration: lease.length.duration,
        lease_duration_unit: lease.length.unit.key(),
        rooms_left: home.said_left_of(room, lease),
        price: home.price(lease.price_minor),
        book_by: write_day(lease.terms.book_by),
        move_in_until: write_day(lease.terms.move_in_until),
        ends_on: write_day(lease.terms.ends_on),
        deposit: lease.terms.deposit_minor.map(|minor| home.price(minor)),
        booking_over: !lease.is_open_on(home.today),
        nothing_due: !home.property.terms.asks_something(&lease.terms),
    }
}

fn write_day(day: Option<NaiveDate>) -> Option<String> {
    day.map(|day| day.to_string())
}

/// `14 m²`, `floor 3`, `small double bed`, `private bathroom`, `kitchen shared by 6`.
pub fn facts(room: &LetRoom, lang: Language) -> Vec<String> {
    let details = &room.details;
    let area = details
        .area_sqm
        .map(|area| words(lang, "room_fact.area", &[("area", &area.to_string())]));
    let bed = details
        .bed
        .map(|bed| words(lang, &format!("bed.{}", bed.key()), &[]));
    let bathroom = details
        .attributes
        .bathroom_type()
        .map(|key| words(lang, &format!("room_fact.{key}"), &[]));
    let kitchen = match (details.kitchen_shared_by, details.attributes.kitchen_type()) {
        (Some(count), _) => Some(words(
            lang,
            "room_fact.kitchen_for",
            &[("count", &count.to_string())],
        )),
        (None, Some(key)) => Some(words(lang, &format!("room_fact.{key}"), &[])),
        (None, None) => None,
    };
    let floor = details.floor.map(|floor| match floor {
        0 => words(lang, "room_fact.ground_floor", &[]),
        above => words(lang, "room_fact.floor", &[("floor", &above.to_string())]),
    });
    let people = match details.sleeps {
        Some(people) if people > 2 => {
            Some(words(lang, "room_fact.sleeps", &[("count", &people.to_string())]))
        }
        _ => (details.dual_occupancy == Some(true)).then(|| words(lang, "room_fact.dual", &[])),
    };
    [area, floor, bed, bathroom, kitchen, people]
        .into_iter()
        .flatten()
        .collect()
}

/// Its own photo or drawing, else that of the home.
fn picture(home: &Home, room: &LetRoom, photos: &[Photo], lang: Language) -> Option<Image> {
    let drawing = || {
        room.details.pictures.first().map(|drawn| Image {
            path: picture_path(drawn),
            caption: caption(drawn, lang),
        })
    };
    let own = photos.first().map(describe_image);
    own.or_else(drawing).or_else(|| choose_image(home, lang))
}

/// Caption of a picture, for readers who do not see it.
pub fn caption(picture: &Picture, lang: Language) -> String {
    words(lang, &format!("picture.{}", picture.kind.key()), &[])
}
