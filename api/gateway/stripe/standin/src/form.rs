//! Parameters as Stripe takes them: a form with names such as `metadata[payment_id]`, sorted by name, so that two requests with the
//! same parameters are the same.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Form(BTreeMap<String, String>);

impl Form {
    pub(crate) fn read(query: &str, body: &[u8]) -> Self {
        let pairs = form_urlencoded::parse(query.as_bytes()).chain(form_urlencoded::parse(body));
        Self(
            pairs
                .map(|(name, value)| (name.into_owned(), value.into_owned()))
                .collect(),
        )
    }

    /// The purpose of an uploaded PDF, and how many bytes came.
    pub(crate) fn of_upload(body: &[u8]) -> Self {
        let text = String::from_utf8_lossy(body);
        let after = text.split_once("name=\"purpose\"\r\n\r\n");
        let purpose = after.and_then(|(_, rest)| rest.split_once("\r\n"));
        let purpose = purpose.map_or("", |(purpose, _)| purpose);
        let is_pdf = text.contains("\r\n\r\n%PDF-");
        let pairs = [
            ("purpose", purpose.to_owned()),
            ("size", body.len().to_string()),
            ("type", if is_pdf { "pdf" } else { "" }.to_owned()),
        ];
        Self(pairs.map(|(name, value)| (name.to_owned(), value)).into())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        self.get(name)?.parse().ok()
    }

    /// The pairs of `name[…]`.
    pub(crate) fn pairs(&self, name: &str) -> Value {
        let inside = |key: &str| {
            let rest = key.strip_prefix(name)?.strip_prefix('[')?;
            rest.strip_suffix(']').map(str::to_owned)
        };
        let pairs = self
            .0
            .iter()
            .filter_map(|(key, value)| Some((inside(key)?, Value::from(value.as_str()))));
        Value::Object(pairs.collect::<Map<_, _>>())
    }

    /// The values of `name[0]`, `name[1]` and so on.
    pub(crate) fn list(&self, name: &str) -> Vec<String> {
        let start = format!("{name}[");
        let inside = self.0.iter().filter(|(key, _)| key.starts_with(&start));
        inside.map(|(_, value)| value.clone()).collect()
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        let line = |(name, value): (&String, &String)| format!("{name}={value}");
        self.0.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_parameters_are_read() {
        let form = Form::read(
            "limit=3",
            b"amount=100&metadata[a]=1&metadata%5Bb%5D=2&expand[0]=latest_charge",
        );
        assert_eq!(
            (form.number("limit"), form.number("amount")),
            (Some(3), Some(100))
        );
        assert_eq!(form.pairs("metadata"), serde_json::json!({ "a": "1", "b": "2" }));
        assert_eq!(form.list("expand"), ["latest_charge"]);
    }
}
