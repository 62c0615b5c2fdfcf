//! What the log asks of whatever keeps it, for the crates of the engines. The group-commit writer ([`crate::grouped`]) is the
//! backend of all that store a batch in one transaction; an engine with another way of writing brings a backend of its own.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::{oneshot, watch};
use uuid::Uuid;

pub use crate::chain::{digest, leaf};
pub use crate::codec::encode;
pub use crate::evidence::{Answer, Evidence, SEGMENT, StoredHead, StoredSegment, first_of};
pub use crate::fact::Taker;
pub use crate::key_store::{Footing, Given, KeyId, KeyState, KeyStore, Pair, SubjectKey};
pub use crate::private_file::private;
pub use crate::ring::Ring;
pub use crate::seal::{Keyring, Place};
pub use crate::snapshot::{Kept, SnapshotStore};

use crate::append::{Append, Appended};
use crate::condition::Condition;
use crate::error::{AppendError, LogError};
use crate::event::RecordedEvent;
use crate::fact;
use crate::shapes::StoredShape;
use crate::stream::{Position, Revision, StreamId};
use crate::verify::{Anchor, Verdict};

/// Events read at once by whoever looks through the whole log.
const PAGE: usize = 5_000;

/// An answer on its way.
pub type Pending = oneshot::Receiver<Result<Appended, AppendError>>;

/// What comes of a question to the storage.
pub type Asked<'b, T> = BoxFuture<'b, Result<T, LogError>>;

/// A request for which there was no room.
#[derive(Debug)]
pub struct Refused {
    /// The request, given back.
    pub append: Append,
    /// Why.
    pub error: AppendError,
}

/// How additions to several streams become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeveralStreams {
    /// In one transaction of the storage.
    AtOnce,
    /// In steps that nobody sees before the last: until then all of them can be taken back.
    InSteps,
}

/// What an engine can do beyond the order of its events and the ends of its streams, which all can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
    /// The engine's name, as its makers write it.
    pub engine: &'static str,
    /// How an append over several streams is made.
    pub several_streams: SeveralStreams,
    /// Positions are 1, 2, 3 …: their difference counts events, and any of them may be asked for.
    pub dense_positions: bool,
    /// Every event is linked to all before it, so that history can be verified and proved.
    pub chain: bool,
}

impl Capabilities {
    /// What the group-commit writer gives to every storage below it.
    pub const fn grouped(engine: &'static str) -> Self {
        Self {
            engine,
            several_streams: SeveralStreams::AtOnce,
            dense_positions: true,
            chain: true,
        }
    }

    /// Refuses `what` where there is no chain of hashes.
    ///
    /// # Errors
    /// One sentence that names the engine and what there is instead.
    pub fn needs_chain(&self, what: &str) -> Result<(), LogError> {
        if self.chain {
            return Ok(());
        }
        Err(LogError::Refused(format!(
            "{what} needs the chain of hashes, which a log in {} does not have: use `sqlite:` or `postgres://` for a log \
             that can be verified",
            self.engine
        )))
    }
}

/// The storage of a log and its way of writing.
pub trait Backend: Send + Sync + 'static {
    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// Puts a request in line at once, or gives it back. Requests that name the same stream or command are decided in the
    /// order of these calls; the answer comes when the addition is durable and readers of this handle see it.
    ///
    /// # Errors
    /// When there is no room, or the log is closed.
    fn offer(&self, append: Append) -> Result<Pending, Box<Refused>>;

    /// How long the answer to the only request under way may take, when it is hardly worth sleeping.
    fn soon(&self) -> Option<Duration> {
        None
    }

    /// Up to `limit` events of a stream, in order, after a revision.
    fn read_stream(&self, stream: StreamId, after: Revision, limit: usize) -> Asked<'_, Vec<RecordedEvent>>;

    /// Gives up to `limit` events of a stream to a fold, in order, after a revision.
    fn fold_stream(&self, stream: StreamId, after: Revision, limit: usize, taker: Taker) -> Asked<'_, ()> {
        Box::pin(async move { fact::give(&self.read_stream(stream, after, limit).await?, taker) })
    }

    /// The same of the whole log, after a position that is 0 or an event's.
    fn fold_all(&self, after: Position, limit: usize, taker: Taker) -> Asked<'_, ()> {
        Box::pin(async move { fact::give(&self.read_all(after, limit).await?, taker) })
    }

    /// Up to `limit` events of the whole log, in order, after a position that is 0 or an event's.
    fn read_all(&self, after: Position, limit: usize) -> Asked<'_, Vec<RecordedEvent>>;

    /// Up to `limit` events of one request or flow, in whatever streams, in order, after a position. An engine without an
    /// index of them reads the log through.
    fn read_correlated(
        &self,
        correlation_id: Uuid,
        after: Position,
        limit: usize,
    ) -> Asked<'_, Vec<RecordedEvent>> {
        Box::pin(async move {
            let (mut found, mut reached) = (Vec::new(), after);
            while found.len() < limit {
                let page = self.read_all(reached, PAGE).await?;
                let Some(last) = page.last() else { break };
                reached = last.position;
                let of_it = page
                    .into_iter()
                    .filter(|event| event.correlation_id == correlation_id);
                found.extend(of_it.take(limit - found.len()));
            }
            Ok(found)
        })
    }

    /// All events from the one at `first` to the one at `last`.
    fn span(&self, first: Position, last: Position) -> Asked<'_, Vec<RecordedEvent>>;

    /// The position of the last event; 0 for an empty log.
    fn head(&self) -> Asked<'_, Position>;

    /// Wakes its holder whenever the log has grown.
    fn watch(&self) -> watch::Receiver<Position>;

    /// The shapes of events that the log holds.
    fn shapes(&self) -> Asked<'_, BTreeSet<StoredShape>>;

    /// Whether writes are taken. An engine on a server of its own has no disk here that could fail.
    fn condition(&self) -> Condition {
        Condition::Well
    }

    /// Recomputes every hash after `since`.
    fn verify(&self, since: Anchor) -> Asked<'_, Verdict>;

    /// Lets nothing be written once a file of another part is gone, emptied or another one; `what_to_do` is told then. Does
    /// nothing where the log lies in no file.
    fn needs(&self, _path: &Path, _what_to_do: &'static str) {}

    /// Where segments and signed heads are kept; nowhere in an engine without a chain.
    fn evidence(&self) -> Option<&dyn Evidence> {
        None
    }
}
