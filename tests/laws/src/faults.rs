//! Every row of tests has a mistake that a switch brings back, and a control that notices it (decision 0003).

use crate::checkout::{files, read, root};
use crate::findings::assert_none;

const FAULTS: &str = "eventlog/src/planted.rs";
/// Rows that promise something. R6 has its mistakes in `simulation/src/planted.rs`, R21 in `threads/src/slip.rs`.
const ROWS: [&str; 15] = [
    "R1", "R2", "R3", "R4", "R5", "R7", "R8", "R9", "R11", "R12", "R13", "R14", "R18", "R22", "R24",
];
/// Says which story each of them turns red.
const TOLD: &str = "docs/planted-faults.md";
/// How controls are called, so that a run can leave them out.
const CONTROL: &str = "control_";
/// Where controls are told.
const CONTROLS: [&str; 2] = ["tests/it", "eventlog/sqlite/src/conformance"];

#[test]
fn every_row_has_a_mistake_that_a_switch_brings_back() {
    let faults = read(&root().join(FAULTS));
    let missing = ROWS
        .iter()
        .filter(|row| !faults.contains(&format!("/// {row}: ")));
    assert_none(
        missing.map(|row| format!("{FAULTS}: {row}")),
        "plant the mistake that the row must find, and tell its control",
    );
}

#[test]
fn every_mistake_has_a_control_that_notices_it() {
    let faults = read(&root().join(FAULTS));
    let named = names(&faults);
    assert!(named.len() >= ROWS.len(), "{named:?}");
    let places = CONTROLS.iter().map(|place| root().join(place));
    let told: String = places
        .flat_map(|place| files(&place, &["rs"]))
        .map(|file| read(&file))
        .collect();
    let untold = named.iter().filter(|(fault, name)| {
        !told.contains(&format!("\"{name}\"")) && !told.contains(&format!("Fault::{fault})"))
    });
    assert_none(
        untold.map(|(_, name)| format!("{FAULTS}: {name}")),
        "tell a control that passes only when the mistake is noticed",
    );
}

#[test]
fn every_mistake_is_told_with_the_story_that_it_turns_red() {
    let told = read(&root().join(TOLD));
    let rows: Vec<&str> = told.lines().filter(|line| line.starts_with("| `")).collect();
    let faults = read(&root().join(FAULTS));
    let untold = names(&faults).into_iter().filter(|(_, name)| {
        let row = rows.iter().find(|row| row.starts_with(&format!("| `{name}` |")));
        row.is_none_or(|row| !is_there(row))
    });
    assert_none(
        untold.map(|(_, name)| format!("{TOLD}: {name}")),
        "name the row, the story that turns red, and the control, as they are called now",
    );
}

#[test]
fn every_control_is_called_so_that_a_run_can_leave_it_out() {
    let told = read(&root().join(TOLD));
    // The second table begins its rows with a story, not with a switch.
    let is_switch = |line: &&str| {
        line.strip_prefix("| `")
            .is_some_and(|rest| !rest.split('|').next().unwrap_or_default().contains("::"))
    };
    let rows = told.lines().filter(is_switch);
    let misnamed = rows.filter(|row| !has_control(row));
    assert_none(
        misnamed.map(|row| format!("{TOLD}: {row}")),
        "let the names of the control, in the last column, begin with `control_`",
    );
}

/// Whether the last column names controls alone.
fn has_control(row: &str) -> bool {
    let last = row.trim_end_matches([' ', '|']).rsplit('|').next();
    let mut named = last
        .into_iter()
        .flat_map(|cell| cell.split('`'))
        .filter_map(|word| word.split_once("::"));
    named.clone().next().is_some() && named.all(|(_, story)| story.starts_with(CONTROL))
}

/// Whether everything that the row calls a story is one: what stands behind a file's name and two colons.
fn is_there(row: &str) -> bool {
    let named = row.split('`').filter_map(|word| word.split_once("::"));
    let mut named = named.peekable();
    named.peek().is_some()
        && named.all(|(module, story)| {
            let places = CONTROLS.map(|place| root().join(place).join(format!("{module}.rs")));
            let file = places.iter().find(|file| file.is_file());
            file.is_some_and(|file| read(file).contains(&format!("fn {story}(")))
        })
}

#[test]
fn the_law_of_faults_catches_bad_samples() {
    let sample = "            Self::LateCommit => \"late_commit\",\n        Self::LateCommit,\n";
    assert_eq!(names(sample), [("LateCommit", "late_commit")]);
    assert!(!is_there("| `late_commit` | R1 | `log_kill::of_yore` | |") && !is_there("| `late_commit` | |"));
    assert!(has_control("| `late_commit` | `a::b` | `a::control_c` |"));
    assert!(
        !has_control("| `late_commit` | `a::control_c` | `a::b` |")
            && !has_control("| `late_commit` | none |")
    );
}

/// Each mistake, and what the switch says.
fn names(text: &str) -> Vec<(&str, &str)> {
    text.lines()
        .filter_map(|line| {
            let (fault, name) = line.trim().strip_prefix("Self::")?.split_once(" => \"")?;
            Some((fault, name.strip_suffix("\",")?))
        })
        .collect()
}
