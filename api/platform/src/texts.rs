//! Texts of the message catalogues that the server itself says: validation sentences and messages to people.

use std::collections::HashMap;
use std::sync::LazyLock;

use domain::contact::FaultCode;
use domain::language::Language;

use crate::carried::find_carried;
use crate::message::fill;

type Catalogue = HashMap<String, String>;

/// Texts by language, in the order of [`Language::ALL`]. A language that is not complete has some topics, each of them whole:
/// receipts are papers for banks and tax offices at home, the stories of leads are read by staff of every office (M12).
static CATALOGUES: LazyLock<[Catalogue; Language::ALL.len()]> = LazyLock::new(|| Language::ALL.map(read));

/// A file that is not a flat object of texts would fail the test below; at run time it only loses its texts.
fn read(lang: Language) -> Catalogue {
    let files = find_carried(lang).into_iter().flat_map(|carried| carried.texts);
    let texts = files.flat_map(|(_, file)| serde_json::from_str::<Catalogue>(file).unwrap_or_default());
    texts.collect()
}

/// The text under `key` as it is written, with its placeholders, and its language; English where the language has none.
fn find_written(lang: Language, key: &str) -> Option<(&'static str, Language)> {
    [lang, Language::default()].into_iter().find_map(|lang| {
        let text = CATALOGUES[lang.place()].get(key)?;
        Some((text.as_str(), lang))
    })
}

/// The text under `key` as it is written, with its placeholders; English where the language has none.
pub fn find(lang: Language, key: &str) -> Option<&'static str> {
    find_written(lang, key).map(|(text, _)| text)
}

/// The text under `key` with `{name}` filled in; English where the language has none, the key where no language has one.
pub fn text(lang: Language, key: &str, values: &[(&str, &str)]) -> String {
    // A sentence that falls back to English has English plurals.
    let (found, spoken) = find_written(lang, key).unwrap_or((key, lang));
    fill(found, values, spoken)
}

/// What an operator is told of a bad value: what to write instead.
pub fn way_out(code: FaultCode) -> String {
    text(Language::default(), &format!("validation.{}", code.key()), &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_its_sentence_in_each_served_language() {
        for code in FaultCode::ALL {
            let key = format!("validation.{}", code.key());
            for lang in Language::SERVED {
                assert!(CATALOGUES[lang.place()].contains_key(&key), "{lang:?} {key}");
            }
        }
    }

    #[test]
    fn served_languages_say_the_same_things() {
        let keys = |lang: Language| {
            let mut keys: Vec<_> = CATALOGUES[lang.place()].keys().collect();
            keys.sort();
            keys
        };
        assert!(keys(Language::default()).len() > 1_000);
        for lang in Language::SERVED {
            assert_eq!(keys(Language::default()), keys(lang), "{lang:?}");
        }
    }

    #[test]
    fn plurals_follow_the_count() {
        let saved = |count: &str| {
            let key = "timeline.form_section_saved.personal_form";
            text(Language::En, key, &[("count", count)])
        };
        assert_eq!(saved("1"), "Saved 1 answer of the personal details");
        assert_eq!(saved("3"), "Saved 3 answers of the personal details");
    }

    #[test]
    fn values_are_filled_in() {
        let subject = text(
            Language::En,
            "mail.otp.subject",
            &[("code", "123456"), ("brand", "Amber")],
        );
        assert!(subject.contains("123456") && !subject.contains('{'), "{subject}");
    }
}
