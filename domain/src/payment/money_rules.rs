//! Rules of money that a changed sign or condition would break unseen: each was found by changing the code and watching no test fail.

use uuid::Uuid;

use super::dispute::{DisputeCommand, DisputeOutcome};
use super::event::{MessageKind, SoldOutReason};
use super::ledger::{Account, entries};
use super::link::LinkTerms;
use super::story::{at, capture, opened, refund_id, succeed, terms};
use super::*;
use crate::aggregate::fold;
use crate::id::{HoldId, UserId};
use crate::money::{Currency, Money};
use crate::sealed::Sealed;

fn done(payment: &mut Payment, command: PaymentCommand) -> Vec<PaymentEvent> {
    let events = payment.decide(command).unwrap_or_default();
    for event in &events {
        payment.evolve(event);
    }
    events
}

/// A payment that was paid in full.
fn paid() -> Payment {
    let mut payment = confirmed();
    assert_eq!(done(&mut payment, succeed("ch_1", RoomOutcome::Sold)).len(), 1);
    payment
}

/// A payment whose card is being charged.
fn confirmed() -> Payment {
    let mut payment = fold::<Payment>([&opened()]);
    for command in [
        PaymentCommand::Begin {
            at: at(),
            capacity: 3,
            proved_by: None,
            device: None,
        },
        PaymentCommand::ReadyIntent {
            intent_id: "pi_1".to_owned(),
            client_secret: "pi_1_secret".to_owned(),
        },
        PaymentCommand::Confirm { at: at() },
    ] {
        assert_eq!(done(&mut payment, command).len(), 1);
    }
    payment
}

fn ask_back(n: u128, amount_minor: u64) -> PaymentCommand {
    PaymentCommand::Refund(RefundCommand::Request {
        refund_id: refund_id(n),
        amount_minor,
        limit_minor: None,
        note: "plans changed".to_owned(),
        by: event::RequestedBy::Staff(UserId(Uuid::from_u128(7))),
        booking: None,
        ask: None,
        at: at(),
    })
}

fn fails(n: u128, amount_minor: u64) -> PaymentCommand {
    PaymentCommand::Refund(RefundCommand::Fail {
        refund_id: refund_id(n),
        amount_minor,
        reason: "account closed".to_owned(),
        at: at(),
    })
}

fn lost(amount_minor: u64) -> PaymentCommand {
    PaymentCommand::Dispute(DisputeCommand::Close {
        dispute_id: format!("dp_{amount_minor}"),
        amount_minor,
        fee_minor: None,
        reason: "fraudulent".to_owned(),
        outcome: DisputeOutcome::Lost,
        at: at(),
    })
}

/// Account, debit, credit.
fn posted(before: &Payment, event: &PaymentEvent) -> Vec<(Account, u64, u64)> {
    let all = entries(before, event).into_iter();
    all.map(|entry| (entry.account, entry.debit_minor, entry.credit_minor))
        .collect()
}

#[test]
fn a_payer_does_not_cancel_a_link_that_staff_made() {
    let link = Some(LinkTerms {
        by: UserId(Uuid::from_u128(7)),
        due_on: None,
    });
    let opened = PaymentEvent::PaymentOpened {
        terms: Box::new(Terms { link, ..terms() }),
        token: Sealed::default(),
    };
    let payment = fold::<Payment>([&opened]);
    assert_eq!(
        payment.decide(PaymentCommand::Cancel { at: at() }),
        Err(PaymentRejection::NotYours)
    );
}

#[test]
fn a_message_is_noted_once() {
    let mut payment = paid();
    let note = PaymentCommand::NoteMessage {
        kind: MessageKind::Receipt,
    };
    let sent = PaymentEvent::PaymentMessageSent {
        kind: MessageKind::Receipt,
    };
    assert_eq!(done(&mut payment, note.clone()), [sent]);
    assert_eq!(done(&mut payment, note), []);
}

