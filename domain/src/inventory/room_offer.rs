//! The offer of a room type: its leases, and how many rooms there are (decision 0022).

use super::facts::{Offered, Part, list_offer_facts};
use super::let_room::LeaseOption;
use super::{Inventory, InventoryEvent, InventoryRejection};
use crate::id::InventoryId;
use crate::nights::Nights;

/// The leases of a room type as its source has them now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomOffer {
    /// How many rooms of this type there are; `None` where the source does not say so. Then there are as many as there were, or as
    /// one of the leases lets free.
    pub rooms: Option<u32>,
    /// Whether the source says how many there are, or how many a lease lets free. A feed that does neither lets one at a time.
    pub is_count_said: bool,
    pub leases: Vec<LeaseOption>,
}

impl From<Vec<LeaseOption>> for RoomOffer {
    fn from(leases: Vec<LeaseOption>) -> Self {
        Self {
            rooms: None,
            is_count_said: true,
            leases,
        }
    }
}

impl RoomOffer {
    fn rooms_after(&self, known: u32) -> u32 {
        let free = self.leases.iter().map(|lease| lease.rooms_available).max();
        self.rooms.unwrap_or_else(|| known.max(free.unwrap_or(0)))
    }
}

/// The rooms and leases of a price list, after `known` rooms. Lists of before rooms were counted gave each lease rooms of its own: on one
/// night all that cover it let free as many as they have together. The fullest such night of any list says how many rooms there are,
/// and a lease has no more of them than its emptiest night.
pub fn counted_rooms(known: u32, rooms: Option<u32>, leases: &[LeaseOption]) -> (u32, Vec<LeaseOption>) {
    if let Some(rooms) = rooms {
        return (rooms, leases.to_vec());
    }
    let spans: Vec<(Nights, u32)> = leases
        .iter()
        .map(|lease| (Nights::of(lease.stay()), lease.rooms_available))
        .collect();
    let let_on = |night| {
        let covering = spans.iter().filter(|(nights, _)| nights.covers(night));
        covering.map(|(_, rooms)| *rooms).fold(0, u32::saturating_add)
    };
    let rooms = spans.iter().map(|(nights, _)| let_on(nights.first)).max();
    let shared = leases.iter().zip(&spans).map(|(lease, (nights, own))| {
        // Fewer rooms are let from where another lease ends.
        let ends = spans.iter().map(|(other, _)| other.end);
        let emptiest = ends.filter(|end| nights.covers(*end)).map(let_on).min();
        let most = let_on(nights.first).min(emptiest.unwrap_or(u32::MAX));
        LeaseOption {
            rooms_available: if *own == 0 { 0 } else { most },
            ..lease.clone()
        }
    });
    (known.max(rooms.unwrap_or(0)), shared.collect())
}

impl Inventory {
    pub(super) fn offer_leases(
        &self,
        room: InventoryId,
        offer: RoomOffer,
        is_same_money: bool,
    ) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        if offer.leases.iter().any(|lease| lease.price_minor == 0) {
            return Err(InventoryRejection::NoPrice(room));
        }
        if offer.leases.iter().any(|lease| lease.length.duration == 0) {
            return Err(InventoryRejection::NoLength(room));
        }
        let source = self.sourced();
        let known = source.room(room);
        let rooms = offer.rooms_after(known.map_or(0, |known| known.rooms));
        // A number that was said once is kept by a source that says none.
        let is_count_said = offer.is_count_said || known.is_some_and(|known| known.is_count_said);
        let offered = Offered {
            rooms,
            is_count_said,
            leases: offer.leases,
        };
        let part = Part::Offer(room);
        // A source that says no number of rooms says nothing against a person's: what it lets free is no count.
        let said = match known.filter(|_| offer.rooms.is_none()) {
            Some(known) => Offered {
                rooms: known.rooms,
                is_count_said: known.is_count_said,
                leases: offered.leases.clone(),
            },
            None => offered.clone(),
        };
        let set = self.standing(part, is_same_money, || list_offer_facts(room, &said));
        let same = known.is_some_and(|known| {
            !known.withdrawn
                && (known.rooms, known.is_count_said) == (rooms, is_count_said)
                && known.leases == offered.leases
        });
        Ok(if same && set.len() == self.count_set(part) {
            vec![]
        } else {
            vec![InventoryEvent::RoomPriced {
                room,
                rooms: Some(rooms),
                is_count_said: Some(is_count_said),
                leases: offered.leases,
                set,
            }]
        })
    }
}
