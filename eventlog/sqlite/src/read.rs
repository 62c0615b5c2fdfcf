//! Readers: each query takes a read-only connection of its own, on a thread that may block.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eventlog::port::{Asked, Capabilities};
use eventlog::reads::Reads;
use eventlog::verify::{Anchor, Verdict};
use futures::FutureExt as _;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, Rows, params};
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::error::Error;
use super::row::{SELECT, fact, facts, record, signed};
use crate::there::There;
use eventlog::LogError;
use eventlog::StoredShape;
use eventlog::event::RecordedEvent;
use eventlog::port::Keyring;
use eventlog::port::Taker;
use eventlog::stream::{Position, Revision, StreamId};
use threads::Mutex;

const FACTS_OF_STREAM: &str = facts!(
    "",
    "from stream s join event e on e.stream = s.id \
     where s.uuid = ?1 and s.kind = ?2 and e.revision > ?3 order by e.revision limit ?4"
);
const FACTS_OF_ALL: &str = facts!(
    ", s.kind, s.uuid",
    "from event e join stream s on s.id = e.stream where e.position > ?1 order by e.position limit ?2"
);

pub(crate) const CORRELATED: &str =
    "where e.correlation_id = ?1 and e.position > ?2 order by e.position limit ?3";

/// Connections, and so threads, that read at the same time; whoever comes then waits for its turn. More of them than the
/// machine has processors only stand in each other's way.
const READERS: usize = 8;

/// A pool of read-only connections. A cheap handle.
#[derive(Clone)]
pub(crate) struct Readers {
    path: Arc<PathBuf>,
    idle: Arc<Mutex<Vec<Connection>>>,
    turns: Arc<Semaphore>,
    keys: Keyring,
    /// What every new connection is opened on.
    there: Option<Arc<There>>,
}

impl Readers {
    pub(crate) fn new(path: &Path, keys: Keyring) -> Self {
        Self {
            path: Arc::new(path.to_owned()),
            idle: Arc::default(),
            turns: Arc::new(Semaphore::new(READERS)),
            keys,
            there: None,
        }
    }

    /// Opens no connection any more once the files are not those that the writer has open.
    pub(crate) fn beside(self, there: Arc<There>) -> Self {
        let there = Some(there);
        Self { there, ..self }
    }

    fn may_open(&self) -> Result<(), LogError> {
        self.there.as_ref().map_or(Ok(()), |there| there.may_be_opened())
    }

    /// Runs a query on a connection of the pool, away from the threads that must not block.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection, &Keyring) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, LogError> {
        let turn = self.turns.clone().acquire_owned().await;
        let pool = self.clone();
        let work = threads::spawn_blocking(move || {
            let _until_done = turn;
            Ok(pool.blocking(query)?)
        });
        work.await
            .unwrap_or_else(|error| Err(LogError::Storage(error.to_string())))
    }

    /// Nobody reads until this is dropped.
    #[cfg(test)]
    pub(crate) async fn nobody(
        &self,
    ) -> Result<tokio::sync::OwnedSemaphorePermit, tokio::sync::AcquireError> {
        let all = u32::try_from(READERS).unwrap_or_default();
        self.turns.clone().acquire_many_owned(all).await
    }

    /// Runs a short transaction on a connection of its own.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Connection) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, LogError> {
        let pool = self.clone();
        let work = threads::spawn_blocking(move || {
            let mut connection = super::connect(&pool.path)?;
            // What it has open now is what the writer has, or nothing is written.
            pool.may_open()?;
            Ok(change(&mut connection)?)
        });
        work.await
            .unwrap_or_else(|error| Err(LogError::Storage(error.to_string())))
    }

    pub(super) fn blocking<T>(
        &self,
        query: impl FnOnce(&Connection, &Keyring) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let kept = self.idle.lock().pop();
        let connection = match kept {
            Some(connection) => connection,
            None => self.connect()?,
        };
        let found = query(&connection, &self.keys)?;
        let mut idle = self.idle.lock();
        if idle.len() < READERS {
            idle.push(connection);
        }
        Ok(found)
    }

    fn connect(&self) -> Result<Connection, Error> {
        self.may_open()?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(self.path.as_path(), flags)?;
        connection.busy_timeout(super::PATIENCE)?;
        super::plan_once(&connection)?;
        connection.execute_batch("pragma cache_size = -8192;")?;
        Ok(connection)
    }
}

