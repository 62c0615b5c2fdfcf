//! The read models as staff see them: how far each has come, what it leaves out and why, another try once the cause is
//! gone, and the rows of before a rebuild.

use std::time::{Duration, Instant};

use axum::extract::State;
use health::readiness::{self, Standing};
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::permissions::{ADMIN, ANY_STAFF};
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use projections::payment_audit::instant;
use projections::run::{ProjectionError, Projector};
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(ANY_STAFF, routes!(read_models))
        .endpoint(ADMIN, routes!(retry))
        .endpoint(ADMIN, routes!(rebuild))
        .endpoint(ADMIN, routes!(rollback))
}

/// Left-out events that are shown of each read model.
const SHOWN: u32 = 100;
/// How long whoever rolls back waits at most until the rows of before hold what came since, and how often it is looked.
const FOLLOWS_WITHIN: Duration = Duration::from_secs(5);
const LOOKS: Duration = Duration::from_millis(50);

#[derive(Debug, Serialize, ToSchema)]
pub struct ReadModels {
    /// The log's last event.
    pub head: u64,
    /// The process that folds, where several share the database.
    pub owner: Option<String>,
    /// True where the process that answered is the one that folds.
    pub folds_here: bool,
    pub read_models: Vec<ReadModelStanding>,
}

/// How far one read model has come, as `/readyz` and the metrics say it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReadModelStanding {
    pub name: String,
    pub version: u32,
    pub position: u64,
    /// Events it is behind.
    pub lag: u64,
    pub lag_seconds: f64,
    /// Streams of which it leaves something out.
    pub parked: u64,
    /// Why it rests.
    pub error: Option<String>,
    /// The event through which the rows had come that the last rebuild replaced: a rollback lets them serve again.
    pub kept_through: Option<u64>,
    /// Events that it leaves out, oldest first.
    pub left_out: Vec<LeftOut>,
}

/// An event that could not be taken in, or that follows one in its stream.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeftOut {
    pub position: u64,
    pub stream: String,
    pub event_type: String,
    pub error: String,
    /// When the event was recorded; it was left out moments later.
    pub since: Option<String>,
}

/// Result of a further try or a rebuild.
#[derive(Debug, Serialize, ToSchema)]
pub struct TakenIn {
    /// True once the whole read model was built anew.
    pub rebuilt: bool,
    /// Streams still left out.
    pub parked: u64,
    /// Rows that were not what the log says, and are now.
    pub repaired: u64,
}

/// Rows that a rollback put in each other's place.
#[derive(Debug, Serialize, ToSchema)]
pub struct PutBack {
    /// The event through which the rows had come that serve again. They go on from there.
    pub serves_through: u64,
    /// The same of those that served until now, and are kept.
    pub kept_through: u64,
}

/// `GET /api/v0/workspace/read_models`.
///
/// # Errors
/// When the log or the read models cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/read_models", responses((status = 200, body = Success<ReadModels>)))]
pub async fn read_models(
    State(records): State<Records>,
    _context: RequestContext,
    _staff: Staff,
) -> ApiResult<Success<ReadModels>> {
    let projector = projector(&records);
    let Standing { head, read_models } = readiness::standing(&records).await?;
    let kept = projector.kept().await.map_err(refused)?;
    let mut told = Vec::new();
    for model in read_models {
        let mut left_out = Vec::new();
        if model.parked > 0 {
            for parked in projector.left_out(model.name, SHOWN).await.map_err(refused)? {
                let position = parked.position.cast_unsigned();
                let event = records
                    .log
                    .read_all(position.saturating_sub(1), 1)
                    .await?
                    .into_iter()
                    .next();
                left_out.push(LeftOut {
                    position,
                    stream: format!("{}-{}", parked.kind, parked.stream),
                    event_type: parked.event_type,
                    error: parked.error,
                    since: event.map(|event| instant(event.recorded_at)),
                });
            }
        }
        told.push(ReadModelStanding {
            name: model.name.to_owned(),
            version: model.version,
            position: model.position,
            lag: model.lag,
            lag_seconds: model.lag_seconds,
            parked: model.parked as u64,
            error: model.error,
            kept_through: kept.get(model.name).copied(),
            left_out,
        });
    }
    let owner = projector.owner().await.map_err(refused)?;
    Ok(Success::new(ReadModels {
        head,
        folds_here: owner
            .as_deref()
            .is_none_or(|owner| owner == records.applied.node()),
        owner,
        read_models: told,
    }))
}

/// `POST /api/v0/workspace/read_models/{name}/retry`: takes in what was left out, as far as it can be taken in now.
///
/// # Errors
/// 404 for a name no read model has, 409 while another process builds.
#[utoipa::path(post, path = "/api/v0/workspace/read_models/{name}/retry", params(("name" = String, Path)),
    responses((status = 200, body = Success<TakenIn>), (status = 404), (status = 409)))]
