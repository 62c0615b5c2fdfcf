//! The laws of the server's code that neither its compiler nor its linter keeps.

use crate::checkout::{is_rust, read, root, shown, sources};
use crate::findings::{all, assert_exempted, assert_none, each, once};
use crate::sources::NAMELESS;

/// Rooms that never wait: rules, drawings and the demo catalogue compute (STYLE, "Rust").
const NEVER_WAIT: [&str; 4] = ["domain/src", "artwork/src", "atlas/src", "catalogue/src"];
/// Lines of the adapter to a foreign trait whose method is async by signature.
const ADAPTERS: [(&str, usize); 1] = [("domain/src/aggregate.rs", 2)];
const COMPILED_TABLE: &str = "a compiled-in table, sorted on first use";
/// What is made once for the whole process: how many in each file, and why they may be.
const MADE_ONCE: [(&str, usize, &str); 20] = [
    (
        "atlas/src/lib.rs",
        1,
        "the directory of compiled-in facts, read on first use",
    ),
    ("api/feeds/src/country.rs", 1, COMPILED_TABLE),
    ("api/feeds/src/fields.rs", 1, COMPILED_TABLE),
    ("api/feeds/src/suggest.rs", 1, COMPILED_TABLE),
    ("api/feeds/src/values/html.rs", 1, COMPILED_TABLE),
    (
        "simulation/src/fate.rs",
        1,
        "the clock and the chance of one thread, which the system's functions have no other way to reach",
    ),
    (
        "api/health/src/readiness.rs",
        1,
        "the one question to the keys that is under way in the process",
    ),
    (
        "api/platform/src/texts.rs",
        1,
        "compiled-in texts, read on first use",
    ),
    (
        "api/platform/src/forms.rs",
        1,
        "compiled-in forms of the languages, read on first use",
    ),
    (
        "api/pages/src/site/assets.rs",
        1,
        "compressed forms of compiled-in files",
    ),
    (
        "eventlog/src/stream.rs",
        1,
        "names of stream kinds, known when compiled",
    ),
    (
        "eventlog/postgres/src/conformance.rs",
        1,
        "one database server for all tests of the log",
    ),
    (
        "tests/src/catalogue.rs",
        2,
        "one demo catalogue, which every server that wants it copies",
    ),
    (
        "tests/src/postgres.rs",
        1,
        "one new cluster, which every server copies",
    ),
    (
        "projections/tables/src/trial.rs",
        1,
        "one database server for all tests of the SQL layer",
    ),
    (
        "projections/src/trial.rs",
        1,
        "one database server for all tests of the read models",
    ),
    ("tests/src/lib.rs", 2, "one database server for all stories"),
    ("threads/src/slip.rs", 1, "the mistake of a test's own thread"),
    (
        "api/src/router.rs",
        1,
        "the document, put together from the routes on first use",
    ),
    ("tests/it/contract.rs", 1, "the document of the binary under test"),
];

/// Words that name no file, and that the specification uses for things: `room_types`, `shared_room`.
const OF_THE_SPECIFICATION: [&str; 3] = ["types", "shared", "common"];

#[test]
fn every_crate_begins_with_what_it_is() {
    let broken = rust().into_iter().filter(|(file, text)| {
        let first = ["/src/lib.rs", "/src/main.rs"]
            .iter()
            .any(|end| file.ends_with(end));
        first && !text.starts_with("//! ")
    });
    assert_none(
        broken.map(|(file, _)| file),
        "say in its first lines what it is for and what it must not know",
    );
}

#[test]
fn rules_compute_without_floats_and_without_waiting() {
    let found = rust().into_iter().flat_map(|(file, text)| {
        let never_waits = NEVER_WAIT.iter().any(|room| file.starts_with(room));
        let in_domain = file.starts_with("domain/src");
        let offends = move |line: &str| (in_domain && floats(line)) || (never_waits && waits(line));
        by_file(&file, marked(&file, &text, offends))
    });
    assert_exempted(
        &all(found),
        &ADAPTERS.map(|(file, lines)| (file.to_owned(), lines)).into(),
        "count in whole minor units and microdegrees; wait in eventlog, projections or api",
    );
}

#[test]
fn nothing_is_global_unless_it_says_why() {
    let found = rust()
        .into_iter()
        .flat_map(|(file, text)| by_file(&file, marked(&file, &text, global)));
    assert_exempted(
        &all(found),
        &MADE_ONCE.map(|(file, count, _)| (file.to_owned(), count)).into(),
        "pass it in, or name it in MADE_ONCE with the reason",
    );
}

#[test]
fn days_that_are_sent_are_read_by_the_calendar() {
    let broken = rust()
        .into_iter()
        .filter(|(file, _)| file.starts_with("api/"))
        .flat_map(|(file, text)| marked(&file, &text, reads_days_loosely));
    assert_none(
        broken,
        "read it with domain::calendar::read_day: chrono by itself also takes `2027-9-11`",
    );
}

#[test]
fn sql_is_lower_case() {
    let files = sources()
        .into_iter()
        .filter(|file| is_rust(file) || file.extension().is_some_and(|ending| ending == "sql"));
    let broken = files.flat_map(|file| marked(&shown(&file), &read(&file), shouts));
    assert_none(broken, "write it in lower case, one clause per line");
}

#[test]
fn nothing_has_a_name_that_could_be_anything() {
    let found = rust().into_iter().flat_map(|(file, text)| {
        let lines = text.lines().filter_map(|line| {
            let word = word_of_anything(line)?;
            Some((word, format!("{file}: {}", line.trim())))
        });
        lines.collect::<Vec<_>>()
    });
    assert_exempted(
        &once(found),
        &each(OF_THE_SPECIFICATION),
        "name it after what it holds or does",
    );
}

