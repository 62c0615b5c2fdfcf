//! The log and its read models as they stood at an earlier position (row N1): folded anew up to there, kept for a while.

use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::moment::Moment;
use eventlog::{EventLog, Position};
use projections::run::{Applied, Projector};
use projections::store::ReadStore;
use tables::Place;
use tempfile::TempDir;
use threads::Mutex;

use crate::Records;
use crate::error::{RecordsError, RecordsResult};

/// Views of the past that are kept at a time, those used last.
const KEPT: usize = 8;
/// Milestones that are kept at a time.
const MILESTONES: usize = 8;
/// The fewest events between two milestones; folding them takes less than a second.
const STRETCH: u64 = 10_000;
/// How long a request waits for a view: less than the 30 s after which it would be given up without a word.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long a view is kept that is asked for no more.
const KEPT_FOR: Duration = Duration::from_mins(10);
/// Where they lie in the data folder; emptied at a start.
pub(crate) const FOLDER: &str = "past";
/// Events read at once where the log has no dense positions.
const PAGE: usize = 5_000;

/// One view: what a reader of that time would have read.
pub struct View {
    pub position: Position,
    /// When the last event up to there was recorded; what was late or open is judged by it.
    pub moment: Moment,
    pub records: Records,
    folded: Arc<Folded>,
}

/// Read models up to a position, in a folder that goes with them. Those of a later position begin as a copy of them.
struct Folded {
    position: Position,
    read: ReadStore,
    _folder: TempDir,
}

/// All views of this node; cheap to clone.
#[derive(Clone)]
pub struct Past {
    now: Records,
    folder: Arc<PathBuf>,
    kept: Arc<Mutex<Kept>>,
    /// One view is built at a time: it takes the machine's whole strength.
    building: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Default)]
struct Kept {
    era: u64,
    /// The one used last stands last.
    views: Vec<(Instant, Arc<View>)>,
    /// Left on the way to a view; the oldest stands first.
    milestones: Vec<(Instant, Arc<Folded>)>,
}

fn failed(what: &'static str, error: &dyn Display) -> RecordsError {
    RecordsError::Past(format!("{what}: {error}"))
}

impl Past {
    /// Clears away what an earlier process left.
    pub fn new(now: Records) -> Self {
        let folder = now.data_dir.join(FOLDER);
        if folder.exists()
            && let Err(error) = std::fs::remove_dir_all(&folder)
        {
            tracing::warn!(%error, "views of the past that an earlier process left could not be removed");
        }
        Self {
            now,
            folder: Arc::new(folder),
            kept: Arc::default(),
            building: Arc::default(),
        }
    }

