//! Names of things: UUIDv7 outside, one type each, so that a lead's id can never be taken for a payment's.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The stream's id of any aggregate.
pub trait StreamKey: Copy {
    fn uuid(self) -> Uuid;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl StreamKey for $name {
            fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    )*};
}

ids! {
    /// A student's interest in a property or place.
    LeadId,
    /// The booking or application form of one lead.
    BookingFormId,
    /// A conversation between a person and the house.
    CaseId,
    /// What one member of staff asks for and another decides.
    ApprovalId,
    /// One attempt to pay.
    PaymentId,
    /// A person: everything sealed about them lies under this subject's key.
    UserId,
    /// An e-mail address or phone number, by its keyed hash.
    HandleId,
    /// One login of one person.
    SessionId,
    /// One property on a shortlist.
    ShortlistEntryId,
    /// A property or a room (a child inventory); the public id of the specification's inventory.
    InventoryId,
    /// An address of a home, by its hash.
    HomeAddressId,
    /// A country, state, city, area or establishment.
    RegionId,
    /// A referral of one person by another.
    ReferralId,
    /// A hold on a room, taken before money moves.
    HoldId,
    /// One refund of a payment.
    RefundId,
    /// Settings that administrators change while the server runs: one stream.
    SiteSettingsId,
    /// Statements of the bank: one stream.
    BankStatementsId,
    /// One run of an import.
    ImportRunId,
    /// A photo or a plan at one place, by a hash of the place.
    PhotoId,
    /// A face of the house: its own, or another under which a site is served.
    BrandId,
    /// A page's text of the house in one language, by a hash of both.
    OwnTextId,
    /// A whitelabel partner.
    PartnerId,
    /// A listing provider.
    ProviderId,
}
