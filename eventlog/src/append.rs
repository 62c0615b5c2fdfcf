//! What is asked of the log, and what it answers.

use domain::aggregate::Decide;
use domain::id::{StreamKey, UserId};
use uuid::Uuid;

use crate::codec;
use crate::context::Context;
use crate::error::CodecError;
use crate::event::Hash;
use crate::loaded::Loaded;
use crate::stream::{Position, Revision, StreamId};

/// Where a stream must stand for an append to go through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Anywhere.
    Any,
    /// At this revision; 0 means that the stream must not exist.
    Revision(Revision),
    /// At this revision, with this very event as its last: what a decision on a folded state needs, because that
    /// state may hold events that were still on their way and then lost to another writer.
    After {
        /// The revision the state was folded to.
        revision: Revision,
        /// The last event folded in; `None` at revision 0.
        last: Option<Uuid>,
    },
}

impl<A> Loaded<A> {
    /// Where the stream must still stand for what was decided on this state to hold.
    pub const fn expected(&self) -> Expected {
        Expected::After {
            revision: self.revision,
            last: self.last_event,
        }
    }
}

/// An event on its way into the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// Its name for ever: time-ordered, unique.
    pub event_id: Uuid,
    /// The stored type.
    pub event_type: String,
    /// The version of its shape.
    pub schema_version: u32,
    /// Its readable JSON.
    pub payload: Vec<u8>,
    /// Whose key seals `personal`.
    pub subject: Option<UserId>,
    /// Personal data as JSON, sealed by the log before it is stored.
    pub personal: Option<Vec<u8>>,
}

impl NewEvent {
    /// What it holds, as JSON.
    pub(crate) fn bytes(&self) -> usize {
        self.payload.len() + self.personal.as_ref().map_or(0, Vec::len)
    }
}

/// Events for one stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamAppend {
    /// Which stream.
    pub stream: StreamId,
    /// Where it must stand.
    pub expected: Expected,
    /// What is to be added, in order.
    pub events: Vec<NewEvent>,
}

/// A stream that must not have moved, though nothing is added to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard {
    /// Which stream.
    pub stream: StreamId,
    /// Where it must stand.
    pub expected: Expected,
}

/// One indivisible addition: all of it is written, or nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Append {
    /// When, who, why; holds the command id.
    pub context: Context,
    /// The additions, each stream named once.
    pub streams: Vec<StreamAppend>,
    /// Streams that must stand still.
    pub guards: Vec<Guard>,
    /// Bytes to be given back when the command comes again.
    pub reply: Option<Vec<u8>>,
    /// What the command id stands for, where that is more than what the context says.
    pub digest: Option<Hash>,
    /// Asks only: answers a known command and checks the guards, writes nothing.
    pub probe: bool,
    /// People who are to have a key after it, whether or not anything is sealed under it here.
    pub(crate) keys_for: Vec<UserId>,
}

impl Append {
    /// An addition of nothing yet.
    pub fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            streams: Vec::new(),
            guards: Vec::new(),
            reply: None,
            digest: None,
            probe: false,
            keys_for: Vec::new(),
        }
    }

    /// Adds what the aggregate decided on the `loaded` state; conflicts when anybody else was faster.
    ///
    /// # Errors
    /// When an event has no JSON form.
    pub fn decision<A: Decide>(
        self,
        key: impl StreamKey,
        loaded: &Loaded<A>,
        events: &[A::Event],
    ) -> Result<Self, CodecError> {
        self.events::<A>(key, loaded.expected(), events)
    }

    /// Adds events of the aggregate `A`, to a stream that must stand where `expected` says.
    ///
    /// # Errors
    /// When an event has no JSON form.
    pub fn events<A: Decide>(
        mut self,
        key: impl StreamKey,
        expected: Expected,
        events: &[A::Event],
    ) -> Result<Self, CodecError> {
        let events = events.iter().map(codec::encode).collect::<Result<_, _>>()?;
        self.streams.push(StreamAppend {
            stream: StreamId::of::<A>(key),
            expected,
            events,
        });
        Ok(self)
    }

    /// Demands that another stream stands where `expected` says.
    #[must_use]
    pub fn guard(mut self, stream: StreamId, expected: Expected) -> Self {
        self.guards.push(Guard { stream, expected });
        self
    }

    /// What the command id stands for, so that using it for something else is refused.
    pub fn stands_for(&self) -> Hash {
        self.digest.or(self.context.command_digest).unwrap_or_default()
    }

    /// Nothing to write, nothing to look at, and no command to remember.
    pub(crate) fn changes_nothing(&self) -> bool {
        self.streams.is_empty() && self.guards.is_empty() && self.context.command_id.is_none()
    }

    /// Keeps bytes to be given back when the command comes again.
    #[must_use]
    pub fn reply(mut self, reply: Vec<u8>) -> Self {
        self.reply = Some(reply);
        self
    }
}

/// What an append came to. A repeated command gets what the first one got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    /// Position of the first event; 0 when there was none.
    pub first: Position,
    /// Position of the last event; 0 when there was none.
    pub last: Position,
    /// True when this very command was done before, and nothing was written now.
    pub repeated: bool,
    /// The bytes kept with [`Append::reply`].
    pub reply: Option<Vec<u8>>,
}

impl Appended {
    /// An append that had nothing to write.
    pub(crate) const fn nothing(reply: Option<Vec<u8>>) -> Self {
        Self {
            first: 0,
            last: 0,
            repeated: false,
            reply,
        }
    }
}
