//! A lead's history for support: every event as a sentence, live, and raw on demand (rows I2, I3, I5).

use std::collections::HashMap;
use std::convert::Infallible;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use domain::aggregate::Decide;
use domain::booking_form::BookingForm;
use domain::id::LeadId;
use domain::lead::Lead;
use domain::payment::Payment;
use domain::user::{Role, User};
use eventlog::RecordedEvent;
use futures::{Stream, StreamExt as _};
use projections::lead_timeline::pages::{outline, page, positions};
use projections::lead_timeline::query::{Placed, holds, newest, streams};
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::caller::{self, Person, Staff};
use crate::contract::forms::{SentenceParams, TimelineChange};
use crate::contract::words::{ActorKindWord, StreamKindWord, TimelineActorWord};
use crate::envelope::Success;
use crate::error::{ApiError, ApiResult};
use crate::permissions;
use crate::request::{Path, Query, RequestContext, limit_of};
use crate::said::say;
use crate::streams::{BEAT, Places};
use crate::workspace_leads::{LeadRow, board_row, lead_row, staff_name};
use crate::workspace_outline::LeadOutline;

/// Up to here a history is answered whole.
const WHOLE: usize = 1_000;
/// Events of a page when the request does not say, and the most it may ask for.
const PAGE: usize = 500;
const PAGE_MAX: u64 = 1_000;

/// Fields in the order of the Then | Now table. Labels are `timeline_ui.field_<field>`.
const FIELDS: &[(&str, &[&str])] = &[
    (
        "lead",
        &[
            "status",
            "owner",
            "property",
            "move_in_date",
            "lease_duration",
            "configuration",
            "university",
            "budget",
            "intake",
            "no_of_students",
            "viewing",
            "flow",
            "name",
            "email",
            "phone",
            "verified",
            "repeat",
            "source",
            "referral_code",
            "reference",
            "reason",
        ],
    ),
    (
        "booking_form",
        &[
            "form_status",
            "form_flow",
            "sections",
            "personal_form",
            "emergency_form",
            "guarantor_form",
            "confirmation_documents",
        ],
    ),
    (
        "payment",
        &[
            "payment_status",
            "due",
            "captured",
            "refunded",
            "refund",
            "card",
            "decline",
            "held_until",
        ],
    ),
    (
        "user",
        &["proved_email", "proved_phone", "login_type", "last_looked_at"],
    ),
];

