//! The reference pages and the code name the same settings; runbooks are listed, and links of the papers lead somewhere.

use std::collections::BTreeSet;
use std::path::Path;

use crate::checkout::{files, read, root, shown};
use crate::findings::{assert_exempted, assert_none, each, once};

const SETTINGS: &str = "docs/reference/settings.md";
const TESTING: &str = "docs/reference/testing.md";
/// Set by a build script for the compiler alone.
const COMPILED: &str = "LATCHKEY_RULES";

#[test]
fn reference_lists_every_variable_that_is_read() {
    let told = [SETTINGS, TESTING].map(|paper| names(&read(&root().join(paper))));
    let told: BTreeSet<String> = told.into_iter().flatten().collect();
    let read_by_code: BTreeSet<String> = code().iter().flat_map(|file| names(&read(file))).collect();
    assert!(
        read_by_code.len() > 40,
        "{} variables were found",
        read_by_code.len()
    );
    let missing = read_by_code.difference(&told);
    let gone = told
        .difference(&read_by_code)
        .map(|name| format!("{name}: read by no code"));
    let advice =
        "settings stand in docs/reference/settings.md, variables of tests in docs/reference/testing.md";
    assert_exempted(
        &once(missing.map(|name| (name.clone(), "in no page".to_owned()))),
        &each([COMPILED]),
        advice,
    );
    assert_none(gone, advice);
}

#[test]
fn reference_states_the_defaults_of_settings() {
    let config = files(&root().join("api"), &["rs"])
        .into_iter()
        .map(|file| read(&file))
        .find(|text| text.contains("impl Default for Settings {"));
    let config = config.unwrap();
    let page = read(&root().join(SETTINGS));
    assert_none(
        misstated(&config, &page).into_iter(),
        "the defaults are those of `impl Default for Settings`",
    );
}

#[test]
fn runbooks_have_one_form_and_are_listed() {
    let index = read(&root().join("docs/operations.md"));
    let pages = files(&root().join("docs/runbooks"), &["md"]);
    assert!(pages.len() > 20, "{} runbooks were found", pages.len());
    let broken = pages.into_iter().filter(|page| {
        let text = read(page);
        let in_form = ["\n## Symptom\n", "\n## Check\n", "\n## Do\n"]
            .iter()
            .all(|head| text.contains(head));
        let name = page.file_name().unwrap_or_default().to_string_lossy();
        !in_form || !index.contains(&format!("(runbooks/{name})"))
    });
    assert_none(
        broken.map(|page| shown(&page)),
        "a runbook has Symptom, Check and Do, and a row in docs/operations.md",
    );
}

#[test]
fn links_of_the_papers_lead_somewhere() {
    let mut papers = files(&root().join("docs"), &["md"]);
    papers.extend(
        ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"].map(|paper| root().join(paper)),
    );
    let broken = papers.into_iter().flat_map(|paper| {
        let folder = paper.parent().unwrap_or(&paper).to_owned();
        let dead = links(&read(&paper)).into_iter();
        let dead = dead.filter(move |link| !folder.join(link).exists());
        dead.map(move |link| format!("{}: {link}", shown(&paper)))
    });
    assert_none(broken, "link the page where it lies now");
}

#[test]
fn laws_of_the_reference_catch_bad_samples() {
    assert_eq!(
        names("`LATCHKEY_LISTEN`, LATCHKEY_* and LATCHKEY_LOG=info"),
        BTreeSet::from(["LATCHKEY_LISTEN".to_owned(), "LATCHKEY_LOG".to_owned()])
    );
    let config = "impl Default for Settings {\n    hold_seconds: 600,\n    rating: \"4.6\".to_owned(),\n}\n";
    let page = "| `LATCHKEY_HOLD_SECONDS` | `60` | |\n| `LATCHKEY_RATING` | `4.6` | |";
    assert_eq!(misstated(config, page), ["hold_seconds is 600"]);
    assert_eq!(
        links("[a](b.md#c), ![d](e.webp) and [f](https://g.example)"),
        ["b.md", "e.webp"]
    );
}

/// What is compiled or run, without the laws and their bad samples.
fn code() -> Vec<std::path::PathBuf> {
    let mut found = files(&root(), &["rs", "ts", "mjs"]);
    found.retain(|file| !file.starts_with(root().join("tests/laws")));
    found.push(root().join("Makefile"));
    found
}

/// The environment variables of ours that a text names; `LATCHKEY_*` and `LATCHKEY_TEST_` stand for many.
fn names(text: &str) -> BTreeSet<String> {
    let words =
        text.split(|letter: char| !(letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_'));
    words
        .filter(|word| word.starts_with("LATCHKEY_") && !word.ends_with('_'))
        .map(str::to_owned)
        .collect()
}

/// Settings whose row does not hold the number or the text that the code has as default.
fn misstated(config: &str, page: &str) -> Vec<String> {
    let defaults = config.split("impl Default for Settings {").nth(1);
    let defaults = defaults.and_then(|rest| rest.split("\n}").next());
    let lines = defaults.unwrap_or_default().lines();
    let fields = lines.filter_map(|line| line.trim().split_once(": "));
    fields
        .filter_map(|(name, value)| Some((name, literal(value)?)))
        .filter(|(name, value)| {
            let row = format!("| `LATCHKEY_{}` |", name.to_uppercase());
            let row = page.lines().find_map(|line| line.strip_prefix(&row));
            let told = row.and_then(|row| row.split(" |").next());
            told.is_none_or(|told| !told.contains(value.as_str()))
        })
        .map(|(name, value)| format!("{name} is {value}"))
        .collect()
}

/// The text or the number of an expression such as `"data".to_owned()` or `600,`; none for what is empty, unset or computed.
fn literal(value: &str) -> Option<String> {
    let text = value.split('"').nth(1).map(str::to_owned);
    let number = value.trim_end_matches(',');
    let number = number.parse::<u64>().ok().map(|_| number.to_owned());
    text.or(number).filter(|found| !found.is_empty())
}

/// Where the links of a page lead within the repository, without the part of the page.
fn links(text: &str) -> Vec<String> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let inside = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    inside
        .filter_map(|target| target.split('#').next())
        .filter(|target| !target.contains(' ') && Path::new(target).is_relative())
        .map(str::to_owned)
        .collect()
}
