//! Refunds go their steps upward, count together, and are made good once (P12, D106, decision 0024).

use super::command::PaymentRejection as Rejection;
use super::story::{at, opened, refund_id, succeed, terms};
use super::undone::{acknowledge, fail, hear, in_step, request, staff, taken};
use super::*;
use crate::aggregate::fold;
use crate::money::{Currency, Money};
use crate::sealed::Sealable as _;

/// D106: what staff sent back counts together; rules and refunds that failed do not.
#[test]
fn only_what_staff_sends_back_counts_against_its_limit() {
    let by_staff = RequestedBy::Staff(staff());
    let mut payment = fold::<Payment>([&opened(), &taken()]);
    hear(&mut payment, request(1, 5_000, RequestedBy::Rule, None));
    hear(&mut payment, request(2, 5_000, by_staff, Some(5_000)));
    assert_eq!(
        payment.decide(request(3, 1, by_staff, Some(5_000))),
        Err(Rejection::AboveLimit)
    );
    hear(&mut payment, fail(2, 5_000, at()));
    assert_eq!(
        hear(&mut payment, request(3, 5_000, by_staff, Some(5_000))).len(),
        1
    );
}

/// A refund goes its steps upward, whatever is heard again or late.
#[test]
fn old_news_of_a_refund_changes_nothing() {
    let send = |n| {
        PaymentCommand::Refund(RefundCommand::Send {
            refund_id: refund_id(n),
            gateway_refund_id: format!("re_{n}"),
        })
    };
    let mut payment = fold::<Payment>([&opened(), &taken()]);
    assert_eq!(payment.decide(send(1)), Err(Rejection::RefundUnknown));
    hear(&mut payment, request(1, 5_000, RequestedBy::Rule, None));
    assert_eq!(hear(&mut payment, send(1)).len(), 1);
    assert_eq!(hear(&mut payment, send(1)).len(), 0);
    assert_eq!(hear(&mut payment, acknowledge(1, 5_000)).len(), 1);
    assert_eq!(hear(&mut payment, acknowledge(1, 5_000)).len(), 0);
    assert_eq!(
        payment.refunds[&refund_id(1)].gateway_refund_id.as_deref(),
        Some("re_1")
    );
    assert_eq!(hear(&mut payment, fail(1, 5_000, at())).len(), 1);
    assert_eq!(hear(&mut payment, fail(1, 5_000, at())).len(), 0);
    assert_eq!(hear(&mut payment, acknowledge(1, 5_000)).len(), 0);
    assert_eq!((payment.refunded_minor(), payment.refund_pending_minor()), (0, 0));
}

/// A refund that the gateway could not pay out is paid in another way once, as long as there is as much left.
#[test]
fn a_returned_refund_is_paid_elsewhere_once() {
    let elsewhere = |n| {
        PaymentCommand::Refund(RefundCommand::PayElsewhere {
            refund_id: refund_id(n),
            note: "by transfer".to_owned(),
            by: staff(),
            at: at(),
        })
    };
    let mut payment = fold::<Payment>([&opened(), &taken()]);
    assert_eq!(payment.decide(elsewhere(1)), Err(Rejection::RefundUnknown));
    hear(&mut payment, request(1, 25_907, RequestedBy::Rule, None));
    assert_eq!(payment.decide(elsewhere(1)), Err(Rejection::RefundNotReturned));
    hear(&mut payment, fail(1, 25_907, at()));
    let mut spent = payment.clone();
    hear(&mut spent, request(2, 1, RequestedBy::Rule, None));
    assert_eq!(
        spent.decide(elsewhere(1)),
        Err(Rejection::TooMuch {
            refundable: Money::new(25_906, Currency::Gbp)
        })
    );
    let events = hear(&mut payment, elsewhere(1));
    assert_eq!(events[0].subject(), Some(terms().subject));
    assert_eq!(hear(&mut payment, elsewhere(1)).len(), 0);
    assert!(payment.returned_in_full() && !payment.refunds[&refund_id(1)].told);
}

/// The refund of a charge that nobody should have paid is never more than what is there.
#[test]
fn an_automatic_refund_leaves_what_is_away() {
    let sent = |lost_minor: u64| {
        let mut payment = in_step(&opened(), PaymentStatus::SoldOut);
        payment.disputes.insert(
            "dp_1".to_owned(),
            Dispute {
                amount_minor: lost_minor,
                fee_minor: 0,
                outcome: None,
            },
        );
        hear(&mut payment, succeed("ch_1", RoomOutcome::Lost));
        payment.refund_pending_minor()
    };
    assert_eq!(sent(0), 25_907);
    assert_eq!(sent(5_907), 20_000);
    assert_eq!(sent(25_907), 0);
}

/// Made good by what was sent after it, each pound counted once, earliest return first.
#[test]
fn a_later_refund_makes_one_returned_refund_good() {
    let later = |seconds| at() + chrono::TimeDelta::seconds(seconds);
    let mut payment = fold::<Payment>([&opened(), &taken()]);
    for (n, failed_at) in [(1, later(1)), (2, later(2))] {
        hear(&mut payment, request(n, 5_000, RequestedBy::Rule, None));
        hear(&mut payment, fail(n, 5_000, failed_at));
    }
    let ids = |payment: &Payment| {
        let stranded = payment.stranded().into_iter();
        stranded.map(|refund| refund.refund_id).collect::<Vec<_>>()
    };
    assert_eq!(ids(&payment), [refund_id(1), refund_id(2)]);
    // Asked for before the first came back: it makes neither good.
    hear(&mut payment, request(3, 5_000, RequestedBy::Rule, None));
    assert_eq!(ids(&payment), [refund_id(1), refund_id(2)]);
    let asked = |n, amount_minor| {
        PaymentCommand::Refund(RefundCommand::Request {
            refund_id: refund_id(n),
            amount_minor,
            note: String::new(),
            by: RequestedBy::Rule,
            booking: None,
            ask: None,
            limit_minor: None,
            at: later(2),
        })
    };
    hear(&mut payment, asked(4, 5_000));
    assert_eq!(ids(&payment), [refund_id(2)]);
    hear(&mut payment, asked(5, 5_000));
    assert_eq!(ids(&payment), []);
}
