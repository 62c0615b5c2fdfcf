//! What is looked for, as the index understands it.

use domain::money::Period;
use domain::place::Coordinates;

use super::geo::MapBox;
use super::value::Value;

/// A search over all listings.
#[derive(Debug, Clone, Default)]
pub struct Search {
    pub area: Area,
    /// Distances are measured from here; the circle's centre when nothing else is said.
    pub origin: Option<Coordinates>,
    pub clauses: Vec<Clause>,
    pub price: Option<PriceRange>,
    pub lease: Option<LeaseRange>,
    /// Words of the listing's name, the last of them perhaps unfinished.
    pub name: Option<String>,
    pub order: Order,
    /// Whether the recommended order weighs how near a listing is to the origin.
    pub nearness: bool,
    /// The region whose available listings come first in the recommended order.
    pub home: Option<Value>,
    pub from: From,
    pub limit: usize,
}

/// Where to look.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Area {
    #[default]
    Everywhere,
    Circle {
        center: Coordinates,
        radius_m: f64,
        /// The circle that the distance filter narrows: `radius_m` when that filter is off.
        widest_m: f64,
    },
    Box(MapBox),
}

impl Area {
    /// A circle with no distance filter on top.
    pub fn circle(center: Coordinates, radius_m: f64) -> Self {
        Self::Circle {
            center,
            radius_m,
            widest_m: radius_m,
        }
    }
}

/// Filters whose counts are shown as if they were off, each a group of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    RoomType,
    Accommodation,
    DualOccupancy,
    MoveIn,
    Stay,
    Guarantor,
    Availability,
    Features,
    Budget,
    Distance,
}

impl Group {
    pub(super) const COUNT: usize = 10;
    /// Filters about a room and its lease: one room and lease must meet them all (decision 0031).
    pub(super) const OF_A_ROOM: [Self; 5] = [
        Self::RoomType,
        Self::DualOccupancy,
        Self::MoveIn,
        Self::Stay,
        Self::Budget,
    ];

    pub(super) fn is_of_a_room(self) -> bool {
        Self::OF_A_ROOM.contains(&self)
    }

    /// Groups whose counts are those of values; budget and distance are counted row by row.
    pub(super) const OF_VALUES: [Self; 8] = [
        Self::RoomType,
        Self::Accommodation,
        Self::DualOccupancy,
        Self::MoveIn,
        Self::Stay,
        Self::Guarantor,
        Self::Availability,
        Self::Features,
    ];
}

/// A condition on the values a listing has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// `None`: no facet belongs to it, so it always counts.
    pub group: Option<Group>,
    pub matching: Matching,
    pub values: Vec<Value>,
}

impl Clause {
    /// At least one of the values; none of them given means nothing matches.
    pub fn any(group: impl Into<Option<Group>>, values: Vec<Value>) -> Self {
        Self {
            group: group.into(),
            matching: Matching::Any,
            values,
        }
    }

    /// Whatever stands somewhere, and what is only known to lie in the region whose circle it is.
    pub fn placed_or_in(region: Option<Value>) -> Self {
        Self::any(None, [Value::PLACED].into_iter().chain(region).collect())
    }

    /// All of the values.
    pub fn all(group: impl Into<Option<Group>>, values: Vec<Value>) -> Self {
        Self {
            group: group.into(),
            matching: Matching::All,
            values,
        }
    }
}

/// How many of a clause's values are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matching {
    Any,
    All,
}

/// A budget in hundredths of a unit, both ends included: a listing matches when the price of one of its leases lies inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceRange {
    pub low: u64,
    pub high: u64,
    /// What the bounds are for; without it they are compared with each listing's own period.
    pub period: Option<Period>,
}

impl PriceRange {
    /// The bounds for prices of one period (D33: month = week × 52 / 12; the bound is converted, never a price).
    pub(super) fn bounds(self, period: Period) -> (u32, u32) {
        let (times, over) = match (self.period, period) {
            (Some(Period::Weekly), Period::Monthly) => (52, 12),
            (Some(Period::Monthly), Period::Weekly) => (12, 52),
            (None | Some(Period::Weekly), Period::Weekly)
            | (None | Some(Period::Monthly), Period::Monthly) => (1, 1),
        };
        let low = self.low.saturating_mul(times).div_ceil(over);
        let high = self.high.saturating_mul(times) / over;
        // One below the largest value: that one stands for "no price" and lies in no budget.
        let fit = |bound: u64| u32::try_from(bound).unwrap_or(u32::MAX).min(u32::MAX - 1);
        (fit(low), fit(high))
    }
}

/// Twelfths of a week in a week and in a month.
pub const WEEK: u16 = 12;
pub const MONTH: u16 = 52;

/// A stay in twelfths of a week, both ends included: a listing matches when one of its leases is as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseRange {
    pub low: u16,
    pub high: u16,
}

impl LeaseRange {
    /// Whole numbers of a unit as Spec §9's buckets mean them (D49): `5–25` is more than 4 and at most 25.
    pub fn whole(from: u16, to: Option<u16>, unit: u16) -> Self {
        let low = from
            .checked_sub(1)
            .map_or(0, |below| below.saturating_mul(unit).saturating_add(1));
        Self {
            low,
            high: to.map_or(u16::MAX, |to| to.saturating_mul(unit)),
        }
    }

    pub fn overlaps(self, low: u16, high: u16) -> bool {
        low <= self.high && high >= self.low
    }
}

/// Sort order; ties go by id, ascending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Order {
    pub key: SortKey,
    pub direction: Direction,
}

/// Spec §9: Recommended, Nearest, Price, Newly Added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortKey {
    #[default]
    Relevance,
    Distance,
    AvailablePrice,
    Created,
}

/// Which end comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    Ascending,
    #[default]
    Descending,
}

/// Where the page begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// After this many results.
    Offset(usize),
    /// After this result, whatever has come or gone since (D52).
    After(Cursor),
}

impl Default for From {
    fn default() -> Self {
        Self::Offset(0)
    }
}

/// The place of one result in a sort order: a larger key comes first, then a smaller id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    pub key: u64,
    pub id: u128,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weekly_budget_is_converted_for_monthly_prices_and_back() {
        let weekly = PriceRange {
            low: 15_000,
            high: 30_000,
            period: Some(Period::Weekly),
        };
        assert_eq!(weekly.bounds(Period::Weekly), (15_000, 30_000));
        assert_eq!(weekly.bounds(Period::Monthly), (65_000, 130_000));
        let monthly = PriceRange {
            low: 65_001,
            high: 130_000,
            period: Some(Period::Monthly),
        };
        assert_eq!(monthly.bounds(Period::Weekly), (15_001, 30_000));
    }

    #[test]
    fn no_stay_lies_in_two_buckets() {
        let five_to_25_weeks = LeaseRange::whole(5, Some(25), WEEK);
        assert!(
            five_to_25_weeks.overlaps(52, 52),
            "a month is a little more than four weeks"
        );
        assert!(!five_to_25_weeks.overlaps(48, 48) && LeaseRange::whole(0, Some(4), WEEK).overlaps(48, 48));
        assert!(LeaseRange::whole(9, None, MONTH).overlaps(44 * WEEK, 51 * WEEK));
    }
}
