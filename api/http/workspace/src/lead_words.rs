//! What the words in the box of the leads' list mean: dates, statuses and reasons in English and Chinese, contact data, ids. Words in
//! quotation marks are looked for as they are.

use std::collections::HashMap;

use chrono::{Datelike as _, Days, Months, NaiveDate};
use domain::calendar;
use domain::language::Language;
use domain::lead::LeadStatus;
use http_kit::contract::words::LeadWordsWord;
use platform::texts::text;
use projections::lead_board::attention::Attention;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// Words of one phrase at most.
const PHRASE_MAX: usize = 4;

/// What a part of the words means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    Status(LeadStatus),
    Attention(Attention),
    /// First and last day on which the enquiry came.
    Created(NaiveDate, NaiveDate),
    /// First and last day of moving in.
    MovesIn(NaiveDate, NaiveDate),
    /// An e-mail address or a phone number.
    Contact,
    Id,
    Words,
}

/// A part of the words as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) written: String,
    pub(crate) meaning: Meaning,
    /// All words without this part.
    pub(crate) without: String,
}

/// All parts, and the words that are left to be looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Understood {
    pub(crate) parts: Vec<Part>,
    pub(crate) rest: String,
}

/// How one part of the words was understood.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnderstoodPart {
    written: String,
    #[schema(value_type = LeadWordsWord)]
    kind: &'static str,
    /// The status or the reason.
    value: Option<&'static str>,
    from: Option<String>,
    to: Option<String>,
    /// The words without this part.
    without: String,
}

impl From<&Part> for UnderstoodPart {
    fn from(part: &Part) -> Self {
        let (kind, value, days) = match part.meaning {
            Meaning::Status(status) => ("status", Some(status.key()), None),
            Meaning::Attention(reason) => ("attention", Some(reason.key()), None),
            Meaning::Created(first, last) => ("created", None, Some((first, last))),
            Meaning::MovesIn(first, last) => ("move_in", None, Some((first, last))),
            Meaning::Contact => ("contact", None, None),
            Meaning::Id => ("id", None, None),
            Meaning::Words => ("words", None, None),
        };
        Self {
            written: part.written.clone(),
            kind,
            value,
            from: days.map(|(first, _)| first.to_string()),
            to: days.map(|(_, last)| last.to_string()),
            without: part.without.clone(),
        }
    }
}

/// Phrases of statuses and reasons in every served language, in small letters.
fn phrases() -> HashMap<String, Meaning> {
    let mut phrases = HashMap::new();
    let mut add = |key: &str, meaning: Meaning| {
        for lang in Language::SERVED {
            for phrase in text(lang, key, &[]).split('|') {
                phrases.insert(phrase.trim().to_lowercase(), meaning);
            }
        }
    };
    for status in LeadStatus::ALL {
        let key = format!("lead_words.status_{}", status.key());
        add(&key, Meaning::Status(status));
    }
    for reason in Attention::ALL {
        let key = format!("lead_words.needs_{}", reason.key());
        add(&key, Meaning::Attention(reason));
    }
    phrases
}

/// What stands before a day, a month or a name of one to speak of moving in.
const MOVES_IN: [&str; 7] = [
    "moves in",
    "moving in",
    "move in",
    "move-in",
    "moves",
    "arrives",
    "入住",
];
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

impl Understood {
    /// Reads the words on a day.
    pub(crate) fn of(words: &str, today: NaiveDate) -> Self {
        let (pieces, phrases) = (pieces(words), phrases());
        let mut parts: Vec<(String, Meaning, usize, usize)> = Vec::new();
        let mut at = 0;
        while at < pieces.len() {
            let (length, meaning) = read(&pieces[at..], &phrases, today);
            let written = pieces[at..at + length].join(" ");
            parts.push((written, meaning, at, length));
            at += length;
        }
        let rest = parts
            .iter()
            .filter(|(_, meaning, ..)| matches!(meaning, Meaning::Contact | Meaning::Id | Meaning::Words))
            .map(|(written, ..)| written.trim_matches('"'))
            .collect::<Vec<_>>()
            .join(" ");
        let parts = parts.into_iter().map(|(written, meaning, at, length)| {
            let others = [&pieces[..at], &pieces[at + length..]].concat();
            Part {
                written,
                meaning,
                without: others.join(" "),
            }
        });
        Self {
            parts: parts.collect(),
            rest,
        }
    }

