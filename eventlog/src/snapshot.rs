//! Folded states of long streams, kept aside so that a load need not fold them from the beginning. A cache of this node's
//! own: never the truth, thrown away whenever in doubt (decision 0009). Where it lies is a [`SnapshotStore`].

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use domain::aggregate::Decide;
use domain::id::UserId;
use uuid::Uuid;

use crate::error::LogError;
use crate::loaded::Loaded;
use crate::measure;
use crate::seal::{Keyring, Place};
use crate::stream::{Revision, StreamId};
use threads::{Mutex, Slip};

/// Streams up to this long are folded from the beginning.
pub(crate) const SHORT: usize = 256;
/// One of so many states that are found is folded anew, to see that it is right.
const SAMPLE: u64 = 32;

/// What is kept of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// How far it was folded.
    pub revision: Revision,
    /// The last event folded in.
    pub last_event: Uuid,
    /// Whose key seals the state; without one the stream holds nothing personal.
    pub subject: Option<UserId>,
    /// The state as JSON, sealed where there is a subject.
    pub state: Vec<u8>,
}

/// Where states are kept. One that fails or is lost costs time and nothing else.
pub trait SnapshotStore: Send {
    /// What is kept of a stream by the rules of this program (`domain::RULES`).
    ///
    /// # Errors
    /// When it cannot be read.
    fn find(&mut self, stream: StreamId) -> Result<Option<Kept>, LogError>;

    /// Keeps a state in place of what was kept of its stream.
    ///
    /// # Errors
    /// When it cannot be written.
    fn keep(&mut self, stream: StreamId, kept: &Kept) -> Result<(), LogError>;

    /// Drops what is kept of a stream.
    ///
    /// # Errors
    /// When it cannot be written.
    fn drop_one(&mut self, stream: StreamId) -> Result<(), LogError>;

    /// Drops what is kept of all streams of a kind.
    ///
    /// # Errors
    /// When it cannot be written.
    fn drop_kind(&mut self, kind: &str) -> Result<(), LogError>;

    /// Drops whatever is kept about a person, and leaves nothing of it behind.
    ///
    /// # Errors
    /// When it cannot be written.
    fn forget(&mut self, subject: UserId) -> Result<(), LogError>;
}

/// The states of this node, if it keeps any. A cheap handle.
#[derive(Clone, Default)]
pub(crate) struct Snapshots(Option<Arc<Shelf>>);

struct Shelf {
    file: Mutex<Box<dyn SnapshotStore>>,
    keys: Keyring,
    found: AtomicU64,
    /// Kinds of which one state was wrong: none of them is used again by this process.
    distrusted: Mutex<HashSet<&'static str>>,
}

/// A state that could be read, and whose personal data went into it.
type Readable<A> = (Loaded<A>, Option<UserId>);

/// A state from the shelf, and whether it is to be folded anew beside its use.
pub(crate) struct Found<A> {
    pub(crate) loaded: Loaded<A>,
    /// Whose personal data went into it.
    pub(crate) subject: Option<UserId>,
    pub(crate) is_sample: bool,
}

impl Snapshots {
    /// States kept in `store`, sealed with the keys of their people.
    pub(crate) fn kept_in(store: Box<dyn SnapshotStore>, keys: Keyring) -> Self {
        Self(Some(Arc::new(Shelf {
            file: Mutex::new(store),
            keys,
            found: AtomicU64::default(),
            distrusted: Mutex::default(),
        })))
    }

    /// The state kept of a stream, when there is one that can be read. Trouble counts as none.
    pub(crate) async fn find<A: Decide>(&self, stream: StreamId) -> Option<Found<A>> {
        let store = self.0.clone()?;
        if store.distrusted.lock().contains(stream.kind) {
            return None;
        }
        let number = store.found.fetch_add(1, Relaxed);
        let found = threads::spawn_blocking(move || store.find::<A>(stream)).await;
        let (loaded, subject) = match found {
            Ok(Ok(found)) => found?,
            Ok(Err(error)) => {
                tracing::warn!(%error, "a snapshot could not be read");
                return None;
            }
            Err(_) => return None,
        };
        Some(Found {
            loaded,
            subject,
            is_sample: number.is_multiple_of(SAMPLE),
        })
    }

