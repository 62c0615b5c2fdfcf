//! Brings the records of one home together: rows that have the same id, and second records of an id, of which the first stands.

use std::collections::{BTreeSet, HashMap};

use crate::build::{Draft, NO_LEASE, NO_ROOM};
use crate::fault::{Fault, Verdict};
use crate::home::{Facility, Home, LeaseOption, Picture, Room};
use crate::parts::ITEMS_MAX;
use crate::reading::is_same_text;
use crate::stats::{Stats, hash_id};

/// A home whose records have all been read.
#[derive(Debug)]
pub(crate) struct Whole {
    pub line: u64,
    pub id: String,
    /// None where it is rejected or left out.
    pub home: Option<Home>,
    pub is_left_out: bool,
    pub faults: Vec<Fault>,
    /// Rooms of rows that cannot be used.
    pub rejected: Vec<Room>,
}

/// Records of homes that are not whole yet.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    open: HashMap<u64, Group>,
    /// The line of the first record of each id, where records are whole homes.
    lines: HashMap<u64, u64>,
    /// Rows of the open groups.
    held: u64,
}

#[derive(Debug)]
struct Group {
    whole: Whole,
    rows: u64,
}

impl Groups {
    /// Takes a record that is a whole home.
    pub(crate) fn take_home(&mut self, mut draft: Draft) -> Whole {
        let id = draft.home.id.clone();
        let line = draft.home.line;
        // Records of one line are told apart too.
        if let (false, Some(first)) = (id.is_empty(), self.lines.get(&hash_id(&id))) {
            let reason = format!("the id stands in line {first} already, and that home stands");
            draft.faults.push(Fault::new(
                line,
                "property_id",
                &id,
                reason,
                Verdict::HomeRejected,
            ));
        } else {
            self.lines.insert(hash_id(&id), line);
        }
        drop_repeated(&mut draft);
        let verdict = draft.verdict();
        Whole {
            line,
            id,
            is_left_out: verdict == Verdict::LeftOut,
            home: (verdict < Verdict::LeftOut).then_some(draft.home),
            faults: draft.faults,
            rejected: Vec::new(),
        }
    }

    /// Takes a row of a home; gives the home with its last row.
    pub(crate) fn take_row(&mut self, mut draft: Draft, stats: &Stats) -> Option<Whole> {
        let id = draft.home.id.clone();
        if id.is_empty() {
            return Some(self.take_home(draft));
        }
        // What follows from a bad lease is said of the home once it is whole.
        draft
            .faults
            .retain(|fault| fault.reason != NO_LEASE && fault.reason != NO_ROOM);
        let key = hash_id(&id);
        let line = draft.home.line;
        let group = self.open.entry(key).or_insert_with(|| Group {
            whole: Whole {
                line,
                id: id.clone(),
                home: None,
                is_left_out: false,
                faults: Vec::new(),
                rejected: Vec::new(),
            },
            rows: 0,
        });
        group.rows += 1;
        self.held += 1;
        merge_row(&mut group.whole, draft);
        if group.rows < stats.count_rows(&id) {
            return None;
        }
        let group = self.open.remove(&key)?;
        self.held = self.held.saturating_sub(group.rows);
        Some(close_group(group.whole))
    }

    /// How many rows wait for others of their homes.
    pub(crate) const fn count_held(&self) -> u64 {
        self.held
    }

    /// The homes whose last rows have not come: the file broke off.
    pub(crate) fn take_rest(&mut self) -> Vec<Whole> {
        let mut rest: Vec<Whole> = self
            .open
            .drain()
            .map(|(_, group)| close_group(group.whole))
            .collect();
        rest.sort_by_key(|whole| whole.line);
        rest
    }
}

fn close_group(mut whole: Whole) -> Whole {
    let has_rooms = whole.home.as_ref().is_some_and(|home| !home.rooms.is_empty());
    if !has_rooms {
        if !whole.is_left_out {
            whole.faults.push(Fault::new(
                whole.line,
                "property_id",
                &whole.id,
                NO_ROOM,
                Verdict::HomeRejected,
            ));
        }
        whole.home = None;
    }
    whole.is_left_out &= whole.home.is_none();
    if let Some(home) = &mut whole.home {
        for room in std::mem::take(&mut whole.rejected) {
            keep_rejected(home, room);
        }
    }
    whole
}

/// Adds a room of a row that cannot be used: its leases to the room that other rows say, else the room itself.
fn keep_rejected(home: &mut Home, room: Room) {
    let Some(known) = home.rooms.iter_mut().find(|known| is_same_room(known, &room)) else {
        home.rejected_rooms.push(room);
        return;
    };
    known.rejected_leases.extend(room.leases);
    known.rejected_leases.extend(room.rejected_leases);
}

/// Marks a home of a file that breaks off: the rows behind its end may say more rooms and leases, and the ones that stand are kept.
pub(crate) fn keep_unread(home: &mut Home) {
    for room in &mut home.rooms {
        room.rejected_leases.push(LeaseOption::default());
    }
    home.rejected_rooms.push(Room::default());
}

/// Says whether two rows are of one room.
fn is_same_room(known: &Room, room: &Room) -> bool {
    known.key == room.key && (room.key.is_some() || known.name == room.name)
}

