//! How a person is reached: name, e-mail, phone (Spec §5, D65-D67). One validator for every form.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation as _;

pub mod digits;
mod email;
mod phone;

pub use email::{Email, domain_to_ascii};
pub use phone::Phone;

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
    /// A name with this sign in it.
    NameSign(char),
    EmailPattern,
    EmailUnseen,
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
    /// A viewing in another time zone than that of its place.
    TimeZone,
    DateFar,
    Document,
    DocumentKind,
    DocumentSize,
}

impl FaultCode {
    pub const ALL: [Self; 27] = [
        Self::Required,
        Self::TooLong,
        Self::NameLetters,
        Self::NameSign('<'),
        Self::EmailPattern,
        Self::EmailUnseen,
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
        Self::TimeZone,
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
            Self::NameSign(_) => "name_sign",
            Self::EmailPattern => "email_pattern",
            Self::EmailUnseen => "email_unseen",
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
            Self::TimeZone => "time_zone",
            Self::DateFar => "date_far",
            Self::Document => "document",
            Self::DocumentKind => "document_kind",
            Self::DocumentSize => "document_size",
        }
    }
}

/// What a person wants to be called.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PersonName(String);

impl PersonName {
    /// One to 100 characters, at least one letter of any script, no control characters (T42) and no markup. Passports
    /// write `a/l`, `S/O` and `@`; direction and format characters, which come with pasted text, are dropped.
    ///
    /// # Errors
    /// Empty, too long, without letters, or with a sign that the fault names.
    pub fn parse(text: &str) -> Result<Self, FaultCode> {
        let seen: String = text.chars().filter(|c| !is_unseen(*c)).collect();
        let name = seen.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() {
            return Err(FaultCode::Required);
        }
        if name.chars().count() > 100 {
            return Err(FaultCode::TooLong);
        }
        if let Some(sign) = name.chars().find(|c| "<>{}\\=".contains(*c)) {
            return Err(FaultCode::NameSign(sign));
        }
        if stacks_marks(&name) || !name.chars().any(char::is_alphabetic) || name.chars().any(char::is_control)
        {
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
pub const fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}' | '\u{8E2}' | '\u{180E}' | '\u{200B}'
        | '\u{200E}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}' | '\u{E0001}'..='\u{E007F}')
}

/// The text cut to so many characters as people count them (grapheme clusters), without control characters, direction
/// overrides and other format characters, on one line with single spaces: names of homes and files.
pub fn shown_name(text: &str, most: usize) -> String {
    let seen: String = text
        .chars()
        .filter(|c| !is_unseen(*c))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let line = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    let kept: String = line.graphemes(true).take(most).collect();
    kept.trim_end().to_owned()
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
        for name in [thai.as_str(), &stacked] {
            assert_eq!(PersonName::parse(name), Err(FaultCode::NameLetters), "{name:?}");
        }
        for name in ["Mei\u{202E}Lin", "\u{200E}Mei\u{200B}Lin\u{2066}"] {
            let kept = PersonName::parse(name).unwrap();
            assert_eq!(kept.as_str(), "MeiLin", "{name:?}");
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
    fn shown_names_are_cut_between_graphemes() {
        assert_eq!(shown_name("ab\u{202E}fdp\u{202C}\n  c", 20), "abfdp c");
        assert_eq!(shown_name("e\u{301}e\u{301}e\u{301}", 2), "e\u{301}e\u{301}");
        assert_eq!(shown_name("👩\u{200D}👩\u{200D}👧x", 1), "👩\u{200D}👩\u{200D}👧");
    }

    #[test]
    fn names_of_every_script_are_welcome_and_headers_are_not() {
        assert_eq!(PersonName::parse("  李  梅 ").unwrap().as_str(), "李 梅");
        assert_eq!(PersonName::parse("Mei\r\nBcc: x").unwrap().as_str(), "Mei Bcc: x");
        assert_eq!(PersonName::parse("<b>x</b>"), Err(FaultCode::NameSign('<')));
        for name in ["Siva a/l Kumar", "Raj S/O Mohan", "Tan @ Lim Mei"] {
            assert_eq!(PersonName::parse(name).unwrap().as_str(), name);
        }
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
