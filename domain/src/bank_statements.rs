//! Statements of the bank that finance gave in: what is kept of each, and what a person made of its lines. One stream holds them all, so
//! that a file, a line and a payout each count once, however many people work on them.

use std::collections::BTreeMap;

use chrono::{Months, NaiveDate};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use uuid::Uuid;

use crate::aggregate::Decide;
use crate::id::{BankStatementsId, UserId};
use crate::moment::Moment;
use crate::sealed::Sealable;
use crate::shape::as_it_is;
use crate::{aggregate, event_names};

/// The one stream of them.
pub const BANK_STATEMENTS: BankStatementsId =
    BankStatementsId(Uuid::from_u128(0x6261_6e6b_2d73_7461_7465_6d65_6e74_7301));

/// How long a statement is kept: seven years, as books and their papers are.
const MONTHS_KEPT: Months = Months::new(7 * 12);
/// Downloads of a statement that are remembered, the newest.
const OPENINGS_REMEMBERED: usize = 50;

/// The days of an account for which a statement is complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoveredDays {
    /// ISO 4217, in capitals.
    pub currency: String,
    pub first: NaiveDate,
    pub last: NaiveDate,
}

/// A file as it is kept. Nothing here is of its words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptFile {
    /// Stays the same when the file is read in another way.
    pub statement_id: Uuid,
    /// The sealed file with its reading, in the store of documents. A key of its own, which belongs to no person, has the same name.
    pub document_id: Uuid,
    /// SHA-256 of the file, in hex.
    pub digest: String,
    /// SHA-256 of what was read of it, in hex: another choice of columns reads another thing.
    pub reading: String,
    /// `csv`, `camt` or `mt940`.
    pub form: String,
    /// The last four signs of the account's number, where the file names it.
    pub account_end: Option<String>,
    pub bytes: u64,
    pub rows: u32,
    /// Lines that can be decided by hand: their places are below this.
    pub lines: u32,
    pub covered: Vec<CoveredDays>,
}

/// Reasons for which a line is no payout of the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineReason {
    /// Between accounts of the house.
    OwnTransfer,
    /// Charges and interest of the bank.
    BankCharge,
    /// A transfer from a customer that did not go through the provider.
    CustomerTransfer,
    /// Rent, wages, suppliers, taxes: nothing that the marketplace books.
    OtherBusiness,
}

impl LineReason {
    pub const ALL: [Self; 4] = [
        Self::OwnTransfer,
        Self::BankCharge,
        Self::CustomerTransfer,
        Self::OtherBusiness,
    ];

    /// The word that travels and is stored.
    pub const fn key(self) -> &'static str {
        match self {
            Self::OwnTransfer => "own_transfer",
            Self::BankCharge => "bank_charge",
            Self::CustomerTransfer => "customer_transfer",
            Self::OtherBusiness => "other_business",
        }
    }
}

/// A decision by hand about a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The provider's payout that it is.
    Payout(String),
    Explained(LineReason),
}

/// One decision, with who made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineDecision {
    pub decision: Decision,
    pub by: UserId,
    pub at: Moment,
    /// The sealed words that were written with it, in the store of documents.
    #[serde(default)]
    pub note_id: Option<Uuid>,
}

/// One statement as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptStatement {
    pub file: KeptFile,
    /// Who gave it in first, and when.
    pub by: UserId,
    pub at: Moment,
    /// By the line's place.
    pub lines: BTreeMap<u32, LineDecision>,
    /// Who downloaded it, oldest first.
    pub openings: Vec<(UserId, Moment)>,
    /// How many lines lost their words since they named someone who was forgotten.
    pub redacted: u32,
    /// Sealed documents that this one replaced, and notes of decisions that were taken back; each is deleted with its key.
    pub replaced: Vec<Uuid>,
}

impl KeptStatement {
    /// Until when it is kept.
    pub fn kept_until(&self) -> Moment {
        self.at.checked_add_months(MONTHS_KEPT).unwrap_or(Moment::MAX_UTC)
    }

    /// The notes of its lines, by the line's place.
    pub fn list_notes(&self) -> impl Iterator<Item = (u32, Uuid)> {
        let notes = self.lines.iter();
        notes.filter_map(|(place, line)| Some((*place, line.note_id?)))
    }
}

/// Every statement that is kept, by its id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BankStatements {
    pub kept: BTreeMap<Uuid, KeptStatement>,
}

