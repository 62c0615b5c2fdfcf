//! Days, moments and spans as people write them, in the reader's language.

use chrono::{NaiveDate, NaiveDateTime};
use chrono_tz::Tz;
use domain::language::Language;
use domain::moment::Moment;
use serde::{Deserialize, Serialize};

use crate::forms::forms_of;
use crate::texts::text;

/// A day: `3 November 2026`, `2026年11月3日`.
pub fn day(lang: Language, day: NaiveDate) -> String {
    forms_of(lang).write_full_day(day)
}

/// A day that is kept as a text; a text that is no day stays as it is.
pub fn stored_day(lang: Language, stored: &str) -> String {
    stored
        .parse()
        .map_or_else(|_| stored.to_owned(), |read| day(lang, read))
}

/// The clock that people at a home read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HomeClock {
    /// IANA name: `Europe/London`.
    pub zone: String,
    /// The city's name in the reader's language.
    pub city: String,
}

impl HomeClock {
    /// The clock of a zone, called by the zone's own city; `None` where no such zone is known.
    pub fn of_zone(zone: &str) -> Option<Self> {
        let known: Tz = zone.parse().ok()?;
        let city = known.name().rsplit('/').next().unwrap_or_default();
        Some(Self {
            zone: zone.to_owned(),
            city: city.replace('_', " "),
        })
    }

    /// `London time`, `伦敦时间`.
    pub fn name(&self, lang: Language) -> String {
        forms_of(lang).name_clock(&self.city)
    }
}

/// The time on a home's clock at a moment, with its name; UTC where no clock is known.
pub fn on_clock(lang: Language, at: Moment, clock: Option<&HomeClock>) -> (NaiveDateTime, String) {
    let zone = clock.and_then(|clock| Some((clock, clock.zone.parse::<Tz>().ok()?)));
    match zone {
        Some((clock, zone)) => (at.with_timezone(&zone).naive_local(), clock.name(lang)),
        None => (at.naive_utc(), "UTC".to_owned()),
    }
}

/// A moment, to the minute, on a home's clock: `3 November 2026, 14:05 (London time)`, `2026年11月3日 14:05（伦敦时间）`.
pub fn moment(lang: Language, at: Moment, clock: Option<&HomeClock>) -> String {
    let (shown, name) = on_clock(lang, at, clock);
    let (open, close) = if lang.is_wide() {
        ("（", "）")
    } else {
        (" (", ")")
    };
    format!("{}{open}{name}{close}", forms_of(lang).write_moment(shown))
}

/// How long something lasts: in minutes where they are whole, else in seconds.
pub fn lasting(lang: Language, seconds: u32) -> String {
    let (key, count) = if seconds.is_multiple_of(60) {
        ("legal.hold_minutes", seconds / 60)
    } else {
        ("legal.hold_seconds", seconds)
    };
    text(lang, key, &[("count", &count.to_string())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_moments_are_in_the_readers_language() {
        let at: Moment = "2026-11-03T04:05:59Z".parse().unwrap();
        assert_eq!(day(Language::En, at.date_naive()), "3 November 2026");
        assert_eq!(moment(Language::En, at, None), "3 November 2026, 04:05 (UTC)");
        assert_eq!(moment(Language::Zh, at, None), "2026年11月3日 04:05（UTC）");
        assert_eq!(
            moment(Language::De, at, HomeClock::of_zone("Europe/Berlin").as_ref()),
            "3. November 2026, 05:05 (Ortszeit Berlin)"
        );
    }

    /// Summer time, and a day that has not begun there yet.
    #[test]
    fn moments_are_told_on_the_homes_clock_by_its_name() {
        let clock = |zone: &str, city: &str| HomeClock {
            zone: zone.to_owned(),
            city: city.to_owned(),
        };
        let summer: Moment = "2026-07-04T15:30:00Z".parse().unwrap();
        let london = clock("Europe/London", "London");
        let told = moment(Language::En, summer, Some(&london));
        assert_eq!(told, "4 July 2026, 16:30 (London time)");
        let night: Moment = "2026-11-03T04:05:59Z".parse().unwrap();
        let boston = clock("America/New_York", "波士顿");
        let told = moment(Language::Zh, night, Some(&boston));
        assert_eq!(told, "2026年11月2日 23:05（波士顿时间）");
        let new_york = HomeClock::of_zone("America/New_York");
        assert!(moment(Language::En, night, new_york.as_ref()).ends_with("23:05 (New York time)"));
        assert_eq!(HomeClock::of_zone(""), None);
        let nowhere = clock("Nowhere/City", "Nowhere");
        assert!(moment(Language::En, night, Some(&nowhere)).ends_with("04:05 (UTC)"));
    }

    #[test]
    fn spans_are_whole_minutes_or_seconds() {
        let said = |seconds| lasting(Language::En, seconds);
        assert_eq!(
            [said(600), said(60), said(90), said(1)],
            ["10 minutes", "1 minute", "90 seconds", "1 second"]
        );
        assert_eq!(lasting(Language::Zh, 1_200), "20 分钟");
    }
}
