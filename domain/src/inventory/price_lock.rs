//! An enquiry freezes what its home asks: price, fees and policy as they stood then, until a shown deadline (D142,
//! decision 0025).
//!
//! Later rises do not bite before the deadline, later drops are passed on at once.

use serde::{Deserialize, Serialize};

use crate::id::InventoryId;
use crate::moment::Moment;

/// What an enquiry froze: the home as its stream told it up to a revision. The terms are read from there, so that the log itself
/// proves them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteLock {
    pub home_id: InventoryId,
    /// How many events of the home's stream count.
    pub revision: u64,
    pub until: Moment,
}

/// How a frozen price stands beside today's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockState {
    /// Today's price is not lower: the frozen one counts.
    Kept,
    /// Today's price is lower: it counts.
    Fell,
    /// The deadline is over: today's price counts.
    Over,
}

impl LockState {
    pub const ALL: [Self; 3] = [Self::Kept, Self::Fell, Self::Over];

    /// Its name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Fell => "fell",
            Self::Over => "over",
        }
    }
}

impl QuoteLock {
    /// Which of two amounts counts at a moment, both in minor units of one currency.
    pub fn state(&self, frozen_minor: u64, now_minor: u64, at: Moment) -> LockState {
        if at >= self.until {
            LockState::Over
        } else if now_minor < frozen_minor {
            LockState::Fell
        } else {
            LockState::Kept
        }
    }

    /// The amount that counts at a moment.
    pub fn counts(&self, frozen_minor: u64, now_minor: u64, at: Moment) -> u64 {
        match self.state(frozen_minor, now_minor, at) {
            LockState::Kept => frozen_minor,
            LockState::Fell | LockState::Over => now_minor,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn lock() -> QuoteLock {
        QuoteLock {
            home_id: InventoryId(Uuid::from_u128(1)),
            revision: 3,
            until: "2026-12-08T12:00:00Z".parse().unwrap(),
        }
    }

    #[test]
    fn rises_wait_for_the_deadline_and_drops_do_not() {
        let before = "2026-12-08T11:59:59Z".parse().unwrap();
        let lock = lock();
        assert_eq!(lock.counts(20_000, 22_000, before), 20_000);
        assert_eq!(lock.counts(20_000, 19_000, before), 19_000);
        assert_eq!(lock.counts(20_000, 22_000, lock.until), 22_000);
    }

    proptest! {
        #[test]
        fn a_lock_never_costs_more_than_today(frozen in 0_u64..u64::MAX, now in 0_u64..u64::MAX, seconds in -1_000_i64..1_000) {
            let at = lock().until + chrono::TimeDelta::seconds(seconds);
            prop_assert!(lock().counts(frozen, now, at) <= now);
        }
    }
}
