//! One event, as the log holds it, for those of the staff whose business it is (row I5).

use axum::extract::State;
use domain::aggregate::Decide;
use domain::approval::Approval;
use domain::booking_form::BookingForm;
use domain::id::UserId;
use domain::lead::Lead;
use domain::payment::Payment;
use domain::user::{Role, User};
use eventlog::RecordedEvent;
use http_kit::caller::{Sessions, Staff};
use http_kit::contract::words::ActorKindWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::history_reads::Reading;
use http_kit::permissions::ANY_STAFF;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use projections::lead_timeline::query::{holds, lead_of};
use records::Records;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(ANY_STAFF, routes!(raw_event))
}

/// One event as stored; the sealed part never.
#[derive(Debug, Serialize, ToSchema)]
pub struct RawEvent {
    position: u64,
    stream: String,
    revision: u64,
    event_id: String,
    event_type: String,
    schema_version: u32,
    recorded_at: String,
    occurred_at: String,
    #[schema(value_type = ActorKindWord)]
    actor_kind: &'static str,
    actor_id: Option<String>,
    command_id: Option<String>,
    correlation_id: String,
    causation_id: Option<String>,
    #[schema(value_type = Value)]
    payload: Box<RawValue>,
    sealed: bool,
    leaf: String,
    chain: String,
}

/// One event as the log holds it. Support sees leads' events, finance payments'; nobody sees the sealed part.
///
/// # Errors
/// 404 where it is absent or not the caller's business.
#[utoipa::path(get, path = "/api/v0/workspace/events/{position}", params(("position" = u64, Path)),
    responses((status = 200, body = Success<RawEvent>), (status = 404)))]
pub async fn raw_event(
    State(records): State<Records>,
    State(sessions): State<Sessions>,
    context: RequestContext,
    staff: Staff,
    Path(position): Path<u64>,
) -> ApiResult<Success<RawEvent>> {
    let absent = || ApiError::not_found(say("refusal.no_event"));
    let record = records
        .log
        .span(position, position)
        .await?
        .into_iter()
        .next()
        .filter(|record| record.position == position);
    let record = record.ok_or_else(absent)?;
    let is = |role| staff.roles.contains(&role) || staff.roles.contains(&Role::Admin);
    let of_a_lead = [
        Lead::KIND,
        BookingForm::KIND,
        Payment::KIND,
        Approval::KIND,
        User::KIND,
    ]
    .contains(&record.stream.kind);
    let support_may = of_a_lead && is(Role::Support) && holds(records.heard().await?, position).await?;
    let finance_may = record.stream.kind == Payment::KIND && is(Role::Finance);
    if !(support_may || finance_may || staff.roles.contains(&Role::Admin)) {
        return Err(absent());
    }
    let reading = Reading::by(&sessions, &context, &staff);
    match lead_of(records.heard().await?, position).await? {
        Some(lead_id) => reading.lead(lead_id).await?,
        None if record.stream.kind == User::KIND => reading.person(UserId(record.stream.id)).await?,
        None => {}
    }
    Ok(Success::new(raw(&record)?))
}

fn raw(record: &RecordedEvent) -> ApiResult<RawEvent> {
    let payload = String::from_utf8(record.payload.to_vec()).map_err(ApiError::broken)?;
    Ok(RawEvent {
        position: record.position,
        stream: record.stream.to_string(),
        revision: record.revision,
        event_id: record.event_id.to_string(),
        event_type: record.event_type.clone(),
        schema_version: record.schema_version,
        recorded_at: record.recorded_at.to_rfc3339(),
        occurred_at: record.occurred_at.to_rfc3339(),
        actor_kind: record.actor.kind.name(),
        actor_id: record.actor.id.map(|id| id.to_string()),
        command_id: record.command_id.map(|id| id.to_string()),
        correlation_id: record.correlation_id.to_string(),
        causation_id: record.causation_id.map(|id| id.to_string()),
        payload: RawValue::from_string(payload).map_err(ApiError::broken)?,
        sealed: record.sealed.is_some(),
        leaf: hex::encode(record.leaf),
        chain: hex::encode(record.chain),
    })
}
