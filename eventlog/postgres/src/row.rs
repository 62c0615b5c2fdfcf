//! One event's row, and a batch of them as columns.

use std::collections::HashMap;

use domain::id::UserId;
use domain::moment::Moment;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, ToSql};
use uuid::Uuid;

use eventlog::LogError;
use eventlog::actor::{Actor, ActorKind};
use eventlog::event::{Hash, RecordedEvent};
use eventlog::fact::Fact;
use eventlog::port::Keyring;
use eventlog::stream::StreamId;

/// How payloads are written; a second codec gets a second name.
pub(super) const CODEC: &str = "json";

/// What every reading statement begins with; its columns are what [`record`] reads.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select e.position, s.kind, s.uuid, e.kind, e.revision, e.event_id, e.event_type, e.schema_version, \
             e.recorded_at, e.occurred_at, e.actor_kind, e.actor_id, e.command_id, e.correlation_id, e.causation_id, \
             e.subject_id, e.payload, e.sealed, e.payload_digest, e.sealed_digest, e.leaf, e.chain, e.codec \
             from event e left join stream s on s.id = e.stream ",
            $rest
        )
    };
}
pub(super) use select;

/// What a fold reads of events; its columns are what [`fact`] reads.
macro_rules! facts {
    ($rest:literal) => {
        concat!(
            "select e.position, s.kind, s.uuid, e.revision, e.event_id, e.event_type, e.schema_version, e.subject_id, \
             e.payload, e.sealed, e.codec from event e join stream s on s.id = e.stream ",
            $rest
        )
    };
}
pub(super) use facts;

/// Adds a batch of events in one statement; its parameters are [`Columns::params`].
pub(super) const INSERT: &str = "insert into event \
     select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::uuid[], $6::text[], $7::bigint[], \
     $8::bigint[], $9::bigint[], $10::smallint[], $11::uuid[], $12::uuid[], $13::uuid[], $14::uuid[], $15::uuid[], \
     $16::text[], $17::bytea[], $18::bytea[], $19::bytea[], $20::bytea[], $21::bytea[], $22::bytea[])";

/// PostgreSQL's integers are signed.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Back from PostgreSQL's integers; nothing negative is ever stored.
pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// A column that must be what the tables say it is.
pub(super) fn column<'r, T: FromSql<'r>>(row: &'r Row, place: usize) -> Result<T, LogError> {
    row.try_get(place)
        .map_err(|error| LogError::Storage(format!("column {place} of a row cannot be read: {error}")))
}

pub(super) fn hash(row: &Row, place: usize) -> Result<Hash, LogError> {
    column::<&[u8]>(row, place)?
        .try_into()
        .map_err(|_| LogError::Storage(format!("column {place} of a row holds no hash")))
}

fn moment(row: &Row, place: usize) -> Result<Moment, LogError> {
    Moment::from_timestamp_micros(column(row, place)?)
        .ok_or_else(|| LogError::Storage("a time lies outside the calendar".to_owned()))
}

/// A batch of events, column by column.
#[derive(Default)]
pub(super) struct Columns<'e> {
    position: Vec<i64>,
    stream: Vec<i64>,
    kind: Vec<&'e str>,
    revision: Vec<i64>,
    event_id: Vec<Uuid>,
    event_type: Vec<&'e str>,
    schema_version: Vec<i64>,
    recorded_at: Vec<i64>,
    occurred_at: Vec<i64>,
    actor_kind: Vec<i16>,
    actor_id: Vec<Option<Uuid>>,
    command_id: Vec<Option<Uuid>>,
    correlation_id: Vec<Uuid>,
    causation_id: Vec<Option<Uuid>>,
    subject_id: Vec<Option<Uuid>>,
    codec: Vec<&'static str>,
    payload: Vec<&'e [u8]>,
    sealed: Vec<Option<&'e [u8]>>,
    payload_digest: Vec<&'e [u8]>,
    sealed_digest: Vec<Option<&'e [u8]>>,
    leaf: Vec<&'e [u8]>,
    chain: Vec<&'e [u8]>,
}

impl<'e> Columns<'e> {
    pub(super) fn of(events: &'e [RecordedEvent], keys: &HashMap<StreamId, i64>) -> Self {
        let mut columns = Self::default();
        for event in events {
            let key = keys.get(&event.stream).copied().unwrap_or_default();
            columns.push(event, key);
        }
        columns
    }

    fn push(&mut self, event: &'e RecordedEvent, stream: i64) {
        self.position.push(signed(event.position));
        self.stream.push(stream);
        self.kind.push(event.stream.kind);
        self.revision.push(signed(event.revision));
        self.event_id.push(event.event_id);
        self.event_type.push(&event.event_type);
        self.schema_version.push(i64::from(event.schema_version));
        self.recorded_at.push(event.recorded_at.timestamp_micros());
        self.occurred_at.push(event.occurred_at.timestamp_micros());
        self.actor_kind.push(i16::from(event.actor.kind.code()));
        self.actor_id.push(event.actor.id);
        self.command_id.push(event.command_id);
        self.correlation_id.push(event.correlation_id);
        self.causation_id.push(event.causation_id);
        self.subject_id.push(event.subject_id.map(|subject| subject.0));
        self.codec.push(CODEC);
        self.payload.push(&event.payload);
        self.sealed.push(event.sealed.as_deref());
        self.payload_digest.push(&event.payload_digest);
        self.sealed_digest
            .push(event.sealed_digest.as_ref().map(Hash::as_slice));
        self.leaf.push(&event.leaf);
        self.chain.push(&event.chain);
    }

