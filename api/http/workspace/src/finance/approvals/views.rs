//! Requests with who asked and who decided, as the lists show them.

use std::collections::HashMap;

use domain::approval::{Approval, Asked};
use domain::id::ApprovalId;
use domain::money::Currency;
use http_kit::caller::Staff;
use http_kit::error::ApiResult;
use platform::config::Settings;
use projections::approvals::{self, ApprovalFilter};
use projections::payment_audit::{instant, reference};
use records::Records;

use super::super::asked_words::find_request;
use super::{ApprovalView, SHOWN};
use crate::staff_names::staff_name;

/// The requests that a filter leaves, newest first. One whose colleague's request was answered without it waits for no decision.
pub(in crate::finance) async fn listed(
    records: &Records,
    settings: &Settings,
    staff: &Staff,
    filter: &ApprovalFilter,
) -> ApiResult<Vec<ApprovalView>> {
    let mut shown = load_views(records, settings, staff, filter).await?;
    if filter.payment_id.is_some() {
        return Ok(shown);
    }
    if filter.decided {
        let undecided = load_views(records, settings, staff, &ApprovalFilter::default()).await?;
        shown.extend(undecided.into_iter().filter(ApprovalView::is_outdated));
        sort_newest_first(&mut shown);
    } else {
        shown.retain(|one| !one.is_outdated());
    }
    Ok(shown)
}

impl ApprovalView {
    const fn is_outdated(&self) -> bool {
        self.decision.is_none() && self.answered_by.is_some()
    }
}

/// Moments of one format: their texts have the order of time.
pub(super) fn sort_newest_first(shown: &mut [ApprovalView]) {
    shown.sort_by(|one, other| other.asked_at.cmp(&one.asked_at));
}

async fn load_views(
    records: &Records,
    settings: &Settings,
    staff: &Staff,
    filter: &ApprovalFilter,
) -> ApiResult<Vec<ApprovalView>> {
    let ids = approvals::list(records.heard().await?, filter, SHOWN).await?;
    let mut names = HashMap::new();
    let mut shown = Vec::new();
    for id in ids.iter().filter_map(|id| id.parse::<ApprovalId>().ok()) {
        shown.extend(view(records, settings, staff, id, &mut names).await?);
    }
    Ok(shown)
}

pub(super) async fn view(
    records: &Records,
    settings: &Settings,
    staff: &Staff,
    id: ApprovalId,
    names: &mut HashMap<String, String>,
) -> ApiResult<Option<ApprovalView>> {
    let approval = records.log.load::<Approval>(id).await?.state;
    let Some(request) = approval.asked else {
        return Ok(None);
    };
    let asked_by = staff_name(&records.log, settings, &request.by.to_string(), names).await?;
    let decided_by = match &approval.decided {
        Some((_, by, _)) => Some(staff_name(&records.log, settings, &by.to_string(), names).await?),
        None => None,
    };
    let (amount_minor, currency) = read_amount(&request.what);
    let (payment_id, booking) = match &request.what {
        Asked::Refund {
            payment_id, booking, ..
        } => (Some(*payment_id), Some(booking.name())),
        Asked::Correction { .. } => (None, None),
    };
    let granted = find_request(records, settings, &request.what, names).await?;
    // What was decided was answered by it.
    let answered = granted.answered.filter(|_| approval.decided.is_none());
    let (answered_by, answered_at) = answered.unzip();
    let (debit, credit, item) = match &request.what {
        Asked::Correction {
            debit, credit, item, ..
        } => (Some(debit.name()), Some(credit.name()), Some(item.clone())),
        Asked::Refund { .. } => (None, None, None),
    };
    Ok(Some(ApprovalView {
        id: id.to_string(),
        kind: request.what.kind(),
        amount_minor,
        currency: currency.code(),
        decimals: currency.decimals(),
        payment_reference: payment_id.map(reference),
        payment_id: payment_id.map(|id| id.to_string()),
        booking,
        debit,
        credit,
        item,
        reason: request.reason,
        asked_by,
        asked_at: instant(request.at),
        requested_by: granted.by,
        request_reason: granted.reason,
        answered_by,
        answered_at: answered_at.map(instant),
        own: request.by == staff.person.user_id,
        decision: approval.decided.map(|(decision, _, _)| decision.name()),
        decided_by,
        decided_at: approval.decided.map(|(_, _, at)| instant(at)),
        because: approval.because,
    }))
}

const fn read_amount(what: &Asked) -> (u64, Currency) {
    match what {
        Asked::Refund {
            amount_minor,
            currency,
            ..
        }
        | Asked::Correction {
            amount_minor,
            currency,
            ..
        } => (*amount_minor, *currency),
    }
}
