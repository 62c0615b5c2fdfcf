//! An account is forgotten at its owner's wish, after a fresh code. The log says so at once, which ends all logins; the
//! reactor erases.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use domain::user::{ForgetReason, Reach};
use eventlog::Actor;
use http_kit::body::Body;
use http_kit::caller::{Person, Sessions, forget_cookies};
use http_kit::contract::words::Nothing;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::permissions::Access;
use http_kit::request::RequestContext;
use http_kit::said::say;
use processes::accounts::forget;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::otp::Codes;
use crate::{Services, otp};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(Access::LoggedIn, routes!(forget_me))
}

/// By which of their addresses somebody got the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum By {
    Email,
    Phone,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "by": "email", "otp": "123456", "session_uuid": "01890a5d-ac96-774b-bcce-b302099a8057" }))]
pub struct ForgetMeRequest {
    by: By,
    otp: String,
    session_uuid: Uuid,
}

/// Forgets whoever is logged in, who proves once more that it is them (T44): a code was sent to an address of theirs.
///
/// # Errors
/// 401, 409 without such an address, 422 for a wrong code.
#[utoipa::path(post, path = "/api/v0/users/forget", request_body = ForgetMeRequest,
    responses((status = 200, body = Success<Nothing>), (status = 401), (status = 409), (status = 422)))]
pub async fn forget_me(
    State(records): State<Records>,
    State(sessions): State<Sessions>,
    State(codes): State<Codes>,
    context: RequestContext,
    person: Person,
    Body(request): Body<ForgetMeRequest>,
) -> ApiResult<Response> {
    let reach = match request.by {
        By::Email => person.user.email.clone().map(Reach::Email),
        By::Phone => person.user.phone.clone().map(Reach::Phone),
    };
    let reach = reach.ok_or_else(|| ApiError::conflict("not_proved", say("refusal.forget_not_proved")))?;
    otp::redeem(&codes, &reach, Some(request.session_uuid), &request.otp).await?;
    let asked = context.command(Actor::student(person.user_id.0), &request);
    let position = forget(&records, person.user_id, ForgetReason::Asked, &asked).await?;
    let mut response = Success::at((), position).into_response();
    forget_cookies(&sessions, response.headers_mut());
    Ok(response)
}
