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

    /// The served language that a tag asks for, found by shorter and shorter tags (RFC 4647, 3.4): `zh-CN`, `zh_TW` and `zh-Hant-HK` are
    /// answered in Chinese, whose simplified letters a reader of traditional ones reads sooner than English.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let tag = tag.trim().replace('_', "-");
        let mut asked = tag.as_str();
        loop {
            let served = Self::SERVED.into_iter();
            let mut same = served.filter(|language| language.code().eq_ignore_ascii_case(asked));
            if let Some(language) = same.next() {
                return Some(language);
            }
            (asked, _) = asked.rsplit_once('-')?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_chinese_is_answered_in_chinese() {
        for tag in [
            "zh",
            "ZH",
            "zh-CN",
            "zh_Hans",
            "zh-Hant",
            "zh-Hant-CN",
            "zh-TW",
            "zh-hk",
        ] {
            assert_eq!(Language::from_tag(tag), Some(Language::Zh), "{tag}");
        }
        for tag in ["tlh", "zhx", "zhx-Hant", "-zh", ""] {
            assert_eq!(Language::from_tag(tag), None, "{tag}");
        }
    }
}