#[derive(Debug, Serialize, ToSchema)]
pub struct LeadTimeline {
    lead: LeadRow,
    streams: Vec<StreamRef>,
    /// How many events there are.
    count: u64,
    /// All of them, or the newest of a long history.
    events: Vec<TimelineEvent>,
    /// Of a long history.
    outline: Option<LeadOutline>,
    fields: Vec<FieldRef>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct StreamRef {
    #[schema(value_type = StreamKindWord)]
    stream: String,
    stream_id: String,
    revision: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FieldRef {
    #[schema(value_type = StreamKindWord)]
    stream: &'static str,
    field: &'static str,
    label_key: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TimelineEvent {
    n: u64,
    position: i64,
    #[schema(value_type = StreamKindWord)]
    stream: String,
    stream_id: String,
    revision: i64,
    #[serde(rename = "type")]
    event_type: String,
    recorded_at: String,
    actor: ActorRef,
    because_of: Option<u64>,
    sentence: Sentence,
    failed: bool,
    #[schema(value_type = Vec<TimelineChange>)]
    changes: Value,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ActorRef {
    #[schema(value_type = TimelineActorWord)]
    kind: String,
    label: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Sentence {
    key: String,
    #[schema(value_type = SentenceParams)]
    params: Value,
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

/// Some events of a long history.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeadEvents {
    events: Vec<TimelineEvent>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct EventsQuery {
    /// The first event, from 1.
    from: Option<usize>,
    limit: Option<u64>,
}

/// The history of a lead across its streams: all of it, or of a long one its outline and the newest events (decision 0038).
///
/// # Errors
/// 404 for an unknown lead.
#[utoipa::path(get, path = "/api/v0/workspace/leads/{id}/timeline", params(("id" = String, Path)),
    responses((status = 200, body = Success<LeadTimeline>), (status = 404)))]
pub async fn timeline(
    State(app): State<App>,
    context: RequestContext,
    _staff: Staff,
    Path(id): Path<String>,
) -> ApiResult<Success<LeadTimeline>> {
    let (lead_id, row) = board_row(&app, &id).await?;
    let pool = app.read.readers();
    let mut names = HashMap::new();
    let mut positions = positions(pool, lead_id).await?;
    let (streams, outline) = if positions.len() <= WHOLE {
        (streams(pool, lead_id).await?, None)
    } else {
        let mut long = outline(pool, lead_id).await?;
        for track in long.tracks.iter_mut().filter(|track| track.field == "owner") {
            for owner in track.values.iter_mut().flatten() {
                *owner = staff_name(&app, owner, &mut names).await?;
            }
        }
        positions = std::mem::take(&mut long.positions);
        (std::mem::take(&mut long.streams), Some(long.into()))
    };
    let first = if outline.is_none() {
        1
    } else {
        positions.len().saturating_sub(PAGE) + 1
    };
    let events = page(pool, lead_id, &positions, (first, positions.len())).await?;
    Ok(Success::new(LeadTimeline {
        lead: lead_row(&app, row, context.lang, &mut names).await?,
        streams: streams
            .into_iter()
            .map(|(stream, stream_id, revision)| StreamRef {
                stream,
                stream_id,
                revision,
            })
            .collect(),
        count: positions.len() as u64,
        events: all_told(&app, events, &mut names).await?,
        outline,
        fields: fields(),
    }))
}

/// A page of a lead's history.
///
/// # Errors
/// 404 for an unknown lead.
#[utoipa::path(get, path = "/api/v0/workspace/leads/{id}/timeline/events", operation_id = "timeline_events", params(("id" = String, Path), EventsQuery),
    responses((status = 200, body = Success<LeadEvents>), (status = 404)))]
pub async fn events(
    State(app): State<App>,
    _context: RequestContext,
    _staff: Staff,
    Path(id): Path<String>,
    Query(query): Query<EventsQuery>,
) -> ApiResult<Success<LeadEvents>> {
    let (lead_id, _) = board_row(&app, &id).await?;
    let pool = app.read.readers();
    let positions = positions(pool, lead_id).await?;
    let limit = limit_of(query.limit, PAGE as u64, PAGE_MAX)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let placed = page(pool, lead_id, &positions, (query.from.unwrap_or(1), limit)).await?;
    let events = all_told(&app, placed, &mut HashMap::new()).await?;
    Ok(Success::new(LeadEvents { events }))
}

async fn all_told(
    app: &App,
    placed: Vec<Placed>,
    names: &mut HashMap<String, String>,
) -> ApiResult<Vec<TimelineEvent>> {
    let mut events = Vec::with_capacity(placed.len());
    for placed in placed {
        events.push(told(app, placed, names).await?);
    }
    Ok(events)
}

fn fields() -> Vec<FieldRef> {
    let all = FIELDS
        .iter()
        .flat_map(|(stream, fields)| fields.iter().map(move |field| (*stream, *field)));
    all.map(|(stream, field)| FieldRef {
        stream,
        field,
        label_key: format!("timeline_ui.field_{field}"),
    })
    .collect()
}

/// The route of [`stream`], by which the permission table knows it.
const STREAM: &str = "/api/v0/workspace/leads/{id}/stream";

/// New events of a lead as they are recorded, from the moment of connecting on, until the login ends or loses the right.
///
/// # Errors
/// 404 for an unknown lead, 429 for more streams than one member of staff may hold.
#[utoipa::path(get, path = "/api/v0/workspace/leads/{id}/stream", operation_id = "lead_stream", params(("id" = String, Path)),
    responses((status = 200, content_type = "text/event-stream", body = String, description = "Events as they happen"), (status = 404), (status = 429)))]
pub async fn stream(
    State(app): State<App>,
    _context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
) -> ApiResult<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let (lead_id, _) = board_row(&app, &id).await?;
    let places = app.streams.admit_staff(staff.person.user_id)?;
    let known = positions(app.read.readers(), lead_id).await?.len();
    let stopping = app.stopping();
    let events = follow(app, staff.person, lead_id, known, places).take_until(Box::pin(stopping));
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

fn follow(
    app: App,
    person: Person,
    lead_id: LeadId,
    mut known: usize,
    places: Places,
) -> impl Stream<Item = Result<Event, Infallible>> {
    async_stream::stream! {
        let _places = places;
        // Before the first look, so that nothing falls between.
        let (mut of_lead, mut of_person) = (app.streams.of_lead(lead_id), app.streams.of_person(person.user_id));
        let head = *app.log.watch().borrow();
        app.wait_for(head).await;
        let mut beat = tokio::time::interval(BEAT);
        let (mut names, mut seen) = (HashMap::new(), None);
        loop {
            if !may_hear(&app, &person).await {
                return;
            }
            // A read that fails is tried again with the next event; the page asks for the whole after a gap.
            let events = fresh(&app, lead_id, known, &mut seen).await.unwrap_or_default();
            for placed in events {
                known += 1;
                let n = placed.n;
                if let Ok(event) = told(&app, placed, &mut names).await
                    && let Ok(event) = Event::default().event("event").id(n.to_string()).json_data(event)
                {
                    yield Ok(event);
                }
            }
            tokio::select! {
                () = of_lead.news() => {}
                () = of_person.news() => {}
                _ = beat.tick() => {}
            }
        }
    }
}

