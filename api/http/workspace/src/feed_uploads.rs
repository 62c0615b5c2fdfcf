//! Files of feeds that staff upload: mapped, looked at as a student would see them, tried, and taken in (HOMES.md "Feeds").

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body as Incoming;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use booking::documents::name_of;
use domain::import_run::MissingRule;
use eventlog::EventLog;
use feeds::{FeedField, list_fields, list_meanings};
use futures::StreamExt as _;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::MissingRuleWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::Access;
use http_kit::request::{Path, Query, RequestContext};
use http_kit::said::say;
use import::preview::FeedLook;
use import::run::name_file;
use intake::access::FEED_KEEPERS;
use intake::commands::{AskedRun, IntakeDesk, NewUpload};
use intake::shelf::{Arrived, BYTES_MAX};
use intake::upload::{MapFrom, Stage, StoppedBy, Upload, UploadRun, Work};
use intake::worker::KEPT_FOR;
use platform::clock;
use platform::config::Settings;
use projections::payment_audit::instant;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::Services;
use crate::feed_refusals::refuse;
use crate::staff_names::staff_name;

/// Who brings feeds in.
pub(crate) const KEEPING: Access = Access::Staff(FEED_KEEPERS);

/// Path of a request whose body is a whole feed.
pub const UPLOAD_PATH: &str = "/api/v0/workspace/feed_uploads";
/// Path of a request that has a whole feed fetched.
pub const FETCH_PATH: &str = "/api/v0/workspace/feed_uploads/address";

/// How long an answer waits for a look: most files are read by then.
const LOOK_PATIENCE: Duration = Duration::from_secs(8);

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(KEEPING, routes!(list_feed_fields))
        .endpoint(KEEPING, routes!(list_uploads))
        .endpoint(KEEPING, routes!(add_upload))
        .endpoint(KEEPING, routes!(fetch_upload))
        .endpoint(KEEPING, routes!(read_upload))
        .endpoint(KEEPING, routes!(remove_upload))
        .endpoint(KEEPING, routes!(change_map))
        .endpoint(KEEPING, routes!(run_upload))
        .endpoint(KEEPING, routes!(cancel_upload))
        .endpoint(KEEPING, routes!(download_upload_report))
}

/// What a map may name.
#[derive(Debug, Serialize, ToSchema)]
pub struct FeedFields {
    fields: Vec<FeedField>,
    /// Meanings of words of `room_type`.
    kinds: Vec<&'static str>,
    /// Meanings of words of `price_per`.
    periods: Vec<&'static str>,
    /// The most that a file may have.
    limit_bytes: u64,
}

/// The feed of a file.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct UploadQuery {
    /// Homes are known by it and their id: 1 to 64 letters.
    feed: String,
}

/// Uploads, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct FeedUploads {
    uploads: Vec<FeedUploadLine>,
}

/// An uploaded file, and where the work on it stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct FeedUploadLine {
    upload_id: String,
    feed: String,
    /// The file's name.
    file: String,
    bytes: u64,
    /// SHA-256 of the file, in hex.
    digest: String,
    by_name: String,
    /// RFC 3339.
    made_at: String,
    /// When it is removed, with its file.
    expires_at: String,
    work: Work,
    stage: Stage,
    /// Of its last import: its name in the log.
    run_id: Option<String>,
}

/// An upload with what was seen in it.
#[derive(Debug, Serialize, ToSchema)]
pub struct FeedUpload {
    upload: FeedUploadLine,
    /// Whether the file lies on the node that answers: that node alone works on it.
    is_here: bool,
    /// The map in force, under the names of docs/import/feeds.md.
    #[schema(value_type = Object)]
    map: Value,
    map_from: MapFrom,
    /// Whether that map fits the file: before, nothing can be run.
    is_looked: bool,
    /// Why the map of the feed's last import does not fit this file.
    kept_fault: Option<String>,
    /// Why the work failed.
    fault: Option<String>,
    stopped_by: Option<StoppedBy>,
    /// Under the last map that fits.
    look: Option<FeedLook>,
    run: Option<UploadRun>,
}

