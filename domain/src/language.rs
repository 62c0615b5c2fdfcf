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
}
