//! How Stripe counts money, currency by currency: the smallest charge, and where its amounts are not the minor units of ISO 4217.
//! From <https://docs.stripe.com/currencies>. The one place where an amount is changed from one counting into the other: [`amount`] on the
//! way to Stripe, [`minor`] and [`nearest_minor`] on the way back.

use domain::money::Currency;
use gateway::object::Object;

/// One currency at Stripe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StripeCurrency {
    pub code: &'static str,
    /// Digits after the point in ISO 4217.
    pub iso_decimals: u32,
    /// Digits after the point in Stripe's amounts.
    pub sent_decimals: u32,
    /// What an amount of Stripe must be a multiple of.
    pub step: u64,
    /// What a payout must be a multiple of.
    pub payout_step: u64,
    /// The smallest charge, as Stripe counts it; 0 where Stripe names none.
    pub least: u64,
}

const fn two(code: &'static str, least: u64) -> StripeCurrency {
    StripeCurrency {
        code,
        iso_decimals: 2,
        sent_decimals: 2,
        step: 1,
        payout_step: 1,
        least,
    }
}

/// No minor units.
const fn zero(code: &'static str, least: u64) -> StripeCurrency {
    StripeCurrency {
        iso_decimals: 0,
        sent_decimals: 0,
        ..two(code, least)
    }
}

/// A thousandth is counted and cannot be charged: the last digit is 0.
const fn three(code: &'static str) -> StripeCurrency {
    StripeCurrency {
        iso_decimals: 3,
        sent_decimals: 3,
        step: 10,
        payout_step: 10,
        ..two(code, 0)
    }
}

/// Without minor units, and sent as if it had two: 5 is sent as 500.
const fn zero_sent_as_two(code: &'static str) -> StripeCurrency {
    StripeCurrency {
        iso_decimals: 0,
        sent_decimals: 2,
        step: 100,
        payout_step: 100,
        ..two(code, 0)
    }
}

/// With hundredths that are neither charged nor sent: 500 hundredths are sent as 5.
const fn two_sent_whole(code: &'static str) -> StripeCurrency {
    StripeCurrency {
        sent_decimals: 0,
        ..two(code, 0)
    }
}

/// Charged with two digits, paid out in whole units.
const fn paid_out_whole(code: &'static str, least: u64) -> StripeCurrency {
    StripeCurrency {
        payout_step: 100,
        ..two(code, least)
    }
}

/// Currencies that Stripe charges as ISO 4217 counts them, in hundredths, without a smallest charge of their own.
const PLAIN: &str = "AFN ALL AMD AOA ARS AWG AZN BAM BBD BDT BMD BND BOB BSD BWP BYN BZD CDF CNY COP CRC CVE DOP DZD EGP ETB FJD FKP GEL GIP GMD GTQ \
    GYD HNL HTG IDR ILS JMD KES KGS KHR KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MZN NAD NGN NIO NPR PAB PEN \
    PGK PHP PKR QAR RSD RUB SAR SBD SCR SHP SLE SOS SRD SZL TJS TOP TRY TTD TZS UAH UYU UZS WST XCD XCG YER ZAR ZMW";

/// Currencies with a rule or a smallest charge of their own.
pub const CURRENCIES: [StripeCurrency; 46] = [
    two("AED", 200),
    two("AUD", 50),
    two("BGN", 100),
    two("BRL", 50),
    two("CAD", 50),
    two("CHF", 50),
    two("CZK", 1_500),
    two("DKK", 250),
    two("EUR", 50),
    two("GBP", 30),
    two("HKD", 400),
    two("INR", 50),
    two("MXN", 1_000),
    two("MYR", 200),
    two("NOK", 300),
    two("NZD", 50),
    two("PLN", 200),
    two("RON", 200),
    two("SEK", 300),
    two("SGD", 50),
    two("THB", 1_000),
    two("USD", 50),
    zero("BIF", 0),
    zero("CLP", 0),
    zero("DJF", 0),
    zero("GNF", 0),
    zero("JPY", 50),
    zero("KMF", 0),
    // Stripe names no smallest charge for the won: half a dollar's worth.
    zero("KRW", 700),
    zero("PYG", 0),
    zero("RWF", 0),
    zero("VND", 0),
    zero("VUV", 0),
    zero("XAF", 0),
    zero("XOF", 0),
    zero("XPF", 0),
    three("BHD"),
    three("JOD"),
    three("KWD"),
    three("OMR"),
    three("TND"),
    zero_sent_as_two("ISK"),
    zero_sent_as_two("UGX"),
    two_sent_whole("MGA"),
    paid_out_whole("HUF", 17_500),
    paid_out_whole("TWD", 0),
];

/// Why an amount cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AmountError {
    #[error("Stripe's rules for this currency are not known here")]
    UnknownCurrency,
    #[error("Stripe takes multiples of {step} in this currency alone, in minor units")]
    Fraction { step: u64 },
    #[error("Stripe charges {least} or more in this currency, in its smallest unit")]
    TooSmall { least: u64 },
    #[error("the amount is larger than Stripe takes in this currency")]
    TooLarge,
}

