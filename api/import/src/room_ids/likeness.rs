//! Measures how much a room of a feed and one of the log say the same of themselves.

use domain::inventory::let_room::{LetRoom, RoomDetails};
use domain::room::RoomAttributes;

use crate::rooms::OfferedRoom;

/// Likeness from which on two rooms are one: the same name, or the same kind and size.
const ALIKE: u32 = 3;

/// How like two rooms are; the greater, the liker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Likeness {
    words: u32,
    /// True where they have the same leases or the same rent on request. It tells rooms of one name and kind apart.
    has_same_offer: bool,
    has_same_key: bool,
    /// Of two that are as like, the one that is still let.
    is_let: bool,
}

impl Likeness {
    pub(super) fn measure(room: &OfferedRoom, known: &LetRoom, has_same_key: bool) -> Self {
        Self {
            words: compare_words(&room.details, &known.details),
            has_same_offer: has_same_offer(room, known),
            has_same_key,
            is_let: !known.withdrawn,
        }
    }

    /// Says whether the two are one room. Of a room that has an id of its feed more is asked: a new id may be a new room.
    pub(super) fn is_enough(self, is_named: bool) -> bool {
        let by_offer = u32::from(self.has_same_offer && !is_named && self.words > 0);
        self.words + by_offer >= ALIKE
    }
}

/// Weighs what two rooms say alike; two kinds are two rooms, whatever they are called.
fn compare_words(one: &RoomDetails, other: &RoomDetails) -> u32 {
    if has_other_kind(one, other) {
        return 0;
    }
    let same = [
        (shares_name(one, other), 4),
        (is_of_one_kind(one, other), 2),
        (one.area_sqm.is_some() && one.area_sqm == other.area_sqm, 1),
        (one.bed.is_some() && one.bed == other.bed, 1),
    ];
    same.iter()
        .filter(|(is_same, _)| *is_same)
        .map(|(_, weight)| weight)
        .sum()
}

fn has_same_offer(room: &OfferedRoom, known: &LetRoom) -> bool {
    let leases = &room.offer.leases;
    let is_priced = !leases.is_empty() || room.details.asked_minor.is_some();
    let is_alike = leases.len() == known.leases.len()
        && leases.iter().all(|lease| {
            let same = known.lease(lease.stay());
            same.is_some_and(|known| known.price_minor == lease.price_minor)
        });
    is_priced && is_alike && room.details.asked_minor == known.details.asked_minor
}

/// Says whether two rooms are called the same in one of their languages.
pub(super) fn shares_name(one: &RoomDetails, other: &RoomDetails) -> bool {
    let mut texts = one.name.texts();
    texts.any(|(tag, text)| other.name.written_in(tag) == Some(text))
}

/// Says whether two rooms say that they are of one kind.
pub(super) fn is_of_one_kind(one: &RoomDetails, other: &RoomDetails) -> bool {
    one.attributes != RoomAttributes::default() && one.attributes == other.attributes
}

fn has_other_kind(one: &RoomDetails, other: &RoomDetails) -> bool {
    let is_said = |room: &RoomDetails| room.attributes != RoomAttributes::default();
    is_said(one) && is_said(other) && one.attributes != other.attributes
}

/// Says whether two rooms say different kinds, sizes or beds.
pub(super) fn contradicts(one: &RoomDetails, other: &RoomDetails) -> bool {
    let has_other_size = one.area_sqm.is_some() && other.area_sqm.is_some() && one.area_sqm != other.area_sqm;
    let has_other_bed = one.bed.is_some() && other.bed.is_some() && one.bed != other.bed;
    has_other_kind(one, other) || has_other_size || has_other_bed
}
