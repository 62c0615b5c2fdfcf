//! Lengths of stay: `44 weeks`, `mind. 6 Monate`, `3-12 months`, `unbefristet`, `bis 30.09.2028`.

use domain::typed_number::read_decimal;

use super::words::{fold, read_stay_unit};
use crate::home::{Length, StayUnit};

/// A text read as a length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LengthRead {
    Length(Length),
    /// The last day instead: the text behind `bis`.
    End(String),
    /// Zero of something.
    Zero,
    /// Half months, or other parts of a unit, that are no whole number of a smaller one.
    Parts,
    /// A number, and no unit anywhere.
    NoUnit,
    /// Words that are kept as they are.
    Words,
}

const OPEN_ENDED: &[&str] = &[
    "unbefristet",
    "open ended",
    "openended",
    "indefinite",
    "unlimited",
    "permanent",
    "indefinido",
    "indeterminado",
    "indetermine",
    "indeterminato",
    "a tempo indeterminato",
    "长期",
];
const AT_LEAST: &[&str] = &[
    "mind",
    "mindestens",
    "min",
    "minimum",
    "at least",
    "from",
    "ab",
    "minimo",
    "al menos",
    "au moins",
    "almeno",
    "至少",
];
const AT_MOST: &[&str] = &[
    "max",
    "maximum",
    "maximal",
    "at most",
    "up to",
    "hochstens",
    "maximo",
    "hasta",
    "jusqu a",
    "massimo",
    "最长",
];
const RANGE_LINKS: &[&str] = &["to", "bis", "a", "until", "hasta", "til"];

/// Months of a year.
const YEAR: u64 = 12;

/// Reads a length; `unit` is that of the column, where the text has none of its own. A number with a fraction is read where that is nought,
/// or where years with it are whole months; other parts are refused.
pub(crate) fn read_length(text: &str, unit: Option<StayUnit>) -> LengthRead {
    let folded = fold(text);
    if OPEN_ENDED.contains(&folded.as_str()) {
        return LengthRead::Length(Length::OpenEnded);
    }
    for link in ["bis ", "until ", "till ", "hasta ", "fino al ", "jusqu au "] {
        let starts = text
            .get(..link.len())
            .is_some_and(|begins| begins.eq_ignore_ascii_case(link));
        if starts && text.matches(['.', '-', '/']).count() == 2 {
            return LengthRead::End(text[link.len()..].trim().to_owned());
        }
    }
    let Some(whole) = drop_fractions(text) else {
        return read_years(text, unit);
    };
    let tokens = split_tokens(&fold(&whole));
    let numbers: Vec<u32> = tokens.iter().filter_map(|token| token.parse().ok()).collect();
    let words: Vec<&str> = tokens
        .iter()
        .filter(|token| token.parse::<u32>().is_err())
        .map(String::as_str)
        .collect();
    let unit_words: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| read_stay_unit(word).is_some())
        .collect();
    let written = unit_words.first().and_then(|word| read_stay_unit(word));
    let others: Vec<&str> = words
        .into_iter()
        .filter(|word| !unit_words.contains(word))
        .collect();
    let others = others.join(" ");
    if numbers.contains(&0) {
        return LengthRead::Zero;
    }
    match (&numbers[..], written.or(unit)) {
        (&[_] | &[_, _], None) if others.is_empty() => LengthRead::NoUnit,
        (&[count], Some(unit)) if others.is_empty() => LengthRead::Length(Length::Exactly(count, unit)),
        (&[count], Some(unit)) if AT_LEAST.contains(&others.as_str()) => between(Some((count, unit)), None),
        (&[count], Some(unit)) if AT_MOST.contains(&others.as_str()) => between(None, Some((count, unit))),
        (&[least, most], Some(unit))
            if least < most && (others.is_empty() || RANGE_LINKS.contains(&others.as_str())) =>
        {
            between(Some((least, unit)), Some((most, unit)))
        }
        _ => LengthRead::Words,
    }
}

