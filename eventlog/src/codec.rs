//! Events to their stored form and back.

use cqrs_es::DomainEvent;
use domain::aggregate::Decide;
use domain::sealed::Sealable;
use domain::shape::Shapes;
use serde::Deserialize as _;
use serde_json::Value;
use uuid::Uuid;

use crate::append::NewEvent;
use crate::error::CodecError;
use crate::event::RecordedEvent;

/// The stored form of an event, with a fresh id.
pub(crate) fn encode<E: DomainEvent + Sealable>(event: &E) -> Result<NewEvent, CodecError> {
    let event_type = event.event_type();
    let version = event.event_version();
    let shape = |problem: String| CodecError::Shape {
        event_type: event.event_type(),
        schema_version: 0,
        problem,
    };
    let schema_version = version
        .parse()
        .map_err(|_| shape(format!("the version {version:?} is not a number")))?;
    let payload = serde_json::to_vec(event).map_err(|error| shape(error.to_string()))?;
    let subject = event.subject();
    let personal = event.personal();
    if subject.is_none() && personal.is_some() {
        return Err(shape(
            "personal data without a subject cannot be sealed".to_owned(),
        ));
    }
    Ok(NewEvent {
        event_id: Uuid::now_v7(),
        event_type,
        schema_version,
        payload,
        subject,
        personal,
    })
}

/// The event a record stands for, with its personal data when the key exists.
pub(crate) fn decode<A: Decide>(record: &RecordedEvent) -> Result<A::Event, CodecError> {
    let mut event = decode_sealed::<A>(record)?;
    if record.sealed.is_some() {
        event.reveal(record.personal()?.as_deref());
    }
    Ok(event)
}

/// The same with what is personal left sealed. A payload of an older shape takes its steps to now first.
pub(crate) fn decode_sealed<A: Decide>(record: &RecordedEvent) -> Result<A::Event, CodecError> {
    if record.stream.kind != A::KIND {
        return Err(CodecError::Kind {
            stored: record.stream.kind,
            wanted: A::KIND,
        });
    }
    let steps = Shapes::of::<A>().steps(&record.event_type, record.schema_version)?;
    let read = if steps.is_empty() {
        serde_json::from_slice(&record.payload)
    } else {
        serde_json::from_slice(&record.payload).and_then(|stored: Value| {
            let payload = steps.iter().fold(stored, |payload, step| (step.change)(payload));
            A::Event::deserialize(payload)
        })
    };
    read.map_err(|error| CodecError::Shape {
        event_type: record.event_type.clone(),
        schema_version: record.schema_version,
        problem: error.to_string(),
    })
}
