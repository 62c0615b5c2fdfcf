//! Staff forget the person of a lead (role admin). The log says so at once, which ends all logins; the reactor erases.

use axum::extract::State;
use domain::user::ForgetReason;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::Nothing;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::permissions::ADMIN;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use processes::accounts::forget;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;
use crate::leads::board_row;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(ADMIN, routes!(forget_person))
}

/// Reason for which staff erases a person.
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
