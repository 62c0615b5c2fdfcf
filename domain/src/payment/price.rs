//! What is due, and the one rounding of the processing fee (Spec §3 payment config, §9; D37–D40).

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::money::{Currency, Money};
use crate::payment::fee::FeeRate;

/// Spec §9: the deposit when the property names none, in whole units of its currency.
const DEFAULT_DEPOSIT_UNITS: u64 = 250;

/// The default deposit is worth this many dollars at least (decision 0025): 250 won would hold a room for nothing.
const LEAST_DEPOSIT_DOLLARS: u64 = 50;

/// What a payment is for (Spec §3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaymentType {
    Deposit,
    RefundableToken,
    PlatformFee,
    Rent,
}

impl PaymentType {
    pub const ALL: [Self; 4] = [
        Self::Deposit,
        Self::RefundableToken,
        Self::PlatformFee,
        Self::Rent,
    ];

    /// The name of the type in requests and answers.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Deposit => "deposit",
            Self::RefundableToken => "refundable_token",
            Self::PlatformFee => "platform_fee",
            Self::Rent => "rent",
        }
    }

    /// Reads the name of a type.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// Spec §3, D40: the holding fee comes back in full whenever the payer cancels, a deposit as long as the house's own
    /// rules give it back for nothing.
    pub const fn returned(self, cooling_off_days: u16) -> Returned {
        match self {
            Self::RefundableToken => Returned::Always,
            Self::Deposit if cooling_off_days > 0 => Returned::Within {
                days: cooling_off_days,
            },
            Self::Deposit | Self::PlatformFee | Self::Rent => Returned::Never,
        }
    }
}

/// Until when a payer who cancels gets an amount back in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returned {
    Always,
    /// Days after booking.
    Within {
        days: u16,
    },
    Never,
}

impl Returned {
    /// Counted from the booking; `None` where it always or never comes back.
    pub const fn days(self) -> Option<u16> {
        match self {
            Self::Within { days } => Some(days),
            Self::Always | Self::Never => None,
        }
    }
}

/// A property's payment config (Spec §3), in minor units of its currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentConfig {
    pub currency: Currency,
    #[serde(default)]
    pub deposit_minor: u64,
    /// Said of a property that takes no deposit: nothing stands in for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks_no_deposit: bool,
    #[serde(default)]
    pub refundable_token_minor: u64,
    #[serde(default)]
    pub platform_fee_minor: u64,
    #[serde(default)]
    pub max_deposit_minor: u64,
    /// Hundredths: 150 is one and a half times the price. Whole, because the domain has no floats.
    #[serde(default)]
    pub deposit_multiplier_hundredths: u64,
}

impl PaymentConfig {
    /// A property that configures nothing.
    pub const fn plain(currency: Currency) -> Self {
        Self {
            currency,
            deposit_minor: 0,
            asks_no_deposit: false,
            refundable_token_minor: 0,
            platform_fee_minor: 0,
            max_deposit_minor: 0,
            deposit_multiplier_hundredths: 0,
        }
    }
}

/// One line of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    #[serde(rename = "type")]
    pub kind: PaymentType,
    pub amount_minor: u64,
}

/// Lines with their sum, the fee and the total: computed once, when the payment is opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    pub currency: Currency,
    pub lines: Vec<Line>,
    pub subtotal_minor: u64,
    pub processing_fee_minor: u64,
    pub total_minor: u64,
    /// By which the fee was computed.
    #[serde(default, skip_serializing_if = "FeeRate::is_usual")]
    pub fee_rate: FeeRate,
}

/// Why no price can be given.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PriceRejection {
    #[error("`{0}` is not due for this room")]
    NotDue(&'static str),
    #[error("nothing is due for this room")]
    NothingDue,
    #[error("the amount is larger than can be charged")]
    TooLarge,
    /// Payment providers charge nothing below [`Currency::least_charge_minor`].
    #[error("the amount is smaller than can be charged")]
    TooSmall,
    /// Somebody named an amount that is no multiple of [`Currency::charge_step`].
    #[error("the amount is no multiple of {step_minor}, in minor units")]
    Uneven { step_minor: u64 },
}