pub async fn retry(
    State(records): State<Records>,
    _context: RequestContext,
    staff: Staff,
    Path(name): Path<String>,
) -> ApiResult<Success<TakenIn>> {
    let by = staff.person.user_id;
    tracing::info!(projection = name, %by, "what a read model leaves out is tried again");
    let retried = unbroken(async move { projector(&records).retry(&name).await }).await?;
    Ok(Success::new(TakenIn {
        rebuilt: retried.rebuilt,
        parked: retried.parked as u64,
        repaired: 0,
    }))
}

/// `POST /api/v0/workspace/read_models/{name}/rebuild`: folds it again beside the rows that serve.
///
/// # Errors
/// As [`retry`].
#[utoipa::path(post, path = "/api/v0/workspace/read_models/{name}/rebuild", params(("name" = String, Path)),
    responses((status = 200, body = Success<TakenIn>), (status = 404), (status = 409)))]
pub async fn rebuild(
    State(records): State<Records>,
    _context: RequestContext,
    staff: Staff,
    Path(name): Path<String>,
) -> ApiResult<Success<TakenIn>> {
    let by = staff.person.user_id;
    tracing::info!(projection = name, %by, "a read model is built anew");
    let built = unbroken(async move {
        let projector = projector(&records);
        let rebuilt = projector
            .rebuild(Some(&name), projections::run::Ways::Switch)
            .await?;
        let parked = projector
            .standing()
            .await?
            .into_iter()
            .find(|model| model.name == name);
        let differing = rebuilt.iter().flat_map(|model| &model.differences);
        Ok(TakenIn {
            rebuilt: true,
            parked: parked.map_or(0, |model| model.parked as u64),
            repaired: differing.map(|difference| difference.rows).sum(),
        })
    });
    Ok(Success::new(built.await?))
}

/// `POST /api/v0/workspace/read_models/{name}/rollback`: what served before the last rebuild serves again, and what serves now is
/// kept. The answer comes when the rows of before hold what came since, unless that takes long.
///
/// # Errors
/// As [`retry`], and 409 where nothing is kept, or another version of the program has built it.
#[utoipa::path(post, path = "/api/v0/workspace/read_models/{name}/rollback", params(("name" = String, Path)),
    responses((status = 200, body = Success<PutBack>), (status = 404), (status = 409)))]
pub async fn rollback(
    State(records): State<Records>,
    _context: RequestContext,
    staff: Staff,
    Path(name): Path<String>,
) -> ApiResult<Success<PutBack>> {
    let by = staff.person.user_id;
    tracing::info!(projection = name, %by, "what served before the last rebuild serves again");
    let back = unbroken(async move {
        let projector = projector(&records);
        let back = projector.roll_back(&name).await?;
        let begun = Instant::now();
        while begun.elapsed() < FOLLOWS_WITHIN {
            let mut standing = projector.standing().await?.into_iter();
            if standing.any(|model| model.name == name && model.position >= back.kept) {
                break;
            }
            tokio::time::sleep(LOOKS).await;
        }
        Ok(PutBack {
            serves_through: back.serves,
            kept_through: back.kept,
        })
    });
    Ok(Success::new(back.await?))
}

fn projector(records: &Records) -> Projector {
    Projector::new(
        records.log.clone(),
        records.read.clone(),
        projections::all(records.log.handles()),
    )
}

/// Goes on to its end though whoever asked goes away.
async fn unbroken<T: Send + 'static>(
    work: impl Future<Output = Result<T, ProjectionError>> + Send + 'static,
) -> ApiResult<T> {
    let ended = tokio::spawn(work)
        .await
        .map_err(|error| ApiError::broken(&error))?;
    ended.map_err(refused)
}

fn refused(error: ProjectionError) -> ApiError {
    match error {
        ProjectionError::Unknown { .. } => ApiError::not_found(say("refusal.no_read_model")),
        ProjectionError::Busy => ApiError::conflict("busy", say("refusal.read_model_busy")),
        ProjectionError::NothingKept(_) => {
            ApiError::conflict("nothing_kept", say("refusal.read_model_nothing_kept"))
        }
        ProjectionError::KeptByAnother(_) => ApiError::conflict(
            "kept_by_another_version",
            say("refusal.read_model_kept_by_another"),
        ),
        ProjectionError::Gone { table, .. } => ApiError::conflict(
            "read_model_gone",
            say("refusal.read_model_gone").with("table", table),
        ),
        error @ (ProjectionError::OwnGone(_) | ProjectionError::IndexTaken { .. }) => {
            ApiError::broken(&error)
        }
        ProjectionError::LeavesOut { more, first, .. } => ApiError::conflict(
            "read_model_leaves_out",
            say("refusal.read_model_leaves_out")
                .with("more", more)
                .with("first", first),
        ),
        ProjectionError::Sql(error) => error.into(),
        ProjectionError::Log(error) => error.into(),
        ProjectionError::Codec(error) => ApiError::broken(&error),
    }
}
