//! One event's row.

use domain::id::UserId;
use domain::moment::Moment;
use rusqlite::{Row, Statement, params};
use uuid::Uuid;

use crate::error::Error;
use eventlog::LogError;
use eventlog::actor::{Actor, ActorKind};
use eventlog::event::{Hash, RecordedEvent};
use eventlog::fact::Fact;
use eventlog::port::Keyring;
use eventlog::stream::StreamId;

/// How payloads are written; a second codec gets a second name.
const CODEC: &str = "json";

/// What every reading statement begins with; its columns are what [`record`] reads.
pub(super) const SELECT: &str = "select e.position, s.kind, s.uuid, e.kind, e.revision, e.event_id, e.event_type, \
     e.schema_version, e.recorded_at, e.occurred_at, e.actor_kind, e.actor_id, e.command_id, e.correlation_id, \
     e.causation_id, e.subject_id, e.payload, e.sealed, e.payload_digest, e.sealed_digest, e.leaf, e.chain, e.codec \
     from event e left join stream s on s.id = e.stream";

/// What a fold reads of events; its columns are what [`fact`] reads, and behind them `$more`.
macro_rules! facts {
    ($more:literal, $rest:literal) => {
        concat!(
            "select e.position, e.revision, e.event_id, e.event_type, e.schema_version, e.subject_id, e.payload, e.sealed, \
             e.codec",
            $more,
            " ",
            $rest
        )
    };
}
pub(super) use facts;

/// Adds one event; its parameters are what [`insert`] gives.
pub(super) const INSERT: &str = "insert into event values \
     (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)";

/// SQLite's integers are signed.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Back from SQLite's integers; nothing negative is ever stored.
pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

fn unreadable(why: String) -> Error {
    Error(LogError::Storage(why))
}

fn moment(micros: i64) -> Result<Moment, Error> {
    Moment::from_timestamp_micros(micros)
        .ok_or_else(|| unreadable("a time lies outside the calendar".to_owned()))
}

fn optional(id: Option<&Uuid>) -> Option<&[u8]> {
    id.map(|id| id.as_bytes().as_slice())
}

pub(super) fn insert(
    statement: &mut Statement<'_>,
    stream: i64,
    event: &RecordedEvent,
) -> rusqlite::Result<usize> {
    statement.execute(params![
        signed(event.position),
        stream,
        event.stream.kind,
        signed(event.revision),
        event.event_id.as_bytes(),
        event.event_type,
        event.schema_version,
        event.recorded_at.timestamp_micros(),
        event.occurred_at.timestamp_micros(),
        event.actor.kind.code(),
        optional(event.actor.id.as_ref()),
        optional(event.command_id.as_ref()),
        event.correlation_id.as_bytes(),
        optional(event.causation_id.as_ref()),
        optional(event.subject_id.as_ref().map(|subject| &subject.0)),
        CODEC,
        &*event.payload,
        event.sealed.as_deref(),
        event.payload_digest,
        event.sealed_digest,
        event.leaf,
        event.chain,
    ])
}

pub(super) fn uuid(bytes: [u8; 16]) -> Uuid {
    Uuid::from_bytes(bytes)
}

/// What a fold reads of the event that a row of [`facts!`] stands for, in its stream.
pub(super) fn fact<'r>(row: &'r Row<'_>, stream: StreamId, keys: &'r Keyring) -> Result<Fact<'r>, Error> {
    let position = unsigned(row.get(0)?);
    let text = |column: usize| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
    known_codec(position, text(8)?)?;
    Ok(Fact {
        position,
        stream,
        revision: unsigned(row.get(1)?),
        event_id: uuid(row.get(2)?),
        event_type: text(3)?,
        schema_version: row.get(4)?,
        subject_id: row.get::<_, Option<[u8; 16]>>(5)?.map(|id| UserId(uuid(id))),
        payload: row.get_ref(6)?.as_blob().map_err(rusqlite::Error::from)?,
        sealed: row.get_ref(7)?.as_blob_or_null().map_err(rusqlite::Error::from)?,
        keys,
    })
}

fn known_codec(position: u64, codec: &str) -> Result<(), Error> {
    if codec == CODEC {
        return Ok(());
    }
    Err(unreadable(format!(
        "event {position} is written in {codec:?}, which is not known"
    )))
}

/// The event a row of [`SELECT`] stands for.
pub(super) fn record(row: &Row<'_>, keys: &Keyring) -> Result<RecordedEvent, Error> {
    let position = unsigned(row.get(0)?);
    let kind: Option<String> = row.get(1)?;
    let own_kind: String = row.get(3)?;
    let (Some(kind), Some(id)) = (kind, row.get::<_, Option<[u8; 16]>>(2)?) else {
        return Err(unreadable(format!("the stream of event {position} is missing")));
    };
    if kind != own_kind {
        return Err(unreadable(format!(
            "event {position} and its stream are of different kinds"
        )));
    }
    known_codec(position, &row.get::<_, String>(22)?)?;
    let actor_kind = ActorKind::from_code(row.get(10)?)
        .ok_or_else(|| unreadable(format!("the actor of event {position} is of no known kind")))?;
    let optional = |column: usize| -> rusqlite::Result<Option<Uuid>> {
        Ok(row.get::<_, Option<[u8; 16]>>(column)?.map(Uuid::from_bytes))
    };
    Ok(RecordedEvent {
        position,
        stream: StreamId::stored(&kind, uuid(id)),
        revision: unsigned(row.get(4)?),
        event_id: uuid(row.get(5)?),
        event_type: row.get(6)?,
        schema_version: row.get(7)?,
        recorded_at: moment(row.get(8)?)?,
        occurred_at: moment(row.get(9)?)?,
        actor: Actor {
            kind: actor_kind,
            id: optional(11)?,
        },
        command_id: optional(12)?,
        correlation_id: uuid(row.get(13)?),
        causation_id: optional(14)?,
        subject_id: optional(15)?.map(UserId),
        payload: row.get_ref(16)?.as_blob().map_err(rusqlite::Error::from)?.into(),
        sealed: row
            .get_ref(17)?
            .as_blob_or_null()
            .map_err(rusqlite::Error::from)?
            .map(Into::into),
        payload_digest: row.get::<_, Hash>(18)?,
        sealed_digest: row.get::<_, Option<Hash>>(19)?,
        leaf: row.get::<_, Hash>(20)?,
        chain: row.get::<_, Hash>(21)?,
        keys: keys.clone(),
    })
}
