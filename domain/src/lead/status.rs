//! How far a lead has come (D81).

use serde::{Deserialize, Serialize};

/// The states of a lead, in the order of its way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeadStatus {
    #[default]
    Created,
    Enquired,
    Waitlisted,
    ViewingRequested,
    FormStarted,
    FormCompleted,
    PaymentStarted,
    Booked,
    Cancelled,
    Lost,
    Completed,
}

impl LeadStatus {
    pub const ALL: [Self; 11] = [
        Self::Created,
        Self::Enquired,
        Self::Waitlisted,
        Self::ViewingRequested,
        Self::FormStarted,
        Self::FormCompleted,
        Self::PaymentStarted,
        Self::Booked,
        Self::Cancelled,
        Self::Lost,
        Self::Completed,
    ];

    /// The word on the wire.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Enquired => "enquired",
            Self::Waitlisted => "waitlisted",
            Self::ViewingRequested => "viewing_requested",
            Self::FormStarted => "form_started",
            Self::FormCompleted => "form_completed",
            Self::PaymentStarted => "payment_started",
            Self::Booked => "booked",
            Self::Cancelled => "cancelled",
            Self::Lost => "lost",
            Self::Completed => "completed",
        }
    }

    /// Reads the word on the wire.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.key() == key)
    }

    /// Nothing more is expected of it.
    pub const fn is_closed(self) -> bool {
        matches!(self, Self::Cancelled | Self::Lost | Self::Completed)
    }

    /// 0 to 100: how far towards a booking.
    pub const fn progress(self) -> u8 {
        match self {
            Self::Created => 5,
            Self::Enquired | Self::Waitlisted => 15,
            Self::ViewingRequested => 25,
            Self::FormStarted => 40,
            Self::FormCompleted => 60,
            Self::PaymentStarted => 80,
            Self::Booked | Self::Completed => 100,
            Self::Cancelled | Self::Lost => 0,
        }
    }
}