#[test]
fn expected_lints_say_their_reason() {
    let broken = rust().into_iter().filter(|(_, text)| unexplained(text));
    assert_none(
        broken.map(|(file, _)| file),
        "write #[expect(lint, reason = \"…\")]",
    );
}

#[test]
fn comments_are_sentences_not_banners() {
    let broken = sources()
        .into_iter()
        .flat_map(|file| marked(&shown(&file), &read(&file), banner));
    assert_none(broken, "a file that needs a banner wants to be two files");
}

#[test]
fn the_rust_laws_catch_bad_samples() {
    assert!(floats("    pub rate: f64,") && !floats("    // about 0.5"));
    assert!(reads_days_loosely(
        "let day = NaiveDate::parse_from_str(text, FORM);"
    ));
    assert!(reads_days_loosely("text.parse::<chrono::NaiveDate>().ok()"));
    assert!(!reads_days_loosely("let day = calendar::read_day(text)?;"));
    assert!(shouts(&["    \"SEL", "ECT position from event\""].concat()));
    let word = |line: &str| word_of_anything(line);
    assert_eq!(word("pub struct LeadManager {").as_deref(), Some("manager"));
    assert!(word("pub struct Lead {").is_none() && word("fn managed() {").is_none());
    assert!(unexplained(&["#[exp", "ect(dead_code)]\nfn draw() {}"].concat()));
    assert!(!unexplained(
        &["#[exp", "ect(\n    dead_code,\n    reason = \"why\"\n)]"].concat()
    ));
    assert!(banner(&["// ==", "==== leads ====="].concat()) && !banner("/// A line of a table: `---`"));
}

fn rust() -> Vec<(String, String)> {
    let files = sources()
        .into_iter()
        .filter(|file| is_rust(file) && file.starts_with(root()));
    files.map(|file| (shown(&file), read(&file))).collect()
}

fn marked(file: &str, text: &str, offends: impl Fn(&str) -> bool) -> Vec<String> {
    let lines = text.lines().enumerate().filter(|(_, line)| offends(line));
    lines
        .map(|(number, line)| format!("{file}:{}: {}", number + 1, line.trim()))
        .collect()
}

fn by_file(file: &str, lines: Vec<String>) -> Vec<(String, String)> {
    lines.into_iter().map(|line| (file.to_owned(), line)).collect()
}

fn reads_days_loosely(line: &str) -> bool {
    let loose = ["NaiveDate::parse_from_str", "NaiveDate::from_str", "NaiveDate>()"];
    loose.iter().any(|reading| code(line).contains(reading))
}

/// The line without its comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    code(line).split(|letter: char| !letter.is_alphanumeric() && letter != '_')
}

fn floats(line: &str) -> bool {
    words(line).any(|word| word == "f32" || word == "f64")
}

fn waits(line: &str) -> bool {
    code(line).contains("async fn") || code(line).contains("async move") || code(line).contains(".await")
}

fn global(line: &str) -> bool {
    let once = [
        ["Lazy", "Lock<"],
        ["Once", "Lock<"],
        ["Once", "Cell<"],
        ["static ", "mut "],
        ["thread_", "local!"],
    ];
    let declared = code(line).trim_start();
    let is_static = declared.starts_with("static ")
        || declared.starts_with("pub static ")
        || declared.starts_with("thread_");
    is_static && once.iter().any(|halves| declared.contains(&halves.concat()))
}

fn shouts(line: &str) -> bool {
    let words = [
        ["SEL", "ECT "],
        ["INS", "ERT INTO "],
        ["UPD", "ATE "],
        ["DEL", "ETE FROM "],
        ["CREATE ", "TABLE "],
    ];
    let text = line.trim_start().trim_start_matches(['"', '\'']);
    words.iter().any(|halves| text.starts_with(&halves.concat()))
}

/// The last word of a declared name, if it says nothing.
fn word_of_anything(line: &str) -> Option<String> {
    let declared = code(line).trim_start();
    let declared = declared
        .strip_prefix("pub ")
        .or_else(|| declared.strip_prefix("pub(crate) "))
        .unwrap_or(declared);
    let name = ["struct ", "enum ", "trait ", "fn ", "mod ", "async fn "]
        .iter()
        .find_map(|kind| declared.strip_prefix(kind))
        .and_then(|rest| {
            rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .next()
        });
    let name = name?;
    let last = name
        .rfind(|letter: char| letter.is_uppercase() || letter == '_')
        .unwrap_or(0);
    let last = name[last..].trim_start_matches('_').to_lowercase();
    NAMELESS.contains(&last.as_str()).then_some(last)
}

fn unexplained(text: &str) -> bool {
    let start = ["#[exp", "ect("].concat();
    let inner = ["#![exp", "ect("].concat();
    text.split(start.as_str())
        .skip(1)
        .chain(text.split(inner.as_str()).skip(1))
        .any(|rest| {
            let attribute = rest.split(")]").next().unwrap_or_default();
            !attribute.contains("reason")
        })
}

fn banner(line: &str) -> bool {
    let comment = line.trim_start();
    let comment = comment
        .strip_prefix("//")
        .or_else(|| comment.strip_prefix("/*"))
        .unwrap_or_default();
    comment
        .trim_start_matches(['/', '!', ' '])
        .starts_with(&["==", "==="].concat())
        || comment
            .trim_start_matches(['/', '!', ' '])
            .starts_with(&["--", "---"].concat())
}
