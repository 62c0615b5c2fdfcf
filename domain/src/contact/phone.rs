//! Phone numbers in one form, however they are written (D66).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{FaultCode, digits, is_unseen};

/// A phone number in E.164 with the country code that the person chose (D66).
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Phone {
    /// `+447700900123`
    e164: String,
    country_code: u16,
}

impl Phone {
    /// Reads `+<code><number>` or `00<code><number>` in the digits of any script; spaces, dashes, slashes, brackets, `tel:` and what
    /// pasting brings along (direction marks, full-width signs) are skipped. What is dialled within the country alone is dropped: a
    /// trunk zero, Russia's 8, Mexico's former 1. A number of twelve digits or more without a plus is read as if it had one, and a
    /// country code written twice is taken once.
    ///
    /// # Errors
    /// Without a country code, or with a number that does not exist under it.
    pub fn parse(text: &str) -> Result<Self, FaultCode> {
        let plain = plain(text);
        let trimmed = plain.trim();
        let trimmed = match trimmed.get(..4) {
            Some(scheme) if scheme.eq_ignore_ascii_case("tel:") => trimmed[4..].trim_start(),
            _ => trimmed,
        };
        if trimmed.is_empty() || trimmed == "+" {
            return Err(FaultCode::Required);
        }
        if trimmed.chars().count() > 32
            || trimmed
                .chars()
                .any(|c| !c.is_ascii_digit() && !"+ -()./".contains(c))
        {
            return Err(FaultCode::PhoneNumber);
        }
        let digits: String = trimmed.chars().filter(char::is_ascii_digit).collect();
        let digits = match digits.strip_prefix("00") {
            _ if trimmed.starts_with('+') => digits.as_str(),
            Some(rest) => rest,
            None if !digits.starts_with('0') && digits.len() >= WITH_CODE_MIN => digits.as_str(),
            None => return Err(FaultCode::PhoneCode),
        };
        let country_code = country_code_of(digits).ok_or(FaultCode::PhoneCode)?;
        let code = country_code.to_string();
        let typed = digits.strip_prefix(&code).unwrap_or(digits);
        let twice = typed.strip_prefix(&code);
        let candidates = [Some(typed), twice].into_iter().flatten();
        let mut existing = candidates.filter_map(|typed| national(country_code, typed));
        let national = existing.next().ok_or(FaultCode::PhoneNumber)?;
        Ok(Self {
            e164: format!("+{country_code}{national}"),
            country_code,
        })
    }

    /// `+447700900123`
    pub fn e164(&self) -> &str {
        &self.e164
    }

    /// `+44`
    pub fn country_code(&self) -> String {
        format!("+{}", self.country_code)
    }

    /// The digits after the country code.
    pub fn national(&self) -> &str {
        self.e164.get(self.country_code().len()..).unwrap_or_default()
    }

    /// `+44 7•••123`
    pub fn masked(&self) -> String {
        let national = self.national();
        let first = national.chars().next().unwrap_or('•');
        let end: String = national
            .chars()
            .skip(national.chars().count().saturating_sub(3))
            .collect();
        format!("{} {first}•••{end}", self.country_code())
    }
}

/// Fewer digits without a plus may be a national number of another country.
const WITH_CODE_MIN: usize = 12;

/// The text with plain digits and signs, without what is not seen.
fn plain(text: &str) -> String {
    let sign = |c: char| match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}' | '\u{30FC}' => '-',
        '\u{FF0B}' | '\u{FE62}' => '+',
        '\u{FF08}' => '(',
        '\u{FF09}' => ')',
        '\u{FF0E}' => '.',
        '\u{FF0F}' => '/',
        c if c.is_whitespace() => ' ',
        c => c,
    };
    let seen = text.chars().filter(|c| !is_unseen(*c));
    seen.map(|c| sign(digits::plain(c))).collect()
}

/// The country code that the digits begin with; no code begins with another.
fn country_code_of(digits: &str) -> Option<u16> {
    let codes = (1..=3).filter_map(|length| digits.get(..length)?.parse::<u16>().ok());
    let mut codes = codes.filter(|_| !digits.starts_with('0'));
    codes.find(|code| phonenumber::metadata::DATABASE.by_code(code).is_some())
}

/// The country code whose mobile numbers were dialled with a 1 before them from abroad until 2019.
const MEXICO: u16 = 52;
/// The country code of North America, whose area and exchange codes begin with 2 to 9.
const NORTH_AMERICA: u16 = 1;

/// The national number without what is dialled before it; `None` where no such number exists.
fn national(country_code: u16, typed: &str) -> Option<&str> {
    let regions = phonenumber::metadata::DATABASE
        .by_code(&country_code)
        .unwrap_or_default();
    let prefixes = || regions.iter().filter_map(|region| region.national_prefix());
    let without = typed.strip_prefix('0');
    let forms = if country_code == MEXICO {
        [
            typed.strip_prefix('1').filter(|digits| digits.len() == 10),
            Some(typed),
            without,
        ]
    } else if prefixes().any(|prefix| prefix == "0") {
        [Some(without.unwrap_or(typed)), without.and(Some(typed)), None]
    } else {
        let trunk = prefixes().find_map(|prefix| typed.strip_prefix(prefix));
        [Some(typed), trunk, without]
    };
    let mut forms = forms.into_iter().flatten();
    forms.find(|digits| length_exists(country_code, digits.len()) && begins_as_dialled(country_code, digits))
}

