//! How far a lead has come (D81).

use serde::{Deserialize, Serialize};

use super::{DeskAct, LeadEvent};

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

    /// The state after an event. A lead never goes back: a second form begun while a payment runs changes nothing.
    #[must_use]
    pub fn after(self, event: &LeadEvent) -> Self {
        use LeadEvent as E;
        match event {
            E::Created { .. } => Self::Created,
            E::Enquired { .. } => self.forward(Self::Enquired),
            E::Waitlisted { .. } => self.forward(Self::Waitlisted),
            E::ViewingRequested { .. } => self.forward(Self::ViewingRequested),
            E::FormStarted { .. } => self.forward(Self::FormStarted),
            E::FormCompleted { .. } => self.forward(Self::FormCompleted),
            E::PaymentStarted { .. } => self.forward(Self::PaymentStarted),
            // Paid money beats every other state, a lost lead's too.
            E::Booked { .. } => Self::Booked,
            E::Cancelled { .. } | E::BookingRefunded { .. } => Self::Cancelled,
            E::Lost { .. } => Self::Lost,
            E::Completed { .. } => Self::Completed,
            E::ActedOn { act, .. } => self.after_act(act),
            E::WishChanged { .. }
            | E::ContactChanged { .. }
            | E::PersonVerified { .. }
            | E::PersonUnverified { .. }
            | E::Assigned { .. }
            | E::MessageSent { .. }
            | E::MessageRefused { .. }
            | E::NoteAdded { .. }
            | E::Rated { .. }
            | E::LinkMade { .. }
            | E::PlaceTaken { .. }
            | E::LetterPosted { .. } => self,
        }
    }

    const fn after_act(self, act: &DeskAct) -> Self {
        match act {
            DeskAct::Closed { .. } | DeskAct::MarkedDouble { .. } => Self::Lost,
            DeskAct::Reopened { status } | DeskAct::UnmarkedDouble { status } => *status,
            _ => self,
        }
    }

    /// Somebody who comes back after a lead was closed opens it again.
    fn forward(self, next: Self) -> Self {
        if matches!(self, Self::Cancelled | Self::Lost) {
            next
        } else {
            self.max(next)
        }
    }
}
