//! What a supervisor asks: does the process live, and are its read models worth reading.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use eventlog::Position;
use serde::Serialize;

use crate::app::App;

/// Events a read model may be behind and still be worth reading.
const BEHIND: Position = 10_000;

#[derive(Debug, Serialize)]
struct Readiness {
    /// `ready`, `degraded` (some streams are left out of a read model) or `not_ready`.
    status: &'static str,
    head: Position,
    read_models: Vec<ReadModel>,
}

#[derive(Debug, Serialize)]
struct ReadModel {
    name: &'static str,
    position: Position,
    /// Events it is behind.
    lag: Position,
    /// Streams of which it leaves something out; `latchkey rebuild` takes them in once the cause is gone.
    parked: usize,
    error: Option<String>,
}

/// `GET /healthz`: the process answers.
pub async fn lives() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: 200 when every read model follows the log, 503 when one does not; each with its lag.
pub async fn readiness(State(app): State<App>) -> Response {
    let head = match app.log.head().await {
        Ok(head) => head,
        Err(error) => {
            tracing::error!(%error, "the log does not say where it ends");
            return (StatusCode::SERVICE_UNAVAILABLE, "the log cannot be read\n").into_response();
        }
    };
    let mut read_models: Vec<ReadModel> = app
        .applied
        .progress()
        .into_iter()
        .map(|progress| ReadModel {
            name: progress.name,
            position: progress.position,
            lag: head.saturating_sub(progress.position),
            parked: progress.parked,
            error: progress.error,
        })
        .collect();
    read_models.sort_by_key(|model| model.name);
    let follows = |model: &ReadModel| model.error.is_none() && model.lag <= BEHIND;
    let status = if !read_models.iter().all(follows) {
        "not_ready"
    } else if read_models.iter().any(|model| model.parked > 0) {
        "degraded"
    } else {
        "ready"
    };
    let code = if status == "not_ready" {
        StatusCode::SERVICE_UNAVAILABLE
    } else {
        StatusCode::OK
    };
    let answer = Readiness {
        status,
        head,
        read_models,
    };
    (code, axum::Json(answer)).into_response()
}
