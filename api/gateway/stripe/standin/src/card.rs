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
    /// A voucher: the payer is shown what to pay at a counter, and pays days later.
    Voucher,
    /// Paid, and taken back by the bank at once.
    Disputed,
}

/// The codes of a bank that stand behind `card_declined`.
const fn by_bank(code: &'static str) -> Ending {
    Ending::Declined(CARD_DECLINED, Some(code))
}

const CARD_DECLINED: &str = "card_declined";

/// The ending of a test card's number or of a test payment method's name.
pub(crate) fn ending(card: &str) -> Ending {
    match card {
        "4000000000000002" | "pm_card_visa_chargeDeclined" => by_bank("generic_decline"),
        "4000000000009995" | "pm_card_visa_chargeDeclinedInsufficientFunds" => by_bank("insufficient_funds"),
        // Numbers of the sandbox (X7): Stripe publishes none that end so.
        "4000000000010001" => by_bank("do_not_honor"),
        "4000000000010019" => by_bank("transaction_not_allowed"),
        "4000000000010027" => by_bank("live_mode_test_card"),
        "4000000000010035" => by_bank("testmode_decline"),
        "4000000000000069" | "pm_card_chargeDeclinedExpiredCard" => {
            Ending::Declined("expired_card", Some("expired_card"))
        }
        "4242424242424241" => Ending::Declined("incorrect_number", None),
        "4000002500003155" | "pm_card_authenticationRequired" => Ending::Asked,
        "pm_usBankAccount" | "4000000000010043" | "4000000000010050" => Ending::Slow,
        "pm_multibanco" => Ending::Voucher,
        "4000000000000259" | "pm_card_createDispute" => Ending::Disputed,
        _ => Ending::Paid,
    }
}
