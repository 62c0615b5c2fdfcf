//! Names and numbers of streams.

use std::collections::HashSet;
use std::fmt;
use std::sync::OnceLock;

use domain::aggregate::Decide;
use domain::id::StreamKey;
use domain::moment::Moment;
use parking_lot::RwLock;
use uuid::Uuid;

/// An event's place in the global order: later events have greater ones. 0 means "before everything". Dense, from 1 on,
/// where the engine says so ([`Capabilities`](crate::port::Capabilities)).
pub type Position = u64;

/// An event's place in its stream: dense, the first event is 1. 0 means "no such stream".
pub type Revision = u64;

/// Names one stream: what kind of thing it tells about, and which one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId {
    /// The aggregate's [`Decide::KIND`].
    pub kind: &'static str,
    /// Which one.
    pub id: Uuid,
}

impl StreamId {
    /// The stream of the aggregate `A` named `key`.
    pub fn of<A: Decide>(key: impl StreamKey) -> Self {
        Self {
            kind: A::KIND,
            id: key.uuid(),
        }
    }

    /// A stream whose kind was read from storage rather than named by the code.
    pub fn stored(kind: &str, id: Uuid) -> Self {
        Self {
            kind: interned(kind),
            id,
        }
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.kind, self.id)
    }
}

/// Seconds for which a name counts as given just now.
const YOUNG: u64 = 1;

/// True when a name was given just now, so that hardly anything will be known by it yet.
pub(crate) fn named_just_now(name: Uuid, now: Moment) -> bool {
    let given = name.get_timestamp().map(|given| given.to_unix());
    given.is_some_and(|(seconds, _)| {
        let age = seconds.cast_signed().abs_diff(now.timestamp());
        name.get_version_num() == 7 && age <= YOUNG
    })
}

/// Kinds are few and live as long as the process, so each is kept once and never freed.
fn interned(kind: &str) -> &'static str {
    static KINDS: OnceLock<RwLock<HashSet<&'static str>>> = OnceLock::new();
    let kinds = KINDS.get_or_init(RwLock::default);
    if let Some(known) = kinds.read().get(kind) {
        return known;
    }
    let mut kinds = kinds.write();
    if let Some(known) = kinds.get(kind) {
        return known;
    }
    let kept: &'static str = Box::leak(kind.to_owned().into_boxed_str());
    kinds.insert(kept);
    kept
}
