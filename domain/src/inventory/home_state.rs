//! The words for the state of a home (D122, U5): seven as the house and its provider see it, five on the wire.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

/// The status of a home in the specification's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    #[default]
    Draft,
    InReview,
    Active,
    Inactive,
    Deleted,
}

impl Status {
    pub const fn key(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::InReview => "in_review",
            Self::Active => "active",
            Self::Inactive => "inactive",
            Self::Deleted => "deleted",
        }
    }
}

/// The state of a home as the house and its provider see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HomeState {
    #[default]
    Draft,
    InReview,
    /// It was looked at, and its provider is asked to change something first.
    ChangesAsked,
    Active,
    /// Let to nobody new for a while; what is held may be paid.
    Paused {
        /// The day from which it is let again, where one is known.
        reopens_on: Option<NaiveDate>,
    },
    /// Let no longer.
    Closed {
        by: ClosedBy,
    },
    /// Should never have been there, such as a double.
    Deleted,
}

impl HomeState {
    /// The word of the wire: paused and closed homes are inactive; one whose provider is asked for changes is a draft again.
    pub const fn status(self) -> Status {
        match self {
            Self::Draft | Self::ChangesAsked => Status::Draft,
            Self::InReview => Status::InReview,
            Self::Active => Status::Active,
            Self::Paused { .. } | Self::Closed { .. } => Status::Inactive,
            Self::Deleted => Status::Deleted,
        }
    }

    /// Its name in answers.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::InReview => "in_review",
            Self::ChangesAsked => "changes_asked",
            Self::Active => "active",
            Self::Paused { .. } => "paused",
            Self::Closed { .. } => "closed",
            Self::Deleted => "deleted",
        }
    }

    /// The names of all of them.
    pub const KEYS: [&'static str; 7] = [
        "draft",
        "in_review",
        "changes_asked",
        "active",
        "paused",
        "closed",
        "deleted",
    ];

    /// The names of those that a visitor may meet.
    pub const SHOWN: [&'static str; 3] = ["active", "paused", "closed"];

    /// Its name where a visitor may meet it.
    pub const fn shown_key(self) -> Option<&'static str> {
        match self {
            Self::Active | Self::Paused { .. } | Self::Closed { .. } => Some(self.key()),
            Self::Draft | Self::InReview | Self::ChangesAsked | Self::Deleted => None,
        }
    }

    /// Whether it is let no longer.
    pub const fn is_closed(self) -> bool {
        matches!(self, Self::Closed { .. })
    }

    /// Whether it is let to nobody ever, so that waiting for it is over.
    pub const fn is_gone(self) -> bool {
        matches!(self, Self::Closed { .. } | Self::Deleted)
    }

    /// The day from which a paused home is let again.
    pub const fn reopens_on(self) -> Option<NaiveDate> {
        match self {
            Self::Paused { reopens_on } => reopens_on,
            Self::Draft
            | Self::InReview
            | Self::ChangesAsked
            | Self::Active
            | Self::Closed { .. }
            | Self::Deleted => None,
        }
    }
}

/// Why a home is let no longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClosedBy {
    /// Its feed has it no longer.
    Feed,
    Provider,
    Staff,
}
