//! The gateway's facts may come in any order and any number: the money is the same (P14), and the books sum to zero.

use proptest::prelude::*;
use proptest::sample::{Index, subsequence};

use super::story::{at, opened, refund_id, succeed};
use super::*;

/// One payment's facts, as the gateway may tell them: paid, declined, delayed, and two refunds made at the gateway.
fn facts() -> Vec<PaymentCommand> {
    let decline = |attempt: &str| PaymentCommand::Decline {
        attempt_id: attempt.to_owned(),
        code: DeclineCode::InsufficientFunds,
        at: at(),
    };
    let acknowledge = |n, amount_minor| {
        PaymentCommand::Refund(RefundCommand::Acknowledge {
            refund_id: refund_id(n),
            gateway_refund_id: format!("re_{n}"),
            amount_minor,
            at: at(),
        })
    };
    let fail = |n, amount_minor| {
        PaymentCommand::Refund(RefundCommand::Fail {
            refund_id: refund_id(n),
            amount_minor,
            reason: "lost".to_owned(),
            at: at(),
        })
    };
    vec![
        succeed("ch_1", RoomOutcome::Sold),
        decline("ch_0"),
        decline("ch_00"),
        PaymentCommand::Delay,
        acknowledge(20, 5_000),
        acknowledge(21, 7_000),
        fail(21, 7_000),
    ]
}

/// Folds what is heard; also the ledger's sum per side, and how far it is from zero on any event.
fn hear(from: PaymentStatus, told: impl IntoIterator<Item = PaymentCommand>) -> (Payment, i128) {
    let mut payment = crate::aggregate::fold::<Payment>([
        &opened(),
        &PaymentEvent::PaymentBegun {
            at: at(),
            capacity: 3,
            proved_by: None,
            subject: None,
            device: None,
        },
    ]);
    payment.status = from;
    let mut clearing = 0_i128;
    for command in told {
        for event in payment.decide(command).unwrap_or_default() {
            let entries = ledger::entries(&payment, &event);
            let debits: u64 = entries.iter().map(|entry| entry.debit_minor).sum();
            let credits: u64 = entries.iter().map(|entry| entry.credit_minor).sum();
            assert_eq!(debits, credits, "{event:?}");
            let at_gateway = entries
                .iter()
                .filter(|entry| entry.account == ledger::Account::GatewayClearing);
            clearing += at_gateway
                .map(|entry| i128::from(entry.debit_minor) - i128::from(entry.credit_minor))
                .sum::<i128>();
            payment.evolve(&event);
        }
    }
    (payment, clearing)
}

proptest! {
    /// Any order and repetition of the gateway's facts is the same money.
    #[test]
    fn gateway_facts_in_any_order_give_the_same_money(
        from in prop::sample::select(vec![PaymentStatus::Initiated, PaymentStatus::Processing]),
        order in Just(facts()).prop_shuffle(),
        repeats in prop::collection::vec((any::<Index>(), any::<Index>()), 0..12),
    ) {
        let mut told = order;
        for (what, place) in repeats {
            let again = what.get(&told).clone();
            let place = place.index(told.len() + 1);
            told.insert(place, again);
        }
        let (plain, _) = hear(from, facts());
        let (payment, clearing) = hear(from, told);
        prop_assert_eq!(payment.status, PaymentStatus::Success);
        prop_assert_eq!(payment.captured_minor(), plain.captured_minor());
        prop_assert_eq!(payment.refunded_minor(), 5_000);
        prop_assert_eq!(payment.refundable_minor(), 25_907 - 5_000);
        prop_assert_eq!(clearing, 25_907 - 5_000);
    }

    #[test]
    fn whatever_is_heard_no_more_than_was_taken_can_be_refunded(
        told in subsequence(facts(), 0..7).prop_shuffle(),
        asked in prop::collection::vec((0_u128..4, 0_u64..30_000), 0..8),
    ) {
        let (mut payment, _) = hear(PaymentStatus::Processing, told);
        for (n, amount_minor) in asked {
            let by = RequestedBy::Rule;
            let ask = PaymentCommand::Refund(RefundCommand::Request {
                refund_id: refund_id(n), amount_minor, note: String::new(), by, booking: None, ask: None, limit_minor: None, at: at(),
            });
            for event in payment.decide(ask).unwrap_or_default() {
                payment.evolve(&event);
            }
        }
        let out = payment.refunded_minor() + payment.refund_pending_minor();
        prop_assert!(out <= payment.captured_minor().max(12_000));
    }
}
