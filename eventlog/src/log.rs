//! The handle everybody holds.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use domain::aggregate::Decide;
use domain::id::{StreamKey, UserId};
use domain::moment::Moment;
use tokio::sync::watch;
use uuid::Uuid;

use crate::actor::Actor;
use crate::append::{Append, Appended};
use crate::branch::Branch;
use crate::commit;
use crate::condition::Condition;
use crate::context::Context;
use crate::error::{AppendError, CodecError, LogError};
use crate::event::RecordedEvent;
use crate::evidence::Evidence;
use crate::fact::{Fact, Folded, Folding};
use crate::grouped::Grouped;
use crate::handles::HandleHasher;
use crate::hot::HotStates;
use crate::loaded::Loaded;
use crate::memory::Memory;
use crate::past::Until;
use crate::plan::Head;
use crate::port::{Backend, Capabilities, Pending};
use crate::seal::{Keyring, Place};
use crate::shapes::StoredShape;
use crate::snapshot::{SnapshotStore, Snapshots};
use crate::stream::{Position, Revision, StreamId};
use crate::verify::{Anchor, Verdict};
use crate::without::Without;

/// Appends of one bulk on their way at a time, so that others still find room in line.
const IN_FLIGHT: usize = 4_096;

/// Events at the log's end whose people are looked for among the keys.
const LAST_EVENTS: usize = 2_000;

/// The append-only log. A cheap handle: clone it freely.
#[derive(Clone)]
pub struct EventLog {
    backend: Arc<dyn Backend>,
    keys: Keyring,
    handles: HandleHasher,
    pub(crate) hot: Arc<HotStates>,
    pub(crate) snapshots: Snapshots,
}

impl EventLog {
    /// A log in memory, gone with its last handle.
    pub fn memory() -> Self {
        let memory = Memory::default();
        let keys = Keyring::memory();
        let backend = Grouped::start(memory.clone(), memory, keys.clone(), Head::default());
        Self::on(backend, keys, HandleHasher::random())
    }

    /// A log that `backend` keeps, with the keys and the secret that lie apart from it.
    pub fn on(backend: impl Backend, keys: Keyring, handles: HandleHasher) -> Self {
        let hot = Arc::default();
        keys.opens_for(&hot);
        Self {
            backend: Arc::new(backend),
            keys,
            handles,
            hot,
            snapshots: Snapshots::default(),
        }
    }

    /// Lets nothing be written once a file of another part is gone, emptied or another one: what the log says was done with it would
    /// be lost. `what_to_do` is told then. Does nothing where the log lies in no file.
    pub fn needs(&self, path: &Path, what_to_do: &'static str) {
        self.backend.needs(path, what_to_do);
    }

    /// What the engine can do.
    pub fn capabilities(&self) -> Capabilities {
        self.backend.capabilities()
    }

    /// Keeps folded states of long streams in `store`: a cache of this node, whatever the engine.
    #[must_use]
    pub fn with_snapshots(mut self, store: Box<dyn SnapshotStore>) -> Self {
        self.snapshots = Snapshots::kept_in(store, self.keys.clone());
        self
    }

    /// This log as it stood at a position that is 0 or an event's: it ends there and takes no writes. A keeper of the handle lets
    /// go of it when [`EventLog::era`] has moved: its folded states may hold what was personal.
    #[must_use]
    pub fn until(&self, end: Position) -> Self {
        Self {
            backend: Arc::new(Until::new(self.backend.clone(), end)),
            keys: self.keys.clone(),
            handles: self.handles.clone(),
            hot: Arc::default(),
            snapshots: Snapshots::default(),
        }
    }

    /// A branch of this log from a position that is 0 or an event's (row N3): it takes writes and keeps them in memory, and this log
    /// never holds them. For one task that awaits each append; gone with its last handle.
    #[must_use]
    pub fn branch(&self, from: Position) -> Self {
        Self {
            backend: Arc::new(Branch::new(self.backend.clone(), self.keys.clone(), from)),
            ..self.until(from)
        }
    }

    /// This log as if the event at a position had not been recorded (row N3): what followed from it stays. It takes no writes; a
    /// branch of it does.
    #[must_use]
    pub fn without(&self, left_out: Position) -> Self {
        Self {
            backend: Arc::new(Without::new(self.backend.clone(), left_out)),
            ..self.until(left_out)
        }
    }

