//! Figures about all homes of a file, found before the first of them is taken: rents far from the others and points far from the
//! others of a city are doubted. Memory is bounded by the number of cities and currencies, and one number for each home.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use domain::place::Coordinates;

use crate::home::{Home, Price, PricePeriod};
use crate::values::words::fold;

/// Values that are kept of a city or a currency: the middle of so many is the middle of all.
const SAMPLES_MAX: usize = 1_001;
/// Points of a city by which another one is judged.
const POINTS_MIN: usize = 4;
/// Rents by which another one is judged.
const RENTS_MIN: usize = 5;
/// A rent is refused that is so many times the middle, or less than that part of it.
const FAR: u64 = 10;
/// A rent is named from here on.
const UNUSUAL: u64 = 3;

/// Whether a rent is like the others of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Likeness {
    Usual,
    /// The middle of the others for a month, in minor units.
    Unusual(u64),
    Far(u64),
}

/// Figures of a file.
#[derive(Debug, Default)]
pub(crate) struct Stats {
    points: HashMap<(&'static str, String), Vec<Coordinates>>,
    rents: HashMap<&'static str, Vec<u64>>,
    /// How many records have an id, by its hash.
    rows: HashMap<u64, u64>,
}

impl Stats {
    /// Counts one record of an id.
    pub(crate) fn note_id(&mut self, id: &str) {
        *self.rows.entry(hash_id(id)).or_default() += 1;
    }

    /// Takes the places and rents of a home down.
    pub(crate) fn note_home(&mut self, home: &Home) {
        if let (Some(country), Some(city), Some(point)) =
            (home.place.country, &home.place.city, home.place.point)
        {
            let points = self.points.entry((country, fold(city))).or_default();
            if points.len() < SAMPLES_MAX {
                points.push(point);
            }
        }
        for lease in home.rooms.iter().flat_map(|room| &room.leases) {
            if let Some(price) = lease.price {
                let rents = self.rents.entry(price.amount.currency).or_default();
                if rents.len() < SAMPLES_MAX {
                    rents.push(count_month(price));
                }
            }
        }
    }

    /// Sorts what was taken down, so that middles can be found.
    pub(crate) fn close(&mut self) {
        for rents in self.rents.values_mut() {
            rents.sort_unstable();
        }
    }

    /// The middle of a city's points; `None` where there are too few to judge by.
    pub(crate) fn find_middle(&self, country: &'static str, city: &str) -> Option<Coordinates> {
        let points = self.points.get(&(country, fold(city)))?;
        let is_enough = points.len() >= POINTS_MIN;
        self.find_any_middle(country, city).filter(|_| is_enough)
    }

    /// The middle of a city's points, however few there are.
    pub(crate) fn find_any_middle(&self, country: &'static str, city: &str) -> Option<Coordinates> {
        let points = self.points.get(&(country, fold(city)))?;
        let middle = |number: fn(&Coordinates) -> i32| {
            let mut numbers: Vec<i32> = points.iter().map(number).collect();
            numbers.sort_unstable();
            numbers.get(numbers.len() / 2).copied()
        };
        Some(Coordinates::new(
            middle(|point| point.lat_e6)?,
            middle(|point| point.lng_e6)?,
        ))
    }

    /// Compares a rent with the others in its currency.
    pub(crate) fn compare_rent(&self, price: Price) -> Likeness {
        let rents = self
            .rents
            .get(price.amount.currency)
            .map_or(&[][..], Vec::as_slice);
        let Some(middle) = rents
            .get(rents.len() / 2)
            .copied()
            .filter(|_| rents.len() >= RENTS_MIN)
        else {
            return Likeness::Usual;
        };
        let month = count_month(price);
        let is_beyond =
            |times: u64| month > middle.saturating_mul(times) || month.saturating_mul(times) < middle;
        if is_beyond(FAR) {
            Likeness::Far(middle)
        } else if is_beyond(UNUSUAL) {
            Likeness::Unusual(middle)
        } else {
            Likeness::Usual
        }
    }

    /// How many records the file has of an id.
    pub(crate) fn count_rows(&self, id: &str) -> u64 {
        self.rows.get(&hash_id(id)).copied().unwrap_or_default()
    }
}

/// A rent for a month, in minor units: 30 nights, 52 weeks a year.
pub(crate) fn count_month(price: Price) -> u64 {
    let minor = price.amount.minor;
    match price.period {
        PricePeriod::Night => minor.saturating_mul(30),
        PricePeriod::Week => minor.saturating_mul(52) / 12,
        PricePeriod::Month => minor,
        PricePeriod::Quarter => minor / 3,
        PricePeriod::Year => minor / 12,
    }
}

pub(crate) fn hash_id(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::home::Amount;

    fn price(minor: u64, period: PricePeriod) -> Price {
        Price {
            amount: Amount {
                minor,
                currency: "EUR",
            },
            most_minor: None,
            period,
            is_per_person: None,
        }
    }

    #[test]
    fn rents_are_compared_by_the_month() {
        let mut stats = Stats::default();
        stats
            .rents
            .insert("EUR", vec![50_000, 60_000, 65_000, 70_000, 80_000]);
        stats.close();
        let compare = |minor, period| stats.compare_rent(price(minor, period));
        assert_eq!(compare(70_000, PricePeriod::Month), Likeness::Usual);
        assert_eq!(compare(15_000, PricePeriod::Week), Likeness::Usual);
        assert_eq!(compare(650, PricePeriod::Month), Likeness::Far(65_000));
        assert_eq!(compare(1_150_000, PricePeriod::Month), Likeness::Far(65_000));
        assert_eq!(compare(210_000, PricePeriod::Month), Likeness::Unusual(65_000));
        stats.rents.insert("GBP", vec![1]);
        let mut single = price(9_999, PricePeriod::Month);
        single.amount.currency = "GBP";
        assert_eq!(stats.compare_rent(single), Likeness::Usual);
    }

    #[test]
    fn ids_are_counted() {
        let mut stats = Stats::default();
        for id in ["a", "b", "a"] {
            stats.note_id(id);
        }
        assert_eq!((stats.count_rows("a"), stats.count_rows("c")), (2, 0));
    }
}
