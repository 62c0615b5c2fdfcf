//! The hour of a city up to which nobody loses a room asleep (U1).

use chrono::{Days, NaiveTime, TimeZone as _};
use chrono_tz::Tz;
use domain::moment::Moment;

/// The hour of the next morning up to which an offer lasts at least.
const MORNING_HOUR: u32 = 10;

/// Whether a zone of that name is known, such as `Asia/Shanghai`.
pub fn is_zone(name: &str) -> bool {
    name.parse::<Tz>().is_ok()
}

/// Ten o'clock on the day after a moment, by the clocks of a zone; in UTC where the zone is not known.
pub fn next_morning(zone: &str, at: Moment) -> Moment {
    let zone: Tz = zone.parse().unwrap_or(Tz::UTC);
    let next = at
        .with_timezone(&zone)
        .date_naive()
        .checked_add_days(Days::new(1));
    let ten = NaiveTime::from_hms_opt(MORNING_HOUR, 0, 0);
    let local = next.zip(ten).map(|(day, ten)| day.and_time(ten));
    let found = local.and_then(|local| zone.from_local_datetime(&local).earliest());
    found.map_or(at, |found| found.to_utc())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Moment {
        text.parse().unwrap()
    }

    #[test]
    fn next_morning_is_ten_by_the_clock_of_the_city() {
        for (zone, at, ten) in [
            ("Asia/Shanghai", "2026-11-27T15:00:00Z", "2026-11-28T02:00:00Z"),
            // It is Saturday there already.
            ("Asia/Shanghai", "2026-11-27T16:30:00Z", "2026-11-29T02:00:00Z"),
            ("Europe/London", "2026-11-27T09:59:00Z", "2026-11-28T10:00:00Z"),
            // The clocks go forward in that night.
            ("Europe/London", "2027-03-27T20:00:00Z", "2027-03-28T09:00:00Z"),
            ("Mars/Olympus", "2026-11-27T23:00:00Z", "2026-11-28T10:00:00Z"),
        ] {
            assert_eq!(next_morning(zone, moment(at)), moment(ten), "{zone} {at}");
        }
    }
}
