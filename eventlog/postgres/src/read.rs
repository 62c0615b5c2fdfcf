//! Readers: a small pool of connections. A cheap handle.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::id::UserId;
use eventlog::port::{Asked, Capabilities};
use eventlog::reads::Reads;
use eventlog::verify::{Anchor, Verdict};
use parking_lot::Mutex;
use tokio::sync::Semaphore;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::connect::{Home, Session, limited};
use super::row::{column, fact, facts, record, select, signed, subject, subject_of_fact, unsigned};
use super::tls::Address;
use eventlog::LogError;
use eventlog::StoredShape;
use eventlog::event::RecordedEvent;
use eventlog::port::Keyring;
use eventlog::port::Taker;
use eventlog::stream::{Position, Revision, StreamId};

/// Connections at once; more readers wait in line.
const CONNECTIONS: usize = 12;

const OF_STREAM: &str =
    select!("where s.uuid = $1 and s.kind = $2 and e.revision > $3 order by e.revision limit $4");
const OF_ALL: &str = select!("where e.position > $1 order by e.position limit $2");
const FACTS_OF_STREAM: &str =
    facts!("where s.uuid = $1 and s.kind = $2 and e.revision > $3 order by e.revision limit $4");
const FACTS_OF_ALL: &str = facts!("where e.position > $1 order by e.position limit $2");
/// `offset 0` keeps the planner from walking through all positions, which are in the wished order already, in search of a few.
pub(crate) const CORRELATED: &str = select!(
    "where e.position = any (array(select position from (select position from event where correlation_id = $1 offset 0) it \
     where position > $2 order by position limit $3)) order by e.position"
);
const SHAPES: &str = "select kind, event_type, schema_version from shape";
const HEAD: &str = "select position from log_head";

#[derive(Clone)]
pub(crate) struct Readers {
    pool: Arc<Pool>,
    pub(super) keys: Keyring,
}

struct Pool {
    home: Home,
    address: Address,
    room: Semaphore,
    idle: Mutex<Vec<Session>>,
}

/// A connection lent out; it goes back unless it is broken.
struct Lent<'p> {
    pool: &'p Pool,
    session: Option<Session>,
}

impl Lent<'_> {
    async fn query(
        mut self,
        text: &'static str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, LogError> {
        let Some(session) = &self.session else {
            return Err(LogError::Closed);
        };
        let found = limited(session.query(text, params)).await;
        if matches!(found, Err(LogError::Unavailable(_))) {
            self.session = None;
        }
        found
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let whole = self.session.take().filter(|session| !session.client.is_closed());
        self.pool.idle.lock().extend(whole);
    }
}

impl Readers {
    pub(super) fn new(home: Home, address: Address, keys: Keyring) -> Self {
        let pool = Pool {
            home,
            address,
            room: Semaphore::new(CONNECTIONS),
            idle: Mutex::default(),
        };
        Self {
            pool: Arc::new(pool),
            keys,
        }
    }

    /// The same connections with other keys.
    pub(super) fn with(&self, keys: Keyring) -> Self {
        Self {
            pool: self.pool.clone(),
            keys,
        }
    }

