//! Why history cannot be changed unnoticed: every event's hash covers all its columns, and every chain value covers
//! the whole log before it.

use sha2::{Digest as _, Sha256};

use crate::event::{Hash, RecordedEvent};

/// The chain's value before the first event.
pub const GENESIS: Hash = [0; 32];

/// SHA-256 of some bytes.
pub fn digest(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

/// The hash of one event alone: its columns, each with its length before it, with the digests of the payload and of
/// the *ciphertext*, so that forgetting a person leaves every hash valid.
pub fn leaf(event: &RecordedEvent) -> Hash {
    let mut hash = Sha256::new();
    let mut column = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_be_bytes());
        hash.update(bytes);
    };
    column(&event.position.to_be_bytes());
    column(event.stream.kind.as_bytes());
    column(event.stream.id.as_bytes());
    column(&event.revision.to_be_bytes());
    column(event.event_id.as_bytes());
    column(event.event_type.as_bytes());
    column(&event.schema_version.to_be_bytes());
    column(&event.recorded_at.timestamp_micros().to_be_bytes());
    column(&event.occurred_at.timestamp_micros().to_be_bytes());
    column(&[event.actor.kind.code()]);
    column(event.actor.id.as_ref().map_or(&[], |id| id.as_bytes()));
    column(event.command_id.as_ref().map_or(&[], |id| id.as_bytes()));
    column(event.correlation_id.as_bytes());
    column(event.causation_id.as_ref().map_or(&[], |id| id.as_bytes()));
    column(event.subject_id.as_ref().map_or(&[], |id| id.0.as_bytes()));
    column(&event.payload_digest);
    column(
        event
            .sealed_digest
            .as_ref()
            .map_or(&[], |digest| digest.as_slice()),
    );
    hash.finalize().into()
}

/// The chain's value after an event with this leaf.
pub fn link(before: &Hash, leaf: &Hash) -> Hash {
    Sha256::new()
        .chain_update(before)
        .chain_update(leaf)
        .finalize()
        .into()
}
