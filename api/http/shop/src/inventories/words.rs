//! Texts that answers about homes carry: amenities, facts, captions, in the reader's language (`i18n/*/inventory.json`).

use chrono::NaiveDate;
use domain::language::Language;
use domain::room::Configuration;
pub use platform::days::day;
use platform::forms::forms_of;
pub use platform::texts::text as words;

/// A month as people write it: `September 2025`, `2025年9月`.
pub fn month(lang: Language, day: NaiveDate) -> String {
    forms_of(lang).write_month(day)
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
    use std::collections::{BTreeSet, HashMap};

    use platform::texts::find;

    use super::*;

    #[test]
    fn served_languages_have_the_same_places_in_their_texts() {
        let english = include_str!("../../../../../i18n/en/inventory.json");
        let english: HashMap<String, String> = serde_json::from_str(english).unwrap();
        assert!(english.len() > 50);
        for (key, en) in &english {
            for lang in Language::SERVED {
                let own = find(lang, key).unwrap();
                assert_eq!(list_places(en), list_places(own), "{lang:?} {key}");
            }
        }
    }

    /// Names of the values that a text takes, those of plurals too.
    fn list_places(text: &str) -> BTreeSet<&str> {
        let names = text
            .split('{')
            .skip(1)
            .filter_map(|part| part.split([',', '}']).next());
        names
            .filter(|name| name.chars().all(|letter| letter.is_ascii_lowercase()))
            .collect()
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
                            let key = format!("{area}.{key}");
                            assert!(find(Language::En, &key).is_some(), "{key}");
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
