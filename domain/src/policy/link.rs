//! What follows from events of a payment link: the booking is another payment's, so that no room is held, sold or given back.

use super::{Cause, Effect, FollowUp, alert, dispute, history, refund_returned, refund_told, sent_back};
use crate::id::PaymentId;
use crate::lead::{LeadCommand, LeadStep};
use crate::moment::Moment;
use crate::payment::dispute::DisputeOutcome;
use crate::payment::event::Captured;
use crate::payment::terms::Terms;
use crate::payment::{MessageKind, PaymentCommand, PaymentEvent, RoomOutcome};
use crate::user_history::HistoryFact;

pub(super) fn after_link(
    payment_id: PaymentId,
    terms: &Terms,
    event: &PaymentEvent,
    at: Moment,
) -> Vec<FollowUp> {
    let message = |kind| FollowUp::Effect(Effect::SendMessage { payment_id, kind });
    match event {
        PaymentEvent::PaymentLinkMade { .. } => {
            let step = LeadStep::LinkMade { payment_id };
            let made = FollowUp::Lead(terms.lead_id, LeadCommand::Progress { step, at });
            vec![made, message(MessageKind::PaymentLink)]
        }
        PaymentEvent::PaymentBegun { .. } | PaymentEvent::PaymentRetried { .. } => {
            vec![FollowUp::Effect(Effect::EnsureIntent { payment_id })]
        }
        PaymentEvent::PaymentSoldOut { .. } => vec![FollowUp::Effect(Effect::CancelIntent { payment_id })],
        // A link past its end is closed without a word: its mail named the end.
        PaymentEvent::PaymentCancelled { at } => {
            let withdrawn = (*at < terms.expires_at).then(|| message(MessageKind::LinkWithdrawn));
            let cancel = FollowUp::Effect(Effect::CancelIntent { payment_id });
            [cancel].into_iter().chain(withdrawn).collect()
        }
        PaymentEvent::PaymentSucceeded { .. } => vec![
            history(terms, HistoryFact::PaymentCompleted { payment_id }, at),
            message(MessageKind::Receipt),
        ],
        PaymentEvent::PaymentCapturedWithoutRoom { .. } => vec![message(MessageKind::RoomGone)],
        PaymentEvent::RefundRequested { refund_id, .. } => vec![sent_back(payment_id, *refund_id)],
        PaymentEvent::RefundAcknowledged { refund_id, .. }
        | PaymentEvent::RefundPaidElsewhere { refund_id, .. } => vec![refund_told(payment_id, *refund_id)],
        PaymentEvent::RefundFailed { refund_id, .. } => vec![refund_returned(payment_id, *refund_id)],
        PaymentEvent::DisputeOpened { .. } | PaymentEvent::DisputeEvidenceNoted { .. } => {
            dispute::answered(payment_id, event)
        }
        PaymentEvent::DisputeClosed {
            dispute_id,
            outcome: DisputeOutcome::Lost,
            ..
        } => vec![alert(payment_id, dispute_id, Some(DisputeOutcome::Lost))],
        _ => vec![],
    }
}

/// The money of a link has arrived. Whether its booking is still there is seen where this is carried out.
pub(super) const fn success(payment_id: PaymentId, capture: Captured, cause: Cause) -> FollowUp {
    let command = PaymentCommand::Succeed {
        capture,
        room: RoomOutcome::Sold,
        refund_id: cause.refund_id,
        at: cause.at,
    };
    FollowUp::Success(payment_id, command)
}
