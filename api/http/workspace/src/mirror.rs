//! Support sees where a person stands, with their consent (row N11): the state of their page's machine, what holds it up, and the way that led
//! there. Names alone; nothing that was typed.

use std::convert::Infallible;

use account::mirror::NudgeShown;
use account::mirror::report::{Report, is_name};
use account::mirror::room::{Kept, Mirrors, Nudge, SEEN_EVERY};
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use domain::user_history::{MirrorEnd, MirrorPage};
use eventlog::Actor;
use futures::{Stream, StreamExt as _};
use http_kit::body::Body;
use http_kit::caller::{self, Sessions, Staff};
use http_kit::contract::mirror::NUDGES;
use http_kit::contract::words::{MirrorEndWord, MirrorPageWord, MirrorStateWord, Nothing, NudgeWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure, FieldError};
use http_kit::limits::Limits;
use http_kit::permissions::{Access, SUPPORT};
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use http_kit::stopping::Stopping;
use http_kit::streams::{Listening, Places, Streams};
use platform::clock;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Services;

/// Who may watch a mirror: asked again as long as the stream is open.
const WATCHING: Access = SUPPORT;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(SUPPORT, routes!(begin_mirror))
        .endpoint(WATCHING, routes!(watch_mirror))
        .endpoint(SUPPORT, routes!(nudge_person))
        .endpoint(SUPPORT, routes!(end_mirror))
}

/// The code that a person read out.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MirrorBegin, example = json!({ "code": "483920" }))]
pub struct Begin {
    code: String,
}

/// A ready sentence beside a field of the person's page.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NudgeRequest, example = json!({ "field": "postcode", "sentence": "goes_here" }))]
pub struct NudgeAsked {
    field: String,
    #[schema(value_type = NudgeWord)]
    sentence: String,
}

/// Where a person stands, as support sees it.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StaffMirror {
    mirror_id: String,
    /// The page on which the code was asked for.
    #[schema(value_type = MirrorPageWord)]
    page: &'static str,
    /// RFC 3339.
    began_at: Option<String>,
    ends_at: Option<String>,
    #[schema(value_type = Option<MirrorEndWord>)]
    ended_by: Option<&'static str>,
    /// Null until the page has told where it stands.
    report: Option<Report>,
    /// The states that the page passed, the oldest first.
    #[schema(value_type = Vec<MirrorStateWord>)]
    way: Vec<String>,
    nudge: Option<NudgeShown>,
}

impl StaffMirror {
    fn of(kept: &Kept) -> Self {
        let told = kept.told.clone();
        let (report, way) = told.map_or((None, Vec::new()), |told| (Some(told.report), told.way));
        Self {
            mirror_id: kept.id.to_string(),
            page: MirrorPage::key(kept.page),
            began_at: kept.began_at.map(|at| at.to_rfc3339()),
            ends_at: kept.ends_at.map(|at| at.to_rfc3339()),
            ended_by: kept.ended_by.map(MirrorEnd::key),
            report,
            way,
            nudge: NudgeShown::of(kept),
        }
    }
}

/// Begins the mirror whose code the person read out.
///
/// # Errors
/// 422 for a code that is wrong, used or over, 429 for too many codes.
#[utoipa::path(post, path = "/api/v0/workspace/mirrors", operation_id = "begin_mirror", tag = "support", request_body = Begin,
    responses((status = 200, body = Success<StaffMirror>), (status = 422, body = Failure), (status = 429, body = Failure)))]
pub async fn begin_mirror(
    State(records): State<Records>,
    State(mirrors): State<Mirrors>,
    State(limits): State<Limits>,
    context: RequestContext,
    staff: Staff,
    Body(asked): Body<Begin>,
) -> ApiResult<Success<StaffMirror>> {
    let command = context.command(staff.actor(), &asked);
    let (kept, position) = if let Some(begun) = mirrors.begun_before(&staff.person, &command).await? {
        begun
    } else {
        limits.count_mirror_code(staff.person.user_id).await?;
        let code = domain::contact::digits::one_time_code(&asked.code);
        mirrors.begin(&staff.person, &code, &command).await?
    };
    records.answers_for(position);
    Ok(Success::at(StaffMirror::of(&kept), position))
}

/// Tells where the person stands (`mirror`) as soon as that changes; ends with the mirror.
///
/// # Errors
/// 403 without the person's consent, which only their code gives, and once the mirror has ended; 404 for an unknown one.
#[utoipa::path(get, path = "/api/v0/workspace/mirrors/{id}/stream", operation_id = "mirror_stream", tag = "support", params(("id" = String, Path)),
    responses((status = 200, content_type = "text/event-stream", body = String, description = "Events as they happen"), (status = 403, body = Failure), (status = 404, body = Failure), (status = 429, body = Failure)))]
