//! The sentence of an event, for banks: in the language that all texts fall back to.

use domain::language::Language;
use platform::texts::text;
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
    if is_disclosed(name) {
        value.as_str().map_or_else(|| value.to_string(), str::to_owned)
    } else {
        String::new()
    }
}
