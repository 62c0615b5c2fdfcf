//! What staff looks at of a person, as the person's own history names it.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::{User, UserEvent};
use crate::id::{LeadId, UserId};
use crate::moment::Moment;

/// How long a recorded read of a history counts for the same reader: pages ask for a history in pieces.
const READ_COUNTS_FOR: TimeDelta = TimeDelta::minutes(15);

/// What was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Look {
    /// Name, address and number.
    Contact,
    /// The text of one message.
    Letter,
    /// The answers of the booking form.
    Answers,
    /// A lead's history as a file.
    Export,
    /// Payments, found by the person's address.
    Payments,
    /// The history of a lead.
    History,
    /// The history of a payment, or its receipt.
    Payment,
    /// A conversation.
    Case,
}

impl Look {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Contact,
        Self::Letter,
        Self::Answers,
        Self::Export,
        Self::Payments,
        Self::History,
        Self::Payment,
        Self::Case,
    ];

    /// The word that travels.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Contact => "contact",
            Self::Letter => "letter",
            Self::Answers => "answers",
            Self::Export => "export",
            Self::Payments => "payments",
            Self::History => "history",
            Self::Payment => "payment",
            Self::Case => "case",
        }
    }

    /// Whether it is read without a reason, and recorded at most once in fifteen minutes (T30).
    const fn is_history(self) -> bool {
        matches!(self, Self::History | Self::Payment | Self::Case)
    }
}

/// A recorded read of a history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryRead {
    pub by: UserId,
    pub what: Look,
    pub lead_id: Option<LeadId>,
    pub at: Moment,
}

impl HistoryRead {
    fn of(look: &UserEvent) -> Option<Self> {
        match look {
            UserEvent::PersonalDataRevealed {
                lead_id,
                by,
                what: Some(what),
                at,
                ..
            } if what.is_history() => Some(Self {
                by: *by,
                what: *what,
                lead_id: *lead_id,
                at: *at,
            }),
            _ => None,
        }
    }

    /// Whether a later read is already recorded with this one.
    fn covers(&self, later: &Self) -> bool {
        let of_this = |read: &Self| (read.by, read.what, read.lead_id);
        of_this(self) == of_this(later) && self.counts_at(later.at)
    }

    fn counts_at(&self, at: Moment) -> bool {
        at < self.at + READ_COUNTS_FOR
    }
}

impl User {
    /// Whether this read of a history is recorded already, with an earlier one.
    pub fn has_recorded(&self, read: &HistoryRead) -> bool {
        self.history_reads.iter().any(|known| known.covers(read))
    }

    /// The look, unless it reads a history whose read is recorded already.
    pub(super) fn unless_just_read(&self, look: UserEvent) -> Vec<UserEvent> {
        let read = HistoryRead::of(&look);
        if read.is_some_and(|read| self.has_recorded(&read)) {
            Vec::new()
        } else {
            vec![look]
        }
    }

    /// Keeps a recorded read as long as it counts.
    pub(super) fn note_read(&mut self, look: &UserEvent) {
        if let Some(read) = HistoryRead::of(look) {
            self.history_reads.retain(|known| known.counts_at(read.at));
            self.history_reads.push(read);
        }
    }
}
