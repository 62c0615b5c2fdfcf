//! The reference of commands (`docs/reference/commands.md`) says what `latchkey help` says.

use std::collections::BTreeSet;

use tests::printed;

const PAGE: &str = include_str!("../../docs/reference/commands.md");
/// Options of every command, told once at the head of the page.
const GLOBAL: [&str; 3] = ["--config", "--data-dir", "--help"];

/// Each command has a section, each section a command, and both name the same options.
#[test]
fn reference_lists_commands_and_their_options() {
    let commands = listed(&printed(&["help"]));
    assert!(commands.contains("serve"), "no commands were found: {commands:?}");
    let sections: BTreeSet<String> = PAGE
        .lines()
        .filter_map(|line| line.strip_prefix("### latchkey "))
        .map(str::to_owned)
        .collect();
    assert_eq!(commands, sections, "commands and sections of the page");
    for command in &commands {
        let section = PAGE.split(&format!("### latchkey {command}\n")).nth(1).unwrap();
        let section = section.split("\n##").next().unwrap();
        let mut taken = options(&printed(&["help", command]));
        taken.retain(|option| !GLOBAL.contains(&option.as_str()));
        let rows: Vec<&str> = section.lines().filter(|line| line.starts_with("| `--")).collect();
        assert_eq!(taken, options(&rows.join("\n")), "options of `{command}`");
    }
}

/// The commands of `latchkey help`, without `help` itself.
fn listed(help: &str) -> BTreeSet<String> {
    let list = help.split("Commands:\n").nth(1).unwrap_or_default();
    let lines = list.lines().take_while(|line| line.starts_with("  "));
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Options at the beginning of a line of help or of a row.
fn options(text: &str) -> BTreeSet<String> {
    let starts = text.lines().map(|line| line.trim_start_matches([' ', '|', '`']));
    let starts = starts.map(|line| line.strip_prefix("-h, ").unwrap_or(line));
    let words = starts.filter_map(|line| line.split([' ', '`', '=']).next());
    words
        .filter(|word| word.starts_with("--"))
        .map(str::to_owned)
        .collect()
}
