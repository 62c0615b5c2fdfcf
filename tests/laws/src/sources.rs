//! Each file is short enough to be held, named after what it holds, and finished.

use std::path::Path;

use crate::checkout::{is_rust, is_web, read, shown, sources};
use crate::findings::{assert_exempted, assert_none, each, once};

const LINES_MAX: usize = 500;
/// Written by `make contract`; people read the server. It may be longer.
const GENERATED: [&str; 1] = ["web/src/contract/served.ts"];
const FUNCTION_LINES_MAX: usize = 70;
/// Words that a file cannot be named by: they could be anything.
pub(crate) const NAMELESS: [&str; 10] = [
    "util", "utils", "helper", "helpers", "common", "misc", "manager", "shared", "types", "stuff",
];

#[test]
fn no_file_is_longer_than_a_reader_can_hold() {
    let found = sources()
        .into_iter()
        .filter_map(|file| Some((shown(&file), too_long(&read(&file))?)));
    assert_exempted(
        &once(found),
        &each(GENERATED),
        "split it at the seam a reader would expect",
    );
}

#[test]
fn no_function_is_longer_than_a_screen() {
    // Rust's own lint (`too_many_lines`) counts Rust; this law counts TypeScript.
    let broken = sources()
        .into_iter()
        .filter(|file| is_web(file))
        .flat_map(|file| long_functions(&file, &read(&file)));
    assert_none(broken, "give the steps names of their own");
}

#[test]
fn no_file_has_a_name_that_could_be_anything() {
    let broken = sources()
        .into_iter()
        .filter(|file| nameless(file))
        .map(|file| shown(&file));
    assert_none(broken, "name it after what it holds");
}

#[test]
fn nothing_is_left_unfinished_or_ignored() {
    let broken = sources().into_iter().flat_map(|file| {
        let text = read(&file);
        unfinished(&text)
            .into_iter()
            .map(|word| format!("{}: {word}", shown(&file)))
            .collect::<Vec<_>>()
    });
    assert_none(broken, "finish it, or say in an issue what is missing");
}

#[test]
fn lints_are_expected_with_a_reason_never_allowed() {
    let broken = sources()
        .into_iter()
        .filter(|file| is_rust(file))
        .flat_map(|file| {
            let text = read(&file);
            silenced(&text)
                .into_iter()
                .map(|line| format!("{}: {line}", shown(&file)))
                .collect::<Vec<_>>()
        });
    assert_none(broken, "write #[expect(lint, reason = \"…\")]");
}

#[test]
fn the_laws_catch_bad_samples() {
    let sample = Path::new("web/src/lead/leadHelpers.ts");
    assert!(nameless(sample));
    let long = format!(
        "export function draw() {{\n{}}}\n",
        "  step();\n".repeat(FUNCTION_LINES_MAX)
    );
    assert_eq!(long_functions(sample, &long).len(), 1);
    assert_eq!(unfinished(&["// TO", "DO later"].concat()).len(), 1);
    assert_eq!(silenced(&["#[al", "low(dead_code)]"].concat()).len(), 1);
}

fn too_long(text: &str) -> Option<String> {
    let lines = text.lines().count();
    (lines > LINES_MAX).then(|| format!("{lines} lines, {LINES_MAX} allowed"))
}

/// Functions that start at the left edge and end at the next closing brace at the left edge.
fn long_functions(file: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    for (number, line) in text.lines().enumerate() {
        let starts = [
            "function ",
            "export function ",
            "async function ",
            "export async function ",
            "export default function ",
        ]
        .iter()
        .any(|start| line.starts_with(start));
        if starts {
            open = Some((number, line));
        } else if line.starts_with('}')
            && let Some((from, name)) = open.take()
            && number - from > FUNCTION_LINES_MAX
        {
            found.push(format!(
                "{}:{}: {} lines: {name}",
                shown(file),
                from + 1,
                number - from
            ));
        }
    }
    found
}

/// True when the last word of the file name says nothing.
fn nameless(file: &Path) -> bool {
    let stem = file
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let last_word = stem
        .rfind(|letter: char| letter.is_uppercase() || letter == '_' || letter == '-')
        .unwrap_or(0);
    NAMELESS.contains(
        &stem[last_word..]
            .trim_start_matches(['_', '-'])
            .to_lowercase()
            .as_str(),
    )
}

/// The words of unfinished, ignored and sleeping code that a text holds.
fn unfinished(text: &str) -> Vec<String> {
    // Written in two halves, or this file would break its own law.
    let words = [
        ["TO", "DO"],
        ["FIX", "ME"],
        ["#[ig", "nore"],
        ["todo", "!("],
        ["unimple", "mented!("],
        ["test.", "skip("],
        ["it.", "skip("],
        ["describe.", "skip("],
        ["test.", "only("],
        ["it.", "only("],
        ["waitFor", "Timeout("],
        ["thread::", "sleep("],
    ];
    words
        .iter()
        .map(|halves| halves.concat())
        .filter(|word| text.contains(word.as_str()))
        .collect()
}

fn silenced(text: &str) -> Vec<String> {
    let word = ["#[al", "low("].concat();
    text.lines()
        .filter(|line| line.contains(&word))
        .map(|line| line.trim().to_owned())
        .collect()
}
