//! Numbers as people type them and feeds write them: `1,250.50`, `1.250,50`, `1 250,5`. What can be read in two ways is refused, never
//! guessed, and no sign is dropped to make a number of the rest (decision 0033). `web/src/typedNumber.ts` is the same reader in the
//! browser; `domain/cases/typed_numbers.json` holds the cases that both are tested with.

use serde::{Deserialize, Serialize};

use crate::money::Currency;

/// Signs of currencies that an amount may carry; `$` is the sign of several.
const SIGNS: [char; 6] = ['£', '€', '$', '₹', '₩', '¥'];
/// Stands for every kind of space and apostrophe between thousands.
const GAP: char = ' ';

/// The sign before decimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DecimalSign {
    #[serde(rename = ".")]
    Point,
    #[serde(rename = ",")]
    Comma,
}

impl DecimalSign {
    const fn sign(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }
}

/// Why a number is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberDoubt {
    NoNumber,
    /// `1.250` is 1,250 or 1.25.
    TwoWays,
    /// More digits after the decimal sign than there can be.
    TooFine,
    /// The sign of another currency.
    OtherSign,
}

/// What an amount is counted in: a currency of the marketplace, or another one of a bank's account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit<'a> {
    pub code: &'a str,
    /// Digits after the decimal sign.
    pub decimals: u32,
}

impl From<Currency> for Unit<'static> {
    fn from(currency: Currency) -> Self {
        Self {
            code: currency.code(),
            decimals: currency.decimals(),
        }
    }
}

/// An amount in the minor units of what it is counted in, exactly. It may carry its own sign or code. `decimal` is the decimal sign where
/// the file's map names it.
///
/// # Errors
/// The fault of a typed number.
pub fn read_amount<'a>(
    text: &str,
    unit: impl Into<Unit<'a>>,
    decimal: Option<DecimalSign>,
) -> Result<u64, NumberDoubt> {
    let (text, unit) = (narrow(text), unit.into());
    let (before, digits, after) = split_affixes(&text)?;
    for affix in [before, after] {
        check_affix(affix, unit)?;
    }
    read_scaled(digits, unit.decimals, decimal)
}

/// A number with at most so many digits after its decimal sign, as a whole number of its smallest steps: `12.5` is 1,250 with two.
///
/// # Errors
/// What is wrong with it.
pub fn read_decimal(text: &str, decimals: u32, decimal: Option<DecimalSign>) -> Result<u64, NumberDoubt> {
    let text = narrow(text);
    match split_affixes(&text)? {
        ("", digits, "") => read_scaled(digits, decimals, decimal),
        _ => Err(NumberDoubt::NoNumber),
    }
}

/// A whole number: a sign before three digits can only be between thousands.
///
/// # Errors
/// What is wrong with it.
pub fn read_count(text: &str) -> Result<u64, NumberDoubt> {
    read_decimal(text, 0, None)
}

/// Digits after the decimal sign of an amount of which only whole units are asked for.
const HUNDREDTHS: u32 = 2;

/// An amount of which only whole units of a currency are asked for: `1.250` is doubted as any other amount is.
///
/// # Errors
/// What is wrong with it.
pub fn read_whole_amount(text: &str) -> Result<u64, NumberDoubt> {
    let hundredths = read_decimal(text, HUNDREDTHS, None)?;
    if hundredths.is_multiple_of(100) {
        Ok(hundredths / 100)
    } else {
        Err(NumberDoubt::TooFine)
    }
}

/// Each reading of a doubted amount as one types it without doubt: `1250` and `1.25` of `1.250`. A reading with more digits after its
/// decimal sign than there can be is left out; a text that is not read in two ways has none.
pub fn spell_readings(text: &str) -> Vec<String> {
    let text = narrow(text);
    let Ok((_, digits, _)) = split_affixes(&text) else {
        return Vec::new();
    };
    if find_decimal_sign(digits, HUNDREDTHS) != Err(NumberDoubt::TwoWays) {
        return Vec::new();
    }
    let readings = [digits.replace(['.', ','], ""), digits.replace(',', ".")];
    let read = |reading: &String| read_scaled(reading, HUNDREDTHS, Some(DecimalSign::Point)).ok();
    let numbers = readings.iter().filter_map(read);
    numbers.map(|number| spell_number(number, HUNDREDTHS)).collect()
}