    /// Moves whenever a person's key was destroyed: what was read before may hold their data.
    pub fn era(&self) -> u64 {
        self.hot.era()
    }

    /// The keys of personal data.
    pub fn keys(&self) -> &Keyring {
        &self.keys
    }

    /// Adds all of it or nothing, durably before the answer.
    ///
    /// # Errors
    /// [`AppendError::Conflict`] when a named stream has moved on; [`AppendError::CommandReused`], [`AppendError::Busy`].
    pub async fn append(&self, append: Append) -> Result<Appended, AppendError> {
        let streams: Vec<StreamId> = append.streams.iter().map(|part| part.stream).collect();
        let answer = self.settled(self.send(append)?).await;
        for stream in streams {
            self.hot.evict(stream);
        }
        answer
    }

    /// Writes many appends in order, each all or nothing, in as few transactions as they fit: for a first start or an
    /// import. Says the last position of all. After an error some of the later ones may still be written.
    ///
    /// # Errors
    /// The first error of any of them.
    pub async fn append_many(&self, appends: Vec<Append>) -> Result<Position, AppendError> {
        let mut pending = std::collections::VecDeque::new();
        let mut last = 0;
        for append in appends {
            while pending.len() >= IN_FLIGHT {
                if let Some(oldest) = pending.pop_front() {
                    last = last.max(settled(oldest).await?.last);
                }
            }
            for part in &append.streams {
                self.hot.evict(part.stream);
            }
            let mut offered = self.backend.offer(append);
            // Somebody else may have filled the line; what is on its way makes room.
            while let Err(refused) = offered {
                let Some(oldest) = pending.pop_front() else {
                    return Err(refused.error);
                };
                last = last.max(settled(oldest).await?.last);
                offered = self.backend.offer(refused.append);
            }
            pending.extend(offered.ok());
        }
        for waiting in pending {
            last = last.max(settled(waiting).await?.last);
        }
        Ok(last)
    }

    /// Puts a request in line at once; the answer comes when it is durable.
    ///
    /// # Errors
    /// When there is no room, or the log is closed.
    pub fn send(&self, append: Append) -> Result<Pending, AppendError> {
        self.backend.offer(append).map_err(|refused| refused.error)
    }

    /// Waits for an answer, and does not sleep when it is about to come.
    ///
    /// # Errors
    /// As [`EventLog::append`].
    pub async fn settled(&self, mut pending: Pending) -> Result<Appended, AppendError> {
        if let Some(within) = self.backend.soon() {
            let begun = Instant::now();
            while begun.elapsed() < within {
                if let Ok(answer) = pending.try_recv() {
                    return answer;
                }
                tokio::task::yield_now().await;
            }
        }
        settled(pending).await
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
        self.backend.read_stream(*stream, after, limit).await
    }

    /// Up to `limit` events of the whole log, in order, after a position that is 0 or an event's. Follow with
    /// [`EventLog::watch`].
    ///
    /// # Errors
    /// When the storage fails.
    pub async fn read_all(&self, after: Position, limit: usize) -> Result<Vec<RecordedEvent>, LogError> {
        self.backend.read_all(after, limit).await
    }

    /// Up to `limit` events of one request or flow, in whatever streams, in order, after a position. SQLite and PostgreSQL have
    /// an index of them, KurrentDB reads the whole log.
    ///
    /// # Errors
    /// When the storage fails.
    pub async fn read_correlated(
        &self,
        correlation_id: Uuid,
        after: Position,
        limit: usize,
    ) -> Result<Vec<RecordedEvent>, LogError> {
        self.backend.read_correlated(correlation_id, after, limit).await
    }

    /// Folds up to `limit` events of a stream, in order, after a revision, without making whole events of them. `step` runs
    /// where it may block.
    ///
    /// # Errors
    /// When the storage fails, or whatever `step` says.
    pub async fn fold_stream<S: Send + 'static>(
        &self,
        stream: &StreamId,
        (after, limit): (Revision, usize),
        state: S,
        step: impl FnMut(&mut S, Fact<'_>) -> Result<(), LogError> + Send + 'static,
    ) -> Result<Folded<S>, LogError> {
        let (folding, taker) = Folding::of(state, step);
        self.backend.fold_stream(*stream, after, limit, taker).await?;
        folding.end()
    }

