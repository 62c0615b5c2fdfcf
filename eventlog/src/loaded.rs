//! A folded state, and how far it goes.

use uuid::Uuid;

use crate::stream::Revision;

/// A state, and where its stream stood.
#[derive(Debug, Clone)]
pub struct Loaded<A> {
    /// The fold of all events up to `revision`.
    pub state: A,
    /// 0 when there is no such stream.
    pub revision: Revision,
    /// The last event folded in.
    pub last_event: Option<Uuid>,
}

impl<A: Default> Loaded<A> {
    /// A stream without events.
    pub fn beginning() -> Self {
        Self {
            state: A::default(),
            revision: 0,
            last_event: None,
        }
    }
}
