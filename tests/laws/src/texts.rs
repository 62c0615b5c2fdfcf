//! Every text stands in each language that has its area.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::checkout::{files, is_rust, read, root, shown, sources};
use crate::findings::{all, assert_exempted, assert_none};

/// Lines of a file that may name a language, with their reason.
const NAMED: [(&str, usize); 2] = [
    // A preposition in front of a period: `80 € en semaine`.
    ("api/feeds/src/values/words.rs", 1),
    ("catalogue/src/texts.rs", 2),
];
/// Parts of the names of files that hold tests alone.
const TESTS: [&str; 9] = [
    "tests/",
    "tests.rs",
    "story",
    "samples.rs",
    "benches/",
    "simulation/",
    "examples/",
    "conformance",
    "standin",
];

#[test]
fn complete_languages_have_the_same_texts() {
    let english = root().join("i18n/en");
    let areas: BTreeSet<OsString> = complete_languages()
        .iter()
        .flat_map(|tag| text_files(tag))
        .filter_map(|file| Some(file.file_name()?.to_owned()))
        .collect();
    assert!(areas.len() > 50, "{} areas were found", areas.len());
    let broken = complete_languages().into_iter().flat_map(|tag| {
        let folder = root().join("i18n").join(tag);
        let missing = |area: &OsString| missing_texts(&english.join(area), &folder.join(area));
        areas.iter().filter_map(missing).collect::<Vec<_>>()
    });
    assert_none(broken, "translate it: a missing text fails the build (X10)");
}

/// A further language may have some topics only, but those whole.
#[test]
fn topics_of_further_languages_are_whole() {
    let english = root().join("i18n/en");
    let complete = complete_languages();
    let further = all_languages()
        .into_iter()
        .filter(|(tag, _)| !complete.contains(tag));
    let broken = further.flat_map(|(tag, _)| text_files(&tag)).filter_map(|file| {
        let name = file.file_name()?.to_owned();
        missing_texts(&english.join(name), &file)
    });
    assert_none(broken, "translate the whole topic, or take its file away");
}

/// Each folder of texts is a line of `i18n/languages.json`, and each line a folder with its forms.
#[test]
fn every_language_of_the_table_has_its_folder() {
    let table: BTreeSet<String> = all_languages().into_iter().map(|(tag, _)| tag).collect();
    assert!(table.len() > 1, "{table:?}");
    let folders: BTreeSet<String> = files(&root().join("i18n"), &["json"])
        .iter()
        .filter(|file| file.ends_with("forms.json"))
        .filter_map(|file| Some(file.parent()?.file_name()?.to_string_lossy().into_owned()))
        .collect();
    assert_eq!(
        table, folders,
        "add the line to i18n/languages.json, then `make languages`"
    );
}

/// A language is a line of the table and a folder: outside tests, no Rust names one.
#[test]
fn no_rust_names_a_language() {
    let names: Vec<String> = all_languages()
        .iter()
        .flat_map(|(tag, _)| names_in_rust(tag))
        .collect();
    assert!(names_a_language("Language::Zh => 1,", &names));
    let shipped = sources().into_iter().filter(|file| {
        let name = shown(file);
        is_rust(file) && !TESTS.iter().any(|part| name.contains(part))
    });
    let found = shipped.flat_map(|file| {
        let text = read(&file);
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let lines = code.lines().filter(|line| names_a_language(line, &names));
        let lines = lines.map(|line| (shown(&file), line.trim().to_owned()));
        lines.collect::<Vec<_>>()
    });
    assert_exempted(
        &all(found),
        &NAMED.map(|(file, count)| (file.to_owned(), count)).into(),
        "ask the table: `Language::SERVED`, `Language::default()`, a form of `forms.json`, a text",
    );
}

fn names_in_rust(tag: &str) -> [String; 3] {
    let variant = tag[..1].to_ascii_uppercase() + &tag[1..];
    [
        format!("\"{tag}\""),
        format!("i18n/{tag}/"),
        format!("Language::{variant}"),
    ]
}

fn names_a_language(line: &str, names: &[String]) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    names.iter().any(|name| code.contains(name.as_str()))
}

/// Tag of each language and whether its texts are complete: `i18n/languages.json` has one language a line.
pub(crate) fn all_languages() -> Vec<(String, bool)> {
    let table = fs::read_to_string(root().join("i18n/languages.json")).unwrap_or_default();
    let lines = table.lines().filter(|line| line.contains("\"complete\": "));
    lines
        .filter_map(|line| {
            let (tag, facts) = line.trim().trim_start_matches('"').split_once('"')?;
            Some((tag.to_owned(), facts.contains("\"complete\": true")))
        })
        .collect()
}

pub(crate) fn complete_languages() -> Vec<String> {
    let complete = all_languages().into_iter().filter(|(_, complete)| *complete);
    complete.map(|(tag, _)| tag).collect()
}

/// A language's texts; its forms are no texts.
fn text_files(tag: &str) -> Vec<PathBuf> {
    let mut texts = files(&root().join("i18n").join(tag), &["json"]);
    texts.retain(|file| !file.ends_with("forms.json"));
    texts
}

fn missing_texts(english: &Path, chinese: &Path) -> Option<String> {
    let keys = |file: &Path| keys(&fs::read_to_string(file).unwrap_or_default());
    let (one, other) = (keys(english), keys(chinese));
    let missing: Vec<_> = one
        .iter()
        .filter(|key| !other.contains(key))
        .chain(other.iter().filter(|key| !one.contains(key)))
        .cloned()
        .collect();
    (!missing.is_empty()).then(|| format!("{}: {}", shown(english), missing.join(", ")))
}

/// The texts of a language by their keys.
pub(crate) fn texts_of(tag: &str) -> BTreeMap<String, String> {
    let files = text_files(tag).into_iter();
    files
        .flat_map(|file| texts(&fs::read_to_string(file).unwrap_or_default()))
        .collect()
}

/// Keys of texts that are exempt from the glossary.
pub(crate) fn exempt_texts() -> Vec<String> {
    keys(&fs::read_to_string(root().join("i18n/exempt.json")).unwrap_or_default())
}

/// The keys of a file of texts, one a line, that have a text.
fn keys(file: &str) -> Vec<String> {
    texts(file).into_iter().map(|(key, _)| key).collect()
}

/// Keys and texts of a file, one a line; none that is empty. Escapes other than of quotes and line breaks are read by no law.
fn texts(file: &str) -> Vec<(String, String)> {
    let lines = file.lines().filter_map(|line| line.trim().split_once("\": \""));
    lines
        .filter(|(_, text)| !text.starts_with('"'))
        .map(|(key, text)| {
            let text = text.trim_end_matches(',').trim_end_matches('"');
            let text = text.replace("\\n", "\n").replace("\\\"", "\"");
            (key.trim_start_matches('"').to_owned(), text)
        })
        .collect()
}

/// A text that is exempt from the glossary exists, and its reason is named.
#[test]
fn exempt_texts_exist_and_name_their_reason() {
    let english: BTreeSet<String> = files(&root().join("i18n/en"), &["json"])
        .iter()
        .flat_map(|file| keys(&fs::read_to_string(file).unwrap_or_default()))
        .collect();
    let exempt = exempt_texts();
    assert!(exempt.len() > 50, "{} exempt texts were found", exempt.len());
    assert!(exempt.is_sorted(), "sort i18n/exempt.json by key");
    let unknown = exempt.into_iter().filter(|key| !english.contains(key));
    assert_none(unknown, "take it out of i18n/exempt.json: no text has this key");
}