/// Whether the login still stands and still has the right: a stream outlives the request that was let through. Where that is not known,
/// the stream ends, and whoever may hear it connects again.
async fn may_hear(app: &App, person: &Person) -> bool {
    let now = caller::still(app, person).await.ok().flatten();
    now.is_some_and(|person| permissions::admits(app, "GET", STREAM, &person))
}

/// What came after the events that are known: most of what happens is about others, and a history may be long.
async fn fresh(
    app: &App,
    lead_id: LeadId,
    known: usize,
    seen: &mut Option<i64>,
) -> Result<Vec<Placed>, sqlx::Error> {
    let pool = app.read.readers();
    let newest = newest(pool, lead_id).await?;
    if newest == *seen {
        return Ok(Vec::new());
    }
    let positions = positions(pool, lead_id).await?;
    let events = page(pool, lead_id, &positions, (known + 1, positions.len())).await?;
    *seen = newest;
    Ok(events)
}

async fn told(app: &App, placed: Placed, names: &mut HashMap<String, String>) -> ApiResult<TimelineEvent> {
    let Placed { n, because_of, row } = placed;
    let label = match (row.actor_kind.as_str(), &row.actor_id) {
        ("staff", Some(id)) => staff_name(app, id, names).await?,
        _ => String::new(),
    };
    let mut changes: Value = serde_json::from_str(&row.changes).map_err(ApiError::broken)?;
    name_owners(app, &mut changes, names).await?;
    Ok(TimelineEvent {
        n,
        position: row.position,
        stream: row.kind,
        stream_id: row.stream_id,
        revision: row.revision,
        event_type: row.event_type,
        recorded_at: row.recorded_at,
        // To the desk, somebody not logged in is a student all the same.
        actor: ActorRef {
            kind: if row.actor_kind == "visitor" {
                "student".into()
            } else {
                row.actor_kind
            },
            label,
        },
        because_of,
        sentence: Sentence {
            key: row.sentence,
            params: serde_json::from_str(&row.params).map_err(ApiError::broken)?,
        },
        failed: row.failed.is_set(),
        changes,
    })
}

/// The owner of a lead is stored by id and shown by name.
async fn name_owners(app: &App, changes: &mut Value, names: &mut HashMap<String, String>) -> ApiResult<()> {
    for change in changes.as_array_mut().into_iter().flatten() {
        if change["field"] != "owner" {
            continue;
        }
        for end in ["from", "to"] {
            if let Some(id) = change[end].as_str().map(str::to_owned) {
                change[end] = Value::String(staff_name(app, &id, names).await?);
            }
        }
    }
    Ok(())
}

/// One event as the log holds it. Support sees leads' events, finance payments'; nobody sees the sealed part.
///
/// # Errors
/// 404 where it is absent or not the caller's business.
#[utoipa::path(get, path = "/api/v0/workspace/events/{position}", params(("position" = u64, Path)),
    responses((status = 200, body = Success<RawEvent>), (status = 404)))]
pub async fn raw_event(
    State(app): State<App>,
    _context: RequestContext,
    staff: Staff,
    Path(position): Path<u64>,
) -> ApiResult<Success<RawEvent>> {
    let absent = || ApiError::not_found(say("refusal.no_event"));
    let record = app
        .log
        .span(position, position)
        .await?
        .into_iter()
        .next()
        .filter(|record| record.position == position);
    let record = record.ok_or_else(absent)?;
    let is = |role| staff.roles.contains(&role) || staff.roles.contains(&Role::Admin);
    let of_a_lead = [Lead::KIND, BookingForm::KIND, Payment::KIND, User::KIND].contains(&record.stream.kind);
    let support_may = of_a_lead && is(Role::Support) && holds(app.heard().await?, position).await?;
    let finance_may = record.stream.kind == Payment::KIND && is(Role::Finance);
    if !(support_may || finance_may || staff.roles.contains(&Role::Admin)) {
        return Err(absent());
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
