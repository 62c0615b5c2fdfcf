//! The handle everybody holds.

use std::sync::Arc;

use domain::aggregate::Decide;
use domain::id::{StreamKey, UserId};
use tokio::sync::watch;

use crate::append::{Append, Appended};
use crate::error::{AppendError, LogError};
use crate::event::RecordedEvent;
use crate::hot::HotStates;
use crate::memory::Memory;
use crate::ring::Ring;
use crate::seal::Keyring;
use crate::stream::{Position, Revision, StreamId};
use crate::writer::{self, Announce, Mailbox, Pending};

/// The append-only log. A cheap handle: clone it freely.
#[derive(Clone)]
pub struct EventLog {
    mailbox: Mailbox,
    head: watch::Receiver<Position>,
    ring: Arc<Ring>,
    reads: Reads,
    keys: Keyring,
    pub(crate) hot: Arc<HotStates>,
}

#[derive(Clone)]
enum Reads {
    Memory(Memory),
}

impl EventLog {
    /// A log in memory, gone with its last handle.
    pub fn memory() -> Self {
        let memory = Memory::default();
        let keys = Keyring::default();
        let ring = Arc::new(Ring::default());
        let (sender, head) = watch::channel(0);
        let mailbox = writer::start(
            memory.clone(),
            keys.clone(),
            Announce {
                ring: ring.clone(),
                head: sender,
            },
        );
        Self {
            mailbox,
            head,
            ring,
            reads: Reads::Memory(memory),
            keys,
            hot: Arc::default(),
        }
    }

    /// Adds all of it or nothing, durably before the answer.
    ///
    /// # Errors
    /// [`AppendError::Conflict`] when a named stream has moved on; [`AppendError::CommandReused`], [`AppendError::Busy`].
    pub async fn append(&self, append: Append) -> Result<Appended, AppendError> {
        let streams: Vec<StreamId> = append.streams.iter().map(|part| part.stream).collect();
        let answer = settled(self.send(append)?).await;
        for stream in streams {
            self.hot.evict(stream);
        }
        answer
    }

    /// Puts a request in line at once; the answer comes when it is durable.
    pub(crate) fn send(&self, append: Append) -> Result<Pending, AppendError> {
        self.mailbox.send(append)
    }

    /// Up to `limit` events of a stream, in order, after a revision.
    ///
    /// # Errors
    /// When the storage fails.
    pub async fn read_stream(
        &self,
        stream: &StreamId,
        after: Revision,
        limit: usize,
    ) -> Result<Vec<RecordedEvent>, LogError> {
        match &self.reads {
            Reads::Memory(memory) => Ok(memory.read_stream(stream, after, limit)),
        }
    }

    /// Up to `limit` events of the whole log, in order, after a position. Follow with [`EventLog::watch`].
    ///
    /// # Errors
    /// When the storage fails.
    pub async fn read_all(&self, after: Position, limit: usize) -> Result<Vec<RecordedEvent>, LogError> {
        if let Some(recent) = self.ring.after(after, limit) {
            return Ok(recent);
        }
        match &self.reads {
            Reads::Memory(memory) => Ok(memory.read_all(after, limit)),
        }
    }

    /// The position of the last event; 0 for an empty log.
    ///
    /// # Errors
    /// When the storage fails.
    pub async fn head(&self) -> Result<Position, LogError> {
        Ok(*self.head.borrow())
    }

    /// Wakes its holder whenever the log has grown.
    pub fn watch(&self) -> watch::Receiver<Position> {
        self.head.clone()
    }

    /// Destroys the key under which a person's data is sealed: all of it, for ever, everywhere. The caller appends the
    /// event that says so, and clears its own read models.
    ///
    /// # Errors
    /// When the key could not be destroyed.
    pub async fn forget_subject(&self, subject: UserId) -> Result<(), LogError> {
        self.keys.forget(subject)?;
        self.hot.clear();
        Ok(())
    }

    /// The aggregate's state and where its stream stands, from what is durable.
    ///
    /// # Errors
    /// When the storage fails or an event cannot be read.
    pub async fn load<A: Decide>(&self, key: impl StreamKey) -> Result<crate::Loaded<A>, LogError> {
        crate::commit::load(self, key).await
    }
}

/// Waits for an answer.
pub(crate) async fn settled(pending: Pending) -> Result<Appended, AppendError> {
    pending.await.unwrap_or(Err(AppendError::Log(LogError::Closed)))
}
