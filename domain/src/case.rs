//! A conversation between a person and the house: what both wrote, who answers it and until when (rows G4 and I4).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::aggregate::Decide;
use crate::correspondence::{LetterOutcome, MessageChannel};
use crate::id::{LeadId, UserId};
use crate::language::Language;
use crate::moment::Moment;
use crate::sealed::Sealed;

mod event;
#[cfg(test)]
mod tests;

pub use event::{Attachment, CaseEvent, CaseTopic, Side, Written};

/// Longest subject, in characters.
pub const SUBJECT_MAX: usize = 120;
/// Longest message, in characters.
pub const MESSAGE_MAX: usize = 4_000;
/// Messages of one case: a longer talk is a new case.
pub const MESSAGES_MAX: usize = 500;

/// Files of one case.
pub const ATTACHMENTS_MAX: usize = 20;

/// What a case is opened with.
#[derive(Debug, Clone)]
pub struct Opening {
    /// The account whose case it is.
    pub person: UserId,
    /// Whose key seals what is written.
    pub sealed_by: UserId,
    /// The lead it is about, if it is about one.
    pub lead_id: Option<LeadId>,
    pub topic: CaseTopic,
    /// The person's language.
    pub language: Language,
    pub subject: String,
    /// The host of the further site where the person opened it.
    pub site: Option<String>,
    pub first: NewMessage,
}

/// A message as its writer hands it in.
#[derive(Debug, Clone)]
pub struct NewMessage {
    pub message_id: Uuid,
    pub side: Side,
    /// The way on which staff's words leave; a person's own words came by the page.
    pub channel: MessageChannel,
    pub words: String,
    /// By when a person's message is to be answered; none where staff wrote.
    pub due: Option<Moment>,
}

/// What may be asked of a case.
#[derive(Debug, Clone)]
pub enum CaseCommand {
    Open {
        opening: Box<Opening>,
        at: Moment,
    },
    Write {
        message: Box<NewMessage>,
        at: Moment,
    },
    /// What became of a message that staff wrote.
    NotePosted {
        message_id: Uuid,
        outcome: LetterOutcome,
        at: Moment,
    },
    Assign {
        owner: Option<UserId>,
        at: Moment,
    },
    /// By when staff want to have answered.
    SetDue {
        due: Option<Moment>,
        at: Moment,
    },
    /// For colleagues alone; `mentions` are asked to read it. The same `note_id` twice is one note.
    Note {
        note_id: Uuid,
        by: UserId,
        note: String,
        mentions: Vec<UserId>,
        at: Moment,
    },
    /// Gives it to a team, or to none.
    SetTeam {
        team: Option<String>,
        at: Moment,
    },
    /// A file of either side; the same bytes of one side are kept once.
    Attach {
        attachment: Attachment,
        name: String,
        at: Moment,
    },
    Close {
        at: Moment,
    },
    Reopen {
        at: Moment,
    },
}

/// Why a case turned a command down.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CaseRejection {
    #[error("there is no such case")]
    Unknown,
    #[error("this case was opened with other contents")]
    AlreadyOpened,
    #[error("a case holds at most {MESSAGES_MAX} messages")]
    Full,
    #[error("a case holds at most {ATTACHMENTS_MAX} files")]
    TooManyFiles,
}

/// Who has the next word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseStatus {
    #[default]
    WaitsForStaff,
    WaitsForPerson,
    Closed,
}

impl CaseStatus {
    pub const ALL: [Self; 3] = [Self::WaitsForStaff, Self::WaitsForPerson, Self::Closed];

    /// The word on the wire.
    pub const fn key(self) -> &'static str {
        match self {
            Self::WaitsForStaff => "waits_for_staff",
            Self::WaitsForPerson => "waits_for_person",
            Self::Closed => "closed",
        }
    }

    /// Reads the word on the wire.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.key() == key)
    }
}

/// One message of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseMessage {
    pub side: Side,
    pub channel: MessageChannel,
    pub at: Moment,
    /// `None` once the person is forgotten.
    pub words: Option<String>,
    /// What became of it outside; none for a person's own words and while it is under way.
    pub outcome: Option<LetterOutcome>,
}

