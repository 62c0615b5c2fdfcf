//! Everything that waits for a decision of finance in one list: refunds that support asks for, and what needs a second person.

use std::sync::Arc;

use axum::extract::State;
use http_kit::caller::Staff;
use http_kit::contract::words::DeciderWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::ApiResult;
use http_kit::permissions::FINANCE;
use http_kit::request::RequestContext;
use platform::config::Settings;
use projections::approvals::ApprovalFilter;
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Services;

use super::approvals::{self, ApprovalView};
use super::requested::{self, RefundRequest};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(FINANCE, routes!(list_waiting))
}

/// One decision that waits: either field is set.
#[derive(Debug, Serialize, ToSchema)]
pub struct WaitingDecision {
    /// Refund that support asks finance for.
    pub request: Option<RefundRequest>,
    /// Request of a member of finance to a second person.
    pub approval: Option<ApprovalView>,
    /// Group that may decide it.
    #[schema(value_type = DeciderWord)]
    pub decider: &'static str,
    /// True where the reader may.
    pub can_decide: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WaitingDecisions {
    pub count: usize,
    /// The oldest first.
    pub decisions: Vec<WaitingDecision>,
}

impl WaitingDecision {
    fn of_request(request: RefundRequest) -> Self {
        Self {
            request: Some(request),
            approval: None,
            decider: "finance",
            can_decide: true,
        }
    }

    fn of_approval(approval: ApprovalView) -> Self {
        Self {
            can_decide: !approval.own,
            request: None,
            approval: Some(approval),
            decider: "second_person",
        }
    }

    fn asked_at(&self) -> Option<chrono::DateTime<chrono::FixedOffset>> {
        let of_request = self.request.as_ref().map(|request| request.at.as_str());
        let at = of_request.or(self.approval.as_ref().map(|approval| approval.asked_at.as_str()));
        at.and_then(|at| chrono::DateTime::parse_from_rfc3339(at).ok())
    }
}

/// `GET /api/v0/workspace/approvals/waiting`: all that waits for finance, with its count.
///
/// # Errors
/// When the read models cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/approvals/waiting", tag = "finance",
    responses((status = 200, body = Success<WaitingDecisions>)))]
pub async fn list_waiting(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    staff: Staff,
) -> ApiResult<Success<WaitingDecisions>> {
    let requests = requested::open_requests(&records, &settings).await?;
    let approvals = approvals::listed(&records, &settings, &staff, &ApprovalFilter::default()).await?;
    let mut decisions: Vec<WaitingDecision> = requests
        .into_iter()
        .map(WaitingDecision::of_request)
        .chain(approvals.into_iter().map(WaitingDecision::of_approval))
        .collect();
    decisions.sort_by_key(WaitingDecision::asked_at);
    Ok(Success::new(WaitingDecisions {
        count: decisions.len(),
        decisions,
    }))
}
