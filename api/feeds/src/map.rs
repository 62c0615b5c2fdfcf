//! The map of a feed, as its writer states it: which column is which field, what the feed does not say, what its words mean.

use std::collections::BTreeMap;

use domain::typed_number::DecimalSign;
use encoding_rs::Encoding;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tabular::day::DayOrder;

use crate::fields::{FIELDS, Field, find_field};
use crate::node::is_same_name;
use crate::path::Path;

/// A map as TOML. docs/import/feeds.md says what each part means.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeedMap {
    /// The feed's name.
    #[serde(default = "default_feed")]
    pub feed: String,
    /// The list of homes: `branches[].properties[]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    list: Option<String>,
    /// The list of rooms within a home: `rooms[]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rooms: Option<String>,
    /// The list of leases, its rooms' path before it: `rooms[].leases[]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    leases: Option<String>,
    /// Field to column, columns, constant or a table of these.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    columns: BTreeMap<String, Value>,
    /// Field to the words of the feed and what they mean.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    values: BTreeMap<String, BTreeMap<String, Value>>,
    /// Columns whose empty cells repeat the cell above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fill_down: Vec<String>,
    /// Column to beginnings of cells whose rows are no homes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    skip: BTreeMap<String, Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    decimal: Option<DecimalSign>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    separator: Option<char>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    encoding: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    day_order: Option<WrittenOrder>,
    /// The language of texts that say none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    doubtful: Option<Doubtful>,
}

/// Whether a rent is taken that is far from the others, or in another currency than the country's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Doubtful {
    #[default]
    Reject,
    Accept,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WrittenOrder {
    DayFirst,
    MonthFirst,
}

/// Stands in a map's values for every word that they do not list.
const ANY_WORD: &str = "*";

/// The name of every feed that is given none.
pub const SHARED_FEED: &str = "import";

fn default_feed() -> String {
    SHARED_FEED.to_owned()
}

/// Where a field's values come from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Column {
    pub paths: Vec<Path>,
    /// Of every record; wins over nothing but silence where there are paths too.
    pub constant: Option<String>,
    /// Signs that part the values of one cell.
    pub split: Option<String>,
    /// Which part of a split cell: 1 is the first, -1 the last.
    pub part: Option<i64>,
    /// `cents`, `weeks`, `sqft`.
    pub unit: Option<String>,
    /// The language of the texts.
    pub language: Option<String>,
}

/// A map whose parts have been checked; nothing is known of the file yet.
#[derive(Debug, Clone)]
pub(crate) struct Compiled {
    pub list: Option<String>,
    pub rooms: Option<Path>,
    pub leases: Option<Path>,
    pub columns: BTreeMap<Field, Vec<Column>>,
    /// Meanings of words; an empty one is *not said*.
    pub values: BTreeMap<Field, Vec<(String, String)>>,
    pub fill_down: Vec<String>,
    pub skip: BTreeMap<String, Vec<String>>,
    pub decimal: Option<DecimalSign>,
    pub separator: Option<char>,
    pub encoding: Option<&'static Encoding>,
    pub day_order: Option<DayOrder>,
    pub language: String,
    pub doubtful: Doubtful,
    /// Whether values of columns are kept that no field reads: a person is shown them.
    pub keeps_all: bool,
}

impl FeedMap {
    /// Reads a map.
    ///
    /// # Errors
    /// One sentence naming what cannot be used.
    pub fn from_toml(toml: &str) -> Result<Self, String> {
        use figment::providers::{Format, Toml};
        figment::Figment::from(Toml::string(toml))
            .extract()
            .map_err(|error| error.to_string())
    }

    /// Reads a map that is written as JSON, under the same names.
    ///
    /// # Errors
    /// One sentence naming what cannot be used.
    pub fn from_json(json: &str) -> Result<Self, String> {
        let map: Self = serde_json::from_str(json).map_err(|error| format!("the map: {error}"))?;
        map.compile()?;
        Ok(map)
    }

    /// The map as JSON: what it does not say is left out.
    ///
    /// # Errors
    /// One sentence where it cannot be written.
    pub fn to_json(&self) -> Result<String, String> {
        serde_json::to_string(self).map_err(|error| format!("the map cannot be kept: {error}"))
    }

    /// Whether a file is read into the same columns under both.
    pub fn opens_alike(&self, other: &Self) -> bool {
        (&self.list, self.separator, &self.encoding) == (&other.list, other.separator, &other.encoding)
    }

