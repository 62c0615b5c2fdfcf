//! The laws of the house. Each failure names the offender and the way out.

use std::fs;
use std::path::{Path, PathBuf};

mod circles;
mod decisions;
mod drawn;
mod engines;
mod faults;
mod migrations;
mod names;
mod papers;
mod reference;
mod rules;
mod rust;
mod stories;
mod threads;
mod typescript;

const LINES_MAX: usize = 500;
const FUNCTION_LINES_MAX: usize = 70;
/// Words that a file cannot be named by: they could be anything.
const NAMELESS: [&str; 10] = [
    "util", "utils", "helper", "helpers", "common", "misc", "manager", "shared", "types", "stuff",
];
#[test]
fn no_file_is_longer_than_a_reader_can_hold() {
    let broken = sources()
        .into_iter()
        .filter_map(|file| too_long(&file, &read(&file)));
    none(broken, "split it at the seam a reader would expect");
}

#[test]
fn no_function_is_longer_than_a_screen() {
    // Rust's own lint (`too_many_lines`) counts Rust; this law counts TypeScript.
    let broken = sources()
        .into_iter()
        .filter(|file| is_web(file))
        .flat_map(|file| long_functions(&file, &read(&file)));
    none(broken, "give the steps names of their own");
}

#[test]
fn no_file_has_a_name_that_could_be_anything() {
    let broken = sources()
        .into_iter()
        .filter(|file| nameless(file))
        .map(|file| shown(&file));
    none(broken, "name it after what it holds");
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
    none(broken, "finish it, or say in an issue what is missing");
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
    none(broken, "write #[expect(lint, reason = \"…\")]");
}

#[test]
fn both_languages_have_the_same_texts() {
    let english = root().join("i18n/en");
    let broken = files(&english, &["json"]).into_iter().filter_map(|file| {
        let name = file.file_name()?.to_owned();
        let chinese = root().join("i18n/zh").join(name);
        missing_texts(&file, &chinese)
    });
    none(broken, "translate it: a missing text fails the build (X10)");
}

/// A further language may have some topics only, but those whole.
#[test]
fn topics_of_further_languages_are_whole() {
    let english = root().join("i18n/en");
    let broken = ["es", "fr", "de"].into_iter().flat_map(|language| {
        let folder = root().join("i18n").join(language);
        let topics = files(&folder, &["json"]);
        assert!(!topics.is_empty(), "{language} has no topic");
        topics
            .into_iter()
            .filter_map(|file| {
                let name = file.file_name()?.to_owned();
                missing_texts(&english.join(name), &file)
            })
            .collect::<Vec<_>>()
    });
    none(broken, "translate the whole topic, or take its file away");
}

#[test]
fn the_laws_catch_bad_samples() {
    let sample = Path::new("web/src/lead/leadHelpers.ts");
    assert!(too_long(sample, &"\n".repeat(LINES_MAX + 1)).is_some());
    assert!(nameless(sample));
    let long = format!(
        "export function draw() {{\n{}}}\n",
        "  step();\n".repeat(FUNCTION_LINES_MAX)
    );
    assert_eq!(long_functions(sample, &long).len(), 1);
    assert_eq!(unfinished(&["// TO", "DO later"].concat()).len(), 1);
    assert_eq!(silenced(&["#[al", "low(dead_code)]"].concat()).len(), 1);
}

fn too_long(file: &Path, text: &str) -> Option<String> {
    let lines = text.lines().count();
    (lines > LINES_MAX).then(|| format!("{}: {lines} lines, {LINES_MAX} allowed", shown(file)))
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

/// Where a package lies, by the workspace's list.
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

fn missing_texts(english: &Path, chinese: &Path) -> Option<String> {
    let keys = |file: &Path| -> Vec<String> {
        let text = fs::read_to_string(file).unwrap_or_else(|_| "{}".to_owned());
        let texts: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(&text).unwrap_or_default();
        texts
            .into_iter()
            .filter(|(_, text)| text.as_str().is_some_and(|text| !text.is_empty()))
            .map(|(key, _)| key)
            .collect()
    };
    let (one, other) = (keys(english), keys(chinese));
    let missing: Vec<_> = one
        .iter()
        .filter(|key| !other.contains(key))
        .chain(other.iter().filter(|key| !one.contains(key)))
        .cloned()
        .collect();
    (!missing.is_empty()).then(|| format!("{}: {}", shown(english), missing.join(", ")))
}

#[track_caller]
fn none(broken: impl Iterator<Item = String>, advice: &str) {
    let broken: Vec<_> = broken.collect();
    assert!(broken.is_empty(), "{}\n{advice}", broken.join("\n"));
}

fn is_rust(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "rs")
}

fn is_web(file: &Path) -> bool {
    file.extension()
        .is_some_and(|ending| ending == "ts" || ending == "tsx")
}

fn shown(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}

fn sources() -> Vec<PathBuf> {
    let mut found = files(&root(), &["rs", "ts", "tsx", "js", "mjs", "sql", "css"]);
    // `make contract` writes it; the server is what people read.
    found.retain(|file| !file.ends_with("web/src/contract/served.ts"));
    found
}

fn files(from: &Path, endings: &[&str]) -> Vec<PathBuf> {
    const SKIPPED: [&str; 5] = ["target", "node_modules", "dist", "dist-server", "out"];
    let mut found = Vec::new();
    let mut folders = vec![from.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let (path, name) = (entry.path(), entry.file_name());
            if path.is_dir() {
                let hidden = name.to_string_lossy().starts_with('.');
                if !hidden && !SKIPPED.iter().any(|skipped| name == *skipped) {
                    folders.push(path);
                }
            } else if path
                .extension()
                .is_some_and(|ending| endings.iter().any(|known| ending == *known))
            {
                found.push(path);
            }
        }
    }
    found
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .unwrap()
}
