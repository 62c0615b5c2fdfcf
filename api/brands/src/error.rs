//! Why something is not done to a brand.

use domain::brand::BrandRejection;
use thiserror::Error;

use crate::picture::PictureFault;

/// Why something is not done to a brand.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BrandError {
    #[error("the draft was changed after it was read")]
    ChangedMeanwhile,
    #[error("a brand has no value called `{0}`")]
    UnknownValue(String),
    #[error("`{0}` cannot have this value")]
    Unreadable(String),
    #[error("the changes are no list of values")]
    NoValues,
    #[error("a reason has at most {max} characters")]
    ReasonTooLong { max: usize },
    #[error(transparent)]
    Picture(#[from] PictureFault),
    /// The picture store failed.
    #[error("{0}")]
    Store(String),
    #[error(transparent)]
    Rejected(#[from] BrandRejection),
}
