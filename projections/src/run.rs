//! Keeps every read model up to date with the log: catch-up, checkpoint in the same transaction, rebuild, read-your-writes.

use std::collections::HashMap;
use std::time::Duration;

use eventlog::{EventLog, Position, RecordedEvent};
use futures::future::BoxFuture;
use sqlx::{Connection, SqliteConnection};
use tokio::sync::watch;

use crate::store::ReadStore;

/// Events per transaction: large enough that a first start folds a whole catalogue in seconds, small enough that a
/// reader never waits long for what was just written.
const BATCH: usize = 2_000;

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
        connection: &'a mut SqliteConnection,
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
    /// The last failure; the projection rests at `position` until the next start.
    pub error: Option<String>,
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

    /// Folds everything the log holds now.
    ///
    /// # Errors
    /// When the log or the database cannot be used at all; one projection's own failure only rests that projection.
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
            self.apply_batch(&events, last, &mut checkpoints).await?;
        }
    }

    /// Follows the log until `stop` is set. Trouble with the database is logged and tried again.
    pub async fn follow(mut self, mut stop: watch::Receiver<bool>) {
        let mut head = self.log.watch();
        loop {
            if let Err(error) = self.catch_up().await {
                tracing::error!(%error, "read models could not catch up; trying again");
                tokio::time::sleep(Duration::from_millis(500)).await;
                continue;
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
        let mut connection = self.store.writer().acquire().await?;
        for projection in &chosen {
            let mut transaction = connection.begin_with("begin immediate").await?;
            empty(*projection, &mut transaction).await?;
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
            save_checkpoint(*projection, position, None, &mut transaction).await?;
            transaction.commit().await?;
        }
        Ok(chosen.iter().map(|projection| projection.name()).collect())
    }

    async fn apply_batch(
        &self,
        events: &[RecordedEvent],
        last: Position,
        checkpoints: &mut HashMap<&'static str, Progress>,
    ) -> Result<(), ProjectionError> {
        let mut connection = self.store.writer().acquire().await?;
        let mut transaction = connection.begin_with("begin immediate").await?;
        let mut reached = Vec::new();
        for projection in &self.projections {
            let Some(progress) = checkpoints
                .get(projection.name())
                .filter(|progress| progress.error.is_none())
            else {
                continue;
            };
            if progress.position >= last {
                continue;
            }
            let wanted = wanted(projection.as_ref(), events, progress.position);
            let outcome = apply_in_savepoint(projection.as_ref(), &wanted, &mut transaction).await?;
            if let Err(error) = &outcome {
                tracing::error!(projection = projection.name(), %error, "a read model rests: it could not take in an event");
            }
            let position = if outcome.is_ok() { last } else { progress.position };
            let error = outcome.err().map(|error| error.to_string());
            save_checkpoint(projection.as_ref(), position, error.as_deref(), &mut transaction).await?;
            reached.push(Progress {
                name: projection.name(),
                position,
                error,
            });
        }
        transaction.commit().await?;
        for progress in reached {
            checkpoints.insert(progress.name, progress);
        }
        self.applied
            .send_replace(next_position(checkpoints).unwrap_or(last));
        self.progress
            .send_replace(checkpoints.values().cloned().collect());
        Ok(())
    }

    /// Reads the checkpoints; a projection whose version changed, or whose last fold failed, starts from the beginning.
    async fn checkpoints(&self) -> Result<HashMap<&'static str, Progress>, ProjectionError> {
        let mut connection = self.store.writer().acquire().await?;
        let mut found = HashMap::new();
        for projection in &self.projections {
            let row: Option<(i64, i64, Option<String>)> =
                sqlx::query_as("select version, position, error from projection where name = ?")
                    .bind(projection.name())
                    .fetch_optional(&mut *connection)
                    .await?;
            let position = match row {
                Some((version, position, None)) if version == i64::from(projection.version()) => {
                    position.cast_unsigned()
                }
                Some((version, _, error)) => {
                    if error.is_some()
                        && version == i64::from(projection.version())
                        && !self.progress.borrow().is_empty()
                    {
                        found.insert(
                            projection.name(),
                            Progress {
                                name: projection.name(),
                                position: 0,
                                error,
                            },
                        );
                        continue;
                    }
                    let mut transaction = connection.begin_with("begin immediate").await?;
                    empty(projection.as_ref(), &mut transaction).await?;
                    save_checkpoint(projection.as_ref(), 0, None, &mut transaction).await?;
                    transaction.commit().await?;
                    0
                }
                None => 0,
            };
            found.insert(
                projection.name(),
                Progress {
                    name: projection.name(),
                    position,
                    error: None,
                },
            );
        }
        Ok(found)
    }
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
    connection: &mut SqliteConnection,
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

async fn empty(projection: &dyn Projection, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    for table in projection.tables() {
        // Table names are constants of the projection's own file, never input.
        sqlx::query(sqlx::AssertSqlSafe(format!("delete from {table}")))
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn save_checkpoint(
    projection: &dyn Projection,
    position: Position,
    error: Option<&str>,
    connection: &mut SqliteConnection,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into projection (name, version, position, error) values (?, ?, ?, ?)
         on conflict (name) do update
         set version = excluded.version, position = excluded.position, error = excluded.error",
    )
    .bind(projection.name())
    .bind(i64::from(projection.version()))
    .bind(position.cast_signed())
    .bind(error)
    .execute(connection)
    .await?;
    Ok(())
}
