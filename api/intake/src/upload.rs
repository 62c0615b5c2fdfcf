//! An upload: its file, the map that is in force, what was seen in the file, and its last run.

use domain::id::UserId;
use domain::moment::Moment;
use feeds::FeedMap;
use import::preview::FeedLook;
use import::upload::{StopCause, VerdictLine, Verdicts};
use platform::clock;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Work on an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FeedUploadWork)]
pub enum Work {
    /// Reads columns, the first homes and the first faults.
    Look,
    /// Says what would become of every home.
    DryRun,
    Import,
}

/// Where the work on an upload stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FeedUploadStage)]
pub enum Stage {
    Waiting,
    Running,
    Done,
    Failed,
    /// By a person or with the server; it can be asked for again.
    Stopped,
}

impl Stage {
    /// The word that is kept.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
        }
    }

    /// The stage of a word; a word of a later version is a failure.
    pub(crate) fn from_key(word: &str) -> Self {
        let all = [Self::Waiting, Self::Running, Self::Done, Self::Stopped];
        let found = all.into_iter().find(|stage| stage.key() == word);
        found.unwrap_or(Self::Failed)
    }

    /// Whether work waits or goes on.
    pub const fn is_busy(self) -> bool {
        matches!(self, Self::Waiting | Self::Running)
    }
}

/// Who stopped the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FeedUploadStopper)]
pub enum StoppedBy {
    Person,
    Server,
}

impl From<StopCause> for StoppedBy {
    fn from(cause: StopCause) -> Self {
        match cause {
            StopCause::Person => Self::Person,
            StopCause::Server => Self::Server,
        }
    }
}

/// Whose map is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FeedMapOrigin)]
pub enum MapFrom {
    /// That of the feed's last import.
    Kept,
    /// Made from names and values of the file.
    Suggested,
    /// A person changed it for this upload.
    Person,
}

/// The last dry run or import of an upload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = FeedUploadRun)]
pub struct UploadRun {
    pub kind: Work,
    /// `keep`, `report` or `withdraw`.
    pub missing_rule: String,
    /// How many homes may be closed; null for a fifth of them.
    pub missing_limit: Option<u64>,
    /// Of an import: its name in the log.
    pub run_id: Option<String>,
    /// RFC 3339.
    pub begun_at: Option<String>,
    pub ended_at: Option<String>,
    /// How much of its reading is done.
    pub percent: u8,
    /// Rows or objects; 0 before the end.
    pub rows: u64,
    pub homes: u64,
    pub added: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub rejected: u64,
    pub left_out: u64,
    /// Homes that the file does not name, and that stay; of a refused run those that it would have closed.
    pub missing: u64,
    /// Homes that the file does not name, and that are closed.
    pub withdrawn: u64,
    /// `complete`, `stopped`, `too_many_missing` or `number_not_typed`; null before the end.
    pub outcome: Option<String>,
    /// Why the file could not be read to its end.
    pub reason: Option<String>,
    /// Of a refused run: the feed's homes that are let.
    pub let_homes: Option<u64>,
    pub has_report: bool,
    /// The first homes, rooms and leases that are rejected, and room types that are closed since more of them is booked.
    pub worst: Vec<VerdictLine>,
    /// Ids of the first homes that the file does not name.
    pub absent: Vec<String>,
}

impl UploadRun {
    /// A run that nobody has begun.
    pub(crate) fn asked(kind: Work, missing_rule: &str, missing_limit: Option<u64>) -> Self {
        Self {
            kind,
            missing_rule: missing_rule.to_owned(),
            missing_limit,
            run_id: None,
            begun_at: None,
            ended_at: None,
            percent: 0,
            rows: 0,
            homes: 0,
            added: 0,
            changed: 0,
            unchanged: 0,
            rejected: 0,
            left_out: 0,
            missing: 0,
            withdrawn: 0,
            outcome: None,
            reason: None,
            let_homes: None,
            has_report: false,
            worst: Vec::new(),
            absent: Vec::new(),
        }
    }

    /// Takes over how far it is.
    pub(crate) fn note(&mut self, verdicts: Verdicts) {
        self.homes = verdicts.homes;
        self.added = verdicts.added;
        self.changed = verdicts.changed;
        self.unchanged = verdicts.unchanged;
        self.rejected = verdicts.rejected;
        self.left_out = verdicts.left_out;
        self.worst = verdicts.worst;
        self.absent = verdicts.absent;
    }
}

/// What is known of an upload beside its row's own columns.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UploadState {
    /// The file's name.
    pub file: String,
    pub bytes: u64,
    /// SHA-256 in hex.
    pub digest: String,
    pub map: FeedMap,
    pub map_from: MapFrom,
    /// Why the feed's kept map does not fit the file.
    pub kept_fault: Option<String>,
    pub work: Work,
    /// Why the work failed.
    pub fault: Option<String>,
    pub stopped_by: Option<StoppedBy>,
    /// Under the last map that fits the file.
    pub look: Option<FeedLook>,
    /// Whether the map in force fits the file.
    pub is_looked: bool,
    pub run: Option<UploadRun>,
    /// Who asked for the run.
    pub run_by: Option<UserId>,
}

/// An uploaded file of a feed.
#[derive(Debug, Clone)]
pub struct Upload {
    pub id: Uuid,
    pub feed: String,
    pub by: UserId,
    pub made_at: Moment,
    pub stage: Stage,
    /// The request that asked for the work.
    pub asked: String,
    pub(crate) version: i64,
    pub state: UploadState,
}

impl Upload {
    /// The map in force, under the upload's feed.
    pub(crate) fn map(&self) -> FeedMap {
        let mut map = self.state.map.clone();
        map.feed.clone_from(&self.feed);
        map
    }

    /// Ends its work before the end of its file.
    pub(crate) fn stop(&mut self, by: StoppedBy) {
        self.stage = Stage::Stopped;
        self.state.stopped_by = Some(by);
        if let Some(run) = self.state.run.as_mut().filter(|run| run.ended_at.is_none()) {
            run.ended_at = Some(clock::now().to_rfc3339());
            run.outcome = Some("stopped".to_owned());
        }
    }
}
