//! The one place that asks for the time and for random ids.

use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DurationRound, TimeDelta, Utc};
use domain::moment::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::body::Body;
use crate::envelope::Success;
use crate::error::{ApiError, ApiResult};
use crate::said::say;

/// How far a developer put the clock forward. One process has one clock; only [`put_forward`] moves it (decision 110).
static AHEAD_S: AtomicI64 = AtomicI64::new(0);
/// A jump of more than a year shows nothing that a year does not.
const JUMP_MAX_S: i64 = 366 * 86_400;
/// All jumps together: every expiry of the product lies within.
const AHEAD_MAX_S: i64 = 30 * JUMP_MAX_S;

/// Now, to the microsecond (X5).
pub fn now() -> Moment {
    let now = Utc::now() + TimeDelta::seconds(AHEAD_S.load(Ordering::Relaxed));
    now.duration_trunc(TimeDelta::microseconds(1)).unwrap_or(now)
}

/// A fresh time-ordered id.
pub fn new_id() -> Uuid {
    Uuid::now_v7()
}

/// `{forward_seconds: 601}`
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[schema(example = json!({ "forward_seconds": 601 }))]
pub struct ClockRequest {
    forward_seconds: i64,
}

/// What the clock shows now.
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
    let jump = asked.forward_seconds;
    let moved = AHEAD_S.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |ahead| {
        let then = ahead.checked_add(jump)?;
        ((1..=JUMP_MAX_S).contains(&jump) && then <= AHEAD_MAX_S).then_some(then)
    });
    if moved.is_err() {
        let message = say("refusal.clock_range").with("max", JUMP_MAX_S);
        return Err(ApiError::invalid_field("forward_seconds", "range", message));
    }
    Ok(Success::new(ClockAnswer {
        now: now().to_rfc3339(),
    }))
}
