//! Referrals held for review (decision 0028): staff find them in the leads' list, and accept or refuse each.

use std::sync::Arc;

use axum::extract::State;
use domain::id::ReferralId;
use domain::lead::Lead;
use domain::payment::Payment;
use domain::referral::{Referral, ReferralCommand, Reward};
use eventlog::commit;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::Nothing;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::ApiResult;
use http_kit::permissions::SUPPORT;
use http_kit::request::{Path, RequestContext};
use platform::clock;
use platform::config::Settings;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;
use crate::leads::board_row;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(SUPPORT, routes!(review_referral))
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "accepted": true }))]
pub struct ReferralReview {
    /// True where referrer and referred are two people.
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
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
    Body(review): Body<ReferralReview>,
) -> ApiResult<Success<()>> {
    let (lead_id, _) = board_row(&records, &id).await?;
    let (by, at) = (staff.person.user_id, clock::now());
    let command = if review.accepted {
        let paid_by = records.log.load::<Lead>(lead_id).await?.state.booked_by;
        let reward = match paid_by {
            Some(payment_id) => {
                let paid = records.log.load::<Payment>(payment_id).await?.state;
                paid.terms
                    .as_ref()
                    .and_then(|terms| Reward::of(terms, settings.referral_reward))
            }
            None => None,
        };
        ReferralCommand::Accept {
            by,
            paid_by,
            reward,
            at,
        }
    } else {
        ReferralCommand::Refuse { by, at }
    };
    let asked = context.command(staff.actor(), &review);
    let reviewed = commit::<Referral>(&records.log, ReferralId(lead_id.0), command, &asked).await?;
    records.answers_for(reviewed.position);
    Ok(Success::at((), reviewed.position))
}
