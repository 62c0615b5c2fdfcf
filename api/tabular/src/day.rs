//! Days in the forms in which banks and spreadsheets write them: `2026-11-28`, `28.11.2026`, `28/11/26`, `28 Nov 2026`, `20261128`.

use chrono::{Datelike as _, NaiveDate};

/// Which number comes first in a day that is written in numbers with slashes or dashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayOrder {
    DayFirst,
    MonthFirst,
    /// Of years with two digits: those with four show themselves.
    YearFirst,
}

impl DayOrder {
    pub const ALL: [Self; 3] = [Self::DayFirst, Self::MonthFirst, Self::YearFirst];
}

/// Months by how their names begin, in the languages of the banks that pay out.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene", "gen", "sty"],
    &["feb", "fév", "fev", "lut"],
    &["mar", "mär", "mrz", "mrt", "maa"],
    &["apr", "avr", "abr", "kwi"],
    &["may", "mai", "mei", "maj", "mag"],
    &["jun", "juin", "giu", "cze"],
    &["jul", "juil", "lug", "lip"],
    &["aug", "aoû", "aou", "ago", "sie"],
    &["sep", "set", "wrz"],
    &["oct", "okt", "out", "ott", "paź"],
    &["nov", "lis"],
    &["dec", "dez", "déc", "dic", "gru"],
];
/// Years that a statement may be of: eight digits without signs are read with it.
const YEARS: std::ops::Range<i32> = 1990..2100;
/// A year of two digits is not after the year of `today` plus this.
const YEARS_AHEAD: i32 = 1;
/// A year of two digits is not older than this.
const YEARS_BACK: i32 = 10;

/// A day as it is read in one order; `None` for what is no day in it. A time behind the day is left out. `today` decides which years
/// of two digits there can be.
pub fn read_day(text: &str, order: DayOrder, today: NaiveDate) -> Option<NaiveDate> {
    let text = without_time(text.trim());
    if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return read_eight_digits(text);
    }
    if text.contains(['年', '년']) {
        return read_named_numbers(text);
    }
    let parts: Vec<&str> = text
        .split(|sign: char| !sign.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .collect();
    let [first, second, third] = parts[..] else {
        return read_around_letters(text);
    };
    let is_word = |part: &str| part.chars().all(char::is_alphabetic);
    if is_word(second) {
        return build_date(
            read_year(third, today)?,
            read_month(second)?,
            read_number(first, 2)?,
        );
    }
    if is_word(first) {
        return build_date(
            read_year(third, today)?,
            read_month(first)?,
            read_number(second, 2)?,
        );
    }
    if first.len() == 4 {
        return build_date(
            read_number(first, 4)?.cast_signed(),
            read_number(second, 2)?,
            read_number(third, 2)?,
        );
    }
    // Points stand in the order of Europe alone.
    let order = if text.contains('.') {
        DayOrder::DayFirst
    } else {
        order
    };
    match order {
        DayOrder::DayFirst => build_date(
            read_year(third, today)?,
            read_number(second, 2)?,
            read_number(first, 2)?,
        ),
        DayOrder::MonthFirst => build_date(
            read_year(third, today)?,
            read_number(first, 2)?,
            read_number(second, 2)?,
        ),
        DayOrder::YearFirst if third.len() <= 2 => build_date(
            read_year(first, today)?,
            read_number(second, 2)?,
            read_number(third, 2)?,
        ),
        // Four digits of a year at the end show themselves; between day and month nothing is said.
        DayOrder::YearFirst => None,
    }
}

/// How often each order reads a column of days, and whether the orders that read all agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Every order that reads all of them reads the same days.
    Order(DayOrder),
    /// Two orders read all of them, and differently.
    TwoWays,
    /// One order reads some of them and another one the others.
    Mixed,
}

/// The order in which a column of days is written. Texts that are a day in no order do not count.
pub fn find_order<'a>(texts: impl Iterator<Item = &'a str>, today: NaiveDate) -> Column {
    let readings: Vec<[Option<NaiveDate>; 3]> = texts
        .map(|text| DayOrder::ALL.map(|order| read_day(text, order, today)))
        .filter(|readings| readings.iter().any(Option::is_some))
        .collect();
    let reads_all = |place: &usize| readings.iter().all(|reading| reading[*place].is_some());
    let fitting: Vec<usize> = (0..DayOrder::ALL.len()).filter(reads_all).collect();
    let Some((first, others)) = fitting.split_first() else {
        return Column::Mixed;
    };
    let is_same = |other: &usize| readings.iter().all(|reading| reading[*first] == reading[*other]);
    if others.iter().all(is_same) {
        Column::Order(DayOrder::ALL[*first])
    } else {
        Column::TwoWays
    }
}

/// The part before a time: `2026-11-28T10:15:00+01:00`, `28/11/2026 10:15`.
fn without_time(text: &str) -> &str {
    let Some(colon) = text.find(':') else {
        // `20261128101500`: a day and a time in digits alone.
        let is_digits = text.len() == 14 && text.bytes().all(|byte| byte.is_ascii_digit());
        return if is_digits { &text[..8] } else { text };
    };
    let before = &text[..colon];
    let end = before.rfind([' ', 'T', ',']).unwrap_or(0);
    before[..end].trim_end_matches([' ', ','])
}

