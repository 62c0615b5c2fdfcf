//! A lost device: an administrator takes the second factor of an account away, and its owner is told (row F4).

use account::otp::{Codes, MailCode, prove_owner};
use axum::extract::State;
use domain::id::UserId;
use domain::second_factor::{SecondFactor, SecondFactorCommand};
use eventlog::{commit, done_before_on};
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::ADMIN;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use records::Records;

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(ADMIN, routes!(reset_second_factor))
}

/// Takes the enrolled device and the recovery codes away. Open logins of the account wait for a second step from then on, where one is
/// required; the account enrols anew. The administrator proves with a fresh code of their own mail that it is them.
///
/// # Errors
/// 403 for a login of longer ago, 404 for an account that does not exist or has no device, 409 for one's own, 422 for a wrong code.
#[utoipa::path(delete, path = "/api/v0/workspace/second_factors/{id}", params(("id" = String, Path)), request_body = MailCode,
    responses((status = 200, body = Success<bool>), (status = 403, body = Failure), (status = 422, body = Failure), (status = 404, body = Failure), (status = 409, body = Failure)))]
pub async fn reset_second_factor(
    State(records): State<Records>,
    State(codes): State<Codes>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
    Body(code): Body<MailCode>,
) -> ApiResult<Success<bool>> {
    let absent = || ApiError::not_found(say("refusal.second_factor_absent"));
    let user_id: UserId = id.parse().map_err(|_| absent())?;
    if user_id == staff.person.user_id {
        return Err(ApiError::conflict("own_device", say("refusal.own_device")));
    }
    let asked = context.command(staff.actor(), &("reset_second_factor", &id));
    let before = done_before_on::<SecondFactor>(&records.log, user_id, &asked).await?;
    let is_enrolled = records.log.load::<SecondFactor>(user_id).await?.state.is_enrolled;
    // The repeated request finds no device: it was taken away by the first.
    if !is_enrolled && before.is_none() {
        return Err(absent());
    }
    // The repeated request was proved by the first, which has spent the code.
    if before.is_none() {
        prove_owner(&codes, &staff.person, &code).await?;
    }
    let command = SecondFactorCommand::Reset {
        by: Some(staff.person.user_id),
        at: asked.at,
    };
    let reset = commit::<SecondFactor>(&records.log, user_id, command, &asked).await?;
    records.answers_for(reset.position);
    Ok(Success::at(true, reset.position))
}
