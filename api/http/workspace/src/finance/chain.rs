//! Whether history was changed, for the finance page (row J4).

use std::sync::Arc;

use axum::extract::State;
use eventlog::{EventLog, Position};
use health::integrity::ChainCheck;
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::request::RequestContext;
use http_kit::said::say;
use projections::payment_audit::instant;
use serde::Serialize;
use utoipa::ToSchema;

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