/// Stripe's rules for a currency, by its ISO code.
///
/// # Errors
/// When there are none here.
pub fn rules_of(code: &str) -> Result<StripeCurrency, AmountError> {
    let own = CURRENCIES.into_iter().find(|currency| currency.code == code);
    let plain = || {
        let listed = PLAIN.split_whitespace().find(|listed| *listed == code)?;
        Some(two(listed, 0))
    };
    own.or_else(plain).ok_or(AmountError::UnknownCurrency)
}

/// The largest amount of any currency has so many digits at Stripe.
const MOST_SENT: i64 = 999_999_999_999;

/// Powers of ten by which Stripe's amounts are larger and smaller than minor units of ISO 4217; one of them is 1.
const fn scales(rules: &StripeCurrency) -> (u64, u64) {
    let larger = rules.sent_decimals.saturating_sub(rules.iso_decimals);
    let smaller = rules.iso_decimals.saturating_sub(rules.sent_decimals);
    (10_u64.pow(larger), 10_u64.pow(smaller))
}

/// Whether payments are taken in a currency: where Stripe charges in it, and this table knows how it counts there.
pub fn charges_in(currency: Currency) -> bool {
    rules_of(currency.code()).is_ok_and(|rules| rules.iso_decimals == currency.decimals())
}

/// Minor units of ISO 4217 as an amount of Stripe.
///
/// # Errors
/// When Stripe does not take such an amount.
pub fn amount(code: &str, minor: u64) -> Result<i64, AmountError> {
    let rules = rules_of(code)?;
    let (larger, smaller) = scales(&rules);
    if !minor.is_multiple_of(smaller) {
        return Err(AmountError::Fraction { step: smaller });
    }
    let sent = (minor / smaller)
        .checked_mul(larger)
        .ok_or(AmountError::TooLarge)?;
    if sent % rules.step != 0 {
        return Err(AmountError::Fraction { step: rules.step });
    }
    let sent = i64::try_from(sent).map_err(|_| AmountError::TooLarge)?;
    if sent > MOST_SENT {
        return Err(AmountError::TooLarge);
    }
    Ok(sent)
}

/// An amount of Stripe as minor units of ISO 4217; `None` where it is no whole number of them. A currency without rules here was not
/// charged by this server: its amounts are taken as they are told.
pub fn minor(code: &str, sent: u64) -> Option<u64> {
    let Ok(rules) = rules_of(&code.to_ascii_uppercase()) else {
        return Some(sent);
    };
    let (larger, smaller) = scales(&rules);
    sent.is_multiple_of(larger)
        .then(|| (sent / larger).checked_mul(smaller))
        .flatten()
}

/// The same of an amount in one of Stripe's answers. One that is no whole number stays as it is told: it then fits no payment.
pub(crate) fn minor_of(object: &Object, sent: u64) -> u64 {
    let code = object.currency.as_deref();
    code.and_then(|code| minor(code, sent)).unwrap_or(sent)
}

/// The same for what the account itself moved, whose fees may be parts of a minor unit: the nearest one, halves away from zero.
pub fn nearest_minor(code: &str, sent: i64) -> i64 {
    let Ok(rules) = rules_of(&code.to_ascii_uppercase()) else {
        return sent;
    };
    let (larger, smaller) = scales(&rules);
    let (larger, smaller) = (i128::from(larger), i128::from(smaller));
    let half = i128::from(sent.signum()) * (larger / 2);
    let minor = (i128::from(sent) + half) / larger * smaller;
    i64::try_from(minor).unwrap_or(if sent < 0 { i64::MIN } else { i64::MAX })
}

/// The largest charge in the rupiah has twelve digits as Stripe counts it, and eight in every other currency
/// (<https://docs.stripe.com/currencies>, maximum charge amounts).
const fn most_charged(code: &str) -> i64 {
    match code.as_bytes() {
        b"IDR" => MOST_SENT,
        _ => 99_999_999,
    }
}

