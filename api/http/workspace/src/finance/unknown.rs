//! Notices of the payment provider that were set aside, since they name no payment of ours or do not fit the one that they name: listed for
//! finance, who match or dismiss each (P13).

use axum::extract::State;
use domain::gateway_event::{
    DismissReason, GatewayEvent, GatewayEventCommand, GatewayEventId, GatewayEventRejection, GatewayFact,
    SetAsideReason,
};
use domain::id::PaymentId;
use domain::lead::LeadRejection;
use domain::money::Money;
use domain::payment::Payment;
use eventlog::{CommitError, Context, StreamId, commit};
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::{DismissReasonWord, SetAsideReasonWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::FINANCE;
use http_kit::request::{Path, Query, RequestContext};
use http_kit::said::say;
use projections::payment_audit::{self, AuditFilter};
use projections::provider_account::NoticeText;
use projections::provider_account::query::{self, NoticeRow};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::Services;

use super::decimals;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(FINANCE, routes!(list_unknown))
        .endpoint(FINANCE, routes!(match_notice))
        .endpoint(FINANCE, routes!(dismiss_notice))
}

/// Bytes; references have ten.
const REFERENCE_MAX: usize = 32;

/// Notices shown at once.
const SHOWN: u64 = 200;

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct UnknownQuery {
    /// Those that were matched or dismissed, instead of those that wait.
    pub decided: Option<bool>,
}

/// A notice that was set aside; of its text only what tells of no person.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnknownNotice {
    pub id: String,
    pub received_at: String,
    pub gateway_event_id: String,
    /// The provider's word, e.g. `payment_intent.succeeded`.
    pub kind: String,
    /// The provider's object, e.g. `pi_…`.
    pub object_id: String,
    pub amount_minor: Option<i64>,
    pub currency: Option<String>,
    pub decimals: u32,
    /// When it happened, by the provider's clock.
    pub told_at: Option<String>,
    /// Names of what the sender wrote beside it, without what was written.
    pub metadata_names: String,
    /// `matched` or `dismissed`; null while it waits.
    pub verdict: Option<String>,
    pub payment_id: Option<String>,
    #[schema(value_type = Option<DismissReasonWord>)]
    pub reason: Option<String>,
    /// Why it was set aside; null where it came before reasons were kept.
    #[schema(value_type = Option<SetAsideReasonWord>)]
    pub set_aside: Option<String>,
    /// True where it names a payment of ours that it does not fit: that payment is checked first.
    pub names_payment: bool,
    /// The payment that it names and does not fit, or that is not known here; null where it names none.
    pub named_payment_id: Option<String>,
    /// Null for a payment that is not known here.
    pub named_reference: Option<String>,
}

impl UnknownNotice {
    fn show(row: NoticeRow, text: NoticeText) -> Self {
        Self {
            names_payment: row.names_payment(),
            decimals: text.currency.as_deref().map_or(2, decimals),
            id: row.notice_id,
            received_at: row.received_at,
            gateway_event_id: row.gateway_event_id,
            kind: row.kind,
            object_id: row.object_id,
            amount_minor: text.amount_minor,
            currency: text.currency,
            told_at: text.told_at,
            metadata_names: text.metadata,
            verdict: row.verdict,
            payment_id: row.payment_id,
            reason: row.reason,
            set_aside: row.set_aside,
            named_payment_id: row.named_id,
            named_reference: row.named_reference,
        }
    }
}

/// `GET /api/v0/workspace/payments/unknown_notices`: newest first.
///
/// # Errors
/// When the read models cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/payments/unknown_notices", tag = "finance", params(UnknownQuery),
    responses((status = 200, body = Success<Vec<UnknownNotice>>)))]
pub async fn list_unknown(
    State(records): State<Records>,
    _context: RequestContext,
    Query(asked): Query<UnknownQuery>,
) -> ApiResult<Success<Vec<UnknownNotice>>> {
    let is_open = !asked.decided.unwrap_or(false);
    let rows = query::notices(records.heard().await?, is_open, SHOWN).await?;
    let mut notices = Vec::with_capacity(rows.len());
    for row in rows {
        let text = open_text(&records, row.notice_id.parse().unwrap_or_default()).await?;
        notices.push(UnknownNotice::show(row, text));
    }
    Ok(Success::new(notices))
}

/// Reads a notice's text from the event that took it in.
async fn open_text(records: &Records, notice_id: Uuid) -> ApiResult<NoticeText> {
    let stream = StreamId::of::<GatewayEvent>(GatewayEventId(notice_id));
    let received = records.log.read_stream(&stream, 0, 1).await?;
    let opened = received.first().map(NoticeText::open).transpose();
    Ok(opened.map_err(ApiError::broken)?.unwrap_or_default())
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "payment": "P-0123ABCD" }))]
pub struct MatchBody {
    /// The payment's reference or id.
    pub payment: String,
}

/// Outcome of a notice.
#[derive(Debug, Serialize, ToSchema)]
pub struct Decided {
    /// The payment it belongs to; null when it belongs to none.
    pub payment_id: Option<String>,
}

