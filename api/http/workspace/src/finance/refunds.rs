//! Refunds by staff: asked for here, sent by the reactor, never more than is left and never above the role's limit.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::contact::is_blank;
use domain::id::{PaymentId, RefundId};
use domain::money::{Currency, Money};
use domain::payment::consequence::{RoomOf, consequences};
use domain::payment::refund::sum_by_staff;
use domain::payment::{BookingChoice, Payment};
use domain::room_stock::RoomStock;
use domain::user::Role;
use eventlog::{Context, EventLog, Position, commit_together};
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::BookingChoiceWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::{Access, FINANCE};
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use platform::clock;
use platform::config::Settings;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Services;

use super::dossier::{self, Dossier};
use super::granting::{AskAnswer, Cancelling, Granting};

/// Who may give money back or cancel a booking, also by applying a what-if.
pub(crate) const REFUNDING: Access = FINANCE;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(REFUNDING, routes!(request_refund))
        .endpoint(REFUNDING, routes!(cancel_booking))
}

/// A reason is a sentence or two.
const REASON_MAX: usize = 500;

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "booking": "keep", "amount_minor": 25000, "reason": "Visa refused" }))]
pub struct RefundBody {
    /// `keep`: money goes back, and the booking stays. `cancel`: the booking ends as well.
    #[schema(value_type = BookingChoiceWord)]
    pub booking: BookingChoice,
    pub amount_minor: u64,
    /// The amount once more, as a person typed it: above `typed_above_minor` of the payment's dossier nothing goes back without.
    pub typed_minor: Option<u64>,
    pub reason: String,
    /// The colleague's request that it grants and closes, `ask_id` of the refund requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask_id: Option<Uuid>,
}

/// `POST /api/v0/workspace/payments/{id}/refunds`.
///
/// # Errors
/// 403 above the role's limit, 404, 409 where there is no booking to cancel, 422 for more than is left, an amount not typed, or a
/// request that is not open or is for another payment.
#[utoipa::path(post, path = "/api/v0/workspace/payments/{id}/refunds", tag = "finance", request_body = RefundBody,
    params(("id" = String, Path)),
    responses((status = 201, body = Success<Dossier>), (status = 403, body = Failure), (status = 404, body = Failure),
    (status = 409, body = Failure), (status = 422, body = Failure)))]
pub async fn request_refund(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<PaymentId>,
    Body(body): Body<RefundBody>,
) -> ApiResult<Response> {
    let refund_id = RefundId(context.command_id.unwrap_or_else(clock::new_id));
    let asked = context.command(staff.actor(), &(id.to_string(), &body));
    let (by, given) = ((&staff, RefundLimit::OfRole), (refund_id, &body));
    let position = give_back(&records.log, &settings, by, id, given, &asked).await?;
    records.answers_for(position);
    let view = dossier::of(&records, &settings, &staff, context.lang, id).await?;
    Ok((StatusCode::CREATED, Success::at(view, position)).into_response())
}

/// Up to where the caller gives money back alone.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RefundLimit {
    OfRole,
    /// In whole units, for acts that are only tried.
    Of(u64),
}

/// Asks for a refund of the payment in `log`.
///
/// # Errors
/// As [`request_refund`].
pub(crate) async fn give_back(
    log: &EventLog,
    settings: &Settings,
    (staff, limit): (&Staff, RefundLimit),
    id: PaymentId,
    (refund_id, body): (RefundId, &RefundBody),
    asked: &Context,
) -> ApiResult<Position> {
    let reason = written_reason(&body.reason)?;
    may_choose(log, settings, id, refund_id, body).await?;
    let limit_minor = match limit {
        RefundLimit::OfRole => refund_limit(log, settings, staff, id).await?,
        RefundLimit::Of(units) => in_minor_units(log, id, Some(units)).await?,
    };
    let granting = Granting {
        payment_id: id,
        refund_id,
        amount_minor: body.amount_minor,
        booking: body.booking,
        reason,
        by: staff.person.user_id,
        ask_id: body.ask_id,
        limit_minor,
    };
    let granting = &granting;
    let add = |append| async move { granting.add_to(log, append).await };
    let appended = commit_together::<ApiError, _>(log, asked, add).await?;
    match appended.last {
        0 => Ok(log.head().await?),
        last => Ok(last),
    }
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "reason": "The guest has left" }))]
pub struct CancelBookingBody {
    pub reason: String,
    /// The colleague's request for cancellation that it grants and closes, `ask_id` of the refund requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask_id: Option<Uuid>,
}

