//! Sort keys: one number per row, the larger the earlier; the best k are kept in a heap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::chunk::{BLOCKS, Bits, Block, Chunk, Zone, yearly_worth};
use super::geo::{SLACK, UnitVector, metres_of_chord, squared_chord};
use super::names::NameHits;
use super::query::{Cursor, Direction, Order, SortKey};
use super::value::Value;

/// Lifts listings whose name holds the very words above those that only begin like them.
const WHOLE_WORDS: u64 = 1 << 40;

/// What being at the very origin adds to relevance, and what each metre takes away: much on the first two kilometres,
/// which people walk, little on the eight behind them (decision 0032). Less than what "can be booked" is worth.
const NEAR: u64 = 1_200_000;
const WALK_M: u64 = 2_000;
const WALK_POINTS: u64 = 400;
const RIDE_POINTS: u64 = 50;
/// Puts what can be booked in the region itself before everything else.
const AT_HOME: u64 = 1 << 30;

/// What relevance gains by a distance whose squared chord is given.
fn nearness(squared: f64) -> u64 {
    let metres = whole(metres_of_chord(squared.max(0.0).sqrt()));
    let lost = metres.min(WALK_M) * WALK_POINTS + metres.saturating_sub(WALK_M) * RIDE_POINTS;
    NEAR.saturating_sub(lost)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a distance on earth, never negative"
)]
fn whole(metres: f64) -> u64 {
    metres as u64
}

/// Turns rows into sort keys.
pub(super) struct Ranking<'s> {
    pub order: Order,
    pub origin: Option<UnitVector>,
    pub nearness: bool,
    pub home: Option<Value>,
    pub names: Option<&'s NameHits>,
}

impl Ranking<'_> {
    /// The rows of a chunk that come first because of where they lie.
    pub(super) fn home_rows(&self, chunk: &Chunk) -> Bits {
        let bits = |value: Value| chunk.bits(value).copied().unwrap_or([0; BLOCKS]);
        let (Some(home), SortKey::Relevance) = (self.home, self.order.key) else {
            return [0; BLOCKS];
        };
        let (mut rows, available) = (bits(home), bits(Value::AVAILABLE));
        for place in 0..BLOCKS {
            rows[place] &= available[place];
        }
        rows
    }

    /// The sort key of a row; `price` with its period is that of what matches.
    pub(super) fn key(&self, block: &Block, lane: usize, price: (u32, bool), at_home: bool) -> u64 {
        let value = match self.order.key {
            SortKey::Relevance => {
                let whole = self
                    .names
                    .is_some_and(|names| names.whole.has(block.number[lane]));
                let near = match &self.origin {
                    Some(origin) if self.nearness && block.is_placed(lane) => {
                        nearness(squared_chord(origin, &block.unit(lane)))
                    }
                    Some(_) | None => 0,
                };
                u64::from(block.relevance[lane])
                    + near
                    + if at_home { AT_HOME } else { 0 }
                    + if whole { WHOLE_WORDS } else { 0 }
            }
            SortKey::Created => u64::from(block.created[lane]),
            SortKey::AvailablePrice => match yearly_worth(price.0, price.1, block.worth[lane]) {
                Some(yearly) => yearly,
                None => return 0,
            },
            SortKey::Distance => match &self.origin {
                Some(origin) if block.is_placed(lane) => squared_chord(origin, &block.unit(lane)).to_bits(),
                Some(_) | None => return 0,
            },
        };
        match self.order.direction {
            Direction::Ascending => !value,
            Direction::Descending => value,
        }
    }

    /// No row of the zone has a larger key.
    pub(super) fn best(&self, zone: &Zone, rooms_are_chosen: bool) -> u64 {
        let (least, greatest) = match self.order.key {
            SortKey::Relevance => {
                let lift = if self.names.is_some() { WHOLE_WORDS } else { 0 }
                    + if self.home.is_some() { AT_HOME } else { 0 }
                    + if self.nearness { self.nearest(zone) } else { 0 };
                (u64::from(zone.relevance.0), u64::from(zone.relevance.1) + lift)
            }
            SortKey::Created => (u64::from(zone.created.0), u64::from(zone.created.1)),
            // The cheapest room that matches may be dearer than the listing's cheapest.
            SortKey::AvailablePrice if rooms_are_chosen => (zone.yearly.0, u64::MAX),
            SortKey::AvailablePrice => zone.yearly,
            SortKey::Distance => match &self.origin {
                Some(origin) => {
                    let middle = squared_chord(origin, &zone.center).sqrt();
                    let near = (middle - zone.radius - SLACK).max(0.0);
                    let far = middle + zone.radius + SLACK;
                    ((near * near).to_bits(), (far * far).to_bits())
                }
                None => return u64::MAX,
            },
        };
        match self.order.direction {
            Direction::Ascending => !least,
            Direction::Descending => greatest,
        }
    }
}

impl Ranking<'_> {
    /// No row of the zone gains more by its distance.
    fn nearest(&self, zone: &Zone) -> u64 {
        self.origin.as_ref().map_or(0, |origin| {
            let middle = squared_chord(origin, &zone.center).sqrt();
            let near = (middle - zone.radius - SLACK).max(0.0);
            nearness(near * near)
        })
    }
}

/// One result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    pub key: u64,
    pub id: u128,
    pub number: u32,
    /// Lowest price of what matches, in hundredths; `u32::MAX` when there is none.
    pub price: u32,
}

impl Hit {
    /// Where the next page goes on.
    pub fn cursor(&self) -> Cursor {
        Cursor {
            key: self.key,
            id: self.id,
        }
    }
}

/// Key, id, and what is known beside them: number and price.
type Entry = (u64, Reverse<u128>, (u32, u32));

/// The best `room` hits seen so far.
pub(super) struct Best {
    room: usize,
    after: Option<(u64, Reverse<u128>)>,
    heap: BinaryHeap<Reverse<Entry>>,
}

impl Best {
    pub(super) fn new(room: usize, after: Option<Cursor>) -> Self {
        let after = after.map(|cursor| (cursor.key, Reverse(cursor.id)));
        Self {
            room,
            after,
            heap: BinaryHeap::with_capacity(room.min(1024) + 1),
        }
    }

    /// Keys below this one cannot come in any more.
    pub(super) fn floor(&self) -> u64 {
        match self.heap.peek() {
            _ if self.room == 0 => u64::MAX,
            Some(Reverse((key, ..))) if self.heap.len() >= self.room => *key,
            Some(_) | None => 0,
        }
    }

    pub(super) fn offer(&mut self, key: u64, id: u128, (number, price): (u32, u32)) {
        if self.after.is_some_and(|after| (key, Reverse(id)) >= after) {
            return;
        }
        let entry = (key, Reverse(id), (number, price));
        if self.heap.len() < self.room {
            self.heap.push(Reverse(entry));
        } else if let Some(mut worst) = self.heap.peek_mut()
            && entry > worst.0
        {
            *worst = Reverse(entry);
        }
    }

    /// Best first, without the first `skip`.
    pub(super) fn into_hits(self, skip: usize) -> Vec<Hit> {
        let sorted = self.heap.into_sorted_vec().into_iter().skip(skip);
        sorted
            .map(|Reverse((key, Reverse(id), (number, price)))| Hit {
                key,
                id,
                number,
                price,
            })
            .collect()
    }
}