/// North America's numbers are NXX NXX XXXX, N from 2 to 9 and neither part a service code such as 911: a rule of its plan that no
/// new range changes.
fn begins_as_dialled(country_code: u16, digits: &str) -> bool {
    let dialled = |part: &str| part.as_bytes().first() >= Some(&b'2') && !part.ends_with("11");
    country_code != NORTH_AMERICA
        || [digits.get(..3), digits.get(3..6)]
            .into_iter()
            .all(|part| part.is_some_and(dialled))
}

/// Whether numbers of this length exist under the country code. Stricter checks against allotted ranges go stale and
/// turn away people whose number is newer than the table.
fn length_exists(country_code: u16, digits: usize) -> bool {
    let regions = phonenumber::metadata::DATABASE
        .by_code(&country_code)
        .unwrap_or_default();
    regions.iter().any(|region| {
        let kinds = region.descriptors();
        [
            kinds.fixed_line(),
            kinds.mobile(),
            kinds.voip(),
            kinds.personal_number(),
            Some(kinds.general()),
        ]
        .into_iter()
        .flatten()
        .any(|kind| {
            kind.possible_length()
                .iter()
                .any(|length| usize::from(*length) == digits)
        })
    })
}

impl fmt::Debug for Phone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phone_is_kept_in_one_form_however_it_was_typed() {
        for typed in ["+447700900123", "+44 7700 900123", "+44 (0)7700-900123"] {
            let phone = Phone::parse(typed).unwrap();
            assert_eq!(
                (phone.e164(), phone.country_code().as_str(), phone.national()),
                ("+447700900123", "+44", "7700900123")
            );
        }
        assert_eq!(Phone::parse("+8613912345678").unwrap().country_code(), "+86");
        assert_eq!(Phone::parse("+12025550123").unwrap().national(), "2025550123");
    }

    #[test]
    fn a_phone_is_checked_against_its_country() {
        assert_eq!(Phone::parse("07700900123"), Err(FaultCode::PhoneCode));
        assert_eq!(Phone::parse("+44123"), Err(FaultCode::PhoneNumber));
        assert_eq!(Phone::parse("+999123456789"), Err(FaultCode::PhoneCode));
        assert_eq!(Phone::parse("+44 call me"), Err(FaultCode::PhoneNumber));
        assert_eq!(Phone::parse(""), Err(FaultCode::Required));
    }

    #[test]
    fn pasted_numbers_are_read_with_what_comes_along() {
        for typed in [
            "0044 7700 900123",
            "447700900123",
            "+44 447700900123",
            "\u{202A}+44\u{A0}7700\u{2011}900123\u{202C}",
            "+٤٤ ٧٧٠٠ ٩٠٠١٢٣",
            "＋４４（０）７７００ ９００１２３",
        ] {
            let phone = Phone::parse(typed);
            assert_eq!(phone.as_ref().map(Phone::e164), Ok("+447700900123"), "{typed:?}");
        }
    }

    /// What people write within a country, and what cards and web pages write.
    #[test]
    fn national_habits_are_read_as_the_number_from_abroad() {
        for (typed, number) in [
            ("+49 30/901820", "+4930901820"),
            ("+49 （0）30／901820", "+4930901820"),
            ("tel:+44-7700-900123", "+447700900123"),
            ("Tel: +44 7700 900123", "+447700900123"),
            ("+52 1 55 1234 5678", "+525512345678"),
            ("+52 55 1234 5678", "+525512345678"),
            ("+7 8 912 345 67 89", "+79123456789"),
            ("+7 912 345 67 89", "+79123456789"),
            ("+36 06 20 123 4567", "+36201234567"),
            ("+1 1 202 555 0123", "+12025550123"),
            ("+54 9 11 2345 6789", "+5491123456789"),
        ] {
            let phone = Phone::parse(typed);
            assert_eq!(phone.as_ref().map(Phone::e164), Ok(number), "{typed}");
        }
    }

    #[test]
    fn area_codes_that_north_america_has_not_are_refused() {
        for typed in [
            "+1 123 456 7890",
            "+1 021 255 5012",
            "+1 202 155 0123",
            "+1 902 055 0123",
            "+1 911 555 0123",
            "+1 202 411 0123",
        ] {
            assert_eq!(Phone::parse(typed), Err(FaultCode::PhoneNumber), "{typed}");
        }
        assert!(Phone::parse("+1 876 555 0123").is_ok(), "Jamaica");
    }

    #[test]
    fn a_leading_zero_stays_where_it_is_no_trunk_zero() {
        for kept in [
            "+2250707123456", // Côte d'Ivoire
            "+2290195123456", // Benin
            "+242061234567",  // Congo
            "+3780549886377", // San Marino
            "+390669821234",  // Italy
        ] {
            assert_eq!(Phone::parse(kept).as_ref().map(Phone::e164), Ok(kept), "{kept}");
        }
    }
}
