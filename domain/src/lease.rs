//! How long somebody stays (Spec §9, D49).

use std::fmt;

use chrono::{Days, Months, NaiveDate};
use serde::{Deserialize, Serialize};

use crate::money::Period;

/// The unit a lease is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeaseUnit {
    Weeks,
    Months,
}

impl LeaseUnit {
    /// The word on the wire.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Weeks => "weeks",
            Self::Months => "months",
        }
    }

    /// Leases are counted like prices: weekly prices go with weeks.
    pub const fn of(period: Period) -> Self {
        match period {
            Period::Weekly => Self::Weeks,
            Period::Monthly => Self::Months,
        }
    }
}

/// A lease of a whole number of weeks or months.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Lease {
    pub duration: u16,
    pub unit: LeaseUnit,
}

impl Lease {
    pub const fn weeks(duration: u16) -> Self {
        Self {
            duration,
            unit: LeaseUnit::Weeks,
        }
    }

    pub const fn months(duration: u16) -> Self {
        Self {
            duration,
            unit: LeaseUnit::Months,
        }
    }

    /// Reads a length as enquiries say it: `44 weeks`, `1 month`, or the number of weeks alone.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let (number, unit) = text.split_once(' ').unwrap_or((text, "weeks"));
        let unit = match unit.trim() {
            "week" | "weeks" => LeaseUnit::Weeks,
            "month" | "months" => LeaseUnit::Months,
            _ => return None,
        };
        let is_digits = number.bytes().all(|byte| byte.is_ascii_digit());
        let duration = number.parse::<u16>().ok().filter(|_| is_digits)?;
        Some(Self { duration, unit })
    }
}

/// `44 weeks`, as enquiries say it.
impl fmt::Display for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.duration, self.unit.key())
    }
}

/// Which of a room's leases: from when, for how long. Those that share a night share the rooms (decision 0022).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Stay {
    pub move_in: NaiveDate,
    pub length: Lease,
}

impl Stay {
    /// Its name in tables, e.g. `2027-09-11/44 weeks`.
    pub fn key(self) -> String {
        format!("{}/{}", self.move_in, self.length)
    }

    /// Reads a name of tables.
    pub fn of_key(key: &str) -> Option<Self> {
        let (day, length) = key.split_once('/')?;
        let (move_in, length) = (day.parse().ok()?, Lease::read(length)?);
        Some(Self { move_in, length })
    }

    /// The day of moving out.
    pub fn ends(self) -> NaiveDate {
        let duration = u32::from(self.length.duration);
        let end = match self.length.unit {
            LeaseUnit::Weeks => self.move_in.checked_add_days(Days::new(u64::from(duration) * 7)),
            LeaseUnit::Months => self.move_in.checked_add_months(Months::new(duration)),
        };
        end.unwrap_or(NaiveDate::MAX)
    }

    /// Whether both cannot be lived in by one person: they share a night.
    pub fn overlaps(self, other: Self) -> bool {
        self.move_in < other.ends() && other.move_in < self.ends()
    }
}

/// A stay duration filter: `above < lease <= up_to`, whole numbers (D49); no value lies in two buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StayBucket {
    /// URL value, e.g. `26-40` or `45+`.
    pub key: &'static str,
    pub unit: LeaseUnit,
    pub from: u16,
    pub to: u16,
}

impl StayBucket {
    /// Spec §9: months 0-4, 5-8, 8+; weeks 0-4, 5-25, 26-40, 41-45, 45+.
    pub const ALL: [Self; 8] = [
        Self {
            key: "0-4",
            unit: LeaseUnit::Months,
            from: 0,
            to: 4,
        },
        Self {
            key: "5-8",
            unit: LeaseUnit::Months,
            from: 5,
            to: 8,
        },
        Self {
            key: "8+",
            unit: LeaseUnit::Months,
            from: 9,
            to: u16::MAX,
        },
        Self {
            key: "0-4",
            unit: LeaseUnit::Weeks,
            from: 0,
            to: 4,
        },
        Self {
            key: "5-25",
            unit: LeaseUnit::Weeks,
            from: 5,
            to: 25,
        },
        Self {
            key: "26-40",
            unit: LeaseUnit::Weeks,
            from: 26,
            to: 40,
        },
        Self {
            key: "41-45",
            unit: LeaseUnit::Weeks,
            from: 41,
            to: 45,
        },
        Self {
            key: "45+",
            unit: LeaseUnit::Weeks,
            from: 46,
            to: u16::MAX,
        },
    ];

