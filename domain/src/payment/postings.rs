//! Which accounts each fact of a payment moves, worked out by hand from decision 0024: the lines first, the processing fee last.
//!
//! The payment is of 250.00 for a holding fee and 9.07 for processing.

use super::dispute::{DisputeCommand, DisputeOutcome};
use super::ledger::{Account, entries};
use super::price::{Line, PaymentType, Quote};
use super::receipt::{Placed, ReceiptKind, ReceiptLineKind, documents, is_evidence, position_of};
use super::story::{at, capture, opened, refund_id, succeed, terms};
use super::*;
use crate::aggregate::fold;
use crate::id::{PaymentId, UserId};

fn hear(payment: &mut Payment, command: PaymentCommand) -> Vec<(Account, i64)> {
    let mut moved = Vec::new();
    for event in payment.decide(command).unwrap() {
        moved.extend(post(payment, &event));
        payment.evolve(&event);
    }
    moved
}

/// Debits above zero, credits below.
fn post(before: &Payment, event: &PaymentEvent) -> Vec<(Account, i64)> {
    let all = entries(before, event).into_iter();
    all.map(|entry| {
        assert!((entry.debit_minor == 0) != (entry.credit_minor == 0), "{entry:?}");
        let signed = entry.debit_minor.cast_signed() - entry.credit_minor.cast_signed();
        (entry.account, signed)
    })
    .collect()
}

fn paid() -> Payment {
    let mut payment = fold::<Payment>([&opened()]);
    hear(&mut payment, succeed("ch_1", RoomOutcome::Sold));
    payment
}

fn request(n: u128, amount_minor: u64) -> PaymentCommand {
    PaymentCommand::Refund(RefundCommand::Request {
        refund_id: refund_id(n),
        amount_minor,
        note: String::new(),
        by: RequestedBy::Rule,
        booking: None,
        ask: None,
        limit_minor: None,
        at: at(),
    })
}

fn acknowledge(n: u128, amount_minor: u64) -> PaymentCommand {
    PaymentCommand::Refund(RefundCommand::Acknowledge {
        refund_id: refund_id(n),
        gateway_refund_id: format!("re_{n}"),
        amount_minor,
        at: at(),
    })
}

fn fail(n: u128, amount_minor: u64) -> PaymentCommand {
    PaymentCommand::Refund(RefundCommand::Fail {
        refund_id: refund_id(n),
        amount_minor,
        reason: "account closed".to_owned(),
        at: at(),
    })
}

fn elsewhere(n: u128) -> PaymentCommand {
    PaymentCommand::Refund(RefundCommand::PayElsewhere {
        refund_id: refund_id(n),
        note: String::new(),
        by: UserId(uuid::Uuid::from_u128(7)),
        at: at(),
    })
}

fn open(amount_minor: u64, fee_minor: Option<u64>) -> PaymentCommand {
    PaymentCommand::Dispute(DisputeCommand::Open {
        dispute_id: "dp_1".to_owned(),
        amount_minor,
        fee_minor,
        reason: "fraudulent".to_owned(),
    })
}

fn close(outcome: DisputeOutcome, amount_minor: u64, fee_minor: Option<u64>) -> PaymentCommand {
    PaymentCommand::Dispute(DisputeCommand::Close {
        dispute_id: "dp_1".to_owned(),
        amount_minor,
        fee_minor,
        reason: "fraudulent".to_owned(),
        outcome,
        at: at(),
    })
}

#[test]
fn a_charge_is_owed_to_what_it_was_paid_for() {
    let mut payment = fold::<Payment>([&opened()]);
    assert_eq!(
        hear(&mut payment, succeed("ch_1", RoomOutcome::Sold)),
        [
            (Account::GatewayClearing, 25_907),
            (Account::HoldingFees, -25_000),
            (Account::ProcessingFees, -907),
        ]
    );
}

