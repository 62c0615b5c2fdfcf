//! The stay that a lead wishes for, read from the words that it is kept in.

use chrono::{Datelike as _, NaiveDate};

use super::LeadWish;
use crate::calendar;
use crate::lease::{Lease, Stay};

impl LeadWish {
    /// Whether a stay is what was wished for: every part of the wish that was said must fit (decision 0027).
    pub fn fits(&self, stay: Stay) -> bool {
        let (day, length) = (self.day(), said(self.lease_duration.as_ref()));
        (day.is_empty() || begins(&day, stay.move_in)) && (length.is_empty() || lasts(length, stay.length))
    }

    /// Whether the wish says both when and for how long.
    pub fn names_stay(&self) -> bool {
        !self.day().is_empty() && !said(self.lease_duration.as_ref()).is_empty()
    }

    /// Whether the wish is a spelling of exactly this stay: of its day, not its month.
    pub fn names(&self, stay: Stay) -> bool {
        self.names_stay() && self.fits(stay) && self.day() == stay.move_in.to_string()
    }

    /// Whether two wishes say the same, though they may spell the day or the length of the stay another way.
    pub fn says_same(&self, other: &Self) -> bool {
        let day = |wish: &Self| Some(wish.day()).filter(|day| !day.is_empty());
        let length = |wish: &Self| {
            let text = said(wish.lease_duration.as_ref());
            let read = Lease::read(text).map_or_else(|| text.to_owned(), |lease| lease.to_string());
            Some(read).filter(|length| !length.is_empty())
        };
        let in_one_form = |wish: &Self| Self {
            move_in_date: day(wish),
            lease_duration: length(wish),
            ..wish.clone()
        };
        in_one_form(self) == in_one_form(other)
    }

    fn day(&self) -> String {
        calendar::in_form_of_today(said(self.move_in_date.as_ref()))
    }
}

fn said(part: Option<&String>) -> &str {
    part.map_or("", |text| text.trim())
}

/// A bare number counts in the unit of the lease.
fn lasts(said: &str, length: Lease) -> bool {
    Lease::read(said) == Some(length) || said.parse::<u16>().ok() == Some(length.duration)
}

/// A day, a month, or what the enquiry offers: `2027-09-11`, `2027-09`, `july_to_september 2027`.
fn begins(said: &str, move_in: NaiveDate) -> bool {
    let day = move_in.to_string();
    let (quarter, year) = said.split_once(' ').unwrap_or((said, ""));
    let months = match quarter {
        "january_to_march" => 1..=3,
        "april_to_june" => 4..=6,
        "july_to_september" => 7..=9,
        "october_to_december" => 10..=12,
        _ => return day == said || day.get(..7) == Some(said),
    };
    months.contains(&move_in.month()) && day.starts_with(year)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stay() -> Stay {
        Stay {
            move_in: NaiveDate::from_ymd_opt(2027, 9, 11).unwrap(),
            length: Lease::weeks(44),
        }
    }

    fn wish(day: &str, length: &str) -> LeadWish {
        LeadWish {
            move_in_date: Some(day.to_owned()),
            lease_duration: Some(length.to_owned()),
            ..LeadWish::default()
        }
    }

    #[test]
    fn a_stay_is_what_was_wished_for_or_it_is_not() {
        for (day, length) in [
            ("2027-09-11", "44 weeks"),
            ("2027-09-11", "44 week"),
            ("2027-09-11", "44"),
            ("2027-09", ""),
            // As enquiries were once taken.
            ("2027-9-11", "44 weeks"),
            ("2027-9", ""),
            ("july_to_september 2027", "44 weeks"),
            ("july_to_september", ""),
            ("", ""),
        ] {
            assert!(wish(day, length).fits(stay()), "{day} {length}");
        }
        for (day, length) in [
            ("2027-09-11", "51 weeks"),
            ("2027-09-11", "44 months"),
            ("2027-09-11", "a year"),
            ("2027-09-12", "44 weeks"),
            ("2027-9-12", "44 weeks"),
            ("2028-09", ""),
            ("july_to_september 2028", ""),
            ("january_to_march 2027", ""),
            ("soon", ""),
        ] {
            assert!(!wish(day, length).fits(stay()), "{day} {length}");
        }
    }

    #[test]
    fn two_spellings_of_one_stay_say_the_same() {
        let plain = wish("2027-09-11", "44 weeks");
        for (day, length) in [
            ("2027-9-11", "44 weeks"),
            ("2027-09-11", "44"),
            (" 2027-09-11 ", "44  weeks"),
        ] {
            let other = wish(day, length);
            assert!(
                plain.says_same(&other) && other.says_same(&plain),
                "{day} {length}"
            );
            assert!(other.names(stay()), "{day} {length}");
        }
        for (day, length) in [
            ("2027-09", "44 weeks"),
            ("2027-09-11", "44 months"),
            ("2027-09-11", ""),
            ("", "44 weeks"),
        ] {
            let other = wish(day, length);
            assert!(!plain.says_same(&other) && !other.names(stay()), "{day} {length}");
        }
        assert!(wish("", " ").says_same(&LeadWish::default()));
        let budget = LeadWish {
            budget: Some(250),
            ..plain.clone()
        };
        assert!(!budget.says_same(&plain));
    }
}