/// A feed to be fetched.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "feed": "leeds", "url": "https://feeds.example/leeds.csv" }))]
pub struct FeedAddress {
    /// Homes are known by it and their id: 1 to 64 letters.
    feed: String,
    /// Begins with https://.
    url: String,
}

/// A map for an upload.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "map": { "columns": { "property_id": "ref", "country": { "value": "GB" } } } }))]
pub struct FeedMapChange {
    /// Under the names of docs/import/feeds.md.
    #[schema(value_type = Object)]
    map: Value,
}

/// A run that is asked for.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "kind": "dry_run", "missing": "report", "missing_limit": null }))]
pub struct FeedRunRequest {
    kind: FeedRunKind,
    #[schema(value_type = MissingRuleWord)]
    missing: MissingRule,
    /// How many homes may be closed; null for a fifth of them.
    missing_limit: Option<u64>,
}

/// Whether anything is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FeedRunKind {
    DryRun,
    Import,
}

/// An upload that is gone.
#[derive(Debug, Serialize, ToSchema)]
pub struct RemovedUpload {
    upload_id: String,
}

/// Fields that a map can name, and words that it can give a meaning.
///
/// # Errors
/// 403 for everybody but support and administrators.
#[utoipa::path(get, path = "/api/v0/workspace/feed_fields", tag = "support",
    responses((status = 200, body = Success<FeedFields>)))]
pub async fn list_feed_fields(_context: RequestContext, _staff: Staff) -> ApiResult<Success<FeedFields>> {
    let (kinds, periods) = list_meanings();
    Ok(Success::new(FeedFields {
        fields: list_fields(),
        kinds: kinds.to_vec(),
        periods: periods.to_vec(),
        limit_bytes: BYTES_MAX,
    }))
}

/// Uploads that are still there, the newest first.
///
/// # Errors
/// 403 for everybody but support and administrators.
#[utoipa::path(get, path = "/api/v0/workspace/feed_uploads", tag = "support",
    responses((status = 200, body = Success<FeedUploads>)))]
pub async fn list_uploads(
    State(intake): State<IntakeDesk>,
    State(log): State<EventLog>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    _staff: Staff,
) -> ApiResult<Success<FeedUploads>> {
    let mut names = HashMap::new();
    let mut uploads = Vec::new();
    for upload in intake.list().await.map_err(refuse)? {
        let by_name = staff_name(&log, &settings, &upload.by.to_string(), &mut names).await?;
        uploads.push(describe_line(&upload, by_name));
    }
    Ok(Success::new(FeedUploads { uploads }))
}

/// Uploads a feed: the file itself is the body, its name stands percent-encoded in the header `x-file-name`. It is looked at under the map
/// of the feed's last import, or under a suggested one; the answer waits some seconds for that.
///
/// # Errors
/// 413 for a file that is too large, 422 for one that is no feed.
#[utoipa::path(post, path = "/api/v0/workspace/feed_uploads", tag = "support", params(UploadQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = Success<FeedUpload>), (status = 413, body = Failure), (status = 422, body = Failure)))]
pub async fn add_upload(
    State(intake): State<IntakeDesk>,
    names: (State<EventLog>, State<Arc<Settings>>),
    context: RequestContext,
    staff: Staff,
    Query(query): Query<UploadQuery>,
    headers: HeaderMap,
    body: Incoming,
) -> ApiResult<(StatusCode, Success<FeedUpload>)> {
    let (State(log), State(settings)) = names;
    let upload = NewUpload {
        id: context.command_id.unwrap_or_else(clock::new_id),
        feed: query.feed,
        file: name_of(&headers),
        by: staff.person.user_id,
    };
    let mut incoming = intake.begin(&upload).map_err(refuse)?;
    let mut parts = body.into_data_stream();
    while let Some(part) = parts.next().await {
        let part = part.map_err(|_broken| ApiError::malformed(say("refusal.unreadable")))?;
        incoming.take(&part).await.map_err(refuse)?;
    }
    let arrived = incoming.finish().await.map_err(refuse)?;
    receive((&intake, &log, &settings), upload, arrived).await
}

