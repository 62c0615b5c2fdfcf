//! What a process of a story says on its standard error: kept aside, and shown when the story fails.

use std::path::Path;
use std::process::Stdio;

use tempfile::NamedTempFile;

/// Of a failed story's process, so many of the last lines are shown.
const SHOWN: usize = 60;

/// A file that takes what one process says; shown when dropped by a story that fails, and then removed.
pub struct Said {
    file: NamedTempFile,
}

impl Said {
    /// # Panics
    /// Without a folder for temporary files.
    pub fn begin() -> Self {
        let file = tempfile::Builder::new().prefix("said").tempfile();
        let file = file.unwrap_or_else(|error| panic!("no temporary file: {error}"));
        Self { file }
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// For [`std::process::Command::stderr`].
    ///
    /// # Panics
    /// When the file cannot be opened a second time.
    pub fn stdio(&self) -> Stdio {
        let again = std::fs::File::options().append(true).open(self.file.path());
        again
            .unwrap_or_else(|error| panic!("{:?}: {error}", self.file))
            .into()
    }
}

/// Shows the last lines of what a process wrote into a file, if this story fails.
pub(crate) fn show_end_of(file: &Path) {
    if !std::thread::panicking() {
        return;
    }
    let said = std::fs::read(file).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<_> = said.lines().collect();
    let tail = lines[lines.len().saturating_sub(SHOWN)..].join("\n");
    if !tail.is_empty() {
        eprintln!("a process of this story said last:\n{tail}");
    }
}

impl Drop for Said {
    fn drop(&mut self) {
        show_end_of(self.file.path());
    }
}
