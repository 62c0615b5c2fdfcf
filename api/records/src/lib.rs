//! The log with what follows it on this node, and how far that must be before an answer is given.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use domain::id::{InventoryId, RegionId};
use eventlog::{EventLog, Position};
use platform::disk;
use projections::run::{Applied, Sought};
use projections::store::ReadStore;
use search_index::SearchIndex;
use search_index::places::Places;
use sqlx::AnyPool;

mod branch;
pub mod error;
pub mod listing;
pub mod past;

use error::{RecordsError, RecordsResult};

/// How long a read waits for the projections to reach what this server has acknowledged; then it answers with what there is.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a look-up that found nothing waits for the projections before it looks again.
const NEWS: Duration = Duration::from_secs(2);
/// How long a read waits while the disk is full: the projections cannot write until there is room.
const NO_ROOM: Duration = Duration::from_millis(100);

/// The log, its read models and its search index; cheap to clone.
#[derive(Clone)]
pub struct Records {
    pub log: EventLog,
    pub read: ReadStore,
    pub applied: Applied,
    pub catalogue: Arc<SearchIndex>,
    /// The last position that this server has answered a command with.
    answered: Arc<AtomicU64>,
    /// Other nodes read and write the same database.
    is_shared: bool,
    /// Where the read models lie when they are not shared.
    data_dir: Arc<Path>,
}

impl Records {
    pub fn new(
        log: EventLog,
        (read, applied): (ReadStore, Applied),
        catalogue: Arc<SearchIndex>,
        is_shared: bool,
        data_dir: &Path,
    ) -> Self {
        Self {
            log,
            read,
            applied,
            catalogue,
            answered: Arc::default(),
            is_shared,
            data_dir: data_dir.into(),
        }
    }

    /// These as they stood at the end of `log`, read from what was folded of it. They take no writes.
    fn at_the_end_of(&self, log: EventLog, read: ReadStore, applied: Applied) -> Self {
        Self {
            log,
            read,
            applied,
            answered: Arc::default(),
            is_shared: false,
            ..self.clone()
        }
    }

    /// What a search of the read models finds, also when it was written a moment ago, on this node or another.
    ///
    /// # Errors
    /// 503 when it is not found and the read models take too long to hear all: then nobody is told that it is not there.
    pub async fn sought<T, S: Future<Output = Result<Option<T>, sqlx::Error>>>(
        &self,
        search: impl Fn() -> S,
    ) -> RecordsResult<Option<T>> {
        let head = async { Ok(self.log.head().await?) };
        let search = || async { Ok::<_, RecordsError>(search().await?) };
        match self.applied.sought(search, head, self.patience(NEWS)).await? {
            Sought::Found(found) => Ok(Some(found)),
            Sought::Absent => Ok(None),
            Sought::Unheard => Err(self.unheard()),
        }
    }

    /// Waits until the read models have heard all that is known by now, so that looking again tells.
    ///
    /// # Errors
    /// 503 when that takes too long.
    pub async fn hear_all(&self) -> RecordsResult<()> {
        let head = self.log.head().await?;
        if self.applied.wait_for(head, self.patience(NEWS)).await {
            Ok(())
        } else {
            Err(self.unheard())
        }
    }

    /// The read models have not heard of everything in time.
    fn unheard(&self) -> RecordsError {
        if self.has_room() {
            RecordsError::Behind
        } else {
            RecordsError::NoRoom
        }
    }

    /// Whether the read models can be written; in a database of its own, it is asked.
    fn has_room(&self) -> bool {
        self.is_shared || !disk::is_full(&self.data_dir)
    }

    /// How long to wait for read models that are usually waited for as long as that.
    pub fn patience(&self, usual: Duration) -> Duration {
        if self.has_room() {
            usual
        } else {
            usual.min(NO_ROOM)
        }
    }

    /// Records the position of a command that is about to be acknowledged: later reads wait for it (X9).
    pub fn answers_for(&self, position: Position) {
        self.answered.fetch_max(position, Ordering::AcqRel);
    }

    /// Read-your-writes: the read models once they have folded every acknowledged command; after a while, as they are
    /// (decision 0019).
    ///
    /// # Errors
    /// When the log cannot be asked where it ends.
    pub async fn heard(&self) -> RecordsResult<&AnyPool> {
        let answered = if self.is_shared {
            // Another node may have acknowledged a later one.
            self.log.head().await?
        } else {
            self.answered.load(Ordering::Acquire)
        };
        self.wait_for(answered).await;
        Ok(self.read.readers())
    }

    /// Regions as the search knows them once it has heard of a home, which the read models may name a moment earlier; after a while, as they
    /// are (decision 0019).
    pub async fn places_of(&self, home: InventoryId, region: RegionId) -> Arc<Places> {
        self.catalogue
            .hear_of(home, region, self.patience(PATIENCE))
            .await
    }

    /// Waits until the read models have folded `position`; gives up after a while.
    pub async fn wait_for(&self, position: Position) {
        self.applied.wait_for(position, self.patience(PATIENCE)).await;
    }
}
