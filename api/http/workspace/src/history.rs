//! A lead's history for staff: every event as a sentence, live, and raw on demand (rows I2, I3, I5). Finance reads it without personal data.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use domain::id::LeadId;
use domain::language::Language;
use eventlog::EventLog;
use futures::{Stream, StreamExt as _};
use http_kit::answering::current_language;
use http_kit::caller::{self, Person, Sessions, Staff};
use http_kit::contract::forms::{SentenceParams, TimelineChange};
use http_kit::contract::words::{StreamKindWord, TimelineActorWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::history_reads::Reading;
use http_kit::permissions::{ANY_STAFF, Access};
use http_kit::request::{Path, Query, RequestContext, limit_of};
use http_kit::stopping::Stopping;
use http_kit::streams::{BEAT, Places, Streams};
use platform::config::Settings;
use projections::lead_timeline::pages::{outline, page, positions};
use projections::lead_timeline::query::{Placed, newest, streams};
use records::Records;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::history_words::{APPROVED_REFUND, NOTE, approver_words, note_words};
use crate::leads::{LeadRow, board_row, lead_row};
use crate::named_values::{name_changes, name_tracks, write_amounts, write_track_amounts};
use crate::outline::LeadOutline;
use crate::redacted_history::{self, keep_told_changes, keep_told_tracks};
use crate::staff_names::staff_name;
use crate::{Services, acts};

/// Who may watch a history: asked again as long as the stream is open.
const WATCHING: Access = ANY_STAFF;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(ANY_STAFF, routes!(timeline))
        .endpoint(ANY_STAFF, routes!(events))
        .endpoint(WATCHING, routes!(stream))
}

/// Up to here a history is answered whole.
const WHOLE: usize = 1_000;
/// Events of a page when the request does not say, and the most it may ask for.
const PAGE: usize = 500;
const PAGE_MAX: u64 = 1_000;

/// Fields in the order of the Then | Now table. Labels are `timeline_ui.field_<field>`.
pub(crate) const FIELDS: &[(&str, &[&str])] = &[
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
            "counsellor_name",
            "counsellor_email",
            "counsellor_country",
            "counsellor_office",
            "question",
            "verified",
            "repeat",
            "source",
            "referral_code",
            "reference",
            "reason",
            "rating",
            "rating_words",
            "message_way",
        ],
    ),
    (
        "booking_form",
        &[
            "form_status",
            "form_flow",
            "bookform_source",
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
            "refund_asked_by",
            "card",
            "decline",
            "held_until",
        ],
    ),
    (
        "user",
        &["proved_email", "proved_phone", "login_type", "last_looked_at"],
    ),
    ("case", &["case_owner", "case_team"]),
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
    pub(crate) n: u64,
    pub(crate) position: i64,
    #[schema(value_type = StreamKindWord)]
    pub(crate) stream: String,
    stream_id: String,
    revision: i64,
    #[serde(rename = "type")]
    pub(crate) event_type: String,
    pub(crate) recorded_at: String,
    pub(crate) actor: ActorRef,
    pub(crate) because_of: Option<u64>,
    pub(crate) sentence: Sentence,
    failed: bool,
    #[schema(value_type = Vec<TimelineChange>)]
    pub(crate) changes: Value,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ActorRef {
    #[schema(value_type = TimelineActorWord)]
    pub(crate) kind: String,
    pub(crate) label: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Sentence {
    pub(crate) key: String,
    #[schema(value_type = SentenceParams)]
    pub(crate) params: Value,
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

/// The history of a lead across its streams: all of it, or of a long one its outline and the newest events (decision 0038). Finance reads it
/// without personal data.
///
/// # Errors
/// 404 for an unknown lead.
#[utoipa::path(get, path = "/api/v0/workspace/leads/{id}/timeline", params(("id" = String, Path)),
    responses((status = 200, body = Success<LeadTimeline>), (status = 404)))]
