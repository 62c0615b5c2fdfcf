//! What needs finance now.

use std::sync::Arc;

use axum::extract::State;
use health::alerts::{self, Alert, AlertError};
use health::integrity::ChainCheck;
use http_kit::contract::words::AlertKindWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::ApiResult;
use http_kit::permissions::FINANCE;
use http_kit::request::RequestContext;
use platform::clock;
use platform::config::Settings;
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(FINANCE, routes!(list_alerts))
}

/// One thing that needs finance, and how many there are of it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FinanceAlert)]
pub struct AlertView {
    #[schema(value_type = AlertKindWord)]
    pub kind: &'static str,
    pub count: u64,
}

impl From<Alert> for AlertView {
    fn from(alert: Alert) -> Self {
        Self {
            kind: alert.kind.name(),
            count: alert.count,
        }
    }
}

/// `GET /api/v0/workspace/alerts`: an empty list where nothing needs finance.
///
/// # Errors
/// 503 while the read models cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/alerts", tag = "finance",
    responses((status = 200, body = Success<Vec<AlertView>>)))]
pub async fn list_alerts(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(chain): State<Arc<ChainCheck>>,
    _context: RequestContext,
) -> ApiResult<Success<Vec<AlertView>>> {
    records.heard().await?;
    let found = alerts::standing(&records, &settings, &chain, clock::now()).await;
    let found = found.map_err(|error| match error {
        AlertError::Tables(error) => error.into(),
        AlertError::Log(error) => error.into(),
        AlertError::Records(error) => error.into(),
        AlertError::Webhook => http_kit::error::ApiError::broken(error),
    })?;
    Ok(Success::new(found.into_iter().map(AlertView::from).collect()))
}
