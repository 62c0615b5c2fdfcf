//! Texts of the catalogue, for stories that meet them on a page: a story names the key, and the words may change.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// The English text of a key; its file is named by what stands before the first dot.
///
/// # Panics
/// Without such a text.
pub fn english(key: &str) -> String {
    read_text("en", key)
}

/// The Chinese text of a key.
///
/// # Panics
/// Without such a text.
pub fn chinese(key: &str) -> String {
    read_text("zh", key)
}

fn read_text(language: &str, key: &str) -> String {
    let area = key.split('.').next().unwrap_or(key);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../i18n/{language}/{area}.json"));
    let texts = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let texts: Value =
        serde_json::from_str(&texts).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    texts[key]
        .as_str()
        .unwrap_or_else(|| panic!("no text is called {key}"))
        .to_owned()
}

/// The longest words of an English text without a placeholder or a line break, as every page and mail shows them.
///
/// # Panics
/// Without such a text.
pub fn longest_words(key: &str) -> String {
    english(key)
        .split(['{', '}', '\n'])
        .max_by_key(|words| words.len())
        .unwrap_or_default()
        .trim()
        .to_owned()
}
