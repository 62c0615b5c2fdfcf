//! Days, weeks and months as staff type them into the box of the leads' list, in every served language: names of months come from the
//! language's forms, all other words from its texts.

use chrono::{Datelike as _, Days, Months, NaiveDate, TimeDelta};
use domain::calendar;
use domain::language::Language;
use platform::forms::forms_of;
use platform::texts::find;

/// First and last day.
type Span = (NaiveDate, NaiveDate);

#[derive(Debug, Clone, Copy)]
enum Unit {
    Day,
    Week,
    Month,
}

/// Texts that name a stretch of days by today, with its distance from today's.
const NAMED: [(&str, Unit, i32); 9] = [
    ("lead_words.today", Unit::Day, 0),
    ("lead_words.yesterday", Unit::Day, -1),
    ("lead_words.tomorrow", Unit::Day, 1),
    ("lead_words.this_week", Unit::Week, 0),
    ("lead_words.last_week", Unit::Week, -1),
    ("lead_words.next_week", Unit::Week, 1),
    ("lead_words.this_month", Unit::Month, 0),
    ("lead_words.last_month", Unit::Month, -1),
    ("lead_words.next_month", Unit::Month, 1),
];

/// Wordings of a text in every served language; they are parted by a bar.
pub(crate) fn list_wordings(key: &str) -> impl Iterator<Item = &'static str> {
    let texts = Language::SERVED
        .into_iter()
        .filter_map(move |lang| find(lang, key));
    texts.flat_map(|text| text.split('|')).map(str::trim)
}

/// Reads a phrase in small letters as a day, a week or a month that is named as such.
pub(crate) fn read_days(phrase: &str, today: NaiveDate) -> Option<Span> {
    let is_said = |key: &str| list_wordings(key).any(|wording| wording.to_lowercase() == phrase);
    if let Some((_, unit, steps)) = NAMED.into_iter().find(|(key, ..)| is_said(key)) {
        return find_span(unit, steps, today);
    }
    match calendar::read_day(phrase) {
        Some(day) => Some((day, day)),
        None => whole_month(calendar::read_month(phrase)?),
    }
}

/// Reads a wish to move in: words for moving in, and days or a month. A month without a year is the next one that is not over.
pub(crate) fn read_move_in(phrase: &str, today: NaiveDate) -> Option<Span> {
    list_wordings("lead_words.moves_in").find_map(|wording| {
        let (before, after) = wording.split_once("{when}")?;
        let wanted = phrase.strip_prefix(&before.to_lowercase())?;
        let wanted = wanted.strip_suffix(&after.to_lowercase())?.trim();
        read_days(wanted, today).or_else(|| find_coming_month(wanted, today))
    })
}

/// The day, week or month that lies so many steps from today's.
fn find_span(unit: Unit, steps: i32, today: NaiveDate) -> Option<Span> {
    match unit {
        Unit::Day => {
            let day = today.checked_add_signed(TimeDelta::days(i64::from(steps)))?;
            Some((day, day))
        }
        Unit::Week => {
            let weekday = u64::from(today.weekday().num_days_from_monday());
            let monday = today.checked_sub_days(Days::new(weekday))?;
            let first = monday.checked_add_signed(TimeDelta::weeks(i64::from(steps)))?;
            Some((first, first.checked_add_days(Days::new(6))?))
        }
        Unit::Month => {
            let (first, months) = (today.with_day(1)?, Months::new(steps.unsigned_abs()));
            let shifted = if steps < 0 {
                first.checked_sub_months(months)
            } else {
                first.checked_add_months(months)
            };
            whole_month(shifted?)
        }
    }
}

fn find_coming_month(written: &str, today: NaiveDate) -> Option<Span> {
    let mut served = Language::SERVED.into_iter();
    let (year, month) = served.find_map(|lang| forms_of(lang).read_month(written))?;
    let first = NaiveDate::from_ymd_opt(year.unwrap_or(today.year()), month, 1)?;
    let span = whole_month(first)?;
    if year.is_none() && span.1 < today {
        return whole_month(first.with_year(today.year() + 1)?);
    }
    Some(span)
}

fn whole_month(first: NaiveDate) -> Option<Span> {
    Some((first, first.checked_add_months(Months::new(1))?.pred_opt()?))
}