/// `POST /api/v0/workspace/payments/unknown_notices/{id}/match`: the notice is about this payment. What it says is taken in once, as
/// if it had named the payment.
///
/// # Errors
/// 404 for no such notice, 409 once it was decided otherwise, 422 for a payment that is not known or of which another amount is due.
#[utoipa::path(post, path = "/api/v0/workspace/payments/unknown_notices/{id}/match", tag = "finance", request_body = MatchBody,
    params(("id" = String, Path)),
    responses((status = 200, body = Success<Decided>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn match_notice(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<Uuid>,
    Body(body): Body<MatchBody>,
) -> ApiResult<Success<Decided>> {
    let payment_id = meant(&records, body.payment.trim()).await?;
    must_fit(&records, id, payment_id).await?;
    let asked = context.command(staff.actor(), &body);
    let command = GatewayEventCommand::Match {
        payment_id,
        by: staff.person.user_id,
        at: asked.at,
    };
    let payment_id = Some(payment_id.to_string());
    decide(&records, id, command, &asked, Decided { payment_id }).await
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "reason": "other_system" }))]
pub struct DismissBody {
    #[schema(value_type = DismissReasonWord)]
    pub reason: DismissReason,
}

/// `POST /api/v0/workspace/payments/unknown_notices/{id}/dismiss`: the notice needs nothing more: it concerns no payment here, or its payment is right.
///
/// # Errors
/// 404 for no such notice, 409 once it was decided otherwise.
#[utoipa::path(post, path = "/api/v0/workspace/payments/unknown_notices/{id}/dismiss", tag = "finance",
    request_body = DismissBody, params(("id" = String, Path)),
    responses((status = 200, body = Success<Decided>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn dismiss_notice(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<Uuid>,
    Body(body): Body<DismissBody>,
) -> ApiResult<Success<Decided>> {
    let asked = context.command(staff.actor(), &body);
    let command = GatewayEventCommand::Dismiss {
        reason: body.reason,
        by: staff.person.user_id,
        at: asked.at,
    };
    decide(&records, id, command, &asked, Decided { payment_id: None }).await
}

/// The payment with this reference or id, if there is exactly one.
async fn meant(records: &Records, text: &str) -> ApiResult<PaymentId> {
    let unknown = || ApiError::invalid_field("payment", "unknown", say("refusal.no_such_payment"));
    if let Ok(payment_id) = text.parse::<PaymentId>() {
        let known = records.log.load::<Payment>(payment_id).await?.state;
        return known.terms.map(|_| payment_id).ok_or_else(unknown);
    }
    // Not longer than any reference: a search for it is a pattern, and databases refuse long ones.
    if text.len() > REFERENCE_MAX {
        return Err(unknown());
    }
    let filter = AuditFilter {
        text: Some(text.to_owned()),
        ..AuditFilter::default()
    };
    let rows = payment_audit::page(records.heard().await?, &filter, SHOWN, 0).await?;
    let row = rows
        .into_iter()
        .find(|row| row.reference.eq_ignore_ascii_case(text));
    row.and_then(|row| row.payment_id.parse().ok())
        .ok_or_else(unknown)
}

/// Money that came in pays what is due, to the penny and in its currency; what goes out is no more than came in. Or it belongs elsewhere.
async fn must_fit(records: &Records, id: Uuid, payment_id: PaymentId) -> ApiResult<()> {
    let told = records.log.load::<GatewayEvent>(GatewayEventId(id)).await?.state;
    let payment = records.log.load::<Payment>(payment_id).await?.state;
    let Some(due) = payment.terms.as_ref().map(|terms| terms.quote.total()) else {
        return Err(ApiError::invalid_field(
            "payment",
            "unknown",
            say("refusal.no_such_payment"),
        ));
    };
    let Some(fact) = told.unknown.as_ref().filter(|fact| fact.has_amount()) else {
        return Ok(());
    };
    let currency = open_text(records, id).await?.currency;
    fact.misfit(&payment, currency.as_deref())
        .map_or(Ok(()), |reason| Err(does_not_fit(fact, reason, due)))
}

/// Says why a notice does not fit the payment that it is to be matched to.
fn does_not_fit(fact: &GatewayFact, reason: SetAsideReason, due: Money) -> ApiError {
    let said = match reason {
        SetAsideReason::NoPayment | SetAsideReason::UnknownPayment => say("refusal.no_such_payment"),
        SetAsideReason::CurrencyDiffers => {
            say("refusal.notice_currency_differs").with("currency", due.currency.code())
        }
        SetAsideReason::AmountDiffers if matches!(fact, GatewayFact::Succeeded(_)) => {
            say("refusal.amount_differs").with_amount("due", due)
        }
        SetAsideReason::AmountDiffers => say("refusal.refund_amount_differs"),
        SetAsideReason::BeyondPayment => say("refusal.notice_beyond_payment").with_amount("taken", due),
    };
    ApiError::invalid_field("payment", reason.key(), said)
}

async fn decide(
    records: &Records,
    id: Uuid,
    command: GatewayEventCommand,
    context: &Context,
    decided: Decided,
) -> ApiResult<Success<Decided>> {
    match commit::<GatewayEvent>(&records.log, GatewayEventId(id), command, context).await {
        Ok(committed) => {
            records.answers_for(committed.position);
            Ok(Success::at(decided, committed.position))
        }
        Err(CommitError::Rejected(GatewayEventRejection::NotUnknown)) => {
            Err(ApiError::not_found(say("refusal.no_notice")))
        }
        Err(CommitError::Rejected(GatewayEventRejection::Decided)) => Err(ApiError::conflict(
            "notice_decided",
            say("refusal.notice_decided"),
        )),
        Err(CommitError::Log(error)) => Err(error.into()),
        Err(CommitError::Busy | CommitError::Conflict { .. }) => Err(ApiError::busy()),
        Err(CommitError::CommandReused) => Err(CommitError::<LeadRejection>::CommandReused.into()),
    }
}