    /// The words that may be of a person: what is no status, no reason and no date.
    pub(crate) fn has_free_words(&self) -> bool {
        !self.rest.is_empty()
    }
}

/// Words between blanks; what stands in quotation marks is one.
fn pieces(words: &str) -> Vec<String> {
    let words = words.replace(['“', '”'], "\"");
    let mut pieces = Vec::new();
    for (number, stretch) in words.split('"').enumerate() {
        if number % 2 == 1 && !stretch.trim().is_empty() {
            pieces.push(format!("\"{}\"", stretch.trim()));
        } else {
            pieces.extend(stretch.split_whitespace().map(str::to_owned));
        }
    }
    pieces
}

/// What the first words mean, and how many they are.
fn read(pieces: &[String], phrases: &HashMap<String, Meaning>, today: NaiveDate) -> (usize, Meaning) {
    for length in (1..=PHRASE_MAX.min(pieces.len())).rev() {
        let phrase = pieces[..length].join(" ").to_lowercase();
        let meaning = phrases.get(&phrase).copied();
        if let Some(meaning) = meaning.or_else(|| meaning_of(&phrase, today)) {
            return (length, meaning);
        }
    }
    // A phone number is written with blanks.
    let digits = |piece: &&String| piece.chars().all(|c| c.is_ascii_digit() || "+-().".contains(c));
    let length = pieces.iter().take_while(digits).count();
    let count = pieces[..length].iter().flat_map(|piece| piece.chars());
    if count.filter(char::is_ascii_digit).count() >= 4 {
        return (length, Meaning::Contact);
    }
    (1, single(&pieces[0]))
}

fn single(piece: &str) -> Meaning {
    let small = piece.to_lowercase();
    let prefixes = ["l-", "p-", "pi_", "ch_", "re_", "du_", "dp_", "py_"];
    if piece.contains('@') {
        Meaning::Contact
    } else if Uuid::parse_str(piece).is_ok() || prefixes.iter().any(|prefix| small.starts_with(prefix)) {
        Meaning::Id
    } else {
        Meaning::Words
    }
}

fn meaning_of(phrase: &str, today: NaiveDate) -> Option<Meaning> {
    if let Some((first, last)) = days(phrase, today) {
        return Some(Meaning::Created(first, last));
    }
    let wanted = MOVES_IN.iter().find_map(|words| {
        let after = phrase
            .strip_prefix(words)
            .or_else(|| phrase.strip_suffix(words).filter(|_| !words.is_ascii()))?;
        let after = after.trim();
        Some(after.strip_prefix("in ").unwrap_or(after))
    })?;
    let (first, last) = days(wanted, today).or_else(|| coming_month(wanted, today))?;
    Some(Meaning::MovesIn(first, last))
}

/// A day, a week or a month that is named as such.
fn days(phrase: &str, today: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
    let monday = today.checked_sub_days(Days::new(u64::from(today.weekday().num_days_from_monday())))?;
    let first = today.with_day(1)?;
    let week = |monday: NaiveDate| Some((monday, monday.checked_add_days(Days::new(6))?));
    match phrase {
        "today" | "今天" | "今日" => Some((today, today)),
        "yesterday" | "昨天" | "昨日" => {
            let day = today.pred_opt()?;
            Some((day, day))
        }
        "tomorrow" | "明天" => {
            let day = today.succ_opt()?;
            Some((day, day))
        }
        "this week" | "本周" | "这周" => week(monday),
        "last week" | "上周" => week(monday.checked_sub_days(Days::new(7))?),
        "next week" | "下周" => week(monday.checked_add_days(Days::new(7))?),
        "this month" | "本月" | "这个月" => month(first),
        "last month" | "上月" | "上个月" => month(first.checked_sub_months(Months::new(1))?),
        "next month" | "下月" | "下个月" => month(first.checked_add_months(Months::new(1))?),
        _ => match calendar::read_day(phrase) {
            Some(day) => Some((day, day)),
            None => month(calendar::read_month(phrase)?),
        },
    }
}

