//! Gives the rooms of a home the ids that they have in the log, so that what is booked of them stays theirs when a feed renames its
//! rooms, orders them anew or gives them ids of its own.

use std::collections::BTreeSet;

use domain::id::InventoryId;
use domain::inventory::Inventory;
use domain::inventory::let_room::{LetRoom, RoomDetails};
use domain::inventory::property::PropertyDetails;
use domain::inventory::room_offer::RoomOffer;
use domain::place::slug;
use feeds::{Fault, Home};

use crate::home::Origin;
use crate::places::named_id;
use crate::report::note;
use crate::rooms::OfferedRoom;

mod likeness;

use likeness::{Likeness, contradicts, is_of_one_kind, shares_name};

/// Stands between the address of a home and that of a room of it.
const BETWEEN: &str = "-room-";
/// The end of the address of the only room of a home that its feed gives no id.
const ONLY: &str = "-room";
/// Bytes of a key in the address of its room.
const KEY_MAX: usize = 40;

/// The rooms with their ids and addresses. The first of a new home has the id that homes of one room have; others add their key. A room
/// that its feed gives an id is known by it. Others, and those whose id is new, are known by what they say, wherever they stand in the
/// home; another id or name than before is told.
pub(crate) fn give_ids(
    known: &Inventory,
    (origin, home, property): (Origin<'_>, &Home, &PropertyDetails),
    rooms: Vec<OfferedRoom>,
    faults: &mut Vec<Fault>,
) -> Vec<(RoomDetails, RoomOffer)> {
    let (feed, address) = (origin.feed, property.canonical_name.as_str());
    let base = InventoryId(named_id(&["room", feed, &home.id]));
    let keyed = |key: &str| InventoryId(named_id(&["room", feed, &home.id, key]));
    let before = known
        .property
        .as_deref()
        .map(|known| known.canonical_name.as_str());
    // Amounts of before mean something else in another currency, or for another period.
    let is_same_money = known
        .property
        .as_deref()
        .is_none_or(|known| known.has_money_of(property));
    let mut search = Search {
        rooms: &rooms,
        keys: rooms
            .iter()
            .map(|room| (keyed(&room.key), write_end(room, rooms.len())))
            .collect(),
        before: before.unwrap_or(address),
        free: known.rooms.iter().collect(),
        found: vec![None; rooms.len()],
    };
    search.find_by_keys();
    search.find_by_words(home, faults);
    // The one room of an earlier import goes on as the first, however it is called now.
    if known.rooms.len() == 1
        && let Some(place) = search.found.iter().position(Option::is_none)
    {
        search.take(place, |known| known.details.id == base);
    }
    let standing = if is_same_money {
        search.list_standing()
    } else {
        Vec::new()
    };
    let found = search.found.clone();
    let ends = search.choose_ends(&known.rooms);
    let mut taken: Vec<InventoryId> = known.rooms.iter().map(|room| room.details.id).collect();
    let mut given = Vec::with_capacity(rooms.len());
    for (mut room, (found, end)) in rooms.into_iter().zip(found.into_iter().zip(ends)) {
        if room.is_rejected {
            continue;
        }
        if let Some(known) = found.filter(|known| is_same_money && !known.withdrawn) {
            room.kept.add_known(&mut room.offer, &known.leases, origin.today);
        }
        let id = match found {
            Some(known) => known.details.id,
            None if taken.is_empty() => base,
            None => find_new(keyed, &room.key, &taken),
        };
        taken.push(id);
        let details = RoomDetails {
            id,
            canonical_name: format!("{address}{end}"),
            ..room.details
        };
        given.push((details, room.offer));
    }
    given.extend(standing.into_iter().map(stay_as_is));
    given
}

/// A room of the log, as it is.
fn stay_as_is(known: &LetRoom) -> (RoomDetails, RoomOffer) {
    let offer = RoomOffer {
        rooms: Some(known.rooms),
        is_count_said: known.is_count_said,
        leases: known.leases.clone(),
    };
    (known.details.clone(), offer)
}

/// An id by a room's key that no room of the home has, or ever had: another room's bookings stay with it.
fn find_new(keyed: impl Fn(&str) -> InventoryId, key: &str, taken: &[InventoryId]) -> InventoryId {
    let mut id = keyed(key);
    let mut number = 2_u32;
    while taken.contains(&id) {
        id = keyed(&format!("{key} {number}"));
        number += 1;
    }
    id
}

/// The end of a room's address by its key.
fn write_end(room: &OfferedRoom, rooms: usize) -> String {
    if rooms == 1 && !room.is_named {
        return ONLY.to_owned();
    }
    let plain = slug(&room.key);
    // Keys of signs alone, and long ones.
    if plain.is_empty() || plain.len() > KEY_MAX {
        return format!("{BETWEEN}{}", named_id(&["address", &room.key]).simple());
    }
    format!("{BETWEEN}{plain}")
}

/// Says whether a room is called by its place in the home, for want of an id and a name.
fn is_placed(room: &OfferedRoom) -> bool {
    !room.is_named && room.key.bytes().all(|byte| byte.is_ascii_digit())
}

/// Rooms of a feed on their way to the rooms of the log that they are.
struct Search<'r, 'k> {
    rooms: &'r [OfferedRoom],
    /// Of each room the id and the end of the address that its key gives.
    keys: Vec<(InventoryId, String)>,
    /// The address that the home has in the log.
    before: &'r str,
    /// Rooms of the log that no room of the feed is yet.
    free: Vec<&'k LetRoom>,
    found: Vec<Option<&'k LetRoom>>,
}

impl<'k> Search<'_, 'k> {
    /// Finds rooms by the ids that the feed gives them: all by their own first, since two ids may be written alike in an address.
    fn find_by_keys(&mut self) {
        for place in self.list_open(|room| room.is_named) {
            let own = self.keys[place].0;
            self.take(place, |known| known.details.id == own);
        }
        for place in self.list_open(|room| room.is_named) {
            let end = self.keys[place].1.clone();
            let before = self.before;
            self.take(place, |known| end_of(known, before) == Some(end.as_str()));
        }
    }

    /// Finds rooms by what they say of themselves, the likest first; then by their names, by a kind that one room alone has on both
    /// sides, and by their place in the home where nothing speaks against it.
    fn find_by_words(&mut self, home: &Home, faults: &mut Vec<Fault>) {
        // Pairs are measured once for each likeness that occurs, not once for each room: a house of a thousand rooms has a million pairs.
        for likeness in self.list_likenesses().into_iter().rev() {
            for place in self.list_open(|_room| true) {
                let mut free = self.free.iter();
                if let Some(at) = free.position(|known| self.measure(place, known) == Some(likeness)) {
                    let found = self.free.remove(at);
                    self.found[place] = Some(found);
                    self.tell(place, found, home, faults);
                }
            }
        }
        for place in self.list_open(|room| !room.is_named && !is_placed(room)) {
            self.take_by_key(place, |_known| true);
        }
        for place in self.list_open(|room| !room.is_named) {
            if let Some(at) = self.find_only_one_of_kind(place) {
                let found = self.free.remove(at);
                self.found[place] = Some(found);
                self.tell(place, found, home, faults);
            }
        }
        for place in self.list_open(is_placed) {
            let details = &self.rooms[place].details;
            self.take_by_key(place, |known| !contradicts(details, &known.details));
        }
    }

    /// Rooms of the log that are let and stay as they are, since their feed has them and they cannot be used now. Where one of these says
    /// neither id nor name and is not found, it may be any room.
    fn list_standing(&self) -> Vec<&'k LetRoom> {
        let rejected = || {
            self.rooms
                .iter()
                .zip(&self.found)
                .filter(|(room, _)| room.is_rejected)
        };
        let mut standing: Vec<&'k LetRoom> = rejected().filter_map(|(_, found)| *found).collect();
        if rejected().any(|(room, found)| found.is_none() && is_placed(room)) {
            standing.extend(&self.free);
        }
        standing.retain(|known| !known.withdrawn);
        standing
    }

    /// The places of rooms that are not found yet.
    fn list_open(&self, is_wanted: impl Fn(&OfferedRoom) -> bool) -> Vec<usize> {
        let open = self.rooms.iter().zip(&self.found).enumerate();
        open.filter(|(_, (room, found))| found.is_none() && is_wanted(room))
            .map(|(place, _)| place)
            .collect()
    }

    fn take(&mut self, place: usize, is_it: impl Fn(&LetRoom) -> bool) {
        if let Some(at) = self.free.iter().position(|known| is_it(known)) {
            self.found[place] = Some(self.free.remove(at));
        }
    }

    fn take_by_key(&mut self, place: usize, is_it: impl Fn(&LetRoom) -> bool) {
        let (own, end) = self.keys[place].clone();
        let before = self.before;
        self.take(place, |known| {
            let is_own = known.details.id == own || end_of(known, before) == Some(end.as_str());
            is_own && is_it(known)
        });
    }

    /// Every likeness of a room that is not found yet and one of the log that no other room is, where it is enough.
    fn list_likenesses(&self) -> BTreeSet<Likeness> {
        let open = self.list_open(|_room| true).into_iter();
        let pairs = open.flat_map(|place| self.free.iter().map(move |known| (place, known)));
        pairs
            .filter_map(|(place, known)| self.measure(place, known))
            .collect()
    }

    /// The likeness of a room and one of the log; `None` where it is too little.
    fn measure(&self, place: usize, known: &LetRoom) -> Option<Likeness> {
        let (room, own) = (&self.rooms[place], &self.keys[place]);
        let is_key = known.details.id == own.0 || end_of(known, self.before) == Some(own.1.as_str());
        let likeness = Likeness::measure(room, known, is_key);
        likeness.is_enough(room.is_named).then_some(likeness)
    }

    /// The one free room of the log that is of a room's kind, where that room is the only one of it that is not found.
    fn find_only_one_of_kind(&self, place: usize) -> Option<usize> {
        let details = &self.rooms[place].details;
        let alike = self.list_open(|room| is_of_one_kind(&room.details, details));
        let mut of_kind = self
            .free
            .iter()
            .enumerate()
            .filter(|(_, known)| !known.withdrawn && is_of_one_kind(&known.details, details));
        let (at, known) = of_kind.next()?;
        let is_only = alike.len() == 1 && of_kind.next().is_none();
        (is_only && !contradicts(details, &known.details)).then_some(at)
    }

    /// Tells that a room has another id or name than before.
    fn tell(&self, place: usize, found: &LetRoom, home: &Home, faults: &mut Vec<Fault>) {
        let room = &self.rooms[place];
        let known = end_of(found, self.before).and_then(|end| end.strip_prefix(BETWEEN));
        let Some(known) = known.filter(|_| !room.is_rejected) else {
            return;
        };
        let is_told = if room.is_named {
            self.keys[place].1.strip_prefix(BETWEEN) != Some(known)
        } else {
            !shares_name(&room.details, &found.details)
        };
        if is_told {
            let reason =
                format!("the room was `{known}` before by its name, kind and size: it keeps its bookings");
            let line = home.rooms.get(place).map_or(home.line, |room| room.line);
            faults.push(note(line, "room_id", &room.key, reason));
        }
    }

    /// The ends of the rooms' addresses. A room without an id of its feed keeps the one that it has; no two have one, nor does a room get
    /// that of another which is let no longer.
    fn choose_ends(&self, known: &[LetRoom]) -> Vec<String> {
        let mut ends: Vec<String> = Vec::new();
        for (room, (found, (id, plain))) in self.rooms.iter().zip(self.found.iter().zip(&self.keys)) {
            let own = found.and_then(|found| end_of(found, self.before));
            let kept = own.filter(|own| !room.is_named || *own == plain);
            if let Some(kept) = kept {
                ends.push(kept.to_owned());
                continue;
            }
            let is_taken = |end: &String| {
                let of_log = known.iter().filter_map(|known| end_of(known, self.before));
                ends.contains(end)
                    || of_log
                        .filter(|other| Some(*other) != own)
                        .any(|other| other == end)
            };
            let by_key = format!("{BETWEEN}{}", named_id(&["address", &room.key]).simple());
            let by_id = format!("{BETWEEN}{}", named_id(&["address", &id.to_string()]).simple());
            let choices = [plain.clone(), by_key];
            let free = choices.into_iter().find(|end| !is_taken(end));
            ends.push(free.unwrap_or(by_id));
        }
        ends
    }
}

/// The part of a room's address behind that of its home.
fn end_of<'k>(known: &'k LetRoom, home: &str) -> Option<&'k str> {
    known.details.canonical_name.strip_prefix(home)
}

#[cfg(test)]
mod tests;
