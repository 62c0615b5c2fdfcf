//! Keeps every read model up to date with the log: catch-up, checkpoint in the same transaction, rebuild, read-your-writes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use eventlog::{CodecError, EventLog, Position, RecordedEvent, StreamId};
use futures::future::BoxFuture;
use sqlx::{AnyConnection, Connection};
use tables::lease::Lease;
use tokio::sync::watch;
use uuid::Uuid;

use crate::store::ReadStore;

mod blame;
mod checkpoint;
mod gone;
mod kept;
mod nodes;
mod parked;
mod rebuild;
mod sought;

pub use checkpoint::Parked;
pub use parked::Retried;
pub use rebuild::{Difference, Rebuilt, RolledBack, Ways};
pub use sought::Sought;

/// Events per transaction: large enough that a first start folds a whole catalogue in seconds, small enough that a
/// reader never waits long for what was just written.
const BATCH: usize = 2_000;
/// How long to wait after trouble with the log or the database.
const AGAIN: Duration = Duration::from_millis(500);
/// Says that somebody is to be found nowhere any more, in kept rows neither.
const FORGOTTEN: &str = "SubjectForgotten";
/// Why an event is left out that is not at fault itself.
const BEHIND: &str = "an event of this stream before it is parked";
/// What a node calls out when it has folded something.
const FOLDED: &str = "latchkey_read";

/// One reader's tables, a fold of the log.
pub trait Projection: Send + Sync + 'static {
    /// Stored in the checkpoint table; never changes once released.
    fn name(&self) -> &'static str;

    /// Raised when the tables' meaning changes: the next start then rebuilds this projection from the beginning.
    fn version(&self) -> u32 {
        1
    }

    /// Its own tables, emptied before a rebuild.
    fn tables(&self) -> &'static [&'static str];

    /// Indexes of its tables that no fold looks into, but only readers: a rebuild makes them once all rows are there, which is
    /// sorting instead of finding a random place for every row.
    fn indexes_of_readers(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether each of its rows is made by one stream alone, so that a stream's events may be taken in later than others'.
    fn folds_per_stream(&self) -> bool {
        false
    }

    /// The kinds of streams it listens to; other events only move its checkpoint.
    fn kinds(&self) -> &'static [&'static str];

    /// Takes down what the events say. All of them, or none: the caller's transaction holds the checkpoint too.
    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>>;
}

/// Why a batch could not be taken in.
#[derive(Debug, thiserror::Error)]
pub enum ProjectionError {
    #[error("the read model's database failed: {0}")]
    Sql(#[from] sqlx::Error),
    #[error("the event log could not be read: {0}")]
    Log(#[from] eventlog::LogError),
    #[error("a stored event could not be read: {0}")]
    Codec(#[from] CodecError),
    #[error("no read model is called `{asked}`; there are {known}")]
    Unknown { asked: String, known: String },
    #[error("another process builds read models anew; try again when it has ended")]
    Busy,
    #[error(
        "`{name}` built anew leaves out {more} events more than what serves, so what serves stays: the first is {first}, which \
         says: {error}"
    )]
    LeavesOut {
        name: &'static str,
        more: u64,
        first: Position,
        error: String,
    },
    #[error(
        "the table `{table}` of `{name}` is gone from the database: `latchkey rebuild {name}` makes it again"
    )]
    Gone { name: &'static str, table: &'static str },
    #[error(
        "`{table}` of `{name}` cannot be made again, because its index `{index}` hangs on the table `{on}`: rename that table back \
         to `{table}`, or drop it, and then `latchkey rebuild {name}`"
    )]
    IndexTaken {
        name: &'static str,
        table: String,
        index: String,
        on: String,
    },
    #[error(
        "the table `{0}`, in which all read models note how far they have come, is gone from the database: stop every node, drop \
         the schema `latchkey_read` (in files: delete `read.db`), and start again"
    )]
    OwnGone(&'static str),
    #[error("nothing is kept of `{0}` from before")]
    NothingKept(String),
    #[error("what is kept of `{0}` was built by another version of the program: roll back with that version")]
    KeptByAnother(String),
}

/// How far one projection has come, for the workspace and `/readyz`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    pub name: &'static str,
    pub version: u32,
    pub position: Position,
    /// Why it does not follow: another version of the program has built it anew, or a table of it was dropped.
    pub error: Option<String>,
    /// Streams of which it leaves out what it could not take in.
    pub parked: usize,
}

/// Applies the log to all projections, one transaction a batch.
pub struct Projector {
    log: EventLog,
    store: ReadStore,
    projections: Vec<Box<dyn Projection>>,
    node: Arc<str>,
    /// Held by the one node that folds.
    lease: Lease,
    /// Whether this process has looked at what earlier ones left behind.
    has_begun: bool,
    /// Why read models could not be built anew then.
    unbuilt: HashMap<&'static str, String>,
    applied: watch::Sender<Position>,
    progress: watch::Sender<Vec<Progress>>,
    /// The last position that anybody waits for.
    wanted: watch::Sender<Position>,
    /// How far the read models had come at that time.
    stood: Option<(Instant, Vec<Progress>)>,
}

