//! What an event says to a person: a sentence of the catalogues, and the fields it set.

use domain::money::Money;
use serde_json::{Map, Value};

/// One event, told.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Told {
    /// Catalogue key, `timeline.…`.
    pub(super) sentence: String,
    pub(super) params: Map<String, Value>,
    /// Something did not work out.
    pub(super) failed: bool,
    /// The fields it set, by name.
    pub(super) set: Vec<(&'static str, Option<String>)>,
}

impl Told {
    pub(super) fn new(sentence: impl Into<String>) -> Self {
        Self {
            sentence: format!("timeline.{}", sentence.into()),
            params: Map::new(),
            failed: false,
            set: Vec::new(),
        }
    }

    #[must_use]
    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.params.insert(name.to_owned(), value.into());
        self
    }

    #[must_use]
    pub(super) fn set(mut self, field: &'static str, value: impl Into<String>) -> Self {
        self.set.push((field, Some(value.into())));
        self
    }

    #[must_use]
    pub(super) fn set_some(mut self, field: &'static str, value: Option<String>) -> Self {
        self.set.push((field, value));
        self
    }

    #[must_use]
    pub(super) fn failed(mut self) -> Self {
        self.failed = true;
        self
    }
}

/// An amount as this read model keeps it: `£1259.07`. Its readers write it in their language ([`super::AMOUNTS`]).
pub(super) fn shown(money: Money) -> String {
    money.to_string()
}
