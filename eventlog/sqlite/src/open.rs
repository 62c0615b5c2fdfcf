//! Opens what lies in a folder: the log, the keys of personal data, the secret of look-ups and the kept states.

use std::path::Path;

use eventlog::engine::Engine;
use eventlog::grouped::Grouped;
use eventlog::port::Keyring;
use eventlog::{EventLog, HandleHasher, LogError};

use super::Sqlite;
use super::keyfile::keyring;
use super::read::Readers;
use super::snapshots::SnapshotFile;

/// What to do when the secret of look-ups is gone under the program that runs.
const HANDLES_GONE: &str = "it is the secret by which people are found again, and no other one fits; put it back from the backup, then \
     start the server again";

/// The log in `dir`, made when there is none: `log.db`, the subjects' keys in `keys.db`, the secret of look-ups in
/// `handles.key`, kept states in `snapshots.db`. Several processes may hold it open.
///
/// # Errors
/// When the files cannot be made or read, or were written by a later version of the program.
pub async fn open(dir: &Path) -> Result<EventLog, LogError> {
    let dir = dir.to_owned();
    let opened = threads::spawn_blocking(move || open_with(&dir, std::convert::identity)).await;
    opened.unwrap_or_else(|error| Err(LogError::Storage(error.to_string())))
}

/// Opens the log in `dir` with an engine made of SQLite's.
pub(crate) fn open_with<E: Engine>(
    dir: &Path,
    engine_of: impl FnOnce(Sqlite) -> E,
) -> Result<EventLog, LogError> {
    let (keys, handles) = keys_in(dir)?;
    let path = dir.join("log.db");
    let engine = Sqlite::open(&path)?;
    engine.fits(&handles.mark())?;
    let head = engine.end()?;
    let there = engine.there();
    let readers = Readers::new(&path, keys.clone()).beside(there.clone());
    // With readers of its own: these hold the keys.
    let of_keys = Readers::new(&path, Keyring::memory()).beside(there);
    keys.stocked(Box::new(of_keys))?;
    let backend = Grouped::start(engine_of(engine), readers, keys.clone(), head);
    let log = EventLog::on(backend, keys, handles);
    log.needs(&dir.join("handles.key"), HANDLES_GONE);
    Ok(with_snapshots(log, dir))
}

/// The subjects' keys and the secret of look-ups in a folder, made when there are none.
///
/// # Errors
/// When the files cannot be made or read.
pub async fn keys_in_folder(dir: &Path) -> Result<(Keyring, HandleHasher), LogError> {
    let dir = dir.to_owned();
    let opened = threads::spawn_blocking(move || keys_in(&dir)).await;
    opened.unwrap_or_else(|error| Err(LogError::Storage(error.to_string())))
}

fn keys_in(dir: &Path) -> Result<(Keyring, HandleHasher), LogError> {
    std::fs::create_dir_all(dir).map_err(|error| LogError::Storage(format!("{}: {error}", dir.display())))?;
    let keys = keyring(&dir.join("keys.db"))?;
    Ok((keys, HandleHasher::open(&dir.join("handles.key"))?))
}

/// Keeps folded states of long streams in `snapshots.db` in `dir`, whatever the log's engine. A file that cannot be opened is
/// done without: everything can be folded from the beginning.
#[must_use]
pub fn with_snapshots(log: EventLog, dir: &Path) -> EventLog {
    match SnapshotFile::open(&dir.join("snapshots.db")) {
        Ok(file) => log.with_snapshots(Box::new(file)),
        Err(error) => {
            tracing::warn!(%error, "snapshots.db cannot be used; long streams are folded from their beginning");
            log
        }
    }
}

/// What SQLite finds wrong with the pages of a log's file, in a few of its own sentences; none where all is well. The chain covers
/// events, and not the indexes by which they are found.
///
/// # Errors
/// When the file cannot be looked at; damage is the answer.
pub async fn damaged_pages(file: &Path) -> Result<Vec<String>, LogError> {
    // Pages are looked at without opening what is sealed.
    let readers = Readers::new(file, Keyring::memory());
    readers.damaged_pages().await
}