/// Lets a reader wait until the read models have seen what it wrote (X9).
#[derive(Debug, Clone)]
pub struct Applied {
    /// What this process is called among those that share the database.
    node: Arc<str>,
    position: watch::Receiver<Position>,
    progress: watch::Receiver<Vec<Progress>>,
    wanted: watch::Sender<Position>,
}

impl Applied {
    pub fn node(&self) -> &str {
        &self.node
    }

    pub fn position(&self) -> Position {
        *self.position.borrow()
    }

    pub fn progress(&self) -> Vec<Progress> {
        self.progress.borrow().clone()
    }

    /// Waits until `position` is in the read models, at most `patience`. `false` when it took longer.
    pub async fn wait_for(&self, position: Position, patience: Duration) -> bool {
        let mut receiver = self.position.clone();
        if *receiver.borrow() >= position {
            return true;
        }
        self.wanted.send_if_modified(|wanted| {
            let is_later = position > *wanted;
            *wanted = position.max(*wanted);
            is_later
        });
        let reached = receiver.wait_for(|applied| *applied >= position);
        matches!(tokio::time::timeout(patience, reached).await, Ok(Ok(_)))
    }
}

impl Projector {
    pub fn new(log: EventLog, store: ReadStore, projections: Vec<Box<dyn Projection>>) -> Self {
        let node: Arc<str> = format!("{}-{}", std::process::id(), Uuid::new_v4().simple()).into();
        Self {
            lease: Lease::new(store.writer(), "projections", &*node),
            node,
            has_begun: false,
            unbuilt: HashMap::new(),
            log,
            store,
            projections,
            applied: watch::Sender::new(0),
            progress: watch::Sender::new(Vec::new()),
            wanted: watch::Sender::new(0),
            stood: None,
        }
    }

    /// Folds one read model and no other: the tables of each are its own.
    ///
    /// # Errors
    /// `Unknown` for a name no projection has.
    pub fn alone(mut self, name: &str) -> Result<Self, ProjectionError> {
        self.named(name)?;
        self.projections.retain(|projection| projection.name() == name);
        Ok(self)
    }

    pub fn applied(&self) -> Applied {
        Applied {
            node: self.node.clone(),
            position: self.applied.subscribe(),
            progress: self.progress.subscribe(),
            wanted: self.wanted.clone(),
        }
    }

    /// How far each read model has come, as its database says, without moving any.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn standing(&self) -> Result<Vec<Progress>, ProjectionError> {
        let gone = self.gone().await?;
        let mut connection = self.store.readers().acquire().await?;
        let mut rows = checkpoint::all("", &mut connection).await?;
        let parked = checkpoint::all_streams(&mut connection).await?;
        let standing = self.projections.iter().map(|projection| {
            let parked = parked.get(projection.name()).map_or(0, HashSet::len);
            let told = checkpoint::told(projection.as_ref(), rows.remove(projection.name()), parked);
            let without = gone
                .get(projection.name())
                .map(|table| gone::rests_without(table));
            Progress {
                error: without.or(told.error),
                ..told
            }
        });
        Ok(standing.collect())
    }

    /// The tables of a read model.
    ///
    /// # Errors
    /// `Unknown` for a name no projection has.
    pub fn tables(&self, name: &str) -> Result<&'static [&'static str], ProjectionError> {
        Ok(self.named(name)?.tables())
    }

    /// The read model of this name.
    fn named(&self, name: &str) -> Result<&dyn Projection, ProjectionError> {
        let mut all = self.projections.iter().map(AsRef::as_ref);
        all.find(|projection| projection.name() == name).ok_or_else(|| {
            let mut known: Vec<&str> = self.projections.iter().map(|one| one.name()).collect();
            known.sort_unstable();
            ProjectionError::Unknown {
                asked: name.to_owned(),
                known: known.join(", "),
            }
        })
    }

    /// Applies the events after `from` up to `last` to whatever does not rest, unless another node has taken the work over; says
    /// how far that brought each. What is stored counts, not what was remembered: a rebuild by another process may have moved a
    /// checkpoint either way.
    async fn apply_batch(
        &self,
        batch: (&[RecordedEvent], Position, Position),
        standing: &[Progress],
    ) -> Result<Option<Vec<Progress>>, ProjectionError> {
        match self.apply_to(batch, standing, Trust::All).await {
            // Begun anew, so that it costs only its own stream.
            Err(error) if error.is_poison_event() => self.apply_to(batch, standing, Trust::None).await,
            done => done,
        }
    }

    async fn apply_to(
        &self,
        (events, from, last): (&[RecordedEvent], Position, Position),
        standing: &[Progress],
        trust: Trust,
    ) -> Result<Option<Vec<Progress>>, ProjectionError> {
        let writer = self.store.writer();
        let mut transaction = writer.begin().await?;
        if !self.lease.guard(&mut transaction).await? {
            return Ok(None);
        }
        let mut rows = checkpoint::all(writer.for_update(), &mut transaction).await?;
        let mut parked = checkpoint::all_streams(&mut transaction).await?;
        let (mut reached, mut moved) = (Vec::new(), Vec::new());
        for projection in self.projections.iter().map(AsRef::as_ref) {
            let held = parked.remove(projection.name()).unwrap_or_default();
            let mut progress = checkpoint::told(projection, rows.remove(projection.name()), held.len());
            let stood = standing.iter().find(|stood| stood.name == progress.name);
            if let Some(error) = stood.and_then(|stood| stood.error.as_ref()) {
                progress.error.get_or_insert_with(|| error.clone());
            }
            if progress.error.is_none() && (from..last).contains(&progress.position) {
                let wanted = wanted(projection, events, progress.position);
                progress.parked = take_in(projection, wanted, (held, trust), &mut transaction).await?;
                progress.position = last;
                moved.push(projection);
            }
            reached.push(progress);
        }
        checkpoint::save(&moved, last, &mut transaction).await?;
        if events.iter().any(|event| event.event_type == FORGOTTEN) {
            self.store.forget_kept().await?;
        }
        writer.ring(FOLDED, &self.node, &mut transaction).await?;
        transaction.commit().await?;
        self.tell(reached.clone(), last);
        Ok(Some(reached))
    }

    /// Says how far the read models have come; where all rest, they have come to `last`.
    fn tell(&self, mut standing: Vec<Progress>, last: Position) -> Position {
        let position = next_position(&standing).unwrap_or(last);
        self.say_why_unbuilt(&mut standing);
        self.log_stalled_projections(&standing);
        self.progress.send_replace(standing);
        self.applied.send_replace(position);
        position
    }
}

