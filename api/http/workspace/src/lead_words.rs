//! Reads the words in the box of the leads' list: dates, statuses and reasons in every served language, contact data, ids. Words in
//! quotation marks are looked for as they are.

use std::collections::HashMap;

use chrono::NaiveDate;
use domain::lead::LeadStatus;
use http_kit::contract::words::LeadWordsWord;
use projections::lead_board::attention::Attention;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::lead_dates::{list_wordings, read_days, read_move_in};

/// Words of one phrase at most.
const PHRASE_MAX: usize = 4;

/// Meaning of a part of the words.
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
        for phrase in list_wordings(key) {
            phrases.insert(phrase.to_lowercase(), meaning);
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
    let created = read_days(phrase, today).map(|(first, last)| Meaning::Created(first, last));
    created.or_else(|| read_move_in(phrase, today).map(|(first, last)| Meaning::MovesIn(first, last)))
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
    fn dates_are_read_in_every_served_language() {
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
            ("arrives in September 2027", september),
            ("入住2027年09月", september),
            ("moving in 2027年9月", september),
            ("下个月", Meaning::Created(day("2026-12-01"), day("2026-12-31"))),
            (
                "moves in tomorrow",
                Meaning::MovesIn(day("2026-11-27"), day("2026-11-27")),
            ),
            ("9月 入住", september),
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
