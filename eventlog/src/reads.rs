//! The reading side of an engine whose batches the group-commit writer makes.

use std::collections::BTreeSet;
use std::path::Path;

use uuid::Uuid;

use crate::event::RecordedEvent;
use crate::evidence::Evidence;
use crate::fact::Taker;
use crate::port::{Asked, Capabilities};
use crate::shapes::StoredShape;
use crate::stream::{Position, Revision, StreamId};
use crate::verify::{Anchor, Verdict};

/// What is asked of a storage besides writing. What each question means says [`Backend`](crate::port::Backend).
pub trait Reads: Evidence + Send + Sync + 'static {
    /// What it can do: [`Capabilities::grouped`] of its name.
    fn capabilities(&self) -> Capabilities;

    /// Up to `limit` events of a stream, in order, after a revision.
    fn read_stream(&self, stream: StreamId, after: Revision, limit: usize) -> Asked<'_, Vec<RecordedEvent>>;

    /// Up to `limit` events of the whole log, in order, after a position.
    fn read_all(&self, after: Position, limit: usize) -> Asked<'_, Vec<RecordedEvent>>;

    /// Up to `limit` events of one request or flow, in order, after a position.
    fn read_correlated(
        &self,
        correlation_id: Uuid,
        after: Position,
        limit: usize,
    ) -> Asked<'_, Vec<RecordedEvent>>;

    /// Gives up to `limit` events of a stream to a fold, in order, after a revision.
    fn fold_stream(&self, stream: StreamId, after: Revision, limit: usize, taker: Taker) -> Asked<'_, ()>;

    /// The same of the whole log, after a position.
    fn fold_all(&self, after: Position, limit: usize, taker: Taker) -> Asked<'_, ()>;

    /// The log's end where other processes may move it; `None` where the writer of this one knows it.
    fn head(&self) -> Option<Asked<'_, Position>> {
        None
    }

    /// The shapes of events that the log holds.
    fn shapes(&self) -> Asked<'_, BTreeSet<StoredShape>>;

    /// Recomputes every hash after `since`.
    fn verify(&self, since: Anchor) -> Asked<'_, Verdict>;

    /// Lets nothing be written once a file of another part is gone, emptied or another one.
    fn needs(&self, _path: &Path, _what_to_do: &'static str) {}
}