impl Reads for Readers {
    fn capabilities(&self) -> Capabilities {
        Capabilities::grouped("SQLite")
    }

    fn read_stream(&self, stream: StreamId, after: Revision, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        self.run(move |connection, keys| {
            let mut key = connection.prepare_cached("select id from stream where uuid = ?1 and kind = ?2")?;
            let key: Option<i64> = key
                .query_row(params![stream.id.as_bytes(), stream.kind], |row| row.get(0))
                .optional()?;
            let Some(key) = key else { return Ok(Vec::new()) };
            let wanted =
                format!("{SELECT} where e.stream = ?1 and e.revision > ?2 order by e.revision limit ?3");
            let mut statement = connection.prepare_cached(&wanted)?;
            let found = statement.query(params![key, signed(after), signed(limit as u64)])?;
            recorded(found, keys)
        })
        .boxed()
    }

    fn read_correlated(&self, id: Uuid, after: Position, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        self.run(move |connection, keys| {
            let wanted = format!("{SELECT} {CORRELATED}");
            let mut statement = connection.prepare_cached(&wanted)?;
            let found = statement.query(params![id.as_bytes(), signed(after), signed(limit as u64)])?;
            recorded(found, keys)
        })
        .boxed()
    }

    /// Gives events of a stream to a fold, row by row, on the thread that reads them.
    fn fold_stream(
        &self,
        stream: StreamId,
        after: Revision,
        limit: usize,
        mut taker: Taker,
    ) -> Asked<'_, ()> {
        self.run(move |connection, keys| {
            let mut statement = connection.prepare_cached(FACTS_OF_STREAM)?;
            let mut rows = statement.query(params![
                stream.id.as_bytes(),
                stream.kind,
                signed(after),
                signed(limit as u64)
            ])?;
            while let Some(row) = rows.next()? {
                taker(fact(row, stream, keys)?)?;
            }
            Ok(())
        })
        .boxed()
    }

    /// The same of the whole log.
    fn fold_all(&self, after: Position, limit: usize, mut taker: Taker) -> Asked<'_, ()> {
        self.run(move |connection, keys| {
            let mut statement = connection.prepare_cached(FACTS_OF_ALL)?;
            let mut rows = statement.query(params![signed(after), signed(limit as u64)])?;
            let mut kind = "";
            while let Some(row) = rows.next()? {
                let stored = row.get_ref(9)?.as_str().map_err(rusqlite::Error::from)?;
                if stored != kind {
                    kind = StreamId::stored(stored, Uuid::nil()).kind;
                }
                let id = Uuid::from_bytes(row.get(10)?);
                taker(fact(row, StreamId { kind, id }, keys)?)?;
            }
            Ok(())
        })
        .boxed()
    }

    fn shapes(&self) -> Asked<'_, BTreeSet<StoredShape>> {
        self.run(|connection, _| {
            let mut statement = connection.prepare("select kind, event_type, schema_version from shape")?;
            let shapes = statement.query_map([], |row| {
                Ok(StoredShape {
                    kind: row.get(0)?,
                    event_type: row.get(1)?,
                    schema_version: row.get(2)?,
                })
            })?;
            Ok(shapes.collect::<Result<_, _>>()?)
        })
        .boxed()
    }

    fn read_all(&self, after: Position, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        self.run(move |connection, keys| {
            let wanted = format!("{SELECT} where e.position > ?1 order by e.position limit ?2");
            let mut statement = connection.prepare_cached(&wanted)?;
            let found = statement.query(params![signed(after), signed(limit as u64)])?;
            recorded(found, keys)
        })
        .boxed()
    }

    fn verify(&self, since: Anchor) -> Asked<'_, Verdict> {
        self.verified(since).boxed()
    }

    fn needs(&self, path: &Path, what_to_do: &'static str) {
        if let Some(there) = &self.there {
            there.needs(path, what_to_do);
        }
    }
}

/// The events that rows hold.
fn recorded(mut rows: Rows<'_>, keys: &Keyring) -> Result<Vec<RecordedEvent>, Error> {
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        events.push(record(row, keys)?);
    }
    Ok(events)
}
