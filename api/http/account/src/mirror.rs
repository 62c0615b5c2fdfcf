//! A person shows support where they are (row N11): a code to read out, the steps of the page while it is open, and an end.

use std::convert::Infallible;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use domain::id::UserId;
use domain::user::{Role, User};
use domain::user_history::{MirrorEnd, MirrorPage, UserHistory};
use eventlog::Actor;
use futures::{Stream, StreamExt as _};
use http_kit::body::Body;
use http_kit::caller::{self, Person, Sessions};
use http_kit::contract::words::{MirrorEndWord, MirrorPageWord, Nothing, NudgeWord, RoleWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::limits::Limits;
use http_kit::permissions::Access;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use http_kit::stopping::Stopping;
use http_kit::streams::{Places, Streams};
use records::Records;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

pub mod report;
pub mod room;

use report::Report;
use room::{Kept, Mirrors, SEEN_EVERY};

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(Access::LoggedIn, routes!(own_mirrors, offer_mirror))
        .endpoint(Access::LoggedIn, routes!(tell_mirror))
        .endpoint(Access::LoggedIn, routes!(end_own_mirror))
        .endpoint(Access::LoggedIn, routes!(own_mirror_stream))
}

/// Where the person is as they ask for a code.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MirrorOffer, example = json!({ "page": "booking_form" }))]
pub struct Offer {
    #[schema(value_type = MirrorPageWord)]
    page: String,
}

/// A code to read out to support.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MirrorCode)]
pub struct CodeShown {
    mirror_id: String,
    /// Six digits, once.
    code: String,
    /// RFC 3339.
    until: String,
}

/// One mirror of the caller's pages.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnMirror {
    /// RFC 3339.
    began_at: String,
    #[schema(value_type = MirrorPageWord)]
    page: &'static str,
    /// How long it lasted; null while it lasts.
    seconds: Option<u64>,
    #[schema(value_type = Option<MirrorEndWord>)]
    ended_by: Option<&'static str>,
    /// The role of who saw it; null for an account that has none any more.
    #[schema(value_type = Option<RoleWord>)]
    role: Option<Role>,
}

/// A sentence beside a field.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = MirrorNudge)]
pub struct NudgeShown {
    pub field: String,
    #[schema(value_type = NudgeWord)]
    pub sentence: String,
    /// Milliseconds since 1970: the same sentence again is another nudge.
    pub at: i64,
}

impl NudgeShown {
    /// The newest nudge of a mirror.
    pub fn of(kept: &Kept) -> Option<Self> {
        kept.nudge.as_ref().map(|nudge| Self {
            field: nudge.field.clone(),
            sentence: nudge.sentence.clone(),
            at: nudge.at,
        })
    }
}

/// The caller's mirrors, the newest first: who of staff saw their steps, on which page and for how long.
///
/// # Errors
/// 401 for a visitor.
#[utoipa::path(get, path = "/api/v0/users/mirrors", responses((status = 200, body = Success<Vec<OwnMirror>>)))]
pub async fn own_mirrors(
    State(records): State<Records>,
    _context: RequestContext,
    person: Person,
) -> ApiResult<Success<Vec<OwnMirror>>> {
    let history = records.log.load::<UserHistory>(person.user_id).await?.state;
    let mut shown = Vec::new();
    for mirror in history.mirrors.iter().rev() {
        shown.push(OwnMirror {
            began_at: mirror.began_at.to_rfc3339(),
            page: mirror.page.key(),
            seconds: mirror.ended.map(|(seconds, _)| seconds),
            ended_by: mirror.ended.map(|(_, reason)| reason.key()),
            role: role_of(&records, mirror.by).await?,
        });
    }
    Ok(Success::new(shown))
}

async fn role_of(records: &Records, by: UserId) -> ApiResult<Option<Role>> {
    Ok(records.log.load::<User>(by).await?.state.roles.first().copied())
}

/// Makes a code of six digits that the person reads out to support: good for ten minutes and once.
///
/// # Errors
/// 422 for a page that is none, 429 for too many codes.
#[utoipa::path(post, path = "/api/v0/users/mirrors", operation_id = "offer_mirror", request_body = Offer,
    responses((status = 200, body = Success<CodeShown>), (status = 422, body = Failure), (status = 429, body = Failure)))]
pub async fn offer_mirror(
    State(mirrors): State<Mirrors>,
    State(limits): State<Limits>,
    _context: RequestContext,
    person: Person,
    Body(offer): Body<Offer>,
) -> ApiResult<Success<CodeShown>> {
    let page = MirrorPage::from_key(&offer.page)
        .ok_or_else(|| ApiError::invalid_field("page", "no_name", say("refusal.mirror_name")))?;
    limits.count_mirror_offer(person.user_id).await?;
    let offered = mirrors.offer(&person, page).await?;
    Ok(Success::new(CodeShown {
        mirror_id: offered.id.to_string(),
        code: offered.code,
        until: offered.until.to_rfc3339(),
    }))
}

