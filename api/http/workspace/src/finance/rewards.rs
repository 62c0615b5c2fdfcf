//! Rewards of referrals for finance (D123): what is owed to referrers, what was paid before its booking was refunded, and the payment.

use axum::extract::State;
use domain::id::{LeadId, ReferralId};
use domain::lead::Lead;
use domain::referral::{Referral, ReferralCommand};
use eventlog::commit;
use http_kit::caller::Staff;
use http_kit::contract::words::Nothing;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiResult, Failure};
use http_kit::permissions::FINANCE;
use http_kit::request::{Path, RequestContext};
use platform::clock;
use projections::books::query;
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(FINANCE, routes!(list_rewards))
        .endpoint(FINANCE, routes!(pay_reward))
}

/// Rewards that are listed at once.
const REWARDS: u64 = 200;

/// A reward that is not settled.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenReward {
    /// Names the referral; the referred lead has the same id.
    pub referral_id: Uuid,
    pub lead_reference: String,
    /// Above zero owed to the referrer, below zero owed by them: it was paid, and the booking refunded later.
    pub owed_minor: i64,
    pub currency: &'static str,
    pub decimals: u32,
    /// The first day on which it may be paid, e.g. 2027-09-25.
    pub due_on: String,
    /// True where it can be paid today.
    pub is_due: bool,
}

/// `GET /api/v0/workspace/rewards`: the oldest first.
///
/// # Errors
/// When the read models cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/rewards", tag = "finance",
    responses((status = 200, body = Success<Vec<OpenReward>>)))]
pub async fn list_rewards(
    State(records): State<Records>,
    _context: RequestContext,
    _staff: Staff,
) -> ApiResult<Success<Vec<OpenReward>>> {
    let today = clock::now().date_naive();
    let mut open = Vec::new();
    for row in query::open_rewards(records.heard().await?, REWARDS).await? {
        let Ok(referral_id) = row.source.parse::<Uuid>() else {
            continue;
        };
        let referral = records.log.load::<Referral>(ReferralId(referral_id)).await?.state;
        let Some(earned) = referral.earned else { continue };
        let lead = records.log.load::<Lead>(LeadId(referral_id)).await?.state;
        let sent = lead.submission.as_ref();
        let currency = earned.reward.currency;
        open.push(OpenReward {
            referral_id,
            lead_reference: sent.map(|sent| sent.reference.clone()).unwrap_or_default(),
            owed_minor: row.owed_minor,
            currency: currency.code(),
            decimals: currency.decimals(),
            due_on: earned.reward.due_on.to_string(),
            is_due: row.owed_minor > 0 && today >= earned.reward.due_on,
        });
    }
    Ok(Success::new(open))
}

/// `POST /api/v0/workspace/rewards/{id}/pay`: notes that the house has paid a reward from its bank account; once.
///
/// # Errors
/// 404 for an unknown referral, 409 before the reward is due and where there is none.
#[utoipa::path(post, path = "/api/v0/workspace/rewards/{id}/pay", tag = "finance", params(("id" = String, Path)),
    responses((status = 200, body = Success<Nothing>), (status = 404, body = Failure), (status = 409, body = Failure)))]
pub async fn pay_reward(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<Uuid>,
) -> ApiResult<Success<()>> {
    let asked = context.command(staff.actor(), &id);
    let command = ReferralCommand::PayReward {
        by: staff.person.user_id,
        at: asked.at,
    };
    let paid = commit::<Referral>(&records.log, ReferralId(id), command, &asked).await?;
    records.answers_for(paid.position);
    Ok(Success::at((), paid.position))
}
