//! A lead's whole history: lead, booking form, payment and person in one line, each event a sentence with the fields it
//! changed, so that folding the changes up to n gives the state at n (row I2, I3).

use std::collections::BTreeMap;

use domain::aggregate::Decide;
use domain::booking_form::{BookingForm, BookingFormEvent};
use domain::id::StreamKey;
use domain::inventory::Inventory;
use domain::lead::{Lead, LeadEvent, LeadStatus};
use domain::money::Currency;
use domain::payment::{Payment, PaymentEvent};
use domain::user::User;
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::AnyConnection;
use uuid::Uuid;

use crate::run::{Projection, ProjectionError};

mod forget;
mod form;
mod home;
mod lead;
pub mod pages;
mod payment;
mod person;
pub mod query;
#[cfg(test)]
pub(crate) mod tests;
mod told;

use told::Told;

/// Fields whose values are shown masked.
pub const MASKED: [&str; 5] = ["name", "email", "phone", "proved_email", "proved_phone"];
/// Values the next event's sentence needs, never shown.
const HIDDEN: [&str; 4] = ["_currency", "_captured", "_refunded", "_total_sections"];

/// Every event of every lead, told.
pub struct LeadTimelines;

impl Projection for LeadTimelines {
    fn name(&self) -> &'static str {
        "lead_timeline"
    }

    fn version(&self) -> u32 {
        2
    }

    fn tables(&self) -> &'static [&'static str] {
        &["timeline_event", "timeline_field", "lead_stream", "timeline_home"]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[
            Lead::KIND,
            BookingForm::KIND,
            Payment::KIND,
            User::KIND,
            Inventory::KIND,
        ]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            for record in events {
                if record.stream.kind == Inventory::KIND {
                    home::take(connection, record).await?;
                    continue;
                }
                let fields = fields_of(connection, record).await?;
                let told = match record.stream.kind {
                    Lead::KIND => tell_lead(connection, record, &fields).await?,
                    BookingForm::KIND => tell_form(connection, record, &fields).await?,
                    Payment::KIND => tell_payment(connection, record, &fields).await?,
                    _ => person::tell(&record.decode::<User>()?),
                };
                write_down(connection, record, told, &fields).await?;
                if record.stream.kind == User::KIND {
                    forget::take(connection, record).await?;
                }
            }
            Ok(())
        })
    }
}

type Fields = BTreeMap<String, Option<String>>;

async fn fields_of(connection: &mut AnyConnection, record: &RecordedEvent) -> Result<Fields, sqlx::Error> {
    let rows: Vec<(String, Option<String>)> =
        sqlx::query_as("select field, value from timeline_field where kind = $1 and stream_id = $2")
            .bind(record.stream.kind)
            .bind(record.stream.id.to_string())
            .fetch_all(connection)
            .await?;
    Ok(rows.into_iter().collect())
}

async fn tell_lead(
    connection: &mut AnyConnection,
    record: &RecordedEvent,
    fields: &Fields,
) -> Result<Told, ProjectionError> {
    let event = record.decode::<Lead>()?;
    let mut place = None;
    if let LeadEvent::Created { submission, .. } = &event {
        place = home::name(connection, submission.inventory_root_id).await?;
        let lead_id = record.stream.id;
        join(connection, lead_id, Lead::KIND, lead_id).await?;
        join(connection, lead_id, User::KIND, submission.person_id.uuid()).await?;
    }
    let status = text(fields, "status")
        .and_then(LeadStatus::from_key)
        .unwrap_or_default();
    Ok(lead::tell(&event, place.as_deref(), status))
}

async fn tell_form(
    connection: &mut AnyConnection,
    record: &RecordedEvent,
    fields: &Fields,
) -> Result<Told, ProjectionError> {
    let event = record.decode::<BookingForm>()?;
    if let BookingFormEvent::Started { start, .. } = &event {
        join(
            connection,
            start.lead_id.uuid(),
            BookingForm::KIND,
            record.stream.id,
        )
        .await?;
        let total = start.definition.visible(false).count();
        return Ok(form::tell(&event, 0, total).set("_total_sections", total.to_string()));
    }
    let total = text(fields, "_total_sections")
        .and_then(|total| total.parse().ok())
        .unwrap_or_default();
    let mut complete: Vec<&str> = fields
        .iter()
        .filter(|(_, value)| value.as_deref() == Some("complete"))
        .map(|(key, _)| key.as_str())
        .collect();
    if let BookingFormEvent::SectionSaved {
        section,
        complete: now,
        ..
    } = &event
    {
        complete.retain(|key| *key != section.key());
        if *now {
            complete.push(section.key());
        }
    }
    let before_payment = complete
        .iter()
        .filter(|key| **key != "confirmation_documents")
        .count();
    Ok(form::tell(&event, before_payment, total))
}

