//! The wordings that the terms of use ever had, by version: what a payer accepted is answered for in the words of then.
//!
//! Who changes the texts `legal.terms_…` in `i18n/` adds a file to `terms_of_use/` and a line to [`VERSIONS`]; a version that was
//! released is never changed.

use std::collections::HashMap;

use domain::language::Language;

/// A version's name, the day from which it holds, and its texts by language.
type Version = (&'static str, &'static str);

/// Every version, oldest first.
const VERSIONS: [Version; 3] = [
    ("2026-11-25", include_str!("../terms_of_use/2026-11-25.json")),
    ("2026-11-26", include_str!("../terms_of_use/2026-11-26.json")),
    ("2026-11-29", include_str!("../terms_of_use/2026-11-29.json")),
];

/// The version that holds today.
pub fn current() -> &'static str {
    VERSIONS[VERSIONS.len() - 1].0
}

/// The text of a key as a version words it; of the oldest version where none was recorded. `None` for a version or key that never was.
pub fn wording(version: Option<&str>, lang: Language, key: &str) -> Option<String> {
    worded(&VERSIONS, version, lang, key)
}

fn worded(all: &[Version], version: Option<&str>, lang: Language, key: &str) -> Option<String> {
    let mut found = all.iter();
    let (_, texts) = match version {
        Some(name) => found.find(|(known, _)| *known == name),
        None => found.next(),
    }?;
    let texts: HashMap<String, HashMap<String, String>> = serde_json::from_str(texts).ok()?;
    let own = texts
        .get(lang.code())
        .or_else(|| texts.get(Language::default().code()))?;
    own.get(key).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::text;

    /// Fails when a text was changed without a version of its own.
    #[test]
    fn terms_shown_today_are_the_newest_version() {
        for lang in Language::SERVED {
            for n in 1..=7 {
                for part in ["title", "text"] {
                    let key = format!("legal.terms_{n}_{part}");
                    let worded = wording(Some(current()), lang, &key);
                    assert_eq!(worded, Some(text(lang, &key, &[])), "{key}");
                }
            }
        }
    }

    #[test]
    fn wording_is_of_the_version_that_was_accepted() {
        let all = [("1", r#"{"en":{"a":"old"}}"#), ("2", r#"{"en":{"a":"new"}}"#)];
        let said = |version| worded(&all, version, Language::Zh, "a");
        assert_eq!(said(Some("1")).as_deref(), Some("old"));
        assert_eq!(said(Some("2")).as_deref(), Some("new"));
        assert_eq!(said(None).as_deref(), Some("old"));
        assert_eq!(said(Some("3")), None);
    }
}
