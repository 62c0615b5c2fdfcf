//! Why something is not done to a home.

use domain::id::InventoryId;
use domain::inventory::InventoryRejection;
use domain::inventory::facts::FactKey;
use domain::lease::Stay;
use eventlog::Position;
use thiserror::Error;

use crate::questions::home_steps::WhyNot;
use crate::questions::home_values::HomeValue;

/// Why something is not done to a home.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ListingsError {
    #[error("there is no such home")]
    UnknownHome,
    #[error("a reason has 3 to {max} characters")]
    NoReason { max: usize },
    #[error("{fact} has more than {max} characters")]
    TooLong { fact: String, max: usize },
    #[error("{fact} is more than {max}")]
    TooLarge { fact: String, max: u64 },
    #[error("more than {max} facts in one edit")]
    TooMany { max: usize },
    #[error("a room is let twice for {}", .0.key())]
    LetTwice(Stay),
    #[error("photo {index} of the arrangement cannot stand there: {why:?}")]
    PhotoMisplaced { index: usize, why: Misplaced },
    #[error("no person set `{0}`")]
    NotSet(String),
    #[error("the home was changed after it was read")]
    ChangedMeanwhile(Box<Meanwhile>),
    #[error("{} bookings or holds need more rooms of {room}", bookings.len())]
    Booked {
        room: InventoryId,
        /// References of their enquiries.
        bookings: Vec<String>,
    },
    #[error("the home comes from the feed `{feed}`")]
    OfFeed { feed: String },
    #[error("there is no such place")]
    UnknownPlace,
    #[error("the place lies in another country")]
    OtherCountry,
    #[error("name and address are not those of the home that is kept")]
    NotADouble,
    #[error("the home that is kept is not let")]
    KeptNotLet,
    #[error("the home has no such step")]
    UnknownStep,
    #[error("the step cannot be undone: {0:?}")]
    NotUndone(WhyNot),
    #[error(transparent)]
    Rejected(#[from] InventoryRejection),
}

/// Why a photo of an arrangement cannot stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misplaced {
    /// The home neither names nor named it.
    Unknown,
    /// It comes twice in one place.
    Twice,
    UnknownRoom,
}

/// Facts of a home that changed after an editor read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meanwhile {
    /// Where the home stands now: an edit that names it has seen all this.
    pub position: Position,
    pub changed: Vec<HomeValue>,
    /// Facts that are shown no more.
    pub gone: Vec<FactKey>,
}
