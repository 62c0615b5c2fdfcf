//! Days, moments and spans as people write them, in the reader's language.

use chrono::{Datelike as _, NaiveDate};
use domain::language::Language;
use domain::moment::Moment;

use crate::texts::text;

/// A day: `3 November 2026`, `2026 年 11 月 3 日`.
pub fn day(lang: Language, day: NaiveDate) -> String {
    match lang {
        Language::Zh => format!("{} 年 {} 月 {} 日", day.year(), day.month(), day.day()),
        Language::En | Language::Es | Language::Fr | Language::De => day.format("%-d %B %Y").to_string(),
    }
}

/// A day that is kept as a text; a text that is no day stays as it is.
pub fn stored_day(lang: Language, stored: &str) -> String {
    stored
        .parse()
        .map_or_else(|_| stored.to_owned(), |read| day(lang, read))
}

/// A moment, to the minute, in UTC: `3 November 2026, 14:05 UTC`, `2026 年 11 月 3 日 14:05（UTC）`.
pub fn moment(lang: Language, at: Moment) -> String {
    let (day, time) = (day(lang, at.date_naive()), at.format("%H:%M"));
    match lang {
        Language::Zh => format!("{day} {time}（UTC）"),
        Language::En | Language::Es | Language::Fr | Language::De => format!("{day}, {time} UTC"),
    }
}

/// How long something lasts: in minutes where they are whole, else in seconds.
pub fn lasting(lang: Language, seconds: u32) -> String {
    let (key, count) = match seconds {
        60 => ("legal.hold_minute", 1),
        whole if whole.is_multiple_of(60) => ("legal.hold_minutes", whole / 60),
        other => ("legal.hold_seconds", other),
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
        assert_eq!(moment(Language::En, at), "3 November 2026, 04:05 UTC");
        assert_eq!(moment(Language::Zh, at), "2026 年 11 月 3 日 04:05（UTC）");
    }

    #[test]
    fn spans_are_whole_minutes_or_seconds() {
        let said = |seconds| lasting(Language::En, seconds);
        assert_eq!(
            [said(600), said(60), said(90)],
            ["10 minutes", "1 minute", "90 seconds"]
        );
        assert_eq!(lasting(Language::Zh, 1_200), "20 分钟");
    }
}
