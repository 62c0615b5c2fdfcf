//! Days of a feed. A column of days is read in one order; a day that two orders read differently is refused.

use chrono::{Datelike as _, NaiveDate};
use tabular::day::{DayOrder, read_day};

use super::words::fold;

/// Years that days of two digits may lie ahead, beyond what bank statements have: leases end years from now.
const YEARS_AHEAD: i32 = 4;

/// Which orders read every day of a column so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DayOrders([bool; 3]);

impl Default for DayOrders {
    fn default() -> Self {
        Self([true; 3])
    }
}

impl DayOrders {
    /// The one order that a map names.
    pub(crate) fn only(order: DayOrder) -> Self {
        Self(DayOrder::ALL.map(|known| known == order))
    }

    /// Looks at one more value of the column; a text that is a day in no order does not count.
    pub(crate) fn note(&mut self, text: &str, today: NaiveDate) {
        let reads = DayOrder::ALL.map(|order| read_in(text, order, today).is_some());
        if reads.contains(&true) {
            for (fits, reads) in self.0.iter_mut().zip(reads) {
                *fits &= reads;
            }
        }
    }

    /// The orders that fit; all where the column has no one order.
    fn list(self) -> Vec<DayOrder> {
        let orders = DayOrder::ALL.into_iter().zip(self.0);
        let fitting: Vec<DayOrder> = orders.filter(|(_, fits)| *fits).map(|(order, _)| order).collect();
        if fitting.is_empty() {
            DayOrder::ALL.to_vec()
        } else {
            fitting
        }
    }
}

/// A text read as a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DayRead {
    Day(NaiveDate),
    /// `ab sofort`, `available now`.
    Now,
    /// A term or a month: `WS 2027/28`.
    Words,
    /// Two days, by two orders.
    TwoWays(NaiveDate, NaiveDate),
    NoDay,
}

const NOW: &[&str] = &[
    "now",
    "immediately",
    "immediate",
    "asap",
    "available now",
    "today",
    "ab sofort",
    "sofort",
    "ahora",
    "inmediata",
    "inmediatamente",
    "de inmediato",
    "immediatement",
    "de suite",
    "maintenant",
    "subito",
    "immediata",
    "da subito",
    "即时",
    "随时",
    "立即入住",
];
const TERMS: &[&str] = &[
    "ws",
    "wise",
    "ss",
    "sose",
    "wintersemester",
    "sommersemester",
    "semester",
    "term",
    "autumn",
    "fall",
    "spring",
    "summer",
    "winter",
    "michaelmas",
    "herbst",
    "fruhjahr",
    "otono",
    "primavera",
    "verano",
    "invierno",
    "automne",
    "printemps",
    "ete",
    "hiver",
    "autunno",
    "estate",
    "inverno",
    "trimestre",
    "semestre",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Reads a day by the orders of its column.
pub(crate) fn read_in_orders(text: &str, orders: DayOrders, today: NaiveDate) -> DayRead {
    let folded = fold(text);
    if NOW.contains(&folded.as_str()) {
        return DayRead::Now;
    }
    let days: Vec<NaiveDate> = orders
        .list()
        .into_iter()
        .filter_map(|order| read_in(text, order, today))
        .collect();
    match &days[..] {
        [] => {
            let first = folded.split(' ').next().unwrap_or_default();
            let names_year = folded
                .split(' ')
                .any(|word| word.len() == 4 && word.starts_with("20"));
            if TERMS.contains(&first) && names_year {
                DayRead::Words
            } else {
                DayRead::NoDay
            }
        }
        [day, others @ ..] => match others.iter().find(|other| *other != day) {
            None => DayRead::Day(*day),
            Some(other) => DayRead::TwoWays(*day, *other),
        },
    }
}

/// A day in one order; of two digits a year is one of the next years.
fn read_in(text: &str, order: DayOrder, today: NaiveDate) -> Option<NaiveDate> {
    let ahead = today.with_day(1)?.with_year(today.year() + YEARS_AHEAD)?;
    read_day(text, order, ahead)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: &str = "2026-11-27";

    fn read(text: &str, column: &[&str]) -> DayRead {
        let today = TODAY.parse().unwrap();
        let mut orders = DayOrders::default();
        for value in column {
            orders.note(value, today);
        }
        read_in_orders(text, orders, today)
    }

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn column_decides_the_order_of_its_days() {
        let second = DayRead::Day(day("2027-01-05"));
        assert_eq!(read("05-01-2027", &["05-01-2027", "28-08-2027"]), second);
        assert_eq!(read("01/05/2027", &["01/05/2027", "08/28/2027"]), second);
        let two_ways = DayRead::TwoWays(day("2027-09-04"), day("2027-04-09"));
        assert_eq!(read("04/09/2027", &["2027-09-04", "04/09/2027"]), two_ways);
        assert_eq!(
            read("2027-09-04", &["2027-09-04", "04/09/2027"]),
            DayRead::Day(day("2027-09-04"))
        );
        assert_eq!(
            read_in_orders("04/09/2027", DayOrders::only(DayOrder::MonthFirst), day(TODAY)),
            DayRead::Day(day("2027-04-09"))
        );
    }

    #[test]
    fn forms_of_sheets_are_read() {
        assert_eq!(read("1.10.2027", &[]), DayRead::Day(day("2027-10-01")));
        assert_eq!(read("01.02.27", &[]), DayRead::Day(day("2027-02-01")));
        assert_eq!(read("30.09.28", &[]), DayRead::Day(day("2028-09-30")));
        assert_eq!(read("ab sofort", &[]), DayRead::Now);
        assert_eq!(read("WS 2027/28", &[]), DayRead::Words);
        assert_eq!(read("September 2027", &[]), DayRead::Words);
        for none in ["31.04.2027", "31-02-2027", "soon", "31 Feb 2027", ""] {
            assert_eq!(read(none, &[]), DayRead::NoDay, "{none}");
        }
    }
}
