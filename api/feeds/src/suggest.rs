//! Writes a first map for a file, from its names and values.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use crate::fields::{FIELDS, Field, Shape, find_column_field, is_language};
use crate::seen::{Seen, SeenName};
use crate::values::kind::{KindRead, read_kind};
use crate::values::words::{fold, read_period};

/// The field that a column could be by its name: by the whole of it, by its last two words, by its last one.
pub(crate) fn suggest_field(name: &str) -> Option<Field> {
    if let Some((field, _)) = find_column_field(name) {
        return Some(field);
    }
    let parts: Vec<&str> = name
        .split('.')
        .filter(|part| (part.len() != 2 || !is_language(part)) && !is_value_name(part))
        .collect();
    let last = parts.last().copied().unwrap_or_default();
    let two = parts[parts.len().saturating_sub(2)..].join(" ");
    [name, two.as_str(), last].into_iter().find_map(find_by_word)
}

/// Names that say nothing of what they hold.
fn is_value_name(part: &str) -> bool {
    matches!(
        part.to_ascii_lowercase().as_str(),
        "@value" | "@language" | "value" | "amount" | "@type" | "@id" | "contenturl" | "@source" | "#text"
    )
}

/// Fields by their keys and words, without spaces; of a word of several fields the first.
static WORDS: LazyLock<HashMap<String, Field>> = LazyLock::new(|| {
    let mut fields = HashMap::new();
    for facts in FIELDS {
        for word in facts.words.iter().chain([&facts.key]) {
            fields.entry(join_words(word)).or_insert(facts.field);
        }
    }
    fields
});

fn find_by_word(name: &str) -> Option<Field> {
    WORDS.get(&join_words(name)).copied()
}

fn join_words(text: &str) -> String {
    fold(text).replace(' ', "")
}

/// A map for the file; the writer reads it over and fills in what it leaves open.
pub(crate) fn write_map(seen: &Seen, list: &str) -> String {
    let mut map = String::from("feed = \"name-of-this-feed\"\n");
    if !list.is_empty() {
        let _ = writeln!(map, "list = {}", quote(list));
    }
    for (key, below) in [("rooms", "rooms"), ("leases", "leases")] {
        if let Some(path) = find_list(seen, below) {
            let _ = writeln!(map, "{key} = {}", quote(&path));
        }
    }
    map.push_str("\n[columns]\n");
    let mut unknown = Vec::new();
    for facts in FIELDS {
        let columns: Vec<&SeenName> = seen
            .names
            .iter()
            .filter(|name| suggest_field(&name.name) == Some(facts.field))
            .collect();
        match (&columns[..], facts.shape) {
            ([], _) => unknown.push(facts.field),
            ([only], _) => {
                let _ = writeln!(map, "{} = {}", facts.key, quote(&only.name));
            }
            (several, Shape::Texts) => write_texts(&mut map, facts.key, several),
            (several, Shape::Many) => {
                let names: Vec<String> = several.iter().map(|name| quote(&name.name)).collect();
                let _ = writeln!(map, "{} = [{}]", facts.key, names.join(", "));
            }
            ([first, others @ ..], Shape::One) => {
                let names: Vec<&str> = others.iter().map(|name| name.name.as_str()).collect();
                let _ = writeln!(
                    map,
                    "{} = {} # or: {}",
                    facts.key,
                    quote(&first.name),
                    names.join(", ")
                );
            }
        }
    }
    write_missing(&mut map, &unknown);
    write_values(&mut map, seen);
    map
}

fn write_texts(map: &mut String, key: &str, columns: &[&SeenName]) {
    for column in columns {
        let tail = column.name.rsplit(['.', '_']).next().unwrap_or_default();
        let language = if is_language(tail) {
            format!("_{tail}")
        } else {
            String::new()
        };
        let line = format!("{key}{language} = ");
        // A second column without a language of its own would be the same key twice.
        if !map.contains(&format!("\n{line}")) {
            let _ = writeln!(map, "{line}{}", quote(&column.name));
        }
    }
}

