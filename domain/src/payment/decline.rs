//! Why a card was turned down (Spec §8). What a payer reads is in the catalogues `payment_decline` (D102).

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
}

const CANCELLED: &str = "canceled:";

/// Names the end of an intent that the provider cancelled, as an attempt of its payment.
pub fn name_cancelled(intent_id: &str) -> String {
    format!("{CANCELLED}{intent_id}")
}

/// Reads the intent whose end an attempt is; `None` for a card that was declined.
pub fn read_cancelled(attempt_id: &str) -> Option<&str> {
    attempt_id.strip_prefix(CANCELLED)
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
