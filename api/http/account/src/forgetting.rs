//! An account is forgotten at its owner's wish, after a fresh code that is good for nothing else. The log says so at once, which ends
//! all logins; the reactor erases.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use domain::user::{ForgetReason, Reach};
use eventlog::{Actor, EventLog};
use http_kit::body::Body;
use http_kit::caller::{Person, forget_cookies};
use http_kit::contract::words::Nothing;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::Access;
use http_kit::request::RequestContext;
use http_kit::said::say;
use messages::Outbox;
use platform::config::Settings;
use processes::accounts::forget;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Services;
use crate::login::{OtpSent, send_code_in};
use crate::otp::{Codes, Purpose, redeem_own};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(Access::LoggedIn, routes!(send_erasure_code))
        .endpoint(Access::LoggedIn, routes!(forget_me))
}

/// Kind of address that the code was sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum By {
    Email,
    Phone,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "by": "email" }))]
pub struct ErasureCodeRequest {
    by: By,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "by": "email", "otp": "123456", "session_uuid": "01890a5d-ac96-774b-bcce-b302099a8057" }))]
pub struct ForgetMeRequest {
    by: By,
    otp: String,
    session_uuid: Uuid,
}

/// Sends a code to a proved address of the caller, by which they have their data erased. It is good for nothing else, and the message
/// says what it is for.
///
/// # Errors
/// 401, 409 without such an address, 422 where no mail or no text message can be sent, 429 with the seconds to wait.
#[utoipa::path(post, path = "/api/v0/users/forget/code", request_body = ErasureCodeRequest,
    responses((status = 200, body = Success<OtpSent>), (status = 401), (status = 409, body = Failure), (status = 422, body = Failure),
    (status = 429, body = Failure)))]
pub async fn send_erasure_code(
    State(log): State<EventLog>,
    State(settings): State<Arc<Settings>>,
    State(outbox): State<Outbox>,
    State(codes): State<Codes>,
    context: RequestContext,
    person: Person,
    Body(request): Body<ErasureCodeRequest>,
) -> ApiResult<Success<OtpSent>> {
    let reach = reach_of(&person, request.by)?;
    let house = (&log, &*settings, &outbox, &codes);
    send_code_in(context.lang, house, &context, Purpose::Erasure, &reach).await
}

/// Forgets the account that is logged in, whose owner proves by a code that was asked for to this end that it is theirs (T44). A login's
/// code erases nothing.
///
/// # Errors
/// 401, 409 without such an address, 422 for a wrong code.
#[utoipa::path(post, path = "/api/v0/users/forget", request_body = ForgetMeRequest,
    responses((status = 200, body = Success<Nothing>), (status = 401), (status = 409), (status = 422)))]
pub async fn forget_me(
    State(records): State<Records>,
    State(codes): State<Codes>,
    context: RequestContext,
    person: Person,
    Body(request): Body<ForgetMeRequest>,
) -> ApiResult<Response> {
    let reach = reach_of(&person, request.by)?;
    let proof = (request.session_uuid, request.otp.as_str());
    redeem_own(&codes, Purpose::Erasure, &reach, proof).await?;
    let asked = context.command(Actor::student(person.user_id.0), &request);
    let position = forget(&records, person.user_id, ForgetReason::Asked, &asked).await?;
    let mut response = Success::at((), position).into_response();
    forget_cookies(&context.site, response.headers_mut());
    Ok(response)
}

/// The proved address or number of the caller.
fn reach_of(person: &Person, by: By) -> ApiResult<Reach> {
    let reach = match by {
        By::Email => person.user.email.clone().map(Reach::Email),
        By::Phone => person.user.phone.clone().map(Reach::Phone),
    };
    reach.ok_or_else(|| ApiError::conflict("not_proved", say("refusal.forget_not_proved")))
}
