//! Starts programs under `perf`, attaches it to those that run, and ends it.

use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A program that is watched from its start, where somebody wants to.
pub fn command(program: &Path, perf: Option<&Path>) -> Command {
    let Some(file) = perf else {
        return Command::new(program);
    };
    let mut command = Command::new("perf");
    command.args(["record", "--quiet", "--freq", "499", "--output"]);
    command.arg(file).arg("--").arg(program);
    command
}

/// Watches a process that runs already.
pub fn attached(process: u32, file: &Path) -> Result<Child, String> {
    let mut command = Command::new("perf");
    command.args([
        "record",
        "--quiet",
        "--freq",
        "499",
        "--pid",
        &process.to_string(),
        "--output",
    ]);
    command.arg(file).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map_err(|error| format!("perf: {error}"))
}

/// Lets it write down what it has seen.
pub fn ended(mut perf: Child) {
    drop(
        Command::new("kill")
            .args(["-INT", &perf.id().to_string()])
            .status(),
    );
    drop(perf.wait());
}
