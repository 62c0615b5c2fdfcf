//! One run of an import: the file that was read for a feed, who asked for it, and what became of its rows and homes.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::aggregate::Decide;
use crate::id::UserId;
use crate::moment::Moment;
use crate::sealed::Sealable;
use crate::{aggregate, event_names};

/// Letters of a reason that are kept.
const REASON_MAX: usize = 300;

/// Who asked for a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunBy {
    /// At the command line.
    Operator,
    Staff(UserId),
    /// The feed's own schedule.
    Schedule,
}

impl RunBy {
    /// The words that travel.
    pub const KEYS: [&'static str; 3] = ["operator", "staff", "schedule"];

    /// The word that travels.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Staff(_) => "staff",
            Self::Schedule => "schedule",
        }
    }

    /// The account of the member of staff.
    pub const fn user_id(self) -> Option<UserId> {
        match self {
            Self::Staff(user_id) => Some(user_id),
            Self::Operator | Self::Schedule => None,
        }
    }
}

/// Choices of a run for the homes of its feed that the file no longer names (U7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingRule {
    /// Leaves them as they are.
    Keep,
    /// Closes them.
    Withdraw,
    /// Leaves them as they are, and names them in the report.
    #[default]
    Report,
}

impl MissingRule {
    pub const ALL: [Self; 3] = [Self::Keep, Self::Withdraw, Self::Report];

    /// The word that travels.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Withdraw => "withdraw",
            Self::Report => "report",
        }
    }
}

/// The file of a run, and how it is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSource {
    pub feed: String,
    pub by: RunBy,
    /// The file's name without its folders; of an address the host alone, since the rest may hold a key.
    pub file: String,
    /// SHA-256 of the file, in hex.
    pub digest: String,
    /// SHA-256 of the map, in hex; `None` for a file that is read without one.
    pub map_digest: Option<String>,
    pub missing: MissingRule,
}

/// Counts of a run. Of its homes each is added, changed, unchanged, rejected or left out; of the feed's other homes each is missing or
/// withdrawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RunCounts {
    pub added: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub rejected: u64,
    /// Homes that the feed itself does not publish.
    pub left_out: u64,
    /// Homes that the file no longer names, and that stay as they are.
    pub missing: u64,
    /// Homes that the file no longer names, and that this run closed.
    pub withdrawn: u64,
}

/// Why a run changed nothing: what it would have closed is not what its limit allows (U7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunRefusal {
    /// More homes than the limit says, or more than a fifth of the feed's without one.
    TooManyMissing {
        missing: u64,
        /// Homes of the feed that are let.
        homes: u64,
        limit: Option<u64>,
    },
    /// Few homes, but more than a fifth of the feed's: their number must be typed.
    NumberNotTyped {
        missing: u64,
        homes: u64,
        typed: Option<u64>,
    },
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    /// The whole file was read.
    Complete,
    /// The file could not be read on; the entries before are in.
    Stopped { reason: String },
    /// Nothing changed.
    Refused(RunRefusal),
}

impl RunOutcome {
    /// The words that travel.
    pub const KEYS: [&'static str; 4] = ["complete", "stopped", "too_many_missing", "number_not_typed"];

    /// The word that travels.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Stopped { .. } => "stopped",
            Self::Refused(RunRefusal::TooManyMissing { .. }) => "too_many_missing",
            Self::Refused(RunRefusal::NumberNotTyped { .. }) => "number_not_typed",
        }
    }
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunEnd {
    pub counts: RunCounts,
    pub outcome: RunOutcome,
    pub at: Moment,
}

/// A run as the fold of its events. One that has no end is under way, or its process was cut off.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportRun {
    pub source: Option<RunSource>,
    pub begun_at: Option<Moment>,
    pub end: Option<RunEnd>,
}

/// Commands to a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportRunCommand {
    Begin {
        source: RunSource,
        at: Moment,
    },
    End {
        counts: RunCounts,
        outcome: RunOutcome,
        at: Moment,
    },
}

/// Events of a run. The events that it causes have its id as their correlation id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImportRunEvent {
    Begun {
        source: RunSource,
        at: Moment,
    },
    Ended {
        counts: RunCounts,
        outcome: RunOutcome,
        at: Moment,
    },
}

event_names!(ImportRunEvent {
    Begun => "ImportRunBegun" 1,
    Ended => "ImportRunEnded" 1,
});

impl Sealable for ImportRunEvent {}

/// Why a command is turned down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ImportRunRejection {
    #[error("the run was never begun")]
    Unknown,
    #[error("the run was begun for another file before")]
    Reused,
    #[error("the run ended otherwise before")]
    Ended,
}

impl Decide for ImportRun {
    const KIND: &'static str = "import_run";
    type Command = ImportRunCommand;
    type Event = ImportRunEvent;
    type Rejection = ImportRunRejection;

    fn decide(&self, command: ImportRunCommand) -> Result<Vec<ImportRunEvent>, ImportRunRejection> {
        match command {
            ImportRunCommand::Begin { source, at } => match &self.source {
                None => Ok(vec![ImportRunEvent::Begun { source, at }]),
                Some(known) if *known == source => Ok(vec![]),
                Some(_) => Err(ImportRunRejection::Reused),
            },
            ImportRunCommand::End { counts, outcome, at } => self.end(counts, shorten_reason(outcome), at),
        }
    }

    fn evolve(&mut self, event: &ImportRunEvent) {
        match event {
            ImportRunEvent::Begun { source, at } => {
                self.source = Some(source.clone());
                self.begun_at = Some(*at);
            }
            ImportRunEvent::Ended { counts, outcome, at } => {
                self.end = Some(RunEnd {
                    counts: *counts,
                    outcome: outcome.clone(),
                    at: *at,
                });
            }
        }
    }
}

impl ImportRun {
    fn end(
        &self,
        counts: RunCounts,
        outcome: RunOutcome,
        at: Moment,
    ) -> Result<Vec<ImportRunEvent>, ImportRunRejection> {
        if self.source.is_none() {
            return Err(ImportRunRejection::Unknown);
        }
        match &self.end {
            None => Ok(vec![ImportRunEvent::Ended { counts, outcome, at }]),
            Some(known) if known.counts == counts && known.outcome == outcome => Ok(vec![]),
            Some(_) => Err(ImportRunRejection::Ended),
        }
    }
}

/// Cuts a reason that is longer than is kept.
fn shorten_reason(outcome: RunOutcome) -> RunOutcome {
    match outcome {
        RunOutcome::Stopped { reason } => RunOutcome::Stopped {
            reason: reason.chars().take(REASON_MAX).collect(),
        },
        RunOutcome::Complete | RunOutcome::Refused(_) => outcome,
    }
}

aggregate!(ImportRun);

#[cfg(test)]
mod tests;
