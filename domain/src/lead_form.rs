//! The lead form modal's states (Spec §4 "Lead form", D26): page 1 the form, page 2 the booking continuation,
//! page 3 the confirmation. The browser's machine mirrors this table; a test writes and compares it.

/// Where the modal stands. Form, continuation and confirmation are the specification's pages 1, 2 and 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeadFormState {
    Closed,
    Form,
    Submitting,
    Failure,
    Continuation,
    Saving,
    Confirmation,
    RequestingViewing,
}

/// What can happen to it, by the visitor's hand or the server's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeadFormEvent {
    /// A call to action was pressed.
    Open,
    /// `showSubmitConfirmation` with an existing lead (D23).
    OpenConfirmation,
    Submit,
    /// The lead is in, and the property can be booked: page 2 (D26).
    AcceptedBookable,
    /// The lead is in; nothing to book (sold out, waitlist, question, virtual tour): page 3 (D26).
    Accepted,
    /// The server named bad fields: back to page 1 with its sentences.
    Refused,
    /// No answer, or one that the visitor cannot mend (D94).
    Failed,
    Retry,
    /// From the failure back to what was typed.
    Edit,
    /// Page 2's details are sent.
    Save,
    Saved,
    /// Saved by somebody who pressed Book: the booking form comes next, no confirmation.
    SavedToBook,
    Skip,
    /// On to the booking form page.
    ContinueToBooking,
    /// Page 3's virtual tour request (Spec §2).
    RequestViewing,
    ViewingRequested,
    Close,
}

impl LeadFormState {
    pub const ALL: [Self; 8] = [
        Self::Closed,
        Self::Form,
        Self::Submitting,
        Self::Failure,
        Self::Continuation,
        Self::Saving,
        Self::Confirmation,
        Self::RequestingViewing,
    ];

    /// The name in the step table.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Form => "form",
            Self::Submitting => "submitting",
            Self::Failure => "failure",
            Self::Continuation => "continuation",
            Self::Saving => "saving",
            Self::Confirmation => "confirmation",
            Self::RequestingViewing => "requesting_viewing",
        }
    }

    /// The next state, or `None` where the event means nothing.
    pub fn step(self, event: LeadFormEvent) -> Option<Self> {
        use LeadFormEvent as E;
        use LeadFormState as S;
        match (self, event) {
            (S::Closed, E::Open) | (S::Submitting, E::Refused) | (S::Failure, E::Edit) => Some(S::Form),
            (S::Form, E::Submit) | (S::Failure, E::Retry) => Some(S::Submitting),
            (S::Submitting, E::Failed) => Some(S::Failure),
            (S::Submitting, E::AcceptedBookable) | (S::Saving, E::Failed) => Some(S::Continuation),
            (S::Continuation, E::Save) => Some(S::Saving),
            (S::Closed, E::OpenConfirmation)
            | (S::Submitting, E::Accepted)
            | (S::Continuation, E::Skip)
            | (S::Saving, E::Saved)
            | (S::RequestingViewing, E::ViewingRequested | E::Failed) => Some(S::Confirmation),
            (S::Confirmation, E::RequestViewing) => Some(S::RequestingViewing),
            // Closing resets inventory, page and heading (Spec §4); not while an answer is on its way.
            (S::Form | S::Failure | S::Continuation | S::Confirmation, E::Close)
            | (S::Continuation | S::Confirmation, E::ContinueToBooking)
            | (S::Saving, E::SavedToBook) => Some(S::Closed),
            _ => None,
        }
    }
}

impl LeadFormEvent {
    pub const ALL: [Self; 17] = [
        Self::Open,
        Self::OpenConfirmation,
        Self::Submit,
        Self::AcceptedBookable,
        Self::Accepted,
        Self::Refused,
        Self::Failed,
        Self::Retry,
        Self::Edit,
        Self::Save,
        Self::Saved,
        Self::SavedToBook,
        Self::Skip,
        Self::ContinueToBooking,
        Self::RequestViewing,
        Self::ViewingRequested,
        Self::Close,
    ];

    /// The name in the step table.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::OpenConfirmation => "open_confirmation",
            Self::Submit => "submit",
            Self::AcceptedBookable => "accepted_bookable",
            Self::Accepted => "accepted",
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Retry => "retry",
            Self::Edit => "edit",
            Self::Save => "save",
            Self::Saved => "saved",
            Self::SavedToBook => "saved_to_book",
            Self::Skip => "skip",
            Self::ContinueToBooking => "continue_to_booking",
            Self::RequestViewing => "request_viewing",
            Self::ViewingRequested => "viewing_requested",
            Self::Close => "close",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn table() -> BTreeMap<&'static str, BTreeMap<&'static str, &'static str>> {
        LeadFormState::ALL
            .into_iter()
            .map(|state| {
                let steps = LeadFormEvent::ALL
                    .into_iter()
                    .filter_map(|event| state.step(event).map(|next| (event.key(), next.key())))
                    .collect();
                (state.key(), steps)
            })
            .collect()
    }

    #[test]
    fn the_browser_has_the_step_table_that_the_rules_compute() {
        crate::contract_file::assert_written("steps.lead.json", &table());
    }

    #[test]
    fn every_state_can_be_reached_and_left() {
        let table = table();
        for state in LeadFormState::ALL {
            assert!(!table[state.key()].is_empty(), "{} is a dead end", state.key());
            let entered = table
                .values()
                .any(|steps| steps.values().any(|target| *target == state.key()));
            assert!(entered, "{} cannot be reached", state.key());
        }
    }
}