/// D37: none where the property says so, else `deposit`, else multiplier × price capped by `max_deposit`, else 250 or what [`LEAST_DEPOSIT_DOLLARS`] are worth.
pub fn deposit(config: &PaymentConfig, available_price_minor: u64) -> u64 {
    if config.asks_no_deposit {
        return 0;
    }
    if config.deposit_minor > 0 {
        return config.deposit_minor;
    }
    let multiple = u128::from(available_price_minor) * u128::from(config.deposit_multiplier_hundredths);
    let multiple = u64::try_from((multiple + 50) / 100).unwrap_or(u64::MAX);
    if multiple > 0 {
        return match config.max_deposit_minor {
            0 => multiple,
            cap => multiple.min(cap),
        };
    }
    let least = LEAST_DEPOSIT_DOLLARS * config.currency.units_for_one_dollar();
    DEFAULT_DEPOSIT_UNITS.max(least) * 10_u64.pow(config.currency.decimals())
}

/// Whether the holding fee of this room has been paid already: then the deposit is what comes next (D38).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    First,
    AfterHoldingFee,
}

/// D38: the holding fee or else the deposit first, the service fee beside it. Rent only by a custom token.
pub fn due(config: &PaymentConfig, available_price_minor: u64, stage: Stage) -> Vec<Line> {
    let first = match stage {
        Stage::First if config.refundable_token_minor > 0 => Line {
            kind: PaymentType::RefundableToken,
            amount_minor: config.refundable_token_minor,
        },
        Stage::First | Stage::AfterHoldingFee => Line {
            kind: PaymentType::Deposit,
            amount_minor: deposit(config, available_price_minor),
        },
    };
    let fee = Line {
        kind: PaymentType::PlatformFee,
        amount_minor: config.platform_fee_minor,
    };
    let fee = (config.platform_fee_minor > 0 && stage == Stage::First).then_some(fee);
    [first].into_iter().chain(fee).collect()
}

/// The price of what was asked for, out of what is due; an empty wish asks for all of it. Amounts never come from outside (T15). What a home
/// asks is rounded here, line by line, to what its currency is charged in: no amount behind the quote is rounded again.
///
/// # Errors
/// Names the first wished type that is not due; [`PriceRejection::TooSmall`] and [`PriceRejection::TooLarge`] are about the total.
pub fn quote(
    currency: Currency,
    due: &[Line],
    wished: &[PaymentType],
    fee_rate: FeeRate,
) -> Result<Quote, PriceRejection> {
    if let Some(stranger) = wished
        .iter()
        .find(|kind| due.iter().all(|line| line.kind != **kind))
    {
        return Err(PriceRejection::NotDue(stranger.code()));
    }
    let lines: Vec<Line> = due
        .iter()
        .filter(|line| wished.is_empty() || wished.contains(&line.kind))
        .map(|line| Line {
            amount_minor: currency.nearest_charge(line.amount_minor),
            ..*line
        })
        .filter(|line| line.amount_minor > 0)
        .collect();
    let subtotal = lines
        .iter()
        .try_fold(0_u64, |sum, line| sum.checked_add(line.amount_minor))
        .ok_or(PriceRejection::TooLarge)?;
    if subtotal == 0 {
        return Err(PriceRejection::NothingDue);
    }
    let total = with_processing_fee(currency, subtotal, fee_rate).ok_or(PriceRejection::TooLarge)?;
    if total < currency.least_charge_minor() {
        return Err(PriceRejection::TooSmall);
    }
    Ok(Quote {
        currency,
        lines,
        subtotal_minor: subtotal,
        processing_fee_minor: total.saturating_sub(subtotal),
        total_minor: total,
        fee_rate,
    })
}

/// D39: the subtotal and its fee, by default `round_half_up(subtotal × 1.03627)`, rounded to what the currency is charged in: the only rounding of a fee. `None` when the
/// total does not fit.
pub fn with_processing_fee(currency: Currency, subtotal_minor: u64, fee_rate: FeeRate) -> Option<u64> {
    let (times, over) = fee_rate.total_per_subtotal();
    let (times, over) = (u128::from(times), u128::from(over));
    let step = u128::from(currency.charge_step());
    let steps = (u128::from(subtotal_minor) * times + over * step / 2) / (over * step);
    u64::try_from(steps * step).ok()
}