/// A case as it stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    pub person: Option<UserId>,
    pub sealed_by: Option<UserId>,
    pub lead_id: Option<LeadId>,
    pub topic: CaseTopic,
    pub language: Option<Language>,
    /// The host of the further site where its person opened it: messages lead back there. None at the first, and where it is a lead's.
    #[serde(default)]
    pub site: Option<String>,
    pub subject: Option<String>,
    pub status: CaseStatus,
    pub owner: Option<UserId>,
    pub due: Option<Moment>,
    /// In the order in which they were written.
    pub order: Vec<Uuid>,
    pub messages: BTreeMap<Uuid, CaseMessage>,
    /// In the order in which they were sent.
    #[serde(default)]
    pub attachments: Vec<KeptAttachment>,
    #[serde(default)]
    pub team: Option<String>,
    /// Notes of colleagues in the order in which they were written.
    #[serde(default)]
    pub notes: Vec<CaseNote>,
}

/// A note of a colleague.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseNote {
    /// Not known of older notes.
    pub note_id: Option<Uuid>,
    pub by: Option<UserId>,
    pub at: Moment,
    /// `None` once the person is forgotten.
    pub words: Option<String>,
}

/// A file of a case as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptAttachment {
    pub file: Attachment,
    /// `None` once the person is forgotten.
    pub name: Option<String>,
    pub at: Moment,
}

impl Case {
    /// Whether it was opened.
    pub const fn is_there(&self) -> bool {
        self.person.is_some()
    }

    /// The messages, oldest first.
    pub fn thread(&self) -> impl Iterator<Item = (Uuid, &CaseMessage)> {
        self.order
            .iter()
            .filter_map(|id| self.messages.get(id).map(|message| (*id, message)))
    }

    fn write(
        &self,
        message: NewMessage,
        sealed_by: UserId,
        at: Moment,
    ) -> Result<Vec<CaseEvent>, CaseRejection> {
        if self.messages.contains_key(&message.message_id) {
            return Ok(vec![]);
        }
        if self.order.len() >= MESSAGES_MAX {
            return Err(CaseRejection::Full);
        }
        Ok(vec![CaseEvent::MessageWritten {
            written: Written {
                message_id: message.message_id,
                side: message.side,
                channel: message.channel,
                due: message.due,
            },
            sealed_by,
            words: Sealed::new(message.words),
            at,
        }])
    }

    fn attach(
        &self,
        attachment: Attachment,
        name: String,
        sealed_by: UserId,
        at: Moment,
    ) -> Result<Vec<CaseEvent>, CaseRejection> {
        let same = |kept: &KeptAttachment| {
            kept.file.digest == attachment.digest && kept.file.side == attachment.side
        };
        if self.attachments.iter().any(same) {
            return Ok(vec![]);
        }
        if self.attachments.len() >= ATTACHMENTS_MAX {
            return Err(CaseRejection::TooManyFiles);
        }
        Ok(vec![CaseEvent::AttachmentAdded {
            attachment,
            sealed_by,
            name: Sealed::new(name),
            at,
        }])
    }

    fn open(&self, opening: Opening, at: Moment) -> Result<Vec<CaseEvent>, CaseRejection> {
        let Opening {
            person,
            sealed_by,
            lead_id,
            topic,
            language,
            subject,
            site,
            first,
        } = opening;
        if self.is_there() {
            let same = self.person == Some(person) && self.messages.contains_key(&first.message_id);
            return if same {
                Ok(vec![])
            } else {
                Err(CaseRejection::AlreadyOpened)
            };
        }
        let opened = CaseEvent::Opened {
            person,
            sealed_by,
            lead_id,
            topic,
            language,
            site,
            subject: Sealed::new(subject),
            at,
        };
        let first = self.write(first, sealed_by, at)?;
        Ok(std::iter::once(opened).chain(first).collect())
    }
}

impl Decide for Case {
    const KIND: &'static str = "case";
    type Command = CaseCommand;
    type Event = CaseEvent;
    type Rejection = CaseRejection;