    /// The same of the whole log, after a position that is 0 or an event's.
    ///
    /// # Errors
    /// When the storage fails, or whatever `step` says.
    pub async fn fold_all<S: Send + 'static>(
        &self,
        (after, limit): (Position, usize),
        state: S,
        step: impl FnMut(&mut S, Fact<'_>) -> Result<(), LogError> + Send + 'static,
    ) -> Result<Folded<S>, LogError> {
        let (folding, taker) = Folding::of(state, step);
        self.backend.fold_all(after, limit, taker).await?;
        folding.end()
    }

    /// All events from the one at `first` to the one at `last`, both included; nothing for a `first` of 0.
    ///
    /// # Errors
    /// When the storage fails.
    pub async fn span(&self, first: Position, last: Position) -> Result<Vec<RecordedEvent>, LogError> {
        if first == 0 {
            return Ok(Vec::new());
        }
        self.backend.span(first, last).await
    }

    /// The shapes of events that the log holds.
    ///
    /// # Errors
    /// When the storage fails.
    pub async fn shapes(&self) -> Result<BTreeSet<StoredShape>, LogError> {
        self.backend.shapes().await
    }

    /// The position of the last event; 0 for an empty log.
    ///
    /// # Errors
    /// When the storage fails.
    pub async fn head(&self) -> Result<Position, LogError> {
        self.backend.head().await
    }

    /// State of writes to the log.
    pub fn condition(&self) -> Condition {
        self.backend.condition()
    }

    /// Wakes its holder whenever the log has grown.
    pub fn watch(&self) -> watch::Receiver<Position> {
        self.backend.watch()
    }

    /// Destroys the key under which a person's data is sealed: all of it, for ever, everywhere. The caller appends the
    /// event that says so, and clears its own read models.
    ///
    /// # Errors
    /// When the key could not be destroyed.
    pub async fn forget_subject(&self, subject: UserId) -> Result<(), LogError> {
        let (keys, snapshots) = (self.keys.clone(), self.snapshots.clone());
        let forgotten = threads::spawn_blocking(move || {
            keys.forget(subject)?;
            snapshots.forget(subject)
        })
        .await;
        self.hot.clear();
        forgotten.unwrap_or_else(|error| Err(LogError::Storage(error.to_string())))
    }

    /// Lets go at once of whom another process has forgotten, which is heard of within a second otherwise: for whoever may not
    /// answer from what is known of them.
    ///
    /// # Errors
    /// When the keys cannot be read.
    pub async fn let_go_of_forgotten(&self) -> Result<(), LogError> {
        let keys = self.keys.clone();
        let looked = threads::spawn_blocking(move || keys.refresh()).await;
        looked.unwrap_or_else(|error| Err(LogError::Storage(error.to_string())))
    }

    /// Whether the keys at hand are another log's: `None` when they know of anybody in its last events, or nobody is in
    /// those; else the last event about somebody.
    ///
    /// # Errors
    /// When log or keys cannot be read.
    pub async fn without_keys(&self) -> Result<Option<Position>, LogError> {
        // Where positions do not count events, it cannot be said where the last ones begin.
        if !self.capabilities().dense_positions {
            return Ok(None);
        }
        let from = self.head().await?.saturating_sub(LAST_EVENTS as Position);
        let events = self.backend.read_all(from, LAST_EVENTS).await?;
        let sealed = events.iter().filter(|event| event.sealed.is_some());
        let (positions, subjects): (Vec<Position>, BTreeSet<UserId>) = sealed
            .filter_map(|event| Some((event.position, event.subject_id?)))
            .unzip();
        let Some(last) = positions.last().copied() else {
            return Ok(None);
        };
        let (keys, subjects) = (self.keys.clone(), subjects.into_iter().collect::<Vec<_>>());
        let knows = tokio::task::spawn_blocking(move || keys.knows_any(&subjects)).await;
        let knows = knows.unwrap_or_else(|error| Err(LogError::Storage(error.to_string())))?;
        Ok((!knows).then_some(last))
    }

