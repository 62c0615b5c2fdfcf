//! Settings of the environment as they were written: a name such as `1989` is text, though it looks like a number.

use figment::providers::Env;
use figment::value::{Dict, Map, Value};
use figment::{Error, Metadata, Profile, Provider};

/// The variables of a provider, each as text. What a setting takes is read from that text where the setting is.
pub(super) struct AsWritten(pub(super) Env);

impl Provider for AsWritten {
    fn metadata(&self) -> Metadata {
        self.0.metadata()
    }

    fn data(&self) -> Result<Map<Profile, Dict>, Error> {
        let text = |value: &str| match value.parse() {
            // Quotation marks around the whole of it do not belong to it.
            Ok(Value::String(_, text)) => text,
            _ => value.trim().to_owned(),
        };
        let variables = self.0.iter();
        let values: Dict = variables
            .map(|(name, value)| (name.to_string(), Value::from(text(&value))))
            .collect();
        Ok(Profile::Default.collect(values))
    }
}