    /// The buckets offered where leases are counted in `unit`.
    pub fn of(unit: LeaseUnit) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |bucket| bucket.unit == unit)
    }

    /// A listing matches when its leases overlap the bucket (D49).
    pub const fn overlaps(self, min_lease: u16, max_lease: u16) -> bool {
        min_lease <= self.to && max_lease >= self.from
    }
}

/// Move-in quarters of a lead (Spec §3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveInQuarter {
    JanuaryToMarch,
    AprilToJune,
    JulyToSeptember,
    OctoberToDecember,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_whole_number_of_weeks_lies_in_exactly_one_bucket() {
        for weeks in 0..=60 {
            let hits = StayBucket::of(LeaseUnit::Weeks)
                .filter(|bucket| bucket.overlaps(weeks, weeks))
                .count();
            assert_eq!(hits, 1, "{weeks} weeks");
        }
    }

    #[test]
    fn stay_is_read_from_its_name() {
        let move_in = "2027-09-11".parse().unwrap();
        for length in [Lease::weeks(44), Lease::months(1), Lease::weeks(0)] {
            let stay = Stay { move_in, length };
            assert_eq!(Stay::of_key(&stay.key()), Some(stay));
        }
        for key in ["", "2027-09-11", "2027-09-11/soon", "soon/44 weeks"] {
            assert_eq!(Stay::of_key(key), None, "{key}");
        }
    }

    #[test]
    fn stays_overlap_where_they_share_a_night() {
        let stay = |day: &str, length| Stay {
            move_in: day.parse().unwrap(),
            length,
        };
        let year = stay("2027-09-11", Lease::weeks(44));
        assert!(year.overlaps(stay("2028-01-10", Lease::months(3))));
        assert!(stay("2027-06-11", Lease::months(4)).overlaps(year));
        // The day of moving out is the day of moving in.
        assert!(!year.overlaps(stay("2028-07-15", Lease::weeks(8))));
        assert!(!stay("2027-07-11", Lease::months(2)).overlaps(year));
    }

    /// Cases that the browser's calendar is tested with too (`web/src/calendar.test.ts`).
    #[test]
    fn stays_end_as_the_shared_cases_say() {
        let cases: serde_json::Value = serde_json::from_str(include_str!("../cases/calendar.json")).unwrap();
        let stays = &cases["stays"];
        let ends = |move_in: NaiveDate, duration: &serde_json::Value, unit| {
            let duration = u16::try_from(duration.as_u64().unwrap()).unwrap();
            let length = Lease { duration, unit };
            Stay { move_in, length }.ends()
        };
        let units = [LeaseUnit::Weeks, LeaseUnit::Months];
        for case in stays["cases"].as_array().unwrap() {
            let unit = units.into_iter().find(|unit| case[2] == unit.key()).unwrap();
            let move_in = case[0].as_str().unwrap().parse().unwrap();
            assert_eq!(case[3], ends(move_in, &case[1], unit).to_string(), "{case}");
        }
        let first: NaiveDate = cases["first"].as_str().unwrap().parse().unwrap();
        let days = usize::try_from(cases["days"].as_u64().unwrap()).unwrap();
        for unit in units {
            let expected = &stays[unit.key()];
            let mut digest = 0_u32;
            for day in first.iter_days().take(days) {
                for length in expected["lengths"].as_array().unwrap() {
                    let since_1970 = (ends(day, length, unit) - NaiveDate::default()).num_days();
                    digest = digest
                        .wrapping_mul(31)
                        .wrapping_add(u32::try_from(since_1970).unwrap());
                }
            }
            assert_eq!(expected["digest"], digest, "{}", unit.key());
        }
    }

    #[test]
    fn eight_months_is_in_five_to_eight_only() {
        let hits: Vec<_> = StayBucket::of(LeaseUnit::Months)
            .filter(|bucket| bucket.overlaps(8, 8))
            .map(|b| b.key)
            .collect();
        assert_eq!(hits, ["5-8"]);
    }
}