/// Promised: the lines become a debt to the payer. Paid out: the debt is settled from the gateway's account.
#[test]
fn a_refund_is_promised_and_then_paid() {
    let mut payment = paid();
    assert_eq!(
        hear(&mut payment, request(1, 25_100)),
        [
            (Account::HoldingFees, 25_000),
            (Account::ProcessingFees, 100),
            (Account::RefundsPayable, -25_100),
        ]
    );
    assert_eq!(
        hear(&mut payment, acknowledge(1, 25_100)),
        [
            (Account::RefundsPayable, 25_100),
            (Account::GatewayClearing, -25_100)
        ]
    );
    // The second refund takes what the first left.
    assert_eq!(
        hear(&mut payment, request(2, 807)),
        [(Account::ProcessingFees, 807), (Account::RefundsPayable, -807)]
    );
}

#[test]
fn a_refund_begun_at_the_gateway_comes_off_the_lines_at_once() {
    assert_eq!(
        hear(&mut paid(), acknowledge(1, 5_000)),
        [(Account::HoldingFees, 5_000), (Account::GatewayClearing, -5_000)]
    );
}

/// Back onto the lines from where it was: the debt, or the gateway's account once it had been paid out.
#[test]
fn a_returned_refund_goes_back_to_the_lines() {
    let mut promised = paid();
    hear(&mut promised, request(1, 25_100));
    let mut confirmed = promised.clone();
    hear(&mut confirmed, acknowledge(1, 25_100));
    for (mut payment, from) in [
        (promised, Account::RefundsPayable),
        (confirmed, Account::GatewayClearing),
    ] {
        assert_eq!(
            hear(&mut payment, fail(1, 25_100)),
            [
                (Account::HoldingFees, -25_000),
                (Account::ProcessingFees, -100),
                (from, 25_100),
            ]
        );
        let again = PaymentEvent::RefundFailed {
            refund_id: refund_id(1),
            amount_minor: 25_100,
            reason: "account closed".to_owned(),
            at: at(),
        };
        assert_eq!(post(&payment, &again), [], "told twice");
        assert_eq!(
            hear(&mut payment, elsewhere(1)),
            [
                (Account::HoldingFees, 25_000),
                (Account::ProcessingFees, 100),
                (Account::PaidElsewhere, -25_100),
            ]
        );
        let paid_again = PaymentEvent::RefundPaidElsewhere {
            refund_id: refund_id(1),
            subject: terms().subject,
            by: UserId(uuid::Uuid::from_u128(7)),
            at: at(),
            note: Sealed::default(),
        };
        assert_eq!(post(&payment, &paid_again), [], "told twice");
        assert_eq!(post(&payment, &again), [], "told after it was paid by hand");
    }
}

#[test]
fn a_second_refund_that_returns_goes_back_to_its_own_lines() {
    let mut payment = paid();
    hear(&mut payment, request(1, 20_000));
    hear(&mut payment, request(2, 5_500));
    assert_eq!(
        hear(&mut payment, fail(2, 5_500)),
        [
            (Account::HoldingFees, -5_000),
            (Account::ProcessingFees, -500),
            (Account::RefundsPayable, 5_500),
        ]
    );
}

#[test]
fn a_refund_asked_for_twice_is_posted_once() {
    let mut payment = paid();
    hear(&mut payment, request(1, 5_000));
    let asked = PaymentEvent::RefundRequested {
        refund_id: refund_id(1),
        subject: terms().subject,
        amount_minor: 5_000,
        reason: RefundReason::Staff,
        by: RequestedBy::Rule,
        booking: None,
        ask: None,
        at: at(),
        note: Sealed::default(),
    };
    assert_eq!(post(&payment, &asked), []);
}