    fn decide(&self, command: CaseCommand) -> Result<Vec<CaseEvent>, CaseRejection> {
        if let CaseCommand::Open { opening, at } = command {
            return self.open(*opening, at);
        }
        let sealed_by = self.sealed_by.ok_or(CaseRejection::Unknown)?;
        let once = |is_new: bool, event: CaseEvent| Ok(if is_new { vec![event] } else { vec![] });
        match command {
            CaseCommand::Open { .. } => Ok(vec![]),
            CaseCommand::Write { message, at } => self.write(*message, sealed_by, at),
            CaseCommand::NotePosted {
                message_id,
                outcome,
                at,
            } => {
                let message = self.messages.get(&message_id);
                let is_new = message.is_some_and(|message| message.outcome.is_none());
                let posted = CaseEvent::MessagePosted {
                    message_id,
                    outcome,
                    at,
                };
                once(is_new, posted)
            }
            CaseCommand::Assign { owner, at } => once(self.owner != owner, CaseEvent::Assigned { owner, at }),
            CaseCommand::SetDue { due, at } => once(self.due != due, CaseEvent::DueSet { due, at }),
            CaseCommand::Note {
                note_id,
                by,
                note,
                mentions,
                at,
            } => {
                let is_new = self.notes.iter().all(|known| known.note_id != Some(note_id));
                let added = CaseEvent::NoteAdded {
                    sealed_by,
                    note_id: Some(note_id),
                    by: Some(by),
                    mentions,
                    note: Sealed::new(note),
                    at,
                };
                once(is_new, added)
            }
            CaseCommand::SetTeam { team, at } => once(self.team != team, CaseEvent::TeamSet { team, at }),
            CaseCommand::Attach { attachment, name, at } => self.attach(attachment, name, sealed_by, at),
            CaseCommand::Close { at } => once(self.status != CaseStatus::Closed, CaseEvent::Closed { at }),
            CaseCommand::Reopen { at } => once(self.status == CaseStatus::Closed, CaseEvent::Reopened { at }),
        }
    }

    fn evolve(&mut self, event: &CaseEvent) {
        match event {
            CaseEvent::Opened {
                person,
                sealed_by,
                lead_id,
                topic,
                language,
                site,
                subject,
                ..
            } => {
                self.person = Some(*person);
                self.sealed_by = Some(*sealed_by);
                self.lead_id = *lead_id;
                self.topic = *topic;
                self.language = Some(*language);
                self.site.clone_from(site);
                self.subject = subject.get().cloned();
            }
            CaseEvent::MessageWritten {
                written, words, at, ..
            } => self.take_message(*written, words.get().cloned(), *at),
            CaseEvent::MessagePosted {
                message_id, outcome, ..
            } => {
                if let Some(message) = self.messages.get_mut(message_id) {
                    message.outcome = Some(*outcome);
                }
            }
            CaseEvent::Assigned { owner, .. } => self.owner = *owner,
            CaseEvent::DueSet { due, .. } => self.due = *due,
            CaseEvent::NoteAdded {
                note_id,
                by,
                note,
                at,
                ..
            } => self.notes.push(CaseNote {
                note_id: *note_id,
                by: *by,
                at: *at,
                words: note.get().cloned(),
            }),
            CaseEvent::TeamSet { team, .. } => self.team.clone_from(team),
            CaseEvent::AttachmentAdded {
                attachment, name, at, ..
            } => {
                if attachment.side == Side::Person {
                    self.status = CaseStatus::WaitsForStaff;
                }
                self.attachments.push(KeptAttachment {
                    file: attachment.clone(),
                    name: name.get().cloned(),
                    at: *at,
                });
            }
            CaseEvent::Closed { .. } => {
                self.status = CaseStatus::Closed;
                self.due = None;
            }
            CaseEvent::Reopened { .. } => self.status = CaseStatus::WaitsForStaff,
        }
    }
}

impl Case {
    fn take_message(&mut self, written: Written, words: Option<String>, at: Moment) {
        match written.side {
            Side::Person => {
                // A second question before the answer does not put the answer off.
                let waits = self.status == CaseStatus::WaitsForStaff && self.due.is_some();
                self.due = if waits { self.due } else { written.due };
                self.status = CaseStatus::WaitsForStaff;
            }
            Side::Staff => {
                self.due = None;
                self.status = CaseStatus::WaitsForPerson;
            }
        }
        self.order.push(written.message_id);
        self.messages.insert(
            written.message_id,
            CaseMessage {
                side: written.side,
                channel: written.channel,
                at,
                words,
                outcome: None,
            },
        );
    }
}

crate::aggregate!(Case);
