//! Whose a lead is: open to its link until a login claims it, then one account's.

use serde::{Deserialize, Serialize};

use super::Lead;
use crate::contact::Email;
use crate::id::UserId;

/// How sure it is that a lead comes from whom it names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Claim {
    /// Sent without a login, and nobody has proved since that it is theirs.
    #[default]
    Open,
    /// It belongs to a person, but the address or number it names is not proved to be theirs.
    Held,
    /// The person has proved the address and the number.
    Proved,
}

impl Lead {
    /// The person has proved the address and the number.
    pub fn is_verified(&self) -> bool {
        self.claim == Claim::Proved
    }

    /// Nobody has proved yet that it is theirs.
    pub fn is_unclaimed(&self) -> bool {
        self.claim == Claim::Open
    }

    /// Whether it belongs to a person who has proved this e-mail address: to the account that sent or claimed it and to no other.
    /// Before a claim it is for the address it names. A phone number is typed by the sender, and makes nobody an owner.
    pub fn belongs_to(&self, person_id: UserId, proved: Option<&Email>) -> bool {
        if let Some(owner) = self.claimed_by {
            return owner == person_id;
        }
        let named = self.personal.as_ref().map(|personal| &personal.email);
        let is_named = proved
            .zip(named)
            .is_some_and(|(own, named)| own.canonical() == named.canonical());
        is_named
            || self
                .submission
                .as_ref()
                .is_some_and(|sent| sent.person_id == person_id)
    }
}