/// Takes a whole file in, and waits some seconds for its look.
async fn receive(
    desk: (&IntakeDesk, &EventLog, &Settings),
    upload: NewUpload,
    arrived: Arrived,
) -> ApiResult<(StatusCode, Success<FeedUpload>)> {
    let id = upload.id;
    desk.0.receive(upload, arrived).await.map_err(refuse)?;
    let upload = desk.0.wait_for(id, LOOK_PATIENCE).await.map_err(refuse)?;
    Ok(Success::new(describe_upload(desk, &upload).await?).created())
}

/// Fetches the feed at an address as an upload, once: it is set on a schedule elsewhere.
///
/// # Errors
/// 422 for an address that is none, or does not answer with a feed.
#[utoipa::path(post, path = "/api/v0/workspace/feed_uploads/address", tag = "support", request_body = FeedAddress,
    responses((status = 201, body = Success<FeedUpload>), (status = 422, body = Failure)))]
pub async fn fetch_upload(
    State(intake): State<IntakeDesk>,
    State(log): State<EventLog>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Body(asked): Body<FeedAddress>,
) -> ApiResult<(StatusCode, Success<FeedUpload>)> {
    let upload = NewUpload {
        id: context.command_id.unwrap_or_else(clock::new_id),
        feed: asked.feed,
        file: name_file(asked.url.trim()),
        by: staff.person.user_id,
    };
    let arrived = intake
        .fetch(&settings, &upload, &asked.url)
        .await
        .map_err(refuse)?;
    receive((&intake, &log, &settings), upload, arrived).await
}

/// One upload.
///
/// # Errors
/// 404 for one that is not there, or not any more.
#[utoipa::path(get, path = "/api/v0/workspace/feed_uploads/{id}", tag = "support", params(("id" = String, Path)),
    responses((status = 200, body = Success<FeedUpload>), (status = 404, body = Failure)))]
pub async fn read_upload(
    State(intake): State<IntakeDesk>,
    State(log): State<EventLog>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    _staff: Staff,
    Path(id): Path<String>,
) -> ApiResult<Success<FeedUpload>> {
    let upload = intake.find(read_id(&id)?).await.map_err(refuse)?;
    Ok(Success::new(
        describe_upload((&intake, &log, &settings), &upload).await?,
    ))
}

/// Removes an upload with its file.
///
/// # Errors
/// 404 for one that is not there, 409 while it is worked on.
#[utoipa::path(delete, path = "/api/v0/workspace/feed_uploads/{id}", tag = "support", params(("id" = String, Path)),
    responses((status = 200, body = Success<RemovedUpload>), (status = 404, body = Failure), (status = 409, body = Failure)))]
pub async fn remove_upload(
    State(intake): State<IntakeDesk>,
    _context: RequestContext,
    _staff: Staff,
    Path(id): Path<String>,
) -> ApiResult<Success<RemovedUpload>> {
    intake.remove(read_id(&id)?).await.map_err(refuse)?;
    Ok(Success::new(RemovedUpload { upload_id: id }))
}