    /// Whether it names a field, in any language.
    pub(crate) fn names_field(&self, field: Field) -> bool {
        let mut named = self.columns.keys().filter_map(|name| find_field(name));
        named.any(|(known, _)| known == field)
    }

    /// Checks the map and reads its paths.
    ///
    /// # Errors
    /// One sentence naming what cannot be used.
    pub(crate) fn compile(&self) -> Result<Compiled, String> {
        let mut columns: BTreeMap<Field, Vec<Column>> = BTreeMap::new();
        for (name, written) in &self.columns {
            let (field, language) = find_named(name)?;
            let mut column = read_column(name, written)?;
            column.language = column.language.or(language);
            columns.entry(field).or_default().push(column);
        }
        let mut values: BTreeMap<Field, Vec<(String, String)>> = BTreeMap::new();
        for (name, words) in &self.values {
            let (field, _) = find_named(name)?;
            let meanings = words.iter().map(|(word, meaning)| {
                let meaning = read_plain(meaning)
                    .ok_or_else(|| format!("the map's value `{name}.{word}` means one word"))?;
                Ok((word.clone(), meaning))
            });
            values.insert(field, meanings.collect::<Result<_, String>>()?);
        }
        let encoding = match &self.encoding {
            None => None,
            Some(label) => {
                let found = Encoding::for_label(label.as_bytes());
                Some(found.ok_or_else(|| format!("the map's encoding `{label}` is not known"))?)
            }
        };
        Ok(Compiled {
            list: self.list.clone(),
            rooms: self.rooms.as_deref().map(Path::parse),
            leases: self.leases.as_deref().map(Path::parse),
            columns,
            values,
            fill_down: self.fill_down.clone(),
            skip: self.skip.clone(),
            decimal: self.decimal,
            separator: self.separator,
            encoding,
            day_order: self.day_order.map(|order| match order {
                WrittenOrder::DayFirst => DayOrder::DayFirst,
                WrittenOrder::MonthFirst => DayOrder::MonthFirst,
            }),
            language: self
                .language
                .clone()
                .unwrap_or_else(|| crate::home::UNDETERMINED.to_owned()),
            doubtful: self.doubtful.unwrap_or_default(),
            keeps_all: false,
        })
    }
}

impl Default for FeedMap {
    /// The map of a file that has the house's own names.
    fn default() -> Self {
        Self {
            feed: default_feed(),
            list: None,
            rooms: None,
            leases: None,
            columns: BTreeMap::new(),
            values: BTreeMap::new(),
            fill_down: Vec::new(),
            skip: BTreeMap::new(),
            decimal: None,
            separator: None,
            encoding: None,
            day_order: None,
            language: None,
            doubtful: None,
        }
    }
}

impl Compiled {
    /// The meaning of a word for a field, else that of [`ANY_WORD`]; the word itself where the map says nothing of it.
    pub(crate) fn translate<'t>(&'t self, field: Field, word: &'t str) -> &'t str {
        let meanings = self.values.get(&field).map_or(&[][..], Vec::as_slice);
        let find = |wanted: &str| meanings.iter().find(|(known, _)| is_same_name(known, wanted));
        find(word)
            .or_else(|| find(ANY_WORD))
            .map_or(word, |(_, meaning)| meaning.as_str())
    }
}

fn find_named(name: &str) -> Result<(Field, Option<String>), String> {
    find_field(name).ok_or_else(|| {
        let known: Vec<&str> = FIELDS.iter().map(|facts| facts.key).collect();
        format!("the map's field `{name}` is not one of: {}", known.join(", "))
    })
}

/// A column's name, a list of names, or a table.
fn read_column(name: &str, written: &Value) -> Result<Column, String> {
    let unread = |part: &str| {
        format!(
            "the map's `{name}`: {part}. Write a column's name, a list of names, or a table such as {{ value = \"GB\" }}"
        )
    };
    let Value::Object(table) = written else {
        let paths = read_paths(written).ok_or_else(|| unread("it is no name of a column"))?;
        return Ok(Column {
            paths,
            ..Column::default()
        });
    };
    let mut column = Column::default();
    for (key, value) in table {
        let text = || read_plain(value).ok_or_else(|| unread(&format!("`{key}` is no text")));
        match key.as_str() {
            "column" | "columns" => {
                column.paths = read_paths(value).ok_or_else(|| unread("`column` is no name"))?;
            }
            "value" => column.constant = Some(text()?),
            "split" => column.split = Some(text()?),
            "unit" => column.unit = Some(text()?.to_lowercase()),
            "language" => column.language = Some(text()?),
            "part" => {
                let part = value.as_i64().filter(|part| *part != 0);
                column.part =
                    Some(part.ok_or_else(|| unread("`part` is 1 for the first and -1 for the last"))?);
            }
            other => return Err(unread(&format!("`{other}` is not known"))),
        }
    }
    if column.paths.is_empty() && column.constant.is_none() {
        return Err(unread("it names neither `column` nor `value`"));
    }
    if column.part.is_some() && column.split.is_none() {
        return Err(unread("`part` needs `split`"));
    }
    Ok(column)
}

