//! The reconciliation for finance (row J3): tiles, exceptions with their reasons, and the one posting that mends each, which a
//! second person approves.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use domain::approval::{Approval, Asked, Request};
use domain::id::ApprovalId;
use domain::language::Language;
use domain::money::Currency;
use eventlog::{CommitError, Context, EventLog, Position, done_before_on};
use gateway::PaymentGateway;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::{AccountWord, CheckWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::FINANCE;
use http_kit::request::RequestContext;
use http_kit::said::say;
use platform::clock;
use platform::config::Settings;
use processes::reconciliation::{self, Check, Exception, request_id};
use projections::approvals;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;

use super::approvals::{ApprovalView, asked_for, decided_before, waiting};
use super::decimals;
use super::provider::take_account;
use super::refunds::written_reason;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(FINANCE, routes!(show_reconciliation))
        .endpoint(FINANCE, routes!(run_reconciliation))
        .endpoint(FINANCE, routes!(propose))
}

/// One thing that is compared: green without a counter-example.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReconciliationTile {
    #[schema(value_type = CheckWord)]
    pub check: &'static str,
    pub count: usize,
    /// The newest exception; null where there is none.
    pub example: Option<String>,
}

/// Difference that the reconciliation found. Amounts are signed minor units.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReconciliationException {
    pub item: String,
    #[schema(value_type = CheckWord)]
    pub check: &'static str,
    pub there_minor: Option<i64>,
    pub here_minor: Option<i64>,
    pub difference_minor: i64,
    pub currency: String,
    pub decimals: u32,
    pub at: String,
    /// The provider's object.
    pub source: Option<String>,
    pub payment_id: Option<String>,
    pub payment_reference: Option<String>,
    /// The posting that would mend it; null where only reading the provider again or waiting helps.
    pub mending: Option<MendingView>,
    /// The request for the mending that waits for a second person.
    pub approval_id: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mending)]
pub struct MendingView {
    #[schema(value_type = AccountWord)]
    pub debit: &'static str,
    #[schema(value_type = AccountWord)]
    pub credit: &'static str,
    pub amount_minor: u64,
}

/// The provider's account and the books in one currency, cut at the provider's newest movement.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReconciliationTotal {
    pub currency: String,
    pub decimals: u32,
    pub there_minor: i64,
    pub here_minor: i64,
    pub difference_minor: i64,
    /// Amount here after that movement: compared at the next reading.
    pub newer_minor: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Reconciliation {
    /// The provider's newest movement that was read; null before the first.
    pub newest: Option<String>,
    pub tiles: Vec<ReconciliationTile>,
    pub exceptions: Vec<ReconciliationException>,
    pub totals: Vec<ReconciliationTotal>,
}

impl From<Exception> for ReconciliationException {
    fn from(found: Exception) -> Self {
        Self {
            difference_minor: found.difference_minor(),
            check: found.check.name(),
            decimals: decimals(&found.currency),
            mending: found.mending.map(|mending| MendingView {
                debit: mending.debit.name(),
                credit: mending.credit.name(),
                amount_minor: mending.amount_minor,
            }),
            item: found.item,
            there_minor: found.there_minor,
            here_minor: found.here_minor,
            currency: found.currency,
            at: found.at,
            source: found.source,
            payment_id: found.payment_id,
            payment_reference: found.reference,
            approval_id: found.approval_id,
        }
    }
}

/// `GET /api/v0/workspace/reconciliation`: what was read of the provider's account against the books, as both stand.
///
/// # Errors
/// 503 while the read models cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/reconciliation", tag = "finance",
    responses((status = 200, body = Success<Reconciliation>)))]
pub async fn show_reconciliation(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
) -> ApiResult<Success<Reconciliation>> {
    Ok(Success::new(compared(&records, &settings).await?))
}

async fn compared(records: &Records, settings: &Settings) -> ApiResult<Reconciliation> {
    let run = reconciliation::run(records.heard().await?, &records.log, settings, clock::now()).await?;
    let tile = |check: Check| {
        let mut of_check = run.exceptions.iter().filter(|found| found.check == check);
        ReconciliationTile {
            check: check.name(),
            count: of_check.clone().count(),
            example: of_check.next().map(|found| found.item.clone()),
        }
    };
    Ok(Reconciliation {
        newest: run.newest.clone(),
        tiles: Check::ALL.into_iter().map(tile).collect(),
        totals: run
            .totals
            .iter()
            .map(|total| ReconciliationTotal {
                currency: total.currency.clone(),
                decimals: decimals(&total.currency),
                there_minor: total.there_minor,
                here_minor: total.here_minor,
                difference_minor: total.there_minor - total.here_minor,
                newer_minor: total.newer_minor,
            })
            .collect(),
        exceptions: run
            .exceptions
            .into_iter()
            .map(ReconciliationException::from)
            .collect(),
    })
}

