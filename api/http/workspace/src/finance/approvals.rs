//! Requests for a second person's approval: refunds above a role's limit, and corrections of the books.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use domain::aggregate::Decide as _;
use domain::approval::{Approval, ApprovalCommand, ApprovalRejection, Asked, Decision, Request};
use domain::id::{ApprovalId, PaymentId, RefundId};
use domain::language::Language;
use domain::moment::Moment;
use domain::payment::{Payment, PaymentCommand, RefundCommand, RequestedBy};
use eventlog::{
    CodecError, CommitError, Context, EventLog, Position, commit, commit_together, done_before_on,
};
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::{AccountWord, ApprovalKindWord, BookingChoiceWord, DecisionWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::FINANCE;
use http_kit::request::{Path, Query, RequestContext};
use http_kit::said::say;
use platform::config::Settings;
use platform::{clock, days};
use processes::reconciliation::{self, Mending};
use projections::approvals::ApprovalFilter;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::granting::{Granting, find_ask};
use super::refunds::{RefundBody, may_choose, optional_reason, written_reason};
use super::requested::declined_requests;
use crate::Services;
use crate::staff_names::staff_name;

mod declining;
mod views;

pub(super) use views::listed;
use views::{sort_newest_first, view};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(FINANCE, routes!(ask_for_refund))
        .endpoint(FINANCE, routes!(list_approvals))
        .endpoint(FINANCE, routes!(approve))
        .endpoint(FINANCE, routes!(declining::decline))
}

/// Requests shown at once.
const SHOWN: u64 = 200;

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct ApprovalsQuery {
    /// Those that were decided, instead of those that wait; refunds that support asked for and finance declined are among them, and those
    /// whose request was answered without them.
    pub decided: Option<bool>,
    /// Those of this payment, decided or not.
    #[param(value_type = Option<String>)]
    pub payment: Option<PaymentId>,
}

/// A request with who asked and who decided.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Approval)]
pub struct ApprovalView {
    pub id: String,
    #[schema(value_type = ApprovalKindWord)]
    pub kind: &'static str,
    pub amount_minor: u64,
    pub currency: &'static str,
    pub decimals: u32,
    /// Of a refund.
    pub payment_id: Option<String>,
    pub payment_reference: Option<String>,
    #[schema(value_type = Option<BookingChoiceWord>)]
    pub booking: Option<&'static str>,
    /// Of a correction.
    #[schema(value_type = Option<AccountWord>)]
    pub debit: Option<&'static str>,
    #[schema(value_type = Option<AccountWord>)]
    pub credit: Option<&'static str>,
    /// The exception of the reconciliation that a correction mends.
    pub item: Option<String>,
    /// Why, in words of the asker; null once its person is forgotten.
    pub reason: Option<String>,
    pub asked_by: String,
    pub asked_at: String,
    /// Of a refund that grants a colleague's request: the colleague.
    pub requested_by: Option<String>,
    /// Why the colleague requested it; null once its person is forgotten.
    pub request_reason: Option<String>,
    /// Colleague who answered the request without this; nothing is left to decide then.
    pub answered_by: Option<String>,
    pub answered_at: Option<String>,
    /// The reader asked, and cannot decide.
    pub own: bool,
    /// Null while it waits.
    #[schema(value_type = Option<DecisionWord>)]
    pub decision: Option<&'static str>,
    pub decided_by: Option<String>,
    pub decided_at: Option<String>,
    /// Why it was decided so; null where who decided said nothing, and once its person is forgotten.
    pub because: Option<String>,
}

/// `GET /api/v0/workspace/approvals`: newest first.
///
/// # Errors
/// 422 for a parameter that cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/approvals", tag = "finance", params(ApprovalsQuery),
    responses((status = 200, body = Success<Vec<ApprovalView>>), (status = 422, body = Failure)))]
pub async fn list_approvals(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    staff: Staff,
    Query(asked): Query<ApprovalsQuery>,
) -> ApiResult<Success<Vec<ApprovalView>>> {
    let filter = ApprovalFilter {
        decided: asked.decided.unwrap_or_default(),
        payment_id: asked.payment,
    };
    let mut shown = listed(&records, &settings, &staff, &filter).await?;
    if filter.decided && filter.payment_id.is_none() {
        shown.extend(declined_requests(&records, &settings, &staff).await?);
        sort_newest_first(&mut shown);
    }
    Ok(Success::new(shown))
}

