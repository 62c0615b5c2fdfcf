//! Sort keys: one number per row, the larger the earlier; the best k are kept in a heap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::chunk::{Block, Zone};
use super::geo::{SLACK, UnitVector, squared_chord};
use super::names::NameHits;
use super::query::{Cursor, Direction, Order, SortKey};

/// Lifts listings whose name holds the very words above those that only begin like them.
const WHOLE_WORDS: u64 = 1 << 40;

/// Turns rows into sort keys.
pub(super) struct Ranking<'s> {
    pub order: Order,
    pub origin: Option<UnitVector>,
    pub names: Option<&'s NameHits>,
}

impl Ranking<'_> {
    pub(super) fn key(&self, block: &Block, lane: usize, monthly: bool) -> u64 {
        let value = match self.order.key {
            SortKey::Relevance => {
                let whole = self
                    .names
                    .is_some_and(|names| names.whole.has(block.number[lane]));
                u64::from(block.relevance[lane]) + if whole { WHOLE_WORDS } else { 0 }
            }
            SortKey::Created => u64::from(block.created[lane]),
            SortKey::AvailablePrice => match block.yearly_worth(lane, monthly) {
                Some(yearly) => yearly,
                None => return 0,
            },
            SortKey::Distance => match &self.origin {
                Some(origin) => squared_chord(origin, &block.unit(lane)).to_bits(),
                None => return 0,
            },
        };
        match self.order.direction {
            Direction::Ascending => !value,
            Direction::Descending => value,
        }
    }

    /// No row of the zone has a larger key.
    pub(super) fn best(&self, zone: &Zone) -> u64 {
        let (least, greatest) = match self.order.key {
            SortKey::Relevance => {
                let lift = if self.names.is_some() { WHOLE_WORDS } else { 0 };
                (u64::from(zone.relevance.0), u64::from(zone.relevance.1) + lift)
            }
            SortKey::Created => (u64::from(zone.created.0), u64::from(zone.created.1)),
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

/// One result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    pub key: u64,
    pub id: u128,
    pub number: u32,
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

/// The best `room` hits seen so far.
pub(super) struct Best {
    room: usize,
    after: Option<(u64, Reverse<u128>)>,
    heap: BinaryHeap<Reverse<(u64, Reverse<u128>, u32)>>,
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

    pub(super) fn offer(&mut self, key: u64, id: u128, number: u32) {
        if self.after.is_some_and(|after| (key, Reverse(id)) >= after) {
            return;
        }
        let entry = (key, Reverse(id), number);
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
            .map(|Reverse((key, Reverse(id), number))| Hit { key, id, number })
            .collect()
    }
}