/// Examples of fields that a home cannot do without and no column gives.
fn write_missing(map: &mut String, unknown: &[Field]) {
    for (field, example) in [
        (Field::PropertyId, "property_id = \"\" # the id of a home"),
        (Field::Country, "country = { value = \"GB\" }"),
        (Field::City, "city = { value = \"\" }"),
        (Field::Currency, "currency = { value = \"GBP\" }"),
        (Field::PricePer, "price_per = { value = \"week\" }"),
    ] {
        if unknown.contains(&field) {
            let _ = writeln!(map, "# {example}");
        }
    }
}

/// Words of the file that mean nothing yet.
fn write_values(map: &mut String, seen: &Seen) {
    for field in [Field::RoomType, Field::PricePer] {
        let reads = |word: &str| match field {
            Field::RoomType => is_known_kind(word),
            _ => is_known_period(word),
        };
        let samples = seen
            .names
            .iter()
            .filter(|name| suggest_field(&name.name) == Some(field))
            .flat_map(|name| &name.samples);
        let unread: Vec<&String> = samples.filter(|word| !reads(word)).collect();
        if !unread.is_empty() {
            let _ = writeln!(map, "\n[values.{}]", field.facts().key);
            for word in unread {
                let _ = writeln!(map, "# {} = \"\"", quote(word));
            }
        }
    }
}

pub(crate) fn is_known_kind(word: &str) -> bool {
    read_kind(word) != KindRead::Unknown
}

pub(crate) fn is_known_period(word: &str) -> bool {
    read_period(word).is_some()
}

fn find_list(seen: &Seen, name: &str) -> Option<String> {
    let found = seen.names.iter().find_map(|seen| {
        let parts: Vec<&str> = seen.name.split('.').collect();
        let place = parts.iter().position(|part| part.eq_ignore_ascii_case(name))?;
        (seen.is_listed && place + 1 < parts.len()).then(|| parts[..=place].join("."))
    });
    found.map(|path| format!("{path}[]"))
}

fn quote(text: &str) -> String {
    let escaped = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::FeedMap;
    use crate::node::Node;

    #[test]
    fn columns_are_recognised_in_five_languages() {
        for (name, key) in [
            ("contract.price.amount", "price"),
            ("contract.deposit.amount", "deposit"),
            ("contract.price.time_period", "price_per"),
            ("Kaltmiete", "price"),
            ("Nebenkosten", "bills_monthly"),
            ("listingReference", "property_id"),
            ("address.postcode", "postal_code"),
            ("title.es", "name"),
            ("neighbourhood_cleansed", "area"),
            ("codigo postal", "postal_code"),
            ("geo.longitude", "lng"),
        ] {
            let found = suggest_field(name).map(|field| field.facts().key);
            assert_eq!(found, Some(key), "{name}");
        }
        assert_eq!(suggest_field("scrape_id").map(|field| field.facts().key), None);
    }

    #[test]
    fn suggested_map_can_be_read() {
        let mut seen = Seen::default();
        let text = |text: &str| Node::Text(text.to_owned());
        let record = Node::Map(vec![
            ("reference".to_owned(), text("A")),
            ("title.en".to_owned(), text("Yard")),
            ("title.es".to_owned(), text("Patio")),
            ("room type".to_owned(), text("Sky \"Pod\"")),
            ("kaltmiete".to_owned(), text("1.050,00")),
        ]);
        seen.note_record(&record, "2026-11-27".parse().unwrap());
        let map = write_map(&seen, "");
        assert!(map.contains("property_id = \"reference\""), "{map}");
        assert!(
            map.contains("name_en = \"title.en\"\nname_es = \"title.es\""),
            "{map}"
        );
        assert!(map.contains("# \"Sky \\\"Pod\\\"\" = \"\""), "{map}");
        assert!(map.contains("# currency = "), "{map}");
        FeedMap::from_toml(&map).unwrap().compile().unwrap();
    }
}
