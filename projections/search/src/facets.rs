//! Exact counts of what each filter value would leave (A3): a value is counted as if its own group of filters were off,
//! all others on. Features that must all be there narrow each other, so they are counted with the group on.

use std::collections::HashMap;

use domain::money::Period;

use super::chunk::{BLOCKS, Bits, Chunk, NO_PRICE};
use super::geo::{OnGlobe, UnitVector, chord_of_metres, squared_chord};
use super::names::NameHits;
use super::query::{Area, Clause, Group, Matching, PriceRange, Search};
use super::room_lease::{RoomFilter, RoomLease};
use super::search::{
    Filter, Found, Reach, best, circle_lanes, collect, lanes_of, lease_lanes, name_lanes, narrow, ranking,
    room_lanes,
};
use super::snapshot::Snapshot;
use super::value::{FIXED, Kind, Value, shown_by};

/// Counts for one search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facets {
    fixed: Vec<u64>,
    features: HashMap<Value, u64>,
    /// Listings per step of the budget scale, the last step open at the top.
    pub budget: Vec<u64>,
    /// Listings within each of the asked distances.
    pub within: Vec<u64>,
    /// Listings within the widest circle.
    pub anywhere: u64,
}

impl Facets {
    /// Listings that choosing this value alone in its group would leave.
    pub fn count(&self, value: Value) -> u64 {
        match value.fixed() {
            Some(number) => self.fixed.get(number).copied().unwrap_or(0),
            None => self.features.get(&value).copied().unwrap_or(0),
        }
    }
}

/// What is counted beside the values.
#[derive(Debug, Clone, Default)]
pub struct Scales {
    pub budget: Option<BudgetScale>,
    /// Distances from the centre in metres.
    pub distances_m: Vec<f64>,
}

/// Equal steps of a price, in hundredths; the last is open at the top.
#[derive(Debug, Clone, Copy)]
pub struct BudgetScale {
    pub step: u64,
    pub steps: usize,
    pub period: Period,
}

/// Answers a search together with its counts.
pub(super) fn search(
    snapshot: &Snapshot,
    search: &Search,
    scales: &Scales,
    names: Option<&NameHits>,
) -> (Found, Facets) {
    let counter = Counter::of(search, scales, names);
    let ranking = ranking(search, names);
    let (mut best, skip) = best(search);
    let mut total = 0;
    let mut facets = Facets {
        fixed: vec![0; FIXED],
        budget: vec![0; scales.budget.map_or(0, |scale| scale.steps)],
        within: vec![0; scales.distances_m.len()],
        ..Facets::default()
    };
    for chunk in snapshot.chunks() {
        if let Some(masks) = counter.masks(chunk) {
            let rooms = counter.filter.rooms.as_ref();
            total += collect(chunk, &masks.full(), (&ranking, rooms), &mut best);
            counter.count(chunk, &masks, &mut facets);
        }
    }
    (
        Found {
            total,
            hits: best.into_hits(skip),
        },
        facets,
    )
}

struct Counter<'s> {
    filter: Filter<'s>,
    circle: Option<Circle>,
    budget: Option<BudgetSteps>,
    features_narrow: bool,
}

struct Circle {
    center: UnitVector,
    /// Squared chord of the distance filter, when it is on.
    narrowed: Option<f64>,
    /// Squared chords of the distances to count.
    within: Vec<f64>,
}

impl<'s> Counter<'s> {
    fn of(search: &'s Search, scales: &Scales, names: Option<&'s NameHits>) -> Self {
        let mut filter = Filter::of(search, names);
        let mut circle = None;
        if let Area::Circle {
            center,
            radius_m,
            widest_m,
        } = search.area
        {
            let widest_m = widest_m.max(radius_m);
            filter.area = Reach::of(Area::circle(center, widest_m));
            circle = Some(Circle {
                center: center.unit(),
                narrowed: (radius_m < widest_m).then(|| squared(radius_m)),
                within: scales.distances_m.iter().map(|metres| squared(*metres)).collect(),
            });
        }
        let all_features =
            |clause: &Clause| clause.group == Some(Group::Features) && clause.matching == Matching::All;
        let features_narrow = search.clauses.iter().any(all_features);
        Self {
            filter,
            circle,
            budget: scales.budget.map(BudgetSteps::of),
            features_narrow,
        }
    }

