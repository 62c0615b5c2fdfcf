//! One lease of one room as the index keeps it, and the filters that one room and lease must meet together
//! (decision 0031).

use domain::money::Period;

use super::query::{Clause, Group, LeaseRange, Matching, PriceRange, Search};
use super::value::{self, Value};

/// Months of a year.
const YEAR: u16 = 12;
/// Where the bits of [`RoomLease::values`] begin that stand for stays and occupancy; below them is what the room is.
const STAY_AT: u32 = value::OF_A_ROOM;
const OCCUPANCY_AT: u32 = STAY_AT + value::STAYS.1 - value::STAYS.0;

/// A lease that can be taken, with what its room is. 16 bytes, because each listing has several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoomLease {
    /// One bit per fixed value of the room and the stay; the month is kept apart.
    pub(super) values: u64,
    /// Price in hundredths of the currency's unit.
    pub price: u32,
    /// Length in twelfths of a week.
    pub length: u16,
    /// Month of moving in, counted from the year 0.
    pub month: u16,
}

impl RoomLease {
    /// A lease with the values that its room and its length have; values that say nothing about a room are left out.
    pub fn new(values: impl IntoIterator<Item = Value>, price: u32, length: u16, month: u16) -> Self {
        Self {
            values: values.into_iter().fold(0, |bits, value| bits | bit(value)),
            price,
            length,
            month,
        }
    }

    /// The fixed values that a listing has because of this lease.
    pub(super) fn fixed(self) -> u128 {
        spread(self.values) | month_value(self.month).bit()
    }

    /// The open value of its month of moving in.
    pub(super) fn dated(self) -> Value {
        Value::dated_move_in(self.month)
    }
}

/// The value of a month in any year.
pub(super) fn month_value(month: u16) -> Value {
    Value::move_in(u32::from(month % YEAR) + 1)
}

/// The bit that stands for a fixed value of a room or its stay; none for all other values.
fn bit(value: Value) -> u64 {
    let Some(number) = value.fixed().and_then(|number| u32::try_from(number).ok()) else {
        return 0;
    };
    let (stays, occupancy) = (value::STAYS, value::OCCUPANCY);
    if number < value::OF_A_ROOM {
        1 << number
    } else if (stays.0..stays.1).contains(&number) {
        1 << (STAY_AT + number - stays.0)
    } else if (occupancy.0..occupancy.1).contains(&number) {
        1 << (OCCUPANCY_AT + number - occupancy.0)
    } else {
        0
    }
}

/// The fixed values of the bits.
pub(super) fn spread(values: u64) -> u128 {
    let part = |from: u32, len: u32, to: u32| u128::from(values >> from & ((1 << len) - 1)) << to;
    let (stays, occupancy) = (value::STAYS, value::OCCUPANCY);
    part(0, STAY_AT, 0)
        | part(STAY_AT, stays.1 - stays.0, stays.0)
        | part(OCCUPANCY_AT, occupancy.1 - occupancy.0, occupancy.0)
}

/// The filters of a search that are about a room and its lease.
#[derive(Debug)]
pub(super) struct RoomFilter {
    /// Any of these bits, per clause.
    any: Vec<(Group, u64)>,
    /// Any of these months, per clause.
    months: Vec<Months>,
    price: Option<[(u32, u32); 2]>,
    length: Option<LeaseRange>,
    /// Whether the columns and bitsets of whole listings are not enough to decide.
    undecided: bool,
}

#[derive(Debug, Default)]
struct Months {
    /// Bit n: the month n of any year.
    of_any_year: u16,
    dated: Vec<u16>,
}

impl RoomFilter {
    /// The filters of a search; `None` when it asks nothing about a room.
    pub(super) fn of(search: &Search) -> Option<Self> {
        let mut filter = Self {
            any: Vec::new(),
            months: Vec::new(),
            price: search
                .price
                .map(|range| [range.bounds(Period::Weekly), range.bounds(Period::Monthly)]),
            length: search.lease,
            undecided: false,
        };
        for clause in &search.clauses {
            filter.take(clause);
        }
        let conditions = filter.any.len()
            + filter.months.len()
            + usize::from(filter.price.is_some())
            + usize::from(filter.length.is_some());
        // The columns hold the least and the greatest of a listing: they decide where just one end is open.
        let closed_price = |range: PriceRange| range.low > 0 && range.high < u64::MAX;
        let closed_length = |range: LeaseRange| (range.low > 0) == (range.high < u16::MAX);
        filter.undecided = conditions > 1
            || search.price.is_some_and(closed_price)
            || search.lease.is_some_and(closed_length);
        (conditions > 0).then_some(filter)
    }

