//! Events to their stored form and back.

use cqrs_es::DomainEvent;
use domain::aggregate::Decide;
use domain::sealed::Sealable;
use domain::shape::Shapes;
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use crate::append::NewEvent;
use crate::error::CodecError;
use crate::fact::Fact;
use crate::planted::Fault;

/// The stored form of an event, with a fresh id.
///
/// # Errors
/// When it has no JSON form, or is personal and about no subject.
pub fn encode<E: DomainEvent + Sealable>(event: &E) -> Result<NewEvent, CodecError> {
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

/// The event itself, with its personal data when the key exists.
pub(crate) fn decode<A: Decide>(fact: &Fact<'_>) -> Result<A::Event, CodecError> {
    let mut event = decode_as::<A, A::Event>(fact)?;
    if fact.sealed.is_some() {
        event.reveal(fact.personal()?.as_deref());
    }
    Ok(event)
}

/// The payload of an event of `A` as `T`, with what is personal left sealed. One of an older shape takes its steps to now first.
pub(crate) fn decode_as<A: Decide, T: DeserializeOwned>(fact: &Fact<'_>) -> Result<T, CodecError> {
    if fact.stream.kind != A::KIND {
        return Err(CodecError::Kind {
            stored: fact.stream.kind,
            wanted: A::KIND,
        });
    }
    let steps = Shapes::of::<A>().steps(fact.event_type, fact.schema_version)?;
    let read = if steps.is_empty() || Fault::StepsLeftOut.is_planted() {
        serde_json::from_slice(fact.payload)
    } else {
        serde_json::from_slice(fact.payload).and_then(|stored: Value| {
            let payload = steps.iter().fold(stored, |payload, step| (step.change)(payload));
            T::deserialize(payload)
        })
    };
    read.map_err(|error| CodecError::Shape {
        event_type: fact.event_type.to_owned(),
        schema_version: fact.schema_version,
        problem: error.to_string(),
    })
}
