//! The breakdown before paying, for every type and every currency, with no, two and three digits after the point (D39).

use proptest::prelude::*;
use uuid::Uuid;

use super::fee::FeeRate;
use super::link::{KINDS, link_quote, most_minor};
use super::price::{Line, PaymentType, PriceRejection, Quote, quote};
use super::story::{at, terms};
use super::*;
use crate::id::UserId;
use crate::money::Currency;

fn any_currency() -> impl Strategy<Value = Currency> {
    prop::sample::select(Currency::ALL.to_vec())
}

fn any_rate() -> impl Strategy<Value = FeeRate> {
    (0_u32..=10_000)
        .prop_map(|rate| FeeRate::from_percent(&format!("{}.{:03}", rate / 1_000, rate % 1_000)).unwrap())
}

/// Lines and fee are the total; the fee is rounded once, by half a step at most.
fn adds_up(quote: &Quote) -> Result<(), TestCaseError> {
    let lines: u64 = quote.lines.iter().map(|line| line.amount_minor).sum();
    prop_assert_eq!(lines, quote.subtotal_minor);
    prop_assert_eq!(lines + quote.processing_fee_minor, quote.total_minor);
    let step = quote.currency.charge_step();
    prop_assert_eq!(quote.total_minor % step, 0);
    let off = i128::from(quote.total_minor) * 100_000
        - i128::from(quote.subtotal_minor) * i128::from(quote.fee_rate.total_per_subtotal().0);
    let half = 50_000 * i128::from(step);
    prop_assert!(-half < off && off <= half, "{quote:?}");
    prop_assert!(quote.total_minor >= quote.currency.least_charge_minor());
    Ok(())
}

fn paid(quote: Quote) -> Payment {
    let taken = Captured {
        intent_id: "pi_1".to_owned(),
        charge_id: "ch_1".to_owned(),
        amount_minor: quote.total_minor,
        card: None,
    };
    let mut payment = Payment::default();
    payment.evolve(&PaymentEvent::PaymentOpened {
        terms: Box::new(Terms { quote, ..terms() }),
        token: Sealed::default(),
    });
    payment.evolve(&PaymentEvent::PaymentSucceeded {
        capture: taken,
        at: at(),
    });
    payment
}

/// Asks for a refund, and has it acknowledged or failed where it was accepted.
fn give_back(payment: &mut Payment, number: u128, (amount_minor, is_paid): (u64, bool)) {
    let refund_id = RefundId(Uuid::from_u128(number));
    let asked = RefundCommand::Request {
        refund_id,
        amount_minor,
        note: String::new(),
        by: RequestedBy::Staff(UserId(Uuid::from_u128(7))),
        booking: Some(BookingChoice::Keep),
        ask: None,
        limit_minor: None,
        at: at(),
    };
    let Ok(events) = payment.decide(PaymentCommand::Refund(asked)) else {
        return;
    };
    let settled = if is_paid {
        RefundCommand::Acknowledge {
            refund_id,
            gateway_refund_id: format!("re_{number}"),
            amount_minor,
            at: at(),
        }
    } else {
        RefundCommand::Fail {
            refund_id,
            amount_minor,
            reason: "account_closed".to_owned(),
            at: at(),
        }
    };
    for event in &events {
        payment.evolve(event);
    }
    for event in payment
        .decide(PaymentCommand::Refund(settled))
        .unwrap_or_default()
    {
        payment.evolve(&event);
    }
}

#[test]
fn currencies_with_no_two_and_three_digits_are_quoted_exactly() {
    let total = |currency, amount| {
        link_quote(currency, PaymentType::Rent, amount, FeeRate::USUAL).map(|quote| quote.total_minor)
    };
    assert_eq!(total(Currency::Gbp, 115_600), Ok(119_793));
    assert_eq!(total(Currency::Krw, 1_500_000), Ok(1_554_405));
    assert_eq!(total(Currency::Jpy, 120_000), Ok(124_352));
    // 256.250 dinars and 9.294: charged in hundredths.
    assert_eq!(total(Currency::Kwd, 256_250), Ok(265_540));
    assert_eq!(total(Currency::Bhd, 1_000), Ok(1_040));
    assert_eq!(total(Currency::Jod, 100), Err(PriceRejection::TooSmall));
    let uneven = |step_minor| Err(PriceRejection::Uneven { step_minor });
    assert_eq!(total(Currency::Kwd, 256_255), uneven(10));
    assert_eq!(total(Currency::Mga, 90_000_050), uneven(100));
}

proptest! {
    #[test]
    fn links_of_every_type_add_up(
        (currency, amount) in any_currency().prop_flat_map(|currency| (Just(currency), 0..=most_minor(currency))),
        kind in prop::sample::select(KINDS.to_vec()),
        rate in any_rate(),
    ) {
        let amount = currency.nearest_charge(amount);
        match link_quote(currency, kind, amount, rate) {
            Ok(quote) => adds_up(&quote)?,
            Err(rejection) => prop_assert!(amount < currency.least_charge_minor() * 2, "{rejection:?} {amount}"),
        }
    }

    #[test]
    fn several_lines_add_up(
        currency in any_currency(),
        deposit in 1_000_u64..1_000_000_000,
        fee in 0_u64..1_000_000_000,
        rate in any_rate(),
    ) {
        let line = |kind, amount_minor| Line { kind, amount_minor };
        let deposit = deposit + currency.least_charge_minor();
        let due = [line(PaymentType::Deposit, deposit), line(PaymentType::PlatformFee, fee)];
        adds_up(&quote(currency, &due, &[], rate).unwrap())?;
    }

    #[test]
    fn refunds_never_exceed_what_was_taken(
        currency in any_currency(),
        amount in 1_000_u64..5_000_000,
        asked in prop::collection::vec((0_u64..12_000_000, any::<bool>()), 1..8),
    ) {
        let amount = currency.nearest_charge(amount) + currency.least_charge_minor();
        let quote = link_quote(currency, PaymentType::Rent, amount, FeeRate::USUAL).unwrap();
        let mut payment = paid(quote);
        for (number, refund) in asked.into_iter().enumerate() {
            give_back(&mut payment, number as u128 + 1, refund);
            let back = payment.refunded_minor() + payment.refund_pending_minor();
            prop_assert!(back <= payment.captured_minor(), "{payment:?}");
        }
    }
}
