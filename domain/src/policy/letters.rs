//! Which messages follow from a lead's and a payment's events.

use super::{Effect, FollowUp};
use crate::correspondence::LetterKind;
use crate::id::{BookingFormId, LeadId, PaymentId};
use crate::lead::LeadEvent;
use crate::payment::terms::Terms;

/// What follows from an event of a lead: its sender is told that the enquiry arrived, that the form was submitted, and once,
/// a day after it was begun, that it waits.
pub fn after_lead(lead_id: LeadId, event: &LeadEvent) -> Option<FollowUp> {
    let letter = |letter, form_id: &BookingFormId| Effect::SendLetter {
        lead_id,
        letter,
        about: form_id.0,
    };
    let effect = match event {
        LeadEvent::Created { .. } => Effect::SendLeadMessage { lead_id },
        LeadEvent::FormStarted { form_id, .. } => letter(LetterKind::FormLeft, form_id),
        LeadEvent::FormCompleted { form_id, .. } => letter(LetterKind::FormSubmitted, form_id),
        _ => return None,
    };
    Some(FollowUp::Effect(effect))
}

/// A message to the payer.
pub(super) const fn letter(payment_id: PaymentId, terms: &Terms, letter: LetterKind) -> FollowUp {
    FollowUp::Effect(Effect::SendLetter {
        lead_id: terms.lead_id,
        letter,
        about: payment_id.0,
    })
}

/// The payment came to nothing while its payer was not looking.
pub(super) const fn failed_letter(payment_id: PaymentId, terms: &Terms) -> FollowUp {
    letter(payment_id, terms, LetterKind::PaymentFailed)
}
