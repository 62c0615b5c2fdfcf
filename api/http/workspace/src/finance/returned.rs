//! Refunds that the gateway could not pay out: listed until they are made good, by another refund or in another way (P10, P12).

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::State;
use domain::id::{PaymentId, RefundId};
use domain::payment::refund::Stranded;
use domain::payment::{Payment, PaymentCommand, PaymentRejection, RefundCommand};
use eventlog::{CommitError, commit, done_before_on};
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::FINANCE;
use http_kit::request::{Path, RequestContext};
use platform::config::Settings;
use projections::payment_audit::{self, AuditFilter, instant, reference};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;

use super::dossier::{self, Dossier};
use super::refunds::{refund_limit, written_reason};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(FINANCE, routes!(list_failed_refunds))
        .endpoint(FINANCE, routes!(pay_elsewhere))
}

/// Events read at a time.
const PAGE: u64 = 500;

/// A refund that came back and waits for another way.
#[derive(Debug, Serialize, ToSchema)]
pub struct FailedRefund {
    pub payment_id: String,
    pub reference: String,
    pub refund_id: String,
    pub amount_minor: u64,
    /// Amount of the payment that is left to give back.
    pub refundable_minor: u64,
    pub currency: &'static str,
    pub decimals: u32,
    /// The gateway's words, e.g. `lost_or_stolen_card`.
    pub reason: String,
    pub failed_at: String,
    /// The payer had been told that the money was on its way, and was told since that it is not.
    pub was_announced: bool,
}

/// `GET /api/v0/workspace/payments/failed_refunds`: newest first.
///
/// # Errors
/// When the read models cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/payments/failed_refunds", tag = "finance",
    responses((status = 200, body = Success<Vec<FailedRefund>>)))]
pub async fn list_failed_refunds(
    State(records): State<Records>,
    _context: RequestContext,
) -> ApiResult<Success<Vec<FailedRefund>>> {
    let filter = AuditFilter {
        kind: Some("refund_failed".to_owned()),
        ..AuditFilter::default()
    };
    let pool = records.heard().await?;
    let (mut seen, mut rows, mut read) = (BTreeSet::new(), Vec::new(), 0);
    loop {
        let failed = payment_audit::page(pool, &filter, PAGE, read).await?;
        let is_last = (failed.len() as u64) < PAGE;
        read += PAGE;
        for event in failed {
            let Ok(id) = event.payment_id.parse::<PaymentId>() else {
                continue;
            };
            if seen.insert(event.payment_id) {
                rows.extend(stranded(id, &records.log.load::<Payment>(id).await?.state));
            }
        }
        if is_last {
            return Ok(Success::new(rows));
        }
    }
}

/// The refunds of a payment that came back.
pub(super) fn stranded(id: PaymentId, payment: &Payment) -> Vec<FailedRefund> {
    let Some(currency) = payment.terms.as_ref().map(|terms| terms.quote.currency) else {
        return vec![];
    };
    let row = |refund: Stranded| FailedRefund {
        payment_id: id.to_string(),
        reference: reference(id),
        refund_id: refund.refund_id.to_string(),
        amount_minor: refund.amount_minor,
        refundable_minor: payment.refundable_minor(),
        currency: currency.code(),
        decimals: currency.decimals(),
        reason: refund.reason,
        failed_at: instant(refund.failed_at),
        was_announced: refund.told,
    };
    payment.stranded().into_iter().map(row).collect()
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PaidElsewhereBody, example = json!({ "reason": "Bank transfer on 2 December, reference 4711" }))]
pub struct PaidElsewhere {
    /// How it was paid, for colleagues.
    pub reason: String,
}

/// `POST /api/v0/workspace/payments/{id}/refunds/{refund_id}/paid_elsewhere`: the house has paid in another way what the gateway
/// could not. Asked twice it is noted once.
///
/// # Errors
/// 403 above the role's limit, 404, 409 for a refund that has not come back, 422 without words or for more than is left.
#[utoipa::path(post, path = "/api/v0/workspace/payments/{id}/refunds/{refund_id}/paid_elsewhere", tag = "finance",
    request_body = PaidElsewhere, params(("id" = String, Path), ("refund_id" = String, Path)),
    responses((status = 200, body = Success<Dossier>), (status = 403, body = Failure), (status = 404, body = Failure),
    (status = 409, body = Failure), (status = 422, body = Failure)))]
pub async fn pay_elsewhere(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path((id, refund_id)): Path<(PaymentId, RefundId)>,
    Body(body): Body<PaidElsewhere>,
) -> ApiResult<Success<Dossier>> {
    let note = written_reason(&body.reason)?.to_owned();
    let payment = records.log.load::<Payment>(id).await?.state;
    let amount_minor = payment.refunds.get(&refund_id).map(|refund| refund.amount_minor);
    let limit = refund_limit(&records.log, &settings, &staff, id).await?;
    let asked = context.command(staff.actor(), &(refund_id, &body));
    let before = done_before_on::<Payment>(&records.log, id, &asked).await?;
    // The limit may have been lowered since a request that is repeated.
    if before.is_none() && limit.is_some_and(|limit| amount_minor.unwrap_or_default() > limit) {
        return Err(ApiError::from(CommitError::Rejected(
            PaymentRejection::AboveLimit,
        )));
    }
    let command = PaymentCommand::Refund(RefundCommand::PayElsewhere {
        refund_id,
        note,
        by: staff.person.user_id,
        at: asked.at,
    });
    let committed = commit::<Payment>(&records.log, id, command, &asked).await?;
    records.answers_for(committed.position);
    let view = dossier::of(&records, &settings, &staff, context.lang, id).await?;
    Ok(Success::at(view, committed.position))
}