pub async fn timeline(
    State(records): State<Records>,
    State(sessions): State<Sessions>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
) -> ApiResult<Success<LeadTimeline>> {
    let (lead_id, row) = board_row(&records, &id).await?;
    Reading::by(&sessions, &context, &staff).lead(lead_id).await?;
    let reader = Reader::new(&records, &settings, &staff.person);
    let pool = records.read.readers();
    let mut names = HashMap::new();
    let mut positions = positions(pool, lead_id).await?;
    let (streams, outline) = if positions.len() <= WHOLE {
        (streams(pool, lead_id).await?, None)
    } else {
        let mut long = outline(pool, lead_id).await?;
        if !reader.knows_person {
            keep_told_tracks(&mut long);
        }
        name_tracks((&records.log, &settings), &mut long, &mut names).await?;
        write_track_amounts(reader.lang, &mut long);
        positions = std::mem::take(&mut long.positions);
        (std::mem::take(&mut long.streams), Some(long.into()))
    };
    let first = if outline.is_none() {
        1
    } else {
        positions.len().saturating_sub(PAGE) + 1
    };
    let events = page(pool, lead_id, &positions, (first, positions.len())).await?;
    let mut lead = lead_row(&records, &settings, row, context.lang, &mut names).await?;
    if !reader.knows_person {
        lead.hide_person();
    }
    Ok(Success::new(LeadTimeline {
        lead,
        streams: streams
            .into_iter()
            .map(|(stream, stream_id, revision)| StreamRef {
                stream,
                stream_id,
                revision,
            })
            .collect(),
        count: positions.len() as u64,
        events: all_told(&reader, events, &mut names).await?,
        outline,
        fields: fields(&reader),
    }))
}

/// A page of a lead's history.
///
/// # Errors
/// 404 for an unknown lead.
#[utoipa::path(get, path = "/api/v0/workspace/leads/{id}/timeline/events", operation_id = "timeline_events", params(("id" = String, Path), EventsQuery),
    responses((status = 200, body = Success<LeadEvents>), (status = 404)))]
pub async fn events(
    State(records): State<Records>,
    State(sessions): State<Sessions>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
    Query(query): Query<EventsQuery>,
) -> ApiResult<Success<LeadEvents>> {
    let (lead_id, _) = board_row(&records, &id).await?;
    Reading::by(&sessions, &context, &staff).lead(lead_id).await?;
    let pool = records.read.readers();
    let positions = positions(pool, lead_id).await?;
    let limit = limit_of(query.limit, PAGE as u64, PAGE_MAX)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let placed = page(pool, lead_id, &positions, (query.from.unwrap_or(1), limit)).await?;
    let reader = Reader::new(&records, &settings, &staff.person);
    let events = all_told(&reader, placed, &mut HashMap::new()).await?;
    Ok(Success::new(LeadEvents { events }))
}

/// Who is told a history, and from which log.
pub(crate) struct Reader<'r> {
    log: &'r EventLog,
    settings: &'r Settings,
    lang: Language,
    /// Who may write notes reads them.
    reads_notes: bool,
    /// Who may not ask for contact data reads a history without personal data.
    knows_person: bool,
}

impl<'r> Reader<'r> {
    pub(crate) fn new(records: &'r Records, settings: &'r Settings, person: &Person) -> Self {
        Self {
            log: &records.log,
            settings,
            lang: current_language(),
            reads_notes: acts::NOTING.admits(person),
            knows_person: acts::REVEALING.admits(person),
        }
    }

    /// The same reader in a language: outside a request it is not known.
    const fn in_language(self, lang: Language) -> Self {
        Self { lang, ..self }
    }
}

pub(crate) async fn all_told(
    reader: &Reader<'_>,
    placed: Vec<Placed>,
    names: &mut HashMap<String, String>,
) -> ApiResult<Vec<TimelineEvent>> {
    let mut events = Vec::with_capacity(placed.len());
    for placed in placed {
        events.push(told(reader, placed, names).await?);
    }
    Ok(events)
}

fn fields(reader: &Reader<'_>) -> Vec<FieldRef> {
    let all = FIELDS
        .iter()
        .flat_map(|(stream, fields)| fields.iter().map(move |field| (*stream, *field)));
    let told = all.filter(|(_, field)| reader.knows_person || redacted_history::tells(field));
    told.map(|(stream, field)| FieldRef {
        stream,
        field,
        label_key: format!("timeline_ui.field_{field}"),
    })
    .collect()
}

