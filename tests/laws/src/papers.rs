//! What the papers say is so: files they name, numbers of decisions, sentences of the server.

use std::path::Path;

use crate::checkout::{files, read, root, shown};
use crate::findings::assert_none;

/// The papers that name files of the house.
const PAPERS: [&str; 7] = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/architecture.md",
    "docs/glossary.md",
    "docs/operations.md",
    "docs/overview.md",
];

#[test]
fn the_papers_name_files_that_are_there() {
    let all: Vec<String> = files(&root(), &["rs", "ts", "tsx", "md", "json", "sql", "csv", "mjs"])
        .iter()
        .map(|file| shown(file))
        .collect();
    let broken = PAPERS.iter().flat_map(|paper| {
        let text = read(&root().join(paper));
        lost_files(&text, &all)
            .into_iter()
            .map(move |name| format!("{paper}: `{name}`"))
    });
    assert_none(broken, "name the file where it lives now");
}

#[test]
fn what_the_server_says_stands_in_every_language() {
    let sources = files(&root().join("api"), &["rs"]);
    let keys: Vec<String> = sources.iter().flat_map(|file| said(&read(file))).collect();
    assert!(keys.len() > 90, "{} sentences were found", keys.len());
    let broken = ["en", "zh"].into_iter().flat_map(|language| {
        let folder = root().join("i18n").join(language);
        let texts = ["refusal", "validation", "desk"].map(|area| read(&folder.join(format!("{area}.json"))));
        let lacks = |key: &&String| !texts.iter().any(|text| text.contains(&format!("\"{key}\":")));
        keys.iter()
            .filter(lacks)
            .map(|key| format!("{language}: {key}"))
            .collect::<Vec<_>>()
    });
    assert_none(
        broken,
        "write the sentence into i18n/{en,zh}/refusal.json: people read no literals",
    );
}

#[test]
fn every_code_of_a_refusal_has_its_sentence() {
    let sources = files(&root().join("api"), &["rs"]);
    let codes: Vec<String> = sources.iter().flat_map(|file| codes(&read(file))).collect();
    assert!(!codes.is_empty(), "no code was found");
    let broken = ["en", "zh"].into_iter().flat_map(|language| {
        let text = read(&root().join("i18n").join(language).join("refusal.json"));
        let lacks = |code: &&String| !text.contains(&format!("\"refusal.{code}\":"));
        codes
            .iter()
            .filter(lacks)
            .map(|code| format!("{language}: {code}"))
            .collect::<Vec<_>>()
    });
    assert_none(
        broken,
        "write the sentence into i18n/{en,zh}/refusal.json: people read no codes",
    );
}

/// The codes of refusals in a source that have no sentence of their own choice (`impl Rejected` without `said`).
fn codes(source: &str) -> Vec<String> {
    let blocks = source.split("impl Rejected for ").skip(1);
    let blocks = blocks.filter_map(|rest| rest.split("\n}").next());
    let plain = blocks.filter(|block| !block.contains("fn said"));
    plain
        .flat_map(|block| block.split("=> \"").skip(1))
        .filter_map(|rest| rest.split('"').next())
        .map(str::to_owned)
        .collect()
}

/// The keys of `say("…")` in a source.
fn said(source: &str) -> Vec<String> {
    source
        .split("say(\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn files_that_are_lost_are_found() {
    assert_eq!(
        lost_files(
            "see `api/src/nowhere.rs` and `main.rs`",
            &["api/src/main.rs".to_owned()]
        ),
        ["api/src/nowhere.rs"]
    );
}

/// Names of source files in back-ticks that no file ends with.
fn lost_files(text: &str, all: &[String]) -> Vec<String> {
    let is_file = |word: &&str| {
        let ending = Path::new(word).extension().and_then(|ending| ending.to_str());
        let known =
            ending.is_some_and(|ending| ["rs", "ts", "tsx", "md", "json", "sql", "csv"].contains(&ending));
        known && !word.starts_with('/') && !word.contains([' ', '<', '{', '*', '…'])
    };
    let there = |name: &str| {
        all.iter()
            .any(|file| file == name || file.ends_with(&format!("/{name}")))
    };
    let words = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    words
        .filter(is_file)
        .filter(|name| !there(name))
        .map(str::to_owned)
        .collect()
}
