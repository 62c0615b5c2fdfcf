//! A second person's refusal of a request.

use std::sync::Arc;

use axum::extract::State;
use domain::approval::{Approval, ApprovalCommand, ApprovalRejection};
use domain::id::ApprovalId;
use eventlog::{CommitError, commit};
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::envelope::Success;
use http_kit::error::{ApiResult, Failure};
use http_kit::request::{Path, RequestContext};
use platform::config::Settings;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::refunds::written_reason;
use super::{ApprovalView, decided, decided_before};

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "reason": "The stay has begun" }))]
pub(super) struct DeclineApproval {
    pub reason: String,
}

/// `POST /api/v0/workspace/approvals/{id}/decline`.
///
/// # Errors
/// 403 for who asked, 404, 409 for what was approved, 422 without a reason.
#[utoipa::path(post, path = "/api/v0/workspace/approvals/{id}/decline", tag = "finance", request_body = DeclineApproval,
    params(("id" = String, Path)),
    responses((status = 200, body = Success<ApprovalView>), (status = 403, body = Failure), (status = 404, body = Failure),
    (status = 409, body = Failure), (status = 422, body = Failure)))]
pub(super) async fn decline(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<ApprovalId>,
    Body(body): Body<DeclineApproval>,
) -> ApiResult<Success<ApprovalView>> {
    let reason = written_reason(&body.reason)?.to_owned();
    let asked = context.command(staff.actor(), &body);
    let command = ApprovalCommand::Decline {
        reason,
        by: staff.person.user_id,
        at: asked.at,
    };
    let committed = match commit::<Approval>(&records.log, id, command, &asked).await {
        Err(CommitError::Rejected(ApprovalRejection::Decided)) => {
            return Err(decided_before(&records, &settings, context.lang, id).await?);
        }
        committed => committed?,
    };
    decided(&records, &settings, &staff, id, committed.position).await
}
