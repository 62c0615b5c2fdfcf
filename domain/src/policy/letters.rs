//! Which messages follow from a lead's and a payment's events.

use super::{Effect, FollowUp};
use crate::booking_form::BookingFormEvent;
use crate::case::{CaseEvent, Side};
use crate::correspondence::LetterKind;
use crate::id::{BookingFormId, CaseId, LeadId, PaymentId};
use crate::lead::{DeskAct, LeadEvent};
use crate::moment::Moment;
use crate::payment::{Payment, PaymentEvent, PaymentStatus};

/// What follows from an event of a lead: its sender is told that the enquiry arrived, that the form was submitted, and once,
/// a day after it was begun, that it waits. A booking ends its person's waiting, and its end takes the links along that were made for it.
///
/// Another stay ends the payment that was opened for the old one; another room does so through its form, see [`after_form`].
pub fn after_lead(lead_id: LeadId, event: &LeadEvent) -> Vec<FollowUp> {
    let outdated = match event {
        LeadEvent::WishChanged { at, .. } => Some(end_outdated(lead_id, *at)),
        _ => None,
    };
    outdated.into_iter().chain(told_of_lead(lead_id, event)).collect()
}

/// Follows an event of a lead's booking form: another room, chosen by the student or by support, ends the payment that was
/// opened for the old one.
pub fn after_form(lead_id: LeadId, event: &BookingFormEvent) -> Option<FollowUp> {
    match event {
        BookingFormEvent::RoomChanged { at, .. } => Some(end_outdated(lead_id, *at)),
        _ => None,
    }
}

/// Ends the lead's payment if its card form is open for what is not wished for any more.
const fn end_outdated(lead_id: LeadId, at: Moment) -> FollowUp {
    FollowUp::EndOutdatedPayment { lead_id, at }
}

fn told_of_lead(lead_id: LeadId, event: &LeadEvent) -> Option<FollowUp> {
    let letter = |letter, form_id: &BookingFormId| Effect::SendLetter {
        lead_id,
        letter,
        about: form_id.0,
    };
    let effect = match event {
        LeadEvent::Created { .. } => Effect::SendLeadMessage { lead_id },
        LeadEvent::FormStarted { form_id, .. } => letter(LetterKind::FormLeft, form_id),
        LeadEvent::FormCompleted { form_id, .. } => letter(LetterKind::FormSubmitted, form_id),
        // A link may be made in the moment in which its booking ends.
        LeadEvent::BookingRefunded { at, .. } | LeadEvent::LinkMade { at, .. } => {
            return Some(FollowUp::WithdrawLinks { lead_id, at: *at });
        }
        LeadEvent::ActedOn { act_id, act, .. } => Effect::SendLetter {
            lead_id,
            letter: match act {
                DeskAct::EnquirySent => LetterKind::ArrivedAgain,
                DeskAct::StayChanged { .. } | DeskAct::RoomChanged { .. } => LetterKind::ChangedForYou,
                DeskAct::ContactCorrected | DeskAct::DoubleJoined { took_phone: true, .. } => {
                    LetterKind::ContactCorrected
                }
                _ => return None,
            },
            about: *act_id,
        },
        LeadEvent::NoteAdded {
            note_id: Some(note_id),
            mentions,
            ..
        } if !mentions.is_empty() => Effect::SendMentions {
            lead_id,
            note_id: *note_id,
            to: mentions.clone(),
        },
        LeadEvent::Booked { .. } => return Some(FollowUp::LeavePlaces { lead_id }),
        _ => return None,
    };
    Some(FollowUp::Effect(effect))
}

/// What follows from an event of a case: what staff wrote goes to its person, and colleagues whom a note mentions are told.
pub fn after_case(case_id: CaseId, event: &CaseEvent) -> Option<FollowUp> {
    match event {
        CaseEvent::MessageWritten { written, .. } if written.side == Side::Staff => {
            Some(FollowUp::Effect(Effect::SendCaseMessage {
                case_id,
                message_id: written.message_id,
            }))
        }
        CaseEvent::NoteAdded {
            note_id: Some(note_id),
            mentions,
            ..
        } if !mentions.is_empty() => Some(FollowUp::Effect(Effect::SendCaseMentions {
            case_id,
            note_id: *note_id,
            to: mentions.clone(),
        })),
        _ => None,
    }
}

/// The message to the payer that follows from an event of a payment, which by now stands as `payment`, and the end of a card form that
/// opens for what is not wished for any more.
pub(super) fn after_payment(
    payment_id: PaymentId,
    payment: &Payment,
    event: &PaymentEvent,
    at: Moment,
) -> Vec<FollowUp> {
    let told = told_of_payment(payment_id, payment, event);
    told.into_iter()
        .chain(check_opened_form(payment, event, at))
        .collect()
}

/// A card form opens, or opens again after a declined try: a change of stay or room made just before found none that it could close.
fn check_opened_form(payment: &Payment, event: &PaymentEvent, at: Moment) -> Option<FollowUp> {
    let opens = matches!(
        event,
        PaymentEvent::IntentReady { .. } | PaymentEvent::PaymentDeclined { .. }
    );
    let terms = payment.terms.as_ref();
    let terms = terms.filter(|terms| opens && terms.link.is_none())?;
    Some(end_outdated(terms.lead_id, at))
}

/// The message to the payer alone.
pub(super) fn told_of_payment(
    payment_id: PaymentId,
    payment: &Payment,
    event: &PaymentEvent,
) -> Option<FollowUp> {
    let letter = match event {
        PaymentEvent::PaymentBegun { .. } | PaymentEvent::PaymentRetried { .. } => LetterKind::PaymentLeft,
        PaymentEvent::PaymentDelayed {} => LetterKind::PaymentPending,
        PaymentEvent::PaymentDeclined { .. } | PaymentEvent::PaymentSoldOut { .. }
            if failed_unseen(payment) =>
        {
            LetterKind::PaymentFailed
        }
        _ => return None,
    };
    Some(FollowUp::Effect(Effect::SendLetter {
        lead_id: payment.terms.as_ref()?.lead_id,
        letter,
        about: payment_id.0,
    }))
}

/// The payment came to nothing while its payer was not looking: a bank that took days said no, or the room is gone after a declined
/// try. A payer who waits at the page sees a first refusal there.
fn failed_unseen(payment: &Payment) -> bool {
    let is_gone = payment.status == PaymentStatus::SoldOut && !payment.declined_attempts.is_empty();
    payment.captures.is_empty() && (payment.delayed || is_gone)
}
