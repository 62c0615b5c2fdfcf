//! Whether history was changed, for the finance page (row J4).

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use chrono::{NaiveDate, NaiveTime, TimeDelta};
use domain::calendar;
use eventlog::{EventLog, Position, SignedHead};
use health::integrity::ChainCheck;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::FINANCE;
use http_kit::request::{Query, RequestContext};
use http_kit::said::say;
use platform::clock;
use projections::payment_audit::instant;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(FINANCE, routes!(chain_status))
        .endpoint(FINANCE, routes!(signed_head))
        .endpoint(FINANCE, routes!(consistency))
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ChainStatus {
    pub verified_through: Position,
    pub head: Position,
    pub ok: bool,
    pub first_broken: Option<Position>,
    pub checked_at: String,
}

/// `GET /api/v0/workspace/chain`.
///
/// # Errors
/// When the log cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/chain", tag = "finance",
    responses((status = 200, body = Success<ChainStatus>)))]
pub async fn chain_status(
    State(log): State<EventLog>,
    State(chain): State<Arc<ChainCheck>>,
    _context: RequestContext,
) -> ApiResult<Success<ChainStatus>> {
    if !log.capabilities().chain {
        return Err(ApiError::conflict("no_chain", say("refusal.no_chain")));
    }
    let standing = chain.look(false).await?;
    Ok(Success::new(ChainStatus {
        verified_through: standing.verified_through,
        head: log.head().await?,
        ok: standing.broken.is_empty(),
        first_broken: standing.broken.first().map(|first| first.position),
        checked_at: instant(standing.checked_at),
    }))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct HeadQuery {
    /// The last day that counts, in UTC.
    #[param(value_type = NaiveDate)]
    day: String,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct ConsistencyQuery {
    /// The last day that the earlier head counts, in UTC.
    #[param(value_type = NaiveDate)]
    from: String,
    /// The last day that the later head counts, in UTC.
    #[param(value_type = NaiveDate)]
    to: String,
}

fn day_of(field: &str, text: &str) -> ApiResult<NaiveDate> {
    let wrong = || ApiError::invalid_field(field, "invalid", say("refusal.read_day"));
    calendar::read_day(text).ok_or_else(wrong)
}

/// `GET /api/v0/workspace/chain/head`: the last head of the log that was signed by the end of a day, as a file for auditors.
///
/// # Errors
/// 404 where none was signed by then, 409 where the log keeps no signed heads, 422 for no day.
#[utoipa::path(get, path = "/api/v0/workspace/chain/head", operation_id = "signed_head", tag = "finance", params(HeadQuery),
    responses((status = 200, content_type = "application/json", body = String), (status = 404, body = Failure),
    (status = 409, body = Failure), (status = 422, body = Failure)))]
pub async fn signed_head(
    State(log): State<EventLog>,
    _context: RequestContext,
    Query(query): Query<HeadQuery>,
) -> ApiResult<Response> {
    let day = day_of("day", &query.day)?;
    let head = head_of(&log, day).await?;
    file(&head, &format!("head-{day}.json"))
}

/// `GET /api/v0/workspace/chain/consistency`: what shows that the log at the end of one day holds the log at the end of an earlier
/// one. `latchkey verify-proof` checks it without this server.
///
/// # Errors
/// As [`signed_head`]; 400 where the earlier day is the later one, 409 where the log is not what was signed.
#[utoipa::path(get, path = "/api/v0/workspace/chain/consistency", operation_id = "chain_consistency", tag = "finance",
    params(ConsistencyQuery),
    responses((status = 200, content_type = "application/json", body = String), (status = 400, body = Failure), (status = 404, body = Failure),
    (status = 409, body = Failure), (status = 422, body = Failure)))]
pub async fn consistency(
    State(log): State<EventLog>,
    _context: RequestContext,
    Query(query): Query<ConsistencyQuery>,
) -> ApiResult<Response> {
    let (from, to) = (day_of("from", &query.from)?, day_of("to", &query.to)?);
    if from > to {
        return Err(ApiError::malformed(say("refusal.period_order")));
    }
    let (first, second) = (head_of(&log, from).await?, head_of(&log, to).await?);
    let proof = log.prove_consistency(first, second).await.map_err(|problem| {
        tracing::warn!(%problem, "two heads of the log cannot be shown to be of one log");
        ApiError::conflict("no_proof", say("refusal.no_consistency"))
    })?;
    file(&proof, &format!("consistency-{from}-{to}.json"))
}

async fn head_of(log: &EventLog, day: NaiveDate) -> ApiResult<SignedHead> {
    if !log.capabilities().chain {
        return Err(ApiError::conflict("no_chain", say("refusal.no_chain")));
    }
    if day > clock::now().date_naive() {
        return Err(ApiError::invalid_field(
            "day",
            "range",
            say("refusal.day_to_come").with("day", day),
        ));
    }
    let end = day.and_time(NaiveTime::MIN).and_utc() + TimeDelta::days(1) - TimeDelta::microseconds(1);
    let head = log.head_signed_before(end).await?;
    head.ok_or_else(|| ApiError::not_found(say("refusal.no_head").with("day", day)))
}

/// A file for auditors; nothing in it is personal.
fn file(content: &impl Serialize, name: &str) -> ApiResult<Response> {
    let text = serde_json::to_string_pretty(content).map_err(ApiError::broken)?;
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, text).into_response())
}
