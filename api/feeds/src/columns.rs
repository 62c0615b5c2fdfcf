//! The columns of a file for a person who writes its map: the first values of each, the field that reads it, and words that mean nothing
//! yet.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{FIELDS, Field, Level, Shape, is_language};
use crate::map::{Compiled, FeedMap};
use crate::plan::{Plan, bind_map};
use crate::read::survey_feed;
use crate::seen::{Seen, SeenName};
use crate::source::{Format, Source};
use crate::suggest::{is_known_kind, is_known_period};

/// Stands for bytes that are no letters in the encoding of the file.
const UNREADABLE: char = '\u{fffd}';
/// Columns that a person is shown.
const COLUMNS_MAX: usize = 300;
/// Words that a map may give a kind of room, one for each.
const KINDS: [&str; 6] = [
    "private room",
    "ensuite room",
    "studio",
    "shared room",
    "bed in shared room",
    "entire place",
];
/// The same of periods.
const PERIODS: [&str; 5] = ["night", "week", "month", "quarter", "year"];

/// A field that a map can name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FeedField {
    pub key: String,
    /// `home`, `room` or `lease`: the thing that it is a fact of.
    pub level: String,
    /// `one` value, `texts` by language (`name_en`) or `many`.
    pub shape: String,
}

/// A column of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FeedColumn {
    /// As a map names it.
    pub name: String,
    /// The first different values.
    pub samples: Vec<String>,
    /// The field that reads it under the map; null where nothing does.
    pub field: Option<String>,
    /// The field that an unused column could be.
    pub could_be: Option<String>,
    /// Whether the map names it; else it is read by its own name.
    pub is_mapped: bool,
    /// Words of the first values, where they name kinds of rooms or periods.
    pub words: Vec<FeedWord>,
}

/// A word of a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FeedWord {
    pub word: String,
    /// Its meaning by the map.
    pub meaning: Option<String>,
    /// Whether it can be read; an unknown word says nothing.
    pub is_known: bool,
}

/// A file as its columns show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedColumns {
    pub format: Format,
    /// Where the homes were found: the path of a list, or nothing.
    pub list: String,
    /// Rows or objects.
    pub records: u64,
    /// Whether first values hold bytes that are no letters: the file is written in another encoding.
    pub has_unreadable_letters: bool,
    pub columns: Vec<FeedColumn>,
}

/// Every field that a map can name, in the order of the documentation.
pub fn list_fields() -> Vec<FeedField> {
    let fields = FIELDS.iter().map(|facts| FeedField {
        key: facts.key.to_owned(),
        level: match facts.level {
            Level::Home => "home",
            Level::Room => "room",
            Level::Lease => "lease",
        }
        .to_owned(),
        shape: match facts.shape {
            Shape::One => "one",
            Shape::Texts => "texts",
            Shape::Many => "many",
        }
        .to_owned(),
    });
    fields.collect()
}

/// Words that a map may give kinds of rooms, then those of periods.
pub const fn list_meanings() -> (&'static [&'static str], &'static [&'static str]) {
    (&KINDS, &PERIODS)
}

/// Lists the columns of a file with the fields that read them under a map.
///
/// # Errors
/// One sentence where the file cannot be read, or the map names a column that it lacks.
pub fn list_columns(source: &dyn Source, map: &FeedMap, today: NaiveDate) -> Result<FeedColumns, String> {
    let mut compiled = map.compile()?;
    compiled.keeps_all = true;
    let survey = survey_feed(source, &compiled, today)?;
    if let Some(broken) = survey.broken {
        return Err(broken);
    }
    if survey.seen.records == 0 {
        return Err(
            "the file has no rows: its first line names columns, and a home stands on each line below"
                .to_owned(),
        );
    }
    let plan = bind_map(compiled, &survey.seen, survey.format, today)?;
    let names = survey.seen.names.iter().take(COLUMNS_MAX);
    let columns: Vec<FeedColumn> = names.map(|seen| describe_column(&plan, map, seen)).collect();
    let is_unreadable = |seen: &SeenName| {
        let mut texts = seen.samples.iter().chain([&seen.name]);
        texts.any(|text| text.contains(UNREADABLE))
    };
    Ok(FeedColumns {
        format: survey.format,
        list: survey.list.join("."),
        records: survey.seen.records,
        has_unreadable_letters: survey.seen.names.iter().any(is_unreadable),
        columns,
    })
}

/// Checks a map against the names of a file's columns, without the file.
///
/// # Errors
/// One sentence that names the field or the column.
pub fn check_map(map: &FeedMap, columns: &[String]) -> Result<(), String> {
    let compiled = map.compile()?;
    let mut seen = Seen::default();
    for column in columns {
        seen.note_column(column);
    }
    crate::plan::check_columns(&compiled, &seen)
}

fn describe_column(plan: &Plan, map: &FeedMap, seen: &SeenName) -> FeedColumn {
    let reader = find_reader(plan, &seen.name);
    let field = reader.as_ref().map(|(field, _)| *field);
    let unused = plan.unused.iter().find(|(name, _)| *name == seen.name);
    FeedColumn {
        name: seen.name.clone(),
        samples: seen.samples.clone(),
        field: reader.map(|(field, language)| write_key(field, language.as_deref())),
        could_be: unused.and_then(|(_, could_be)| *could_be).map(str::to_owned),
        is_mapped: field.is_some_and(|field| map.names_field(field)),
        words: field.map_or_else(Vec::new, |field| list_words(&plan.map, field, seen)),
    }
}

