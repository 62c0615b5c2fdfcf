//! How a person is reached: name, e-mail, phone (Spec §5, D65-D67). One validator for every form.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_normalization::char::is_combining_mark;

/// One bad field: which, and what is wrong with it. The sentence is `validation.<code>` of the message catalogues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldFault {
    /// The field's name as the sender wrote it, e.g. `user_details/email`.
    pub field: String,
    pub code: FaultCode,
}

impl FieldFault {
    pub fn new(field: impl Into<String>, code: FaultCode) -> Self {
        Self {
            field: field.into(),
            code,
        }
    }
}

/// Everything that can be wrong with a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultCode {
    Required,
    TooLong,
    NameLetters,
    EmailPattern,
    EmailLocalDigits,
    PhoneCode,
    PhoneNumber,
    DateFormat,
    AgeRange,
    Choice,
    UnknownField,
    UnknownInventory,
    UnknownRegion,
    Slot,
    DatePast,
    State,
    Format,
    MustAccept,
    MustBeEmpty,
    SlotPast,
    DateFar,
    Document,
    DocumentKind,
    DocumentSize,
}

impl FaultCode {
    pub const ALL: [Self; 24] = [
        Self::Required,
        Self::TooLong,
        Self::NameLetters,
        Self::EmailPattern,
        Self::EmailLocalDigits,
        Self::PhoneCode,
        Self::PhoneNumber,
        Self::DateFormat,
        Self::AgeRange,
        Self::Choice,
        Self::UnknownField,
        Self::UnknownInventory,
        Self::UnknownRegion,
        Self::Slot,
        Self::DatePast,
        Self::State,
        Self::Format,
        Self::MustAccept,
        Self::MustBeEmpty,
        Self::SlotPast,
        Self::DateFar,
        Self::Document,
        Self::DocumentKind,
        Self::DocumentSize,
    ];

    /// The code on the wire. Never changes once released.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::TooLong => "too_long",
            Self::NameLetters => "name_letters",
            Self::EmailPattern => "email_pattern",
            Self::EmailLocalDigits => "email_local_digits",
            Self::PhoneCode => "phone_code",
            Self::PhoneNumber => "phone_number",
            Self::DateFormat => "date_format",
            Self::AgeRange => "age_range",
            Self::Choice => "choice",
            Self::UnknownField => "unknown_field",
            Self::UnknownInventory => "unknown_inventory",
            Self::UnknownRegion => "unknown_region",
            Self::Slot => "slot",
            Self::DatePast => "date_past",
            Self::State => "state",
            Self::Format => "format",
            Self::MustAccept => "must_accept",
            Self::MustBeEmpty => "must_be_empty",
            Self::SlotPast => "slot_past",
            Self::DateFar => "date_far",
            Self::Document => "document",
            Self::DocumentKind => "document_kind",
            Self::DocumentSize => "document_size",
        }
    }
}

/// An address that mail can reach, as its owner wrote it, without surrounding space.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Email(String);