/// Whether a batch is taken in as if no event could fail: the transaction is then no use once one has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    All,
    None,
}

/// How far a projection has come, as its database says.
async fn stored(
    projection: &dyn Projection,
    locked: &'static str,
    connection: &mut AnyConnection,
) -> Result<Progress, sqlx::Error> {
    let stored = checkpoint::read(projection, locked, connection).await?;
    let parked = checkpoint::parked(projection, connection).await?.len();
    Ok(checkpoint::told(projection, stored, parked))
}

/// Takes events in; parks the ones that fail, and what follows them in their streams. Says how many streams are parked.
async fn take_in(
    projection: &dyn Projection,
    events: Vec<RecordedEvent>,
    (mut held, trust): (HashSet<StreamId>, Trust),
    connection: &mut AnyConnection,
) -> Result<usize, ProjectionError> {
    let is_held = |event: &RecordedEvent| held.contains(&event.stream);
    let (behind, free): (Vec<_>, Vec<_>) = events.into_iter().partition(is_held);
    for event in &behind {
        leave_out(projection, event, BEHIND, connection).await?;
    }
    if free.is_empty() {
        return Ok(held.len());
    }
    if trust == Trust::All {
        projection.apply(connection, &free).await?;
        return Ok(held.len());
    }
    match apply_in_savepoint(projection, &free, connection).await? {
        Ok(()) => return Ok(held.len()),
        Err(error) if error.is_poison_event() => {}
        Err(error) => return Err(error),
    }
    for event in &free {
        let error = if held.contains(&event.stream) {
            BEHIND.to_owned()
        } else {
            match apply_in_savepoint(projection, std::slice::from_ref(event), connection).await? {
                Ok(()) => continue,
                Err(error) if error.is_poison_event() => error.to_string(),
                Err(error) => return Err(error),
            }
        };
        leave_out(projection, event, &error, connection).await?;
        held.insert(event.stream);
    }
    Ok(held.len())
}

async fn leave_out(
    projection: &dyn Projection,
    event: &RecordedEvent,
    error: &str,
    connection: &mut AnyConnection,
) -> Result<(), sqlx::Error> {
    let (name, stream, position) = (projection.name(), event.stream, event.position);
    tracing::error!(projection = name, %stream, position, error, "a read model leaves out an event");
    checkpoint::park(projection, event, error, connection).await
}

/// Where the slowest projection that still follows stands.
fn next_position(standing: &[Progress]) -> Option<Position> {
    standing
        .iter()
        .filter(|progress| progress.error.is_none())
        .map(|progress| progress.position)
        .min()
}

fn wanted(projection: &dyn Projection, events: &[RecordedEvent], after: Position) -> Vec<RecordedEvent> {
    events
        .iter()
        .filter(|event| event.position > after && projection.kinds().contains(&event.stream.kind))
        .cloned()
        .collect()
}

async fn apply_in_savepoint(
    projection: &dyn Projection,
    events: &[RecordedEvent],
    connection: &mut AnyConnection,
) -> Result<Result<(), ProjectionError>, ProjectionError> {
    if events.is_empty() {
        return Ok(Ok(()));
    }
    let mut savepoint = connection.begin().await?;
    let outcome = projection.apply(&mut savepoint, events).await;
    if outcome.is_ok() {
        savepoint.commit().await?;
    } else {
        savepoint.rollback().await?;
    }
    Ok(outcome)
}

#[cfg(test)]
mod story;