/// The same for a charge, which has a smallest and a largest amount.
///
/// # Errors
/// As [`amount`], below the smallest charge and above the largest.
pub fn charge_amount(code: &str, minor: u64) -> Result<i64, AmountError> {
    let sent = amount(code, minor)?;
    let least = rules_of(code)?.least;
    if sent.unsigned_abs() < least {
        return Err(AmountError::TooSmall { least });
    }
    if sent > most_charged(code) {
        return Err(AmountError::TooLarge);
    }
    Ok(sent)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// What is quoted is what is charged, and comes back as the same amount.
    #[test]
    fn amounts_of_every_charged_currency_come_back_as_they_went() {
        for currency in Currency::ALL.into_iter().filter(|one| charges_in(*one)) {
            let (code, step) = (currency.code(), currency.charge_step());
            let rules = rules_of(code).unwrap();
            let least = currency.least_charge_minor();
            for minor_units in [least, least + step, least + 2_591 * step] {
                let sent = charge_amount(code, minor_units).unwrap();
                assert_eq!(minor(code, sent.unsigned_abs()), Some(minor_units), "{code}");
                let back = nearest_minor(&code.to_lowercase(), -sent);
                assert_eq!(back.unsigned_abs(), minor_units, "{code}");
            }
            assert_eq!(
                (rules.payout_step, rules.payout_step % rules.step),
                (
                    currency.payout_step() * 10_u64.pow(rules.sent_decimals) / 10_u64.pow(rules.iso_decimals),
                    0
                ),
                "{code}"
            );
            if step > 1 {
                assert_eq!(
                    amount(code, least + 1),
                    Err(AmountError::Fraction { step }),
                    "{code}"
                );
            }
            // Where Stripe names no smallest charge, the marketplace has a floor of its own.
            if rules.least > 0 {
                assert_eq!(rules.least, least, "{code}");
                assert_eq!(
                    charge_amount(code, least - step),
                    Err(AmountError::TooSmall { least })
                );
            }
        }
    }

    #[test]
    fn charges_have_a_largest_amount() {
        for (code, most) in [
            ("USD", 99_999_999),
            ("JPY", 99_999_999),
            ("IDR", 999_999_999_999),
            ("ISK", 999_999),
        ] {
            assert!(charge_amount(code, most).is_ok(), "{code}");
            assert_eq!(
                charge_amount(code, most + 1),
                Err(AmountError::TooLarge),
                "{code}"
            );
        }
    }

    #[test]
    fn currencies_that_stripe_lacks_are_refused() {
        let refused: Vec<&str> = Currency::ALL
            .into_iter()
            .filter(|currency| !charges_in(*currency))
            .map(Currency::code)
            .collect();
        for code in ["CUP", "IRR", "KPW", "SDG"] {
            assert!(refused.contains(&code), "{code}");
        }
        for code in ["EUR", "JPY", "KWD", "TRY", "PLN", "ZAR", "ISK", "UGX", "MGA"] {
            assert!(!refused.contains(&code), "{code}");
        }
        assert!(refused.len() < 27, "{refused:?}");
    }

    #[test]
    fn currencies_without_minor_units_are_sent_whole() {
        assert_eq!(charge_amount("JPY", 500), Ok(500));
        assert_eq!(charge_amount("KRW", 30_000), Ok(30_000));
        assert_eq!(charge_amount("JPY", 49), Err(AmountError::TooSmall { least: 50 }));
        for code in ["CLP", "VND", "XOF", "KMF"] {
            assert_eq!(amount(code, 7), Ok(7), "{code}");
        }
    }

    #[test]
    fn currencies_of_three_digits_end_in_zero() {
        for code in ["BHD", "JOD", "KWD", "OMR", "TND"] {
            assert_eq!(amount(code, 5_120), Ok(5_120), "{code}");
            assert_eq!(
                amount(code, 5_124),
                Err(AmountError::Fraction { step: 10 }),
                "{code}"
            );
        }
    }

    #[test]
    fn krona_and_shilling_are_sent_with_two_digits() {
        for code in ["ISK", "UGX"] {
            assert_eq!(amount(code, 5), Ok(500), "{code}");
            assert_eq!(amount(code, u64::MAX / 10), Err(AmountError::TooLarge), "{code}");
            assert_eq!((minor(code, 500), minor(code, 550)), (Some(5), None), "{code}");
            let nearest = [549, 550, -549, -550, 0].map(|sent| nearest_minor(code, sent));
            assert_eq!(nearest, [5, 6, -5, -6, 0], "{code}");
        }
    }

    #[test]
    fn ariary_is_sent_without_its_hundredths() {
        assert_eq!(amount("MGA", 300_000), Ok(3_000));
        assert_eq!(amount("MGA", 300_050), Err(AmountError::Fraction { step: 100 }));
        assert_eq!(minor("mga", 3_000), Some(300_000));
        assert_eq!(nearest_minor("MGA", -3_000), -300_000);
    }

    #[test]
    fn amounts_of_unknown_currencies_are_taken_as_told() {
        assert_eq!((minor("xts", 7), nearest_minor("xts", -7)), (Some(7), -7));
        assert_eq!(amount("EUR", 1_000_000_000_000), Err(AmountError::TooLarge));
    }

    #[test]
    fn forint_and_taiwan_dollar_are_paid_out_whole() {
        for code in ["HUF", "TWD"] {
            let rules = rules_of(code).unwrap();
            assert_eq!((rules.step, rules.payout_step), (1, 100), "{code}");
        }
        assert_eq!(charge_amount("HUF", 17_550), Ok(17_550));
        assert_eq!(
            charge_amount("HUF", 17_499),
            Err(AmountError::TooSmall { least: 17_500 })
        );
    }

    #[test]
    fn currency_table_names_each_currency_once() {
        let codes: BTreeSet<&str> = CURRENCIES.iter().map(|currency| currency.code).collect();
        assert_eq!(codes.len(), CURRENCIES.len());
        assert!(PLAIN.split_whitespace().all(|code| !codes.contains(code)));
        assert_eq!(amount("XTS", 1), Err(AmountError::UnknownCurrency));
    }
}