/// `20261128`, or `28112026` where that is no day with its year in front.
fn read_eight_digits(text: &str) -> Option<NaiveDate> {
    let year_first = build_date(
        read_number(&text[..4], 4)?.cast_signed(),
        read_number(&text[4..6], 2)?,
        read_number(&text[6..], 2)?,
    );
    let year_last = build_date(
        read_number(&text[4..], 4)?.cast_signed(),
        read_number(&text[2..4], 2)?,
        read_number(&text[..2], 2)?,
    );
    let is_likely = |day: &NaiveDate| YEARS.contains(&day.year());
    match (year_first.filter(is_likely), year_last.filter(is_likely)) {
        (Some(day), None) | (None, Some(day)) => Some(day),
        (None, None) | (Some(_), Some(_)) => None,
    }
}

/// `2026年11月28日`, `2026년 11월 28일`: signs name the numbers.
fn read_named_numbers(text: &str) -> Option<NaiveDate> {
    let (year, rest) = text.split_once(['年', '년'])?;
    let (month, rest) = rest.split_once(['月', '월'])?;
    let day = rest.trim().trim_end_matches(['日', '일']);
    build_date(
        read_number(year.trim(), 4)?.cast_signed(),
        read_number(month.trim(), 2)?,
        read_number(day, 2)?,
    )
}

/// `28Nov2026`: letters part the numbers.
fn read_around_letters(text: &str) -> Option<NaiveDate> {
    let from = text.find(char::is_alphabetic)?;
    let to = from + text[from..].find(|sign: char| !sign.is_alphabetic())?;
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(&text[..from]) && is_number(&text[to..])).then(|| {
        build_date(
            read_number(&text[to..], 4)?.cast_signed(),
            read_month(&text[from..to])?,
            read_number(&text[..from], 2)?,
        )
    })?
}

fn build_date(year: i32, month: u32, day: u32) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(year, month, day).filter(|day| day.year() >= 1900)
}

fn read_number(text: &str, digits_max: usize) -> Option<u32> {
    let is_number = text.len() <= digits_max && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

/// A year of four digits; one of two where it is near `today`.
fn read_year(text: &str, today: NaiveDate) -> Option<i32> {
    let year = read_number(text, 4)?.cast_signed();
    match text.len() {
        4 => Some(year),
        2 => Some(2000 + year)
            .filter(|year| (today.year() - YEARS_BACK..=today.year() + YEARS_AHEAD).contains(year)),
        _ => None,
    }
}

fn read_month(word: &str) -> Option<u32> {
    let word = word.to_lowercase();
    let begins = |names: &&[&str]| names.iter().any(|name| word.starts_with(name));
    let place = MONTHS.iter().position(begins)?;
    u32::try_from(place + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn usual_forms_are_days() {
        let today = day("2026-11-28");
        for text in [
            "2026-11-28",
            "2026/11/28",
            "2026.11.28",
            "2026. 11. 28.",
            "2026-11-28T23:15:00+01:00",
            "2026-11-28 10:15",
            "28.11.2026",
            "28.11.26",
            "28/11/2026",
            "28/11/2026 10:15:00",
            "28-11-26",
            "28 Nov 2026",
            "28-NOV-26",
            "28. November 2026",
            "28Nov2026",
            "Nov 28, 2026",
            "28 novembre 2026",
            "28 listopada 2026",
            "20261128",
            "20261128101500",
            "28112026",
            "2026年11月28日",
            "2026년 11월 28일",
        ] {
            assert_eq!(read_day(text, DayOrder::DayFirst, today), Some(today), "{text}");
        }
        for text in [
            "",
            "31.11.2026",
            "28.11.",
            "Total",
            "2026-11",
            "1036.27",
            "261128",
            "28/13/2026",
            "5",
            "1-2-3-4",
        ] {
            for order in DayOrder::ALL {
                assert_eq!(read_day(text, order, today), None, "{text}");
            }
        }
    }

    #[test]
    fn order_follows_from_the_whole_column_or_from_nothing() {
        let today = day("2026-11-28");
        let order = |texts: &[&str]| find_order(texts.iter().copied(), today);
        assert_eq!(
            order(&["01/02/2026", "13/02/2026"]),
            Column::Order(DayOrder::DayFirst)
        );
        assert_eq!(
            order(&["01/02/2026", "02/13/2026"]),
            Column::Order(DayOrder::MonthFirst)
        );
        assert_eq!(order(&["01/02/2026"]), Column::TwoWays);
        assert_eq!(order(&["11/11/2026"]), Column::Order(DayOrder::DayFirst));
        assert_eq!(order(&["13/02/2026", "02/13/2026"]), Column::Mixed);
        assert_eq!(order(&["2026-02-01", "total"]), Column::Order(DayOrder::DayFirst));
        assert_eq!(order(&["26-11-28"]), Column::Order(DayOrder::YearFirst));
        assert_eq!(order(&["20/11/26"]), Column::TwoWays);
        assert_eq!(order(&["01.02.2026"]), Column::Order(DayOrder::DayFirst));
    }
}