/// A number of smallest steps as one types it so that it is read in one way alone: `1250`, `2.50`, `12.3450` with three decimals.
fn spell_number(number: u64, decimals: u32) -> String {
    let decimals = decimals as usize;
    let digits = format!("{number:0>width$}", width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() {
        return whole.to_owned();
    }
    let mut fraction = format!("{fraction:0<width$}", width = decimals.min(2));
    if is_in_thousands(whole, &fraction) {
        fraction.push('0');
    }
    format!("{whole}.{fraction}")
}

/// The text with its wide digits and signs, as Chinese and Japanese keyboards write them, in the usual ones.
fn narrow(text: &str) -> String {
    let usual = |letter: char| match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter),
        '\u{3000}' => GAP,
        '￡' => '£',
        '￥' => '¥',
        '￦' => '₩',
        letter => letter,
    };
    text.chars().map(usual).collect()
}

/// What stands before the first digit, from it to the last digit, and after it.
fn split_affixes(text: &str) -> Result<(&str, &str, &str), NumberDoubt> {
    let first = text.find(|letter: char| letter.is_ascii_digit());
    let last = text.rfind(|letter: char| letter.is_ascii_digit());
    let (Some(first), Some(last)) = (first, last) else {
        return Err(NumberDoubt::NoNumber);
    };
    let end = last + 1;
    Ok((text[..first].trim(), &text[first..end], text[end..].trim()))
}

fn check_affix(affix: &str, unit: Unit<'_>) -> Result<(), NumberDoubt> {
    let known = Currency::from_code(unit.code);
    let is_dollar = matches!(
        known,
        Some(Currency::Usd | Currency::Cad | Currency::Aud | Currency::Sgd | Currency::Nzd)
    );
    if affix.is_empty()
        || known.is_some_and(|known| affix == known.symbol())
        || affix.eq_ignore_ascii_case(unit.code)
        || (affix == "$" && is_dollar)
    {
        Ok(())
    } else if affix.contains(SIGNS) || Currency::from_code(affix).is_some() {
        Err(NumberDoubt::OtherSign)
    } else {
        Err(NumberDoubt::NoNumber)
    }
}

fn read_scaled(digits: &str, decimals: u32, decimal: Option<DecimalSign>) -> Result<u64, NumberDoubt> {
    let (whole, fraction) = split_at_decimal(digits, decimals, decimal)?;
    let fraction = fraction.trim_end_matches('0');
    let decimals = decimals as usize;
    if fraction.len() > decimals {
        return Err(NumberDoubt::TooFine);
    }
    format!("{whole}{fraction:0<decimals$}")
        .parse()
        .map_err(|_| NumberDoubt::NoNumber)
}

/// The digits before and after the decimal sign.
fn split_at_decimal(
    body: &str,
    decimals: u32,
    decimal: Option<DecimalSign>,
) -> Result<(String, &str), NumberDoubt> {
    let sign = match decimal {
        Some(decimal) => Some(decimal.sign()),
        None => find_decimal_sign(body, decimals)?,
    };
    let (whole, fraction) = match sign.and_then(|sign| body.split_once(sign)) {
        Some(parts) => parts,
        None => (body, ""),
    };
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberDoubt::NoNumber);
    }
    Ok((join_groups(whole).ok_or(NumberDoubt::NoNumber)?, fraction))
}

/// The decimal sign of a number that no map explains; none where all signs stand between thousands.
fn find_decimal_sign(body: &str, decimals: u32) -> Result<Option<char>, NumberDoubt> {
    let count = |sign: char| body.matches(sign).count();
    let last = body.rfind(['.', ',']).and_then(|at| body[at..].chars().next());
    let Some(last) = last else {
        return Ok(None);
    };
    match (count('.'), count(',')) {
        (0, 1) | (1, 0) => {
            let (whole, fraction) = body.split_once(last).unwrap_or((body, ""));
            match (is_in_thousands(whole, fraction), decimals) {
                (false, _) => Ok(Some(last)),
                (true, 0) => Ok(None),
                (true, _) => Err(NumberDoubt::TwoWays),
            }
        }
        (0, _) | (_, 0) => Ok(None),
        _ if count(last) == 1 => Ok(Some(last)),
        _ => Err(NumberDoubt::NoNumber),
    }
}

/// Whether a sign between them could be one between thousands.
fn is_in_thousands(whole: &str, fraction: &str) -> bool {
    fraction.len() == 3
        && whole.len() <= 3
        && !whole.starts_with('0')
        && whole.bytes().all(|byte| byte.is_ascii_digit())
}