#[test]
fn what_is_over_takes_no_hold() {
    let held = PaymentCommand::NoteHold {
        hold_id: HoldId(Uuid::from_u128(5)),
        expires_at: Some(at()),
    };
    let gone = PaymentEvent::PaymentSoldOut {
        reason: SoldOutReason::NoRoom,
    };
    let cancelled = PaymentEvent::PaymentCancelled { at: at() };
    for over in [gone, cancelled] {
        let mut payment = fold::<Payment>([&opened()]);
        payment.evolve(&over);
        assert_eq!(payment.decide(held.clone()), Ok(vec![]), "{over:?}");
    }
    assert_eq!(paid().decide(held), Ok(vec![]));
}

#[test]
fn the_bank_asks_once_for_the_same_step() {
    let mut payment = confirmed();
    let asks = PaymentCommand::RequireAction {
        intent_id: "pi_1".to_owned(),
        url: "https://bank.example/step".to_owned(),
    };
    assert_eq!(done(&mut payment, asks.clone()).len(), 1);
    assert_eq!(done(&mut payment, asks), []);
}

#[test]
fn a_confirmed_refund_is_posted_once() {
    let mut payment = paid();
    done(&mut payment, ask_back(1, 10_000));
    let acknowledged = PaymentEvent::RefundAcknowledged {
        refund_id: refund_id(1),
        gateway_refund_id: "re_1".to_owned(),
        amount_minor: 10_000,
        at: at(),
    };
    assert_eq!(
        posted(&payment, &acknowledged),
        [
            (Account::RefundsPayable, 10_000, 0),
            (Account::GatewayClearing, 0, 10_000)
        ]
    );
    payment.evolve(&acknowledged);
    assert_eq!(posted(&payment, &acknowledged), []);
}

/// A dispute that was lost before its charge was heard of comes off the lines of that charge, from the first on.
#[test]
fn a_loss_before_its_charge_comes_off_the_lines() {
    let mut payment = confirmed();
    done(&mut payment, lost(10_000));
    let taken = PaymentEvent::PaymentSucceeded {
        capture: capture("ch_1"),
        at: at(),
    };
    let early = &posted(&payment, &taken)[3..];
    assert_eq!(
        early,
        [
            (Account::HoldingFees, 10_000, 0),
            (Account::DisputeLosses, 0, 10_000)
        ]
    );
}

#[test]
fn no_entry_is_of_nothing() {
    let mut payment = confirmed();
    done(&mut payment, lost(25_907));
    let mut part = capture("ch_1");
    part.amount_minor = 907;
    let taken = PaymentEvent::PaymentSucceeded {
        capture: part,
        at: at(),
    };
    let all = posted(&payment, &taken);
    assert!(all.iter().all(|(_, debit, credit)| debit + credit > 0), "{all:?}");
    assert!(all.contains(&(Account::ProcessingFees, 907, 0)), "{all:?}");
}

#[test]
fn a_refund_that_came_back_waits_until_it_is_made_good() {
    let mut payment = paid();
    done(&mut payment, ask_back(1, 10_000));
    done(&mut payment, fails(1, 10_000));
    let stranded = payment.stranded();
    assert_eq!(
        stranded
            .iter()
            .map(|refund| (refund.refund_id, refund.amount_minor))
            .collect::<Vec<_>>(),
        [(refund_id(1), 10_000)]
    );
    done(&mut payment, ask_back(2, 9_999));
    assert_eq!(payment.stranded().len(), 1, "one penny is missing");
    let mut payment = paid();
    done(&mut payment, ask_back(1, 10_000));
    done(&mut payment, fails(1, 10_000));
    done(&mut payment, ask_back(2, 10_000));
    assert_eq!(payment.stranded(), []);
}

#[test]
fn a_dispute_is_named_only_where_it_is_the_reason() {
    let mut payment = paid();
    done(
        &mut payment,
        PaymentCommand::Dispute(DisputeCommand::Open {
            dispute_id: "dp_1".to_owned(),
            amount_minor: 5_000,
            fee_minor: None,
            reason: "fraudulent".to_owned(),
        }),
    );
    let refundable = Money::new(20_907, Currency::Gbp);
    let disputed = Money::new(5_000, Currency::Gbp);
    assert_eq!(
        payment.decide(ask_back(1, 25_907)),
        Err(PaymentRejection::Disputed { disputed, refundable })
    );
    assert_eq!(
        payment.decide(ask_back(1, 25_908)),
        Err(PaymentRejection::TooMuch { refundable })
    );
}
