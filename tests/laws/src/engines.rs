//! Every law of the log is tried on every engine: in memory, on SQLite and on PostgreSQL as a test of its own each, on KurrentDB by
//! the list that the same macro makes.

use crate::checkout::{files, read, root, shown};
use crate::findings::{assert_exempted, assert_none, each, once};

/// The laws, an area in each file.
const AREAS: &str = "eventlog/conformance/src";
const SUITE: &str = "eventlog/conformance/src/lib.rs";
/// Where each engine's tests name the areas.
const ENGINES: [&str; 3] = [
    "eventlog/conformance/tests/it",
    "eventlog/sqlite/src",
    "eventlog/postgres/src",
];
const KURRENT: &str = "eventlog/kurrent/tests/it/laws.rs";
/// Of engines with a chain of hashes; the log in KurrentDB refuses what these areas are about, which `following.rs` tells.
const NEEDS_A_CHAIN: [&str; 1] = ["proving"];
const LISTED: &str = "every_engine![";
const GROUND: &str = "(ground: Ground) {";

#[test]
fn every_law_of_the_log_is_tried_on_every_engine() {
    let (suite, kurrent) = (read(&root().join(SUITE)), read(&root().join(KURRENT)));
    let engines = ENGINES.map(|engine| {
        let texts = files(&root().join(engine), &["rs"]);
        (engine, texts.iter().map(|file| read(file)).collect::<String>())
    });
    let (mut broken, mut not_on_kurrent) = (Vec::new(), Vec::new());
    for file in files(&root().join(AREAS), &["rs"]) {
        let text = read(&file);
        let area = file.file_stem().and_then(|stem| stem.to_str()).unwrap();
        broken.extend(
            unlisted(&text)
                .into_iter()
                .map(|law| format!("{}: `{law}`", shown(&file))),
        );
        if !text.contains(LISTED) {
            continue;
        }
        let untried = engines
            .iter()
            .filter(|(_, tests)| !tests.contains(&format!("eventlog_conformance::{area}!(")));
        broken.extend(untried.map(|(engine, _)| format!("{engine}: the area `{area}`")));
        if !suite.contains(&format!("(\"{area}\", {area}::LAWS)")) {
            not_on_kurrent.push((area.to_owned(), SUITE.to_owned()));
        }
        if !areas(&kurrent).contains(&area) {
            not_on_kurrent.push((area.to_owned(), KURRENT.to_owned()));
        }
    }
    let advice = "list it, so that it runs on every engine";
    assert_none(broken.into_iter(), advice);
    assert_exempted(&once(not_on_kurrent), &each(NEEDS_A_CHAIN), advice);
}

/// Laws in a file that its list leaves out.
fn unlisted(text: &str) -> Vec<String> {
    let listed = names(text, LISTED);
    let laws = text.lines().filter_map(|line| {
        let law = line.strip_prefix("async fn ")?.strip_suffix(GROUND)?;
        (!listed.contains(&law)).then(|| law.to_owned())
    });
    laws.collect()
}

fn areas(text: &str) -> Vec<&str> {
    // The call, not the macro's own lines.
    names(text, "\nareas![")
}

fn names<'t>(text: &'t str, list: &str) -> Vec<&'t str> {
    let list = text.split_once(list).map(|(_, after)| listed(after));
    list.into_iter().flatten().collect()
}

fn listed(after: &str) -> impl Iterator<Item = &str> {
    let list = after.split(']').next().unwrap_or_default();
    // The list of an area begins with its name.
    let list = list.split_once(';').map_or(list, |(_, laws)| laws);
    list.split(',').map(str::trim).filter(|name| !name.is_empty())
}
