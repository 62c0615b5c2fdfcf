//! When a lead is answered: a colleague's message or recorded call reached its student. To take a lead, a note, a booking and the
//! messages of the house answer nobody. List, report, segments and alarms all read it here.

use domain::case::CaseEvent;
use domain::correspondence::LetterOutcome;
use domain::lead::{DeskAct, LeadEvent};

/// The detail of a step `answered`: a message.
pub(crate) const BY_MESSAGE: &str = "message";
/// The detail of a step `answered`: a call.
pub(crate) const BY_CALL: &str = "call";

/// How an event of the lead answers it.
pub(crate) const fn answered_by_lead(event: &LeadEvent) -> Option<&'static str> {
    match event {
        LeadEvent::ActedOn {
            act: DeskAct::Called { reached: true },
            ..
        } => Some(BY_CALL),
        _ => None,
    }
}

/// How an event of a conversation answers the lead that it is about. Only what staff wrote is posted.
pub(crate) const fn answered_by_case(event: &CaseEvent) -> Option<&'static str> {
    match event {
        CaseEvent::MessagePosted {
            outcome: LetterOutcome::Delivered,
            ..
        } => Some(BY_MESSAGE),
        _ => None,
    }
}
