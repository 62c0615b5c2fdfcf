//! What kind of event a row of the audit list is about, in more words than its kind.

use domain::payment::SoldOutReason;
use domain::payment::event::RefundReason;
use domain::payment::{Payment, PaymentEvent, PaymentStatus};

use crate::payment_page::kind;

/// A key of the catalogue `finance_detail`, given the payment after the event.
pub(super) fn detail(payment: &Payment, event: &PaymentEvent) -> &'static str {
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
        PaymentEvent::PaymentRoomGivenBack { vacated: true, .. } => room_given_back(payment),
        other => kind(other).unwrap_or("noted"),
    }
}

/// Why the room is free again, and what went back.
fn room_given_back(payment: &Payment) -> &'static str {
    if payment.status == PaymentStatus::SoldOut {
        "captured_without_room"
    } else if payment.refunded_minor() >= payment.captured_minor() {
        "room_given_back"
    } else if payment.returned_in_full() {
        "room_given_back_lost"
    } else if payment.disputed_minor() > 0 {
        "room_given_back_disputed"
    } else {
        "room_given_back_part"
    }
}
