//! An event as a fold needs it: which stream, what happened, its payload. Nothing of it is copied, and what proves it stays
//! where it is (decision 0009).

use std::sync::Arc;

use domain::aggregate::Decide;
use domain::id::UserId;
use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::codec;
use crate::error::{CodecError, LogError};
use crate::event::RecordedEvent;
use crate::seal::{Keyring, Place};
use crate::stream::{Position, Revision, StreamId};

/// What a fold reads of an event, borrowed from where it lies.
#[derive(Debug, Clone, Copy)]
pub struct Fact<'e> {
    /// Place in the global order.
    pub position: Position,
    /// Which stream.
    pub stream: StreamId,
    /// Place in the stream.
    pub revision: Revision,
    /// Unique name.
    pub event_id: Uuid,
    /// The stored type.
    pub event_type: &'e str,
    /// Version of the shape.
    pub schema_version: u32,
    /// Whose key seals its personal data.
    pub subject_id: Option<UserId>,
    /// Readable JSON.
    pub payload: &'e [u8],
    /// Personal data, encrypted.
    pub sealed: Option<&'e [u8]>,
    /// What opens the sealed part.
    pub keys: &'e Keyring,
}

impl Fact<'_> {
    /// The event itself; its personal data is `Sealed(None)` when the subject was forgotten.
    ///
    /// # Errors
    /// When the stored form and the aggregate's event do not go together, or the sealed part was changed.
    pub fn decode<A: Decide>(&self) -> Result<A::Event, CodecError> {
        codec::decode::<A>(self)
    }

    /// The event itself with its personal data left sealed.
    ///
    /// # Errors
    /// When the stored form and the aggregate's event do not go together.
    pub fn decode_sealed<A: Decide>(&self) -> Result<A::Event, CodecError> {
        codec::decode_as::<A, A::Event>(self)
    }

    /// So much of the event as `T` takes from its JSON, which is `{"Variant":{…}}` in today's shape; what is personal stays sealed.
    ///
    /// # Errors
    /// When the stored form and `T` do not go together.
    pub fn part<A: Decide, T: DeserializeOwned>(&self) -> Result<T, CodecError> {
        codec::decode_as::<A, T>(self)
    }

    /// The personal data as JSON bytes; `None` when there is none or its subject was forgotten.
    pub(crate) fn personal(&self) -> Result<Option<Vec<u8>>, CodecError> {
        let (Some(subject), Some(sealed)) = (self.subject_id, self.sealed) else {
            return Ok(None);
        };
        let place = Place {
            stream: self.stream,
            revision: self.revision,
            event_type: self.event_type,
        };
        self.keys.open_sealed(subject, &place, sealed)
    }
}

impl RecordedEvent {
    /// What a fold reads of it.
    pub fn fact(&self) -> Fact<'_> {
        Fact {
            position: self.position,
            stream: self.stream,
            revision: self.revision,
            event_id: self.event_id,
            event_type: &self.event_type,
            schema_version: self.schema_version,
            subject_id: self.subject_id,
            payload: &self.payload,
            sealed: self.sealed.as_deref(),
            keys: &self.keys,
        }
    }
}

/// Takes in events one by one, in order, wherever they are read.
pub type Taker = Box<dyn FnMut(Fact<'_>) -> Result<(), LogError> + Send>;

/// What came of a fold over some events.
#[derive(Debug)]
pub struct Folded<S> {
    /// The state after them.
    pub state: S,
    /// How many there were.
    pub events: usize,
    /// The position of the last of them; 0 when there were none.
    pub last: Position,
}

/// A fold that somebody else carries out.
pub(crate) struct Folding<S>(Arc<Mutex<Option<Folded<S>>>>);

impl<S: Send + 'static> Folding<S> {
    /// Begins with `state`, and says what takes the events in.
    pub(crate) fn of(
        state: S,
        mut step: impl FnMut(&mut S, Fact<'_>) -> Result<(), LogError> + Send + 'static,
    ) -> (Self, Taker) {
        let shared = Arc::new(Mutex::new(Some(Folded {
            state,
            events: 0,
            last: 0,
        })));
        let taking = shared.clone();
        let taker = Box::new(move |fact: Fact<'_>| {
            let mut folded = taking.lock();
            let folded = folded.as_mut().ok_or(LogError::Closed)?;
            folded.events += 1;
            folded.last = fact.position;
            step(&mut folded.state, fact)
        });
        (Self(shared), taker)
    }

    /// What came of it.
    pub(crate) fn end(self) -> Result<Folded<S>, LogError> {
        self.0.lock().take().ok_or(LogError::Closed)
    }
}

/// Gives a page of whole events to a fold.
pub(crate) fn give(events: &[RecordedEvent], mut taker: Taker) -> Result<(), LogError> {
    events.iter().try_for_each(|event| taker(event.fact()))
}
