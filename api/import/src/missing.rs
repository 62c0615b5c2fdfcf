//! Homes of a feed that its file no longer names (HOMES.md "Missing from the feed", U7): found in the log, compared with the limit, closed.

use std::collections::{HashMap, HashSet};
use std::fmt::Display;

use clap::ValueEnum;
use domain::aggregate::Decide;
use domain::id::InventoryId;
use domain::import_run::{MissingRule, RunCounts, RunRefusal};
use domain::inventory::property::Source;
use domain::inventory::state::{ClosedBy, HomeState};
use domain::inventory::{Inventory, InventoryCommand, InventoryEvent};
use eventlog::{Append, AppendError, CommitError, EventLog, Loaded, RecordedEvent, commit};
use feeds::SHARED_FEED;
use platform::printout;

use super::places::named_id;
use super::run::RunMark;

/// More homes than this are held to the limit; the number of fewer is typed.
const FEW_HOMES: u64 = 5;
/// One in this many of a feed's homes, 20 %, is the largest share that goes without a question.
const SHARE_ONE_IN: u64 = 5;
/// Events read, and homes closed, at a time.
const BATCH: usize = 2_000;

/// Choices of an import for the homes of its feed that the file no longer names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MissingChoice {
    /// Leave them as they are.
    Keep,
    /// Close them; bookings stand.
    Withdraw,
    /// Leave them as they are, and name them in the report.
    Report,
}

impl From<MissingChoice> for MissingRule {
    fn from(choice: MissingChoice) -> Self {
        match choice {
            MissingChoice::Keep => Self::Keep,
            MissingChoice::Withdraw => Self::Withdraw,
            MissingChoice::Report => Self::Report,
        }
    }
}

/// Homes that a file names, those of rejected entries too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedHomes {
    homes: HashSet<InventoryId>,
    /// Entries whose id cannot be read: each may be any home.
    pub(crate) unnamed: u64,
}

impl NamedHomes {
    /// Notes an entry by its home's id in the feed; empty where it has none.
    pub(crate) fn note(&mut self, feed: &str, id: &str) {
        let id = id.trim();
        if id.is_empty() {
            self.note_unreadable();
        } else {
            self.homes.insert(key_of(feed, id));
        }
    }

    /// Notes an entry that could not be read at all.
    pub(crate) const fn note_unreadable(&mut self) {
        self.unnamed += 1;
    }

    /// How many homes are named.
    pub fn count(&self) -> usize {
        self.homes.len()
    }

    fn has(&self, source: &Source) -> bool {
        self.homes.contains(&key_of(&source.feed, &source.id))
    }
}

/// Stands for an id in a feed, in sixteen bytes however long it is.
fn key_of(feed: &str, id: &str) -> InventoryId {
    InventoryId(named_id(&["inventory", feed, id]))
}

/// A home that the file does not name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingHome {
    pub(crate) home_id: InventoryId,
    /// Its id in the feed.
    pub(crate) id: String,
}

/// What becomes of a home that the file does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MissingVerdict {
    /// It stays as it is.
    Left,
    /// The run closed it, or would.
    Withdrawn,
    /// Somebody took it out of sale before the run could.
    TakenMeanwhile,
}

impl MissingVerdict {
    /// The word of the report, and its reason.
    pub(crate) const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Left => ("missing", ""),
            Self::Withdrawn => ("withdrawn", ""),
            Self::TakenMeanwhile => ("missing", TAKEN_MEANWHILE),
        }
    }
}

/// Said of a home that a run would close and that is closed already.
pub(crate) const TAKEN_MEANWHILE: &str =
    "somebody took the home out of sale while the file was read, and it stays as they left it";

/// Homes of a feed that are let, compared with a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ComparedHomes {
    /// How many there are.
    pub(crate) homes: u64,
    /// Those that the file does not name, by their ids.
    pub(crate) missing: Vec<MissingHome>,
}

/// Reads the homes of a feed from the log: states alone, and the ids of those that the file does not name.
struct FeedHomes<'a> {
    feed: &'a str,
    named: &'a NamedHomes,
    homes: HashMap<InventoryId, FeedHome>,
}

struct FeedHome {
    state: HomeState,
    /// Its id, where the file does not name it.
    missing: Option<String>,
}

impl FeedHomes<'_> {
    fn take(&mut self, record: &RecordedEvent) -> Result<(), String> {
        // All that is said of source and state stands in events of these names; prices and rooms need not be decoded.
        if record.stream.kind != Inventory::KIND || !record.event_type.starts_with("Property") {
            return Ok(());
        }
        let event = record
            .decode::<Inventory>()
            .map_err(|error| format!("the log cannot be read: {error}"))?;
        let home_id = InventoryId(record.stream.id);
        if let InventoryEvent::PropertyListed { property, .. }
        | InventoryEvent::PropertyDetailsChanged { property, .. } = &event
        {
            let source = property.source.as_ref().filter(|source| source.feed == self.feed);
            if let Some(source) = source {
                let missing = (!self.named.has(source)).then(|| source.id.clone());
                let home = FeedHome {
                    state: HomeState::default(),
                    missing,
                };
                self.homes.entry(home_id).or_insert(home);
            }
        }
        if let (Some(state), Some(home)) = (HomeState::after(&event), self.homes.get_mut(&home_id)) {
            home.state = state;
        }
        Ok(())
    }

    fn compare(self) -> ComparedHomes {
        let is_let = |home: &FeedHome| matches!(home.state, HomeState::Active | HomeState::Paused { .. });
        let mut compared = ComparedHomes::default();
        for (home_id, home) in self.homes {
            if is_let(&home) {
                compared.homes += 1;
                let missing = home.missing.map(|id| MissingHome { home_id, id });
                compared.missing.extend(missing);
            }
        }
        compared.missing.sort_by(|one, other| one.id.cmp(&other.id));
        compared
    }
}

