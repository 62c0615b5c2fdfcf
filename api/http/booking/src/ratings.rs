//! How likely the student is to recommend the house, asked once for a booking (D105).

use axum::extract::State;
use axum::response::Response;
use domain::contact::{FaultCode, is_blank};
use domain::lead::{Lead, LeadCommand, SCORE_MAX};
use eventlog::commit;
use http_kit::body::Body;
use http_kit::caller::Caller;
use http_kit::capability::Capability;
use http_kit::contract::words::Nothing;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::field_errors::field_error;
use http_kit::permissions::Access;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;
use crate::payments::{Payments, find, private};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(
        Access::Capability(Capability::PaymentToken),
        routes!(rate_booking),
    )
}

/// Longer words are refused.
const WORDS_MAX: usize = 2_000;

/// `{score: 9, words: "Quick and clear"}`
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "score": 9, "words": "Quick and clear" }))]
pub struct RatingRequest {
    /// 0 to 10.
    #[schema(minimum = 0, maximum = 10)]
    score: u8,
    /// Free words.
    #[serde(default)]
    #[schema(max_length = 2000)]
    words: String,
}

/// `POST /api/v0/payments/{token}/rating`.
///
/// # Errors
/// 404, 409 where nothing is booked or the booking was rated already, 422 for a score that is none or words that are too long.
#[utoipa::path(post, path = "/api/v0/payments/{token}/rating", tag = "payments",
    params(("token" = String, Path)), request_body = RatingRequest,
    responses((status = 200, body = Success<Nothing>), (status = 404, body = Failure), (status = 409, body = Failure), (status = 422, body = Failure)))]
pub async fn rate_booking(
    State(payments): State<Payments>,
    context: RequestContext,
    caller: Caller,
    Path(token): Path<String>,
    Body(request): Body<RatingRequest>,
) -> ApiResult<Response> {
    let found = find(&payments, (&context, &caller), &token).await?;
    if request.score > SCORE_MAX {
        return Err(ApiError::invalid_field(
            "score",
            "range",
            say("refusal.score_range"),
        ));
    }
    let words: String = request
        .words
        .trim()
        .chars()
        .filter(|c| !c.is_control() || *c == '\n')
        .collect();
    if words.chars().count() > WORDS_MAX {
        return Err(ApiError::invalid(vec![field_error("words", FaultCode::TooLong)]));
    }
    let words = if is_blank(&words) { String::new() } else { words };
    let Some(terms) = &found.loaded.state.terms else {
        return Err(ApiError::not_found(say("refusal.token_not_found")));
    };
    let asked = context.command(caller.actor(), &request);
    let command = LeadCommand::Rate {
        score: request.score,
        words,
        at: asked.at,
    };
    let rated = commit::<Lead>(&payments.records.log, terms.lead_id, command, &asked).await?;
    payments.records.answers_for(rated.position);
    Ok(private(Success::at((), rated.position)))
}
