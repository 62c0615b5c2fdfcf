use domain::inventory::media::Media;
use domain::room::{RoomAttributes, Sharing};
use domain::wording::Wording;
use uuid::Uuid;

use super::*;
use crate::leases::KeptLeases;

const HOUSE: &str = "aspen-hall";

/// A room of the feed by its key, its name and its size.
fn room(key: Option<&str>, name: &str, size: u16) -> OfferedRoom {
    OfferedRoom {
        key: key.unwrap_or(name).to_owned(),
        is_named: key.is_some(),
        details: RoomDetails {
            id: InventoryId(Uuid::nil()),
            canonical_name: String::new(),
            name: Wording::english(name),
            attributes: RoomAttributes::new(Sharing::Private, Sharing::Private, Sharing::Shared),
            bedrooms: None,
            bathrooms: None,
            area_sqm: Some(size),
            bed: None,
            floor: None,
            sleeps: None,
            kitchen_shared_by: None,
            dual_occupancy: None,
            asked_minor: None,
            pictures: Vec::new(),
            media: Media::default(),
        },
        offer: RoomOffer::from(Vec::new()),
        kept: KeptLeases::default(),
        is_rejected: false,
    }
}

/// A home at the address [`HOUSE`].
fn house() -> PropertyDetails {
    let listed = include_str!("../../../../domain/events/inventory/PropertyListed.v2.json");
    let sample: serde_json::Value = serde_json::from_str(listed).unwrap();
    let property = sample["payload"]["PropertyListed"]["property"].clone();
    PropertyDetails {
        canonical_name: HOUSE.to_owned(),
        ..serde_json::from_value(property).unwrap()
    }
}

fn give(known: &Inventory, rooms: Vec<OfferedRoom>) -> (Vec<RoomDetails>, Vec<Fault>) {
    let home = Home {
        id: "h-1".to_owned(),
        ..Home::default()
    };
    let mut faults = Vec::new();
    let origin = Origin {
        feed: "feed",
        today: "2026-11-27".parse().unwrap(),
    };
    let given = give_ids(known, (origin, &home, &house()), rooms, &mut faults);
    (given.into_iter().map(|(details, _)| details).collect(), faults)
}

/// The home as it stands once these rooms are listed.
fn listed(rooms: Vec<RoomDetails>) -> Inventory {
    let rooms = rooms.into_iter().map(|details| LetRoom {
        details,
        rooms: 1,
        is_count_said: false,
        leases: Vec::new(),
        leases_take_all: false,
        withdrawn: false,
    });
    let mut home = Inventory::default();
    home.rooms = rooms.collect();
    home
}

fn ids(rooms: &[RoomDetails]) -> Vec<InventoryId> {
    rooms.iter().map(|room| room.id).collect()
}

fn base() -> InventoryId {
    InventoryId(named_id(&["room", "feed", "h-1"]))
}

#[test]
fn first_room_of_a_home_has_the_id_of_homes_of_one_room() {
    let (only, _) = give(&Inventory::default(), vec![room(None, "Loft", 12)]);
    assert_eq!(
        (only[0].id, only[0].canonical_name.as_str()),
        (base(), "aspen-hall-room")
    );
    let (two, _) = give(
        &Inventory::default(),
        vec![room(Some("A 1"), "Loft", 12), room(Some("B"), "Studio", 20)],
    );
    let keyed = InventoryId(named_id(&["room", "feed", "h-1", "B"]));
    assert_eq!(ids(&two), [base(), keyed]);
    assert_eq!(two[0].canonical_name, "aspen-hall-room-a-1");
    // The home of one room gets a second one, and its first an id.
    let (more, faults) = give(
        &listed(only),
        vec![
            room(Some("A 1"), "Garden loft", 14),
            room(Some("B"), "Studio", 20),
        ],
    );
    assert_eq!((ids(&more), faults.len()), (ids(&two), 0));
}

#[test]
fn rooms_keep_their_ids_in_another_order_and_by_other_names() {
    let rooms = || vec![room(Some("A"), "Loft", 12), room(Some("B"), "Studio", 20)];
    let (two, _) = give(&Inventory::default(), rooms());
    let known = listed(two.clone());
    let turned = rooms().into_iter().rev().collect();
    let (turned, _) = give(&known, turned);
    assert_eq!(ids(&turned), [two[1].id, two[0].id]);
    let (renamed, faults) = give(
        &known,
        vec![room(Some("A"), "Attic", 14), room(Some("B"), "Den", 9)],
    );
    assert_eq!((ids(&renamed), faults.len()), (ids(&two), 0), "keys decide");
}

#[test]
fn room_with_a_new_key_is_known_by_what_it_says_and_told() {
    let first = vec![room(Some("A"), "Loft", 12), room(Some("B"), "Studio", 20)];
    let (two, _) = give(&Inventory::default(), first);
    let known = listed(two.clone());
    let next = vec![
        room(Some("N"), "Den", 9),
        room(Some("X"), "Studio", 21),
        room(Some("Y"), "Attic", 12),
    ];
    let (renamed, faults) = give(&known, next);
    let new = InventoryId(named_id(&["room", "feed", "h-1", "N"]));
    assert_eq!(ids(&renamed), [new, two[1].id, two[0].id]);
    let told: Vec<(&str, &str)> = faults
        .iter()
        .map(|fault| (fault.value.as_str(), fault.reason.as_str()))
        .collect();
    assert!(
        told[0].0 == "X" && told[0].1.contains("was `b` before"),
        "{told:?}"
    );
    assert!(
        told[1].0 == "Y" && told[1].1.contains("was `a` before"),
        "{told:?}"
    );
    // The next run of the same feed has nothing to tell.
    let again = vec![
        room(Some("N"), "Den", 9),
        room(Some("X"), "Studio", 21),
        room(Some("Y"), "Attic", 12),
    ];
    let (same, faults) = give(&listed(renamed.clone()), again);
    assert_eq!((ids(&same), faults.len()), (ids(&renamed), 0));
}

