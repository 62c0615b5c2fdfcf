//! Why something could not be read.

use eventlog::LogError;

/// Why the log or what follows it could not be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordsError {
    #[error(transparent)]
    Log(#[from] LogError),
    /// The database of the read models.
    #[error(transparent)]
    ReadModels(#[from] sqlx::Error),
    /// The read models did not hear of everything in time.
    #[error("the read models are behind")]
    Behind,
    /// The read models stand still because the disk is full.
    #[error("there is no room to write the read models")]
    NoRoom,
    /// A view of the past takes longer to build than a request may wait; it is built on.
    #[error("a view of the past is still being built")]
    PastUnfinished,
    /// A view of the past could not be built.
    #[error("the past could not be read: {0}")]
    Past(String),
    /// A row of a read model names a listing without an id.
    #[error("a listing has no id")]
    ListingWithoutId,
}

/// What was read.
pub type RecordsResult<T> = Result<T, RecordsError>;
