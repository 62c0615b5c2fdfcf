//! How a payment stands for the desk, and what a refund by staff does before it is asked for (decision 0024).

use chrono::TimeDelta;
use uuid::Uuid;

use super::consequence::{Consequence, RoomOf, consequences};
use super::dispute::{DisputeCommand, DisputeOutcome};
use super::evidence::{EvidenceCommand, EvidenceStep};
use super::story::{at, opened, succeed};
use super::*;
use crate::aggregate::fold;
use crate::id::{PaymentId, UserId};
use crate::room_stock::{RoomStock, Sold};

fn disputed(decided: Option<DisputeOutcome>) -> Payment {
    let mut payment = fold::<Payment>([&opened()]);
    let open = DisputeCommand::Open {
        dispute_id: "dp_1".to_owned(),
        amount_minor: 25_907,
        fee_minor: None,
        reason: "fraudulent".to_owned(),
    };
    let close = |outcome| DisputeCommand::Close {
        dispute_id: "dp_1".to_owned(),
        amount_minor: 25_907,
        fee_minor: None,
        reason: "fraudulent".to_owned(),
        outcome,
        at: at(),
    };
    hear(&mut payment, succeed("ch_1", RoomOutcome::Sold));
    hear(&mut payment, PaymentCommand::Dispute(open));
    if let Some(outcome) = decided {
        hear(&mut payment, PaymentCommand::Dispute(close(outcome)));
    }
    payment
}

fn hear(payment: &mut Payment, command: PaymentCommand) {
    for event in payment.decide(command).unwrap() {
        payment.evolve(&event);
    }
}

fn note(payment: &mut Payment, step: EvidenceStep) {
    let command = EvidenceCommand {
        dispute_id: "dp_1".to_owned(),
        step,
        at: at(),
    };
    hear(
        payment,
        PaymentCommand::Dispute(DisputeCommand::Evidence(command)),
    );
}

fn lay(payment: &mut Payment) {
    let laid = EvidenceStep::Laid {
        due_by: Some(at() + TimeDelta::days(7)),
        digest: "d".repeat(64),
    };
    note(payment, laid);
}

#[test]
fn a_dispute_is_open_until_the_bank_decides() {
    assert!(!fold::<Payment>([&opened()]).has_open_dispute());
    assert!(disputed(None).has_open_dispute());
    assert!(!disputed(Some(DisputeOutcome::Won)).has_open_dispute());
}

/// Due are open disputes whose deadline comes before the end of the day and whose evidence has not gone to the bank.
#[test]
fn evidence_is_due_until_it_has_gone_to_the_bank() {
    let (soon, later) = (at() + TimeDelta::days(6), at() + TimeDelta::days(8));
    let mut payment = disputed(None);
    assert_eq!(payment.disputes_due_before(later), 0, "no deadline is known");
    lay(&mut payment);
    assert_eq!(
        (
            payment.disputes_due_before(soon),
            payment.disputes_due_before(later)
        ),
        (0, 1)
    );
    let by = UserId(Uuid::from_u128(7));
    note(
        &mut payment,
        EvidenceStep::Asked {
            by,
            struck: vec![],
            last_seen: None,
        },
    );
    assert_eq!(payment.disputes_due_before(later), 1, "it is on its way");
    note(
        &mut payment,
        EvidenceStep::Sent {
            digest: "d".repeat(64),
        },
    );
    assert_eq!(payment.disputes_due_before(later), 0);
    let mut lost = disputed(Some(DisputeOutcome::Lost));
    lay(&mut lost);
    assert_eq!(lost.disputes_due_before(later), 0, "the bank has decided");
}

#[test]
fn the_card_that_paid_is_shown() {
    assert_eq!(fold::<Payment>([&opened()]).card(), None);
    let card = disputed(None).card().cloned().unwrap();
    assert_eq!((card.brand.as_str(), card.last4.as_str()), ("visa", "4242"));
}

fn stock(sold: &[(u128, u128)]) -> RoomStock {
    let mut stock = RoomStock::default();
    for (payment, hold) in sold {
        let room = Sold {
            hold_id: HoldId(Uuid::from_u128(*hold)),
            stay: None,
        };
        stock.sold.insert(PaymentId(Uuid::from_u128(*payment)), room);
    }
    stock
}

/// A holding fee and the deposit after it share a room; two bookings of one kind of room do not.
#[test]
fn a_room_belongs_to_the_payments_of_its_booking() {
    let whose = |sold: &[(u128, u128)]| RoomOf::payment(&stock(sold), PaymentId(Uuid::from_u128(1)));
    assert_eq!(whose(&[]), RoomOf::Nobody);
    assert_eq!(whose(&[(2, 1)]), RoomOf::Nobody);
    assert_eq!(whose(&[(1, 1)]), RoomOf::ThisPayment);
    assert_eq!(whose(&[(1, 1), (2, 2), (3, 2)]), RoomOf::ThisPayment);
    assert_eq!(whose(&[(1, 1), (2, 1)]), RoomOf::SeveralPayments);
}

#[test]
fn what_a_refund_does_is_told_before_it_is_asked_for() {
    let told = |choice, room| {
        let told = consequences(choice, room)?;
        Some(told.into_iter().map(Consequence::name).collect::<Vec<_>>())
    };
    let always = ["recorded", "money_back", "payer_told"];
    let with = |own: &[&'static str]| Some([&always[..], own].concat());
    let (keep, cancel) = (BookingChoice::Keep, BookingChoice::Cancel);
    assert_eq!(told(keep, RoomOf::Nobody), with(&["no_booking"]));
    assert_eq!(told(keep, RoomOf::ThisPayment), with(&["booking_stays"]));
    assert_eq!(told(keep, RoomOf::SeveralPayments), with(&["booking_stays"]));
    assert_eq!(told(cancel, RoomOf::Nobody), None);
    assert_eq!(
        told(cancel, RoomOf::ThisPayment),
        with(&["room_free", "booking_ends", "end_told"])
    );
    assert_eq!(
        told(cancel, RoomOf::SeveralPayments),
        with(&["other_payment_keeps_room"])
    );
}
