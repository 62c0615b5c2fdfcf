//! Why a card was turned down, in the words the specification catalogues (Spec §8, D102).

use serde::{Deserialize, Serialize};

/// The decline codes of Spec §8; [`DeclineCode::Other`] stands for every other one, fraud and stolen cards included, which a
/// payer is never told about (D102).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeclineCode {
    LiveModeTestCard,
    DoNotHonor,
    GenericDecline,
    InsufficientFunds,
    TransactionNotAllowed,
    TestmodeDecline,
    IncorrectNumber,
    ExpiredCard,
    Other,
}

impl DeclineCode {
    pub const ALL: [Self; 9] = [
        Self::LiveModeTestCard,
        Self::DoNotHonor,
        Self::GenericDecline,
        Self::InsufficientFunds,
        Self::TransactionNotAllowed,
        Self::TestmodeDecline,
        Self::IncorrectNumber,
        Self::ExpiredCard,
        Self::Other,
    ];

    /// The code as the specification and the gateway spell it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::LiveModeTestCard => "live_mode_test_card",
            Self::DoNotHonor => "do_not_honor",
            Self::GenericDecline => "generic_decline",
            Self::InsufficientFunds => "insufficient_funds",
            Self::TransactionNotAllowed => "transaction_not_allowed",
            Self::TestmodeDecline => "testmode_decline",
            Self::IncorrectNumber => "incorrect_number",
            Self::ExpiredCard => "expired_card",
            Self::Other => "other",
        }
    }

    /// Reads a gateway's code; codes outside the catalogue become [`DeclineCode::Other`].
    pub fn from_gateway(code: &str) -> Self {
        Self::ALL
            .into_iter()
            .find(|known| known.code() == code)
            .unwrap_or(Self::Other)
    }

    /// What the payer reads, in English (D102): one cause, one next action. Translations are in the message catalogues.
    pub const fn message(self) -> &'static str {
        match self {
            Self::LiveModeTestCard => "That is a test card. Please use a real one.",
            Self::DoNotHonor => "Your bank did not approve this payment. Ask your bank or use another card.",
            Self::GenericDecline => {
                "Your bank declined this payment without a reason. Try another card or ask your bank."
            }
            Self::InsufficientFunds => {
                "There is not enough money available on this card. Try another card or method."
            }
            Self::TransactionNotAllowed => {
                "This card cannot be used for this kind of payment. Ask your bank to allow online and foreign payments, \
                 or use another card."
            }
            Self::TestmodeDecline => "This is a test page: only test cards work here.",
            Self::IncorrectNumber => "The card number is not right. Check it and try again.",
            Self::ExpiredCard => "This card has expired. Please use another.",
            Self::Other => "The payment did not go through and we have not taken it. Try another method.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payer_never_learns_that_a_card_is_reported_stolen() {
        assert_eq!(DeclineCode::from_gateway("stolen_card"), DeclineCode::Other);
        assert_eq!(DeclineCode::from_gateway("fraudulent"), DeclineCode::Other);
    }

    #[test]
    fn every_code_of_the_specification_is_read_back_as_itself() {
        for code in DeclineCode::ALL {
            assert_eq!(DeclineCode::from_gateway(code.code()), code);
            assert_eq!(serde_json::to_value(code).unwrap(), code.code());
        }
    }
}
