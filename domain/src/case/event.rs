//! What happened to a case.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::correspondence::{LetterOutcome, MessageChannel};
use crate::id::{LeadId, UserId};
use crate::language::Language;
use crate::moment::Moment;
use crate::sealed::{Sealable, Sealed};
use crate::shape::as_it_is;

/// Topic of a case; its person chooses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseTopic {
    Booking,
    Payment,
    Cashback,
    Account,
    #[default]
    Other,
}

impl CaseTopic {
    pub const ALL: [Self; 5] = [
        Self::Booking,
        Self::Payment,
        Self::Cashback,
        Self::Account,
        Self::Other,
    ];

    /// The word on the wire.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Booking => "booking",
            Self::Payment => "payment",
            Self::Cashback => "cashback",
            Self::Account => "account",
            Self::Other => "other",
        }
    }

    /// Reads the word on the wire.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|topic| topic.key() == key)
    }
}

/// Who wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    Person,
    Staff,
}

impl Side {
    /// The word on the wire.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Staff => "staff",
        }
    }
}

/// A message without its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    pub message_id: Uuid,
    pub side: Side,
    pub channel: MessageChannel,
    /// By when it is to be answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Moment>,
}

/// A file beside the messages, without its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    pub attachment_id: Uuid,
    pub side: Side,
    pub media_type: String,
    pub size_bytes: u64,
    /// SHA-256 of the file, hexadecimal.
    pub digest: String,
}

/// What happened to a case. Who did it stands beside the event in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum CaseEvent {
    Opened {
        person: UserId,
        sealed_by: UserId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lead_id: Option<LeadId>,
        topic: CaseTopic,
        language: Language,
        /// The host of a further site where its person opened it. Unsaid in events of version 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        site: Option<String>,
        #[serde(skip)]
        subject: Sealed<String>,
        at: Moment,
    },
    MessageWritten {
        written: Written,
        sealed_by: UserId,
        #[serde(skip)]
        words: Sealed<String>,
        at: Moment,
    },
    MessagePosted {
        message_id: Uuid,
        outcome: LetterOutcome,
        at: Moment,
    },
    Assigned {
        owner: Option<UserId>,
        at: Moment,
    },
    DueSet {
        due: Option<Moment>,
        at: Moment,
    },
    NoteAdded {
        sealed_by: UserId,
        /// Unsaid, as the next two, in events of version 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note_id: Option<Uuid>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<UserId>,
        /// Colleagues who are asked to read it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mentions: Vec<UserId>,
        #[serde(skip)]
        note: Sealed<String>,
        at: Moment,
    },
    AttachmentAdded {
        attachment: Attachment,
        sealed_by: UserId,
        /// The file's name.
        #[serde(skip)]
        name: Sealed<String>,
        at: Moment,
    },
    /// Given to a team, or taken from it.
    TeamSet {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        team: Option<String>,
        at: Moment,
    },
    Closed {
        at: Moment,
    },
    Reopened {
        at: Moment,
    },
}

crate::event_names!(CaseEvent {
    Opened => "CaseOpened" 2,
    MessageWritten => "CaseMessageWritten" 1,
    MessagePosted => "CaseMessagePosted" 1,
    Assigned => "CaseAssigned" 1,
    DueSet => "CaseDueSet" 1,
    NoteAdded => "CaseNoteAdded" 2,
    AttachmentAdded => "CaseAttachmentAdded" 1,
    TeamSet => "CaseTeamSet" 1,
    Closed => "CaseClosed" 1,
    Reopened => "CaseReopened" 1,
} upcasts {
    "CaseOpened" 1 => "CaseOpened" 2: as_it_is,
    "CaseNoteAdded" 1 => "CaseNoteAdded" 2: as_it_is,
});

impl CaseEvent {
    /// When it happened.
    pub const fn at(&self) -> Moment {
        match self {
            Self::Opened { at, .. }
            | Self::MessageWritten { at, .. }
            | Self::MessagePosted { at, .. }
            | Self::Assigned { at, .. }
            | Self::DueSet { at, .. }
            | Self::NoteAdded { at, .. }
            | Self::AttachmentAdded { at, .. }
            | Self::TeamSet { at, .. }
            | Self::Closed { at }
            | Self::Reopened { at } => *at,
        }
    }

    const fn words(&self) -> Option<&Sealed<String>> {
        match self {
            Self::Opened { subject: words, .. }
            | Self::MessageWritten { words, .. }
            | Self::AttachmentAdded { name: words, .. }
            | Self::NoteAdded { note: words, .. } => Some(words),
            Self::MessagePosted { .. }
            | Self::Assigned { .. }
            | Self::DueSet { .. }
            | Self::TeamSet { .. }
            | Self::Closed { .. }
            | Self::Reopened { .. } => None,
        }
    }
}

impl Sealable for CaseEvent {
    fn subject(&self) -> Option<UserId> {
        match self {
            Self::Opened { sealed_by, .. }
            | Self::MessageWritten { sealed_by, .. }
            | Self::AttachmentAdded { sealed_by, .. }
            | Self::NoteAdded { sealed_by, .. } => Some(*sealed_by),
            _ => None,
        }
    }

    fn personal(&self) -> Option<Vec<u8>> {
        self.words().and_then(Sealed::to_json)
    }

    fn reveal(&mut self, plain: Option<&[u8]>) {
        match self {
            Self::Opened { subject: words, .. }
            | Self::MessageWritten { words, .. }
            | Self::AttachmentAdded { name: words, .. }
            | Self::NoteAdded { note: words, .. } => words.reveal(plain),
            _ => {}
        }
    }
}