impl Email {
    /// D65: at most 254 characters, one `@`, no spaces, a dotted domain, a local part that is not all digits.
    ///
    /// # Errors
    /// The fault tells an empty field from a wrong pattern from a local part of digits.
    pub fn parse(text: &str) -> Result<Self, FaultCode> {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Err(FaultCode::Required);
        }
        if trimmed.len() > 254 {
            return Err(FaultCode::TooLong);
        }
        let (local, domain) = trimmed.split_once('@').ok_or(FaultCode::EmailPattern)?;
        let odd = |c: char| c.is_whitespace() || c.is_control() || "@<>()[]\\,;:\"".contains(c);
        let labels_fit = domain.split('.').all(|label| {
            !label.is_empty()
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.chars().all(|c| c.is_alphanumeric() || c == '-')
        });
        let local_fits = !local.is_empty()
            && local.len() <= 64
            && !local.starts_with('.')
            && !local.ends_with('.')
            && !local.contains("..");
        if !local_fits
            || trimmed.replacen('@', "", 1).chars().any(odd)
            || !domain.contains('.')
            || !labels_fit
        {
            return Err(FaultCode::EmailPattern);
        }
        if domain
            .rsplit('.')
            .next()
            .is_some_and(|top| top.len() < 2 || top.chars().all(|c| c.is_ascii_digit()))
        {
            return Err(FaultCode::EmailPattern);
        }
        if local.chars().all(|c| c.is_ascii_digit()) {
            return Err(FaultCode::EmailLocalDigits);
        }
        Ok(Self(trimmed.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same mailbox in any spelling of case: what look-ups compare.
    pub fn canonical(&self) -> String {
        self.0.to_lowercase()
    }

    /// The part after `@`, in lower case.
    pub fn domain(&self) -> String {
        self.0.rsplit('@').next().unwrap_or_default().to_lowercase()
    }

    /// `m•••@•••.com`: enough to recognise, not enough to write to.
    pub fn masked(&self) -> String {
        let first = self.0.chars().next().unwrap_or('•');
        let top = self.0.rsplit('.').next().unwrap_or_default();
        format!("{first}•••@•••.{top}")
    }
}

impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

/// A phone number in E.164 with the country code that the person chose (D66).
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Phone {
    /// `+447700900123`
    e164: String,
    country_code: u16,
}

impl Phone {
    /// Reads `+<code><number>`, spaces and dashes allowed, a trunk zero dropped (not in Italy, where it belongs).
    ///
    /// # Errors
    /// Without a country code, or with a number that does not exist under it.
    pub fn parse(text: &str) -> Result<Self, FaultCode> {
        let trimmed = text.trim();
        if trimmed.is_empty() || trimmed == "+" {
            return Err(FaultCode::Required);
        }
        if trimmed.chars().count() > 32
            || trimmed
                .chars()
                .any(|c| !c.is_ascii_digit() && !"+ -().".contains(c))
        {
            return Err(FaultCode::PhoneNumber);
        }
        if !trimmed.starts_with('+') {
            return Err(FaultCode::PhoneCode);
        }
        let digits: String = trimmed.chars().filter(char::is_ascii_digit).collect();
        let number = phonenumber::parse(None, format!("+{digits}")).map_err(|fault| match fault {
            phonenumber::ParseError::InvalidCountryCode => FaultCode::PhoneCode,
            _ => FaultCode::PhoneNumber,
        })?;
        let country_code = number.code().value();
        let e164 = number.format().mode(phonenumber::Mode::E164).to_string();
        let prefix = format!("+{country_code}");
        let national = e164.strip_prefix(&prefix).ok_or(FaultCode::PhoneNumber)?;
        let without_trunk = national
            .strip_prefix('0')
            .filter(|_| country_code != ITALY)
            .unwrap_or(national);
        if !length_exists(country_code, without_trunk.len()) {
            return Err(FaultCode::PhoneNumber);
        }
        Ok(Self {
            e164: format!("{prefix}{without_trunk}"),
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

/// Italian numbers keep their leading zero (D66).
const ITALY: u16 = 39;

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

/// What a person wants to be called.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PersonName(String);

impl PersonName {
    /// One to 100 characters, at least one letter of any script, no control characters (T42), none that only move other
    /// text about, and no markup.
    ///
    /// # Errors
    /// Empty, too long, or without letters.
    pub fn parse(text: &str) -> Result<Self, FaultCode> {
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() {
            return Err(FaultCode::Required);
        }
        if name.chars().count() > 100 {
            return Err(FaultCode::TooLong);
        }
        let odd = |c: char| c.is_control() || is_unseen(c) || "<>{}@\\/=".contains(c);
        if stacks_marks(&name) {
            return Err(FaultCode::NameLetters);
        }
        if !name.chars().any(char::is_alphabetic) || name.chars().any(odd) {
            return Err(FaultCode::NameLetters);
        }
        Ok(Self(name))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// `M••• L•••`: always three dots, so that no length leaks.
    pub fn masked(&self) -> String {
        self.0
            .split(' ')
            .filter_map(|word| word.chars().next())
            .take(4)
            .map(|c| format!("{c}•••"))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Lower-cased words, for look-ups.
    pub fn words(&self) -> Vec<String> {
        self.0.to_lowercase().split(' ').map(str::to_owned).collect()
    }
}

/// Characters that are not seen but move what is (Unicode's format characters): they can write a name over its neighbours.
/// The two joiners stay, scripts of South Asia and Iran need them.
pub(crate) const fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}' | '\u{8E2}' | '\u{180E}' | '\u{200B}'
        | '\u{200E}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}' | '\u{E0001}'..='\u{E007F}')
}

/// Whether more marks stand on one letter than any language writes.
fn stacks_marks(name: &str) -> bool {
    const MARKS_MAX: usize = 3;
    let letters: Vec<char> = name.chars().collect();
    letters
        .windows(MARKS_MAX + 1)
        .any(|part| part.iter().copied().all(is_combining_mark))
}

impl fmt::Debug for PersonName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_write_over_its_neighbours() {
        let stacked = format!("Mei{}", "\u{301}".repeat(20));
        let thai = format!("{}a", "\u{e47}".repeat(5));
        for name in [
            thai.as_str(),
            "Mei\u{202E}niL",
            "Mei\u{200B}Lin",
            "Mei\u{2066}",
            &stacked,
        ] {
            assert_eq!(PersonName::parse(name), Err(FaultCode::NameLetters), "{name:?}");
        }
        for name in [
            "Nguye\u{302}\u{303}n",
            "\u{646}\u{6CC}\u{200C}\u{6A9}\u{6CC}",
            "ක්\u{200D}රි",
            "José",
        ] {
            assert!(PersonName::parse(name).is_ok(), "{name:?}");
        }
    }

    #[test]
    fn addresses_that_mail_can_reach_are_taken_as_written() {
        for address in [
            "mei@leeds.ac.uk",
            " Mei.Lin+1@Example.com ",
            "o'hara@example.ie",
            "学生@例子.中国",
            "1a@example.com",
        ] {
            assert_eq!(
                Email::parse(address).map(|email| email.as_str().to_owned()),
                Ok(address.trim().to_owned())
            );
        }
    }

    #[test]
    fn an_address_without_a_reachable_mailbox_is_refused_with_its_reason() {
        for address in [
            "mei",
            "mei@leeds",
            "a@b@c.com",
            "a b@c.com",
            "@c.com",
            "a@.com",
            "a@c..com",
            "a@c.com.",
            "a.@c.com",
            "a@-c.com",
            "\"x@company.com\"@evil.io",
            "a@1.2.3.4",
            "a@c.c",
        ] {
            assert_eq!(Email::parse(address), Err(FaultCode::EmailPattern), "{address}");
        }
        assert_eq!(Email::parse("12345@uni.ac.uk"), Err(FaultCode::EmailLocalDigits));
        assert_eq!(Email::parse("  "), Err(FaultCode::Required));
        assert_eq!(
            Email::parse(&format!("{}@example.com", "a".repeat(250))),
            Err(FaultCode::TooLong)
        );
    }

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
    fn names_of_every_script_are_welcome_and_headers_are_not() {
        assert_eq!(PersonName::parse("  李  梅 ").unwrap().as_str(), "李 梅");
        assert_eq!(PersonName::parse("Mei\r\nBcc: x").unwrap().as_str(), "Mei Bcc: x");
        assert_eq!(PersonName::parse("<b>x</b>"), Err(FaultCode::NameLetters));
        assert_eq!(PersonName::parse("12"), Err(FaultCode::NameLetters));
    }

    #[test]
    fn masks_never_tell_a_length() {
        assert_eq!(
            PersonName::parse("Mei Lin Chen").unwrap().masked(),
            "M••• L••• C•••"
        );
        assert_eq!(Email::parse("mei@leeds.ac.uk").unwrap().masked(), "m•••@•••.uk");
        assert_eq!(Phone::parse("+447700900123").unwrap().masked(), "+44 7•••123");
    }
}
