//! What a payment's way means for its lead, the history of its person, and who referred them.

use super::FollowUp;
use crate::id::{PaymentId, ReferralId};
use crate::lead::{AnswerBeside, LeadCommand, LeadStep};
use crate::moment::Moment;
use crate::payment::terms::Terms;
use crate::payment::{Payment, PaymentEvent, RequestedBy};
use crate::referral::ReferralCommand;
use crate::user_history::{HistoryFact, UserHistoryCommand};

pub(super) fn told_started(payment_id: PaymentId, terms: &Terms, at: Moment) -> [FollowUp; 2] {
    let step = LeadStep::PaymentStarted {
        payment_id,
        inventory_id: terms.room_id,
    };
    [
        FollowUp::Lead(terms.lead_id, LeadCommand::Progress { step, at }),
        history(terms, HistoryFact::PaymentInitiated { payment_id }, at),
    ]
}

/// What a paid room means for its lead.
pub fn booked(payment_id: PaymentId, terms: &Terms) -> LeadStep {
    LeadStep::Booked {
        payment_id,
        inventory_id: terms.room_id,
        stay: terms.stay(),
    }
}

/// Paid, and the room is theirs: the lead is booked, the history knows, and who referred them is due (D123).
pub(super) fn told_booked(payment_id: PaymentId, terms: &Terms, at: Moment) -> [FollowUp; 3] {
    let step = booked(payment_id, terms);
    [
        FollowUp::Lead(terms.lead_id, LeadCommand::Progress { step, at }),
        history(terms, HistoryFact::PaymentCompleted { payment_id }, at),
        // A lead has at most one referral, so its stream goes by the lead's id.
        FollowUp::Referral(
            ReferralId(terms.lead_id.0),
            ReferralCommand::complete(payment_id, at),
        ),
    ]
}

/// Staff gave money back or ended the booking: a colleague's request that this did not name is closed. One that it named is answered in
/// the same append.
pub(super) fn asks_answered(
    payment_id: PaymentId,
    payment: &Payment,
    event: &PaymentEvent,
    at: Moment,
) -> Option<FollowUp> {
    let terms = payment.terms.as_ref()?;
    let (by, beside) = match event {
        PaymentEvent::RefundRequested {
            by: RequestedBy::Staff(by),
            refund_id,
            amount_minor,
            ..
        } => {
            let refund = AnswerBeside::Refund {
                refund_id: *refund_id,
                amount_minor: *amount_minor,
                currency: terms.quote.currency,
            };
            (*by, refund)
        }
        PaymentEvent::PaymentBookingCancelled { by, .. } => (*by, AnswerBeside::Cancellation),
        _ => return None,
    };
    let answer = LeadCommand::AnswerAsks {
        payment_id,
        by,
        beside,
        at,
    };
    Some(FollowUp::Lead(terms.lead_id, answer))
}

pub(super) fn history(terms: &Terms, fact: HistoryFact, at: Moment) -> FollowUp {
    FollowUp::History(terms.subject, note(terms, fact, at))
}

/// What a payment that begins leaves in the history of its person.
pub const fn note_begun(payment_id: PaymentId, terms: &Terms, at: Moment) -> UserHistoryCommand {
    note(terms, HistoryFact::PaymentInitiated { payment_id }, at)
}

const fn note(terms: &Terms, fact: HistoryFact, at: Moment) -> UserHistoryCommand {
    UserHistoryCommand::Note {
        property_id: terms.inventory_root_id,
        room_id: Some(terms.room_id),
        lead_id: terms.lead_id,
        fact,
        at,
    }
}
