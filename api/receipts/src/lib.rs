//! Receipts and credit notes of payments: what they say, the paper they are printed on, and the proof that the signed log says the
//! same. Everything but the names of payer and home follows from events that a proof can carry.

pub mod mail;
pub mod pages;
pub mod paper;
pub mod proof;
mod texts;

use domain::aggregate::Decide as _;
use domain::id::PaymentId;
use domain::payment::Payment;
use domain::payment::receipt::{Placed, ReceiptFacts, documents, is_evidence, position_of};
use eventlog::{CodecError, EventLog, LogError, RecordedEvent, StreamId};

/// More events than one payment ever has.
const EVENTS_MAX: usize = 10_000;

/// The documents of a payment, the receipt first, with the events that they follow from; none before money was taken.
///
/// # Errors
/// When the log cannot be read.
pub async fn of_payment(
    log: &EventLog,
    payment_id: PaymentId,
) -> Result<(Vec<ReceiptFacts>, Vec<Placed>), LogError> {
    let stream = StreamId::of::<Payment>(payment_id);
    let recorded = log.read_stream(&stream, 0, EVENTS_MAX).await?;
    let mut placed = Vec::new();
    for event in &recorded {
        placed.extend(evidence(event)?);
    }
    Ok((documents(payment_id, &placed), placed))
}

/// The document of this number; `None` where there is none.
///
/// # Errors
/// When the log cannot be read.
pub async fn find(log: &EventLog, number: &str) -> Result<Option<ReceiptFacts>, LogError> {
    let Some(position) = position_of(number) else {
        return Ok(None);
    };
    if position > log.head().await? {
        return Ok(None);
    }
    let found = log.span(position, position).await?.into_iter().next();
    let Some(event) = found.filter(|event| event.stream.kind == Payment::KIND) else {
        return Ok(None);
    };
    let (made, _) = of_payment(log, PaymentId(event.stream.id)).await?;
    Ok(made.into_iter().find(|made| made.number == number))
}

/// The event with its place, where documents follow from it.
fn evidence(event: &RecordedEvent) -> Result<Option<Placed>, CodecError> {
    let decoded = event.decode_sealed::<Payment>()?;
    Ok(is_evidence(&decoded).then_some(Placed {
        position: event.position,
        recorded_at: event.recorded_at,
        event: decoded,
    }))
}
