//! Messages to users: a key of the message catalogues with its values, rendered in the reader's language when the answer is
//! written (X10).

use std::borrow::Cow;
use std::fmt::Display;

use domain::language::Language;
use domain::money::Money;
use platform::forms::forms_of;
use platform::texts::{find, text};
use serde::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::answering::current_language;

/// Longer words of a request are cut before they are said back.
const WORD_MAX: usize = 60;
/// Letters of a sentence of the server's own.
const SENTENCE_MAX: usize = 700;

/// A message by its key, with the values that are filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    key: Cow<'static, str>,
    values: Vec<(&'static str, Filling)>,
}

/// A value of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Filling {
    Words(String),
    /// Written when the reader's language is known.
    Amount(Money),
}

impl Filling {
    fn write(&self, lang: Language) -> Cow<'_, str> {
        match self {
            Self::Words(words) => Cow::Borrowed(words),
            Self::Amount(amount) => Cow::Owned(forms_of(lang).write_price(*amount)),
        }
    }
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

    /// The sentence for an answer that a form lacks, which names its field; `None` for a question that has none of its own.
    pub fn of_missing(field: &str) -> Option<Self> {
        let key = format!("missing_answers.{field}");
        // A text with a place for the field is said by the browser alone, which knows the label.
        find(Language::default(), &key).filter(|text| !text.contains('{'))?;
        Some(Self {
            key: Cow::Owned(key),
            values: Vec::new(),
        })
    }

    /// Fills in `{name}`; an amount goes through [`Self::with_amount`].
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Display) -> Self {
        let value = value.to_string().chars().take(WORD_MAX).collect();
        self.values.push((name, Filling::Words(value)));
        self
    }

    /// Fills in `{name}` with a sentence of the server's own, which names what it read elsewhere.
    #[must_use]
    pub fn with_sentence(mut self, name: &'static str, sentence: &str) -> Self {
        let sentence = sentence.chars().take(SENTENCE_MAX).collect();
        self.values.push((name, Filling::Words(sentence)));
        self
    }

    /// Fills in `{name}` with an amount, as the reader's language writes it.
    #[must_use]
    pub fn with_amount(mut self, name: &'static str, amount: Money) -> Self {
        self.values.push((name, Filling::Amount(amount)));
        self
    }

    /// Written out in the language of the request being answered.
    pub fn written(&self) -> String {
        let lang = current_language();
        let written: Vec<(&str, Cow<'_, str>)> = self
            .values
            .iter()
            .map(|(name, value)| (*name, value.write(lang)))
            .collect();
        let values: Vec<(&str, &str)> = written.iter().map(|(name, value)| (*name, &**value)).collect();
        text(lang, &self.key, &values)
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

/// Sentence for a parameter with an unknown value.
pub fn unknown_value(field: &str, value: &str) -> Said {
    say("refusal.unknown_value")
        .with("field", field)
        .with("value", value)
}

#[cfg(test)]
mod tests {
    use domain::money::Currency;
    use uuid::Uuid;

    use super::*;
    use crate::answering;

    /// An amount is grouped, and stands on the side of its sign that the reader's language has.
    #[tokio::test]
    async fn amounts_are_written_in_the_readers_language() {
        let said = say("refusal.link_amount")
            .with_amount("least", Money::new(50, Currency::Eur))
            .with_amount("most", Money::new(125_000_000, Currency::Eur));
        for (lang, least, most) in [
            (Language::En, "€0.50", "€1,250,000"),
            (Language::Zh, "€0.50", "€1,250,000"),
            (Language::De, "0,50\u{a0}€", "1.250.000\u{a0}€"),
        ] {
            let written = answering::of(Uuid::nil(), lang, async { said.written() }).await;
            assert!(written.contains(least) && written.contains(most), "{written}");
        }
    }
}
