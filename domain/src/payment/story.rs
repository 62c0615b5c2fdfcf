//! Given what happened, when asked, then what follows: one sentence of the specification each.

use chrono::{TimeDelta, TimeZone, Utc};
use cqrs_es::test::TestFramework;
use uuid::Uuid;

use super::event::Secret;
use super::fee::FeeRate;
use super::price::{Line, PaymentType, Quote, with_processing_fee};
use super::terms::Rent;
use super::*;
use crate::country::Country;
use crate::id::{InventoryId, LeadId, UserId};
use crate::lease::Lease;
use crate::money::{Currency, Money, Period};

type Story = TestFramework<Payment>;

pub(super) fn at() -> Moment {
    Utc.with_ymd_and_hms(2026, 11, 20, 12, 0, 0).unwrap()
}

pub(crate) fn terms() -> Terms {
    let id = Uuid::from_u128;
    let lines = vec![Line {
        kind: PaymentType::RefundableToken,
        amount_minor: 25_000,
    }];
    let total_minor = with_processing_fee(Currency::Gbp, 25_000, FeeRate::USUAL).unwrap();
    Terms {
        lead_id: LeadId(id(1)),
        subject: UserId(id(2)),
        sealed_by: None,
        inventory_root_id: InventoryId(id(3)),
        room_id: InventoryId(id(4)),
        form_id: None,
        country: Country::Uk,
        lease: Lease::weeks(44),
        move_in_date: "2027-09-11".parse().unwrap(),
        quote: Quote {
            currency: Currency::Gbp,
            lines,
            subtotal_minor: 25_000,
            processing_fee_minor: total_minor - 25_000,
            total_minor,
            fee_rate: FeeRate::USUAL,
        },
        rent: Some(Rent {
            amount_minor: 28_900,
            period: Period::Weekly,
        }),
        token_digest: "d".repeat(64),
        opened_at: at(),
        expires_at: at() + TimeDelta::days(14),
        continues: None,
        language: None,
        terms_of_use: None,
        link: None,
    }
}

pub(super) fn opened() -> PaymentEvent {
    PaymentEvent::PaymentOpened {
        terms: Box::new(terms()),
        token: Sealed::new(Secret("t".repeat(32))),
    }
}

pub(super) fn capture(charge: &str) -> Captured {
    Captured {
        intent_id: "pi_1".to_owned(),
        charge_id: charge.to_owned(),
        amount_minor: 25_907,
        card: Some(Card {
            brand: "visa".to_owned(),
            last4: "4242".to_owned(),
        }),
    }
}

pub(super) fn refund_id(n: u128) -> RefundId {
    RefundId(Uuid::from_u128(n))
}

pub(super) fn succeed(charge: &str, room: RoomOutcome) -> PaymentCommand {
    PaymentCommand::Succeed {
        capture: capture(charge),
        room,
        refund_id: refund_id(9),
        at: at(),
    }
}

fn begun() -> PaymentEvent {
    PaymentEvent::PaymentBegun {
        at: at(),
        capacity: 3,
        proved_by: None,
        subject: None,
        device: None,
    }
}

fn intent_ready() -> PaymentEvent {
    PaymentEvent::IntentReady {
        subject: terms().subject,
        intent_id: "pi_1".to_owned(),
        client_secret: Sealed::new(Secret("pi_1_secret".to_owned())),
    }
}

fn confirmed() -> PaymentEvent {
    PaymentEvent::PaymentConfirmed { at: at() }
}

fn succeeded() -> PaymentEvent {
    PaymentEvent::PaymentSucceeded {
        capture: capture("ch_1"),
        at: at(),
    }
}

fn refund_of(amount_minor: u64, reason: RefundReason, by: RequestedBy) -> PaymentEvent {
    let (refund_id, subject) = (refund_id(9), terms().subject);
    let note = match by {
        RequestedBy::Rule => Sealed::default(),
        RequestedBy::Staff(_) => Sealed::new(Secret("plans changed".to_owned())),
    };
    PaymentEvent::RefundRequested {
        refund_id,
        subject,
        amount_minor,
        reason,
        by,
        booking: None,
        ask: None,
        at: at(),
        note,
    }
}

fn ask_refund(amount_minor: u64) -> PaymentCommand {
    ask_refund_within(None, 9, amount_minor)
}

fn ask_refund_within(limit_minor: Option<u64>, n: u128, amount_minor: u64) -> PaymentCommand {
    PaymentCommand::Refund(RefundCommand::Request {
        refund_id: refund_id(n),
        amount_minor,
        limit_minor,
        note: "plans changed".to_owned(),
        by: RequestedBy::Staff(UserId(Uuid::from_u128(7))),
        booking: None,
        ask: None,
        at: at(),
    })
}

#[test]
fn a_token_that_was_never_given_out_is_not_found() {
    Story::with(())
        .given_no_previous_events()
        .when(PaymentCommand::Begin {
            at: at(),
            capacity: 3,
            proved_by: None,
            device: None,
        })
        .then_expect_error(PaymentRejection::Unknown);
}

#[test]
fn opening_twice_keeps_the_first_payment() {
    let open = PaymentCommand::Open {
        terms: Box::new(terms()),
        token: "other".to_owned(),
    };
    Story::with(())
        .given(vec![opened()])
        .when(open)
        .then_expect_events(vec![]);
}

#[test]
fn an_expired_link_starts_nothing() {
    let late = PaymentCommand::Begin {
        at: at() + TimeDelta::days(14),
        capacity: 3,
        proved_by: None,
        device: None,
    };
    Story::with(())
        .given(vec![opened()])
        .when(late)
        .then_expect_error(PaymentRejection::Expired);
}