fn month(first: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
    Some((first, first.checked_add_months(Months::new(1))?.pred_opt()?))
}

/// `september`, `sep 2027`, `9月`, `2027年9月`: without a year, the next one that is not over.
fn coming_month(phrase: &str, today: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
    let (year, name) = match phrase.split_once('年') {
        Some((year, rest)) => (Some(year.parse::<i32>().ok()?), rest),
        None => match phrase.split_once(' ') {
            Some((name, year)) => (Some(year.parse::<i32>().ok()?), name),
            None => (None, phrase),
        },
    };
    let number = if let Some(number) = name.strip_suffix('月') {
        number.parse::<u32>().ok()?
    } else {
        let at = MONTHS
            .iter()
            .position(|month| *month == name || (name.len() == 3 && month.starts_with(name)))?;
        u32::try_from(at).ok()? + 1
    };
    let first = NaiveDate::from_ymd_opt(year.unwrap_or(today.year()), number, 1)?;
    let span = month(first)?;
    if year.is_none() && span.1 < today {
        return month(first.with_year(today.year() + 1)?);
    }
    Some(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn meanings(words: &str) -> Vec<Meaning> {
        let understood = Understood::of(words, day("2026-11-26"));
        understood.parts.into_iter().map(|part| part.meaning).collect()
    }

    #[test]
    fn dates_are_read_in_both_languages() {
        let november = Meaning::Created(day("2026-11-01"), day("2026-11-30"));
        let september = Meaning::MovesIn(day("2027-09-01"), day("2027-09-30"));
        let last_week = Meaning::Created(day("2026-11-16"), day("2026-11-22"));
        for (words, meaning) in [
            ("today", Meaning::Created(day("2026-11-26"), day("2026-11-26"))),
            ("昨天", Meaning::Created(day("2026-11-25"), day("2026-11-25"))),
            ("last week", last_week),
            ("上周", last_week),
            ("2026-11", november),
            ("moves in September", september),
            ("moves in sep 2027", september),
            ("9月入住", september),
            ("2027年9月入住", september),
            ("move in 2027-09", september),
        ] {
            assert_eq!(meanings(words), [meaning], "{words}");
        }
        for words in ["2026-9-11", "2026-9", "+2026-9-11", "+2026-9"] {
            assert_eq!(meanings(words), [Meaning::Contact], "{words}");
        }
    }

    #[test]
    fn statuses_reasons_and_ids_are_read_and_can_be_removed() {
        let booked = Meaning::Status(LeadStatus::Booked);
        let understood = Understood::of(
            "mei booked 已预订 “lost” pi_3abc +44 7700 900123",
            day("2026-11-26"),
        );
        let read: Vec<Meaning> = understood.parts.iter().map(|part| part.meaning).collect();
        assert_eq!(
            read,
            [
                Meaning::Words,
                booked,
                booked,
                Meaning::Words,
                Meaning::Id,
                Meaning::Contact
            ]
        );
        assert_eq!(understood.rest, "mei lost pi_3abc +44 7700 900123");
        assert_eq!(
            understood.parts[1].without,
            "mei 已预订 \"lost\" pi_3abc +44 7700 900123"
        );
        assert_eq!(
            meanings("hold ending"),
            [Meaning::Attention(Attention::HoldEnding)]
        );
    }
}
