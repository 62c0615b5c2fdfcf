//! What is personal in a person's events: how they are reached, and why staff looked at their data.

use super::UserEvent;
use crate::id::UserId;
use crate::sealed::{Sealable, json_of};

impl Sealable for UserEvent {
    fn subject(&self) -> Option<UserId> {
        match self {
            Self::Registered { user_id, .. } | Self::Verified { user_id, .. } => Some(*user_id),
            Self::PersonalDataRevealed { person_id, .. } => *person_id,
            _ => None,
        }
    }

    fn personal(&self) -> Option<Vec<u8>> {
        match self {
            Self::Registered { personal, .. } => personal.to_json(),
            Self::Verified { personal, .. } => personal.to_json(),
            Self::PersonalDataRevealed {
                person_id: Some(_),
                reason,
                ..
            } => json_of(reason),
            _ => None,
        }
    }

    fn reveal(&mut self, plain: Option<&[u8]>) {
        match self {
            Self::Registered { personal, .. } => personal.reveal(plain),
            Self::Verified { personal, .. } => personal.reveal(plain),
            Self::PersonalDataRevealed { reason, .. } => {
                let opened = plain.and_then(|json| serde_json::from_slice(json).ok());
                *reason = opened.unwrap_or_default();
            }
            _ => {}
        }
    }
}
