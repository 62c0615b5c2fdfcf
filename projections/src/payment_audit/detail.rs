//! What kind of event a row of the audit list is about, in more words than its kind.

use domain::payment::PaymentEvent;
use domain::payment::SoldOutReason;
use domain::payment::event::RefundReason;

use crate::payment_page::kind;

/// A key of the catalogue `finance_detail`.
pub(super) fn detail(event: &PaymentEvent) -> &'static str {
    match event {
        PaymentEvent::PaymentSucceeded { .. } => "captured",
        PaymentEvent::PaymentCapturedWithoutRoom { .. } => "captured_without_room",
        PaymentEvent::PaymentCapturedAgain { .. } => "captured_again",
        PaymentEvent::PaymentDeclined { code, .. } => code.code(),
        PaymentEvent::PaymentSoldOut { reason } => match reason {
            SoldOutReason::NoRoom => "no_room",
            SoldOutReason::HoldLost => "hold_lost",
            SoldOutReason::TooManyHolds => "too_many_holds",
            SoldOutReason::OtherRoomBooked => "other_room_booked",
        },
        PaymentEvent::RefundRequested { reason, .. } => match reason {
            RefundReason::SoldOut => "refund_sold_out",
            RefundReason::OtherRoomBooked => "refund_other_room_booked",
            RefundReason::PaidTwice => "refund_paid_twice",
            RefundReason::Staff => "refund_staff",
            RefundReason::Gateway => "refund_gateway",
        },
        PaymentEvent::PaymentRoomGivenBack { vacated: false, .. } => "room_kept_by_another",
        other => kind(other).unwrap_or("noted"),
    }
}