/// Keeps where the page stands, for support to see. Names out of closed lists, never a value.
///
/// # Errors
/// 422 for what is no name, 409 while support does not see it, 404 for another person's mirror.
#[utoipa::path(put, path = "/api/v0/users/mirrors/{id}/report", operation_id = "tell_mirror", params(("id" = String, Path)),
    request_body = Report, responses((status = 200, body = Success<Nothing>), (status = 404, body = Failure), (status = 409, body = Failure), (status = 422, body = Failure), (status = 429, body = Failure)))]
pub async fn tell_mirror(
    State(mirrors): State<Mirrors>,
    State(limits): State<Limits>,
    _context: RequestContext,
    person: Person,
    Path(id): Path<String>,
    Body(report): Body<Report>,
) -> ApiResult<Success<()>> {
    let kept = mirrors.own(&person, &id).await?;
    report.check()?;
    if !kept.is_open() {
        return Err(ApiError::conflict(
            "mirror_not_open",
            say("refusal.mirror_not_open"),
        ));
    }
    limits.count_mirror_report(kept.id).await?;
    mirrors.tell(kept, report).await?;
    Ok(Success::new(()))
}

/// Ends the mirror, or voids its code.
///
/// # Errors
/// 404 for another person's mirror.
#[utoipa::path(delete, path = "/api/v0/users/mirrors/{id}", operation_id = "end_own_mirror", params(("id" = String, Path)),
    responses((status = 200, body = Success<Nothing>), (status = 404, body = Failure)))]
pub async fn end_own_mirror(
    State(mirrors): State<Mirrors>,
    _context: RequestContext,
    person: Person,
    Path(id): Path<String>,
) -> ApiResult<Success<()>> {
    let kept = mirrors.own(&person, &id).await?;
    let actor = Actor::student(person.user_id.0);
    mirrors.end(&kept, MirrorEnd::Student, actor).await?;
    Ok(Success::new(()))
}

/// Tells the person's page whether support sees it (`mirror`), and each nudge; ends with the mirror. While it is open the page counts as
/// open.
///
/// # Errors
/// 404 for another person's mirror, 429 for more streams than a network may hold.
#[utoipa::path(get, path = "/api/v0/users/mirrors/{id}/stream", operation_id = "own_mirror_stream", params(("id" = String, Path)),
    responses((status = 200, content_type = "text/event-stream", body = String, description = "Events as they happen"), (status = 404, body = Failure), (status = 429, body = Failure)))]
pub async fn own_mirror_stream(
    State(mirrors): State<Mirrors>,
    State(sessions): State<Sessions>,
    State(streams): State<Streams>,
    State(stopping): State<Stopping>,
    _context: RequestContext,
    person: Person,
    Path(id): Path<String>,
) -> ApiResult<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let kept = mirrors.own(&person, &id).await?;
    let places = streams.admit_staff(person.user_id)?;
    let stopping = stopping.comes();
    let events = follow(mirrors, sessions, person, kept.id, places).take_until(Box::pin(stopping));
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

fn follow(
    mirrors: Mirrors,
    sessions: Sessions,
    person: Person,
    id: Uuid,
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
            let stands = caller::still(&sessions, &person).await.ok().flatten().is_some();
            if !stands {
                if let Err(error) = mirrors.end(&kept, MirrorEnd::Logout, Actor::SYSTEM).await {
                    tracing::warn!(?error, "the mirror of a login that ended goes on until its page is missed");
                }
                return;
            }
            let now = json!({
                "state": state_of(&kept),
                "ended_by": kept.ended_by.map(MirrorEnd::key),
                "ends_at": kept.ends_at.map(|end| end.to_rfc3339()),
                "nudge": NudgeShown::of(&kept),
            });
            if told.as_ref() != Some(&now) {
                if let Ok(event) = Event::default().event("mirror").json_data(&now) {
                    yield Ok(event);
                }
                told = Some(now);
            }
            if kept.ended_by.is_some() {
                return;
            }
            tokio::select! {
                _ = changed.changed() => {}
                _ = tick.tick() => {
                    if let Err(error) = mirrors.seen(id).await {
                        tracing::warn!(?error, "a mirrored page could not be noted as open");
                    }
                }
            }
        }
    }
}

fn state_of(kept: &Kept) -> &'static str {
    if kept.ended_by.is_some() {
        "over"
    } else if kept.began_at.is_some() {
        "open"
    } else {
        "waiting"
    }
}