    /// Asks the store of keys a question about nobody.
    ///
    /// # Errors
    /// When it does not answer, or the log cannot be read.
    pub async fn keys_answer(&self) -> Result<(), LogError> {
        let keys = self.keys.clone();
        let asked = threads::spawn_blocking(move || keys.strangers(&[UserId(Uuid::nil())]));
        let asked = asked.await;
        asked
            .unwrap_or_else(|error| Err(LogError::Storage(error.to_string())))
            .map(drop)
    }

    /// Encrypts a person's file under their key, for the one place that `file_id` names; `None` once they were forgotten.
    /// The bytes are kept by the caller; without the key they are noise.
    ///
    /// # Errors
    /// When the keys cannot be read or written.
    pub async fn seal_file(
        &self,
        subject: UserId,
        file_id: Uuid,
        plain: Vec<u8>,
    ) -> Result<Option<Vec<u8>>, LogError> {
        let keys = self.keys.clone();
        let known = threads::spawn_blocking(move || {
            if !keys.has_stock() {
                keys.prepare(&[subject])?;
            }
            keys.knows(subject)
        });
        if !known
            .await
            .unwrap_or_else(|error| Err(LogError::Storage(error.to_string())))?
        {
            self.give_a_key(subject).await?;
        }
        let keys = self.keys.clone();
        let sealed = threads::spawn_blocking(move || keys.seal(subject, &file_place(file_id), &plain));
        sealed
            .await
            .unwrap_or_else(|error| Err(LogError::Storage(error.to_string())))
    }

    /// New people get their keys from the writer alone, so that nobody gets two.
    async fn give_a_key(&self, subject: UserId) -> Result<(), LogError> {
        let mut append = Append::new(&Context::new(Moment::UNIX_EPOCH, Actor::SYSTEM));
        append.keys_for.push(subject);
        match self.append(append).await {
            Ok(_) => Ok(()),
            Err(AppendError::Log(error)) => Err(error),
            Err(error) => Err(LogError::Unavailable(error.to_string())),
        }
    }

    /// Decrypts what [`EventLog::seal_file`] made; `None` once the person was forgotten.
    ///
    /// # Errors
    /// When the keys cannot be read, or the bytes are not what was sealed.
    pub async fn open_file(
        &self,
        subject: UserId,
        file_id: Uuid,
        sealed: Vec<u8>,
    ) -> Result<Option<Vec<u8>>, CodecError> {
        let keys = self.keys.clone();
        let opened =
            threads::spawn_blocking(move || keys.open_sealed(subject, &file_place(file_id), &sealed));
        opened.await.unwrap_or(Err(CodecError::Keys))
    }

    /// Keyed hashes for look-ups by e-mail and phone.
    pub fn handles(&self) -> &HandleHasher {
        &self.handles
    }

    /// Recomputes every hash after `since` (from the beginning: [`Anchor::GENESIS`]) up to the present end.
    ///
    /// # Errors
    /// When the storage cannot be read at all; damage is a [`Verdict`].
    pub async fn verify(&self, since: Anchor) -> Result<Verdict, LogError> {
        self.backend.verify(since).await
    }

    /// Where the engine keeps segments and signed heads.
    pub(crate) fn evidence(&self) -> Result<&dyn Evidence, LogError> {
        self.backend.capabilities().needs_chain("proving the log")?;
        self.backend.evidence().ok_or(LogError::Closed)
    }

    /// The aggregate's state and where its stream stands, from what is durable.
    ///
    /// # Errors
    /// When the storage fails or an event cannot be read.
    pub async fn load<A: Decide>(&self, key: impl StreamKey) -> Result<Loaded<A>, LogError> {
        commit::load(self, key).await
    }
}

/// Waits for an answer.
async fn settled(pending: Pending) -> Result<Appended, AppendError> {
    pending.await.unwrap_or(Err(AppendError::Log(LogError::Closed)))
}

/// Files have no place in the log; theirs is their own name.
fn file_place(file_id: Uuid) -> Place<'static> {
    Place {
        stream: StreamId {
            kind: "file",
            id: file_id,
        },
        revision: 0,
        event_type: "file",
    }
}
