//! Texts that answers about homes carry: amenities, facts, captions, in the reader's language (`i18n/*/inventory.json`).

use std::collections::HashMap;
use std::sync::LazyLock;

use chrono::{Datelike, NaiveDate};
use domain::language::Language;
use domain::room::Configuration;
pub use platform::days::day;

type Texts = HashMap<String, String>;

static EN: LazyLock<Texts> = LazyLock::new(|| texts(include_str!("../../../../../i18n/en/inventory.json")));
static ZH: LazyLock<Texts> = LazyLock::new(|| texts(include_str!("../../../../../i18n/zh/inventory.json")));

/// A file that is no flat object of texts fails the test below; at run time it only loses its texts.
fn texts(file: &str) -> Texts {
    serde_json::from_str(file).unwrap_or_default()
}

/// The text under `key` with `{name}` filled in; English where the language has none, the key where nobody has.
pub fn words(lang: Language, key: &str, values: &[(&str, &str)]) -> String {
    let own = match lang {
        Language::Zh => ZH.get(key),
        Language::En | Language::Es | Language::Fr | Language::De => None,
    };
    let text = own.or_else(|| EN.get(key)).map_or(key, String::as_str);
    values.iter().fold(text.to_owned(), |text, (name, value)| {
        text.replace(&format!("{{{name}}}"), value)
    })
}

/// A month as people write it: `Sep 2025`, `2025 年 9 月`.
pub fn month(lang: Language, day: NaiveDate) -> String {
    match lang {
        Language::Zh => format!("{} 年 {} 月", day.year(), day.month()),
        Language::En | Language::Es | Language::Fr | Language::De => day.format("%b %Y").to_string(),
    }
}

/// The name of a configuration; rooms that have none are other rooms.
pub fn configuration(lang: Language, configuration: Option<Configuration>) -> String {
    let key = configuration.map_or("other", Configuration::key);
    words(lang, &format!("configuration.{key}"), &[])
}

/// Several names in one text.
pub fn joined(lang: Language, names: &[String]) -> String {
    names.join(&words(lang, "inventory.list_separator", &[]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_the_same_texts_with_the_same_places() {
        assert!(EN.len() > 50);
        let places = |text: &str| text.matches('{').count();
        for (key, en) in EN.iter() {
            let zh = ZH.get(key).unwrap_or_else(|| panic!("no Chinese for {key}"));
            assert_eq!(places(en), places(zh), "{key}");
        }
        assert_eq!(EN.len(), ZH.len());
    }

    #[test]
    fn every_feature_of_the_demo_catalogue_has_its_text() {
        let catalogue = catalogue::Catalogue::new(catalogue::SEED, NaiveDate::default()).unwrap();
        let mut seen = 0;
        let ended: Result<(), Enough> = catalogue.each(|stream| {
            if let catalogue::NewStream::Inventory { events, .. } = stream {
                seen += 1;
                for event in events {
                    if let domain::inventory::InventoryEvent::PropertyListed { property } = event {
                        let known = |area: &str, key: &str| {
                            assert!(EN.contains_key(&format!("{area}.{key}")), "{area}.{key}");
                        };
                        property
                            .features
                            .iter()
                            .for_each(|feature| known("feature", &feature.key));
                        property
                            .places
                            .iter()
                            .for_each(|place| known("place", &place.kind));
                        property
                            .pictures
                            .iter()
                            .for_each(|picture| known("picture", picture.kind.key()));
                    }
                }
            }
            if seen < 60 { Ok(()) } else { Err(Enough) }
        });
        assert!(ended.is_err());
    }

    struct Enough;

    impl From<catalogue::CatalogueError> for Enough {
        fn from(error: catalogue::CatalogueError) -> Self {
            panic!("{error}")
        }
    }
}
