//! `scripts/commit-form` refuses what it should, tried on a repository of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::checkout::root;

const SINCE: &str = "scripts/commit-form-since";
const REASON: &str = "\n\nIt was slow: every call read the file anew.";

/// A repository in a folder of its own, removed at the end.
struct Repository {
    folder: PathBuf,
}

impl Repository {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("commit-form-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("scripts")).unwrap();
        let repository = Self { folder };
        repository.git(&["init", "--quiet"]);
        repository.write(".gitattributes", "made.txt linguist-generated\n");
        repository.commit("api: Begin");
        let base = repository.git(&["rev-parse", "HEAD"]);
        repository.write(SINCE, &base);
        repository
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = self.run(Command::new("git").args(arguments));
        assert!(output.status.success(), "{arguments:?}: {}", told(&output));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn run(&self, command: &mut Command) -> Output {
        let identity = [
            "GIT_AUTHOR_NAME",
            "GIT_AUTHOR_EMAIL",
            "GIT_COMMITTER_NAME",
            "GIT_COMMITTER_EMAIL",
        ];
        // A hook that runs the tests names the repository of the checkout.
        let others = ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "CI"];
        for name in others {
            command.env_remove(name);
        }
        command
            .current_dir(&self.folder)
            .envs(identity.map(|name| (name, "test")))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap()
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.folder.join(file), text).unwrap();
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
    }

    fn check(&self, argument: &str) -> Output {
        self.run(Command::new(root().join("scripts/commit-form")).arg(argument))
    }

    /// What the check says of a message with what is staged; nothing when it is right.
    fn faults(&self, message: &str) -> String {
        self.write(".git/message", message);
        let output = self.check(".git/message");
        assert_eq!(output.status.success(), output.stderr.is_empty());
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

impl Drop for Repository {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn told(output: &Output) -> String {
    let parts = [&output.stdout, &output.stderr];
    parts.map(|part| String::from_utf8_lossy(part)).concat()
}

#[test]
fn commit_messages_have_the_form() {
    let repository = Repository::new("message");
    let good = [
        "api: A call answers once",
        "person search: 12 people are found",
        "api: `x` is read\n\nWhy.\n# a comment of git",
        "Merge branch 'x'",
        "fixup! api: A call answers once",
    ];
    for message in good {
        assert_eq!(repository.faults(message), "", "{message}");
    }
    let long = format!("api: A{}", "a".repeat(67));
    let bad = [
        ("A call answers once", "not `area: Subject`"),
        ("api: a call answers once", "not `area: Subject`"),
        ("api, web: A call answers once", "not `area: Subject`"),
        ("api: A call\nanswers once", "more than one line"),
        (long.as_str(), "73 characters"),
    ];
    for (message, fault) in bad {
        assert!(repository.faults(message).contains(fault), "{message}");
    }
}

#[test]
fn commit_of_fifty_lines_has_a_body() {
    let repository = Repository::new("body");
    let subject = "api: A call answers once";
    let lines = |count: usize| "line\n".repeat(count);
    repository.git(&["add", "--all"]);
    repository.commit("api: The base is named");
    repository.write("made.txt", &lines(1_000));
    repository.write("a.txt", &lines(50));
    repository.git(&["add", "--all"]);
    assert_eq!(repository.faults(subject), "");
    repository.write("a.txt", &lines(51));
    repository.git(&["add", "--all"]);
    assert!(repository.faults(subject).contains("51 lines"));
    let signed = format!("{subject}\n\nSigned-off-by: A <a@b.c>");
    assert!(repository.faults(&signed).contains("51 lines"));
    assert_eq!(repository.faults(&format!("{subject}{REASON}")), "");
}

#[test]
fn commits_are_formatted_and_change_more_than_layout() {
    let repository = Repository::new("layout");
    repository.write("a.rs", "fn a(b: u8) -> u8 {\n    b\n}\n");
    repository.commit("api: A call answers once");
    repository.write("a.rs", "fn a(b: u8,) -> u8 { b }\n");
    repository.git(&["add", "--all"]);
    let faults = repository.faults("api: Another form");
    assert!(faults.contains("a.rs is not formatted") && faults.contains("only layout changed"));
    repository.write("a.rs", "fn a(b: u8) -> u8 {\n    b + 1\n}\n");
    repository.git(&["add", "--all"]);
    assert_eq!(repository.faults("api: A call counts"), "");
}

#[test]
fn commits_after_the_named_one_are_checked() {
    let repository = Repository::new("range");
    repository.commit("api: The base is named");
    assert!(repository.check("--since").status.success());
    repository.commit("This one has no area");
    repository.commit("api: A right one follows");
    let output = repository.check("--since");
    let said = told(&output);
    assert!(!output.status.success() && said.contains("This one has no area") && said.contains("3 commits"));
}

#[test]
fn merges_are_left_out() {
    let repository = Repository::new("merge");
    repository.commit("api: The base is named");
    repository.git(&["checkout", "--quiet", "-b", "side"]);
    repository.commit("web: Beside it");
    repository.git(&["checkout", "--quiet", "-"]);
    repository.commit("api: A right one follows");
    repository.git(&[
        "merge",
        "--quiet",
        "--no-ff",
        "--message",
        "Without an area",
        "side",
    ]);
    let output = repository.check("--since");
    assert!(
        output.status.success() && told(&output).contains("3 commits"),
        "{}",
        told(&output)
    );
}

#[test]
fn commits_of_a_shallow_clone_are_those_that_are_here() {
    let repository = Repository::new("shallow");
    repository.commit("api: The base is named");
    repository.commit("Without an area");
    repository.commit("api: A right one follows");
    let clone = Repository {
        folder: repository.folder.with_extension("clone"),
    };
    let _ = fs::remove_dir_all(&clone.folder);
    let from = format!("file://{}", repository.folder.display());
    let to = clone.folder.display().to_string();
    repository.git(&["clone", "--quiet", "--depth", "1", &from, &to]);
    let output = clone.check("--since");
    let said = told(&output);
    assert!(
        output.status.success() && said.contains("shallow") && said.contains("1 commits"),
        "{said}"
    );
    repository.write(SINCE, &"0".repeat(40));
    assert!(told(&repository.check("--since")).contains("which this history does not have"));
}

#[test]
fn commit_hook_is_installed_beside_nothing() {
    let repository = Repository::new("hook");
    let hook = repository.folder.join(".git/hooks/commit-msg");
    repository.check("--install");
    assert!(read(&hook).contains("scripts/commit-form"));
    fs::write(&hook, "of someone's own").unwrap();
    repository.check("--install");
    assert_eq!(read(&hook), "of someone's own");
    fs::remove_file(&hook).unwrap();
    repository.git(&["config", "core.hooksPath", "elsewhere"]);
    repository.check("--install");
    assert!(!hook.exists() && !repository.folder.join("elsewhere").exists());
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_default()
}