#[test]
fn a_dispute_is_withheld_and_its_fee_is_a_cost() {
    let mut payment = paid();
    assert_eq!(
        hear(&mut payment, open(25_907, Some(1_500))),
        [
            (Account::Disputes, 25_907),
            (Account::GatewayClearing, -25_907),
            (Account::DisputeFees, 1_500),
            (Account::GatewayClearing, -1_500),
        ]
    );
    let again = PaymentEvent::DisputeOpened {
        dispute_id: "dp_1".to_owned(),
        amount_minor: 25_907,
        fee_minor: Some(1_500),
        reason: "fraudulent".to_owned(),
    };
    assert_eq!(post(&payment, &again), [], "told twice");
    assert_eq!(
        hear(&mut payment, close(DisputeOutcome::Won, 25_907, Some(0))),
        [
            (Account::GatewayClearing, 25_907),
            (Account::Disputes, -25_907),
            (Account::GatewayClearing, 1_500),
            (Account::DisputeFees, -1_500),
        ]
    );
    let decided = PaymentEvent::DisputeClosed {
        dispute_id: "dp_1".to_owned(),
        outcome: DisputeOutcome::Won,
        fee_minor: None,
        at: at(),
    };
    assert_eq!(post(&payment, &decided), [], "told twice");
}

/// The amount leaves the lines in the order of a refund; only what lies above the charge is a loss, and a fee may rise.
#[test]
fn a_lost_dispute_leaves_the_lines_and_the_rest_is_a_loss() {
    let mut payment = paid();
    hear(&mut payment, open(26_000, Some(1_500)));
    assert_eq!(
        hear(&mut payment, close(DisputeOutcome::Lost, 26_000, Some(2_000))),
        [
            (Account::HoldingFees, 25_000),
            (Account::ProcessingFees, 907),
            (Account::DisputeLosses, 93),
            (Account::Disputes, -26_000),
            (Account::DisputeFees, 500),
            (Account::GatewayClearing, -500),
        ]
    );
}

#[test]
fn a_dispute_of_nothing_moves_nothing() {
    let mut payment = paid();
    assert_eq!(hear(&mut payment, open(0, None)), []);
    assert_eq!(hear(&mut payment, close(DisputeOutcome::Lost, 0, None)), []);
}

/// After a refund of 200.00 a lost dispute of 60.00 takes the 50.00 that are left of the line, and 9.07 of the fee; 0.93 are a loss.
#[test]
fn a_lost_dispute_takes_what_refunds_have_left() {
    let mut payment = paid();
    hear(&mut payment, request(1, 20_000));
    hear(&mut payment, open(6_000, None));
    assert_eq!(
        hear(&mut payment, close(DisputeOutcome::Lost, 6_000, None)),
        [
            (Account::HoldingFees, 5_000),
            (Account::ProcessingFees, 907),
            (Account::DisputeLosses, 93),
            (Account::Disputes, -6_000),
        ]
    );
}

/// A refund at the gateway and a lost dispute were both heard of before the charge: only the loss is taken over.
#[test]
fn a_loss_before_its_charge_counts_beside_an_early_refund() {
    let mut payment = fold::<Payment>([&opened()]);
    hear(&mut payment, acknowledge(1, 5_000));
    hear(&mut payment, close(DisputeOutcome::Lost, 2_000, None));
    assert_eq!(
        hear(&mut payment, succeed("ch_1", RoomOutcome::Sold))[3..],
        [(Account::HoldingFees, 2_000), (Account::DisputeLosses, -2_000)]
    );
}

#[test]
fn a_payment_of_several_lines_fills_them_in_order() {
    let line = |kind, amount_minor| Line { kind, amount_minor };
    let quote = Quote {
        lines: vec![
            line(PaymentType::Deposit, 10_000),
            line(PaymentType::PlatformFee, 2_000),
            line(PaymentType::Rent, 13_000),
        ],
        ..terms().quote
    };
    let opened = PaymentEvent::PaymentOpened {
        terms: Box::new(Terms { quote, ..terms() }),
        token: Sealed::default(),
    };
    let mut payment = fold::<Payment>([&opened]);
    assert_eq!(
        hear(&mut payment, succeed("ch_1", RoomOutcome::Sold))[1..],
        [
            (Account::Deposits, -10_000),
            (Account::PlatformFees, -2_000),
            (Account::Rent, -13_000),
            (Account::ProcessingFees, -907),
        ]
    );
    hear(&mut payment, request(1, 11_000));
    assert_eq!(
        hear(&mut payment, request(2, 2_000))[..2],
        [(Account::PlatformFees, 1_000), (Account::Rent, 1_000)]
    );
}

