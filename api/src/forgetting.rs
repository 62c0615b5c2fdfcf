//! Somebody is to be forgotten: by their own wish, after a fresh code, or by an administrator. The log says so at once, which
//! ends all logins; the reactor erases (`erasure.rs`).

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use domain::id::UserId;
use domain::user::{ForgetReason, Reach, User, UserCommand};
use eventlog::{Actor, Context, Position, commit};
use platform::clock;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::body::Body;
use crate::caller::{Person, Sessions, Staff, forget_cookies};
use crate::contract::words::Nothing;
use crate::envelope::Success;
use crate::error::{ApiError, ApiResult};
use crate::otp;
use crate::otp::Codes;
use crate::records::Records;
use crate::request::{Path, RequestContext};
use crate::said::say;
use crate::workspace_leads::board_row;

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

/// Why staff erases somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ForgetWhy {
    Asked,
    NotNeeded,
    Unlawful,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "reason": "asked", "confirm": "LK-7F3A9C" }))]
pub struct ForgetRequest {
    reason: ForgetWhy,
    /// The lead's reference, typed again.
    confirm: String,
}

impl From<ForgetWhy> for ForgetReason {
    fn from(why: ForgetWhy) -> Self {
        match why {
            ForgetWhy::Asked => Self::Asked,
            ForgetWhy::NotNeeded => Self::NotNeeded,
            ForgetWhy::Unlawful => Self::Unlawful,
        }
    }
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

/// Forgets the person of a lead, and with it every lead of theirs.
///
/// # Errors
/// 404, 409 for one's own account, 422 when the reference is not the lead's.
#[utoipa::path(post, path = "/api/v0/workspace/leads/{id}/forget", params(("id" = String, Path)),
    request_body = ForgetRequest, responses((status = 200, body = Success<Nothing>), (status = 404), (status = 409),
    (status = 422)))]
pub async fn forget_person(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
    Body(request): Body<ForgetRequest>,
) -> ApiResult<Success<()>> {
    let (_, row) = board_row(&records, &id).await?;
    let person = row
        .person()
        .ok_or_else(|| ApiError::not_found(say("refusal.no_lead")))?;
    if person == staff.person.user_id {
        return Err(ApiError::conflict("own_account", say("refusal.forget_self")));
    }
    if !row.reference.eq_ignore_ascii_case(request.confirm.trim()) {
        let message = say("refusal.forget_confirm");
        return Err(ApiError::invalid_field("confirm", "mismatch", message));
    }
    let asked = context.command(staff.actor(), &request);
    let position = forget(&records, person, request.reason.into(), &asked).await?;
    Ok(Success::at((), position))
}

async fn forget(
    records: &Records,
    user_id: UserId,
    reason: ForgetReason,
    asked: &Context,
) -> ApiResult<Position> {
    let command = UserCommand::Forget {
        user_id,
        reason: Some(reason),
        at: clock::now(),
    };
    let forgotten = commit::<User>(&records.log, user_id, command, asked).await?;
    records.wait_for(forgotten.position).await;
    Ok(forgotten.position)
}