/// `POST /api/v0/workspace/payments/{id}/refund_approvals`: asks another person for a refund above one's own limit.
///
/// # Errors
/// 404, 409 where there is no booking to cancel, 422 as for the refund itself.
#[utoipa::path(post, path = "/api/v0/workspace/payments/{id}/refund_approvals", tag = "finance",
    request_body = RefundBody, params(("id" = String, Path)),
    responses((status = 201, body = Success<ApprovalView>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn ask_for_refund(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<PaymentId>,
    Body(body): Body<RefundBody>,
) -> ApiResult<Response> {
    let approval_id = ApprovalId(context.command_id.unwrap_or_else(clock::new_id));
    let asked = context.command(staff.actor(), &body);
    // The repeated request gets its approval, though by now the money may have gone back.
    if let Some(before) = done_before_on::<Approval>(&records.log, approval_id, &asked).await? {
        return waiting(&records, &settings, &staff, approval_id, before.last).await;
    }
    let request = asked_refund(
        &records.log,
        &settings,
        &staff,
        id,
        (approval_id, &body),
        asked.at,
    )
    .await?;
    asked_for(&records, &settings, &staff, (approval_id, request), &asked).await
}

/// What another person is asked to approve of a refund; what the refund itself would be refused for is refused at once.
///
/// # Errors
/// As [`ask_for_refund`].
pub(crate) async fn asked_refund(
    log: &EventLog,
    settings: &Settings,
    staff: &Staff,
    id: PaymentId,
    (approval_id, body): (ApprovalId, &RefundBody),
    at: Moment,
) -> ApiResult<Request> {
    let reason = written_reason(&body.reason)?.to_owned();
    let payment = log.load::<Payment>(id).await?.state;
    let terms = payment
        .terms
        .as_ref()
        .ok_or_else(|| ApiError::not_found(say("refusal.no_payment")))?;
    may_choose(log, settings, id, RefundId(approval_id.0), body).await?;
    payment.decide(refund(approval_id, body, &reason, staff, at))?;
    let ask = find_ask(log, (id, &payment), body.ask_id).await?;
    Ok(Request {
        what: Asked::Refund {
            payment_id: id,
            amount_minor: body.amount_minor,
            currency: terms.quote.currency,
            booking: body.booking,
            ask,
        },
        subject: terms.seal(),
        by: staff.person.user_id,
        at,
        reason: Some(reason),
    })
}

fn refund(id: ApprovalId, body: &RefundBody, reason: &str, staff: &Staff, at: Moment) -> PaymentCommand {
    PaymentCommand::Refund(RefundCommand::Request {
        refund_id: RefundId(id.0),
        amount_minor: body.amount_minor,
        note: reason.to_owned(),
        by: RequestedBy::Staff(staff.person.user_id),
        booking: Some(body.booking),
        ask: None,
        limit_minor: None,
        at,
    })
}

/// Records a request and answers with it.
pub(super) async fn asked_for(
    records: &Records,
    settings: &Settings,
    staff: &Staff,
    (id, request): (ApprovalId, Request),
    context: &Context,
) -> ApiResult<Response> {
    let command = ApprovalCommand::Ask(Box::new(request));
    let committed = commit::<Approval>(&records.log, id, command, context).await?;
    waiting(records, settings, staff, id, committed.position).await
}

/// The answer to who asked.
pub(super) async fn waiting(
    records: &Records,
    settings: &Settings,
    staff: &Staff,
    id: ApprovalId,
    position: Position,
) -> ApiResult<Response> {
    let shown = decided(records, settings, staff, id, position).await?;
    Ok((StatusCode::CREATED, shown).into_response())
}

fn unknown() -> ApiError {
    ApiError::not_found(say("refusal.approval_unknown"))
}

/// What is said to who decides a decided request otherwise, or asks for it again: by whom it was decided, and when.
///
/// # Errors
/// When the log cannot be read.
pub(super) async fn decided_before(
    records: &Records,
    settings: &Settings,
    lang: Language,
    id: ApprovalId,
) -> ApiResult<ApiError> {
    let approval = records.log.load::<Approval>(id).await?.state;
    let Some((decision, by, at)) = approval.decided else {
        return Ok(unknown());
    };
    let name = staff_name(&records.log, settings, &by.to_string(), &mut HashMap::new()).await?;
    let says = match decision {
        Decision::Approved => say("refusal.approved_before"),
        Decision::Declined => say("refusal.declined_before"),
    };
    let says = says.with("by", name).with("at", days::moment(lang, at, None));
    Ok(ApiError::conflict(ApprovalRejection::Decided.code(), says))
}

/// A correction mends the exception as it stands: once its cause is gone, the books would hold its amount twice.
///
/// # Errors
/// 409 where the exception has changed since.
async fn still_mends(records: &Records, settings: &Settings, id: ApprovalId, at: Moment) -> ApiResult<()> {
    let approval = records.log.load::<Approval>(id).await?.state;
    let Some(Asked::Correction {
        debit,
        credit,
        amount_minor,
        item,
        ..
    }) = approval
        .asked
        .filter(|_| approval.decided.is_none())
        .map(|asked| asked.what)
    else {
        return Ok(());
    };
    let mending = Mending {
        debit,
        credit,
        amount_minor,
    };
    let run = reconciliation::run(records.heard().await?, &records.log, settings, at).await?;
    if run.needs(&item, mending) {
        return Ok(());
    }
    let says = say("refusal.correction_outdated");
    Err(ApiError::conflict("correction_outdated", says))
}

#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(example = json!({ "reason": "The visa letter is here" }))]
pub struct GiveApproval {
    /// May be left out.
    pub reason: Option<String>,
}

/// `POST /api/v0/workspace/approvals/{id}/approve`: what was asked for is done, in the same transaction.
///
/// # Errors
/// 403 for who asked, 404, 409 for what was declined and for a correction whose exception has changed since,
/// 422 where the refund is more than is left by now, or its request was answered meanwhile.
#[utoipa::path(post, path = "/api/v0/workspace/approvals/{id}/approve", tag = "finance", request_body = GiveApproval,
    params(("id" = String, Path)),
    responses((status = 200, body = Success<ApprovalView>), (status = 403, body = Failure), (status = 404, body = Failure),
    (status = 409, body = Failure), (status = 422, body = Failure)))]