    fn masks(&self, chunk: &Chunk) -> Option<Masks> {
        let mut base = self.filter.area.candidates(chunk)?;
        for clause in self.filter.clauses.iter().filter(|clause| clause.group.is_none()) {
            narrow(&mut base, chunk, clause);
        }
        self.filter.area.narrow(&mut base, chunk);
        if let Some(names) = self.filter.names {
            for (place, block) in chunk.blocks.iter().enumerate() {
                base[place] = name_lanes(block, base[place], names);
            }
        }
        if base.iter().all(|word| *word == 0) {
            return None;
        }
        let mut masks = Masks {
            base,
            groups: [None; Group::COUNT],
            one_room: None,
        };
        for clause in self.filter.clauses {
            if let Some(group) = clause.group {
                narrow(masks.group(group), chunk, clause);
            }
        }
        self.mask_columns(chunk, &mut masks);
        if let Some(rooms) = self.filter.rooms.as_ref().filter(|rooms| rooms.is_undecided()) {
            let mut rows = Group::OF_A_ROOM
                .into_iter()
                .fold(masks.base, |rows, group| masks.narrowed(rows, group));
            room_lanes(&mut rows, chunk, rooms);
            masks.one_room = Some(rows);
        }
        Some(masks)
    }

    fn mask_columns(&self, chunk: &Chunk, masks: &mut Masks) {
        let base = masks.base;
        let live = |place: &usize| base[*place] != 0;
        if let Some(price) = &self.filter.price {
            let mask = masks.group(Group::Budget);
            for place in (0..chunk.blocks.len()).filter(live) {
                mask[place] &= price.lanes(chunk, place);
            }
        }
        if let Some(lease) = self.filter.lease {
            let mask = masks.group(Group::Stay);
            for place in (0..chunk.blocks.len()).filter(live) {
                mask[place] &= lease_lanes(&chunk.blocks[place], lease);
            }
        }
        if let Some(Circle {
            center,
            narrowed: Some(squared),
            ..
        }) = &self.circle
        {
            let mask = masks.group(Group::Distance);
            for place in (0..chunk.blocks.len()).filter(live) {
                mask[place] &= circle_lanes(&chunk.blocks[place], center, *squared);
            }
        }
    }

    fn count(&self, chunk: &Chunk, masks: &Masks, facets: &mut Facets) {
        for group in Group::OF_VALUES {
            if group == Group::Features {
                let rows = if self.features_narrow {
                    masks.full()
                } else {
                    masks.without(group)
                };
                for (value, bits) in chunk.named(&Value::range_of(Kind::Feature)) {
                    *facets.features.entry(*value).or_default() += common(bits, &rows);
                }
            } else if self.filter.rooms.is_none() || !group.is_of_a_room() {
                let rows = masks.without(group);
                for number in shown_by(group) {
                    facets.fixed[number] += common(&chunk.fixed()[number], &rows);
                }
            }
        }
        match &self.filter.rooms {
            Some(rooms) => self.count_rooms(chunk, masks, rooms, facets),
            None => {
                if let Some(steps) = &self.budget {
                    count_budget(chunk, &masks.full(), steps, &mut facets.budget);
                }
            }
        }
        if let Some(circle) = &self.circle {
            let rows = masks.without(Group::Distance);
            facets.anywhere += rows.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            for (place, block) in chunk
                .blocks
                .iter()
                .enumerate()
                .filter(|(place, _)| rows[*place] != 0)
            {
                for lane in lanes_of(rows[place] & !block.unplaced) {
                    let distance = squared_chord(&circle.center, &block.unit(lane));
                    for (count, squared) in facets.within.iter_mut().zip(&circle.within) {
                        *count += u64::from(distance <= *squared);
                    }
                }
            }
        }
    }
}