/// New events of a lead as they are recorded, from the moment of connecting on, until the login ends or loses the right.
///
/// # Errors
/// 404 for an unknown lead, 429 for more streams than one member of staff may hold.
#[utoipa::path(get, path = "/api/v0/workspace/leads/{id}/stream", operation_id = "lead_stream", params(("id" = String, Path)),
    responses((status = 200, content_type = "text/event-stream", body = String, description = "Events as they happen"), (status = 404), (status = 429)))]
pub async fn stream(
    State(sessions): State<Sessions>,
    State(streams): State<Streams>,
    State(stopping): State<Stopping>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
) -> ApiResult<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let (lead_id, _) = board_row(&sessions.records, &id).await?;
    let places = streams.admit_staff(staff.person.user_id)?;
    Reading::by(&sessions, &context, &staff).lead(lead_id).await?;
    let known = positions(sessions.records.read.readers(), lead_id).await?.len();
    let stopping = stopping.comes();
    let events = follow(
        sessions,
        streams,
        (staff.person, context.lang),
        lead_id,
        known,
        places,
    )
    .take_until(Box::pin(stopping));
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

fn follow(
    sessions: Sessions,
    streams: Streams,
    (person, lang): (Person, Language),
    lead_id: LeadId,
    mut known: usize,
    places: Places,
) -> impl Stream<Item = Result<Event, Infallible>> {
    async_stream::stream! {
        let _places = places;
        let records = &sessions.records;
        let reader = Reader::new(records, &sessions.settings, &person).in_language(lang);
        // Before the first look, so that nothing falls between.
        let (mut of_lead, mut of_person) = (streams.of_lead(lead_id), streams.of_person(person.user_id));
        let head = *records.log.watch().borrow();
        records.wait_for(head).await;
        let mut beat = tokio::time::interval(BEAT);
        let (mut names, mut seen) = (HashMap::new(), None);
        loop {
            if !may_hear(&sessions, &person).await {
                return;
            }
            // A read that fails is tried again with the next event; the page asks for the whole after a gap.
            let events = fresh(records, lead_id, known, &mut seen).await.unwrap_or_default();
            for placed in events {
                known += 1;
                let n = placed.n;
                if let Ok(event) = told(&reader, placed, &mut names).await
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
async fn may_hear(sessions: &Sessions, person: &Person) -> bool {
    let now = caller::still(sessions, person).await.ok().flatten();
    now.is_some_and(|person| WATCHING.admits(&person))
}

/// What came after the events that are known: most of what happens is about others, and a history may be long.
async fn fresh(
    records: &Records,
    lead_id: LeadId,
    known: usize,
    seen: &mut Option<i64>,
) -> Result<Vec<Placed>, sqlx::Error> {
    let pool = records.read.readers();
    let newest = newest(pool, lead_id).await?;
    if newest == *seen {
        return Ok(Vec::new());
    }
    let positions = positions(pool, lead_id).await?;
    let events = page(pool, lead_id, &positions, (known + 1, positions.len())).await?;
    *seen = newest;
    Ok(events)
}

async fn told(
    reader: &Reader<'_>,
    placed: Placed,
    names: &mut HashMap<String, String>,
) -> ApiResult<TimelineEvent> {
    let Placed { n, because_of, row } = placed;
    let Reader { log, settings, .. } = *reader;
    let label = match (row.actor_kind.as_str(), &row.actor_id) {
        ("staff", Some(id)) => staff_name(log, settings, id, names).await?,
        _ => String::new(),
    };
    let mut changes: Value = serde_json::from_str(&row.changes).map_err(ApiError::broken)?;
    name_changes((log, settings), &mut changes, names).await?;
    let mut params: Value = serde_json::from_str(&row.params).map_err(ApiError::broken)?;
    if reader.reads_notes && row.event_type == NOTE {
        params["note"] = note_words(log, row.position).await?.into();
    }
    if row.sentence == APPROVED_REFUND {
        params["approval_reason"] = approver_words(log, row.position).await?.into();
    }
    write_amounts(reader.lang, &mut changes, &mut params);
    if !reader.knows_person {
        keep_told_changes(&mut changes);
        redacted_history::hide_params(&mut params);
    }
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
            params,
        },
        failed: row.failed.is_set(),
        changes,
    })
}
