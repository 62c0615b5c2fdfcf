//! The languages that pages and messages may be written in (D3).

use serde::{Deserialize, Serialize};

/// One of the five; which of them are complete is for the catalogues to say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    En,
    Es,
    Fr,
    De,
    Zh,
}

impl Language {
    /// The word on the wire.
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Es => "es",
            Self::Fr => "fr",
            Self::De => "de",
            Self::Zh => "zh",
        }
    }

    /// All five.
    pub const ALL: [Self; 5] = [Self::En, Self::Es, Self::Fr, Self::De, Self::Zh];

    /// The language of a word on the wire; also of one in which only some topics are written.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == code)
    }

    /// Languages whose catalogues are complete.
    pub const SERVED: [Self; 2] = [Self::En, Self::Zh];

    /// `zh-CN`, `zh` and `ZH` all mean Chinese; a language that is not served is `None`, and so is Chinese in traditional
    /// letters (`zh-Hant`, `zh-TW`): the texts are in simplified ones.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let mut parts = tag.trim().split(['-', '_']);
        let primary = parts.next().unwrap_or_default();
        let language = Self::SERVED
            .into_iter()
            .find(|language| language.code().eq_ignore_ascii_case(primary))?;
        let parts: Vec<&str> = parts.collect();
        let says = |words: &[&str]| {
            let said = |part: &&str| words.iter().any(|word| word.eq_ignore_ascii_case(part));
            parts.iter().any(said)
        };
        let is_traditional = says(&["Hant"]) || (says(&["TW", "HK", "MO"]) && !says(&["Hans"]));
        (language != Self::Zh || !is_traditional).then_some(language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_in_traditional_letters_is_not_served() {
        for tag in ["zh", "ZH", "zh-CN", "zh_Hans", "zh-Hans-HK"] {
            assert_eq!(Language::from_tag(tag), Some(Language::Zh), "{tag}");
        }
        for tag in ["zh-Hant", "zh-Hant-CN", "zh-TW", "zh-hk", "tlh"] {
            assert_eq!(Language::from_tag(tag), None, "{tag}");
        }
    }
}
