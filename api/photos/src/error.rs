//! Why a command to a photo was not carried out.

use domain::photo::PhotoRejection;
use eventlog::CommitError;
use records::error::RecordsError;

use crate::store::StoreError;

/// Why a command to a photo was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum PhotosError {
    #[error("no photo with this content is shown")]
    Unknown,
    #[error(transparent)]
    Commit(#[from] CommitError<PhotoRejection>),
    #[error(transparent)]
    Records(#[from] RecordsError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for PhotosError {
    fn from(error: sqlx::Error) -> Self {
        Self::Records(error.into())
    }
}