#[test]
fn a_repeated_success_changes_nothing() {
    Story::with(())
        .given(vec![opened(), begun(), intent_ready(), confirmed(), succeeded()])
        .when(succeed("ch_1", RoomOutcome::Sold))
        .then_expect_events(vec![]);
}

#[test]
fn a_second_charge_goes_straight_back() {
    let again = PaymentEvent::PaymentCapturedAgain {
        capture: capture("ch_2"),
        at: at(),
    };
    Story::with(())
        .given(vec![opened(), begun(), intent_ready(), confirmed(), succeeded()])
        .when(succeed("ch_2", RoomOutcome::Sold))
        .then_expect_events(vec![
            again,
            refund_of(25_907, RefundReason::PaidTwice, RequestedBy::Rule),
        ]);
}

#[test]
fn a_charge_for_a_lost_room_is_refunded_at_once_with_its_fee() {
    let gone = PaymentEvent::PaymentSoldOut {
        reason: SoldOutReason::HoldLost,
    };
    let taken = PaymentEvent::PaymentCapturedWithoutRoom {
        capture: capture("ch_1"),
        at: at(),
    };
    Story::with(())
        .given(vec![opened(), begun(), intent_ready(), confirmed(), gone])
        .when(succeed("ch_1", RoomOutcome::Lost))
        .then_expect_events(vec![
            taken,
            refund_of(25_907, RefundReason::SoldOut, RequestedBy::Rule),
        ]);
}

#[test]
fn a_success_heard_before_the_confirmation_still_counts() {
    Story::with(())
        .given(vec![opened(), begun(), intent_ready()])
        .when(succeed("ch_1", RoomOutcome::Sold))
        .then_expect_events(vec![succeeded()]);
}

#[test]
fn an_old_hold_s_end_does_not_reach_a_new_attempt() {
    let noted = |n| PaymentEvent::PaymentHoldNoted {
        hold_id: HoldId(Uuid::from_u128(n)),
        expires_at: Some(at()),
    };
    let declined = PaymentEvent::PaymentDeclined {
        attempt_id: "ch_0".to_owned(),
        code: DeclineCode::DoNotHonor,
    };
    let retried = PaymentEvent::PaymentRetried {
        at: at(),
        capacity: 3,
        proved_by: None,
    };
    let lost = PaymentCommand::SellOut {
        hold_id: Some(HoldId(Uuid::from_u128(1))),
        reason: SoldOutReason::HoldLost,
    };
    let first = vec![
        opened(),
        begun(),
        noted(1),
        intent_ready(),
        confirmed(),
        declined,
        retried,
    ];
    Story::with(())
        .given(first.clone())
        .when(lost.clone())
        .then_expect_events(vec![]);
    Story::with(())
        .given(first)
        .and(vec![noted(2)])
        .when(lost)
        .then_expect_events(vec![]);
}

#[test]
fn a_cancelled_payment_starts_nothing_more() {
    let cancelled = PaymentEvent::PaymentCancelled { at: at() };
    Story::with(())
        .given(vec![opened(), begun(), intent_ready(), cancelled])
        .when(PaymentCommand::Confirm { at: at() })
        .then_expect_error(PaymentRejection::Cancelled);
}

#[test]
fn a_captured_payment_cannot_be_cancelled() {
    Story::with(())
        .given(vec![opened(), begun(), intent_ready(), confirmed(), succeeded()])
        .when(PaymentCommand::Cancel { at: at() })
        .then_expect_error(PaymentRejection::NotAllowed {
            status: PaymentStatus::Success,
            asked: "be cancelled",
        });
}

#[test]
fn a_refund_never_exceeds_what_is_left() {
    let paid = vec![opened(), begun(), intent_ready(), confirmed(), succeeded()];
    let staff = RequestedBy::Staff(UserId(Uuid::from_u128(7)));
    Story::with(())
        .given(paid.clone())
        .when(ask_refund(10_000))
        .then_expect_events(vec![refund_of(10_000, RefundReason::Staff, staff)]);
    Story::with(())
        .given(paid.clone())
        .when(ask_refund(25_908))
        .then_expect_error(PaymentRejection::TooMuch {
            refundable: Money::new(25_907, Currency::Gbp),
        });
    Story::with(())
        .given(paid.clone())
        .when(ask_refund(0))
        .then_expect_error(PaymentRejection::ZeroAmount);
    let asked = [paid, vec![refund_of(10_000, RefundReason::Staff, staff)]].concat();
    Story::with(())
        .given(asked.clone())
        .when(ask_refund(10_000))
        .then_expect_events(vec![]);
    Story::with(())
        .given(asked)
        .when(ask_refund(1))
        .then_expect_error(PaymentRejection::RefundReused);
}

#[test]
fn a_large_refund_in_small_steps_is_a_large_refund() {
    let paid = vec![opened(), begun(), intent_ready(), confirmed(), succeeded()];
    let staff = RequestedBy::Staff(UserId(Uuid::from_u128(7)));
    let once = [paid, vec![refund_of(10_000, RefundReason::Staff, staff)]].concat();
    Story::with(())
        .given(once.clone())
        .when(ask_refund_within(Some(15_000), 10, 5_001))
        .then_expect_error(PaymentRejection::AboveLimit);
    let within = Story::with(())
        .given(once)
        .when(ask_refund_within(Some(15_000), 10, 5_000))
        .inspect_result();
    assert_eq!(within.unwrap().len(), 1);
}