pub async fn watch_mirror(
    State(mirrors): State<Mirrors>,
    State(sessions): State<Sessions>,
    State(streams): State<Streams>,
    State(stopping): State<Stopping>,
    _context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
) -> ApiResult<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let kept = mirrors.named(&id).await?.seen_by(&staff.person)?;
    let places = streams.admit_staff(staff.person.user_id)?;
    let stopping = stopping.comes();
    let account = streams.of_person(kept.user_id);
    let events = follow(mirrors, sessions, staff, kept.id, account, places).take_until(Box::pin(stopping));
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

fn follow(
    mirrors: Mirrors,
    sessions: Sessions,
    staff: Staff,
    id: Uuid,
    mut account: Listening,
    places: Places,
) -> impl Stream<Item = Result<Event, Infallible>> {
    async_stream::stream! {
        let _places = places;
        // Before the first look, so that nothing falls between.
        let mut changed = mirrors.changes();
        let mut tick = tokio::time::interval(SEEN_EVERY);
        let mut told = None;
        loop {
            let Ok(Some(kept)) = mirrors.kept(id).await else { return };
            let person = caller::still(&sessions, &staff.person).await.ok().flatten();
            if !person.is_some_and(|person| WATCHING.admits(&person)) {
                if let Err(error) = mirrors.end(&kept, MirrorEnd::Staff, staff.actor()).await {
                    tracing::warn!(?error, "the mirror of a staff login that ended goes on until its time is over");
                }
                return;
            }
            // The person's page goes with their logout and cannot end the mirror itself.
            if kept.is_open() && matches!(mirrors.login_stands(&kept).await, Ok(false)) {
                if let Err(error) = mirrors.end(&kept, MirrorEnd::Logout, Actor::SYSTEM).await {
                    tracing::warn!(?error, "the mirror of a login that ended goes on until its page is missed");
                    return;
                }
                continue;
            }
            let now = StaffMirror::of(&kept);
            if told.as_ref() != Some(&now) {
                if let Ok(event) = Event::default().event("mirror").json_data(&now) {
                    yield Ok(event);
                }
                told = Some(now);
            }
            if !kept.is_open() {
                return;
            }
            tokio::select! {
                _ = changed.changed() => {}
                () = account.news() => {}
                _ = tick.tick() => {}
            }
        }
    }
}

/// Puts a ready sentence beside a field of the person's page.
///
/// # Errors
/// 403 without the person's consent, 422 for a field or sentence that is none, 404 for an unknown mirror.
#[utoipa::path(post, path = "/api/v0/workspace/mirrors/{id}/nudges", operation_id = "nudge_person", tag = "support", params(("id" = String, Path)),
    request_body = NudgeAsked, responses((status = 200, body = Success<Nothing>), (status = 403, body = Failure), (status = 404, body = Failure), (status = 422, body = Failure)))]
pub async fn nudge_person(
    State(mirrors): State<Mirrors>,
    _context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
    Body(asked): Body<NudgeAsked>,
) -> ApiResult<Success<()>> {
    let kept = mirrors.named(&id).await?.seen_by(&staff.person)?;
    let mut errors = Vec::new();
    let refused = |field: &str| FieldError::new(field, "no_name", say("refusal.mirror_name"));
    if !is_name(&asked.field) {
        errors.push(refused("field"));
    }
    if !NUDGES.contains(&asked.sentence.as_str()) {
        errors.push(refused("sentence"));
    }
    if !errors.is_empty() {
        return Err(ApiError::invalid(errors));
    }
    let nudge = Nudge {
        field: asked.field,
        sentence: asked.sentence,
        at: clock::now().timestamp_millis(),
    };
    mirrors.nudge(&kept, &nudge).await?;
    Ok(Success::new(()))
}

/// Ends a mirror.
///
/// # Errors
/// 403 for another colleague's mirror or one that is over, 404 for an unknown one.
#[utoipa::path(delete, path = "/api/v0/workspace/mirrors/{id}", operation_id = "end_mirror", tag = "support", params(("id" = String, Path)),
    responses((status = 200, body = Success<Nothing>), (status = 403, body = Failure), (status = 404, body = Failure)))]
pub async fn end_mirror(
    State(mirrors): State<Mirrors>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
) -> ApiResult<Success<()>> {
    let asked = context.command(staff.actor(), &("end_mirror", &id));
    let kept = mirrors.named(&id).await?;
    mirrors.end_of_staff(kept, &staff.person, &asked).await?;
    Ok(Success::new(()))
}
