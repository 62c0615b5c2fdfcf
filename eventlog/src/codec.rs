//! Events to their stored form and back.

use cqrs_es::DomainEvent;
use domain::aggregate::Decide;
use domain::sealed::Sealable;
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
    if record.stream.kind != A::KIND {
        return Err(CodecError::Kind {
            stored: record.stream.kind,
            wanted: A::KIND,
        });
    }
    let mut event: A::Event = serde_json::from_slice(&record.payload).map_err(|error| CodecError::Shape {
        event_type: record.event_type.clone(),
        schema_version: record.schema_version,
        problem: error.to_string(),
    })?;
    if record.sealed.is_some() {
        event.reveal(record.personal()?.as_deref());
    }
    Ok(event)
}