/// Commands to the kept statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BankStatementsCommand {
    Keep {
        file: KeptFile,
        by: UserId,
        at: Moment,
    },
    /// Notes a download.
    Open {
        statement_id: Uuid,
        by: UserId,
        at: Moment,
    },
    Decide {
        statement_id: Uuid,
        line: u32,
        decision: Decision,
        /// Sealed words that were written with it, which lie in the store of documents already.
        note_id: Option<Uuid>,
        by: UserId,
        at: Moment,
    },
    /// Takes a decision back.
    Reopen {
        statement_id: Uuid,
        line: u32,
        by: UserId,
        at: Moment,
    },
    /// So many lines lost their words; what is left lies in another document.
    Redact {
        statement_id: Uuid,
        document_id: Uuid,
        lines: u32,
        at: Moment,
    },
    /// Its time is over.
    Remove {
        statement_id: Uuid,
        at: Moment,
    },
}

/// Events of the kept statements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum BankStatementsEvent {
    Kept {
        file: KeptFile,
        by: UserId,
        at: Moment,
    },
    Opened {
        statement_id: Uuid,
        by: UserId,
        at: Moment,
    },
    LineDecided {
        statement_id: Uuid,
        line: u32,
        decision: Decision,
        /// The sealed words that were written with it: a document and a key of this name. Unsaid in events before version 2.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note_id: Option<Uuid>,
        by: UserId,
        at: Moment,
    },
    LineReopened {
        statement_id: Uuid,
        line: u32,
        by: UserId,
        at: Moment,
    },
    Redacted {
        statement_id: Uuid,
        document_id: Uuid,
        lines: u32,
        at: Moment,
    },
    Removed {
        statement_id: Uuid,
        at: Moment,
    },
}

event_names!(BankStatementsEvent {
    Kept => "BankStatementKept" 1,
    Opened => "BankStatementOpened" 1,
    LineDecided => "BankStatementLineDecided" 2,
    LineReopened => "BankStatementLineReopened" 1,
    Redacted => "BankStatementRedacted" 1,
    Removed => "BankStatementRemoved" 1,
} upcasts {
    "BankStatementLineDecided" 1 => "BankStatementLineDecided" 2: as_it_is,
});

impl Sealable for BankStatementsEvent {}

/// Why something is turned down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BankStatementsRejection {
    #[error("there is no such statement or line")]
    Unknown,
    #[error("the line was decided already")]
    LineDecided { by: UserId },
    #[error("the payout was matched to another line already")]
    PayoutMatched { by: UserId },
    #[error("lines of the statement were decided as it was read before")]
    ReadOtherwise,
}

impl BankStatements {
    /// Finds a statement by the digest of its file.
    pub fn find(&self, digest: &str) -> Option<&KeptStatement> {
        self.kept.values().find(|kept| kept.file.digest == digest)
    }

    /// Every payout that a person matched to a line: it arrived.
    pub fn matched_payouts(&self) -> impl Iterator<Item = &str> {
        let lines = self.kept.values().flat_map(|kept| kept.lines.values());
        lines.filter_map(|line| match &line.decision {
            Decision::Payout(payout_id) => Some(payout_id.as_str()),
            Decision::Explained(_) => None,
        })
    }

    /// Statements whose time is over.
    pub fn list_expired(&self, now: Moment) -> impl Iterator<Item = &KeptStatement> {
        self.kept.values().filter(move |kept| kept.kept_until() <= now)
    }

    fn keep(
        &self,
        mut file: KeptFile,
        by: UserId,
        at: Moment,
    ) -> Result<Vec<BankStatementsEvent>, BankStatementsRejection> {
        if let Some(known) = self.find(&file.digest) {
            // Words from which a forgotten person was taken are not put back.
            if known.file.reading == file.reading || known.redacted > 0 {
                return Ok(vec![]);
            }
            if !known.lines.is_empty() {
                return Err(BankStatementsRejection::ReadOtherwise);
            }
            file.statement_id = known.file.statement_id;
        }
        Ok(vec![BankStatementsEvent::Kept { file, by, at }])
    }

    fn get(&self, statement_id: Uuid) -> Result<&KeptStatement, BankStatementsRejection> {
        self.kept
            .get(&statement_id)
            .ok_or(BankStatementsRejection::Unknown)
    }

    /// The same decision once more is none.
    fn may_decide(
        &self,
        statement_id: Uuid,
        line: u32,
        decision: &Decision,
    ) -> Result<bool, BankStatementsRejection> {
        let kept = self.get(statement_id)?;
        if line >= kept.file.lines {
            return Err(BankStatementsRejection::Unknown);
        }
        match kept.lines.get(&line) {
            Some(before) if before.decision == *decision => return Ok(false),
            Some(before) => return Err(BankStatementsRejection::LineDecided { by: before.by }),
            None => {}
        }
        let is_payout = matches!(decision, Decision::Payout(_));
        let mut decided = self.kept.values().flat_map(|kept| kept.lines.values());
        match decided.find(|other| is_payout && other.decision == *decision) {
            Some(other) => Err(BankStatementsRejection::PayoutMatched { by: other.by }),
            None => Ok(true),
        }
    }
}

