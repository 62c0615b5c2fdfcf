//! When the data folder was last backed up, for the health page (row K9): a small file that `latchkey backup` leaves in it.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use domain::moment::Moment;
use eventlog::Position;
use serde::{Deserialize, Serialize};

/// Its name in the data folder; in no backup.
pub const FILE: &str = "last-backup.json";

/// A finished backup.
#[derive(Debug, Serialize, Deserialize)]
pub struct LastBackup {
    pub taken_at: Moment,
    /// The last event in it.
    pub position: Position,
}

/// Notes a finished backup; what is there is replaced whole.
///
/// # Errors
/// When the file cannot be written.
pub fn note(data_dir: &Path, taken_at: Moment, position: Position) -> io::Result<()> {
    let begun = data_dir.join(format!("{FILE}.begun"));
    fs::write(&begun, serde_json::to_vec(&LastBackup { taken_at, position })?)?;
    File::open(&begun)?.sync_all()?;
    fs::rename(&begun, data_dir.join(FILE))
}

/// The last one that was noted; `None` where none was, or where the note cannot be read.
#[must_use]
pub fn read(data_dir: &Path) -> Option<LastBackup> {
    let text = fs::read(data_dir.join(FILE)).ok()?;
    serde_json::from_slice(&text).ok()
}
