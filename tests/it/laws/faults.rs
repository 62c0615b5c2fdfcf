//! Every row of tests has a mistake that a switch brings back, and a control that notices it (decision 252).

use super::{files, none, read, root};

const FAULTS: &str = "eventlog/src/planted.rs";
/// Rows that promise something. R6 has its mistakes in `simulation/src/planted.rs`, R21 in `threads/src/slip.rs`.
const ROWS: [&str; 15] = [
    "R1", "R2", "R3", "R4", "R5", "R7", "R8", "R9", "R11", "R12", "R13", "R14", "R18", "R22", "R24",
];
/// Where controls are told.
const CONTROLS: [&str; 2] = ["tests/it", "eventlog/src/conformance"];

#[test]
fn every_row_has_a_mistake_that_a_switch_brings_back() {
    let faults = read(&root().join(FAULTS));
    let missing = ROWS
        .iter()
        .filter(|row| !faults.contains(&format!("/// {row}: ")));
    none(
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
    none(
        untold.map(|(_, name)| format!("{FAULTS}: {name}")),
        "tell a control that passes only when the mistake is noticed",
    );
}

#[test]
fn the_law_of_faults_catches_bad_samples() {
    let sample = "            Self::LateCommit => \"late_commit\",\n        Self::LateCommit,\n";
    assert_eq!(names(sample), [("LateCommit", "late_commit")]);
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
