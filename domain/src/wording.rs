//! Text that a property or a region shows, in as many languages as somebody wrote it in (D132).

use serde::{Deserialize, Serialize};

/// A text in English and, where known, in the other languages; a missing one falls back to English (D132).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Wording {
    pub en: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub es: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fr: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub de: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zh: Option<String>,
}

impl Wording {
    /// Text known in English only.
    pub fn english(en: impl Into<String>) -> Self {
        Self {
            en: en.into(),
            ..Self::default()
        }
    }

    /// Text known in English and Chinese.
    pub fn bilingual(en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self {
            en: en.into(),
            zh: Some(zh.into()),
            ..Self::default()
        }
    }

    /// The text in `lang` (`en`, `es`, `fr`, `de`, `zh`), else in English.
    pub fn in_language(&self, lang: &str) -> &str {
        let known = match lang {
            "es" => self.es.as_deref(),
            "fr" => self.fr.as_deref(),
            "de" => self.de.as_deref(),
            "zh" => self.zh.as_deref(),
            _ => None,
        };
        known.unwrap_or(&self.en)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_language_is_shown_in_english() {
        let text = Wording::bilingual("Studio", "单间公寓");
        assert_eq!(text.in_language("zh"), "单间公寓");
        assert_eq!(text.in_language("fr"), "Studio");
    }
}
