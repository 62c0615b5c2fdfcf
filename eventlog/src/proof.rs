//! Shows somebody who has nothing but a public key that an event belongs to the signed log: its columns, the path from its
//! leaf to its segment's root, the path from there to the signed root. What is personal stays sealed and outside; its
//! digest is part of the leaf, so a proof stays good when the person was forgotten.

use std::sync::Arc;

use domain::id::UserId;
use domain::moment::Moment;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::actor::{Actor, ActorKind};
use crate::chain;
use crate::error::LogError;
use crate::event::{Hash, RecordedEvent};
use crate::evidence::SEGMENT;
use crate::hexadecimal;
use crate::log::EventLog;
use crate::merkle;
use crate::notary::parts_at;
use crate::seal::Keyring;
use crate::signed_head::{PublicKey, SignedHead};
use crate::stream::{Position, Revision, StreamId};

/// The layout of a proof; a later one gets the next number.
const FORMAT: u32 = 1;

/// 32 bytes, as digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Digits(#[serde(with = "hexadecimal")] Hash);

/// An event's columns; of what is personal, the digest of the ciphertext alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Columns {
    position: Position,
    stream_kind: String,
    stream_id: Uuid,
    revision: Revision,
    event_id: Uuid,
    event_type: String,
    schema_version: u32,
    recorded_at_us: i64,
    occurred_at_us: i64,
    actor_kind: u8,
    actor_id: Option<Uuid>,
    command_id: Option<Uuid>,
    correlation_id: Uuid,
    causation_id: Option<Uuid>,
    subject_id: Option<Uuid>,
    /// JSON, byte for byte.
    payload: String,
    sealed_digest: Option<Digits>,
}

/// That an event belongs to the log as it was signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    format: u32,
    event: Columns,
    leaf: Digits,
    /// From the leaf to the root of its segment.
    segment_path: Vec<Digits>,
    /// From the segment's root to the signed one.
    log_path: Vec<Digits>,
    head: SignedHead,
}

/// Why a proof is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProofFault {
    #[error("it has layout {0}, and this program knows {FORMAT}")]
    Format(u32),
    #[error("an event's column holds what no event has: {0}")]
    Column(&'static str),
    #[error("the event's columns are not those that were hashed into its leaf")]
    Leaf,
    #[error("the event is of after the signed head")]
    Beyond,
    #[error("the path through the event's segment does not fit its place")]
    SegmentPath,
    #[error("leaf and paths do not lead to the signed root")]
    Root,
    #[error("the head names the key {named}, and this one is {given}")]
    Key { named: String, given: String },
    #[error("the signature is not the key's, or the head was changed")]
    Signature,
}

/// Where an event lies in the trees of a log that ends at `end`: segment, place in it, events in it, segments.
fn places(position: Position, end: Position) -> (u64, usize, usize, usize) {
    let (number, index) = ((position - 1) / SEGMENT, (position - 1) % SEGMENT);
    let size = SEGMENT.min(end - number * SEGMENT);
    let small = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    (number, small(index), small(size), small(end.div_ceil(SEGMENT)))
}

impl EventLog {
    /// The proof that the event at a position belongs to the log as it was last signed. It was checked: none is given that
    /// would be refused.
    ///
    /// # Errors
    /// When there is no such event, no head was signed at it or behind it, the log is not what was signed, or the storage fails.
    pub async fn prove(&self, position: Position) -> Result<Proof, LogError> {
        let refused = |said: String| LogError::Refused(said);
        let before = position
            .checked_sub(1)
            .ok_or_else(|| refused("the first event is event 1".to_owned()))?;
        let found = self.read_all(before, 1).await?.into_iter().next();
        let event = found.ok_or_else(|| refused(format!("the log holds no event {position}")))?;
        let evidence = self.evidence()?;
        let last = evidence.last_head().await?.and_then(|stored| stored.head);
        let head = last.filter(|head| head.position >= position).ok_or_else(|| {
            refused(format!(
                "event {position} is not signed yet: the server signs every minute and when it stops"
            ))
        })?;
        let (mut roots, rest) = parts_at(evidence, head.position).await?;
        let (number, index, _, _) = places(position, head.position);
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        let leaves = if place < roots.len() {
            crate::notary::whole(evidence, number * SEGMENT, (number + 1) * SEGMENT).await?
        } else {
            rest.clone()
        };
        if !rest.is_empty() {
            roots.push(merkle::root(&rest));
        }
        let digits = |path: Vec<Hash>| path.into_iter().map(Digits).collect();
        let proof = Proof {
            format: FORMAT,
            event: Columns::of(&event)?,
            leaf: Digits(event.leaf),
            segment_path: digits(merkle::path(&leaves, index)),
            log_path: digits(merkle::path(&roots, place)),
            head,
        };
        let keys = evidence.keys().await?;
        proof.checked_by(&keys).map_err(|fault| {
            refused(format!(
                "event {position} cannot be proved, for its proof would be refused ({fault}): run `latchkey verify`"
            ))
        })?;
        Ok(proof)
    }
}

