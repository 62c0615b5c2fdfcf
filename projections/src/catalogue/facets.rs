//! Exact counts of what each filter value would leave (A3): a value is counted as if its own group of filters were off,
//! all others on. Features that must all be there narrow each other, so they are counted with the group on.

use std::collections::HashMap;

use domain::money::Period;

use super::chunk::{BLOCKS, Bits, Chunk};
use super::geo::{OnGlobe, UnitVector, chord_of_metres, squared_chord};
use super::names::NameHits;
use super::query::{Area, Clause, Group, Matching, Search};
use super::search::{
    Filter, Found, Reach, best, circle_lanes, collect, lanes_of, lease_lanes, name_lanes, narrow, ranking,
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
        budget: vec![0; scales.budget.map_or(0, |scale| scale.steps + 1)],
        within: vec![0; scales.distances_m.len()],
        ..Facets::default()
    };
    for chunk in snapshot.chunks() {
        if let Some(masks) = counter.masks(chunk) {
            total += collect(chunk, &masks.full(), &ranking, &mut best);
            counter.count(chunk, &masks, &mut facets);
        }
    }
    accumulate(&mut facets.budget);
    (
        Found {
            total,
            hits: best.into_hits(skip),
        },
        facets,
    )
}

/// The budget's counts are kept as rises and falls until all rows are seen.
fn accumulate(changes: &mut Vec<u64>) {
    let mut level = 0_u64;
    for change in changes.iter_mut() {
        level = level.wrapping_add(*change);
        *change = level;
    }
    changes.pop();
}

struct Counter<'s> {
    filter: Filter<'s>,
    circle: Option<Circle>,
    budget: Option<BudgetScale>,
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
            budget: scales.budget,
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
        };
        for clause in self.filter.clauses {
            if let Some(group) = clause.group {
                narrow(masks.group(group), chunk, clause);
            }
        }
        self.mask_columns(chunk, &mut masks);
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
            } else {
                let rows = masks.without(group);
                for number in shown_by(group) {
                    facets.fixed[number] += common(&chunk.fixed()[number], &rows);
                }
            }
        }
        if let Some(scale) = self.budget {
            count_budget(chunk, &masks.without(Group::Budget), scale, &mut facets.budget);
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
                for lane in lanes_of(rows[place]) {
                    let distance = squared_chord(&circle.center, &block.unit(lane));
                    for (count, squared) in facets.within.iter_mut().zip(&circle.within) {
                        *count += u64::from(distance <= *squared);
                    }
                }
            }
        }
    }
}

fn squared(metres: f64) -> f64 {
    let chord = chord_of_metres(metres);
    chord * chord
}

/// Rows that match, by group of filters.
struct Masks {
    base: Bits,
    groups: [Option<Bits>; Group::COUNT],
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

    fn all_but(&self, off: Option<Group>) -> Bits {
        let mut rows = self.base;
        for (number, mask) in self.groups.iter().enumerate() {
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

/// Adds each row to the steps its prices touch: up at the first, down behind the last.
fn count_budget(chunk: &Chunk, rows: &Bits, scale: BudgetScale, changes: &mut [u64]) {
    let monthly = chunk.bits(Value::MONTHLY);
    for (place, block) in chunk.blocks.iter().enumerate() {
        let months = monthly.map_or(0, |bits| bits[place]);
        for lane in lanes_of(rows[place]) {
            let period = if months >> lane & 1 == 1 {
                Period::Monthly
            } else {
                Period::Weekly
            };
            let prices = (block.price_min[lane], block.price_max[lane]);
            if let Some((first, last)) = scale.steps_of(prices, period) {
                changes[first] = changes[first].wrapping_add(1);
                changes[last + 1] = changes[last + 1].wrapping_sub(1);
            }
        }
    }
}

impl BudgetScale {
    /// First and last step whose budget would find a listing with these prices.
    fn steps_of(&self, (min, max): (u32, u32), period: Period) -> Option<(usize, usize)> {
        if min > max || self.steps == 0 {
            return None;
        }
        let (times, over) = match (period, self.period) {
            (Period::Monthly, Period::Weekly) => (12, 52),
            (Period::Weekly, Period::Monthly) => (52, 12),
            (Period::Weekly, Period::Weekly) | (Period::Monthly, Period::Monthly) => (1, 1),
        };
        let step = |price: u64| {
            usize::try_from(price / self.step.max(1))
                .unwrap_or(usize::MAX)
                .min(self.steps - 1)
        };
        let first = step((u64::from(min) * times).div_ceil(over));
        let last = step(u64::from(max) * times / over);
        (first <= last).then_some((first, last))
    }
}
