//! The sentence of an event, for banks: in the language that all texts fall back to.

use domain::language::Language;
use platform::forms::forms_of;
use platform::texts::text;
use projections::lead_timeline::AMOUNTS;
use projections::lead_timeline::query::TimelineRow;
use serde_json::{Map, Value};

use super::disclosed::is_disclosed;

/// Says what happened, as the workspace's history does. A value that is not disclosed is empty.
pub(super) fn say_event(row: &TimelineRow) -> String {
    let params: Map<String, Value> = serde_json::from_str(&row.params).unwrap_or_default();
    let shown: Vec<(&str, String)> = params
        .iter()
        .map(|(name, value)| (name.as_str(), show_value(name, value)))
        .collect();
    let values: Vec<(&str, &str)> = shown
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let said = text(Language::default(), &row.sentence, &values);
    said.trim_end().to_owned()
}

fn show_value(name: &str, value: &Value) -> String {
    if !is_disclosed(name) {
        return String::new();
    }
    match value.as_str() {
        Some(kept) if AMOUNTS.contains(&name) => forms_of(Language::default()).write_kept_money(kept),
        Some(words) => words.to_owned(),
        None => value.to_string(),
    }
}