/// Compares the homes of a feed that are let with those that its file names. A closed home is not missing, whatever closed it.
pub(crate) async fn compare_homes(
    log: &EventLog,
    feed: &str,
    named: &NamedHomes,
) -> Result<ComparedHomes, String> {
    let mut known = FeedHomes {
        feed,
        named,
        homes: HashMap::new(),
    };
    let mut position = 0;
    loop {
        let events = log
            .read_all(position, BATCH)
            .await
            .map_err(|error| format!("the log cannot be read: {error}"))?;
        let Some(last) = events.last() else { break };
        position = last.position;
        for record in &events {
            known.take(record)?;
        }
    }
    let mut compared = known.compare();
    if feed == SHARED_FEED {
        // Files of this name need not be one feed.
        compared.missing.clear();
    }
    Ok(compared)
}

/// Whether so many homes may be closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    Granted,
    /// Once a person has typed how many they are.
    Asked,
    Refused(RunRefusal),
}

/// Holds the homes that would be closed to the limit (U7).
pub(crate) const fn check_limit(missing: u64, homes: u64, limit: Option<u64>) -> Permission {
    let is_large_share = missing * SHARE_ONE_IN > homes;
    let too_many = RunRefusal::TooManyMissing {
        missing,
        homes,
        limit,
    };
    match limit {
        Some(limit) if missing > limit => Permission::Refused(too_many),
        Some(limit) if is_large_share && missing <= FEW_HOMES && missing != limit => Permission::Asked,
        None if is_large_share && missing > FEW_HOMES => Permission::Refused(too_many),
        None if is_large_share => Permission::Asked,
        Some(_) | None => Permission::Granted,
    }
}

/// Closes homes that the feed has no longer, and gives those that it closed. Bookings stand. One that somebody acts on meanwhile is decided
/// anew, as they left it.
pub(crate) async fn close_homes(
    log: &EventLog,
    homes: &[MissingHome],
    mark: RunMark,
) -> Result<HashSet<InventoryId>, String> {
    let mut closed = HashSet::new();
    for some in homes.chunks(BATCH) {
        let mut ids = Vec::with_capacity(some.len());
        let mut appends = Vec::with_capacity(some.len());
        for home in some {
            if let Some(append) = close_home(log, home.home_id, mark).await? {
                ids.push(home.home_id);
                appends.push(append);
            }
        }
        closed.extend(write_closings(log, mark, (ids, appends)).await?);
    }
    Ok(closed)
}

/// Writes the ends of homes together; where somebody changed one of them meanwhile, each by itself.
async fn write_closings(
    log: &EventLog,
    mark: RunMark,
    (ids, appends): (Vec<InventoryId>, Vec<Append>),
) -> Result<Vec<InventoryId>, String> {
    let tell = |error: &dyn Display| format!("the homes that are missing cannot be closed: {error}");
    match log.append_many(appends).await {
        Ok(_) => return Ok(ids),
        Err(AppendError::Conflict { .. }) => {}
        Err(error) => return Err(tell(&error)),
    }
    let by_feed = HomeState::Closed { by: ClosedBy::Feed };
    let mut closed = Vec::with_capacity(ids.len());
    for id in ids {
        let close = InventoryCommand::Close { by: ClosedBy::Feed };
        match commit::<Inventory>(log, id, close, &mark.context()).await {
            // One that is written already is closed by its feed, and so is one that changed otherwise.
            Ok(committed) if committed.state.state == by_feed => closed.push(id),
            Ok(_) | Err(CommitError::Rejected(_)) => {}
            Err(error) => return Err(tell(&error)),
        }
    }
    Ok(closed)
}

/// The append that closes a home; nothing for one that somebody took out of sale meanwhile.
async fn close_home(log: &EventLog, home_id: InventoryId, mark: RunMark) -> Result<Option<Append>, String> {
    let loaded: Loaded<Inventory> = log.load(home_id).await.map_err(|error| error.to_string())?;
    let close = InventoryCommand::Close { by: ClosedBy::Feed };
    let events = loaded.state.decide(close).unwrap_or_default();
    if events.is_empty() {
        return Ok(None);
    }
    let append = Append::new(&mark.context()).decision(home_id, &loaded, &events);
    append.map(Some).map_err(|error| error.to_string())
}

/// Says what became of the homes that the file does not name.
pub(crate) fn print_missing(counts: &RunCounts, unnamed: u64, rule: MissingRule) -> Result<(), String> {
    if counts.withdrawn > 0 {
        printout::line(format_args!(
            "closed, since the file no longer names them: {}; their bookings stand",
            counts.withdrawn
        ))?;
    }
    if counts.missing == 0 {
        return Ok(());
    }
    let more = match rule {
        MissingRule::Keep => String::new(),
        MissingRule::Withdraw if unnamed > 0 => {
            format!("; rows without an id that may be theirs: {unnamed}")
        }
        MissingRule::Report | MissingRule::Withdraw => {
            "; the report names them, `--missing withdraw` closes them".to_owned()
        }
    };
    printout::line(format_args!(
        "missing from the file, and left as they are: {}{more}",
        counts.missing
    ))
}

#[cfg(test)]
mod tests;
