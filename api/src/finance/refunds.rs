//! Refunds by staff: asked for here, sent by the reactor, never more than is left and never above the role's limit.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::id::{PaymentId, RefundId};
use domain::payment::{Payment, PaymentCommand, RefundCommand, RequestedBy};
use domain::user::Role;
use eventlog::commit;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::dossier::{self, Dossier};
use crate::app::App;
use crate::body::Body;
use crate::caller::Staff;
use crate::clock;
use crate::envelope::Success;
use crate::error::{ApiError, ApiResult, Failure};
use crate::request::{Path, RequestContext};
use crate::said::say;
use crate::workspace_leads::REFUND_LIMIT;

/// A reason is a sentence or two.
const REASON_MAX: usize = 500;

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "amount_minor": 25000, "reason": "Visa refused" }))]
pub struct RefundBody {
    pub amount_minor: u64,
    pub reason: String,
}

/// `POST /api/v0/workspace/payments/{id}/refunds`.
///
/// # Errors
/// 403 above the role's limit, 404, 422 for more than is left.
#[utoipa::path(post, path = "/api/v0/workspace/payments/{id}/refunds", tag = "finance", request_body = RefundBody,
    params(("id" = String, Path)),
    responses((status = 201, body = Success<Dossier>), (status = 403, body = Failure), (status = 404, body = Failure),
    (status = 422, body = Failure)))]
pub async fn request_refund(
    State(app): State<App>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<PaymentId>,
    Body(body): Body<RefundBody>,
) -> ApiResult<Response> {
    let reason = body.reason.trim();
    if reason.is_empty() || reason.chars().count() > REASON_MAX {
        return Err(ApiError::invalid_field(
            "reason",
            "required",
            say("refusal.refund_reason").with("max", REASON_MAX),
        ));
    }
    let limit_minor = if staff.roles.contains(&Role::Admin) {
        None
    } else {
        Some(refund_limit(&app, id).await?)
    };
    let refund_id = RefundId(context.command_id.unwrap_or_else(clock::new_id));
    let command_context = context.command(staff.actor(), &body);
    let command = PaymentCommand::Refund(RefundCommand::Request {
        refund_id,
        amount_minor: body.amount_minor,
        note: reason.to_owned(),
        by: RequestedBy::Staff(staff.person.user_id),
        limit_minor,
        at: command_context.at,
    });
    let committed = commit::<Payment>(&app.log, id, command, &command_context).await?;
    app.answers_for(committed.position);
    let view = dossier::of(&app, context.lang, id).await?;
    Ok((StatusCode::CREATED, Success::at(view, committed.position)).into_response())
}

/// The role's limit in the payment's own currency.
async fn refund_limit(app: &App, id: PaymentId) -> ApiResult<u64> {
    let payment = app.log.load::<Payment>(id).await?.state;
    let terms = payment
        .terms
        .ok_or_else(|| ApiError::not_found(say("refusal.no_payment")))?;
    Ok(REFUND_LIMIT * 10_u64.pow(terms.quote.currency.decimals()))
}
