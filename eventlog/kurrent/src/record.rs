//! Events as the server holds them: the payload is the data, all else is metadata.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use domain::id::UserId;
use domain::moment::Moment;
use eventlog::port::{Keyring, Place, digest, leaf};
use eventlog::{Actor, ActorKind, Append, LogError, NewEvent, Position, RecordedEvent, Revision, StreamId};
use kurrentdb::EventData;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::names::Names;

/// The form of the metadata.
const FORM: u32 = 1;

/// Marks an event as one of several steps: it counts once its transaction is said to be committed in the stream of its
/// command, and never before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) transaction: Uuid,
    pub(crate) command: Uuid,
}

/// The columns of an event that are not its payload. Correlation and causation are called as the server's own tools call them.
#[derive(Debug, Serialize, Deserialize)]
struct Columns {
    latchkey: u32,
    revision: Revision,
    schema_version: u32,
    occurred_at: i64,
    actor_kind: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    actor_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command_id: Option<Uuid>,
    #[serde(rename = "$correlationId")]
    correlation_id: Uuid,
    #[serde(rename = "$causationId", skip_serializing_if = "Option::is_none")]
    causation_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject_id: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sealed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<Part>,
}

/// An event on its way to the server, the same however often it is sent.
#[derive(Clone)]
pub(crate) struct Outgoing {
    pub(crate) id: Uuid,
    pub(crate) event_type: String,
    pub(crate) payload: Box<RawValue>,
    pub(crate) metadata: Box<RawValue>,
}

impl Outgoing {
    /// One of our own notes, which is no event of the log.
    pub(crate) fn note(id: Uuid, event_type: &str, content: &impl Serialize) -> Result<Self, LogError> {
        let metadata = serde_json::json!({ "latchkey": FORM });
        Ok(Self {
            id,
            event_type: event_type.to_owned(),
            payload: serde_json::value::to_raw_value(content).map_err(|error| unstorable(&error))?,
            metadata: serde_json::value::to_raw_value(&metadata).map_err(|error| unstorable(&error))?,
        })
    }

    /// An event of a request, sealed for its place.
    pub(crate) fn event(
        append: &Append,
        event: &NewEvent,
        (stream, revision): (StreamId, Revision),
        part: Option<Part>,
        keys: &Keyring,
    ) -> Result<Self, LogError> {
        let place = Place {
            stream,
            revision,
            event_type: &event.event_type,
        };
        let sealed = match (event.subject, &event.personal) {
            (Some(subject), Some(personal)) => keys.seal(subject, &place, personal)?,
            (None | Some(_), None) | (None, Some(_)) => None,
        };
        let context = &append.context;
        let columns = Columns {
            latchkey: FORM,
            revision,
            schema_version: event.schema_version,
            occurred_at: context.at.timestamp_micros(),
            actor_kind: context.actor.kind.code(),
            actor_id: context.actor.id,
            command_id: context.command_id,
            correlation_id: context.correlation_id,
            causation_id: context.causation_id,
            subject_id: event.subject,
            sealed: sealed.map(|sealed| BASE64_STANDARD.encode(sealed)),
            part,
        };
        let payload = String::from_utf8(event.payload.clone())
            .map_err(|error| LogError::Storage(error.to_string()))
            .and_then(|text| RawValue::from_string(text).map_err(|error| unstorable(&error)))?;
        Ok(Self {
            id: event.event_id,
            event_type: event.event_type.clone(),
            payload,
            metadata: serde_json::value::to_raw_value(&columns).map_err(|error| unstorable(&error))?,
        })
    }

    pub(crate) fn sent(&self) -> Result<EventData, LogError> {
        EventData::json(&self.event_type, &self.payload)
            .and_then(|event| event.id(self.id).metadata_as_json(&self.metadata))
            .map_err(|error| unstorable(&error))
    }
}

fn unstorable(error: &serde_json::Error) -> LogError {
    LogError::Storage(format!("an event cannot be written down: {error}"))
}

/// What lies in `$all`.
pub(crate) struct Item {
    pub(crate) position: Position,
    pub(crate) content: Content,
}

