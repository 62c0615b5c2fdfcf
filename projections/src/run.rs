//! Keeps every read model up to date with the log: catch-up, checkpoint in the same transaction, rebuild, read-your-writes.

use std::collections::HashMap;
use std::time::Duration;

use eventlog::{EventLog, Position, RecordedEvent};
use futures::future::BoxFuture;
use sqlx::error::ErrorKind;
use sqlx::{AnyConnection, Connection};
use tokio::sync::watch;

use crate::store::ReadStore;

mod checkpoint;

/// Events per transaction: large enough that a first start folds a whole catalogue in seconds, small enough that a
/// reader never waits long for what was just written.
const BATCH: usize = 2_000;
/// How long to wait after trouble with the log or the database.
const AGAIN: Duration = Duration::from_millis(500);

/// Waits before something is tried again. `false` when it is not to be tried again, because `stop` was set.
pub async fn rests(pause: Duration, stop: &mut watch::Receiver<bool>) -> bool {
    tokio::time::timeout(pause, stop.wait_for(|stopped| *stopped))
        .await
        .is_err()
}

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
    Codec(#[from] eventlog::CodecError),
    #[error("no projection is called `{0}`")]
    Unknown(String),
}

/// How far one projection has come, for the workspace and `/readyz`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    pub name: &'static str,
    pub position: Position,
    /// Why it does not follow: another version of the program has built it anew.
    pub error: Option<String>,
    /// Streams of which it leaves out what it could not take in.
    pub parked: usize,
}

impl ProjectionError {
    /// The event is at fault, not the database: it would fail again and again.
    fn blames_the_event(&self) -> bool {
        match self {
            Self::Codec(_) => true,
            Self::Sql(sqlx::Error::Database(answer)) => match answer.kind() {
                ErrorKind::UniqueViolation
                | ErrorKind::ForeignKeyViolation
                | ErrorKind::NotNullViolation
                | ErrorKind::CheckViolation => true,
                // The enumeration is sqlx's and may grow; a busy or full database is among the rest.
                _ => false,
            },
            Self::Sql(error) => matches!(
                error,
                sqlx::Error::Decode(_)
                    | sqlx::Error::Encode(_)
                    | sqlx::Error::ColumnDecode { .. }
                    | sqlx::Error::RowNotFound
            ),
            Self::Log(_) | Self::Unknown(_) => false,
        }
    }
}

/// Applies the log to all projections, one transaction a batch.
pub struct Projector {
    log: EventLog,
    store: ReadStore,
    projections: Vec<Box<dyn Projection>>,
    applied: watch::Sender<Position>,
    progress: watch::Sender<Vec<Progress>>,
}

/// Lets a reader wait until the read models have seen what it wrote (X9).
#[derive(Debug, Clone)]
pub struct Applied {
    position: watch::Receiver<Position>,
    progress: watch::Receiver<Vec<Progress>>,
}

impl Applied {
    pub fn position(&self) -> Position {
        *self.position.borrow()
    }

    pub fn progress(&self) -> Vec<Progress> {
        self.progress.borrow().clone()
    }

    /// Waits until `position` is in the read models, at most `patience`. `false` when it took longer.
    pub async fn wait_for(&self, position: Position, patience: Duration) -> bool {
        let mut receiver = self.position.clone();
        let reached = receiver.wait_for(|applied| *applied >= position);
        matches!(tokio::time::timeout(patience, reached).await, Ok(Ok(_)))
    }
}

impl Projector {
    pub fn new(log: EventLog, store: ReadStore, projections: Vec<Box<dyn Projection>>) -> Self {
        Self {
            log,
            store,
            projections,
            applied: watch::Sender::new(0),
            progress: watch::Sender::new(Vec::new()),
        }
    }

    pub fn applied(&self) -> Applied {
        Applied {
            position: self.applied.subscribe(),
            progress: self.progress.subscribe(),
        }
    }