    /// Waits for an answer on any thread.
    pub(super) fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, LogError>> + Send + 'static,
    ) -> Result<T, LogError> {
        self.pool.home.wait(work)
    }

    /// Asks on a connection of the pool. One that the server ends is no reason to fail: reading changes nothing, so the
    /// same is asked once more on a new one.
    pub(super) async fn rows(
        &self,
        text: &'static str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, LogError> {
        let _place = self.pool.room.acquire().await.map_err(|_| LogError::Closed)?;
        let kept = {
            let mut idle = self.pool.idle.lock();
            idle.retain(|session| !session.client.is_closed());
            idle.pop()
        };
        let session = match kept {
            Some(session) => session,
            None => self.connected().await?,
        };
        let found = self.lend(session).query(text, params).await;
        if !matches!(found, Err(LogError::Unavailable(_))) {
            return found;
        }
        let fresh = self.connected().await?;
        self.lend(fresh).query(text, params).await
    }

    async fn connected(&self) -> Result<Session, LogError> {
        let address = self.pool.address.clone();
        let opening = async move { Session::open(&address).await };
        self.pool.home.run(opening).await
    }

    fn lend(&self, session: Session) -> Lent<'_> {
        Lent {
            pool: &self.pool,
            session: Some(session),
        }
    }

    async fn give(&self, rows: &[Row], mut taker: Taker) -> Result<(), LogError> {
        self.fetch_keys(rows.iter().filter_map(subject_of_fact).collect())
            .await;
        rows.iter().try_for_each(|row| taker(fact(row, &self.keys)?))
    }

    /// Turns rows into events. The keys they need are fetched in one question, so that nobody waits for them later on a
    /// thread that must not block.
    async fn records(&self, rows: Vec<Row>) -> Result<Vec<RecordedEvent>, LogError> {
        self.fetch_keys(rows.iter().filter_map(subject).collect()).await;
        rows.iter().map(|row| record(row, &self.keys)).collect()
    }

    async fn fetch_keys(&self, subjects: Vec<UserId>) {
        if self.keys.lacks(&subjects) {
            let keys = self.keys.clone();
            let fetched = tokio::task::spawn_blocking(move || keys.fetch(&subjects)).await;
            if let Ok(Err(error)) = fetched {
                // Who needs one of them will hear of it; who does not, need not.
                tracing::warn!(%error, "the keys of personal data could not be fetched");
            }
        }
    }
}

impl Reads for Readers {
    fn capabilities(&self) -> Capabilities {
        Capabilities::grouped("PostgreSQL")
    }

    fn read_stream(&self, stream: StreamId, after: Revision, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        Box::pin(async move {
            let (after, limit) = (signed(after), signed(limit as u64));
            let rows = self
                .rows(OF_STREAM, &[&stream.id, &stream.kind, &after, &limit])
                .await?;
            self.records(rows).await
        })
    }

    fn read_all(&self, after: Position, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        Box::pin(async move {
            let rows = self
                .rows(OF_ALL, &[&signed(after), &signed(limit as u64)])
                .await?;
            self.records(rows).await
        })
    }

    fn read_correlated(&self, id: Uuid, after: Position, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        Box::pin(async move {
            let rows = self
                .rows(CORRELATED, &[&id, &signed(after), &signed(limit as u64)])
                .await?;
            self.records(rows).await
        })
    }

    /// Gives events of a stream to a fold.
    fn fold_stream(&self, stream: StreamId, after: Revision, limit: usize, taker: Taker) -> Asked<'_, ()> {
        Box::pin(async move {
            let (after, limit) = (signed(after), signed(limit as u64));
            let rows = self
                .rows(FACTS_OF_STREAM, &[&stream.id, &stream.kind, &after, &limit])
                .await?;
            self.give(&rows, taker).await
        })
    }

    /// The same of the whole log.
    fn fold_all(&self, after: Position, limit: usize, taker: Taker) -> Asked<'_, ()> {
        Box::pin(async move {
            let rows = self
                .rows(FACTS_OF_ALL, &[&signed(after), &signed(limit as u64)])
                .await?;
            self.give(&rows, taker).await
        })
    }

    fn shapes(&self) -> Asked<'_, BTreeSet<StoredShape>> {
        Box::pin(async move {
            let rows = self.rows(SHAPES, &[]).await?;
            let shape = |row: &Row| {
                Ok(StoredShape {
                    kind: column(row, 0)?,
                    event_type: column(row, 1)?,
                    schema_version: u32::try_from(column::<i64>(row, 2)?).unwrap_or(u32::MAX),
                })
            };
            rows.iter().map(shape).collect()
        })
    }

    /// The log's end, whoever moved it.
    fn head(&self) -> Option<Asked<'_, Position>> {
        Some(Box::pin(async move {
            let rows = self.rows(HEAD, &[]).await?;
            match rows.first() {
                Some(row) => Ok(unsigned(column(row, 0)?)),
                None => Err(LogError::Storage("the log's head is missing".to_owned())),
            }
        }))
    }

    fn verify(&self, since: Anchor) -> Asked<'_, Verdict> {
        Box::pin(self.verified(since))
    }
}
