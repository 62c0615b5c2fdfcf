//! Every text stands in each language that has its area.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::checkout::{files, root, shown};
use crate::findings::assert_none;

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

/// Tag of each language and whether its texts are complete: `i18n/languages.json` has one language a line.
fn all_languages() -> Vec<(String, bool)> {
    let table = fs::read_to_string(root().join("i18n/languages.json")).unwrap_or_default();
    let lines = table.lines().filter(|line| line.contains("\"complete\": "));
    lines
        .filter_map(|line| {
            let (tag, facts) = line.trim().trim_start_matches('"').split_once('"')?;
            Some((tag.to_owned(), facts.contains("\"complete\": true")))
        })
        .collect()
}

fn complete_languages() -> Vec<String> {
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

/// The keys of a file of texts, one a line, that have a text.
fn keys(texts: &str) -> Vec<String> {
    let lines = texts.lines().filter_map(|line| line.trim().split_once("\": \""));
    lines
        .filter(|(_, text)| !text.starts_with('"'))
        .map(|(key, _)| key.trim_start_matches('"').to_owned())
        .collect()
}

/// A text that is exempt from the glossary exists, and its reason is named.
#[test]
fn exempt_texts_exist_and_name_their_reason() {
    let english: BTreeSet<String> = files(&root().join("i18n/en"), &["json"])
        .iter()
        .flat_map(|file| keys(&fs::read_to_string(file).unwrap_or_default()))
        .collect();
    let exempt = keys(&fs::read_to_string(root().join("i18n/exempt.json")).unwrap_or_default());
    assert!(exempt.len() > 50, "{} exempt texts were found", exempt.len());
    assert!(exempt.is_sorted(), "sort i18n/exempt.json by key");
    let unknown = exempt.into_iter().filter(|key| !english.contains(key));
    assert_none(unknown, "take it out of i18n/exempt.json: no text has this key");
}
