//! A payment's events in sentences.

use domain::money::{Currency, Money};
use domain::payment::dispute::DisputeOutcome;
use domain::payment::event::Secret;
use domain::payment::evidence::EvidenceStep;
use domain::payment::{Captured, MessageKind, PaymentEvent, RefundReason, RequestedBy, SoldOutReason};
use domain::sealed::Sealed;
use uuid::Uuid;

use super::told::{Told, shown};

/// What the payment's earlier events said that a later sentence needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub(super) currency: Currency,
    pub(super) captured_minor: u64,
    pub(super) refunded_minor: u64,
    /// A bank took money back, or keeps it until it has decided.
    pub(super) dispute: Option<DisputeNow>,
    /// Who made the event happen.
    pub(super) actor: Option<Uuid>,
}

/// How the latest dispute of a payment stands, while a bank has the money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DisputeNow {
    Open,
    Lost,
}

impl DisputeNow {
    /// From what the sheet keeps of it.
    pub(super) fn from_word(word: &str) -> Option<Self> {
        match word {
            "open" => Some(Self::Open),
            "lost" => Some(Self::Lost),
            _ => None,
        }
    }
}

impl Known {
    fn money(&self, amount_minor: u64) -> String {
        shown(Money::new(amount_minor, self.currency))
    }
}

/// Tells one event of a payment's stream.
pub(super) fn tell(event: &PaymentEvent, known: &Known) -> Told {
    use PaymentEvent as E;
    match event {
        E::PaymentOpened { terms, .. } => {
            let total = known.money(terms.quote.total_minor);
            Told::new("payment_opened")
                .with("total", total.clone())
                .set("payment_status", "init")
                .set("due", total)
                .set("captured", known.money(0))
        }
        E::PaymentLinkMade { .. } => Told::new("payment_link_made"),
        E::PaymentBegun { .. } => Told::new("payment_begun").set("payment_status", "init_loading"),
        E::PaymentRetried { .. } => Told::new("payment_retried")
            .set("payment_status", "init_loading")
            .set_some("decline", None),
        E::PaymentHoldNoted {
            expires_at: Some(until),
            ..
        } => Told::new("payment_room_held").set("held_until", until.to_rfc3339()),
        E::PaymentHoldNoted { expires_at: None, .. } => {
            Told::new("payment_room_kept").set_some("held_until", None)
        }
        E::IntentReady { .. } => Told::new("payment_intent_ready").set("payment_status", "initiated"),
        E::IntentFailed { .. } => Told::new("payment_intent_failed")
            .set("payment_status", "init_failure")
            .failed(),
        E::PaymentSoldOut { reason } => sold_out(*reason),
        E::PaymentConfirmed { .. } => Told::new("payment_confirmed").set("payment_status", "processing"),
        E::PaymentActionRequired { .. } => Told::new("payment_action_required"),
        E::PaymentSucceeded { capture, .. } => {
            captured(Told::new("payment_succeeded"), capture, known).set("payment_status", "success")
        }
        E::PaymentCapturedWithoutRoom { capture, .. } => {
            let told = captured(Told::new("payment_captured_without_room"), capture, known);
            told.set("payment_status", "sold_out").failed()
        }
        E::PaymentCapturedAgain { capture, .. } => {
            captured(Told::new("payment_captured_again"), capture, known).failed()
        }
        E::PaymentDeclined { code, .. } => Told::new(format!("payment_declined.{}", code.code()))
            .set("payment_status", "failed")
            .set("decline", code.code())
            .failed(),
        E::PaymentDelayed {} => Told::new("payment_delayed").set("payment_status", "pending"),
        E::PaymentCancelled { .. } => Told::new("payment_cancelled").set_some("held_until", None),
        E::RefundRequested { .. }
        | E::RefundSent { .. }
        | E::RefundAcknowledged { .. }
        | E::RefundFailed { .. }
        | E::RefundPaidElsewhere { .. }
        | E::DisputeOpened { .. }
        | E::DisputeClosed { .. } => after_capture(event, known),
        E::DisputeEvidenceNoted { step, .. } => evidence(step),
        E::PaymentMessageSent { kind } => sent(*kind),
        E::RefundMessageSent { .. } => Told::new("payment_message_sent.refunded"),
        E::PaymentMessageRefused { kind, .. } => refused(*kind),
        E::PaymentBookingCancelled { note, ask, .. } => booking_cancelled(note, ask.is_some()),
        E::PaymentRoomGivenBack { vacated: true, .. } => room_given_back(known),
        E::PaymentRoomGivenBack { vacated: false, .. } => Told::new("payment_room_kept_by_another"),
    }
}

fn sold_out(reason: SoldOutReason) -> Told {
    Told::new(match reason {
        SoldOutReason::NoRoom => "payment_sold_out.no_room",
        SoldOutReason::HoldLost => "payment_sold_out.hold_lost",
        SoldOutReason::TooManyHolds => "payment_sold_out.too_many_holds",
        SoldOutReason::OtherRoomBooked => "payment_sold_out.other_room_booked",
    })
    .set("payment_status", "sold_out")
    .set_some("held_until", None)
    .failed()
}

fn booking_cancelled(note: &Sealed<Secret>, as_asked: bool) -> Told {
    let key = if as_asked {
        "payment_booking_cancelled_as_asked"
    } else {
        "payment_booking_cancelled"
    };
    with_reason(Told::new(key), note).failed()
}

