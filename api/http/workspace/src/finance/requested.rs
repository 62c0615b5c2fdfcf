//! Refunds that support asked for (row I4): finance sees who asked and why, and gives the money back in the payment's own dialog or
//! declines with a reason. A refund that staff send answers what was asked for its payment.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use domain::approval::Decision;
use domain::lead::desk::{Acting, Deed};
use domain::lead::{Lead, LeadCommand};
use domain::moment::Moment;
use domain::payment::{BookingChoice, Payment};
use eventlog::commit;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::Nothing;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::FINANCE;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use platform::clock;
use platform::config::Settings;
use projections::lead_desk;
use projections::payment_audit::{instant, reference};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::approvals::ApprovalView;
use super::asked_words::Told;
use super::refunds::written_reason;
use crate::Services;
use crate::staff_names::staff_name;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(FINANCE, routes!(list_requests))
        .endpoint(FINANCE, routes!(decline_request))
}

/// Requests that are listed at once.
const REQUESTS: i64 = 200;

/// A refund that waits for finance.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefundRequest {
    pub ask_id: String,
    pub lead_id: String,
    pub payment_id: String,
    /// The payment's.
    pub reference: String,
    /// Amount that support thinks right, in minor units; null leaves it to finance.
    pub amount_minor: Option<u64>,
    pub refundable_minor: u64,
    pub currency: &'static str,
    pub decimals: u32,
    pub ends_booking: bool,
    pub by: String,
    pub at: String,
    /// Null once the student is forgotten.
    pub why: Option<String>,
}

/// `GET /api/v0/workspace/payments/refund_requests`, the oldest first.
///
/// # Errors
/// When the read models cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/payments/refund_requests", tag = "finance",
    responses((status = 200, body = Success<Vec<RefundRequest>>)))]
pub async fn list_requests(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    _staff: Staff,
) -> ApiResult<Success<Vec<RefundRequest>>> {
    Ok(Success::new(open_requests(&records, &settings).await?))
}

/// The refunds that wait for finance, the oldest first.
pub(super) async fn open_requests(records: &Records, settings: &Settings) -> ApiResult<Vec<RefundRequest>> {
    let mut names = HashMap::new();
    let mut requests = Vec::new();
    for row in lead_desk::open_asks(records.heard().await?, REQUESTS).await? {
        let (Some(lead_id), Some(payment_id)) = (row.lead(), row.payment()) else {
            continue;
        };
        let payment = records.log.load::<Payment>(payment_id).await?.state;
        let Some(terms) = &payment.terms else { continue };
        let lead = records.log.load::<Lead>(lead_id).await?.state;
        let ask = row.ask_id.parse::<Uuid>().ok();
        let ask = ask.and_then(|id| lead.desk().asks.get(&id));
        let currency = terms.quote.currency;
        requests.push(RefundRequest {
            reference: reference(payment_id),
            amount_minor: row.amount_minor.map(i64::cast_unsigned),
            refundable_minor: payment.refundable_minor(),
            currency: currency.code(),
            decimals: currency.decimals(),
            ends_booking: row.ends_booking.is_set(),
            by: staff_name(&records.log, settings, &row.asked_by, &mut names).await?,
            at: chrono::DateTime::from_timestamp_millis(row.asked_at)
                .unwrap_or_default()
                .to_rfc3339(),
            why: ask.and_then(|ask| ask.why.clone()),
            ask_id: row.ask_id,
            lead_id: row.lead_id,
            payment_id: row.payment_id,
        });
    }
    Ok(requests)
}

/// Requests that finance declined, as the decisions that they are; the newest first.
pub(super) async fn declined_requests(
    records: &Records,
    settings: &Settings,
    staff: &Staff,
) -> ApiResult<Vec<ApprovalView>> {
    let mut names = HashMap::new();
    let mut decisions = Vec::new();
    for row in lead_desk::declined_asks(records.heard().await?, REQUESTS).await? {
        let (Some(lead_id), Some(payment_id), Ok(ask_id)) =
            (row.lead(), row.payment(), row.ask_id.parse::<Uuid>())
        else {
            continue;
        };
        let payment = records.log.load::<Payment>(payment_id).await?.state;
        let told = Told::read_answer(&records.log, lead_id, ask_id).await?;
        let (Some(terms), Some((by, at, because))) = (&payment.terms, told.declined) else {
            continue;
        };
        let currency = terms.quote.currency;
        let booking = if row.ends_booking.is_set() {
            BookingChoice::Cancel
        } else {
            BookingChoice::Keep
        };
        // A request without an amount left it to finance: as much as can be given back.
        let asked_minor = row.amount_minor.map(i64::cast_unsigned);
        let asked_at = Moment::from_timestamp_millis(row.asked_at).unwrap_or_default();
        decisions.push(ApprovalView {
            kind: "refund",
            amount_minor: asked_minor.unwrap_or_else(|| payment.refundable_minor()),
            currency: currency.code(),
            decimals: currency.decimals(),
            payment_id: Some(payment_id.to_string()),
            payment_reference: Some(reference(payment_id)),
            booking: Some(booking.name()),
            debit: None,
            credit: None,
            item: None,
            reason: told.reason,
            asked_by: staff_name(&records.log, settings, &row.asked_by, &mut names).await?,
            asked_at: instant(asked_at),
            requested_by: None,
            request_reason: None,
            answered_by: None,
            answered_at: None,
            own: row.asked_by == staff.person.user_id.to_string(),
            decision: Some(Decision::Declined.name()),
            decided_by: Some(staff_name(&records.log, settings, &by.to_string(), &mut names).await?),
            decided_at: Some(instant(at)),
            because,
            id: row.ask_id,
        });
    }
    Ok(decisions)
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "reason": "The deposit is not returnable after the first of July" }))]
pub struct DeclineBody {
    pub reason: String,
}

/// `POST /api/v0/workspace/payments/refund_requests/{id}/decline`: `id` is the act that asked.
///
/// # Errors
/// 404 for an unknown request, 409 where it is answered already, 422 without a reason.
#[utoipa::path(post, path = "/api/v0/workspace/payments/refund_requests/{id}/decline", tag = "finance",
    params(("id" = String, Path)), request_body = DeclineBody,
    responses((status = 200, body = Success<Nothing>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn decline_request(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<Uuid>,
    Body(body): Body<DeclineBody>,
) -> ApiResult<Success<()>> {
    let why = written_reason(&body.reason)?.to_owned();
    let absent = || ApiError::not_found(say("refusal.no_refund_asked"));
    let row = lead_desk::ask(records.heard().await?, id)
        .await?
        .ok_or_else(absent)?;
    let lead_id = row.lead().ok_or_else(absent)?;
    let asked = context.command(staff.actor(), &(id, &body));
    let acting = Acting {
        act_id: context.command_id.unwrap_or_else(clock::new_id),
        by: staff.person.user_id,
        deed: Deed::DeclineRefund { ask: id },
        why,
        at: asked.at,
    };
    let command = LeadCommand::Act(Box::new(acting));
    let declined = commit::<Lead>(&records.log, lead_id, command, &asked).await?;
    records.answers_for(declined.position);
    Ok(Success::at((), declined.position))
}