/// `POST /api/v0/workspace/reconciliation/run`: reads what is new at the provider, and compares.
///
/// # Errors
/// 503 while the provider does not answer; what was read until then is kept.
#[utoipa::path(post, path = "/api/v0/workspace/reconciliation/run", tag = "finance",
    responses((status = 200, body = Success<Reconciliation>), (status = 503, body = Failure)))]
pub async fn run_reconciliation(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(log): State<EventLog>,
    State(gateway): State<Arc<dyn PaymentGateway>>,
    _context: RequestContext,
) -> ApiResult<Success<Reconciliation>> {
    take_account(&records, &log, &*gateway).await?;
    Ok(Success::new(compared(&records, &settings).await?))
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "item": "fee_differs:txn_1", "reason": "Claimed from the provider" }))]
pub struct ProposalBody {
    /// The exception to mend, as the reconciliation names it.
    pub item: String,
    pub reason: String,
}

/// `POST /api/v0/workspace/reconciliation/proposals`: proposes the one posting that mends an exception; a second person approves it.
///
/// # Errors
/// 404 for an exception that there is not or that no posting mends, 409 where a proposal waits or was approved, 422 without a reason.
#[utoipa::path(post, path = "/api/v0/workspace/reconciliation/proposals", tag = "finance", request_body = ProposalBody,
    responses((status = 201, body = Success<ApprovalView>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn propose(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Body(body): Body<ProposalBody>,
) -> ApiResult<Response> {
    let reason = written_reason(&body.reason)?.to_owned();
    let asked = context.command(staff.actor(), &body);
    let pool = records.heard().await?;
    let requests = approvals::items(pool).await?;
    let approved = requests
        .iter()
        .filter(|(item, decision, _)| *item == body.item && decision.is_some())
        .count();
    // The repeated request gets its proposal, though by now it may be approved and its exception gone.
    if let Some((id, position)) = asked_before(&records.log, &body.item, approved, &asked).await? {
        return waiting(&records, &settings, &staff, id, position).await;
    }
    let run = reconciliation::run(pool, &records.log, &settings, asked.at).await?;
    let Some(found) = run.exceptions.iter().find(|found| found.item == body.item) else {
        return Err(mended_before(&records, &settings, context.lang, (&body.item, approved)).await?);
    };
    let posting = found.mending.zip(Currency::from_code(&found.currency));
    let (mending, currency) = posting.ok_or_else(no_exception)?;
    if found.approval_id.is_some() {
        return Err(ApiError::conflict(
            "proposal_waits",
            say("refusal.proposal_waits"),
        ));
    }
    let request = Request {
        what: Asked::Correction {
            debit: mending.debit,
            credit: mending.credit,
            amount_minor: mending.amount_minor,
            currency,
            item: found.item.clone(),
        },
        subject: staff.person.user_id,
        by: staff.person.user_id,
        at: asked.at,
        reason: Some(reason),
    };
    let asking = (found.request_id(), request);
    asked_for(&records, &settings, &staff, asking, &asked).await
}

fn no_exception() -> ApiError {
    ApiError::not_found(say("refusal.no_exception"))
}

/// The request that this very command made before, whatever has become of it, and where the log then stood.
async fn asked_before(
    log: &EventLog,
    item: &str,
    approved: usize,
    asked: &Context,
) -> ApiResult<Option<(ApprovalId, Position)>> {
    let mut reused = None;
    for corrections in (0..=approved).rev() {
        let id = request_id(item, corrections);
        match done_before_on::<Approval>(log, id, asked).await {
            Ok(Some(before)) => return Ok(Some((id, before.last))),
            Ok(None) => {}
            // The command may have made an earlier request for the same exception.
            Err(error @ CommitError::CommandReused) => reused = Some(error),
            Err(error) => return Err(error.into()),
        }
    }
    match reused {
        Some(error) => Err(error.into()),
        None => Ok(None),
    }
}

/// Why nothing can be proposed for an exception that is none now: its last correction was approved, or there never was one.
async fn mended_before(
    records: &Records,
    settings: &Settings,
    lang: Language,
    (item, approved): (&str, usize),
) -> ApiResult<ApiError> {
    match approved.checked_sub(1) {
        Some(last) => decided_before(records, settings, lang, request_id(item, last)).await,
        None => Ok(no_exception()),
    }
}
