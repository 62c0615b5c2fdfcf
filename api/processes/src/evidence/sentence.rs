//! The English sentence of an event, for banks.

use domain::language::Language;
use platform::texts::find;
use projections::lead_timeline::query::TimelineRow;
use serde_json::{Map, Value};

use super::disclosed::is_disclosed;

/// The sentences of the workspace's history, by key.
pub(super) struct Sentences(Language);

impl Sentences {
    pub(super) fn english() -> Self {
        Self(Language::default())
    }

    /// What happened. A value that is not disclosed is empty.
    pub(super) fn of(&self, row: &TimelineRow) -> String {
        let mut params: Map<String, Value> = serde_json::from_str(&row.params).unwrap_or_default();
        for (name, value) in &mut params {
            if !is_disclosed(name) {
                *value = Value::from("");
            }
        }
        let message = find(self.0, &row.sentence).unwrap_or(&row.sentence);
        filled(message, &params).trim_end().to_owned()
    }
}

/// Values are `{name}`, plurals ICU's `{name, plural, one {…} other {…}}`.
fn filled(message: &str, params: &Map<String, Value>) -> String {
    let mut text = message.to_owned();
    for (name, value) in params {
        let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        text = text.replace(&format!("{{{name}}}"), &shown);
        let begin = format!("{{{name}, plural, ");
        if let Some(at) = text.find(&begin)
            && let Some(length) = text[at..].find("}}")
        {
            let forms = text[at + begin.len()..=at + length].to_owned();
            let form = if shown == "1" { "one {" } else { "other {" };
            let chosen = forms.split_once(form).and_then(|(_, rest)| rest.split_once('}'));
            let chosen = chosen.map_or(String::new(), |(chosen, _)| chosen.replace('#', &shown));
            text.replace_range(at..at + length + 2, &chosen);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_plurals_are_filled_in() {
        let params = |count: u64| Map::from_iter([("count".to_owned(), Value::from(count))]);
        let message = "Saved {count, plural, one {1 answer} other {# answers}} of the documents";
        assert_eq!(filled(message, &params(1)), "Saved 1 answer of the documents");
        assert_eq!(filled(message, &params(3)), "Saved 3 answers of the documents");
        assert_eq!(filled("{count} of 10", &params(9)), "9 of 10");
    }
}