pub async fn approve(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<ApprovalId>,
    Body(body): Body<GiveApproval>,
) -> ApiResult<Success<ApprovalView>> {
    let reason = optional_reason(body.reason.as_deref())?;
    let asked = context.command(staff.actor(), &(id.to_string(), &body));
    let (log, by) = (&records.log, staff.person.user_id);
    still_mends(&records, &settings, id, asked.at).await?;
    let appended = commit_together::<ApiError, _>(log, &asked, |append| async move {
        let at = append.context.at;
        let trouble = |error: CodecError| CommitError::Log(error.into());
        let approval = log.load::<Approval>(id).await?;
        let reason = reason.map(str::to_owned);
        let events = approval.state.decide(ApprovalCommand::Approve { reason, by, at });
        let events = events.map_err(|error| CommitError::Rejected(error.into()))?;
        let Some(request) = approval.state.asked.as_ref().filter(|_| !events.is_empty()) else {
            return Ok(append);
        };
        let append = append.decision(id, &approval, &events).map_err(trouble)?;
        let Asked::Refund {
            payment_id,
            amount_minor,
            booking,
            ask,
            ..
        } = &request.what
        else {
            return Ok(append);
        };
        let granting = Granting {
            payment_id: *payment_id,
            refund_id: RefundId(id.0),
            amount_minor: *amount_minor,
            booking: *booking,
            reason: request.reason.as_deref().unwrap_or_default(),
            by: request.by,
            ask_id: ask.map(|ask| ask.ask_id),
            limit_minor: None,
        };
        granting.add_to(log, append).await
    })
    .await;
    let appended = match appended {
        Err(CommitError::Rejected(error)) if error.code == ApprovalRejection::Decided.code() => {
            return Err(decided_before(&records, &settings, context.lang, id).await?);
        }
        appended => appended?,
    };
    let position = match appended.last {
        0 => log.head().await?,
        last => last,
    };
    decided(&records, &settings, &staff, id, position).await
}

async fn decided(
    records: &Records,
    settings: &Settings,
    staff: &Staff,
    id: ApprovalId,
    position: Position,
) -> ApiResult<Success<ApprovalView>> {
    records.answers_for(position);
    let shown = view(records, settings, staff, id, &mut HashMap::new()).await?;
    Ok(Success::at(shown.ok_or_else(unknown)?, position))
}
