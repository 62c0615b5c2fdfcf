//! Why something is not done to a text.

use domain::own_text::OwnTextRejection;
use thiserror::Error;

/// Why something is not done to a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TextError {
    #[error("{field} is empty")]
    Empty { field: &'static str },
    #[error("{field} has more than {max} characters")]
    TooLong { field: &'static str, max: usize },
    #[error("the text was changed after it was read")]
    ChangedMeanwhile,
    #[error(transparent)]
    Rejected(#[from] OwnTextRejection),
}
