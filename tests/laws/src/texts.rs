//! Every text stands in each language that has its area.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::checkout::{files, root, shown};
use crate::findings::assert_none;

#[test]
fn both_languages_have_the_same_texts() {
    let folders = ["en", "zh"].map(|language| root().join("i18n").join(language));
    let areas: BTreeSet<OsString> = folders
        .iter()
        .flat_map(|folder| files(folder, &["json"]))
        .filter_map(|file| Some(file.file_name()?.to_owned()))
        .collect();
    assert!(areas.len() > 50, "{} areas were found", areas.len());
    let [english, chinese] = &folders;
    let broken = areas
        .iter()
        .filter_map(|area| missing_texts(&english.join(area), &chinese.join(area)));
    assert_none(broken, "translate it: a missing text fails the build (X10)");
}

/// A further language may have some topics only, but those whole.
#[test]
fn topics_of_further_languages_are_whole() {
    let english = root().join("i18n/en");
    let topics = files(&root().join("i18n"), &["json"]);
    let further = |file: &PathBuf| {
        ["en", "zh"]
            .iter()
            .all(|whole| !file.starts_with(root().join("i18n").join(whole)))
    };
    let broken = topics.into_iter().filter(further).filter_map(|file| {
        let name = file.file_name()?.to_owned();
        missing_texts(&english.join(name), &file)
    });
    assert_none(broken, "translate the whole topic, or take its file away");
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