/// Tells the end of a booking: the sum that went back, if any, and whether a bank has the rest.
fn room_given_back(known: &Known) -> Told {
    let how = match known.dispute {
        _ if known.refunded_minor >= known.captured_minor => return Told::new("payment_room_given_back"),
        Some(DisputeNow::Open) => "payment_room_given_back.disputed",
        Some(DisputeNow::Lost) => "payment_room_given_back.lost",
        None => "payment_room_given_back.part",
    };
    if known.refunded_minor == 0 {
        return Told::new(format!("{how}_unrefunded")).with("captured", known.money(known.captured_minor));
    }
    Told::new(how)
        .with("refunded", known.money(known.refunded_minor))
        .with("captured", known.money(known.captured_minor))
}

/// How far the evidence against a dispute has come.
fn evidence(step: &EvidenceStep) -> Told {
    match step {
        EvidenceStep::Laid { .. } => Told::new("dispute_evidence.laid"),
        EvidenceStep::Asked { .. } => Told::new("dispute_evidence.asked"),
        EvidenceStep::Sent { .. } => Told::new("dispute_evidence.sent"),
        EvidenceStep::Refused { .. } => Told::new("dispute_evidence.refused").failed(),
    }
}

/// A message went out.
fn sent(kind: MessageKind) -> Told {
    Told::new(match kind {
        MessageKind::Receipt => "payment_message_sent.receipt",
        MessageKind::RoomGone => "payment_message_sent.room_gone",
        MessageKind::Refunded => "payment_message_sent.refunded",
        MessageKind::BookingCancelled => "payment_message_sent.booking_cancelled",
        MessageKind::PaymentLink => "payment_message_sent.payment_link",
        MessageKind::PlaceOffered => "payment_message_sent.place_offered",
        MessageKind::LinkWithdrawn => "payment_message_sent.link_withdrawn",
        MessageKind::HomeClosed => "payment_message_sent.home_closed",
    })
}

/// No mail server took a message.
fn refused(kind: MessageKind) -> Told {
    Told::new(match kind {
        MessageKind::Receipt => "payment_message_refused.receipt",
        MessageKind::RoomGone => "payment_message_refused.room_gone",
        MessageKind::Refunded => "payment_message_refused.refunded",
        MessageKind::BookingCancelled => "payment_message_refused.booking_cancelled",
        MessageKind::PaymentLink => "payment_message_refused.payment_link",
        MessageKind::PlaceOffered => "payment_message_refused.place_offered",
        MessageKind::LinkWithdrawn => "payment_message_refused.link_withdrawn",
        MessageKind::HomeClosed => "payment_message_refused.home_closed",
    })
    .failed()
}

/// What happens to money that was taken.
fn after_capture(event: &PaymentEvent, known: &Known) -> Told {
    use PaymentEvent as E;
    match event {
        E::RefundRequested {
            amount_minor,
            reason: RefundReason::Staff,
            by: RequestedBy::Staff(by),
            ask,
            note,
            ..
        } => {
            // Another one than who asked made it happen: the second person.
            let is_approved = known.actor.is_some_and(|actor| actor != by.0);
            let (key, asked_by) = match ask {
                _ if is_approved => ("refund_requested.approved", *by),
                Some(ask) => ("refund_requested.granted", ask.by),
                None => ("refund_requested.staff", *by),
            };
            let told = with_reason(Told::new(key), note)
                .with("amount", known.money(*amount_minor))
                .set("refund", "requested")
                .set("refund_asked_by", asked_by.to_string());
            // The approver's words stand in the request that was approved, and are read from there.
            if is_approved {
                told.with("approval_reason", "")
            } else {
                told
            }
        }
        E::RefundRequested {
            amount_minor, reason, ..
        } => Told::new(match reason {
            RefundReason::SoldOut => "refund_requested.sold_out",
            RefundReason::OtherRoomBooked => "refund_requested.other_room_booked",
            RefundReason::PaidTwice => "refund_requested.paid_twice",
            RefundReason::Staff => "refund_requested.staff",
            RefundReason::Gateway => "refund_requested.gateway",
        })
        .with("amount", known.money(*amount_minor))
        .set("refund", "requested"),
        E::RefundSent { .. } => Told::new("refund_sent").set("refund", "sent"),
        E::RefundAcknowledged { amount_minor, .. } => Told::new("refund_acknowledged")
            .with("amount", known.money(*amount_minor))
            .set("refund", "acknowledged")
            .set(
                "refunded",
                known.money(known.refunded_minor.saturating_add(*amount_minor)),
            ),
        E::RefundFailed { amount_minor, .. } => Told::new("refund_failed")
            .with("amount", known.money(*amount_minor))
            .set("refund", "failed")
            .failed(),
        E::RefundPaidElsewhere { note, .. } => {
            with_reason(Told::new("refund_paid_elsewhere"), note).set("refund", "paid_elsewhere")
        }
        E::DisputeOpened { amount_minor, .. } => Told::new("dispute_opened")
            .with("amount", known.money(*amount_minor))
            .set("dispute", "open")
            .failed(),
        E::DisputeClosed { outcome, .. } => match outcome {
            DisputeOutcome::Won => Told::new("dispute_closed.won").set("dispute", "won"),
            DisputeOutcome::Lost => Told::new("dispute_closed.lost").set("dispute", "lost").failed(),
        },
        other => tell(other, known),
    }
}

/// Adds the words of the member of staff; empty once their person is forgotten.
fn with_reason(told: Told, note: &Sealed<Secret>) -> Told {
    told.with("reason", note.get().map_or("", |words| words.0.as_str()))
}

fn captured(told: Told, capture: &Captured, known: &Known) -> Told {
    let card = capture
        .card
        .as_ref()
        .map(|card| format!("{} {}", card.brand, card.last4));
    told.with("amount", known.money(capture.amount_minor))
        .set(
            "captured",
            known.money(known.captured_minor.saturating_add(capture.amount_minor)),
        )
        .set("due", known.money(0))
        .set_some("card", card)
}