pub(crate) enum Content {
    Event(Box<Stored>),
    Ending(Part, Ending),
    /// Of somebody else, or for ourselves alone.
    Other,
}

/// An event where the server has it.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    /// The server's number of it in its stream, from 0 on; those that never counted have theirs too.
    pub(crate) number: u64,
    pub(crate) part: Option<Part>,
    pub(crate) event: RecordedEvent,
}

/// How a transaction ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Committed,
    Aborted,
}

pub(crate) const COMMITTED: &str = "latchkey-committed";
pub(crate) const ABORTED: &str = "latchkey-aborted";

impl Ending {
    pub(crate) fn of(event_type: &str) -> Option<Self> {
        match event_type {
            COMMITTED => Some(Self::Committed),
            ABORTED => Some(Self::Aborted),
            _ => None,
        }
    }
}

/// What an event of `$all` is to this log.
pub(crate) fn item(
    names: &Names,
    keys: &Keyring,
    event: &kurrentdb::RecordedEvent,
) -> Result<Item, LogError> {
    let position = event.position.commit;
    let name = event.stream_id();
    let content = if let Some(command) = names.parsed_command(name) {
        #[derive(Deserialize)]
        struct Ended {
            transaction: Uuid,
        }
        let ended = serde_json::from_slice::<Ended>(&event.data).ok();
        match ended.zip(Ending::of(&event.event_type)) {
            Some((Ended { transaction }, ending)) => Content::Ending(Part { transaction, command }, ending),
            None => Content::Other,
        }
    } else {
        stored(names, keys, event)?.map_or(Content::Other, |event| Content::Event(Box::new(event)))
    };
    Ok(Item { position, content })
}

/// The event of ours that the server holds there; `None` for what other programs keep there.
pub(crate) fn stored(
    names: &Names,
    keys: &Keyring,
    event: &kurrentdb::RecordedEvent,
) -> Result<Option<Stored>, LogError> {
    let Some(stream) = names.parsed(event.stream_id()) else {
        return Ok(None);
    };
    let Ok(columns) = serde_json::from_slice::<Columns>(&event.custom_metadata) else {
        return Ok(None);
    };
    let broken = |what: &str| LogError::Storage(format!("{stream} event {}: {what}", event.revision));
    if columns.latchkey != FORM {
        return Err(broken("written by a later version of the program"));
    }
    let sealed = columns
        .sealed
        .map(|sealed| BASE64_STANDARD.decode(sealed))
        .transpose();
    let sealed = sealed.map_err(|_| broken("the sealed part is not readable"))?;
    let kind = ActorKind::from_code(i64::from(columns.actor_kind)).ok_or_else(|| broken("no such actor"))?;
    let occurred_at =
        Moment::from_timestamp_micros(columns.occurred_at).ok_or_else(|| broken("no such time"))?;
    let mut recorded = RecordedEvent {
        position: event.position.commit,
        stream,
        revision: columns.revision,
        event_id: event.id,
        event_type: event.event_type.clone(),
        schema_version: columns.schema_version,
        recorded_at: recorded_at(event),
        occurred_at,
        actor: Actor {
            kind,
            id: columns.actor_id,
        },
        command_id: columns.command_id,
        correlation_id: columns.correlation_id,
        causation_id: columns.causation_id,
        subject_id: columns.subject_id,
        payload: event.data.as_ref().into(),
        payload_digest: digest(&event.data),
        sealed_digest: sealed.as_deref().map(digest),
        sealed: sealed.map(Into::into),
        leaf: eventlog::chain::GENESIS,
        chain: eventlog::chain::GENESIS,
        keys: keys.clone(),
    };
    recorded.leaf = leaf(&recorded);
    Ok(Some(Stored {
        number: event.revision,
        part: columns.part,
        event: recorded,
    }))
}

/// The server's clock, which its client cuts to whole seconds: read from where it came from.
fn recorded_at(event: &kurrentdb::RecordedEvent) -> Moment {
    let ticks: Option<i64> = event.metadata.get("created").and_then(|ticks| ticks.parse().ok());
    ticks
        .and_then(|ticks| Moment::from_timestamp_micros(ticks / 10))
        .unwrap_or(event.created)
}