fn read_paths(value: &Value) -> Option<Vec<Path>> {
    let path = |value: &Value| {
        let text = value.as_str().filter(|text| !text.trim().is_empty())?;
        Some(Path::parse(text))
    };
    match value {
        Value::Array(names) if !names.is_empty() => names.iter().map(path).collect(),
        single => Some(vec![path(single)?]),
    }
}

/// A text, a number or a flag as a text.
fn read_plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compile(toml: &str) -> Result<Compiled, String> {
        FeedMap::from_toml(toml)?.compile()
    }

    #[test]
    fn columns_are_names_lists_constants_and_tables() {
        let map = compile(
            "feed = \"x\"\nlist = \"homes[]\"\nrooms = \"rooms[]\"\n[columns]\nname_en = \"title\"\nphotos = [\"a\", \"b\"]\n\
             country = { value = \"GB\" }\ncity = { column = \"address\", split = \",\", part = -5 }\n\
             price = { column = \"rent?\", unit = \"cents\" }\n[values]\nroom_type.\"Premium Twin\" = \"shared_room\"\n\
             price_per.52 = \"week\"\nbookable = { 0 = \"no\", \"*\" = \"yes\" }\n",
        )
        .unwrap();
        let column = |field: Field| &map.columns[&field][0];
        assert_eq!(column(Field::Name).language.as_deref(), Some("en"));
        assert_eq!(column(Field::Photos).paths.len(), 2);
        assert_eq!(column(Field::Country).constant.as_deref(), Some("GB"));
        assert_eq!(column(Field::City).part, Some(-5));
        assert!(column(Field::Price).paths[0].is_optional);
        assert_eq!(map.translate(Field::RoomType, "premium twin"), "shared_room");
        assert_eq!(map.translate(Field::PricePer, "52"), "week");
        assert_eq!(map.translate(Field::PricePer, "month"), "month");
        let bookable = ["0", "1", "365"].map(|days| map.translate(Field::Bookable, days));
        assert_eq!(bookable, ["no", "yes", "yes"]);
    }

    #[test]
    fn map_of_json_is_the_map_of_toml() {
        let toml = "feed = \"x\"\nseparator = \";\"\ndecimal = \",\"\nday_order = \"day_first\"\ndoubtful = \"accept\"\n\
                    [columns]\nname_en = \"title\"\ncountry = { value = \"GB\" }\n[values]\nprice_per.52 = \"week\"\n";
        let map = FeedMap::from_toml(toml).unwrap();
        let json = map.to_json().unwrap();
        let again = FeedMap::from_json(&json).unwrap();
        assert_eq!(again.to_json().unwrap(), json);
        assert!(again.opens_alike(&map) && !again.opens_alike(&FeedMap::default()));
        assert!(map.names_field(Field::Name) && !map.names_field(Field::City));
        assert_eq!(FeedMap::default().to_json().unwrap(), "{\"feed\":\"import\"}");
        let error = FeedMap::from_json("{\"columns\":{\"colour\":\"x\"}}").unwrap_err();
        assert!(error.contains("`colour` is not one of"), "{error}");
        assert!(FeedMap::from_json("{\"sheet\":2}").unwrap_err().contains("sheet"));
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        for (toml, said) in [
            (
                "[columns]\ncolour = \"x\"",
                "the map's field `colour` is not one of: property_id,",
            ),
            (
                "[columns]\nname = 5",
                "the map's `name`: it is no name of a column",
            ),
            ("[columns]\nname = { colum = \"x\" }", "`colum` is not known"),
            (
                "[columns]\nname = { part = 1, column = \"x\" }",
                "`part` needs `split`",
            ),
            ("encoding = \"latin-99\"", "`latin-99` is not known"),
            ("sheet = 2", "sheet"),
        ] {
            let error = compile(toml).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}
