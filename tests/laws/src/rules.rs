//! Every rule that code names by a number has its entry in docs/rules, and every entry is named somewhere.

use std::collections::BTreeSet;
use std::path::Path;

use crate::checkout::{files, read, root, shown};
use crate::findings::{assert_exempted, assert_none, each, once};

/// The pages of the rules themselves.
const NOT_READ: [&str; 1] = ["docs/rules/"];
/// Of the files whose comments name rules.
const ENDINGS: [&str; 9] = ["rs", "ts", "tsx", "mjs", "css", "sql", "py", "toml", "md"];
/// Letters of rules. Those in `ROW_LETTERS` number the rows of features; `D` and `G` number both.
const LETTERS: &str = "ABCDEFGHIJNPRSTWX";
const ROW_LETTERS: &str = "ABCEFHIJN";
/// `D80-D87` names each rule between; what spans more than this is no range of rules.
const LONGEST_RANGE: usize = 12;
/// Signs before a letter that make it part of something else: an address, a hex number, a version, code.
const JOINED: &str = "_#%$.\\/&+=`\"-";

#[test]
fn rules_named_in_code_have_entries() {
    let entries = entries();
    assert!(entries.len() > 200, "{} entries were found", entries.len());
    let broken = named_by_file(&entries).into_iter().flat_map(|(file, rules)| {
        let lost = rules.into_iter().filter(|rule| !entries.contains(rule));
        lost.map(|rule| format!("{file}: {rule}")).collect::<Vec<_>>()
    });
    assert_none(broken, "write the rule into docs/rules, or name the right one");
}

#[test]
fn rules_leave_out_only_folders_that_need_it() {
    let entries = entries();
    let found = NOT_READ.iter().flat_map(|folder| {
        let named = files(&root().join(folder), &ENDINGS)
            .into_iter()
            .flat_map(|file| rules(&read(&file), &file, &entries));
        named.map(|rule| ((*folder).to_owned(), rule)).collect::<Vec<_>>()
    });
    assert_exempted(&once(found), &each(NOT_READ), "name the folder in NOT_READ");
}

#[test]
fn rules_in_docs_are_named_somewhere() {
    let entries = entries();
    let named: BTreeSet<String> = named_by_file(&entries)
        .into_iter()
        .flat_map(|(_, rules)| rules)
        .collect();
    let idle = entries.iter().filter(|entry| !named.contains(*entry)).cloned();
    assert_none(
        idle,
        "name the rule where it is kept, or take it out of docs/rules",
    );
}

#[test]
fn rules_index_lists_every_entry() {
    let index = read(&root().join("docs/rules/README.md"));
    let missing = anchors()
        .into_iter()
        .filter(|(page, anchor)| !index.contains(&format!("({page}#{anchor})")))
        .map(|(page, anchor)| format!("{page}#{anchor}"));
    assert_none(
        missing,
        "add the entry to the second table of docs/rules/README.md",
    );
    let mut all: Vec<String> = anchors().into_iter().map(|(_, anchor)| anchor).collect();
    all.sort();
    let twice = all
        .windows(2)
        .filter(|pair| pair[0] == pair[1])
        .map(|pair| pair[0].clone());
    assert_none(twice, "a rule has one entry");
}

#[test]
fn rules_law_catches_bad_samples() {
    let entries: BTreeSet<String> = ["D2", "Row D2", "Row F6", "Spec §9"].map(str::to_owned).into();
    let named = |line: &str| rules(&format!("// {line}"), Path::new("a.rs"), &entries);
    assert_eq!(named("kept for so long (D97, R7)"), ["D97", "R7"]);
    assert_eq!(named("one by one (D80-D82; X4)"), ["D80", "D81", "D82", "X4"]);
    assert_eq!(named("A1–A3"), ["Row A1", "Row A2", "Row A3"]);
    assert_eq!(named("(row F6, D2, D22; D2)"), ["Row F6", "Row D2", "D22", "D2"]);
    assert_eq!(named("Spec §9, §10; RFC"), ["Spec §9", "Spec §10"]);
    assert!(named("RFC 9112 §3.2, U+D800, 0xD80, v1.D2, A0.5, D2048").is_empty());
    assert!(rules("let x = \"(D97)\";", Path::new("a.rs"), &entries).is_empty());
    assert_eq!(rules("-- (D97)", Path::new("a.sql"), &entries), ["D97"]);
}

/// Numbers of all entries as code names them: `D97`, `Row C6`, `Spec §9`.
fn entries() -> BTreeSet<String> {
    anchors()
        .into_iter()
        .map(|(_, anchor)| match anchor.split_once('-') {
            Some(("row", number)) => format!("Row {}", number.to_uppercase()),
            Some(("spec", number)) => format!("Spec §{number}"),
            _ => anchor.to_uppercase(),
        })
        .collect()
}

