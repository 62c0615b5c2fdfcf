//! How an event moves a lead's status (D81).

use super::{DeskAct, LeadEvent, LeadStatus};

impl LeadStatus {
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

    /// A student who comes back after a lead was closed opens it again.
    fn forward(self, next: Self) -> Self {
        if matches!(self, Self::Cancelled | Self::Lost) {
            next
        } else {
            self.max(next)
        }
    }
}
