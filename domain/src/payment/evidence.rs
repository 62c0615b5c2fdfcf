//! What a bank is told against a dispute: the pack is laid with the gateway by rule, and sent on by finance, once.

use serde::{Deserialize, Serialize};

use uuid::Uuid;

use crate::id::UserId;
use crate::moment::Moment;

/// How far the evidence against a dispute has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceStep {
    /// The gateway keeps the pack; the bank does not have it yet.
    Laid {
        /// Until when the bank takes an answer, where the gateway says so.
        due_by: Option<Moment>,
        /// SHA-256 of the pack, in hex.
        digest: String,
    },
    /// A member of finance sends it.
    Asked {
        by: UserId,
        /// Events whose lines finance struck: the bank gets nothing of them. Unsaid in events before version 2.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        struck: Vec<Uuid>,
        /// Event of the last line that finance saw: the bank gets none that came later. Unsaid in events before version 3.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_seen: Option<Uuid>,
    },
    /// The gateway has passed it on to the bank.
    Sent { digest: String },
    /// The gateway does not take it.
    Refused { reason: String },
}

/// What the gateway or finance may say of a dispute's evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceCommand {
    pub dispute_id: String,
    pub step: EvidenceStep,
    pub at: Moment,
}

/// The evidence against one dispute as the fold of its events.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    pub laid_at: Option<Moment>,
    pub due_by: Option<Moment>,
    /// Who pressed Send, and when; kept when the gateway refuses, until it is pressed again.
    pub asked: Option<(UserId, Moment)>,
    /// Events whose lines finance struck when it pressed Send.
    #[serde(default)]
    pub struck: Vec<Uuid>,
    /// Event of the last line that finance saw when it pressed Send.
    #[serde(default)]
    pub last_seen: Option<Uuid>,
    pub sent_at: Option<Moment>,
    /// Why the gateway did not take it; `None` once it did, or was asked again.
    pub refused: Option<String>,
}

impl Evidence {
    /// Whether it is on its way to the bank.
    pub const fn is_being_sent(&self) -> bool {
        self.asked.is_some() && self.sent_at.is_none() && self.refused.is_none()
    }

    /// Whether the bank takes no answer any more.
    pub fn is_late(&self, now: Moment) -> bool {
        self.due_by.is_some_and(|due_by| due_by < now)
    }
}
