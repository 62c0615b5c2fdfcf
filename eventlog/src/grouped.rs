//! The backend of every storage that has transactions: the group-commit writer, the ring of what it wrote last, and the
//! storage's own readers.

use std::collections::BTreeSet;
use std::future::ready;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use uuid::Uuid;

use crate::append::Append;
use crate::condition::Condition;
use crate::engine::Engine;
use crate::event::RecordedEvent;
use crate::evidence::Evidence;
use crate::fact::Taker;
use crate::plan::Head;
use crate::port::{Asked, Backend, Capabilities, Pending, Refused};
use crate::reads::Reads;
use crate::ring::Ring;
use crate::seal::Keyring;
use crate::shapes::StoredShape;
use crate::stream::{Position, Revision, StreamId};
use crate::verify::{Anchor, Verdict};
use crate::writer::{self, Announce, Mailbox};

pub use crate::writer::Wake;

/// A writer and the readers of what it writes.
pub struct Grouped {
    mailbox: Mailbox,
    head: watch::Receiver<Position>,
    ring: Arc<Ring>,
    reads: Box<dyn Reads>,
}

impl Grouped {
    /// Starts the writer on an engine whose log ends at `end`, with the readers of what it writes.
    pub fn start(engine: impl Engine, reads: impl Reads, keys: Keyring, end: Head) -> Self {
        Self::around(Box::new(reads), end, |announce| {
            (writer::start(engine, keys, announce), ())
        })
        .0
    }

    /// As [`Grouped::start`], with a writer that its caller moves on.
    #[cfg(any(debug_assertions, feature = "simulation"))]
    pub(crate) fn by_hand<E: Engine>(
        engine: E,
        reads: impl Reads,
        keys: Keyring,
        end: Head,
    ) -> (Self, writer::ByHand<E>) {
        Self::around(Box::new(reads), end, |announce| {
            writer::ByHand::new(engine, keys, announce)
        })
    }

    fn around<W>(
        reads: Box<dyn Reads>,
        end: Head,
        writing: impl FnOnce(Announce) -> (Mailbox, W),
    ) -> (Self, W) {
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

    /// Whether what memory has after a position may end before the log does: another process may have written what nobody here
    /// has heard of yet, and who was answered by it finds it here.
    fn may_lack(&self, recent: &[RecordedEvent], limit: usize) -> bool {
        recent.len() < limit && self.reads.head().is_some()
    }

    /// What wakes the writer when another node has written; it does not keep the writer alive.
    pub fn wake(&self) -> Wake {
        self.mailbox.wake()
    }
}

impl Backend for Grouped {
    fn capabilities(&self) -> Capabilities {
        self.reads.capabilities()
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
        self.reads.read_stream(stream, after, limit)
    }

    fn read_all(&self, after: Position, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        let Some(mut recent) = self.ring.after(after, limit) else {
            return self.reads.read_all(after, limit);
        };
        if !self.may_lack(&recent, limit) {
            return Box::pin(ready(Ok(recent)));
        }
        let last = recent.last().map_or(after, |event| event.position);
        let rest = self.reads.read_all(last, limit - recent.len());
        Box::pin(async move {
            recent.extend(rest.await?);
            Ok(recent)
        })
    }

    fn read_correlated(
        &self,
        correlation_id: Uuid,
        after: Position,
        limit: usize,
    ) -> Asked<'_, Vec<RecordedEvent>> {
        self.reads.read_correlated(correlation_id, after, limit)
    }

    fn fold_stream(&self, stream: StreamId, after: Revision, limit: usize, taker: Taker) -> Asked<'_, ()> {
        self.reads.fold_stream(stream, after, limit, taker)
    }

    fn fold_all(&self, after: Position, limit: usize, taker: Taker) -> Asked<'_, ()> {
        let Some(recent) = self.ring.after(after, limit) else {
            return self.reads.fold_all(after, limit, taker);
        };
        let mut taker = taker;
        Box::pin(async move {
            recent.iter().try_for_each(|event| taker(event.fact()))?;
            if !self.may_lack(&recent, limit) {
                return Ok(());
            }
            let last = recent.last().map_or(after, |event| event.position);
            self.reads.fold_all(last, limit - recent.len(), taker).await
        })
    }

    fn span(&self, first: Position, last: Position) -> Asked<'_, Vec<RecordedEvent>> {
        let count = usize::try_from((last + 1).saturating_sub(first)).unwrap_or(usize::MAX);
        self.read_all(first.saturating_sub(1), count)
    }

    fn head(&self) -> Asked<'_, Position> {
        match self.reads.head() {
            Some(asked) => asked,
            None => Box::pin(ready(Ok(*self.head.borrow()))),
        }
    }

    fn watch(&self) -> watch::Receiver<Position> {
        self.head.clone()
    }

    fn shapes(&self) -> Asked<'_, BTreeSet<StoredShape>> {
        self.reads.shapes()
    }

    fn verify(&self, since: Anchor) -> Asked<'_, Verdict> {
        self.reads.verify(since)
    }

    fn needs(&self, path: &Path, what_to_do: &'static str) {
        self.reads.needs(path, what_to_do);
    }

    fn evidence(&self) -> Option<&dyn Evidence> {
        Some(&*self.reads)
    }
}
