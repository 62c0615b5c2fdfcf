//! Gives the rooms of a home the ids that they have in the log, so that what is booked of them stays theirs when a feed renames its
//! rooms, orders them anew or gives them ids of its own.

use domain::id::InventoryId;
use domain::inventory::Inventory;
use domain::inventory::let_room::{LetRoom, RoomDetails};
use domain::inventory::room_offer::RoomOffer;
use domain::place::slug;
use domain::room::RoomAttributes;
use feeds::{Fault, Home};

use crate::places::named_id;
use crate::report::note;
use crate::rooms::OfferedRoom;

/// Stands between the address of a home and that of a room of it.
const BETWEEN: &str = "-room-";
/// Bytes of a key in the address of its room.
const KEY_MAX: usize = 40;
/// Likeness from which on two rooms are one: the same name, or the same kind and size.
const ALIKE: u32 = 3;

/// The rooms with their ids and addresses. The first of a new home has the id that homes of one room have; others add their key. Rooms
/// whose key is new are known again by what they say, which is told.
pub(crate) fn give_ids(
    known: &Inventory,
    (feed, home, address): (&str, &Home, &str),
    rooms: Vec<OfferedRoom>,
    faults: &mut Vec<Fault>,
) -> Vec<(RoomDetails, RoomOffer)> {
    let ends = list_ends(&rooms);
    let keyed = |key: &str| InventoryId(named_id(&["room", feed, &home.id, key]));
    let base = InventoryId(named_id(&["room", feed, &home.id]));
    let mut free: Vec<&LetRoom> = known.rooms.iter().collect();
    let mut ids: Vec<Option<InventoryId>> = rooms
        .iter()
        .zip(&ends)
        .map(|(room, end)| {
            let own = keyed(&room.key);
            let is_it = |known: &&LetRoom| {
                known.details.id == own || known.details.canonical_name.ends_with(end.as_str())
            };
            let place = free.iter().position(is_it)?;
            Some(free.swap_remove(place).details.id)
        })
        .collect();
    while let Some((place, at)) = find_likest(&rooms, &ids, &free) {
        let found = free.swap_remove(at);
        ids[place] = Some(found.details.id);
        if let Some((_, before)) = found.details.canonical_name.rsplit_once(BETWEEN) {
            let reason =
                format!("the room was `{before}` before by its name, kind and size: it keeps its bookings");
            let line = home.rooms.get(place).map_or(home.line, |room| room.line);
            faults.push(note(line, "room_id", &rooms[place].key, reason));
        }
    }
    // The one room of an earlier import goes on as the first, however it is called now.
    let is_only = known.rooms.len() == 1 && free.iter().any(|known| known.details.id == base);
    if (known.rooms.is_empty() || is_only)
        && let Some(id) = ids.iter_mut().find(|id| id.is_none())
    {
        *id = Some(base);
    }
    let ids = ids.into_iter().zip(ends);
    rooms
        .into_iter()
        .zip(ids)
        .map(|(room, (id, end))| {
            let details = RoomDetails {
                id: id.unwrap_or_else(|| keyed(&room.key)),
                canonical_name: format!("{address}{end}"),
                ..room.details
            };
            (details, room.offer)
        })
        .collect()
}

/// The ends of the rooms' addresses: the key of each, or nothing of the only room of a home that its feed gives no id.
fn list_ends(rooms: &[OfferedRoom]) -> Vec<String> {
    if let [room] = rooms
        && !room.is_named
    {
        return vec!["-room".to_owned()];
    }
    let mut ends: Vec<String> = Vec::new();
    for room in rooms {
        let plain = slug(&room.key);
        let end = format!("{BETWEEN}{plain}");
        // Keys of signs alone, long ones, and two that are written alike.
        let is_own = !plain.is_empty() && plain.len() <= KEY_MAX && !ends.contains(&end);
        ends.push(if is_own {
            end
        } else {
            format!("{BETWEEN}{}", named_id(&["address", &room.key]).simple())
        });
    }
    ends
}

/// The room without an id that is most like one of the log that no other room is.
fn find_likest(
    rooms: &[OfferedRoom],
    ids: &[Option<InventoryId>],
    free: &[&LetRoom],
) -> Option<(usize, usize)> {
    let open = ids.iter().enumerate().filter(|(_, id)| id.is_none());
    let pairs = open.flat_map(|(place, _)| {
        free.iter()
            .enumerate()
            .map(move |(at, known)| (place, at, *known))
    });
    let measured = pairs.filter_map(|(place, at, known)| {
        let room = rooms.get(place)?;
        // Of two that are as like, the one that is still let.
        let likeness = measure_likeness(&room.details, &known.details);
        (likeness >= ALIKE).then_some((place, at, likeness * 2 + u32::from(!known.withdrawn)))
    });
    // Of equal ones the first of the feed.
    let (place, at, _) = measured.min_by_key(|(place, _, likeness)| (u32::MAX - likeness, *place))?;
    Some((place, at))
}

/// Measures how much two rooms say the same of themselves; two kinds are two rooms, whatever they are called.
fn measure_likeness(one: &RoomDetails, other: &RoomDetails) -> u32 {
    let is_said = one.attributes != RoomAttributes::default();
    if is_said && other.attributes != RoomAttributes::default() && one.attributes != other.attributes {
        return 0;
    }
    let same = [
        (one.name == other.name, 4),
        (is_said && one.attributes == other.attributes, 2),
        (one.area_sqm.is_some() && one.area_sqm == other.area_sqm, 1),
        (one.bed.is_some() && one.bed == other.bed, 1),
    ];
    same.iter()
        .filter(|(is_same, _)| *is_same)
        .map(|(_, weight)| weight)
        .sum()
}

#[cfg(test)]
mod tests {
    use domain::room::Sharing;
    use domain::wording::Wording;
    use uuid::Uuid;

    use super::*;

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
            },
            offer: RoomOffer::from(Vec::new()),
        }
    }

    fn give(known: &Inventory, rooms: Vec<OfferedRoom>) -> (Vec<RoomDetails>, Vec<Fault>) {
        let home = Home {
            id: "h-1".to_owned(),
            ..Home::default()
        };
        let mut faults = Vec::new();
        let given = give_ids(known, ("feed", &home, HOUSE), rooms, &mut faults);
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
}