/// Page and anchor of each entry.
fn anchors() -> Vec<(String, String)> {
    let pages = files(&root().join("docs/rules"), &["md"]);
    pages
        .iter()
        .flat_map(|page| {
            let name = page
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let text = read(page);
            let marked = text.lines().filter_map(|line| line.strip_prefix("- <a id=\""));
            marked
                .filter_map(|rest| rest.split('"').next())
                .map(|anchor| (name.clone(), anchor.to_owned()))
                .collect::<Vec<_>>()
        })
        .collect()
}

fn named_by_file(entries: &BTreeSet<String>) -> Vec<(String, Vec<String>)> {
    files(&root(), &ENDINGS)
        .into_iter()
        .map(|file| (shown(&file), file))
        .filter(|(name, _)| !NOT_READ.iter().any(|folder| name.starts_with(folder)))
        .map(|(name, file)| (name, rules(&read(&file), &file, entries)))
        .collect()
}

/// The rules that the comments of a file name; of a paper, all its text.
fn rules(text: &str, file: &Path, entries: &BTreeSet<String>) -> Vec<String> {
    let ending = file
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    text.lines()
        .filter_map(|line| comment(line, &ending))
        .flat_map(|comment| {
            let mut found = numbered(comment, entries);
            found.extend(paragraphs(comment));
            found
        })
        .collect()
}

/// The part of a line that people alone read.
fn comment<'l>(line: &'l str, ending: &str) -> Option<&'l str> {
    let from = |mark: &str| line.find(mark).map(|at| &line[at..]);
    match ending {
        "md" => Some(line),
        "sql" => from("--"),
        "py" | "toml" => from("#").or_else(|| from("\"\"\"")),
        _ => {
            let trimmed = line.trim_start();
            let whole = trimmed.starts_with("//") || trimmed.starts_with('*');
            if whole {
                return Some(trimmed);
            }
            from("/*").or_else(|| from(" // "))
        }
    }
}

fn paragraphs(comment: &str) -> Vec<String> {
    if !comment.contains("Spec") && !comment.contains("specification") {
        return Vec::new();
    }
    comment
        .split('§')
        .skip(1)
        .map(|rest| digits(rest.trim_start()))
        .filter(|number| !number.is_empty())
        .map(|number| format!("Spec §{number}"))
        .collect()
}

fn numbered(comment: &str, entries: &BTreeSet<String>) -> Vec<String> {
    let mut found = Vec::new();
    let mut skip_to = 0;
    for (at, letter) in comment.char_indices() {
        if at < skip_to || !LETTERS.contains(letter) {
            continue;
        }
        let before = &comment[..at];
        let joined = |sign: char| sign.is_alphanumeric() || JOINED.contains(sign);
        if before.chars().next_back().is_some_and(joined) {
            continue;
        }
        let Some((numbers, length)) = run(letter, &comment[at..]) else {
            continue;
        };
        skip_to = at + length;
        let in_rows = rows_are_meant(before);
        found.extend(
            numbers
                .into_iter()
                .map(|number| name(letter, number, in_rows, entries)),
        );
    }
    found
}

/// `D80` or `D80-D87` at the start of a text: its numbers, and how many bytes it takes.
fn run(letter: char, text: &str) -> Option<(Vec<usize>, usize)> {
    let first = digits(&text[1..]);
    let length = 1 + first.len();
    let low: usize = first.parse().ok()?;
    let rest = &text[length..];
    let mut after = rest.chars();
    let next = after.next();
    let goes_on = next.is_some_and(|sign| sign.is_alphanumeric() || "_%".contains(sign));
    let dotted = next == Some('.') && after.next().is_some_and(char::is_alphanumeric);
    if first.len() > 3 || goes_on || dotted {
        return None;
    }
    let tail = rest.strip_prefix(['-', '–']).unwrap_or_default();
    let last = digits(tail.trim_start_matches(letter));
    let high = last.parse().unwrap_or(low);
    if high <= low || high - low > LONGEST_RANGE {
        return Some((vec![low], length));
    }
    let left = tail.trim_start_matches(letter).len() - last.len();
    Some(((low..=high).collect(), text.len() - left))
}

/// Whether `row` or `rows` stands before, with nothing between that ends the list.
fn rows_are_meant(before: &str) -> bool {
    let list = before
        .rsplit([';', ':', '(', ')', '|'])
        .next()
        .unwrap_or_default();
    list.split_whitespace()
        .any(|word| word == "row" || word == "rows")
}

fn name(letter: char, number: usize, in_rows: bool, entries: &BTreeSet<String>) -> String {
    let row = format!("Row {letter}{number}");
    if ROW_LETTERS.contains(letter) || (in_rows && entries.contains(&row)) {
        return row;
    }
    format!("{letter}{number}")
}

fn digits(text: &str) -> &str {
    let end = text
        .find(|sign: char| !sign.is_ascii_digit())
        .unwrap_or(text.len());
    &text[..end]
}