    /// Keeps a durable state in the background. `subjects` are all whose personal data went into it; of more than one
    /// nothing is kept, because a state is sealed under one key.
    pub(crate) fn keep<A: Decide>(&self, stream: StreamId, loaded: &Loaded<A>, subjects: &BTreeSet<UserId>) {
        let (Some(store), Some(last_event), true) = (self.0.clone(), loaded.last_event, subjects.len() <= 1)
        else {
            return;
        };
        let (subject, revision, state) = (subjects.first().copied(), loaded.revision, loaded.state.clone());
        drop(threads::spawn_blocking(move || {
            let kept = serde_json::to_vec(&state).map(|state| Kept {
                revision,
                last_event,
                subject,
                state,
            });
            match kept.map_err(|error| LogError::Storage(error.to_string())) {
                Ok(kept) => drop(store.keep(stream, kept).inspect_err(told)),
                Err(error) => told(&error),
            }
        }));
    }

    /// Compares a state with the fold of its stream; a wrong one ends the trust in its kind.
    pub(crate) fn compare<A: Decide>(&self, stream: StreamId, kept: &Loaded<A>, folded: &Loaded<A>) {
        let value = |loaded: &Loaded<A>| serde_json::to_value(&loaded.state).ok();
        let is_right = kept.last_event == folded.last_event && value(kept) == value(folded);
        measure::snapshot_checked(is_right);
        if let (false, Some(store)) = (is_right, &self.0) {
            tracing::error!(%stream, revision = kept.revision, "a snapshot was wrong: none of its kind is used any more");
            store.distrusted.lock().insert(stream.kind);
            drop(store.file.lock().drop_kind(stream.kind).inspect_err(told));
        }
    }

    /// Drops whatever was kept about a person.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn forget(&self, subject: UserId) -> Result<(), LogError> {
        let Some(store) = &self.0 else { return Ok(()) };
        store.file.lock().forget(subject)
    }
}

impl Shelf {
    fn find<A: Decide>(&self, stream: StreamId) -> Result<Option<Readable<A>>, LogError> {
        let kept = self.file.lock().find(stream)?;
        let Some(kept) = kept else {
            return Ok(None);
        };
        let state = match kept.subject {
            None => Some(kept.state),
            // Sealed for somebody who was forgotten, or changed: of no use either way.
            Some(subject) => self
                .keys
                .open_sealed(subject, &place(stream, kept.revision), &kept.state)
                .unwrap_or_default(),
        };
        let state = state.and_then(|json| serde_json::from_slice(&json).ok());
        let Some(state) = state else {
            self.file.lock().drop_one(stream)?;
            return Ok(None);
        };
        let loaded = Loaded {
            state,
            revision: kept.revision,
            last_event: Some(kept.last_event),
        };
        Ok(Some((loaded, kept.subject)))
    }

    fn keep(&self, stream: StreamId, mut kept: Kept) -> Result<(), LogError> {
        if let Some(subject) = kept.subject {
            // Without a key there is nobody any more.
            let Some(sealed) = self
                .keys
                .seal(subject, &place(stream, kept.revision), &kept.state)?
            else {
                return Ok(());
            };
            kept.state = sealed;
        }
        let is_distrusted = || self.distrusted.lock().contains(stream.kind);
        let early = Slip::TrustAskedEarly.is_made().then(is_distrusted);
        let mut file = self.file.lock();
        // Asked with the file in hand: what is distrusted from now on is dropped after this.
        if early.unwrap_or_else(is_distrusted) {
            return Ok(());
        }
        file.keep(stream, &kept)
    }
}

fn place(stream: StreamId, revision: Revision) -> Place<'static> {
    Place {
        stream,
        revision,
        event_type: "snapshot",
    }
}

fn told(error: &LogError) {
    tracing::warn!(%error, "a snapshot could not be kept");
}

#[cfg(all(test, feature = "schedules"))]
mod schedules;
