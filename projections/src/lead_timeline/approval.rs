//! A refund that a second person decides, in sentences: asked for, approved, declined.

use domain::approval::{ApprovalEvent, Asked};
use domain::id::PaymentId;
use domain::money::Money;

use super::told::{Told, shown};

/// The refund that is asked for or decided; none for a correction of the books, which belongs to no lead.
pub(super) fn refund_of(event: &ApprovalEvent) -> Option<(PaymentId, Money)> {
    let (ApprovalEvent::Asked { what, .. }
    | ApprovalEvent::Approved { what, .. }
    | ApprovalEvent::Declined { what, .. }) = event;
    match what {
        Asked::Refund {
            payment_id,
            amount_minor,
            currency,
            ..
        } => Some((*payment_id, Money::new(*amount_minor, *currency))),
        Asked::Correction { .. } => None,
    }
}

/// Tells one event of the request. Its reason is empty once the payer is forgotten.
pub(super) fn tell(event: &ApprovalEvent, amount: Money) -> Told {
    let (told, reason) = match event {
        ApprovalEvent::Asked { reason, .. } => (Told::new("refund_approval.asked"), reason),
        ApprovalEvent::Approved { reason, .. } => (Told::new("refund_approval.given"), reason),
        ApprovalEvent::Declined { reason, .. } => (Told::new("refund_approval.declined").failed(), reason),
    };
    told.with("amount", shown(amount))
        .with("reason", reason.get().map_or("", String::as_str))
}
