//! Last days to book: a lease is out of the search once its own is over where the home stands, though nothing is written then.

use std::collections::{BTreeSet, HashMap};

use chrono::NaiveDate;
use domain::country::Country;
use domain::id::InventoryId;

/// Tells the day that it is now in a time zone; of an unknown one, in the country.
pub(crate) type DayAt = fn(time_zone: &str, country: Country) -> NaiveDate;

/// A zone in which each day begins first.
pub(super) const EARLIEST_ZONE: &str = "Pacific/Kiritimati";

/// The next deadline of each listing that has one.
#[derive(Default)]
pub(super) struct Deadlines {
    by_day: BTreeSet<(NaiveDate, InventoryId)>,
    of_listing: HashMap<InventoryId, NaiveDate>,
}

impl Deadlines {
    pub(super) fn is_empty(&self) -> bool {
        self.by_day.is_empty()
    }

    /// Takes down the next deadline of a listing.
    pub(super) fn put(&mut self, id: InventoryId, next: Option<NaiveDate>) {
        let before = match next {
            Some(day) => self.of_listing.insert(id, day),
            None => self.of_listing.remove(&id),
        };
        if let Some(day) = before {
            self.by_day.remove(&(day, id));
        }
        self.by_day.extend(next.map(|day| (day, id)));
    }

    /// Listings with a deadline before a day, with it.
    pub(super) fn list_before(&self, day: NaiveDate) -> impl Iterator<Item = (NaiveDate, InventoryId)> {
        let each = self.by_day.iter().copied();
        each.take_while(move |(last, _)| *last < day)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn deadlines_are_listed_once_their_day_is_over() {
        let home = |number| InventoryId(Uuid::from_u128(number));
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let mut deadlines = Deadlines::default();
        assert!(deadlines.is_empty());
        deadlines.put(home(1), Some(day("2026-11-29")));
        deadlines.put(home(2), Some(day("2026-11-30")));
        deadlines.put(home(3), Some(day("2026-11-28")));
        let before = |deadlines: &Deadlines, text| {
            let listed = deadlines.list_before(day(text));
            listed.map(|(_, id)| id).collect::<Vec<_>>()
        };
        assert_eq!(before(&deadlines, "2026-11-29"), [home(3)]);
        assert_eq!(before(&deadlines, "2026-11-30"), [home(3), home(1)]);
        deadlines.put(home(3), None);
        deadlines.put(home(1), Some(day("2026-12-01")));
        assert_eq!(before(&deadlines, "2026-12-01"), [home(2)]);
    }
}
