//! Files that their owner alone may read.

use std::fs::OpenOptions;
use std::path::Path;

use crate::error::LogError;

/// Makes the file, if there is none, readable and writable for its owner alone. One that is there stays as it is.
///
/// # Errors
/// When it cannot be made or opened.
pub fn private(path: &Path) -> Result<(), LogError> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(path)
        .map_err(|error| LogError::Storage(format!("{}: {error}", path.display())))?;
    Ok(())
}