impl EventLog {
    /// The public keys that signed heads of this log, as its database knows them.
    ///
    /// # Errors
    /// When the engine keeps no heads, or the storage fails.
    pub async fn signing_keys(&self) -> Result<Vec<PublicKey>, LogError> {
        self.evidence()?.keys().await
    }
}

impl Proof {
    /// The kind of the stream that the event belongs to.
    pub fn stream_kind(&self) -> &str {
        &self.event.stream_kind
    }

    /// The event as the proof states it, with what is personal left out. It says nothing before [`Proof::check`] has.
    ///
    /// # Errors
    /// When a column holds what no event has.
    pub fn event(&self) -> Result<RecordedEvent, ProofFault> {
        self.event.record()
    }

    /// The event it speaks of.
    pub fn position(&self) -> Position {
        self.event.position
    }

    /// The head that vouches for it.
    pub fn head(&self) -> &SignedHead {
        &self.head
    }

    /// What the event says, without what is personal.
    pub fn event_type(&self) -> &str {
        &self.event.event_type
    }

    /// Checks it with the one of these keys that its head names.
    fn checked_by(&self, keys: &[PublicKey]) -> Result<(), ProofFault> {
        // A key is kept together with the first head that it signs, so who changed the head has named another.
        let named = keys.iter().find(|key| key.id() == self.head.key);
        self.check(named.ok_or(ProofFault::Signature)?)
    }

    /// Follows the proof from the event's columns to the signature. Needs nothing but itself and the key.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub fn check(&self, key: &PublicKey) -> Result<(), ProofFault> {
        if self.format != FORMAT {
            return Err(ProofFault::Format(self.format));
        }
        if chain::leaf(&self.event.record()?) != self.leaf.0 {
            return Err(ProofFault::Leaf);
        }
        let (position, end) = (self.event.position, self.head.position);
        if position == 0 || position > end {
            return Err(ProofFault::Beyond);
        }
        let (number, index, size, count) = places(position, end);
        let plain = |path: &[Digits]| path.iter().map(|it| it.0).collect::<Vec<Hash>>();
        let segment = merkle::root_by(&self.leaf.0, index, size, &plain(&self.segment_path));
        let segment = segment.ok_or(ProofFault::SegmentPath)?;
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        if merkle::root_by(&segment, place, count, &plain(&self.log_path)) != Some(self.head.root) {
            return Err(ProofFault::Root);
        }
        if self.head.key != key.id() {
            let (named, given) = (self.head.key.to_string(), key.id().to_string());
            return Err(ProofFault::Key { named, given });
        }
        if key.has_signed(&self.head) {
            Ok(())
        } else {
            Err(ProofFault::Signature)
        }
    }
}

impl Columns {
    fn of(event: &RecordedEvent) -> Result<Self, LogError> {
        let payload = String::from_utf8(event.payload.to_vec()).map_err(|_| {
            let position = event.position;
            LogError::Refused(format!(
                "the payload of event {position} is no text: run `latchkey verify`"
            ))
        })?;
        Ok(Self {
            position: event.position,
            stream_kind: event.stream.kind.to_owned(),
            stream_id: event.stream.id,
            revision: event.revision,
            event_id: event.event_id,
            event_type: event.event_type.clone(),
            schema_version: event.schema_version,
            recorded_at_us: event.recorded_at.timestamp_micros(),
            occurred_at_us: event.occurred_at.timestamp_micros(),
            actor_kind: event.actor.kind.code(),
            actor_id: event.actor.id,
            command_id: event.command_id,
            correlation_id: event.correlation_id,
            causation_id: event.causation_id,
            subject_id: event.subject_id.map(|subject| subject.0),
            payload,
            sealed_digest: event.sealed_digest.map(Digits),
        })
    }

    fn record(&self) -> Result<RecordedEvent, ProofFault> {
        let moment = |micros| Moment::from_timestamp_micros(micros).ok_or(ProofFault::Column("a time"));
        let kind = ActorKind::from_code(self.actor_kind.into())
            .ok_or(ProofFault::Column("the kind of its actor"))?;
        Ok(RecordedEvent {
            position: self.position,
            stream: StreamId::stored(&self.stream_kind, self.stream_id),
            revision: self.revision,
            event_id: self.event_id,
            event_type: self.event_type.clone(),
            schema_version: self.schema_version,
            recorded_at: moment(self.recorded_at_us)?,
            occurred_at: moment(self.occurred_at_us)?,
            actor: Actor {
                kind,
                id: self.actor_id,
            },
            command_id: self.command_id,
            correlation_id: self.correlation_id,
            causation_id: self.causation_id,
            subject_id: self.subject_id.map(UserId),
            payload_digest: chain::digest(self.payload.as_bytes()),
            payload: Arc::from(self.payload.as_bytes()),
            sealed: None,
            sealed_digest: self.sealed_digest.map(|digest| digest.0),
            leaf: chain::GENESIS,
            chain: chain::GENESIS,
            keys: Keyring::memory(),
        })
    }
}