async fn tell_payment(
    connection: &mut AnyConnection,
    record: &RecordedEvent,
    fields: &Fields,
) -> Result<Told, ProjectionError> {
    let event = record.decode::<Payment>()?;
    let number = |name| {
        text(fields, name)
            .and_then(|number| number.parse().ok())
            .unwrap_or_default()
    };
    let mut known = payment::Known {
        currency: text(fields, "_currency")
            .and_then(Currency::from_code)
            .unwrap_or(Currency::Gbp),
        captured_minor: number("_captured"),
        refunded_minor: number("_refunded"),
    };
    if let PaymentEvent::PaymentOpened { terms, .. } = &event {
        join(connection, terms.lead_id.uuid(), Payment::KIND, record.stream.id).await?;
        known.currency = terms.quote.currency;
    }
    let told = payment::tell(&event, &known);
    let told = match &event {
        PaymentEvent::PaymentOpened { .. } => told.set("_currency", known.currency.code()),
        PaymentEvent::PaymentSucceeded { capture, .. }
        | PaymentEvent::PaymentCapturedWithoutRoom { capture, .. }
        | PaymentEvent::PaymentCapturedAgain { capture, .. } => told.set(
            "_captured",
            known
                .captured_minor
                .saturating_add(capture.amount_minor)
                .to_string(),
        ),
        PaymentEvent::RefundAcknowledged { amount_minor, .. } => told.set(
            "_refunded",
            known.refunded_minor.saturating_add(*amount_minor).to_string(),
        ),
        _ => told,
    };
    Ok(told)
}

fn text<'f>(fields: &'f Fields, name: &str) -> Option<&'f str> {
    fields.get(name)?.as_deref()
}

async fn join(
    connection: &mut AnyConnection,
    lead_id: Uuid,
    kind: &str,
    stream_id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into lead_stream (lead_id, kind, stream_id) values ($1, $2, $3) on conflict do nothing",
    )
    .bind(lead_id.to_string())
    .bind(kind)
    .bind(stream_id.to_string())
    .execute(connection)
    .await?;
    Ok(())
}

/// Stores the sentence with what really changed, and the fields as they are now.
async fn write_down(
    connection: &mut AnyConnection,
    record: &RecordedEvent,
    told: Told,
    fields: &Fields,
) -> Result<(), ProjectionError> {
    let mut changes = Vec::new();
    for (field, to) in told.set {
        let from = fields.get(field).cloned().flatten();
        if from == to {
            continue;
        }
        sqlx::query(
            "insert into timeline_field (kind, stream_id, field, value) values ($1, $2, $3, $4)
             on conflict (kind, stream_id, field) do update set value = excluded.value",
        )
        .bind(record.stream.kind)
        .bind(record.stream.id.to_string())
        .bind(field)
        .bind(&to)
        .execute(&mut *connection)
        .await?;
        if !HIDDEN.contains(&field) {
            let masked = MASKED.contains(&field);
            changes.push(serde_json::json!({ "field": field, "from": from, "to": to, "masked": masked }));
        }
    }
    sqlx::query(
        "insert into timeline_event
         (position, kind, stream_id, revision, event_id, type, recorded_at, actor_kind, actor_id, correlation_id,
          causation_id, sentence, params, failed, changes)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
             on conflict (position) do update set kind = excluded.kind, stream_id = excluded.stream_id,
             revision = excluded.revision, event_id = excluded.event_id, type = excluded.type,
             recorded_at = excluded.recorded_at, actor_kind = excluded.actor_kind, actor_id = excluded.actor_id,
             correlation_id = excluded.correlation_id, causation_id = excluded.causation_id,
             sentence = excluded.sentence, params = excluded.params, failed = excluded.failed,
             changes = excluded.changes",
    )
    .bind(record.position.cast_signed())
    .bind(record.stream.kind)
    .bind(record.stream.id.to_string())
    .bind(record.revision.cast_signed())
    .bind(record.event_id.to_string())
    .bind(&record.event_type)
    .bind(record.recorded_at.to_rfc3339_opts(chrono::SecondsFormat::Micros, true))
    .bind(record.actor.kind.name())
    .bind(record.actor.id.map(|id| id.to_string()))
    .bind(record.correlation_id.to_string())
    .bind(record.causation_id.map(|id| id.to_string()))
    .bind(told.sentence)
    .bind(serde_json::Value::Object(told.params).to_string())
    .bind(i64::from(told.failed))
    .bind(serde_json::Value::Array(changes).to_string())
    .execute(connection)
    .await?;
    Ok(())
}
