//! Where a goal is missed: the same measurement once more under `perf`, and what its report begins with.

use std::path::Path;
use std::process::Command;

use crate::Settings;
use crate::cluster::succeeded;
use crate::goals::{Judged, Row};
use crate::ground::Ground;

/// Lines of a report that are worth reading.
const LINES: usize = 15;

/// The head of the profile of ours in this row, or why there is none.
pub fn taken(settings: &Settings, row: &Row, ground: &mut Ground) -> Result<String, String> {
    if matches!(row.judged, Judged::MemoryAtMost(_)) {
        return Err("a profile of processor time does not say what holds memory".to_owned());
    }
    if matches!(row.judged, Judged::WrittenAtMost(_)) {
        return Err("a profile of processor time does not say what is written".to_owned());
    }
    let file = settings.out.join("perf.data");
    let watched = Settings {
        perf: Some(file.clone()),
        ..settings.clone()
    };
    row.ours.run(&watched, ground)?;
    let text = report(&file);
    drop(std::fs::remove_file(&file));
    text
}

fn report(file: &Path) -> Result<String, String> {
    let mut perf = Command::new("perf");
    perf.args([
        "report",
        "--stdio",
        "--fields",
        "overhead,comm,dso,symbol",
        "--percent-limit",
        "1",
        "--input",
    ]);
    let text = succeeded(perf.arg(file))?;
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .take(LINES)
        .map(str::trim_end)
        .collect();
    if lines.is_empty() {
        return Err("perf saw nothing".to_owned());
    }
    Ok(lines.join("\n"))
}