    /// [`position_at`] in this node's log.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub async fn position_at(&self, moment: Moment) -> RecordsResult<Position> {
        position_at(&self.now.log, moment).await
    }

    /// The view at `position`; `moment` where the reader asked for one, else when its last event was recorded.
    ///
    /// # Errors
    /// When the log cannot be read, or the view cannot be built; [`RecordsError::PastUnfinished`] while that takes long.
    pub async fn view(
        &self,
        position: Position,
        moment: Option<Moment>,
    ) -> RecordsResult<(Arc<View>, Moment)> {
        let view = if let Some(view) = self.kept_view(position) {
            view
        } else {
            // It goes on where the request is given up, so that the next one finds it.
            let past = self.clone();
            let built = tokio::spawn(async move { past.found_or_built(position).await });
            let lost = |error: tokio::task::JoinError| RecordsError::Past(error.to_string());
            let built = tokio::time::timeout(PATIENCE, built).await;
            let Ok(built) = built else {
                return Err(RecordsError::PastUnfinished);
            };
            built.map_err(lost)??
        };
        let moment = moment.unwrap_or(view.moment);
        Ok((view, moment))
    }

    async fn found_or_built(&self, position: Position) -> RecordsResult<Arc<View>> {
        let _alone = self.building.lock().await;
        // Built by another request meanwhile.
        if let Some(view) = self.kept_view(position) {
            return Ok(view);
        }
        self.build(position).await
    }

    fn kept_view(&self, position: Position) -> Option<Arc<View>> {
        let mut kept = self.kept.lock();
        let era = self.now.log.era();
        if kept.era != era {
            // A person was forgotten: what was folded before may hold what is gone.
            kept.views.clear();
            kept.milestones.clear();
            kept.era = era;
        }
        kept.views.retain(|(used, _)| used.elapsed() < KEPT_FOR);
        kept.milestones.retain(|(used, _)| used.elapsed() < KEPT_FOR);
        let found = kept
            .views
            .iter()
            .position(|(_, view)| view.position == position)?;
        let (_, view) = kept.views.remove(found);
        kept.views.push((Instant::now(), view.clone()));
        Some(view)
    }

    async fn build(&self, position: Position) -> RecordsResult<Arc<View>> {
        let era = self.now.log.era();
        let end = self.event_at(position).await?;
        let (folder, mut reached) = self.begun_for(position).await?;
        let read = ReadStore::open(&Place::Folder(folder.path().to_owned())).await?;
        let stretch = self.stretch().await?;
        let applied = loop {
            let stop = end.min(reached.saturating_add(stretch));
            let applied = self.fold_until(stop, &read).await?;
            if stop == end {
                break applied;
            }
            reached = stop;
            self.leave_milestone(stop, &read, era).await?;
        };
        let log = self.now.log.until(end);
        let last = log.span(end, end).await?.into_iter().next();
        let view = Arc::new(View {
            position,
            moment: last.map_or(Moment::UNIX_EPOCH, |event| event.recorded_at),
            records: self.now.at_the_end_of(log, read.clone(), applied),
            folded: Arc::new(Folded {
                position: end,
                read,
                _folder: folder,
            }),
        });
        let mut kept = self.kept.lock();
        if kept.era == era {
            kept.views.push((Instant::now(), view.clone()));
            let surplus = kept.views.len().saturating_sub(KEPT);
            kept.views.drain(..surplus);
        }
        Ok(view)
    }

    /// Folds on up to an event.
    async fn fold_until(&self, stop: Position, read: &ReadStore) -> RecordsResult<Applied> {
        let log = self.now.log.until(stop);
        let read_models = projections::all(log.handles());
        let mut projector = Projector::new(log, read.clone(), read_models);
        projector
            .catch_up()
            .await
            .map_err(|error| failed("its read models", &error))?;
        Ok(projector.applied())
    }

    /// A folder with the read models to fold on from, and their position: today's where nothing came after, else the nearest earlier
    /// ones that are kept.
    async fn begun_for(&self, position: Position) -> RecordsResult<(TempDir, Position)> {
        if let Some(today) = self.todays(position).await? {
            return Ok(today);
        }
        let folder = self.new_folder()?;
        let nearest = {
            let mut kept = self.kept.lock();
            for (used, _) in &mut kept.milestones {
                *used = Instant::now();
            }
            let views = kept.views.iter().map(|(_, view)| &view.folded);
            let earlier = views.chain(kept.milestones.iter().map(|(_, folded)| folded));
            earlier
                .filter(|folded| folded.position <= position)
                .max_by_key(|folded| folded.position)
                .cloned()
        };
        let Some(nearest) = nearest else {
            return Ok((folder, 0));
        };
        nearest.read.copy_into(folder.path()).await?;
        Ok((folder, nearest.position))
    }

    /// A copy of today's read models, unless they tell of later events or are shared with other nodes.
    async fn todays(&self, position: Position) -> RecordsResult<Option<(TempDir, Position)>> {
        if self.now.is_shared || self.now.log.head().await? != position {
            return Ok(None);
        }
        let folder = self.new_folder()?;
        self.now.read.copy_into(folder.path()).await?;
        let copy = ReadStore::open(&Place::Folder(folder.path().to_owned())).await?;
        let log = self.now.log.until(position);
        let read_models = projections::all(log.handles());
        let standing = Projector::new(log, copy.clone(), read_models).standing().await;
        copy.close().await;
        let standing = standing.map_err(|error| failed("today's read models", &error))?;
        let reached = standing.iter().map(|progress| progress.position);
        // An event may have come since; and what rests is folded anew.
        let is_other = standing
            .iter()
            .any(|one| one.position > position || one.error.is_some());
        Ok(reached.min().filter(|_| !is_other).map(|least| (folder, least)))
    }

    /// Keeps a copy of what is folded up to here, for the next position that is asked for.
    async fn leave_milestone(&self, position: Position, read: &ReadStore, era: u64) -> RecordsResult<()> {
        let folder = self.new_folder()?;
        read.copy_into(folder.path()).await?;
        let read = ReadStore::open(&Place::Folder(folder.path().to_owned())).await?;
        let milestone = Arc::new(Folded {
            position,
            read,
            _folder: folder,
        });
        let mut kept = self.kept.lock();
        if kept.era == era {
            kept.milestones.push((Instant::now(), milestone));
            let surplus = kept.milestones.len().saturating_sub(MILESTONES);
            kept.milestones.drain(..surplus);
        }
        Ok(())
    }

    /// Events between two milestones; none are left where positions do not count events.
    async fn stretch(&self) -> RecordsResult<u64> {
        if !self.now.log.capabilities().dense_positions {
            return Ok(u64::MAX);
        }
        let head = self.now.log.head().await?;
        Ok((head / MILESTONES as u64).max(STRETCH))
    }

    fn new_folder(&self) -> RecordsResult<TempDir> {
        if !self.folder.exists() {
            platform::disk::make_private(&self.folder).map_err(|error| failed("its folder", &error))?;
        }
        TempDir::new_in(&*self.folder).map_err(|error| failed("its folder", &error))
    }

    /// The last event up to a position, which is one itself where positions count events.
    async fn event_at(&self, position: Position) -> RecordsResult<Position> {
        let log = &self.now.log;
        if log.capabilities().dense_positions {
            return Ok(position);
        }
        last_where(log, |event| event.position <= position).await
    }
}

/// The position of the last event that was recorded up to `moment`; 0 before the first.
///
/// # Errors
/// When the log cannot be read.
pub async fn position_at(log: &EventLog, moment: Moment) -> RecordsResult<Position> {
    if !log.capabilities().dense_positions {
        return last_where(log, |event| event.recorded_at <= moment).await;
    }
    // The log's times never go back, so halving finds the last event of before.
    let (mut before, mut after) = (0, log.head().await? + 1);
    while after - before > 1 {
        let middle = before + (after - before) / 2;
        let found = log.span(middle, middle).await?;
        if found.first().is_none_or(|event| event.recorded_at <= moment) {
            before = middle;
        } else {
            after = middle;
        }
    }
    Ok(before)
}

/// The position of the last of the first events for which something holds.
async fn last_where(
    log: &EventLog,
    holds: impl Fn(&eventlog::RecordedEvent) -> bool + Send,
) -> RecordsResult<Position> {
    let mut reached = 0;
    loop {
        let page = log.read_all(reached, PAGE).await?;
        let within = page.iter().take_while(|event| holds(event)).count();
        reached = within
            .checked_sub(1)
            .and_then(|last| page.get(last))
            .map_or(reached, |event| event.position);
        if within < PAGE {
            return Ok(reached);
        }
    }
}
