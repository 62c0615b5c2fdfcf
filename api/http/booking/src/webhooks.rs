//! Notices of the payment gateway: the signature checked, the text stored as it came, answered at once; what follows is done
//! from the log (P3).

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderMap;
use domain::gateway_event::{GatewayEvent, GatewayEventCommand, GatewayFact, SetAsideReason};
use domain::payment::Payment;
use eventlog::{Actor, CommitError, Context, EventLog, commit};
use gateway::notice::Told;
use gateway::object::Owner;
use gateway::{GatewayError, PaymentGateway, Receiver, notice, signature};
use http_kit::body::unread;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::Access;
use http_kit::said::say;
use platform::clock;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(Access::Open, routes!(receive_notice))
}

/// The gateway's header.
const SIGNATURE: &str = "stripe-signature";

#[derive(Debug, Serialize, ToSchema)]
pub struct Received {
    pub received: bool,
}

/// `POST /api/webhooks/stripe`.
///
/// # Errors
/// 400 for whatever is not signed by the gateway within the last five minutes, is of the other mode or of another account (T17).
#[utoipa::path(post, path = "/api/webhooks/stripe", tag = "payments", request_body = String,
    responses((status = 200, body = Success<Received>), (status = 400, body = Failure)))]
pub async fn receive_notice(
    State(log): State<EventLog>,
    State(gateway): State<Arc<dyn PaymentGateway>>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> ApiResult<Success<Received>> {
    let body = body.map_err(|rejection| unread(&rejection))?;
    let mut signatures = headers.get_all(SIGNATURE).iter();
    let (Some(header), None) = (signatures.next(), signatures.next()) else {
        return Err(not_signed());
    };
    let header = header.to_str().map_err(|_| not_signed())?;
    take_in(&log, &*gateway, header, &body).await?;
    Ok(Success::new(Received { received: true }))
}

/// Checks and stores one notice. Where it names no payment of ours, as disputes do, the gateway is asked whose intent it is about.
///
/// # Errors
/// 400 when it is not the gateway's, 503 when the log is busy or the gateway does not answer: it then sends the notice again.
pub async fn take_in(
    log: &EventLog,
    gateway: &dyn PaymentGateway,
    header: &str,
    body: &[u8],
) -> ApiResult<()> {
    let now = clock::now();
    let secrets = gateway.webhook_secrets();
    let is_signed = |now| signature::verify(&secrets, now, header, body);
    // The start may have met a wrong clock that was put right since: then the gateway's time is the wall's.
    is_signed(now)
        .or_else(|_| is_signed(clock::wall()))
        .map_err(|_| not_signed())?;
    let text = std::str::from_utf8(body).map_err(|_| unreadable())?;
    let told = notice::read(text).map_err(|_| unreadable())?;
    let told = told.counted(|currency, amount| gateway.minor_of_told(currency, amount));
    if !told.concerns(gateway.is_live()) {
        tracing::error!(
            gateway.event = ?told.notice.gateway_event_id,
            "a notice is of the other mode or of another account, and is not taken in: look at `stripe_webhook_secret`"
        );
        return Err(elsewhere());
    }
    let owner = match told.lacks_owner() {
        Some(intent_id) => owner(gateway, intent_id).await?,
        None => None,
    };
    let mut told = told.owned(owner);
    if let Some(reason) = why_set_aside(log, &told).await? {
        warn_of(&told, reason);
        told = told.set_aside(reason);
    }
    let notice = told.notice;
    let key = notice::stream_of(&notice.gateway_event_id);
    let context = Context::new(now, Actor::GATEWAY);
    match commit::<GatewayEvent>(log, key, GatewayEventCommand::Receive(Box::new(notice)), &context).await {
        Ok(_) => Ok(()),
        Err(CommitError::Busy | CommitError::Conflict { .. }) => Err(ApiError::busy()),
        Err(CommitError::Log(error)) => Err(error.into()),
        Err(error @ (CommitError::Rejected(_) | CommitError::CommandReused)) => Err(ApiError::broken(error)),
    }
}

/// Why a notice waits for finance (P13): it names no payment of ours, or its money does not fit the payment in its currency (T15): what
/// came in to the penny, what went back or is disputed within what came in. An intent that was changed at the provider, or captured in
/// part, is for staff to decide on. What says nothing about a payment, e.g. a new customer, is not set aside.
async fn why_set_aside(log: &EventLog, told: &Told) -> ApiResult<Option<SetAsideReason>> {
    let fact = &told.notice.fact;
    if *fact == GatewayFact::Noted {
        return Ok(None);
    }
    let Some(payment_id) = told.notice.payment_id else {
        return Ok(Some(SetAsideReason::NoPayment));
    };
    let payment = log.load::<Payment>(payment_id).await?.state;
    Ok(fact.misfit(&payment, told.currency.as_deref()))
}

/// Money of ours that does not fit is an operator's business; money of others on the same account is usual.
fn warn_of(told: &Told, reason: SetAsideReason) {
    let event = &told.notice.gateway_event_id;
    match reason {
        SetAsideReason::NoPayment | SetAsideReason::UnknownPayment => {
            tracing::warn!(gateway.event = ?event, reason = reason.key(), "a notice names no payment of ours; it is kept");
        }
        SetAsideReason::CurrencyDiffers | SetAsideReason::AmountDiffers | SetAsideReason::BeyondPayment => {
            tracing::error!(
                gateway.event = ?event,
                reason = reason.key(),
                "a notice tells of money that does not fit its payment; it is kept for finance, and nothing is booked"
            );
        }
    }
}

async fn owner(gateway: &dyn PaymentGateway, intent_id: &str) -> ApiResult<Option<Owner>> {
    match gateway.owner(intent_id).await {
        Ok(owner) => Ok(owner),
        // An intent that the gateway does not know is not ours.
        Err(GatewayError::Refused(_) | GatewayError::KeyReused) => Ok(None),
        Err(GatewayError::Unreachable) => Err(ApiError::busy()),
    }
}

/// How notices are delivered inside one process: through the same check and the same door as over HTTP.
pub fn receiver(log: EventLog, gateway: Arc<dyn PaymentGateway>) -> Receiver {
    Box::new(move |header, body| {
        let (log, gateway) = (log.clone(), gateway.clone());
        Box::pin(async move {
            let taken = take_in(&log, &*gateway, &header, body.as_bytes()).await;
            taken.is_ok()
        })
    })
}

fn not_signed() -> ApiError {
    ApiError::new(
        axum::http::StatusCode::BAD_REQUEST,
        "signature_refused",
        say("refusal.signature_refused"),
    )
}

fn elsewhere() -> ApiError {
    ApiError::new(
        axum::http::StatusCode::BAD_REQUEST,
        "notice_elsewhere",
        say("refusal.notice_elsewhere"),
    )
}

fn unreadable() -> ApiError {
    ApiError::malformed(say("refusal.not_an_event"))
}