/// Adds a row to its home. A row that cannot be one goes alone.
fn merge_row(whole: &mut Whole, mut draft: Draft) {
    let verdict = draft.verdict();
    for fault in &mut draft.faults {
        if fault.verdict == Verdict::HomeRejected {
            fault.verdict = Verdict::RoomRejected;
        }
    }
    whole.faults.append(&mut draft.faults);
    whole.rejected.append(&mut draft.home.rejected_rooms);
    match (verdict, &mut whole.home) {
        (Verdict::HomeRejected, _) => whole.rejected.append(&mut draft.home.rooms),
        (Verdict::LeftOut, _) => whole.is_left_out = true,
        (_, None) => whole.home = Some(draft.home),
        (_, Some(home)) => {
            compare_facts(home, &draft.home, &mut whole.faults);
            add_new(&mut home.photos, draft.home.photos, |one: &Picture, other| {
                one.place == other.place
            });
            add_new(
                &mut home.facilities,
                draft.home.facilities,
                |one: &Facility, other| one == other,
            );
            for room in draft.home.rooms {
                merge_room(home, room, &mut whole.faults);
            }
        }
    }
}

/// Adds what is not there yet, as far as a home may have so many.
fn add_new<T>(known: &mut Vec<T>, more: Vec<T>, is_same: impl Fn(&T, &T) -> bool) {
    for item in more {
        if known.len() <= ITEMS_MAX && !known.iter().any(|known| is_same(known, &item)) {
            known.push(item);
        }
    }
}

/// Names what a later row says otherwise; the first row stands.
fn compare_facts(home: &Home, row: &Home, faults: &mut Vec<Fault>) {
    let name = |home: &Home| home.name.values().next().cloned().unwrap_or_default();
    let city = |home: &Home| home.place.city.clone().unwrap_or_default();
    let point = |home: &Home| {
        home.place
            .point
            .map_or_else(String::new, |point| format!("{}, {}", point.lat_e6, point.lng_e6))
    };
    for (path, first, other) in [
        ("name", name(home), name(row)),
        ("city", city(home), city(row)),
        ("lat, lng", point(home), point(row)),
    ] {
        if !other.is_empty() && !is_same_text(&first, &other) {
            let reason = format!("line {} of the same home says `{first}`, which stands", home.line);
            faults.push(Fault::new(row.line, path, &other, reason, Verdict::Warned));
        }
    }
}

fn merge_room(home: &mut Home, room: Room, faults: &mut Vec<Fault>) {
    let keys: Vec<(String, u64)> = list_lease_keys(home);
    let Some(known) = home.rooms.iter_mut().find(|known| is_same_room(known, &room)) else {
        let mut room = room;
        keep_new_leases(&mut room.leases, &keys, faults);
        if !room.leases.is_empty() {
            home.rooms.push(room);
        }
        return;
    };
    let is_other = known.kind.is_some() && room.kind.is_some() && known.kind != room.kind;
    let Room {
        line,
        key,
        name,
        mut leases,
        mut rejected_leases,
        ..
    } = room;
    known.rejected_leases.append(&mut rejected_leases);
    if is_other || (!name.is_empty() && name != known.name) {
        let said = name.values().next().cloned().unwrap_or_default();
        let shown = key.unwrap_or_default();
        if leases.iter().all(|lease| lease.key.is_none()) {
            let reason = format!(
                "the room `{shown}` stands in line {} already as another one: its number is repeated",
                known.line
            );
            faults.push(Fault::new(line, "room_id", &said, reason, Verdict::RoomRejected));
            return;
        }
        let reason = format!(
            "line {} says another kind or name of the room `{shown}`, which stands",
            known.line
        );
        faults.push(Fault::new(line, "room_type", &said, reason, Verdict::Warned));
    }
    keep_new_leases(&mut leases, &keys, faults);
    known.leases.append(&mut leases);
}

fn list_lease_keys(home: &Home) -> Vec<(String, u64)> {
    let leases = home.rooms.iter().flat_map(|room| &room.leases);
    leases
        .filter_map(|lease| Some((lease.key.clone()?, lease.line)))
        .collect()
}

/// Takes leases out whose id the home has already.
fn keep_new_leases(leases: &mut Vec<LeaseOption>, keys: &[(String, u64)], faults: &mut Vec<Fault>) {
    leases.retain(|lease| {
        let Some(key) = &lease.key else {
            return true;
        };
        let Some((_, first)) = keys.iter().find(|(known, _)| known == key) else {
            return true;
        };
        let reason = format!("the lease stands in line {first} already, and that one stands");
        faults.push(Fault::new(
            lease.line,
            "lease_id",
            key,
            reason,
            Verdict::LeaseRejected,
        ));
        false
    });
}

/// Takes rooms and leases out of one record whose ids are repeated in it.
fn drop_repeated(draft: &mut Draft) {
    let line = draft.home.line;
    let (mut rooms, mut leases) = (BTreeSet::new(), BTreeSet::new());
    let faults = &mut draft.faults;
    let is_new =
        |seen: &mut BTreeSet<String>, key: Option<&String>| key.is_none_or(|key| seen.insert(key.clone()));
    draft.home.rooms.retain_mut(|room| {
        if !is_new(&mut rooms, room.key.as_ref()) {
            let key = room.key.clone().unwrap_or_default();
            let reason = "the home has a room of this id already, and that one stands";
            faults.push(Fault::new(line, "room_id", &key, reason, Verdict::RoomRejected));
            return false;
        }
        room.leases.retain(|lease| {
            let is_first = is_new(&mut leases, lease.key.as_ref());
            if !is_first {
                let key = lease.key.clone().unwrap_or_default();
                let reason = "the home has a lease of this id already, and that one stands";
                faults.push(Fault::new(line, "lease_id", &key, reason, Verdict::LeaseRejected));
            }
            is_first
        });
        true
    });
}
