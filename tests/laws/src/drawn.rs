//! The diagram of components, the table of crates and the reading lists of docs/architecture.md say what is so.

use std::collections::{BTreeMap, BTreeSet};

use crate::checkout::{read, root};
use crate::findings::{assert_exempted, assert_none, each, once};

const PAPER: &str = "docs/architecture.md";
/// The package of the binary: what it depends on ships.
const BINARY: &str = "api";
/// It has no code: it names features for the build.
const WITHOUT_CODE: &str = "workspace-hack";
/// More files than these are read by nobody in one sitting.
const LIST_MAX: usize = 15;

/// Each crate, and the crates it names.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The crates of this workspace.
struct Workspace {
    folders: BTreeMap<String, String>,
    dependencies: Arrows,
    /// Crates that manifests name and no drawing shows.
    left_out: BTreeSet<String>,
}

#[test]
fn components_diagram_draws_every_crate_that_ships() {
    let workspace = workspace();
    let (drawn, _) = diagram(&read(&root().join(PAPER)));
    let ships = ships(&workspace.dependencies);
    let unknown = drawn
        .difference(&ships)
        .map(|name| format!("{name} is drawn and does not ship"));
    let missing = ships.difference(&drawn).chain(&workspace.left_out);
    let advice = "draw the crates as the manifests have them";
    assert_exempted(
        &once(missing.map(|name| (name.clone(), "is not drawn".to_owned()))),
        &each([WITHOUT_CODE]),
        advice,
    );
    assert_none(unknown, advice);
}

#[test]
fn components_diagram_arrows_are_the_dependencies() {
    let workspace = workspace();
    let ships = ships(&workspace.dependencies);
    let (_, arrows) = diagram(&read(&root().join(PAPER)));
    assert_none(
        false_arrows(&arrows, &workspace.dependencies, &ships).into_iter(),
        "an arrow is a dependency in a Cargo.toml; each dependency is an arrow, or a longer way of arrows",
    );
}

#[test]
fn crates_table_says_where_each_crate_lies() {
    let workspace = workspace();
    let paper = read(&root().join(PAPER));
    let rows = ships(&workspace.dependencies).into_iter().map(|name| {
        let folder = workspace.folders.get(&name).cloned().unwrap_or_default();
        format!("| `{name}` | `{folder}/` | ")
    });
    let missing = rows.filter(|row| !paper.contains(row.as_str()));
    assert_none(missing, "give the crate its row in docs/architecture.md");
}

#[test]
fn sequence_diagrams_hold_no_semicolon() {
    let papers = [PAPER, "docs/overview.md"].map(|paper| (paper, read(&root().join(paper))));
    let broken = papers.iter().flat_map(|(paper, text)| {
        let cut = cut_messages(text).into_iter();
        cut.map(move |line| format!("{paper}: {line}"))
    });
    assert_none(broken, "Mermaid ends a message at a semicolon: write a comma");
}

#[test]
fn reading_lists_are_short_and_enter_a_crate_once() {
    let paper = read(&root().join(PAPER));
    let folders: Vec<String> = workspace().folders.into_values().collect();
    let lists = reading_lists(&paper);
    assert_eq!(lists.len(), 2, "one list for an enquiry, one for a deposit");
    let broken = lists.iter().flat_map(|files| list_faults(files, &folders));
    assert_none(broken, "name files that exist, in the order of the path");
}

#[test]
fn drawn_laws_catch_bad_samples() {
    let names =
        |names: &[&str]| -> BTreeSet<String> { names.iter().map(|name| (*name).to_owned()).collect() };
    let paper = "```mermaid\nflowchart TD\n  a[\"a\"]\n  b[\"b<br/>x\"]\n  a --> b & c\n```\n";
    let (drawn, arrows) = diagram(paper);
    assert_eq!(drawn, names(&["a", "b"]));
    assert_eq!(arrows["a"], names(&["b", "c"]));
    let manifests = Arrows::from([("a".to_owned(), names(&["b", "d"]))]);
    let found = false_arrows(&arrows, &manifests, &names(&["a", "b", "c", "d"]));
    assert_eq!(found, ["a --> c: no dependency", "a --> d: not drawn"]);
    let list = [
        "domain/src/lib.rs",
        "eventlog/src/lib.rs",
        "domain/src/nowhere.rs",
    ]
    .map(str::to_owned);
    let found = list_faults(&list, &["domain".to_owned(), "eventlog".to_owned()]);
    assert_eq!(
        found,
        ["domain/src/nowhere.rs: no such file", "domain is entered twice"]
    );
    assert_eq!(list_faults(&vec![list[0].clone(); LIST_MAX + 1], &[]).len(), 1);
    let chart = "```mermaid\nsequenceDiagram\n  a->>b: one; two\n```\nx; y";
    assert_eq!(cut_messages(chart), ["a->>b: one; two"]);
    let lists = reading_lists(
        "## Reading list\n| 1 | `a.rs` | x |\n\n| 1 | `b.rs` | y |\n| 2 | `c.rs` | z |\n## End\n",
    );
    assert_eq!(lists, [vec!["a.rs"], vec!["b.rs", "c.rs"]]);
}