impl Quote {
    /// What the payer is charged.
    pub const fn total(&self) -> Money {
        Money::new(self.total_minor, self.currency)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pounds() -> PaymentConfig {
        PaymentConfig::plain(Currency::Gbp)
    }

    /// A property that names nothing takes 250 and the fee of 3.627 percent.
    #[test]
    fn default_deposit_is_250_with_a_fee_of_3_627_percent() {
        let quote = quote(
            Currency::Gbp,
            &due(&pounds(), 31_000, Stage::First),
            &[],
            FeeRate::USUAL,
        )
        .unwrap();
        assert_eq!(
            (
                quote.subtotal_minor,
                quote.processing_fee_minor,
                quote.total_minor
            ),
            (25_000, 907, 25_907)
        );
    }

    /// A deposit of 200.004 dinars is charged as 200.000: lines and fee are the total, also without a fee.
    #[test]
    fn lines_are_rounded_to_what_can_be_charged() {
        let dinars = PaymentConfig {
            deposit_minor: 200_004,
            platform_fee_minor: 5_005,
            ..PaymentConfig::plain(Currency::Kwd)
        };
        for rate in [FeeRate::NONE, FeeRate::USUAL] {
            let quote = quote(Currency::Kwd, &due(&dinars, 0, Stage::First), &[], rate).unwrap();
            let lines: Vec<u64> = quote.lines.iter().map(|line| line.amount_minor).collect();
            assert_eq!(lines, [200_000, 5_010]);
            assert_eq!(
                quote.subtotal_minor + quote.processing_fee_minor,
                quote.total_minor
            );
            assert_eq!(quote.total_minor % 10, 0);
        }
    }

    #[test]
    fn fee_follows_the_rate_of_the_quote() {
        let total = |rate| with_processing_fee(Currency::Gbp, 25_000, rate);
        assert_eq!(total(FeeRate::NONE), Some(25_000));
        assert_eq!(total(FeeRate::from_percent("2.5").unwrap()), Some(25_625));
        assert_eq!(total(FeeRate::USUAL), Some(25_907));
    }

    /// D39 against the draft of R15: half a minor unit goes up, also where half to even would go down.
    #[test]
    fn fee_of_half_a_unit_is_rounded_up_not_to_even() {
        let half = FeeRate::from_percent("0.5").unwrap();
        // 100 and 300 with half a percent are 100.5 and 301.5: to even would be 100 and 302.
        assert_eq!(with_processing_fee(Currency::Gbp, 100, half), Some(101));
        assert_eq!(with_processing_fee(Currency::Gbp, 300, half), Some(302));
    }

    /// The deposit is the named one else a capped multiple of the price.
    #[test]
    fn home_that_takes_no_deposit_is_asked_for_none() {
        let none = PaymentConfig {
            asks_no_deposit: true,
            platform_fee_minor: 5_000,
            ..pounds()
        };
        assert_eq!(deposit(&none, 20_000), 0);
        let asked = due(&none, 20_000, Stage::First);
        let paid = quote(Currency::Gbp, &asked, &[], FeeRate::USUAL).unwrap();
        assert_eq!(paid.lines.len(), 1, "the service fee alone");
        let alone = PaymentConfig {
            platform_fee_minor: 0,
            ..none
        };
        let nothing = quote(
            Currency::Gbp,
            &due(&alone, 20_000, Stage::First),
            &[],
            FeeRate::USUAL,
        );
        assert_eq!(nothing, Err(PriceRejection::NothingDue));
    }

    #[test]
    fn deposit_is_the_named_amount_else_a_capped_multiple() {
        let named = PaymentConfig {
            deposit_minor: 40_000,
            deposit_multiplier_hundredths: 200,
            ..pounds()
        };
        assert_eq!(deposit(&named, 31_000), 40_000);
        let multiple = PaymentConfig {
            deposit_multiplier_hundredths: 150,
            ..pounds()
        };
        assert_eq!(deposit(&multiple, 31_000), 46_500);
        let capped = PaymentConfig {
            max_deposit_minor: 45_000,
            ..multiple
        };
        assert_eq!(deposit(&capped, 31_000), 45_000);
    }

    /// A deposit comes back by the house's rules and a holding fee always.
    #[test]
    fn holding_fee_is_always_refundable_a_deposit_by_house_rules() {
        let days = PaymentType::Deposit.returned(7);
        assert_eq!((days, days.days()), (Returned::Within { days: 7 }, Some(7)));
        assert_eq!(PaymentType::Deposit.returned(0), Returned::Never);
        assert_eq!(PaymentType::RefundableToken.returned(7), Returned::Always);
        assert_eq!(PaymentType::PlatformFee.returned(7), Returned::Never);
    }

    /// The holding fee comes before the deposit and the service fee beside it.
    #[test]
    fn holding_fee_is_due_before_the_deposit_beside_the_service_fee() {
        let config = PaymentConfig {
            deposit_minor: 40_000,
            refundable_token_minor: 10_000,
            platform_fee_minor: 2_500,
            ..pounds()
        };
        let kinds = |stage| {
            due(&config, 0, stage)
                .into_iter()
                .map(|line| line.kind)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            kinds(Stage::First),
            [PaymentType::RefundableToken, PaymentType::PlatformFee]
        );
        assert_eq!(kinds(Stage::AfterHoldingFee), [PaymentType::Deposit]);
    }

    #[test]
    fn rent_cannot_be_asked_for_and_a_wish_narrows_what_is_due() {
        let config = PaymentConfig {
            platform_fee_minor: 2_500,
            ..pounds()
        };
        let due = due(&config, 0, Stage::First);
        assert_eq!(
            quote(Currency::Gbp, &due, &[PaymentType::Rent], FeeRate::USUAL),
            Err(PriceRejection::NotDue("rent"))
        );
        assert_eq!(
            quote(Currency::Gbp, &due, &[PaymentType::Deposit], FeeRate::USUAL)
                .unwrap()
                .subtotal_minor,
            25_000
        );
    }

    #[test]
    fn default_deposits_are_worth_holding_a_room_in_every_currency() {
        let default = |currency| deposit(&PaymentConfig::plain(currency), 0);
        let all: Vec<(&str, u64)> = Currency::ALL[..17]
            .iter()
            .map(|currency| (currency.code(), default(*currency)))
            .collect();
        assert_eq!(
            all,
            [
                ("USD", 25_000),
                ("GBP", 25_000),
                ("EUR", 25_000),
                ("CAD", 25_000),
                ("INR", 400_000),
                ("AUD", 25_000),
                ("AED", 25_000),
                ("SGD", 25_000),
                ("NZD", 25_000),
                ("KRW", 50_000),
                ("DKK", 40_000),
                ("JPY", 7_500),
                ("KWD", 250_000),
                ("BHD", 250_000),
                ("JOD", 250_000),
                ("AFN", 350_000),
                ("ALL", 500_000),
            ]
        );
    }

    #[test]
    fn what_no_payment_provider_charges_has_no_price() {
        let price = |currency, amount_minor| {
            let line = Line {
                kind: PaymentType::Deposit,
                amount_minor,
            };
            quote(currency, &[line], &[], FeeRate::USUAL).map(|quote| quote.total_minor)
        };
        assert_eq!(price(Currency::Gbp, 28), Err(PriceRejection::TooSmall));
        assert_eq!(price(Currency::Gbp, 29), Ok(30));
        assert_eq!(price(Currency::Krw, 259), Err(PriceRejection::TooSmall));
    }

    #[test]
    fn an_amount_that_does_not_fit_is_refused() {
        assert_eq!(with_processing_fee(Currency::Gbp, u64::MAX, FeeRate::USUAL), None);
        let lines = [PaymentType::Deposit, PaymentType::PlatformFee].map(|kind| Line {
            kind,
            amount_minor: u64::MAX,
        });
        assert_eq!(
            quote(Currency::Gbp, &lines, &[], FeeRate::USUAL),
            Err(PriceRejection::TooLarge)
        );
    }

    proptest! {
        #[test]
        fn the_fee_is_never_off_by_more_than_half_a_minor_unit(subtotal in 1_u64..1_000_000_000) {
            let total = i128::from(with_processing_fee(Currency::Gbp, subtotal, FeeRate::USUAL).unwrap());
            let error = total * 100_000 - i128::from(subtotal) * 103_627;
            prop_assert!((-50_000 < error) && (error <= 50_000));
        }
    }
}