/// The text without fractions that are nought; `None` where another one stands in it. A day with two points is no number.
fn drop_fractions(text: &str) -> Option<String> {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|letter: char| letter.is_ascii_digit()) {
        whole.push_str(rest.get(..at)?);
        let (number, behind) = cut_number(rest.get(at..)?);
        let mut parts = number.split(['.', ',']);
        // `1.10.` is a day, and `1.000` may be a thousand.
        match (parts.next(), parts.next(), parts.next()) {
            _ if behind.starts_with('.') => whole.push_str(number),
            (Some(units), Some("0" | "00"), None) => whole.push_str(units),
            (Some(_), Some(_), None) => return None,
            _ => whole.push_str(number),
        }
        rest = behind;
    }
    whole.push_str(rest);
    Some(whole)
}

/// The digits at the beginning of a text, with the signs between them, and what stands behind.
fn cut_number(text: &str) -> (&str, &str) {
    let is_sign = |letter: char| letter == '.' || letter == ',';
    let end = text.find(|letter: char| !letter.is_ascii_digit() && !is_sign(letter));
    let (number, _) = text.split_at(end.unwrap_or(text.len()));
    let number = number.trim_end_matches(is_sign);
    text.split_at(number.len())
}

/// `1.5 years`, which are 18 months.
fn read_years(text: &str, unit: Option<StayUnit>) -> LengthRead {
    let (number, words) = cut_number(text.trim());
    let unit = if words.trim().is_empty() {
        unit
    } else {
        read_stay_unit(words)
    };
    let hundredths = read_decimal(number, 2, None).unwrap_or_default();
    let months = hundredths
        .checked_mul(YEAR)
        .filter(|months| months.is_multiple_of(100));
    let months = months.and_then(|months| u32::try_from(months / 100).ok());
    match (unit, months) {
        (Some(StayUnit::Year), Some(months)) if months > 0 => {
            LengthRead::Length(Length::Exactly(months, StayUnit::Month))
        }
        _ => LengthRead::Parts,
    }
}

const fn between(least: Option<(u32, StayUnit)>, most: Option<(u32, StayUnit)>) -> LengthRead {
    LengthRead::Length(Length::Between { least, most })
}

/// Words and numbers of a folded text, also where no space parts them: `44周`.
fn split_tokens(folded: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut before = ' ';
    for letter in folded.chars() {
        if letter != ' ' {
            let goes_on = before != ' ' && before.is_ascii_digit() == letter.is_ascii_digit();
            match tokens.last_mut() {
                Some(token) if goes_on => token.push(letter),
                _ => tokens.push(letter.to_string()),
            }
        }
        before = letter;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_in_their_forms() {
        let (week, month) = (Some(StayUnit::Week), StayUnit::Month);
        let exactly = |count, unit| LengthRead::Length(Length::Exactly(count, unit));
        for (text, unit, length) in [
            ("44", week, exactly(44, StayUnit::Week)),
            ("44 weeks", None, exactly(44, StayUnit::Week)),
            ("12 Months", None, exactly(12, month)),
            ("44周", None, exactly(44, StayUnit::Week)),
            ("6 months", week, exactly(6, month)),
            ("mind. 6 Monate", None, between(Some((6, month)), None)),
            ("max. 12 Monate", None, between(None, Some((12, month)))),
            ("3-12 months", None, between(Some((3, month)), Some((12, month)))),
            (
                "3 to 12 months",
                None,
                between(Some((3, month)), Some((12, month))),
            ),
            ("unbefristet", None, LengthRead::Length(Length::OpenEnded)),
            ("bis 30.09.2028", None, LengthRead::End("30.09.2028".to_owned())),
            ("0", week, LengthRead::Zero),
            ("44", None, LengthRead::NoUnit),
            ("44.0", week, exactly(44, StayUnit::Week)),
            ("10.5 months", None, LengthRead::Parts),
            ("10,5", Some(month), LengthRead::Parts),
            ("5.10 months", None, LengthRead::Parts),
            ("3-4.5 months", None, LengthRead::Parts),
            ("1.5 years", None, exactly(18, month)),
            ("0,5", Some(StayUnit::Year), exactly(6, month)),
            ("1.33 years", None, LengthRead::Parts),
            ("1.000 weeks", None, LengthRead::Parts),
            ("Semester ab 1.10.", None, LengthRead::Words),
            ("44 (approx.)", week, LengthRead::Words),
            ("1 Semester", None, LengthRead::Words),
            ("12-3 months", None, LengthRead::Words),
            ("as you like", None, LengthRead::Words),
        ] {
            assert_eq!(read_length(text, unit), length, "{text}");
        }
    }
}
