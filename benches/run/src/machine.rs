//! The machine's name: a ratio is worth what the machine is worth that it was taken on.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::Settings;

/// CPU, cores, memory, kernel, media and versions, one a line.
pub fn describe(settings: &Settings) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(
            text,
            "- {name}: {}",
            if value.is_empty() { "unknown" } else { &value }
        );
    };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    line(
        "CPU",
        format!("{}, {cores} cores", behind("/proc/cpuinfo", "model name")),
    );
    line("memory", behind("/proc/meminfo", "MemTotal"));
    line("kernel", said("uname", &["-sr"]));
    line("disk", medium(&settings.disk));
    line("tmpfs", medium(&settings.memory));
    line("load when it began", said("cat", &["/proc/loadavg"]));
    line("Rust", said("rustc", &["--version"]));
    line("Node", said("node", &["--version"]));
    line(
        "PostgreSQL",
        said(
            "sh",
            &[
                "-c",
                "$(ls -d /usr/lib/postgresql/*/bin/postgres postgres 2>/dev/null | tail -1) --version",
            ],
        ),
    );
    line("latchkey", said("git", &["describe", "--always", "--dirty"]));
    text
}

/// The value behind the first line with this name.
fn behind(file: &str, name: &str) -> String {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(name));
    let value = line.and_then(|line| line.split_once(':'));
    value
        .map(|(_, value)| value.trim().to_owned())
        .unwrap_or_default()
}

/// The device and the file system of a folder.
fn medium(folder: &Path) -> String {
    said(
        "df",
        &["--output=source,fstype,size", &folder.display().to_string()],
    )
    .lines()
    .next_back()
    .map(|line| line.split_whitespace().collect::<Vec<_>>().join(", "))
    .unwrap_or_default()
}

fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.unwrap_or_default()
}
