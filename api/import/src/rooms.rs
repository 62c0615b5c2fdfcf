//! Turns the rooms of a feed into room types with what is said of them; absent facts stay absent (decision 0042).

use chrono::NaiveDate;
use domain::country::Country;
use domain::id::InventoryId;
use domain::inventory::let_room::{Bed, RoomDetails};
use domain::inventory::media::Media;
use domain::inventory::room_offer::RoomOffer;
use domain::language::Language;
use domain::place::slug;
use domain::room::{Configuration, RoomAttributes, Sharing};
use domain::wording::Wording;
use feeds::{Fault, Home, Room};
use platform::texts::text;
use uuid::Uuid;

use crate::leases::{KeptLeases, Pricing, offer_leases};
use crate::media::read_room_media;
use crate::texts::write_wording;

/// Square centimetres of a square metre.
const SQUARE_METRE: u64 = 10_000;

/// A room type on offer. Its id and its address are given once it is known which rooms the house has already.
pub(crate) struct OfferedRoom {
    /// Tells it from the other rooms of its home: its id in the feed, else its name, else its place.
    pub(crate) key: String,
    /// Whether the feed gives it an id.
    pub(crate) is_named: bool,
    pub(crate) details: RoomDetails,
    pub(crate) offer: RoomOffer,
    pub(crate) kept: KeptLeases,
    /// True where its feed has it and it cannot be used now: what the house has of it stands.
    pub(crate) is_rejected: bool,
}

/// The rooms of a home, in the feed's order; those that cannot be used stand behind the others.
pub(crate) fn offer_rooms(
    home: &Home,
    country: Country,
    pricing: Pricing,
    today: NaiveDate,
    notes: &mut Vec<Fault>,
) -> Vec<OfferedRoom> {
    let mut offered: Vec<OfferedRoom> = Vec::new();
    let taken = home.rooms.iter().map(|room| (room, false));
    let rejected = home.rejected_rooms.iter().map(|room| (room, true));
    for (place, (room, is_rejected)) in taken.chain(rejected).enumerate() {
        let name = room.name.values().find(|name| !slug(name).is_empty());
        let mut key = match (&room.key, name) {
            (Some(key), _) => key.clone(),
            (None, Some(name)) => name.clone(),
            (None, None) => (place + 1).to_string(),
        };
        if offered.iter().any(|other| other.key == key) {
            key = format!("{key} {}", place + 1);
        }
        // Faults of a rejected room are told already.
        let mut told = Vec::new();
        let leases = offer_leases(room, pricing, today, &mut told);
        if !is_rejected {
            notes.append(&mut told);
        }
        offered.push(OfferedRoom {
            key,
            is_named: room.key.is_some(),
            details: RoomDetails {
                asked_minor: leases.asked_minor,
                media: read_room_media(room, notes),
                ..describe_room(room, home, country)
            },
            offer: leases.offer,
            kept: leases.kept,
            is_rejected,
        });
    }
    offered
}

fn describe_room(room: &Room, home: &Home, country: Country) -> RoomDetails {
    let is_entire = room.kind.is_some_and(|kind| kind.is_entire);
    // Bedrooms of a flat are no fact of one room in it.
    let of_home = home.bedrooms.filter(|_| is_entire || room.kind.is_none());
    let bedrooms = room
        .bedrooms
        .or(of_home)
        .and_then(|count| u8::try_from(count).ok());
    let attributes = read_attributes(room, bedrooms, country);
    let own = RoomAttributes::new(Sharing::Private, Sharing::Private, Sharing::Private);
    let is_studio = !is_entire && attributes == own;
    let bedrooms = bedrooms.or(is_studio.then_some(0));
    let bathrooms = home
        .half_bathrooms
        .filter(|halves| is_entire && halves.is_multiple_of(2));
    RoomDetails {
        id: InventoryId(Uuid::nil()),
        canonical_name: String::new(),
        name: name_room(room, home, country, attributes, bedrooms),
        attributes,
        bedrooms,
        bathrooms: bathrooms.and_then(|halves| u8::try_from(halves / 2).ok()),
        area_sqm: room
            .size_cm2
            .and_then(|size| u16::try_from(size / SQUARE_METRE).ok())
            .filter(|size| *size > 0),
        bed: room.bed.as_deref().and_then(read_bed),
        floor: room.floor.as_deref().and_then(read_floor),
        sleeps: room
            .sleeps
            .and_then(|people| u8::try_from(people).ok())
            .filter(|people| *people > 0),
        kitchen_shared_by: None,
        dual_occupancy: room.sleeps.map(|people| people > 1),
        asked_minor: None,
        pictures: Vec::new(),
        media: Media::default(),
    }
}

/// Three answers name a kind of room: a whole flat is none, but where its bedrooms say so.
fn read_attributes(room: &Room, bedrooms: Option<u8>, country: Country) -> RoomAttributes {
    let Some(kind) = room.kind else {
        return RoomAttributes::default();
    };
    if !kind.is_entire {
        return kind.attributes;
    }
    if bedrooms.is_some_and(|count| count > 1 || country == Country::Us) {
        return RoomAttributes::new(Sharing::Private, Sharing::Private, Sharing::Private);
    }
    RoomAttributes {
        room: None,
        ..kind.attributes
    }
}

