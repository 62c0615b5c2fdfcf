//! Whether the log's file still lies where it was opened. Who deletes the folder under a running server leaves it a file that
//! nobody will ever open again: what is written there is lost with the process.

use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::LogError;

/// A file, by its name and by what it is.
pub(super) struct There {
    path: PathBuf,
    opened: Option<(u64, u64)>,
}

impl There {
    /// The file that is open by this name.
    pub(super) fn of(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            opened: fs::metadata(path).ok().map(|found| identity(&found)),
        }
    }

    /// An error when the name stands for another file by now, or for none: nothing may be written any more.
    pub(super) fn still(&self) -> Result<(), LogError> {
        let gone = |what: &str| Err(LogError::DiskFailed(format!("`{}` {what}", self.path.display())));
        let Some(opened) = self.opened else { return Ok(()) };
        match fs::metadata(&self.path) {
            Ok(found) if identity(&found) != opened => gone("is another file than the one that was opened"),
            Err(error) if error.kind() == ErrorKind::NotFound => gone("was deleted or moved away"),
            // Whoever reads or writes tells what else is wrong.
            Ok(_) | Err(_) => Ok(()),
        }
    }
}

#[cfg(unix)]
fn identity(found: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (found.dev(), found.ino())
}

/// There a file that is open cannot be deleted.
#[cfg(not(unix))]
fn identity(_found: &Metadata) -> (u64, u64) {
    (0, 0)
}
