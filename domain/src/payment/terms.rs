//! What a payment is about: fixed when it is opened, never changed.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::country::Country;
use crate::id::{BookingFormId, InventoryId, LeadId, PaymentId, UserId};
use crate::language::Language;
use crate::lease::{Lease, Stay};
use crate::moment::Moment;
use crate::money::Period;
use crate::payment::link::LinkTerms;
use crate::payment::price::Quote;

/// What a stay costs per week or month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rent {
    pub amount_minor: u64,
    pub period: Period,
}

/// The facts of a payment, as they stood when it was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    pub lead_id: LeadId,
    /// Whose payment it is.
    pub subject: UserId,
    /// Whose key seals the token and the words about it: the lead's own. Unsaid: the person's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sealed_by: Option<UserId>,
    pub inventory_root_id: InventoryId,
    pub room_id: InventoryId,
    #[serde(default)]
    pub form_id: Option<BookingFormId>,
    pub country: Country,
    pub lease: Lease,
    pub move_in_date: NaiveDate,
    pub quote: Quote,
    /// The stay's price as it was agreed, in the quote's currency. Unsaid in payments of before it was written down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rent: Option<Rent>,
    /// SHA-256 of the token, in hex: what a link is found by.
    pub token_digest: String,
    pub opened_at: Moment,
    /// D100: a link is good for fourteen days.
    pub expires_at: Moment,
    /// The earlier payment of the same booking, whose room this one goes on with: the holding fee before the deposit (D38).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<PaymentId>,
    /// What the payer reads; messages about this payment are written in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// The version of the terms of use that stood when it was opened, which paying accepts. Unsaid in payments of before versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms_of_use: Option<String>,
    /// Where a member of staff made it as a link of its own: it pays for a booking that there is, and never holds a room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<LinkTerms>,
}

impl Terms {
    /// Whose key seals what is personal in this payment's events.
    pub fn seal(&self) -> UserId {
        self.sealed_by.unwrap_or(self.subject)
    }

    /// The lease that is paid for.
    pub const fn stay(&self) -> Stay {
        Stay {
            move_in: self.move_in_date,
            length: self.lease,
        }
    }
}
