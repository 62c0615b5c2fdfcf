//! The version of the terms of use that a payer accepts, by the name under which their payment keeps it, and its words again for evidence.
//! A version is one that shipped, named by its day, or one that the house wrote.

use domain::id::OwnTextId;
use domain::language::Language;
use domain::own_text::{OwnText, list_languages};
use eventlog::{EventLog, LogError};
use platform::terms_of_use;

/// The page whose text is accepted.
const PAGE: &str = "terms";
/// First word of the name of a version that the house wrote: `own en 2`.
const OWN: &str = "own";

/// The version that is shown to a reader of a language now.
///
/// # Errors
/// When the log cannot be read.
pub async fn find_version(log: &EventLog, language: Language) -> Result<String, LogError> {
    for language in list_languages(language) {
        let text = log
            .load::<OwnText>(OwnTextId::of_page(PAGE, language))
            .await?
            .state;
        if let Some(version) = text.shown() {
            return Ok(format!("{OWN} {} {}", language.code(), version.number));
        }
    }
    Ok(terms_of_use::current().to_owned())
}

/// The Markdown of a version that the house wrote; none of one that shipped.
///
/// # Errors
/// When the log cannot be read.
pub async fn read_own(log: &EventLog, version: Option<&str>) -> Result<Option<String>, LogError> {
    let Some((language, number)) = version.and_then(parse_own) else {
        return Ok(None);
    };
    let text = log
        .load::<OwnText>(OwnTextId::of_page(PAGE, language))
        .await?
        .state;
    let mut versions = text.versions.into_iter();
    let found = versions.find(|version| version.number == number);
    Ok(found.map(|version| version.text.body))
}

/// The language of a version that the house wrote, in which it was shown whatever the reader's; none of one that shipped.
pub fn find_language(version: &str) -> Option<Language> {
    parse_own(version).map(|(language, _)| language)
}

/// Language and number of a version that the house wrote.
fn parse_own(version: &str) -> Option<(Language, u32)> {
    let (language, number) = version.strip_prefix(OWN)?.trim_start().split_once(' ')?;
    Some((Language::from_code(language)?, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_the_house_are_told_from_shipped_ones() {
        let code = Language::default().code();
        assert_eq!(
            parse_own(&format!("own {code} 12")),
            Some((Language::default(), 12))
        );
        assert_eq!(parse_own(terms_of_use::current()), None);
        assert_eq!(parse_own("own nowhere 1"), None);
        for lang in Language::SERVED {
            assert_eq!(find_language(&format!("own {} 2", lang.code())), Some(lang));
        }
        assert_eq!(find_language(terms_of_use::current()), None);
    }
}