    fn take(&mut self, clause: &Clause) {
        let Some(group) = clause.group.filter(|group| group.is_of_a_room()) else {
            return;
        };
        let each: Vec<&[Value]> = match clause.matching {
            Matching::Any => vec![&clause.values],
            Matching::All => clause.values.chunks(1).collect(),
        };
        for values in each {
            if group == Group::MoveIn {
                self.months.push(Months::of(values));
            } else {
                let bits = values.iter().fold(0, |bits, value| bits | bit(*value));
                self.any.push((group, bits));
            }
        }
    }

    /// Whether a listing's own columns are not enough to say if it matches.
    pub(super) fn is_undecided(&self) -> bool {
        self.undecided
    }

    pub(super) fn meets(&self, lease: &RoomLease, monthly: bool) -> bool {
        self.any.iter().all(|(_, bits)| lease.values & bits != 0)
            && self.price.is_none_or(|bounds| within(bounds, lease, monthly))
            && self.months.iter().all(|months| months.has(lease.month))
            && self
                .length
                .is_none_or(|range| range.overlaps(lease.length, lease.length))
    }

    /// The groups whose filters a lease does not meet, one bit each.
    pub(super) fn failed(&self, lease: &RoomLease, monthly: bool) -> u16 {
        let mut failed = 0;
        for (group, bits) in &self.any {
            failed |= u16::from(lease.values & bits == 0) << *group as u16;
        }
        for months in &self.months {
            failed |= u16::from(!months.has(lease.month)) << Group::MoveIn as u16;
        }
        if let Some(bounds) = self.price {
            failed |= u16::from(!within(bounds, lease, monthly)) << Group::Budget as u16;
        }
        if let Some(range) = self.length {
            failed |= u16::from(!range.overlaps(lease.length, lease.length)) << Group::Stay as u16;
        }
        failed
    }

    /// The lowest price of the leases that meet every filter, in hundredths.
    pub(super) fn lowest(&self, leases: &[RoomLease], monthly: bool) -> Option<u32> {
        let meeting = leases.iter().filter(|lease| self.meets(lease, monthly));
        meeting.map(|lease| lease.price).min()
    }
}

impl Months {
    fn of(values: &[Value]) -> Self {
        let mut months = Self::default();
        for value in values {
            if let Some(month) = value.as_dated_move_in() {
                months.dated.push(month);
            } else {
                let same = |month: &u16| month_value(*month) == *value;
                months.of_any_year |= (0..YEAR).find(same).map_or(0, |month| 1 << month);
            }
        }
        months
    }

    fn has(&self, month: u16) -> bool {
        self.of_any_year >> (month % YEAR) & 1 == 1 || self.dated.contains(&month)
    }
}

fn within([weekly, monthly_bounds]: [(u32, u32); 2], lease: &RoomLease, monthly: bool) -> bool {
    let (low, high) = if monthly { monthly_bounds } else { weekly };
    low <= lease.price && lease.price <= high
}

/// The leases of 64 listings, one after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockLeases {
    /// Where each listing's leases end.
    ends: Vec<u32>,
    all: Vec<RoomLease>,
}

impl BlockLeases {
    pub(super) fn of(&self, lane: usize) -> &[RoomLease] {
        let end = |lane: usize| self.ends.get(lane).map_or(self.all.len(), |end| *end as usize);
        let start = if lane == 0 { 0 } else { end(lane - 1) };
        self.all.get(start..end(lane)).unwrap_or_default()
    }

    /// Replaces the leases of one listing.
    pub(super) fn put(&mut self, lane: usize, leases: &[RoomLease]) {
        let full = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        while self.ends.len() <= lane {
            self.ends.push(full);
        }
        let start = if lane == 0 {
            0
        } else {
            self.ends[lane - 1] as usize
        };
        let old = self.ends[lane] as usize - start;
        self.all.splice(start..start + old, leases.iter().copied());
        for end in &mut self.ends[lane..] {
            *end = u32::try_from(*end as usize + leases.len() - old).unwrap_or(u32::MAX);
        }
    }
}

/// The fixed values of a room and its lease fit into one word.
const _: () = assert!(OCCUPANCY_AT + value::OCCUPANCY.1 - value::OCCUPANCY.0 <= 64);
