//! The payment provider's own account, as the provider tells it: each movement with the fee it kept, and the payouts that carry
//! the money to a bank.

use serde::{Deserialize, Serialize};

use crate::moment::Moment;

/// One movement on the provider's account. Amounts are signed minor units: below zero what went out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BalanceLine {
    /// The provider's id, e.g. `txn_…`.
    pub line_id: String,
    /// The provider's own word, e.g. `charge`, `refund`, `adjustment`, `payout`.
    pub kind: String,
    /// Object that moved the money, e.g. a charge `ch_…`; `None` for fees of the account itself.
    pub source: Option<String>,
    pub amount_minor: i64,
    /// What the provider kept; below zero where it came back.
    pub fee_minor: i64,
    pub net_minor: i64,
    /// ISO 4217, in capitals.
    pub currency: String,
    pub created_at: Moment,
    /// From when on it can be paid out.
    pub available_at: Moment,
    /// The payout it went out with, once known.
    pub payout_id: Option<String>,
    /// By which rate the provider settled a charge of another currency: so many units of this one for one of the charge's. A decimal
    /// as the provider wrote it; `None` where nothing was exchanged, and in events of version 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange_rate: Option<String>,
}

impl BalanceLine {
    /// The same as told later, with the payout that is known already: a list of movements names none.
    #[must_use]
    pub fn after(mut self, known: Option<&Self>) -> Self {
        if self.payout_id.is_none() {
            self.payout_id = known.and_then(|known| known.payout_id.clone());
        }
        self
    }
}

/// Money on its way from the provider to a bank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payout {
    /// The provider's id, e.g. `po_…`.
    pub payout_id: String,
    pub amount_minor: i64,
    /// ISO 4217, in capitals.
    pub currency: String,
    /// The provider's own word: `pending`, `in_transit`, `paid`, `failed` or `canceled`.
    pub status: String,
    pub created_at: Moment,
    pub arrives_at: Moment,
    /// Whether a person sent it: of such a one the provider does not say which movements it holds. `None` where that was not read yet.
    #[serde(default)]
    pub is_by_hand: Option<bool>,
}