impl Counter<'_> {
    /// Counts what is about rooms: a value of one group counts for a listing when one lease has it and meets the other
    /// groups.
    fn count_rooms(&self, chunk: &Chunk, masks: &Masks, rooms: &RoomFilter, facets: &mut Facets) {
        let rows = masks.of_homes();
        let monthly = chunk.bits(Value::MONTHLY);
        for (place, word) in rows.iter().enumerate() {
            let months = monthly.map_or(0, |bits| bits[place]);
            for lane in lanes_of(*word) {
                let monthly = months >> lane & 1 == 1;
                let steps = self.budget.as_ref().map(|budget| budget.for_period(monthly));
                let seen = Seen::of(chunk.leases(place, lane), monthly, rooms, steps);
                for number in lanes_of(seen.low) {
                    facets.fixed[number] += 1;
                }
                for number in lanes_of(seen.high) {
                    facets.fixed[64 + number] += 1;
                }
                add(&mut facets.budget, seen.steps);
            }
        }
    }
}

/// What one listing adds to the counts: fixed values below and from 64, and steps of the budget.
#[derive(Default)]
struct Seen {
    low: u64,
    high: u64,
    steps: u64,
}

impl Seen {
    fn of(leases: &[RoomLease], monthly: bool, rooms: &RoomFilter, steps: Option<&Steps>) -> Self {
        let mut fixed = 0_u128;
        let mut touched = 0;
        for lease in leases {
            let failed = rooms.failed(lease, monthly);
            if failed.count_ones() > 1 {
                continue;
            }
            for (group, mask) in SHOWN {
                if failed & !(1 << group as u16) == 0 {
                    fixed |= lease.fixed() & mask;
                }
            }
            if failed & !(1 << Group::Budget as u16) == 0 {
                touched |= steps.map_or(0, |steps| steps.bit(lease.price));
            }
        }
        let word = |from: u32| u64::try_from(fixed >> from & u128::from(u64::MAX)).unwrap_or(0);
        Self {
            low: word(0),
            high: word(64),
            steps: touched,
        }
    }
}

/// The fixed values that each group about rooms shows.
const SHOWN: [(Group, u128); 4] = [
    (Group::RoomType, bits_of(&shown_by(Group::RoomType))),
    (Group::DualOccupancy, bits_of(&shown_by(Group::DualOccupancy))),
    (Group::MoveIn, bits_of(&shown_by(Group::MoveIn))),
    (Group::Stay, bits_of(&shown_by(Group::Stay))),
];

const fn bits_of(range: &std::ops::Range<usize>) -> u128 {
    (1 << range.end) - (1 << range.start)
}

fn squared(metres: f64) -> f64 {
    let chord = chord_of_metres(metres);
    chord * chord
}

/// Rows that match, by group of filters.
struct Masks {
    base: Bits,
    groups: [Option<Bits>; Group::COUNT],
    /// Rows of which one room and lease meets all filters about rooms, where the groups alone do not say.
    one_room: Option<Bits>,
}

impl Masks {
    fn group(&mut self, group: Group) -> &mut Bits {
        self.groups[group as usize].get_or_insert([u64::MAX; BLOCKS])
    }

    fn full(&self) -> Bits {
        self.all_but(None)
    }

    fn without(&self, group: Group) -> Bits {
        self.all_but(Some(group))
    }

    /// Rows that also meet a group.
    fn narrowed(&self, mut rows: Bits, group: Group) -> Bits {
        if let Some(mask) = &self.groups[group as usize] {
            for place in 0..BLOCKS {
                rows[place] &= mask[place];
            }
        }
        rows
    }

