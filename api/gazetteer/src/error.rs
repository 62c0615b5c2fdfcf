//! Why something is not done to a place.

use domain::region::RegionRejection;
use thiserror::Error;

/// Why something is not done to a place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlaceError {
    #[error("there is no such place")]
    UnknownPlace,
    #[error("a reason has 3 to {max} characters")]
    NoReason { max: usize },
    #[error("{field} has more than {max} characters")]
    TooLong { field: &'static str, max: usize },
    #[error("more than {max} names")]
    TooMany { max: usize },
    #[error("`{0}` is the tag of no language")]
    UnknownLanguage(String),
    #[error("the point lies outside {0}")]
    OutsideCountry(&'static str),
    #[error("the place was changed after it was read")]
    ChangedMeanwhile,
    #[error(transparent)]
    Rejected(#[from] RegionRejection),
}
