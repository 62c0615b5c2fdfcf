//! Text that a property or a region shows, in as many languages as somebody wrote it in (D132).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::contact::is_blank;
use crate::language::Language;

/// A text by the tag of its language; a missing one falls back to English (D132). It is stored as `{"en": …, "zh": …}`. Five named
/// fields were stored in the same form before; there, a language without a text could be `null`. A tag that this program does not
/// serve is kept as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "BTreeMap<String, Option<String>>")]
pub struct Wording(BTreeMap<String, String>);

impl From<BTreeMap<String, Option<String>>> for Wording {
    fn from(stored: BTreeMap<String, Option<String>>) -> Self {
        let known = stored.into_iter().filter_map(|(tag, text)| Some((tag, text?)));
        Self(known.collect())
    }
}

impl Wording {
    /// Text known in English only.
    pub fn english(text: impl Into<String>) -> Self {
        Self::default().with(Language::default().code(), text)
    }

    /// The same in one language more.
    #[must_use]
    pub fn with(mut self, tag: &str, text: impl Into<String>) -> Self {
        self.0.insert(tag.to_owned(), text.into());
        self
    }

    /// Writes a text in the language of that tag, or takes the one that stands there away.
    pub fn write(&mut self, tag: &str, text: Option<&str>) {
        match text {
            Some(text) => self.0.insert(tag.to_owned(), text.to_owned()),
            None => self.0.remove(tag),
        };
    }

    /// The text in the language of that tag alone.
    pub fn written_in(&self, tag: &str) -> Option<&str> {
        self.0.get(tag).map(String::as_str)
    }

    /// The text in the language of that tag, else in English, else in the first that there is; empty where there is none.
    pub fn in_language(&self, tag: &str) -> &str {
        self.written_in(tag)
            .or_else(|| self.written_in(Language::default().code()))
            .or_else(|| self.0.values().next().map(String::as_str))
            .unwrap_or_default()
    }

    /// Takes a text out of every language but English.
    pub fn drop_translations(&mut self, text: &str) {
        let english = Language::default().code();
        self.0.retain(|tag, own| tag == english || own != text);
    }

    /// Every text with the tag of its language, by tag.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(tag, text)| (tag.as_str(), text.as_str()))
    }

    /// True where nobody wrote it in any language.
    pub fn is_unwritten(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there is no text, or one in some language shows nothing.
    pub fn is_blank(&self) -> bool {
        self.0.is_empty() || self.0.values().any(|text| is_blank(text))
    }

    /// The language that [`Self::in_language`] falls back to; `None` where the text is there in the one asked for, or in none.
    pub fn fallback_of(&self, tag: &str) -> Option<&str> {
        if self.written_in(tag).is_some() {
            return None;
        }
        let default = Language::default().code();
        let written = self.written_in(default).map(|_| default);
        written.or_else(|| self.0.keys().next().map(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(stored: serde_json::Value) -> Wording {
        serde_json::from_value(stored).unwrap()
    }

    #[test]
    fn a_missing_language_is_shown_in_english() {
        let text = Wording::english("Studio").with("zh", "单间公寓");
        assert_eq!(text.in_language("zh"), "单间公寓");
        assert_eq!(text.in_language("fr"), "Studio");
        let french = Wording::default().with("fr", "Chambre");
        assert_eq!(french.in_language("zh"), "Chambre");
        assert_eq!(french.fallback_of("zh"), Some("fr"));
        assert_eq!(text.fallback_of("fr"), Some("en"));
        assert_eq!((text.fallback_of("zh"), text.fallback_of("en")), (None, None));
        assert_eq!(Wording::default().in_language("en"), "");
    }

    /// The five fields of before, with and without the `null` that they read, and a language that is not served.
    #[test]
    fn stored_texts_read_back_in_every_language() {
        for stored in [
            json!({ "en": "Studio" }),
            json!({ "en": "Studio", "es": "Estudio", "fr": "Studio", "de": "Studio", "zh": "单间公寓" }),
            json!({ "en": "Studio", "tlh": "pa'" }),
        ] {
            assert_eq!(serde_json::to_value(read(stored.clone())).unwrap(), stored);
        }
        let with_null = read(json!({ "en": "Studio", "zh": null }));
        assert_eq!(with_null, Wording::english("Studio"));
        let strange = read(json!({ "en": "Studio", "tlh": "pa'" }));
        assert_eq!(strange.in_language("tlh"), "pa'");
    }

    #[test]
    fn a_text_of_spaces_in_one_language_is_blank() {
        let text = Wording::english("Studio");
        assert!(!text.is_blank() && text.with("zh", " ").is_blank());
        assert!(Wording::default().is_blank());
    }
}