/// The digits of `1,250,000`, of `1 250 000` and of India's `12,50,000`; nothing for other groups.
fn join_groups(whole: &str) -> Option<String> {
    let whole: String = whole
        .chars()
        .map(|letter| match letter {
            '\u{a0}' | '\u{2009}' | '\u{202f}' | '\'' | '’' => GAP,
            letter => letter,
        })
        .collect();
    let mark = whole.chars().find(|letter| !letter.is_ascii_digit());
    let groups: Vec<&str> = match mark {
        Some(mark @ ('.' | ',' | GAP)) => whole.split(mark).collect(),
        Some(_) => return None,
        None => vec![whole.as_str()],
    };
    let digits = |group: &&str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    let (first, rest) = groups.split_first()?;
    let well_formed = match rest.split_last() {
        None => true,
        Some((last, between)) => {
            let of = |size: usize, most: usize| {
                first.len() <= most && between.iter().all(|group| group.len() == size)
            };
            last.len() == 3 && (of(3, 3) || of(2, 2))
        }
    };
    (groups.iter().all(digits) && well_formed).then(|| groups.concat())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    /// The number that is read, or the doubt.
    #[derive(Debug, PartialEq, Eq, Deserialize)]
    #[serde(untagged)]
    enum Expected {
        Number(u64),
        Doubt(String),
    }

    #[derive(Deserialize)]
    struct Cases {
        /// Code, decimals, symbol.
        currencies: Vec<(String, u32, String)>,
        /// Decimals of all currencies that have not two.
        other_decimals: BTreeMap<String, u32>,
        amounts: Vec<(String, String, Expected)>,
        counts: Vec<(String, Expected)>,
        /// Amounts of which only whole units are asked for.
        whole_amounts: Vec<(String, Expected)>,
        /// A doubted amount of two decimals and each of its readings.
        doubted: Vec<(String, Vec<String>)>,
        /// An amount in minor units and the text that is read as this amount alone.
        spelled: Vec<(String, u64, String)>,
    }

    fn load_cases() -> Cases {
        serde_json::from_str(include_str!("../cases/typed_numbers.json")).unwrap()
    }

    fn as_expected(read: Result<u64, NumberDoubt>) -> Expected {
        match read {
            Ok(number) => Expected::Number(number),
            Err(NumberDoubt::NoNumber) => Expected::Doubt("no_number".to_owned()),
            Err(NumberDoubt::TwoWays) => Expected::Doubt("two_ways".to_owned()),
            Err(NumberDoubt::TooFine) => Expected::Doubt("too_fine".to_owned()),
            Err(NumberDoubt::OtherSign) => Expected::Doubt("other_sign".to_owned()),
        }
    }

    #[test]
    fn cases_shared_with_the_browser_are_read_as_they_say() {
        let cases = load_cases();
        assert!(cases.amounts.len() > 60 && cases.counts.len() > 12);
        for (code, text, expected) in cases.amounts {
            let currency = Currency::from_code(&code).unwrap();
            assert_eq!(
                as_expected(read_amount(&text, currency, None)),
                expected,
                "{code} {text}"
            );
        }
        for (text, expected) in cases.counts {
            assert_eq!(as_expected(read_count(&text)), expected, "{text}");
        }
        for (text, expected) in cases.whole_amounts {
            assert_eq!(as_expected(read_whole_amount(&text)), expected, "{text}");
        }
        for (text, readings) in cases.doubted {
            assert_eq!(spell_readings(&text), readings, "{text}");
        }
        for (code, minor, text) in cases.spelled {
            let currency = Currency::from_code(&code).unwrap();
            assert_eq!(read_amount(&text, currency, None), Ok(minor), "{code} {text}");
            assert_eq!(spell_number(minor, currency.decimals()), text, "{code}");
        }
    }

    #[test]
    fn currencies_of_the_cases_are_those_with_a_sign_of_their_own() {
        let named = load_cases().currencies;
        let spell = |one: &Currency| (one.code().to_owned(), one.decimals(), one.symbol().to_owned());
        let own: Vec<_> = Currency::ALL[..named.len()].iter().map(spell).collect();
        assert_eq!(named, own);
        // The browser takes the code for the sign of any other.
        for other in &Currency::ALL[named.len()..] {
            assert_eq!(other.symbol(), other.code());
        }
    }

    #[test]
    fn decimals_of_the_cases_are_those_of_all_currencies() {
        let others = Currency::ALL.iter().filter(|one| one.decimals() != 2);
        let others: BTreeMap<_, _> = others
            .map(|one| (one.code().to_owned(), one.decimals()))
            .collect();
        assert_eq!(load_cases().other_decimals, others);
    }

    #[test]
    fn a_named_decimal_sign_decides_between_two_readings() {
        let read = |text: &str, decimal| read_amount(text, Currency::Gbp, Some(decimal));
        assert_eq!(read("1,250", DecimalSign::Point), Ok(125_000));
        assert_eq!(read("1.250", DecimalSign::Comma), Ok(125_000));
        assert_eq!(read("50.000", DecimalSign::Point), Ok(5_000));
        assert_eq!(read("450,00", DecimalSign::Point), Err(NumberDoubt::NoNumber));
        assert_eq!(read("450.00", DecimalSign::Comma), Err(NumberDoubt::NoNumber));
    }
}
