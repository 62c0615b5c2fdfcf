//! Nights of a room type, and how many of its rooms are taken on the fullest of them (decision 0022).
//!
//! The rooms of one type are alike, and which of them somebody gets is decided when they move in. So as many stays fit as there are
//! rooms, exactly when no night has more stays than rooms.

use chrono::NaiveDate;

use crate::lease::Stay;

/// The nights from the day of moving in to the day of moving out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Nights {
    /// The first night.
    pub first: NaiveDate,
    /// The day of moving out: its night is another's.
    pub end: NaiveDate,
}

impl Nights {
    /// Every night there is: those of a room that was taken before stays were written down with it.
    pub const ALL: Self = Self {
        first: NaiveDate::MIN,
        end: NaiveDate::MAX,
    };

    /// The nights of a stay. One without a length, as old logs may hold, takes its first night.
    pub fn of(stay: Stay) -> Self {
        let next = stay.move_in.succ_opt().unwrap_or(NaiveDate::MAX);
        Self {
            first: stay.move_in,
            end: stay.ends().max(next),
        }
    }

    /// The same of a stay that may be unsaid.
    pub fn of_taken(stay: Option<Stay>) -> Self {
        stay.map_or(Self::ALL, Self::of)
    }

    /// The nights to come: what was taken before `today` is over.
    pub const fn after(today: NaiveDate) -> Self {
        Self {
            first: today,
            end: NaiveDate::MAX,
        }
    }

    /// The nights of both.
    pub fn within(self, other: Self) -> Option<Self> {
        let both = Self {
            first: self.first.max(other.first),
            end: self.end.min(other.end),
        };
        (both.first < both.end).then_some(both)
    }

    /// Whether both have a night in common.
    pub fn overlaps(self, other: Self) -> bool {
        self.within(other).is_some()
    }

    /// Whether a night is one of them.
    pub fn covers(self, night: NaiveDate) -> bool {
        self.first <= night && night < self.end
    }
}

/// The first of the fullest nights among `of`, and how many of `taken` take it; `None` where nothing takes any of them.
pub fn fullest(taken: impl IntoIterator<Item = Nights>, of: Nights) -> Option<(NaiveDate, u32)> {
    let mut turns: Vec<(NaiveDate, bool)> = taken
        .into_iter()
        .filter_map(|nights| nights.within(of))
        .flat_map(|nights| [(nights.first, true), (nights.end, false)])
        .collect();
    // Moving out on a day makes room for moving in on it: `false` comes before `true`.
    turns.sort_unstable();
    let mut now = 0_u32;
    let mut fullest: Option<(NaiveDate, u32)> = None;
    for (day, moves_in) in turns {
        if moves_in {
            now = now.saturating_add(1);
            if fullest.is_none_or(|(_, most)| now > most) {
                fullest = Some((day, now));
            }
        } else {
            now = now.saturating_sub(1);
        }
    }
    fullest
}

/// How many of `taken` take the fullest night among `of`.
pub fn most_taken(taken: impl IntoIterator<Item = Nights>, of: Nights) -> u32 {
    fullest(taken, of).map_or(0, |(_, most)| most)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lease::Lease;

    fn day(number: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2027, 9, 1)
            .unwrap()
            .checked_add_days(chrono::Days::new(number.into()))
            .unwrap()
    }

    fn nights(first: u32, end: u32) -> Nights {
        Nights {
            first: day(first),
            end: day(end),
        }
    }

    #[test]
    fn who_moves_out_makes_room_on_the_same_day() {
        let taken = [nights(0, 7), nights(7, 14), nights(3, 9)];
        assert_eq!(fullest(taken, Nights::ALL), Some((day(3), 2)));
        assert_eq!(most_taken(taken, nights(9, 20)), 1);
        assert_eq!(fullest(taken, nights(14, 20)), None);
        assert_eq!(fullest(taken, nights(8, 9)), Some((day(8), 2)));
    }

    #[test]
    fn stay_takes_its_nights_and_at_least_the_first() {
        let stay = |length| Stay {
            move_in: day(0),
            length,
        };
        assert_eq!(Nights::of(stay(Lease::weeks(2))), nights(0, 14));
        assert_eq!(Nights::of(stay(Lease::weeks(0))), nights(0, 1));
        assert_eq!(Nights::of_taken(None), Nights::ALL);
        assert!(nights(0, 7).overlaps(nights(6, 8)) && !nights(0, 7).overlaps(nights(7, 8)));
        assert!(nights(0, 7).covers(day(0)) && !nights(0, 7).covers(day(7)));
        assert_eq!(Nights::after(day(3)).within(nights(0, 7)), Some(nights(3, 7)));
    }

    proptest! {
        /// Night by night, counted on the fingers.
        #[test]
        fn fullest_night_is_the_one_that_counting_finds(
            spans in prop::collection::vec((0_u32..40, 1_u32..20), 0..30),
            (first, length) in (0_u32..40, 1_u32..25),
        ) {
            let taken: Vec<Nights> = spans.iter().map(|(first, length)| nights(*first, first + length)).collect();
            let count = |night: u32| {
                let there = taken.iter().filter(|nights| nights.covers(day(night)));
                u32::try_from(there.count()).unwrap()
            };
            let most = (first..first + length).map(count).max().unwrap();
            let found = fullest(taken.iter().copied(), nights(first, first + length));
            prop_assert_eq!(found.map_or(0, |(_, most)| most), most);
            let first_of_them = (first..first + length).find(|night| count(*night) == most);
            prop_assert_eq!(found.map(|(night, _)| night), first_of_them.filter(|_| most > 0).map(day));
        }
    }
}
