//! What a test process makes once and uses for many tests.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Its input ends with the test process, whatever that dies of: then it ends another process, if one is named, and removes files.
const KEEPER: &str = r#"trap "" INT TERM; read -r; [ -z "$0" ] || kill -KILL "$0"; rm -rf "$@""#;

/// An empty folder that is removed when this process ends.
///
/// # Panics
/// Without a folder for temporary files, and without `bash`.
pub(crate) fn folder() -> PathBuf {
    let made = tempfile::Builder::new().prefix("once").tempdir();
    let made = made
        .unwrap_or_else(|error| panic!("no temporary folder: {error}"))
        .keep();
    ends_with_this_process(None, &[made.as_path()]);
    made
}

/// Lets another process end with this one, and removes what it leaves behind.
///
/// # Panics
/// Without `bash`.
pub(crate) fn ends_with_this_process(other: Option<u32>, left: &[&Path]) {
    static KEEPERS: Mutex<Vec<Child>> = Mutex::new(Vec::new());
    let keeper = Command::new("bash")
        .args(["-c", KEEPER])
        .arg(other.map_or_else(String::new, |other| other.to_string()))
        .args(left)
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("bash did not start: {error}"));
    // Kept, so that its input stays open.
    let mut keepers = KEEPERS.lock().unwrap_or_else(PoisonError::into_inner);
    keepers.push(keeper);
}

/// Copies what lies in a folder into another one, with its permissions; on a file system that can, blocks are shared.
///
/// # Panics
/// When something cannot be read or written.
pub(crate) fn copy(from: &Path, into: &Path) {
    let copied = copied(from, into);
    copied.unwrap_or_else(|error| panic!("{} into {}: {error}", from.display(), into.display()));
}

fn copied(from: &Path, into: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let one = into.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            std::fs::create_dir(&one)?;
            copied(&entry.path(), &one)?;
            std::fs::set_permissions(&one, entry.metadata()?.permissions())?;
        } else {
            std::fs::copy(entry.path(), &one)?;
        }
    }
    Ok(())
}
