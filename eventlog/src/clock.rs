//! The time as a server has it: begun at what the machine's clock on the wall shows, and from then on as fast as time passes.
//! Somebody who puts the wall clock forward or back ends no hold and makes no code last longer; [`look`] lets the server come
//! back to the wall so slowly that no lifetime is a hundredth off (R18). A process that never calls [`start`] reads the wall.

use std::time::{Duration, Instant, SystemTime};

use chrono::TimeDelta;
use domain::moment::Moment;
use parking_lot::RwLock;

use crate::planted::Fault;

/// How far a start that finds younger events than the wall shows goes by them. Beyond it the events are what is wrong.
const BEHIND_MAX: TimeDelta = TimeDelta::days(1);
/// How often [`look`] is to be called.
pub const LOOK_EVERY: Duration = Duration::from_secs(10);
/// How much faster or slower time may pass, in millionths.
const BEND_MAX: i64 = 10_000;

/// A process has one time.
static PACE: RwLock<Option<Pace>> = RwLock::new(None);

/// A straight piece of time.
#[derive(Debug, Clone, Copy)]
struct Pace {
    began: Instant,
    shown: Moment,
    /// How much faster than time passes, in millionths.
    bend: i64,
}

impl Pace {
    fn at(self, instant: Instant) -> Moment {
        let passed = instant.saturating_duration_since(self.began).as_nanos();
        let passed = i64::try_from(passed).unwrap_or(i64::MAX);
        let bent = i128::from(passed) * i128::from(self.bend) / 1_000_000;
        let bent = i64::try_from(bent).unwrap_or_default();
        let passed = TimeDelta::nanoseconds(passed.saturating_add(bent));
        self.shown.checked_add_signed(passed).unwrap_or(self.shown)
    }

    /// The piece that follows at `instant` and comes back to `wall` as fast as it may.
    fn towards(self, wall: Moment, instant: Instant) -> Self {
        let shown = self.at(instant);
        let off = (wall - shown).num_microseconds().unwrap_or(i64::MAX);
        let per_second = off / i64::try_from(LOOK_EVERY.as_secs()).unwrap_or(1);
        Self {
            began: instant,
            shown,
            // A microsecond a second is a millionth.
            bend: per_second.clamp(-BEND_MAX, BEND_MAX),
        }
    }
}

/// Lets the server's own time begin at what the wall shows; later calls change nothing.
pub fn start() {
    if Fault::WallClock.is_planted() {
        return;
    }
    PACE.write().get_or_insert_with(|| Pace {
        began: Instant::now(),
        shown: wall(),
        bend: 0,
    });
}

/// Begins no earlier than the last event, so that time does not run back where the wall was put back while the server was
/// down. Gives how far the wall is behind where that is too far to be believed.
pub fn not_before(last: Moment) -> Option<TimeDelta> {
    let mut pace = PACE.write();
    let running = pace.as_mut()?;
    let now = Instant::now();
    let behind = last - running.at(now);
    if behind <= TimeDelta::zero() {
        return None;
    }
    if behind > BEHIND_MAX {
        return Some(behind);
    }
    (running.began, running.shown) = (now, last);
    None
}

/// Looks at the wall and comes back to it slowly; gives how far it is ahead. `slept` is time that passed while the machine
/// stood still, which no clock of a running machine counts.
pub fn look(slept: Duration) -> TimeDelta {
    let mut pace = PACE.write();
    let Some(running) = pace.as_mut() else {
        return TimeDelta::zero();
    };
    let (wall, now) = (wall(), Instant::now());
    running.shown += TimeDelta::from_std(slept).unwrap_or_default();
    *running = running.towards(wall, now);
    wall - running.shown
}

/// How far the wall is ahead of the server's time.
pub fn off() -> TimeDelta {
    wall() - now()
}

/// The server's time.
pub fn now() -> Moment {
    let pace = *PACE.read();
    pace.map_or_else(wall, |pace| pace.at(Instant::now()))
}

/// What the machine's clock shows, whoever has set it.
pub fn wall() -> Moment {
    Moment::from(SystemTime::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(bend: i64) -> Pace {
        Pace {
            began: Instant::now(),
            shown: wall(),
            bend,
        }
    }

    /// An hour is an hour within a hundredth wherever the wall was put.
    #[test]
    fn server_clock_hour_is_within_a_hundredth_of_an_hour() {
        let begun = pace(0);
        for put in [
            -TimeDelta::hours(1),
            TimeDelta::days(40),
            TimeDelta::milliseconds(30),
        ] {
            let mut now = begun;
            for step in 1..=360 {
                let instant = begun.began + LOOK_EVERY * step;
                now = now.towards(begun.at(instant) + put, instant);
            }
            let hour = now.shown - begun.shown;
            let off = hour - TimeDelta::hours(1);
            assert!(off.abs() <= TimeDelta::seconds(36), "{put}: {hour}");
            assert_eq!(off.num_milliseconds().signum(), put.num_milliseconds().signum());
        }
    }

    #[test]
    fn time_never_runs_back() {
        let begun = pace(0);
        let mut now = begun;
        let mut last = now.shown;
        for step in 1..=1_000_u32 {
            let instant = begun.began + Duration::from_millis(u64::from(step) * 7);
            let wall = begun.shown + TimeDelta::seconds(if step % 2 == 0 { 86_400 } else { -86_400 });
            if step % 10 == 0 {
                now = now.towards(wall, instant);
            }
            let shown = now.at(instant);
            assert!(shown > last);
            last = shown;
        }
    }

    #[test]
    fn a_small_error_is_gone_after_a_while_and_does_not_swing() {
        let begun = pace(0);
        let mut now = begun;
        let put = TimeDelta::milliseconds(80);
        let mut left = put;
        for step in 1..=10 {
            let instant = begun.began + LOOK_EVERY * step;
            now = now.towards(begun.at(instant) + put, instant);
            left = begun.at(instant) + put - now.shown;
        }
        assert!(left.abs() < TimeDelta::milliseconds(2), "{left}");
    }
}
