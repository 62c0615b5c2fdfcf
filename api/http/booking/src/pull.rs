//! Finance asks the payment provider for events whose notices were lost.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use eventlog::EventLog;
use gateway::PaymentGateway;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::FINANCE;
use http_kit::request::RequestContext;
use http_kit::said::say;
use processes::provider_account;
use processes::reconciliation::check_repeats;
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{Services, webhooks};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(FINANCE, routes!(pull_events))
}

/// That everything the provider lists is taken in.
#[derive(Debug, Serialize, ToSchema)]
pub struct Pulled {
    pub pulled: bool,
}

/// `POST /api/v0/workspace/reconciliation/pull`: takes in every event that the provider still lists; what was taken in before changes
/// nothing. Then the account is read, and notices that came twice are checked off.
///
/// # Errors
/// 503 while the provider does not answer; what was taken in until then is kept.
#[utoipa::path(post, path = "/api/v0/workspace/reconciliation/pull", tag = "finance",
    responses((status = 200, body = Success<Pulled>), (status = 503, body = Failure)))]
pub async fn pull_events(
    State(records): State<Records>,
    State(log): State<EventLog>,
    State(gateway): State<Arc<dyn PaymentGateway>>,
    _context: RequestContext,
) -> ApiResult<Success<Pulled>> {
    let receiver = webhooks::receiver(log.clone(), gateway.clone());
    gateway.pull(&receiver).await.map_err(away)?;
    records.answers_for(log.head().await?);
    if let Some(position) = provider_account::read(&log, &*gateway, records.heard().await?)
        .await
        .map_err(away)?
    {
        records.answers_for(position);
    }
    if let Some(position) = check_repeats(&log, records.heard().await?).await.map_err(away)? {
        records.answers_for(position);
    }
    Ok(Success::new(Pulled { pulled: true }))
}

/// The provider or the log does not answer; the same call again goes on.
fn away(error: impl std::error::Error) -> ApiError {
    tracing::warn!(%error, "events of the payment provider could not be taken in");
    ApiError::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "provider_away",
        say("refusal.provider_away"),
    )
}
