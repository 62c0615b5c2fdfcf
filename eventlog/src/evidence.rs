//! What proves the log besides its chain, and where an engine keeps it: the roots of its segments and its signed heads.
//! None of it is on an append's way; all of it is made from what is durable.

use futures::future::BoxFuture;

use crate::error::LogError;
use crate::event::Hash;
use crate::signed_head::{PublicKey, SignedHead};
use crate::stream::Position;
use crate::verify::Anchor;

/// Events in one segment.
pub const SEGMENT: u64 = 4_096;

/// What an engine answers, later.
pub type Answer<'a, T> = BoxFuture<'a, Result<T, LogError>>;

/// The root over a segment's leaves: events `number * SEGMENT + 1` to `(number + 1) * SEGMENT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredSegment {
    /// From 0.
    pub number: u64,
    /// `None` where the row holds no hash.
    pub root: Option<Hash>,
}

/// The first event of a segment.
pub fn first_of(segment: u64) -> Position {
    segment * SEGMENT + 1
}

/// The last event of a segment.
pub(crate) fn last_of(segment: u64) -> Position {
    (segment + 1) * SEGMENT
}

/// A row of signed heads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredHead {
    /// Of the event it speaks of.
    pub position: Position,
    /// `None` where the row holds no head.
    pub head: Option<SignedHead>,
    /// The chain's value at the event it names, when there is such an event.
    pub chain: Option<Hash>,
}

/// An engine's part.
pub trait Evidence: Send + Sync {
    /// The log's end, as its head row says.
    fn end(&self) -> Answer<'_, Anchor>;

    /// The leaves of the events after one position through another, in order, as far as they are there.
    fn leaves(&self, after: Position, through: Position) -> Answer<'_, Vec<(Position, Hash)>>;

    /// The segments from a number on, in order.
    fn segments(&self, from: u64) -> Answer<'_, Vec<StoredSegment>>;

    /// Keeps the roots of segments that have none.
    fn add_segments(&self, segments: Vec<(u64, Hash)>) -> Answer<'_, ()>;

    /// The last head at or before a position and all after it, in order.
    fn heads(&self, from: Position) -> Answer<'_, Vec<StoredHead>>;

    /// The last head signed at or before a time, in microseconds UTC.
    fn head_signed_before(&self, time_us: i64) -> Answer<'_, Option<StoredHead>>;

    /// The head that reaches farthest.
    fn last_head(&self) -> Answer<'_, Option<StoredHead>>;

    /// Keeps a head with its key, durably, unless another than `head.previous` is the last one by now; says whether it did.
    fn add_head(&self, head: SignedHead, key: PublicKey) -> Answer<'_, bool>;

    /// The keys that have signed heads here; whether they count is not for the database to say.
    fn keys(&self) -> Answer<'_, Vec<PublicKey>>;
}
