//! Decisions are records of one form, listed in an index; every number that a source names is one of them.

use std::path::Path;

use crate::checkout::{files, read, root, shown};
use crate::findings::assert_none;

/// More records than these are read by nobody: extend the one of the topic.
const RECORDS_MAX: usize = 60;
const PARTS: [&str; 4] = ["## Context", "## Options", "## Decision", "## Consequences"];

/// What the head of a record says.
struct Record {
    file: String,
    number: String,
    title: String,
    text: String,
}

#[test]
fn decisions_are_few_and_numbered_once() {
    let records = records();
    let most = RECORDS_MAX;
    assert!(
        !records.is_empty() && records.len() <= most,
        "{} records, {most} allowed",
        records.len()
    );
    let mut numbers: Vec<&str> = records.iter().map(|record| record.number.as_str()).collect();
    numbers.sort_unstable();
    let twice = numbers.windows(2).filter(|pair| pair[0] == pair[1]);
    assert_none(twice.map(|pair| pair[0].to_owned()), "take the next free number");
}

#[test]
fn decisions_have_status_date_and_all_parts() {
    let numbers: Vec<String> = records().into_iter().map(|record| record.number).collect();
    let broken = records().into_iter().flat_map(|record| {
        let file = record.file.clone();
        faults(&record, &numbers)
            .into_iter()
            .map(move |fault| format!("{file}: {fault}"))
    });
    assert_none(broken, "write the record as the others are written");
}

#[test]
fn decisions_index_lists_every_record() {
    let index = read(&root().join("docs/decisions/README.md"));
    let missing = records().into_iter().filter_map(|record| {
        let row = row(&record);
        (!index.contains(&row)).then_some(row)
    });
    assert_none(missing, "add the row to docs/decisions/README.md");
}

#[test]
fn decisions_named_in_sources_exist() {
    let numbers: Vec<String> = records().into_iter().map(|record| record.number).collect();
    let endings = [
        "rs", "ts", "tsx", "js", "mjs", "css", "sql", "py", "toml", "md", "json",
    ];
    let named = files(&root(), &endings).into_iter().flat_map(|file| {
        named(&read(&file))
            .into_iter()
            .map(|number| (shown(&file), number))
            .collect::<Vec<_>>()
    });
    let broken = named
        .filter(|(_, number)| !numbers.contains(number))
        .map(|(file, number)| format!("{file}: decision {number}"));
    assert_none(broken, "name the record of four digits in docs/decisions");
}

#[test]
fn decisions_laws_catch_bad_samples() {
    // The word in two halves, or this file would break its own law.
    let word = ["deci", "sion"].concat();
    let text = format!("as ruled ({word} 0912, 0013) and {word}s 0001 and\n    /// 0002; {word}\n//! 0003");
    assert_eq!(named(&text), ["0912", "0013", "0001", "0002", "0003"]);
    assert_eq!(named(&["docs/decis", "ions/0044-x.md"].concat()), ["0044"]);
    assert!(named("a decision of 12 people, 3 decisions 4").is_empty());
    let record = Record {
        file: "0001-x.md".to_owned(),
        number: "0001".to_owned(),
        title: "X".to_owned(),
        text: "# 0001 X\n- Status: superseded by 0009\n".to_owned(),
    };
    assert_eq!(faults(&record, &["0001".to_owned()]).len(), 2 + PARTS.len());
}

fn records() -> Vec<Record> {
    let found = files(&root().join("docs/decisions"), &["md"]);
    found
        .iter()
        .filter(|file| !file.ends_with("README.md"))
        .map(|file| record(file))
        .collect()
}

fn record(file: &Path) -> Record {
    let text = read(file);
    let name = file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let number = name.split('-').next().unwrap_or_default().to_owned();
    let heading = text.lines().next().unwrap_or_default();
    let title = heading.trim_start_matches(&format!("# {number} ")).to_owned();
    Record {
        file: name,
        number,
        title,
        text,
    }
}

fn row(record: &Record) -> String {
    let Record {
        file, number, title, ..
    } = record;
    let (status, date) = (line(record, "Status"), line(record, "Date"));
    let day = date.split(',').next().unwrap_or_default();
    format!("| [{number}]({file}) | {title} | {status} | {day} |")
}

/// The value of `- Name: value` in a record's head.
fn line<'r>(record: &'r Record, name: &str) -> &'r str {
    let start = format!("- {name}: ");
    record
        .text
        .lines()
        .find_map(|line| line.strip_prefix(&start))
        .unwrap_or_default()
}

fn faults(record: &Record, numbers: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let heading = format!("# {} ", record.number);
    if record.number.len() != 4 || !record.text.starts_with(&heading) {
        found.push("no heading with its number of four digits".to_owned());
    }
    let status = line(record, "Status");
    let successor = status.strip_prefix("superseded by ");
    if status != "accepted" && !successor.is_some_and(|one| numbers.iter().any(|known| known == one)) {
        found.push(format!("the status `{status}`"));
    }
    let date = line(record, "Date");
    if date.split('-').count() < 3 || !date.starts_with("20") {
        found.push(format!("the date `{date}`"));
    }
    let missing = PARTS.iter().filter(|part| !record.text.contains(**part));
    found.extend(missing.map(|part| format!("no part `{part}`")));
    found
}

/// The numbers behind the word "decision", also over the end of a line of comment, and those of links.
fn named(text: &str) -> Vec<String> {
    let marks = ["//", "///", "//!", "*", "--", "#"];
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| !marks.contains(word))
        .collect();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let word = word.trim_start_matches(|sign: char| !sign.is_alphabetic());
        if word.eq_ignore_ascii_case("decision") || word.eq_ignore_ascii_case("decisions") {
            found.extend(listed(&words[at + 1..]));
        }
    }
    let linked = text.split("docs/decisions/").skip(1).map(digits);
    found.extend(linked.filter(|number| !number.is_empty()).map(str::to_owned));
    found
}

/// Numbers of three digits and more at the start: `0001`, `0001, 0002`, `0001 and 0002`.
fn listed(words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for word in words {
        if ["and", "to"].contains(word) {
            continue;
        }
        let number = digits(word);
        if number.len() < 3 {
            break;
        }
        found.push(number.to_owned());
        if !["", ","].contains(&&word[number.len()..]) {
            break;
        }
    }
    found
}

fn digits(text: &str) -> &str {
    let end = text
        .find(|sign: char| !sign.is_ascii_digit())
        .unwrap_or(text.len());
    &text[..end]
}