    /// How far each read model has come, as its database says, without moving any.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn standing(&self) -> Result<Vec<Progress>, ProjectionError> {
        let mut connection = self.store.readers().acquire().await?;
        let mut standing = Vec::new();
        for projection in self.projections.iter().map(AsRef::as_ref) {
            standing.push(stored(projection, &mut connection).await?);
        }
        Ok(standing)
    }

    /// Folds everything the log holds now.
    ///
    /// # Errors
    /// When the log or the database cannot be used at all. An event that one projection cannot take in is parked there
    /// with its stream; everything else goes on.
    pub async fn catch_up(&mut self) -> Result<Position, ProjectionError> {
        let mut checkpoints = self.checkpoints().await?;
        loop {
            let Some(from) = next_position(&checkpoints) else {
                let head = self.log.head().await?;
                self.applied.send_replace(head);
                return Ok(head);
            };
            let events = self.log.read_all(from, BATCH).await?;
            let Some(last) = events.last().map(|event| event.position) else {
                self.applied.send_replace(from);
                return Ok(from);
            };
            self.apply_batch((&events, from, last), &mut checkpoints).await?;
        }
    }

    /// Follows the log until `stop` is set. Trouble with the database is logged and tried again.
    pub async fn follow(mut self, mut stop: watch::Receiver<bool>) {
        let mut head = self.log.watch();
        loop {
            if let Err(error) = self.catch_up().await {
                tracing::error!(%error, "read models could not catch up; trying again");
                if rests(AGAIN, &mut stop).await {
                    continue;
                }
                return;
            }
            tokio::select! {
                changed = head.changed() => if changed.is_err() { return },
                _ = stop.wait_for(|stopped| *stopped) => return,
            }
        }
    }

    /// Empties one projection's tables (or all) and folds the log again, in one transaction: readers go on seeing the
    /// old rows until the new ones are complete.
    ///
    /// # Errors
    /// `Unknown` for a name no projection has, or whatever stopped the fold; the old rows then stay.
    pub async fn rebuild(&mut self, only: Option<&str>) -> Result<Vec<&'static str>, ProjectionError> {
        let chosen: Vec<&dyn Projection> = self
            .projections
            .iter()
            .map(AsRef::as_ref)
            .filter(|projection| only.is_none_or(|name| name == projection.name()))
            .collect();
        if let (true, Some(name)) = (chosen.is_empty(), only) {
            return Err(ProjectionError::Unknown(name.to_owned()));
        }
        let mut connection = self.store.writer().pool().acquire().await?;
        for projection in &chosen {
            let mut transaction = connection
                .begin_with(self.store.writer().begin_statement())
                .await?;
            checkpoint::empty(*projection, &mut transaction).await?;
            let mut position = 0;
            loop {
                let events = self.log.read_all(position, BATCH).await?;
                let Some(last) = events.last().map(|event| event.position) else {
                    break;
                };
                let wanted = wanted(*projection, &events, position);
                projection.apply(&mut transaction, &wanted).await?;
                position = last;
            }
            checkpoint::save(*projection, position, None, &mut transaction).await?;
            transaction.commit().await?;
        }
        Ok(chosen.iter().map(|projection| projection.name()).collect())
    }

    /// Applies the events after `from` up to `last`. What is stored counts, not what was remembered: a rebuild by another
    /// process may have moved a checkpoint either way.
    async fn apply_batch(
        &self,
        (events, from, last): (&[RecordedEvent], Position, Position),
        checkpoints: &mut HashMap<&'static str, Progress>,
    ) -> Result<(), ProjectionError> {
        let mut connection = self.store.writer().pool().acquire().await?;
        let mut transaction = connection
            .begin_with(self.store.writer().begin_statement())
            .await?;
        let mut reached = Vec::new();
        for projection in self.projections.iter().map(AsRef::as_ref) {
            let mut progress = stored(projection, &mut transaction).await?;
            if progress.error.is_none() && (from..last).contains(&progress.position) {
                let wanted = wanted(projection, events, progress.position);
                progress.parked = take_in(projection, &wanted, &mut transaction).await?;
                progress.position = last;
                checkpoint::save(projection, last, None, &mut transaction).await?;
            }
            reached.push(progress);
        }
        transaction.commit().await?;
        for progress in reached {
            checkpoints.insert(progress.name, progress);
        }
        self.tell(checkpoints, last);
        Ok(())
    }

    fn tell(&self, checkpoints: &HashMap<&'static str, Progress>, last: Position) {
        self.applied
            .send_replace(next_position(checkpoints).unwrap_or(last));
        self.progress
            .send_replace(checkpoints.values().cloned().collect());
    }

    /// Reads the checkpoints. When the process starts, a projection whose version changed or that has left something out
    /// begins anew: what it could not take in may be known by now.
    async fn checkpoints(&self) -> Result<HashMap<&'static str, Progress>, ProjectionError> {
        let starts = self.progress.borrow().is_empty();
        let mut connection = self.store.writer().pool().acquire().await?;
        let mut found = HashMap::new();
        for projection in self.projections.iter().map(AsRef::as_ref) {
            let mut transaction = connection
                .begin_with(self.store.writer().begin_statement())
                .await?;
            let mut progress = stored(projection, &mut transaction).await?;
            if starts && (progress.error.is_some() || progress.parked > 0) {
                checkpoint::empty(projection, &mut transaction).await?;
                checkpoint::save(projection, 0, None, &mut transaction).await?;
                progress = stored(projection, &mut transaction).await?;
            }
            transaction.commit().await?;
            found.insert(projection.name(), progress);
        }
        self.progress.send_replace(found.values().cloned().collect());
        Ok(found)
    }
}

/// How far a projection has come, as its database says.
async fn stored(
    projection: &dyn Projection,
    connection: &mut AnyConnection,
) -> Result<Progress, sqlx::Error> {
    let stored = checkpoint::read(projection, connection).await?;
    let other = stored
        .as_ref()
        .is_some_and(|stored| stored.version != i64::from(projection.version()));
    Ok(Progress {
        name: projection.name(),
        position: stored.map_or(0, |stored| stored.position),
        error: other.then(|| "another version of the program has built it".to_owned()),
        parked: checkpoint::parked(projection, connection).await?.len(),
    })
}

/// Takes events in; parks the ones that fail, and what follows them in their streams. Says how many streams are parked.
async fn take_in(
    projection: &dyn Projection,
    events: &[RecordedEvent],
    connection: &mut AnyConnection,
) -> Result<usize, ProjectionError> {
    let mut held = checkpoint::parked(projection, connection).await?;
    if held.is_empty() {
        match apply_in_savepoint(projection, events, connection).await? {
            Ok(()) => return Ok(0),
            Err(error) if error.blames_the_event() => {}
            Err(error) => return Err(error),
        }
    }
    for event in events {
        let error = if held.contains(&event.stream) {
            "an event of this stream before it is parked".to_owned()
        } else {
            match apply_in_savepoint(projection, std::slice::from_ref(event), connection).await? {
                Ok(()) => continue,
                Err(error) if error.blames_the_event() => error.to_string(),
                Err(error) => return Err(error),
            }
        };
        let (name, stream, position) = (projection.name(), event.stream, event.position);
        tracing::error!(projection = name, %stream, position, error, "a read model leaves out an event");
        checkpoint::park(projection, event, &error, connection).await?;
        held.insert(event.stream);
    }
    Ok(held.len())
}

/// Where the slowest projection that still follows stands.
fn next_position(checkpoints: &HashMap<&'static str, Progress>) -> Option<Position> {
    checkpoints
        .values()
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
