//! Stripe's published test cards and test payment methods, and how a charge of each ends.

/// How a charge of a card ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Paid,
    /// Stripe's code, and the bank's where the bank was asked.
    Declined(&'static str, Option<&'static str>),
    /// 3-D Secure.
    Asked,
    /// Settled later.
    Slow,
}

const CARD_DECLINED: &str = "card_declined";

/// The ending of a test card's number or of a test payment method's name.
pub(crate) fn ending(card: &str) -> Ending {
    match card {
        "4000000000000002" | "pm_card_visa_chargeDeclined" => {
            Ending::Declined(CARD_DECLINED, Some("generic_decline"))
        }
        "4000000000009995" | "pm_card_visa_chargeDeclinedInsufficientFunds" => {
            Ending::Declined(CARD_DECLINED, Some("insufficient_funds"))
        }
        "4000000000000069" | "pm_card_chargeDeclinedExpiredCard" => {
            Ending::Declined("expired_card", Some("expired_card"))
        }
        "4242424242424241" => Ending::Declined("incorrect_number", None),
        "4000002500003155" | "pm_card_authenticationRequired" => Ending::Asked,
        "pm_usBankAccount" => Ending::Slow,
        _ => Ending::Paid,
    }
}
