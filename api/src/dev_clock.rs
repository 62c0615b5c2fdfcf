//! The developers' clock: `POST /dev/clock` puts the server's time forward.

use http_kit::body::Body;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::permissions::Access;
use http_kit::said::say;
use platform::clock;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<App> {
    Endpoints::new().endpoint(Access::Developer, routes!(put_forward))
}

/// `{forward_seconds: 601}`
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[schema(example = json!({ "forward_seconds": 601 }))]
pub struct ClockRequest {
    #[schema(minimum = 1, maximum = 31_622_400)]
    forward_seconds: i64,
}

/// Time that the clock shows now.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClockAnswer {
    now: String,
}

/// Puts the clock forward, never back, so that an expiry can be seen without waiting for it. Only with the developers'
/// tools (the permission table says so).
///
/// # Errors
/// 422 for a jump that is not one.
#[utoipa::path(post, path = "/dev/clock", request_body = ClockRequest,
    responses((status = 200, body = Success<ClockAnswer>), (status = 422)))]
pub async fn put_forward(Body(asked): Body<ClockRequest>) -> ApiResult<Success<ClockAnswer>> {
    let Some(now) = clock::put_forward(asked.forward_seconds) else {
        let message = say("refusal.clock_range").with("max", clock::JUMP_MAX_S);
        return Err(ApiError::invalid_field("forward_seconds", "range", message));
    };
    Ok(Success::new(ClockAnswer {
        now: now.to_rfc3339(),
    }))
}