    pub(super) fn params(&self) -> [&(dyn ToSql + Sync); 22] {
        [
            &self.position,
            &self.stream,
            &self.kind,
            &self.revision,
            &self.event_id,
            &self.event_type,
            &self.schema_version,
            &self.recorded_at,
            &self.occurred_at,
            &self.actor_kind,
            &self.actor_id,
            &self.command_id,
            &self.correlation_id,
            &self.causation_id,
            &self.subject_id,
            &self.codec,
            &self.payload,
            &self.sealed,
            &self.payload_digest,
            &self.sealed_digest,
            &self.leaf,
            &self.chain,
        ]
    }
}

/// Whose key a row of [`select!`] needs to be read in full.
pub(super) fn subject(row: &Row) -> Option<UserId> {
    let sealed: Option<&[u8]> = row.try_get(17).ok()?;
    let subject: Option<Uuid> = row.try_get(15).ok()?;
    sealed.and(subject).map(UserId)
}

/// Whose key a row of [`facts!`] needs to be read in full.
pub(super) fn subject_of_fact(row: &Row) -> Option<UserId> {
    let sealed: Option<&[u8]> = row.try_get(9).ok()?;
    let subject: Option<Uuid> = row.try_get(7).ok()?;
    sealed.and(subject).map(UserId)
}

/// What a fold reads of the event that a row of [`facts!`] stands for.
pub(super) fn fact<'r>(row: &'r Row, keys: &'r Keyring) -> Result<Fact<'r>, LogError> {
    let position = unsigned(column(row, 0)?);
    known_codec(position, column(row, 10)?)?;
    Ok(Fact {
        position,
        stream: StreamId::stored(column(row, 1)?, column(row, 2)?),
        revision: unsigned(column(row, 3)?),
        event_id: column(row, 4)?,
        event_type: column(row, 5)?,
        schema_version: version(row, 6, position)?,
        subject_id: column::<Option<Uuid>>(row, 7)?.map(UserId),
        payload: column(row, 8)?,
        sealed: column(row, 9)?,
        keys,
    })
}

fn known_codec(position: u64, codec: &str) -> Result<(), LogError> {
    if codec == CODEC {
        return Ok(());
    }
    Err(LogError::Storage(format!(
        "event {position} is written in {codec:?}, which is not known"
    )))
}

fn version(row: &Row, index: usize, position: u64) -> Result<u32, LogError> {
    u32::try_from(column::<i64>(row, index)?)
        .map_err(|_| LogError::Storage(format!("the version of event {position} is no version")))
}

/// The event a row of [`select!`] stands for.
pub(super) fn record(row: &Row, keys: &Keyring) -> Result<RecordedEvent, LogError> {
    let position = unsigned(column(row, 0)?);
    let (Some(kind), Some(id)) = (column::<Option<&str>>(row, 1)?, column::<Option<Uuid>>(row, 2)?) else {
        return Err(LogError::Storage(format!(
            "the stream of event {position} is missing"
        )));
    };
    if kind != column::<&str>(row, 3)? {
        return Err(LogError::Storage(format!(
            "event {position} and its stream are of different kinds"
        )));
    }
    known_codec(position, column(row, 22)?)?;
    let actor_kind = ActorKind::from_code(i64::from(column::<i16>(row, 10)?))
        .ok_or_else(|| LogError::Storage(format!("the actor of event {position} is of no known kind")))?;
    let schema_version = version(row, 7, position)?;
    let sealed_digest = match column::<Option<&[u8]>>(row, 19)? {
        Some(_) => Some(hash(row, 19)?),
        None => None,
    };
    Ok(RecordedEvent {
        position,
        stream: StreamId::stored(kind, id),
        revision: unsigned(column(row, 4)?),
        event_id: column(row, 5)?,
        event_type: column(row, 6)?,
        schema_version,
        recorded_at: moment(row, 8)?,
        occurred_at: moment(row, 9)?,
        actor: Actor {
            kind: actor_kind,
            id: column(row, 11)?,
        },
        command_id: column(row, 12)?,
        correlation_id: column(row, 13)?,
        causation_id: column(row, 14)?,
        subject_id: column::<Option<Uuid>>(row, 15)?.map(UserId),
        payload: column::<&[u8]>(row, 16)?.into(),
        sealed: column::<Option<&[u8]>>(row, 17)?.map(Into::into),
        payload_digest: hash(row, 18)?,
        sealed_digest,
        leaf: hash(row, 20)?,
        chain: hash(row, 21)?,
        keys: keys.clone(),
    })
}