    /// Rows that meet every filter that is not about a room.
    fn of_homes(&self) -> Bits {
        let groups = [
            Group::Accommodation,
            Group::Guarantor,
            Group::Availability,
            Group::Features,
            Group::Distance,
        ];
        groups
            .into_iter()
            .fold(self.base, |rows, group| self.narrowed(rows, group))
    }

    fn all_but(&self, off: Option<Group>) -> Bits {
        let mut rows = self.base;
        for (number, mask) in self.groups.iter().chain([&self.one_room]).enumerate() {
            if let Some(mask) = mask
                && off.is_none_or(|off| off as usize != number)
            {
                for place in 0..BLOCKS {
                    rows[place] &= mask[place];
                }
            }
        }
        rows
    }
}

fn common(bits: &Bits, rows: &Bits) -> u64 {
    bits.iter()
        .zip(rows)
        .map(|(a, b)| u64::from((a & b).count_ones()))
        .sum()
}

/// Adds each row to the steps that the price of one of its leases lies in.
fn count_budget(chunk: &Chunk, rows: &Bits, scale: &BudgetSteps, counts: &mut [u64]) {
    let monthly = chunk.bits(Value::MONTHLY);
    for (place, block) in chunk.blocks.iter().enumerate() {
        let months = monthly.map_or(0, |bits| bits[place]);
        for lane in lanes_of(rows[place]) {
            let steps = scale.for_period(months >> lane & 1 == 1);
            let (least, greatest) = (block.price_min[lane], block.price_max[lane]);
            let touched = if least < greatest {
                let leases = chunk.leases(place, lane).iter();
                leases.fold(0, |touched, lease| touched | steps.bit(lease.price))
            } else {
                steps.bit(least)
            };
            add(counts, touched);
        }
    }
}

/// Adds one to each count whose bit is set.
fn add(counts: &mut [u64], touched: u64) {
    for number in lanes_of(touched) {
        if let Some(count) = counts.get_mut(number) {
            *count += 1;
        }
    }
}

/// The steps of the scale for prices of either period.
struct BudgetSteps {
    weekly: Steps,
    monthly: Steps,
}

/// First and last price of each step, as the budget filter would compare them.
struct Steps {
    bounds: Vec<(u32, u32)>,
    /// Steps per hundredth, to guess the step of a price.
    slope: f64,
}

impl BudgetSteps {
    fn of(scale: BudgetScale) -> Self {
        let steps = |period| {
            let bounds: Vec<(u32, u32)> = (0_u64..)
                .take(scale.steps.min(64))
                .map(|step| {
                    let last = step + 1 == scale.steps as u64;
                    let range = PriceRange {
                        low: step * scale.step,
                        high: if last {
                            u64::MAX
                        } else {
                            (step + 1) * scale.step - 1
                        },
                        period: Some(scale.period),
                    };
                    range.bounds(period)
                })
                .collect();
            let width = bounds.get(1).map_or(u32::MAX, |(low, _)| (*low).max(1));
            Steps {
                bounds,
                slope: 1.0 / f64::from(width),
            }
        };
        Self {
            weekly: steps(Period::Weekly),
            monthly: steps(Period::Monthly),
        }
    }

    fn for_period(&self, monthly: bool) -> &Steps {
        if monthly { &self.monthly } else { &self.weekly }
    }
}

impl Steps {
    /// The bit of the step a price lies in. Prices between two steps, which conversion leaves, lie in none.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a guess that is compared with the bounds"
    )]
    fn bit(&self, price: u32) -> u64 {
        // A home without a lease has no price to count.
        if price == NO_PRICE {
            return 0;
        }
        let guess = (f64::from(price) * self.slope) as usize;
        let last = self.bounds.len().saturating_sub(1);
        let (from, to) = (guess.saturating_sub(1).min(last), (guess + 1).min(last));
        let holds = |step: &usize| {
            self.bounds
                .get(*step)
                .is_some_and(|(low, high)| *low <= price && price <= *high)
        };
        (from..=to).find(holds).map_or(0, |step| 1 << step)
    }
}
