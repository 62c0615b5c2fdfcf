//! Referrals held for review (decision 0028): staff find them in the leads' list, and accept or refuse each.

use axum::extract::State;
use axum::http::StatusCode;
use domain::id::ReferralId;
use domain::lead::Lead;
use domain::referral::{Referral, ReferralCommand, ReferralRejection};
use eventlog::commit;
use platform::clock;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::body::Body;
use crate::caller::Staff;
use crate::contract::words::Nothing;
use crate::envelope::Success;
use crate::error::{ApiResult, Rejected};
use crate::records::Records;
use crate::request::{Path, RequestContext};
use crate::said::{Said, say};
use crate::workspace_leads::board_row;

impl Rejected for ReferralRejection {
    fn code(&self) -> &'static str {
        match self {
            Self::Unknown => "not_found",
            Self::SelfReferral | Self::NotHeld => "referral_not_held",
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::Unknown => StatusCode::NOT_FOUND,
            Self::SelfReferral | Self::NotHeld => StatusCode::CONFLICT,
        }
    }

    fn said(&self) -> Said {
        match self {
            Self::Unknown => say("refusal.no_referral"),
            Self::SelfReferral | Self::NotHeld => say("refusal.referral_not_held"),
        }
    }
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "accepted": true }))]
pub struct ReferralReview {
    /// Whether referrer and referred are two people.
    accepted: bool,
}

/// Accepts or refuses a lead's referral that is held for review. Accepted after the booking was paid it completes at once.
///
/// # Errors
/// 404 for an unknown lead or one without a referral, 409 where the referral is not held.
#[utoipa::path(post, path = "/api/v0/workspace/leads/{id}/referral", params(("id" = String, Path)),
    request_body = ReferralReview, responses((status = 200, body = Success<Nothing>), (status = 404), (status = 409)))]
pub async fn review_referral(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
    Body(review): Body<ReferralReview>,
) -> ApiResult<Success<()>> {
    let (lead_id, _) = board_row(&records, &id).await?;
    let (by, at) = (staff.person.user_id, clock::now());
    let command = if review.accepted {
        let paid_by = records.log.load::<Lead>(lead_id).await?.state.booked_by;
        ReferralCommand::Accept { by, paid_by, at }
    } else {
        ReferralCommand::Refuse { by, at }
    };
    let asked = context.command(staff.actor(), &review);
    let reviewed = commit::<Referral>(&records.log, ReferralId(lead_id.0), command, &asked).await?;
    records.answers_for(reviewed.position);
    Ok(Success::at((), reviewed.position))
}
