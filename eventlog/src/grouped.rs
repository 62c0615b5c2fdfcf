//! The backend of every storage that has transactions: the group-commit writer, the ring of what it wrote last, and the
//! storage's own readers.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use uuid::Uuid;

use crate::append::Append;
use crate::condition::Condition;
use crate::engine::Engine;
use crate::event::RecordedEvent;
use crate::evidence::Evidence;
use crate::fact::{self, Taker};
use crate::memory::Memory;
use crate::plan::Head;
use crate::port::{Asked, Backend, Capabilities, Pending, Refused};
use crate::ring::Ring;
use crate::seal::Keyring;
use crate::shapes::StoredShape;
use crate::stream::{Position, Revision, StreamId};
use crate::verify::{self, Anchor, Verdict};
use crate::writer::{self, Announce, Mailbox, Wake};
use crate::{postgres, sqlite};

/// The reading side of a storage.
#[derive(Clone)]
pub(crate) enum Reads {
    Memory(Memory),
    Sqlite(sqlite::Readers),
    Postgres(postgres::Readers),
}

/// A writer and the readers of what it writes.
pub(crate) struct Grouped {
    mailbox: Mailbox,
    head: watch::Receiver<Position>,
    ring: Arc<Ring>,
    reads: Reads,
}

impl Grouped {
    /// Starts the writer on an engine whose log ends at `end`.
    pub(crate) fn start(engine: impl Engine, reads: Reads, keys: Keyring, end: Head) -> Self {
        Self::around(reads, end, |announce| (writer::start(engine, keys, announce), ())).0
    }

    /// As [`Grouped::start`] on memory, with a writer that somebody else moves on.
    #[cfg(any(debug_assertions, feature = "simulation"))]
    pub(crate) fn by_hand<E: Engine>(
        engine: E,
        memory: Memory,
        keys: Keyring,
        end: Head,
    ) -> (Self, writer::ByHand<E>) {
        Self::around(Reads::Memory(memory), end, |announce| {
            writer::ByHand::new(engine, keys, announce)
        })
    }

    fn around<W>(reads: Reads, end: Head, writing: impl FnOnce(Announce) -> (Mailbox, W)) -> (Self, W) {
        let ring = Arc::new(Ring::default());
        let (sender, head) = watch::channel(end.position);
        let (mailbox, writer) = writing(Announce {
            ring: ring.clone(),
            head: sender,
            known: end,
        });
        let grouped = Self {
            mailbox,
            head,
            ring,
            reads,
        };
        (grouped, writer)
    }

    /// A bell for whoever hears of other nodes.
    pub(crate) fn wake(&self) -> Wake {
        self.mailbox.wake()
    }
}

impl Backend for Grouped {
    fn capabilities(&self) -> Capabilities {
        Capabilities::grouped(match &self.reads {
            Reads::Memory(_) => "memory",
            Reads::Sqlite(_) => "SQLite",
            Reads::Postgres(_) => "PostgreSQL",
        })
    }

    fn offer(&self, append: Append) -> Result<Pending, Box<Refused>> {
        self.mailbox.offer(append)
    }

    fn soon(&self) -> Option<Duration> {
        self.mailbox.soon()
    }

    fn condition(&self) -> Condition {
        self.mailbox.condition()
    }

    fn read_stream(&self, stream: StreamId, after: Revision, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        Box::pin(async move {
            match &self.reads {
                Reads::Memory(memory) => Ok(memory.read_stream(&stream, after, limit)),
                Reads::Sqlite(readers) => readers.read_stream(stream, after, limit).await,
                Reads::Postgres(readers) => readers.read_stream(stream, after, limit).await,
            }
        })
    }

    fn read_all(&self, after: Position, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        Box::pin(async move {
            if let Some(recent) = self.ring.after(after, limit) {
                return Ok(recent);
            }
            match &self.reads {
                Reads::Memory(memory) => Ok(memory.read_all(after, limit)),
                Reads::Sqlite(readers) => readers.read_all(after, limit).await,
                Reads::Postgres(readers) => readers.read_all(after, limit).await,
            }
        })
    }

    fn read_correlated(
        &self,
        correlation_id: Uuid,
        after: Position,
        limit: usize,
    ) -> Asked<'_, Vec<RecordedEvent>> {
        Box::pin(async move {
            match &self.reads {
                Reads::Memory(memory) => Ok(memory.read_correlated(correlation_id, after, limit)),
                Reads::Sqlite(readers) => readers.read_correlated(correlation_id, after, limit).await,
                Reads::Postgres(readers) => readers.read_correlated(correlation_id, after, limit).await,
            }
        })
    }

    fn fold_stream(&self, stream: StreamId, after: Revision, limit: usize, taker: Taker) -> Asked<'_, ()> {
        Box::pin(async move {
            match &self.reads {
                Reads::Memory(memory) => fact::give(&memory.read_stream(&stream, after, limit), taker),
                Reads::Sqlite(readers) => readers.fold_stream(stream, after, limit, taker).await,
                Reads::Postgres(readers) => readers.fold_stream(stream, after, limit, taker).await,
            }
        })
    }

    fn fold_all(&self, after: Position, limit: usize, taker: Taker) -> Asked<'_, ()> {
        Box::pin(async move {
            if let Some(recent) = self.ring.after(after, limit) {
                return fact::give(&recent, taker);
            }
            match &self.reads {
                Reads::Memory(memory) => fact::give(&memory.read_all(after, limit), taker),
                Reads::Sqlite(readers) => readers.fold_all(after, limit, taker).await,
                Reads::Postgres(readers) => readers.fold_all(after, limit, taker).await,
            }
        })
    }

    fn span(&self, first: Position, last: Position) -> Asked<'_, Vec<RecordedEvent>> {
        let count = usize::try_from((last + 1).saturating_sub(first)).unwrap_or(usize::MAX);
        self.read_all(first.saturating_sub(1), count)
    }

    fn head(&self) -> Asked<'_, Position> {
        Box::pin(async move {
            match &self.reads {
                Reads::Memory(_) | Reads::Sqlite(_) => Ok(*self.head.borrow()),
                Reads::Postgres(readers) => readers.head().await,
            }
        })
    }

    fn watch(&self) -> watch::Receiver<Position> {
        self.head.clone()
    }

    fn shapes(&self) -> Asked<'_, BTreeSet<StoredShape>> {
        Box::pin(async move {
            match &self.reads {
                Reads::Memory(memory) => Ok(memory.shapes()),
                Reads::Sqlite(readers) => readers.shapes().await,
                Reads::Postgres(readers) => readers.shapes().await,
            }
        })
    }

    fn verify(&self, since: Anchor) -> Asked<'_, Verdict> {
        Box::pin(async move {
            match &self.reads {
                Reads::Memory(memory) => Ok(verify::sequence(
                    since,
                    memory.read_all(since.position, usize::MAX),
                )),
                Reads::Sqlite(readers) => readers.verify(since).await,
                Reads::Postgres(readers) => readers.verify(since).await,
            }
        })
    }

    fn evidence(&self) -> Option<&dyn Evidence> {
        Some(match &self.reads {
            Reads::Memory(memory) => memory,
            Reads::Sqlite(readers) => readers,
            Reads::Postgres(readers) => readers,
        })
    }
}
