//! What SQLite's errors mean to a log.

use eventlog::LogError;
use rusqlite::{ErrorCode, ffi};

/// Errors of I/O after which the log's files hold what they held: something could not be read, locked or looked at, or
/// there was no memory. The shared index beside the write-ahead file is made anew from it whenever it is lost.
const HARMLESS: [i32; 12] = [
    ffi::SQLITE_IOERR_READ,
    ffi::SQLITE_IOERR_SHORT_READ,
    ffi::SQLITE_IOERR_NOMEM,
    ffi::SQLITE_IOERR_ACCESS,
    ffi::SQLITE_IOERR_LOCK,
    ffi::SQLITE_IOERR_RDLOCK,
    ffi::SQLITE_IOERR_UNLOCK,
    ffi::SQLITE_IOERR_CHECKRESERVEDLOCK,
    ffi::SQLITE_IOERR_SHMOPEN,
    ffi::SQLITE_IOERR_SHMSIZE,
    ffi::SQLITE_IOERR_SHMLOCK,
    ffi::SQLITE_IOERR_SHMMAP,
];
/// The way out of a damaged file.
pub(crate) const REPAIR: &str = "stop the server and take it from the backup, or restore the whole folder (docs/operations.md, Back up and \
     restore)";

/// The log's error on its way out of this crate: `?` makes it of SQLite's errors too.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(crate) struct Error(#[from] pub(crate) LogError);

impl From<Error> for LogError {
    fn from(Error(error): Error) -> Self {
        error
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self(meant(&error))
    }
}

/// What one of SQLite's errors means to a log.
pub(crate) fn meant(error: &rusqlite::Error) -> LogError {
    let said = error.to_string();
    let Some(ffi::Error { code, extended_code }) = error.sqlite_error() else {
        return LogError::Storage(said);
    };
    match code {
        ErrorCode::DiskFull => LogError::Full(said),
        ErrorCode::SystemIoFailure if HARMLESS.contains(extended_code) => LogError::Unavailable(said),
        // A log that is not what was written must not be written on either.
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => LogError::DiskFailed(format!(
            "it is damaged or another file was put in its place ({said}): {REPAIR}"
        )),
        ErrorCode::SystemIoFailure => LogError::DiskFailed(format!("{said}, code {extended_code}")),
        ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::ReadOnly
        | ErrorCode::CannotOpen
        | ErrorCode::OutOfMemory => LogError::Unavailable(said),
        // All that is asked for was made when the file was opened: by now it is another one, or empty.
        _ if said.starts_with("no such table") => LogError::DiskFailed(said),
        // SQLite knows many more, all of them about what was asked.
        _ => LogError::Storage(said),
    }
}
