//! The one place that asks for the time and for random ids.

use chrono::{DurationRound, TimeDelta, Utc};
use domain::moment::Moment;
use uuid::Uuid;

/// Now, to the microsecond (X5).
pub fn now() -> Moment {
    let now = Utc::now();
    now.duration_trunc(TimeDelta::microseconds(1)).unwrap_or(now)
}

/// A fresh time-ordered id.
pub fn new_id() -> Uuid {
    Uuid::now_v7()
}
