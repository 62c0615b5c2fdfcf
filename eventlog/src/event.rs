//! An event as the log holds it.

use std::sync::Arc;

use domain::aggregate::Decide;
use domain::id::UserId;
use domain::moment::Moment;
use uuid::Uuid;

use crate::actor::Actor;
use crate::error::CodecError;
use crate::seal::Keyring;
use crate::stream::{Position, Revision, StreamId};

/// A SHA-256 value.
pub type Hash = [u8; 32];

/// An event as the log holds it: who, when, why, its readable payload and its sealed part.
#[derive(Debug, Clone)]
pub struct RecordedEvent {
    /// Place in the global order.
    pub position: Position,
    /// Which stream.
    pub stream: StreamId,
    /// Place in the stream.
    pub revision: Revision,
    /// Unique name.
    pub event_id: Uuid,
    /// The stored type, e.g. `PaymentOpened`.
    pub event_type: String,
    /// Version of the shape.
    pub schema_version: u32,
    /// When the log wrote it.
    pub recorded_at: Moment,
    /// When it happened, as the command said.
    pub occurred_at: Moment,
    /// Who caused it.
    pub actor: Actor,
    /// The command it came from.
    pub command_id: Option<Uuid>,
    /// The request or flow it belongs to.
    pub correlation_id: Uuid,
    /// The event it follows from.
    pub causation_id: Option<Uuid>,
    /// Whose key seals its personal data.
    pub subject_id: Option<UserId>,
    /// Readable JSON.
    pub payload: Arc<[u8]>,
    /// Personal data, encrypted.
    pub sealed: Option<Arc<[u8]>>,
    /// SHA-256 of the payload.
    pub payload_digest: Hash,
    /// SHA-256 of the sealed bytes.
    pub sealed_digest: Option<Hash>,
    /// Hash of this event alone.
    pub leaf: Hash,
    /// Hash of the whole log up to and with this event.
    pub chain: Hash,
    /// What opens the sealed part.
    pub keys: Keyring,
}

impl RecordedEvent {
    /// The event itself; its personal data is `Sealed(None)` when the subject was forgotten.
    ///
    /// # Errors
    /// When the stored form and the aggregate's event do not go together, or the sealed part was changed.
    pub fn decode<A: Decide>(&self) -> Result<A::Event, CodecError> {
        self.fact().decode::<A>()
    }

    /// The event itself with its personal data left sealed.
    ///
    /// # Errors
    /// When the stored form and the aggregate's event do not go together.
    pub fn decode_sealed<A: Decide>(&self) -> Result<A::Event, CodecError> {
        self.fact().decode_sealed::<A>()
    }

    /// The personal data as JSON bytes; `None` when there is none or its subject was forgotten.
    ///
    /// # Errors
    /// When the sealed part was changed, or the keys cannot be read.
    pub fn personal(&self) -> Result<Option<Vec<u8>>, CodecError> {
        self.fact().personal()
    }
}