/// `POST /api/v0/workspace/payments/{id}/cancel_booking`: ends a booking that was kept while all of its money went back.
///
/// # Errors
/// 404, 409 where there is no booking or money is left to give back, 422 without a reason, and for a request that is not open, is not for
/// a cancellation or is for another payment.
#[utoipa::path(post, path = "/api/v0/workspace/payments/{id}/cancel_booking", tag = "finance",
    request_body = CancelBookingBody, params(("id" = String, Path)),
    responses((status = 200, body = Success<Dossier>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn cancel_booking(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<PaymentId>,
    Body(body): Body<CancelBookingBody>,
) -> ApiResult<Success<Dossier>> {
    let asked = context.command(staff.actor(), &body);
    let act_id = context.command_id.unwrap_or_else(clock::new_id);
    let ask = body.ask_id.map(|ask_id| AskAnswer { ask_id, act_id });
    let position = end_booking(&records.log, &staff, id, (&body.reason, ask), &asked).await?;
    records.answers_for(position);
    let view = dossier::of(&records, &settings, &staff, context.lang, id).await?;
    Ok(Success::at(view, position))
}

/// Ends the booking of the payment in `log`.
///
/// # Errors
/// As [`cancel_booking`].
pub(crate) async fn end_booking(
    log: &EventLog,
    staff: &Staff,
    id: PaymentId,
    (reason, ask): (&str, Option<AskAnswer>),
    asked: &Context,
) -> ApiResult<Position> {
    let cancelling = Cancelling {
        payment_id: id,
        reason: written_reason(reason)?,
        by: staff.person.user_id,
        ask,
    };
    let cancelling = &cancelling;
    let add = |append| async move { cancelling.add_to(log, append).await };
    let appended = commit_together::<ApiError, _>(log, asked, add).await?;
    match appended.last {
        0 => Ok(log.head().await?),
        last => Ok(last),
    }
}

/// A reason that says something, and no more than a sentence or two.
pub(super) fn written_reason(text: &str) -> ApiResult<&str> {
    let reason = text.trim();
    if is_blank(reason) || reason.chars().count() > REASON_MAX {
        return Err(ApiError::invalid_field(
            "reason",
            "required",
            say("refusal.refund_reason").with("max", REASON_MAX),
        ));
    }
    Ok(reason)
}

/// A reason that may be left out.
pub(super) fn optional_reason(text: Option<&str>) -> ApiResult<Option<&str>> {
    text.filter(|text| !is_blank(text))
        .map(written_reason)
        .transpose()
}

/// A large amount is typed, and only a booking that there is can be cancelled. A refund asked for before is answered as then.
pub(super) async fn may_choose(
    log: &EventLog,
    settings: &Settings,
    id: PaymentId,
    refund_id: RefundId,
    body: &RefundBody,
) -> ApiResult<()> {
    let payment = log.load::<Payment>(id).await?.state;
    let (Some(terms), None) = (&payment.terms, payment.refunds.get(&refund_id)) else {
        return Ok(());
    };
    let currency = terms.quote.currency;
    if body.amount_minor > typed_above(settings, currency) && body.typed_minor != Some(body.amount_minor) {
        let amount = Money::new(body.amount_minor, currency);
        return Err(ApiError::invalid_field(
            "typed_minor",
            "amount_not_typed",
            say("refusal.amount_not_typed").with_amount("amount", amount),
        ));
    }
    let stock = log.load::<RoomStock>(terms.room_id).await?.state;
    match consequences(body.booking, RoomOf::payment(&stock, id)) {
        Some(_) => Ok(()),
        None => Err(ApiError::conflict(
            "no_booking",
            say("refusal.no_booking_to_cancel"),
        )),
    }
}

/// Above this a refund's amount is typed.
pub(super) fn typed_above(settings: &Settings, currency: Currency) -> u64 {
    currency.minor_of_dollars(settings.refund_is_typed_above())
}

/// The amount that the caller can still send back of a payment without a second person; `None` without a limit.
pub(super) fn left_alone(
    settings: &Settings,
    staff: &Staff,
    payment: &Payment,
    currency: Currency,
) -> Option<u64> {
    let dollars = limit_of_role(settings, staff.roles.contains(&Role::Admin))?;
    let limit = currency.minor_of_dollars(dollars);
    Some(limit.saturating_sub(sum_by_staff(payment)))
}

/// The limit of the caller's role in the payment's own currency; `None` without one.
pub(super) async fn refund_limit(
    log: &EventLog,
    settings: &Settings,
    staff: &Staff,
    id: PaymentId,
) -> ApiResult<Option<u64>> {
    let dollars = limit_of_role(settings, staff.roles.contains(&Role::Admin));
    in_minor_units(log, id, dollars).await
}

/// What a limit in dollars means in the payment's own currency.
async fn in_minor_units(log: &EventLog, id: PaymentId, dollars: Option<u64>) -> ApiResult<Option<u64>> {
    let payment = log.load::<Payment>(id).await?.state;
    let terms = payment
        .terms
        .ok_or_else(|| ApiError::not_found(say("refusal.no_payment")))?;
    let currency = terms.quote.currency;
    Ok(dollars.map(|dollars| currency.minor_of_dollars(dollars)))
}

/// What one member of staff may send back of a payment alone, in dollars, euros or pounds, or what a dollar is worth elsewhere; `None`
/// without a limit.
pub(crate) fn limit_of_role(settings: &Settings, is_admin: bool) -> Option<u64> {
    match (is_admin, settings.refund_limit_of_admins()) {
        (false, _) => Some(settings.refund_limit_now()),
        (true, 0) => None,
        (true, limit) => Some(limit),
    }
}
