//! One stream for the desk: how many leads each view holds, as soon as that changes, and who else has the lead's page open.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use domain::id::LeadId;
use domain::user::User;
use futures::{Stream, StreamExt as _};
use http_kit::body::Body;
use http_kit::caller::{self, Sessions, Staff};
use http_kit::contract::words::Nothing;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiResult, Failure};
use http_kit::permissions::{Access, SUPPORT};
use http_kit::request::{Path, Query, RequestContext};
use http_kit::stopping::Stopping;
use http_kit::streams::{Places, Streams};
use projections::lead_board::query;
use records::Records;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::Services;
use crate::lead_views::{self, Counted};
use crate::leads::board_row;
use crate::presence::{Open, Presence, SEEN_EVERY};
use crate::staff_names::name_of;

/// Who may watch the desk: asked again as long as the stream is open.
const WATCHING: Access = SUPPORT;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(WATCHING, routes!(stream_desk))
        .endpoint(SUPPORT, routes!(note_writing))
}

/// Changes that come within this time are counted together.
const GATHER: Duration = Duration::from_millis(200);

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
pub struct LiveQuery {
    /// The lead whose page is open.
    lead_id: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LeadWriting, example = json!({ "writing": true }))]
pub struct Writing {
    /// True while the caller writes at this lead.
    writing: bool,
}

/// Parts of the stream.
pub(crate) struct Sources {
    pub(crate) sessions: Sessions,
    pub(crate) presence: Presence,
}

/// Tells how many leads each view holds (`counts`) and who else has the lead's page open (`presence`), whenever that changes.
///
/// # Errors
/// 404 for an unknown lead, 429 for more streams than one member of staff may hold.
#[utoipa::path(get, path = "/api/v0/workspace/leads/live", operation_id = "desk_stream", tag = "support", params(LiveQuery),
    responses((status = 200, content_type = "text/event-stream", body = String, description = "Events as they happen"), (status = 404, body = Failure), (status = 429, body = Failure)))]
pub async fn stream_desk(
    State(sessions): State<Sessions>,
    State(presence): State<Presence>,
    State(streams): State<Streams>,
    State(stopping): State<Stopping>,
    _context: RequestContext,
    staff: Staff,
    Query(asked): Query<LiveQuery>,
) -> ApiResult<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let lead_id = match asked.lead_id.as_deref().filter(|id| !id.is_empty()) {
        Some(id) => Some(board_row(&sessions.records, id).await?.0),
        None => None,
    };
    let places = streams.admit_staff(staff.person.user_id)?;
    let sources = Sources { sessions, presence };
    let stopping = stopping.comes();
    let events = follow(sources, staff, lead_id, places).take_until(Box::pin(stopping));
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

fn follow(
    sources: Sources,
    staff: Staff,
    lead_id: Option<LeadId>,
    places: Places,
) -> impl Stream<Item = Result<Event, Infallible>> {
    async_stream::stream! {
        let _places = places;
        let records = sources.sessions.records.clone();
        // Before the first look, so that nothing falls between.
        let (mut head, mut people) = (records.log.watch(), sources.presence.changes());
        let mut open = match lead_id {
            Some(lead_id) => Some(sources.presence.open(lead_id, staff.person.user_id).await),
            None => None,
        };
        let mut beat = tokio::time::interval(SEEN_EVERY);
        let (mut counted, mut seen) = (None, None);
        loop {
            if !may_hear(&sources.sessions, &staff).await {
                return;
            }
            let reached = *head.borrow_and_update();
            records.wait_for(reached).await;
            if lead_id.is_none()
                && let Ok(now) = counts(&sources, &staff).await
                && counted.as_ref() != Some(&now)
            {
                if let Ok(event) = Event::default().event("counts").json_data(&now) {
                    yield Ok(event);
                }
                counted = Some(now);
            }
            people.borrow_and_update();
            if let Some(lead_id) = lead_id
                && let Ok(now) = others(&sources, &staff, lead_id).await
                && seen.as_ref() != Some(&now)
            {
                if let Ok(event) = Event::default().event("presence").json_data(&now) {
                    yield Ok(event);
                }
                seen = Some(now);
            }
            tokio::select! {
                _ = head.changed(), if lead_id.is_none() => tokio::time::sleep(GATHER).await,
                _ = people.changed(), if lead_id.is_some() => {}
                _ = beat.tick() => note_seen(open.as_mut()).await,
            }
        }
    }
}

async fn note_seen(open: Option<&mut Open>) {
    if let Some(open) = open {
        open.note_seen().await;
    }
}

async fn counts(sources: &Sources, staff: &Staff) -> ApiResult<Counted> {
    let Sessions { records, settings } = &sources.sessions;
    let newest = query::newest(records.read.readers()).await?;
    let views = lead_views::counted(records, settings, sources.presence.desk(), staff).await?;
    Ok(Counted { newest, views })
}

/// Who else looks, by name.
async fn others(sources: &Sources, staff: &Staff, lead_id: LeadId) -> ApiResult<serde_json::Value> {
    let others = sources.presence.others(lead_id, staff.person.user_id).await?;
    let mut people = Vec::with_capacity(others.len());
    for (user_id, writing) in others {
        let user = sources.sessions.records.log.load::<User>(user_id).await?.state;
        people.push(json!({ "user_id": user_id.to_string(), "name": name_of(&user), "writing": writing }));
    }
    Ok(json!({ "people": people }))
}

/// Whether the login still stands and still has the right: a stream outlives the request that was let through.
async fn may_hear(sessions: &Sessions, staff: &Staff) -> bool {
    let now = caller::still(sessions, &staff.person).await.ok().flatten();
    now.is_some_and(|person| WATCHING.admits(&person))
}

/// Tells the others who have the lead's page open that the caller writes, or has stopped. It counts for twenty seconds.
///
/// # Errors
/// 404 for an unknown lead.
#[utoipa::path(post, path = "/api/v0/workspace/leads/{id}/presence", operation_id = "lead_presence", tag = "support",
    params(("id" = String, Path)), request_body = Writing, responses((status = 200, body = Success<Nothing>), (status = 404, body = Failure)))]
pub async fn note_writing(
    State(records): State<Records>,
    State(presence): State<Presence>,
    _context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
    Body(said): Body<Writing>,
) -> ApiResult<Success<()>> {
    let (lead_id, _) = board_row(&records, &id).await?;
    presence.write(lead_id, staff.person.user_id, said.writing).await;
    Ok(Success::new(()))
}
