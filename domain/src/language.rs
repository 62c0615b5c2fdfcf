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

    /// Languages whose catalogues are complete.
    pub const SERVED: [Self; 2] = [Self::En, Self::Zh];

    /// `zh-CN`, `zh` and `ZH` all mean Chinese; a language that is not served is `None`.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split(['-', '_', ';']).next().unwrap_or_default().trim();
        Self::SERVED
            .into_iter()
            .find(|language| language.code().eq_ignore_ascii_case(primary))
    }
}