/// The first field that reads a column, with the language of its texts.
fn find_reader(plan: &Plan, name: &str) -> Option<(Field, Option<String>)> {
    plan.columns.iter().find_map(|(field, bounds)| {
        let bound = bounds
            .iter()
            .find(|bound| bound.column.paths.iter().any(|path| path.leads_to(name)))?;
        Some((*field, bound.column.language.clone()))
    })
}

/// The field as a map writes it: `name_zh`.
fn write_key(field: Field, language: Option<&str>) -> String {
    let facts = field.facts();
    match language {
        Some(tag) if facts.shape == Shape::Texts && is_language(tag) => format!("{}_{tag}", facts.key),
        _ => facts.key.to_owned(),
    }
}

/// The words of a column that names kinds or periods, each with what it means.
fn list_words(map: &Compiled, field: Field, seen: &SeenName) -> Vec<FeedWord> {
    let is_read: fn(&str) -> bool = match field {
        Field::RoomType => is_known_kind,
        Field::PricePer => is_known_period,
        _ => return Vec::new(),
    };
    let words = seen.samples.iter().map(|word| {
        let meaning = map.translate(field, word);
        FeedWord {
            word: word.clone(),
            meaning: (meaning != word).then(|| meaning.to_owned()),
            is_known: is_read(meaning),
        }
    });
    words.collect()
}

/// Suggests a map for a file, from its names and values; what it leaves open a person fills in.
///
/// # Errors
/// One sentence where the file cannot be read.
pub fn suggest_feed_map(source: &dyn Source, today: NaiveDate) -> Result<FeedMap, String> {
    FeedMap::from_toml(&crate::read::suggest_map(source, today)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHEET: &str = "ref,title_zh,room type,epc,miete\nA-1,考尔德苑,Sky Pod,C,168\nA-2,x,Studio,B,170\n";
    const MAP: &str = "[columns]\nproperty_id = \"ref\"\nname_zh = \"title_zh\"\n[values]\nroom_type.\"Sky Pod\" = \"shared room\"\n";

    fn list(text: &str, map: &str) -> Result<FeedColumns, String> {
        let source: Vec<u8> = text.into();
        let map = FeedMap::from_toml(map).unwrap();
        list_columns(&source, &map, "2026-11-27".parse().unwrap())
    }

    #[test]
    fn columns_say_what_reads_them_and_which_words_are_open() {
        let found = list(SHEET, MAP).unwrap();
        assert_eq!(
            (found.format, found.records, found.has_unreadable_letters),
            (Format::Csv, 2, false)
        );
        let column = |name: &str| found.columns.iter().find(|column| column.name == name).unwrap();
        assert_eq!(column("ref").field.as_deref(), Some("property_id"));
        assert_eq!(column("title_zh").field.as_deref(), Some("name_zh"));
        assert!(column("ref").is_mapped && !column("room type").is_mapped);
        let words = &column("room type").words;
        assert_eq!(words[0].meaning.as_deref(), Some("shared room"));
        assert!(words.iter().all(|word| word.is_known), "{words:?}");
        assert!(!list(SHEET, "").unwrap().columns[2].words[0].is_known);
        let epc = column("epc");
        assert_eq!((&epc.field, &epc.could_be), (&None, &None));
        assert_eq!(epc.samples, ["C", "B"]);
    }

    #[test]
    fn meanings_that_are_offered_can_be_read() {
        let (kinds, periods) = list_meanings();
        assert!(kinds.iter().all(|word| is_known_kind(word)), "{kinds:?}");
        assert!(periods.iter().all(|word| is_known_period(word)), "{periods:?}");
        assert_eq!(list_fields().len(), FIELDS.len());
    }

    #[test]
    fn file_that_is_no_feed_is_refused() {
        assert!(list("ref,title\n", "").unwrap_err().contains("no rows"));
        let error = list(SHEET, "[columns]\nname = \"titel\"\n").unwrap_err();
        assert!(error.contains("`titel`"), "{error}");
        let names = ["ref".to_owned()];
        let map = FeedMap::from_toml("[columns]\nname = \"titel\"\n").unwrap();
        assert!(check_map(&map, &names).unwrap_err().contains("`titel`"));
        let latin: Vec<u8> = b"ref,name\nA,M\xfcller\n".to_vec();
        let read = list_columns(&latin, &FeedMap::default(), "2026-11-27".parse().unwrap());
        assert!(read.unwrap().has_unreadable_letters);
    }

    #[test]
    fn suggested_map_fits_its_file() {
        let source: Vec<u8> = "reference,title.en,kaltmiete\nA,Yard,168\n".into();
        let today = "2026-11-27".parse().unwrap();
        let map = suggest_feed_map(&source, today).unwrap();
        let columns = list_columns(&source, &map, today).unwrap().columns;
        let fields: Vec<Option<&str>> = columns.iter().map(|column| column.field.as_deref()).collect();
        assert_eq!(fields, [Some("property_id"), Some("name"), Some("price")]);
    }
}
