//! How a person is reached: name, e-mail, phone (Spec §5, D65-D67). One validator for every form.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};
use unicode_segmentation::UnicodeSegmentation as _;

pub mod digits;
mod email;
pub mod named_in;
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
    /// Further away than the catalogue sells, or than a form can mean.
    DateBeyond,
    Document,
    DocumentKind,
    DocumentSize,
    /// It is not whole.
    DocumentDamaged,
    DocumentPixels,
    /// It says more than its picture, and that cannot be removed.
    DocumentMetadata,
    /// A PDF with scripts, launched programs or files inside it.
    DocumentActive,
}

impl FaultCode {
    pub const ALL: [Self; 32] = [
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
        Self::DateBeyond,
        Self::Document,
        Self::DocumentKind,
        Self::DocumentSize,
        Self::DocumentDamaged,
        Self::DocumentPixels,
        Self::DocumentMetadata,
        Self::DocumentActive,
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
            Self::DateBeyond => "date_beyond",
            Self::Document => "document",
            Self::DocumentKind => "document_kind",
            Self::DocumentSize => "document_size",
            Self::DocumentDamaged => "document_damaged",
            Self::DocumentPixels => "document_pixels",
            Self::DocumentMetadata => "document_metadata",
            Self::DocumentActive => "document_active",
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

/// Characters that are not seen but move what is (Unicode's format characters), and letters without a form (fillers): they can
/// write a name over its neighbours, or stand for nothing. The two joiners stay, scripts of South Asia and Iran need them, and so
/// do the selectors of variants ([`selects_variant`]).
pub const fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}' | '\u{890}'..='\u{891}' | '\u{8E2}'
        | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}' | '\u{180E}' | '\u{200B}' | '\u{200E}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}'
        | '\u{110BD}' | '\u{110CD}' | '\u{13430}'..='\u{1343F}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E00FF}' | '\u{E01F0}'..='\u{E0FFF}')
}

/// Characters that choose among the forms of the letter before them, as names in Mongolian and Japanese do.
pub const fn selects_variant(c: char) -> bool {
    matches!(c, '\u{180B}'..='\u{180D}' | '\u{180F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// The joiners of letters: zero wide, and read as part of the word.
pub const fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}')
}

/// Characters that show nothing where they stand alone: controls, what [`is_unseen`] names, joiners, selectors of variants, the Braille cell
/// without dots and the note without a head. White space is not among them: it parts words.
fn shows_nothing(c: char) -> bool {
    c.is_control()
        || is_unseen(c)
        || is_joiner(c)
        || selects_variant(c)
        || matches!(c, '\u{2800}' | '\u{1D159}')
}

/// How many characters of a text a reader sees, and the white space between them: what a field that must say something is measured by.
pub fn seen_length(text: &str) -> usize {
    let is_kept = |c: &char| c.is_whitespace() || !shows_nothing(*c);
    let seen: String = text.chars().filter(is_kept).collect();
    seen.trim().chars().count()
}

/// Whether a text shows nothing to a reader: such a text is as good as none where one is needed.
pub fn is_blank(text: &str) -> bool {
    seen_length(text) == 0
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

/// Whether marks stand on one letter as no language writes them: the same one twice, more than three of those that pile up above
/// or below it, or more than a syllable has. A syllable of Burmese or Khmer has up to six, each in a place of its own.
fn stacks_marks(name: &str) -> bool {
    const MARKS_MAX: usize = 8;
    const PILED_MAX: usize = 3;
    // Unicode's classes of marks attached or set above and below.
    let is_piled = |mark: &char| canonical_combining_class(*mark) >= 200;
    let letters: Vec<char> = name
        .chars()
        .filter(|c| !is_joiner(*c) && !selects_variant(*c))
        .collect();
    letters.split(|c| !is_combining_mark(*c)).any(|marks| {
        let is_twice = |(place, mark): (usize, &char)| marks.iter().take(place).any(|before| before == mark);
        marks.len() > MARKS_MAX
            || marks.iter().filter(|mark| is_piled(mark)).count() > PILED_MAX
            || marks.iter().enumerate().any(is_twice)
    })
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
        let mixed = "Mei\u{300}\u{301}\u{302}\u{303}";
        let joined = "Mei\u{300}\u{200D}\u{301}\u{200D}\u{302}\u{200D}\u{303}";
        for name in [thai.as_str(), &stacked, mixed, joined] {
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
            // Burmese, Khmer and Tibetan syllables with four marks and more, with and without joiners.
            "မြို့",
            "ကြွှေ့",
            "ခင်မြို့\u{200D}သူ",
            "ស្រ្តី",
            "ហ៊្រូ\u{200C}ំ",
            "ཀྵྨླཱུྃ",
            "辻\u{E0100}",
        ] {
            assert!(PersonName::parse(name).is_ok(), "{name:?}");
        }
    }

    #[test]
    fn letters_without_a_form_are_no_name() {
        assert_eq!(PersonName::parse("\u{3164}"), Err(FaultCode::Required));
        let kept = PersonName::parse("Mei\u{3164}\u{890}\u{1D173}").unwrap();
        assert_eq!(kept.as_str(), "Mei");
    }

    #[test]
    fn text_that_shows_nothing_is_blank() {
        let nothing = [
            "",
            " \t\n\u{A0}\u{3000}",
            "\0\u{7F}\u{85}",
            "\u{200B}\u{FEFF}\u{2060}\u{AD}",
            "\u{3164}\u{115F}\u{1160}\u{FFA0}\u{17B4}",
            "\u{200E}\u{200F}\u{202A}\u{202E}\u{2066}\u{2069}\u{61C}",
            "\u{E0001}\u{E0067}\u{E007F}",
            "\u{200C}\u{200D}\u{34F}\u{180B}\u{FE0F}\u{E0100}",
            "\u{2800}\u{1D159}",
            "\u{2028} \u{2029}",
        ];
        for text in nothing {
            assert!(is_blank(text), "{}", text.escape_unicode());
            assert!(!is_blank(&format!("{text}.{text}")), "{}", text.escape_unicode());
        }
        let seen = [
            ("a\u{200B}b \u{FEFF}", 2),
            ("\u{2800}she rang\u{2800}", 8),
            ("她来电", 3),
            ("یک\u{200C}شنبه", 6),
            ("a\nb", 3),
        ];
        for (text, length) in seen {
            assert_eq!(seen_length(text), length, "{text}");
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