/// Changes the map of an upload, and looks at the file anew; the answer waits some seconds for that.
///
/// # Errors
/// 404 for an upload that is not there, 409 while it is worked on, 422 for a map that cannot be used, with the column that it lacks.
#[utoipa::path(put, path = "/api/v0/workspace/feed_uploads/{id}/map", tag = "support", params(("id" = String, Path)),
    request_body = FeedMapChange,
    responses((status = 200, body = Success<FeedUpload>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn change_map(
    State(intake): State<IntakeDesk>,
    State(log): State<EventLog>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    _staff: Staff,
    Path(id): Path<String>,
    Body(change): Body<FeedMapChange>,
) -> ApiResult<Success<FeedUpload>> {
    let id = read_id(&id)?;
    let map = change.map.to_string();
    intake
        .change_map(id, &map, name_request(&context))
        .await
        .map_err(refuse)?;
    let upload = intake.wait_for(id, LOOK_PATIENCE).await.map_err(refuse)?;
    Ok(Success::new(
        describe_upload((&intake, &log, &settings), &upload).await?,
    ))
}

/// Tries an upload, or takes it in, as `latchkey import` would. How far it is stands in the upload.
///
/// # Errors
/// 404 for an upload that is not there, 409 while it is worked on or no map fits, 422 for homes to be closed of a feed without a name.
#[utoipa::path(post, path = "/api/v0/workspace/feed_uploads/{id}/runs", tag = "support", params(("id" = String, Path)),
    request_body = FeedRunRequest,
    responses((status = 202, body = Success<FeedUpload>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn run_upload(
    State(intake): State<IntakeDesk>,
    State(log): State<EventLog>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
    Body(request): Body<FeedRunRequest>,
) -> ApiResult<(StatusCode, Success<FeedUpload>)> {
    let run = AskedRun {
        is_import: request.kind == FeedRunKind::Import,
        missing: request.missing,
        limit: request.missing_limit,
        by: staff.person.user_id,
    };
    let asked = intake
        .ask_for_run(read_id(&id)?, run, name_request(&context))
        .await;
    let upload = asked.map_err(refuse)?;
    let shown = describe_upload((&intake, &log, &settings), &upload).await?;
    Ok((StatusCode::ACCEPTED, Success::new(shown)))
}

/// Stops the work on an upload before its next home. What was written before stands, and the same file can be run again.
///
/// # Errors
/// 404 for an upload that is not there.
#[utoipa::path(post, path = "/api/v0/workspace/feed_uploads/{id}/cancel", tag = "support", params(("id" = String, Path)),
    responses((status = 200, body = Success<FeedUpload>), (status = 404, body = Failure)))]
pub async fn cancel_upload(
    State(intake): State<IntakeDesk>,
    State(log): State<EventLog>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    _staff: Staff,
    Path(id): Path<String>,
) -> ApiResult<Success<FeedUpload>> {
    let upload = intake.cancel(read_id(&id)?).await.map_err(refuse)?;
    Ok(Success::new(
        describe_upload((&intake, &log, &settings), &upload).await?,
    ))
}

/// Outcome of each home of the last run, as CSV.
///
/// # Errors
/// 404 before the end of a run.
#[utoipa::path(get, path = "/api/v0/workspace/feed_uploads/{id}/report", tag = "support", params(("id" = String, Path)),
    responses((status = 200, content_type = "text/csv", body = String), (status = 404, body = Failure)))]
pub async fn download_upload_report(
    State(intake): State<IntakeDesk>,
    _context: RequestContext,
    _staff: Staff,
    Path(id): Path<String>,
) -> ApiResult<Response> {
    let found = intake.find_report(read_id(&id)?).await.map_err(refuse)?;
    let report = found.ok_or_else(|| ApiError::not_found(say("refusal.no_report")))?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"import-report.csv\"",
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, report).into_response())
}

fn read_id(id: &str) -> ApiResult<Uuid> {
    id.parse()
        .map_err(|_| ApiError::not_found(say("refusal.no_upload")))
}

/// The name of a request that may be sent again; empty for one without a key.
fn name_request(context: &RequestContext) -> String {
    context.command_id.map(|id| id.to_string()).unwrap_or_default()
}

async fn describe_upload(
    (intake, log, settings): (&IntakeDesk, &EventLog, &Settings),
    upload: &Upload,
) -> ApiResult<FeedUpload> {
    let by_name = staff_name(log, settings, &upload.by.to_string(), &mut HashMap::new()).await?;
    let state = upload.state.clone();
    Ok(FeedUpload {
        upload: describe_line(upload, by_name),
        is_here: intake.holds(upload.id),
        map: serde_json::to_value(&state.map).unwrap_or_default(),
        map_from: state.map_from,
        is_looked: state.is_looked,
        kept_fault: state.kept_fault,
        fault: state.fault,
        stopped_by: state.stopped_by,
        look: state.look,
        run: state.run,
    })
}

fn describe_line(upload: &Upload, by_name: String) -> FeedUploadLine {
    FeedUploadLine {
        upload_id: upload.id.to_string(),
        feed: upload.feed.clone(),
        file: upload.state.file.clone(),
        bytes: upload.state.bytes,
        digest: upload.state.digest.clone(),
        by_name,
        made_at: instant(upload.made_at),
        expires_at: instant(upload.made_at + KEPT_FOR),
        work: upload.state.work,
        stage: upload.stage,
        run_id: upload.state.run.as_ref().and_then(|run| run.run_id.clone()),
    }
}