/// Money that came without a room, or a second time, goes back by rule: its refund takes the lines once more from the first on.
#[test]
fn a_second_charge_and_its_refund_fill_and_empty_the_same_lines() {
    let mut payment = paid();
    let moved = hear(&mut payment, succeed("ch_2", RoomOutcome::Sold));
    assert_eq!(
        moved,
        [
            (Account::GatewayClearing, 25_907),
            (Account::HoldingFees, -25_000),
            (Account::ProcessingFees, -907),
            (Account::HoldingFees, 25_000),
            (Account::ProcessingFees, 907),
            (Account::RefundsPayable, -25_907),
        ]
    );
    assert_eq!(
        hear(&mut payment, request(1, 25_907)),
        moved[3..],
        "the first charge goes back over the same lines"
    );
}

#[test]
fn a_payment_without_terms_posts_nothing() {
    let taken = PaymentEvent::PaymentSucceeded {
        capture: capture("ch_1"),
        at: at(),
    };
    assert_eq!(post(&Payment::default(), &taken), []);
}

fn placed(events: Vec<PaymentEvent>) -> Vec<Placed> {
    let place = |(event, position)| Placed {
        position,
        recorded_at: at(),
        event,
    };
    events.into_iter().zip(41..).map(place).collect()
}

/// A promised refund that comes by another way has a credit note of its own, for the amount that was asked for.
#[test]
fn a_refund_paid_by_hand_has_a_credit_note() {
    let mut payment = paid();
    let mut events = vec![
        opened(),
        PaymentEvent::PaymentSucceeded {
            capture: capture("ch_1"),
            at: at(),
        },
    ];
    for command in [request(1, 5_000), fail(1, 5_000), elsewhere(1)] {
        for event in payment.decide(command).unwrap() {
            payment.evolve(&event);
            events.push(event);
        }
    }
    let made = documents(PaymentId(uuid::Uuid::from_u128(1)), &placed(events));
    let told: Vec<_> = made
        .iter()
        .map(|made| (made.kind.name(), position_of(&made.number), made.total_minor))
        .collect();
    assert_eq!(
        told,
        [("receipt", Some(42), 25_907), ("credit_note", Some(45), 5_000)]
    );
    assert_eq!(made[1].kind, ReceiptKind::CreditNote);
    assert!(made[1].number.starts_with("C-"));
    assert_eq!(made[0].refunded_minor(), 5_000);
    let lines: Vec<_> = made[0]
        .lines
        .iter()
        .map(|line| (line.kind, line.amount_minor))
        .collect();
    assert_eq!(
        lines,
        [
            (ReceiptLineKind::RefundableToken, 25_000),
            (ReceiptLineKind::ProcessingFee, 907)
        ],
        "nothing was charged again"
    );
}

/// Another refund's return says nothing of this one.
#[test]
fn only_the_returned_refund_is_marked_as_failed() {
    let mut payment = paid();
    let mut events = vec![
        opened(),
        PaymentEvent::PaymentCapturedWithoutRoom {
            capture: capture("ch_1"),
            at: at(),
        },
    ];
    for command in [
        acknowledge(1, 5_000),
        acknowledge(2, 6_000),
        fail(2, 6_000),
        elsewhere(2),
    ] {
        for event in payment.decide(command).unwrap() {
            payment.evolve(&event);
            events.push(event);
        }
    }
    let made = documents(PaymentId(uuid::Uuid::from_u128(1)), &placed(events));
    let refunds = made[0].refunds.iter();
    let told: Vec<_> = refunds
        .map(|refund| (refund.amount_minor, refund.failed))
        .collect();
    assert_eq!(told, [(5_000, false), (6_000, true), (6_000, false)]);
}

#[test]
fn documents_follow_from_money_alone() {
    assert!(is_evidence(&opened()));
    assert!(!is_evidence(&PaymentEvent::PaymentConfirmed { at: at() }));
    for kind in ReceiptLineKind::ALL {
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
    }
}