#[test]
fn another_room_gets_no_booked_ones_id() {
    let (one, _) = give(
        &Inventory::default(),
        vec![room(Some("A"), "Loft", 12), room(Some("B"), "Den", 9)],
    );
    let (next, _) = give(
        &listed(one.clone()),
        vec![room(Some("N"), "Studio", 20), room(Some("B"), "Den", 9)],
    );
    assert!(!ids(&one).contains(&next[0].id));
    assert_eq!(next[1].id, one[1].id);
}

#[test]
fn addresses_differ_where_keys_are_written_alike() {
    let alike = vec![
        room(Some("A-1"), "Loft", 12),
        room(Some("A 1"), "Den", 9),
        room(Some("***"), "Bay", 7),
    ];
    let (rooms, _) = give(&Inventory::default(), alike);
    let mut names: Vec<&str> = rooms.iter().map(|room| room.canonical_name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 3, "{names:?}");
}

/// A room without an id and a name: its place in the home is its key.
fn placed(place: u8, size: u16) -> OfferedRoom {
    OfferedRoom {
        key: place.to_string(),
        ..room(None, "Ensuite Room", size)
    }
}

#[test]
fn rooms_without_ids_are_known_by_what_they_say_in_any_order() {
    let (two, _) = give(&Inventory::default(), vec![placed(1, 12), placed(2, 9)]);
    let (turned, faults) = give(&listed(two.clone()), vec![placed(1, 9), placed(2, 12)]);
    assert_eq!((ids(&turned), faults.len()), (vec![two[1].id, two[0].id], 0));
    let names = |rooms: &[RoomDetails]| -> Vec<String> {
        rooms.iter().map(|room| room.canonical_name.clone()).collect()
    };
    let before = names(&two);
    assert_eq!(
        names(&turned),
        [before[1].clone(), before[0].clone()],
        "addresses stay"
    );
    // Two of one name, of which the second is called by its place too.
    let twins = |first, second| {
        let mut other = room(None, "Loft", second);
        other.key = "Loft 2".to_owned();
        vec![room(None, "Loft", first), other]
    };
    let (two, _) = give(&Inventory::default(), twins(12, 9));
    let (turned, _) = give(&listed(two.clone()), twins(9, 12));
    assert_eq!(ids(&turned), [two[1].id, two[0].id]);
}

#[test]
fn new_room_without_an_id_gets_none_that_another_had() {
    let (two, _) = give(&Inventory::default(), vec![placed(1, 12), placed(2, 9)]);
    // A new room stands first, and the others behind it.
    let (three, _) = give(
        &listed(two.clone()),
        vec![placed(1, 30), placed(2, 12), placed(3, 9)],
    );
    assert_eq!(ids(&three)[1..], ids(&two));
    assert!(!ids(&two).contains(&three[0].id));
    let (same, _) = give(
        &listed(three.clone()),
        vec![placed(1, 30), placed(2, 12), placed(3, 9)],
    );
    assert_eq!(same, three);
}

#[test]
fn only_room_left_is_the_one_that_it_says() {
    let both = vec![room(None, "Single Room", 9), room(None, "Double Room", 14)];
    let (two, _) = give(&Inventory::default(), both);
    let (one, _) = give(&listed(two.clone()), vec![room(None, "Double Room", 14)]);
    assert_eq!(ids(&one), [two[1].id]);
}

#[test]
fn renamed_room_without_an_id_keeps_its_bookings() {
    let both = |name| vec![room(None, name, 12), room(None, "Den", 9)];
    let (two, _) = give(&Inventory::default(), both("Loft"));
    let (renamed, faults) = give(&listed(two.clone()), both("Garden loft"));
    assert_eq!(ids(&renamed), ids(&two));
    assert!(
        faults.len() == 1 && faults[0].reason.contains("was `loft` before"),
        "{faults:?}"
    );
    let (_, faults) = give(&listed(renamed), both("Garden loft"));
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn rejected_room_stands_as_the_house_has_it() {
    let both = || vec![room(Some("A"), "Loft", 12), room(Some("B"), "Den", 9)];
    let (two, _) = give(&Inventory::default(), both());
    let known = listed(two.clone());
    let rejected = |key: Option<&str>, name: &str| OfferedRoom {
        is_rejected: true,
        ..room(key, name, 30)
    };
    let (kept, _) = give(
        &known,
        vec![room(Some("A"), "Loft", 12), rejected(Some("B"), "Other")],
    );
    assert_eq!(kept, two, "nothing of it is taken");
    let (without, _) = give(&known, vec![room(Some("A"), "Loft", 12)]);
    assert_eq!(ids(&without), [two[0].id]);
    let (new, _) = give(
        &known,
        vec![room(Some("A"), "Loft", 12), rejected(Some("C"), "New")],
    );
    assert_eq!(ids(&new), [two[0].id], "the house has no such room");
    let (unread, _) = give(&known, vec![room(Some("A"), "Loft", 12), rejected(None, "2")]);
    assert_eq!(unread, two, "it may be the other one");
}

/// Takes a minute where each room is compared with all pairs that are left.
#[test]
fn hundreds_of_rooms_without_ids_find_themselves() {
    let rooms = || (0..300).map(|number| room(None, &format!("Room {number}"), 12));
    let (known, _) = give(&Inventory::default(), rooms().collect());
    let (turned, faults) = give(&listed(known.clone()), rooms().rev().collect());
    let mut turned = ids(&turned);
    turned.reverse();
    assert_eq!((turned, faults.len()), (ids(&known), 0));
}