fn workspace() -> Workspace {
    let text = read(&root().join("Cargo.toml"));
    let entries = text.lines().filter_map(|line| {
        let (name, rest) = line.split_once(" = { path = \"")?;
        Some((name.to_owned(), rest.split('"').next()?.to_owned()))
    });
    let folders: BTreeMap<String, String> = entries.collect();
    let mut left_out = BTreeSet::new();
    let mut arrows = Arrows::new();
    for (name, folder) in &folders {
        let manifest = read(&root().join(folder).join("Cargo.toml"));
        let own = dependencies(&manifest).filter(|named| folders.contains_key(*named));
        let (without_code, own) = own
            .map(str::to_owned)
            .partition(|named: &String| named == WITHOUT_CODE);
        left_out.extend::<BTreeSet<String>>(without_code);
        arrows.insert(name.clone(), own);
    }
    Workspace {
        folders,
        dependencies: arrows,
        left_out,
    }
}

/// The names under `[dependencies]`: not those of tests.
fn dependencies(manifest: &str) -> impl Iterator<Item = &str> {
    let section = manifest.split("\n[dependencies]\n").nth(1).unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| line.split([' ', '.', '=']).next())
}

/// All that the binary is made of.
fn ships(dependencies: &Arrows) -> BTreeSet<String> {
    let mut found = reached(BINARY, dependencies);
    found.insert(BINARY.to_owned());
    found
}

fn reached(from: &str, arrows: &Arrows) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut left = vec![from];
    while let Some(name) = left.pop() {
        for next in arrows.get(name).into_iter().flatten() {
            if found.insert(next.clone()) {
                left.push(next);
            }
        }
    }
    found
}

/// Nodes and arrows of the first flow chart.
fn diagram(paper: &str) -> (BTreeSet<String>, Arrows) {
    let chart = paper.split("```mermaid\nflowchart").nth(1).unwrap_or_default();
    let chart = chart.split("```").next().unwrap_or_default();
    let (mut nodes, mut arrows) = (BTreeSet::new(), Arrows::new());
    for line in chart.lines().map(str::trim) {
        if let Some((from, to)) = line.split_once(" --> ") {
            let ends = to.split('&').map(|end| end.trim().to_owned());
            arrows.entry(from.to_owned()).or_default().extend(ends);
        } else if let Some((node, _)) = line.split_once("[\"") {
            nodes.insert(node.to_owned());
        }
    }
    (nodes, arrows)
}

fn false_arrows(drawn: &Arrows, dependencies: &Arrows, ships: &BTreeSet<String>) -> Vec<String> {
    let named =
        |arrows: &Arrows, from: &str, to: &str| arrows.get(from).is_some_and(|ends| ends.contains(to));
    let invented = pairs(drawn)
        .filter(|(from, to)| !named(dependencies, from, to))
        .map(|(from, to)| format!("{from} --> {to}: no dependency"));
    let left_out = pairs(dependencies)
        .filter(|(from, to)| ships.contains(*from) && !reached(from, drawn).contains(*to))
        .map(|(from, to)| format!("{from} --> {to}: not drawn"));
    invented.chain(left_out).collect()
}

fn pairs(arrows: &Arrows) -> impl Iterator<Item = (&String, &String)> {
    arrows
        .iter()
        .flat_map(|(from, ends)| ends.iter().map(move |to| (from, to)))
}

/// Lines of sequence diagrams that Mermaid cannot read.
fn cut_messages(paper: &str) -> Vec<String> {
    let charts = paper.split("```mermaid\nsequenceDiagram\n").skip(1);
    let charts = charts.filter_map(|rest| rest.split("```").next());
    let lines = charts.flat_map(str::lines).filter(|line| line.contains(';'));
    lines.map(|line| line.trim().to_owned()).collect()
}

/// The files of each table under "Reading list", in order.
fn reading_lists(paper: &str) -> Vec<Vec<String>> {
    let part = paper.split("\n## Reading list").last().unwrap_or_default();
    let part = part.trim_start_matches("## Reading list");
    let part = part.split("\n## ").next().unwrap_or_default();
    let mut lists: Vec<Vec<String>> = Vec::new();
    for line in part.lines() {
        let mut cells = line.trim_matches('|').split(" | ").map(str::trim);
        let (Some(number), Some(file)) = (cells.next(), cells.next()) else {
            continue;
        };
        if number == "1" {
            lists.push(Vec::new());
        }
        if let Some(list) = lists.last_mut().filter(|_| number.parse::<usize>().is_ok()) {
            list.push(file.trim_matches('`').to_owned());
        }
    }
    lists
}

fn list_faults(files: &[String], folders: &[String]) -> Vec<String> {
    let absent = files.iter().filter(|file| !root().join(file).is_file());
    let mut found: Vec<String> = absent.map(|file| format!("{file}: no such file")).collect();
    if files.len() > LIST_MAX {
        found.push(format!("{} files, {LIST_MAX} allowed", files.len()));
    }
    let mut rooms: Vec<&str> = files.iter().map(|file| room(file, folders)).collect();
    rooms.dedup();
    let again = (1..rooms.len()).filter(|at| rooms[..*at].contains(&rooms[*at]));
    found.extend(again.map(|at| format!("{} is entered twice", rooms[at])));
    found
}

/// The folder of the crate that a file belongs to; of the browser's files, their application.
fn room<'f>(file: &'f str, folders: &[String]) -> &'f str {
    let inside = folders
        .iter()
        .filter(|folder| file.starts_with(&format!("{folder}/")));
    let length = inside.map(String::len).max();
    length.map_or(file.split('/').next().unwrap_or_default(), |length| {
        &file[..length]
    })
}