impl Decide for BankStatements {
    const KIND: &'static str = "bank_statements";
    type Command = BankStatementsCommand;
    type Event = BankStatementsEvent;
    type Rejection = BankStatementsRejection;

    fn decide(
        &self,
        command: BankStatementsCommand,
    ) -> Result<Vec<BankStatementsEvent>, BankStatementsRejection> {
        match command {
            BankStatementsCommand::Keep { file, by, at } => self.keep(file, by, at),
            BankStatementsCommand::Open { statement_id, by, at } => {
                self.get(statement_id)?;
                Ok(vec![BankStatementsEvent::Opened { statement_id, by, at }])
            }
            BankStatementsCommand::Decide {
                statement_id,
                line,
                decision,
                note_id,
                by,
                at,
            } => {
                let is_new = self.may_decide(statement_id, line, &decision)?;
                let decided = BankStatementsEvent::LineDecided {
                    statement_id,
                    line,
                    decision,
                    note_id,
                    by,
                    at,
                };
                Ok(is_new.then_some(decided).into_iter().collect())
            }
            BankStatementsCommand::Reopen {
                statement_id,
                line,
                by,
                at,
            } => {
                let is_decided = self.get(statement_id)?.lines.contains_key(&line);
                let reopened = BankStatementsEvent::LineReopened {
                    statement_id,
                    line,
                    by,
                    at,
                };
                Ok(is_decided.then_some(reopened).into_iter().collect())
            }
            BankStatementsCommand::Redact {
                statement_id,
                document_id,
                lines,
                at,
            } => {
                self.get(statement_id)?;
                Ok(vec![BankStatementsEvent::Redacted {
                    statement_id,
                    document_id,
                    lines,
                    at,
                }])
            }
            BankStatementsCommand::Remove { statement_id, at } => {
                let removed = BankStatementsEvent::Removed { statement_id, at };
                let is_kept = self.kept.contains_key(&statement_id);
                Ok(is_kept.then_some(removed).into_iter().collect())
            }
        }
    }

    fn evolve(&mut self, event: &BankStatementsEvent) {
        match event {
            BankStatementsEvent::Kept { file, by, at } => self.take_kept(file, *by, *at),
            BankStatementsEvent::Opened { statement_id, by, at } => {
                if let Some(kept) = self.kept.get_mut(statement_id) {
                    kept.openings.push((*by, *at));
                    let more = kept.openings.len().saturating_sub(OPENINGS_REMEMBERED);
                    kept.openings.drain(..more);
                }
            }
            BankStatementsEvent::LineDecided {
                statement_id,
                line,
                decision,
                note_id,
                by,
                at,
            } => {
                if let Some(kept) = self.kept.get_mut(statement_id) {
                    let decided = LineDecision {
                        decision: decision.clone(),
                        by: *by,
                        at: *at,
                        note_id: *note_id,
                    };
                    kept.lines.insert(*line, decided);
                }
            }
            BankStatementsEvent::LineReopened {
                statement_id, line, ..
            } => {
                if let Some(kept) = self.kept.get_mut(statement_id) {
                    let before = kept.lines.remove(line);
                    kept.replaced.extend(before.and_then(|line| line.note_id));
                }
            }
            BankStatementsEvent::Redacted {
                statement_id,
                document_id,
                lines,
                ..
            } => {
                if let Some(kept) = self.kept.get_mut(statement_id) {
                    kept.redacted += lines;
                    kept.replaced.push(kept.file.document_id);
                    kept.file.document_id = *document_id;
                }
            }
            BankStatementsEvent::Removed { statement_id, .. } => {
                self.kept.remove(statement_id);
            }
        }
    }
}

impl BankStatements {
    fn take_kept(&mut self, file: &KeptFile, by: UserId, at: Moment) {
        let kept = self
            .kept
            .entry(file.statement_id)
            .or_insert_with(|| KeptStatement {
                file: file.clone(),
                by,
                at,
                lines: BTreeMap::new(),
                openings: Vec::new(),
                redacted: 0,
                replaced: Vec::new(),
            });
        if kept.file.document_id != file.document_id {
            kept.replaced.push(kept.file.document_id);
            kept.file = file.clone();
        }
    }
}

aggregate!(BankStatements);

#[cfg(test)]
mod tests;
