//! Messages to users: a key of the message catalogues with its values, rendered in the reader's language when the answer is
//! written (X10).

use std::borrow::Cow;
use std::fmt::Display;

use platform::texts::text;
use serde::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::answering::current_language;

/// Longer words of a request are cut before they are said back.
const WORD_MAX: usize = 60;

/// A message by its key, with the values that are filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    key: Cow<'static, str>,
    values: Vec<(&'static str, String)>,
}

/// The sentence under `key`.
pub fn say(key: &'static str) -> Said {
    Said {
        key: Cow::Borrowed(key),
        values: Vec::new(),
    }
}

impl Said {
    /// The sentence that belongs to a code of the envelope: `refusal.<code>`.
    pub fn of_code(code: &str) -> Self {
        Self {
            key: Cow::Owned(format!("refusal.{code}")),
            values: Vec::new(),
        }
    }

    /// The sentence that belongs to a fault of a field: `validation.<fault>`.
    pub fn of_fault(fault: &str) -> Self {
        Self {
            key: Cow::Owned(format!("validation.{fault}")),
            values: Vec::new(),
        }
    }

    /// Fills in `{name}`.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Display) -> Self {
        let value = value.to_string().chars().take(WORD_MAX).collect();
        self.values.push((name, value));
        self
    }

    /// Written out in the language of the request being answered.
    pub fn written(&self) -> String {
        let values: Vec<_> = self
            .values
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        text(current_language(), &self.key, &values)
    }
}

impl Serialize for Said {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.written())
    }
}

impl PartialSchema for Said {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).build().into()
    }
}

impl ToSchema for Said {}

/// What is said of a parameter whose value nobody knows.
pub fn unknown_value(field: &str, value: &str) -> Said {
    say("refusal.unknown_value")
        .with("field", field)
        .with("value", value)
}