/// The feed's name, else that of its kind, else the home's.
fn name_room(
    room: &Room,
    home: &Home,
    country: Country,
    attributes: RoomAttributes,
    bedrooms: Option<u8>,
) -> Wording {
    let said = write_wording(&room.name);
    if !said.is_blank() {
        return said;
    }
    let key = match Configuration::of(country, attributes, bedrooms) {
        Some(configuration) => configuration.key(),
        None if room.kind.is_some_and(|kind| kind.is_entire) => "whole_flat",
        None => return write_wording(&home.name),
    };
    let key = format!("configuration.{key}");
    Language::SERVED
        .into_iter()
        .fold(Wording::default(), |name, lang| {
            name.with(lang.code(), text(lang, &key, &[]))
        })
}

/// The bed by the feed's words, where they say one that the house has a word for.
fn read_bed(words: &str) -> Option<Bed> {
    let words = words.replace('_', " ");
    match slug(&words).trim_end_matches("-bed") {
        "single" | "1-single" | "einzelbett" | "cama-individual" | "lit-simple" | "letto-singolo" => {
            Some(Bed::Single)
        }
        "small-double" | "three-quarter" => Some(Bed::SmallDouble),
        "double" | "1-double" | "doppelbett" | "cama-doble" | "lit-double" | "letto-matrimoniale" => {
            Some(Bed::Double)
        }
        "twin" | "two-singles" | "two-single-beds" | "2-single-beds" | "2-singles" => Some(Bed::TwoSingles),
        _ => None,
    }
}

/// Floors above the ground by the feed's words: `2`, `2nd floor`, `Ground`, `EG`, `3. OG`. A cellar and a roof are none of them.
pub(crate) fn read_floor(words: &str) -> Option<u8> {
    // A sign is lost in a slug.
    if words.trim_start().starts_with(['-', '−']) {
        return None;
    }
    let words = slug(&words.replace('_', " "));
    match words.as_str() {
        "g" | "gf" | "ground" | "ground-floor" | "eg" | "erdgeschoss" | "bajo" | "planta-baja" | "rdc"
        | "rez-de-chaussee" | "piano-terra" => return Some(0),
        _ => {}
    }
    let mut parts = words.split('-');
    let first = parts.next()?;
    let digits = first.trim_end_matches(|letter: char| letter.is_alphabetic());
    let number: u8 = digits.parse().ok()?;
    let is_ending = |ending: &str| matches!(ending, "" | "st" | "nd" | "rd" | "th" | "er" | "e" | "a" | "o");
    let is_floor = |word: &str| {
        matches!(
            word,
            "floor" | "og" | "obergeschoss" | "etage" | "stock" | "planta" | "piso" | "piano"
        )
    };
    let is_plain = is_ending(&first[digits.len()..]) && parts.all(is_floor);
    is_plain.then_some(number)
}

#[cfg(test)]
mod tests {
    use feeds::RoomKind;

    use super::*;

    fn describe(room: &Room) -> RoomDetails {
        let home = Home {
            name: [("en".to_owned(), "Aspen Hall".to_owned())].into(),
            bedrooms: Some(4),
            half_bathrooms: Some(3),
            ..Home::default()
        };
        describe_room(room, &home, Country::Uk)
    }

    #[test]
    fn floors_are_read_from_numbers_and_words() {
        for (words, floor) in [
            ("2", Some(2)),
            ("2nd floor", Some(2)),
            ("Ground floor", Some(0)),
            ("EG", Some(0)),
            ("3. OG", Some(3)),
            ("0", Some(0)),
            ("basement", None),
            ("2 of 5", None),
            ("-1", None),
            ("", None),
        ] {
            assert_eq!(read_floor(words), floor, "{words}");
        }
    }

    #[test]
    fn room_says_what_its_feed_says() {
        let kind = |is_entire, attributes| {
            Some(RoomKind {
                is_entire,
                attributes,
            })
        };
        let ensuite = RoomAttributes::new(Sharing::Private, Sharing::Private, Sharing::Shared);
        let room = Room {
            kind: kind(false, ensuite),
            size_cm2: Some(125_000),
            bed: Some("small_double bed".to_owned()),
            sleeps: Some(1),
            floor: Some("3".to_owned()),
            ..Room::default()
        };
        let said = describe(&room);
        assert_eq!(
            (said.attributes, said.bedrooms, said.bathrooms),
            (ensuite, None, None)
        );
        assert_eq!((said.area_sqm, said.bed), (Some(12), Some(Bed::SmallDouble)));
        assert_eq!(said.dual_occupancy, Some(false));
        assert_eq!((said.floor, said.sleeps), (Some(3), Some(1)));
        assert_eq!(said.name.in_language("en"), "Ensuite Room");
        let flat = describe(&Room {
            kind: kind(true, RoomAttributes::default()),
            ..Room::default()
        });
        assert_eq!((flat.bedrooms, flat.bathrooms), (Some(4), None), "one and a half");
        let silent = describe(&Room::default());
        assert_eq!(
            (silent.area_sqm, silent.bed, silent.dual_occupancy),
            (None, None, None)
        );
        assert_eq!(silent.name.in_language("en"), "Aspen Hall");
        let own = RoomAttributes::new(Sharing::Private, Sharing::Private, Sharing::Private);
        let studio = describe(&Room {
            kind: kind(false, own),
            ..Room::default()
        });
        assert_eq!(studio.bedrooms, Some(0));
    }
}
