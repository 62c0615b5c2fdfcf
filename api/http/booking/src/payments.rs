//! Payments over HTTP (D99): opened for a lead's room, found by a token nobody can guess, followed to their end.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::id::PaymentId;
use domain::lead::Lead;
use domain::payment::{Payment, PaymentCommand, PaymentStatus};
use eventlog::{EventLog, Loaded, commit};
use gateway::PaymentGateway;
use http_kit::caller::Caller;
use http_kit::capability::{Capability, Reader, by_token};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::limits::Limits;
use http_kit::permissions::Access;
use http_kit::request::{Path, Query, RequestContext};
use http_kit::said::say;
use http_kit::security;
use processes::payment_room;
use processes::payment_token::digest;
use projections::payment_page;
use records::Records;
use serde::{Deserialize, Serialize};

pub mod card;
pub mod open;
mod opening;
mod second_home;
pub mod standing;
pub mod step;
pub mod stream;
pub mod turn;
pub mod view;
pub mod waitlist;

use step::Step;
use view::PaymentView;

use crate::Services;

const BY_TOKEN: Access = Access::Capability(Capability::PaymentToken);

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(BY_TOKEN, routes!(read_payment))
        .endpoint(BY_TOKEN, routes!(begin_payment))
        .endpoint(BY_TOKEN, routes!(cancel_payment))
        .merge(open::endpoints())
        .merge(card::endpoints())
        .merge(stream::endpoints())
        .merge(turn::endpoints())
        .merge(waitlist::endpoints())
}

/// Services by which payments are read and changed.
#[derive(Clone)]
pub struct Payments {
    pub records: Records,
    pub limits: Limits,
    pub gateway: Arc<dyn PaymentGateway>,
}

impl Payments {
    /// Whether no real money moves: the test gateway's cards, or Stripe's test keys.
    pub fn moves_no_money(&self) -> bool {
        let key = self.gateway.publishable_key();
        self.gateway.kind() == "sandbox" || key.is_some_and(|key| key.starts_with("pk_test_"))
    }
}

/// How long an answer waits for the gateway (D131).
const PATIENCE: Duration = Duration::from_secs(20);

/// A payment that was found by its token.
pub struct Found {
    pub payment_id: PaymentId,
    pub token: String,
    pub loaded: Loaded<Payment>,
}

/// The payment behind a token; 404 `token not found` for everything else, and 429 for whoever keeps guessing (T14).
///
/// # Errors
/// 404, 429, 403 where the token ended and the owner has to log in, 503 while the read models are behind.
pub async fn find(
    payments: &Payments,
    (context, caller): (&RequestContext, &Caller),
    token: &str,
) -> ApiResult<Found> {
    let unknown = || {
        ApiError::new(
            StatusCode::NOT_FOUND,
            "token_not_found",
            say("refusal.token_not_found"),
        )
    };
    let Some(payment_id) = known(payments, context.ip, token).await? else {
        return Err(unknown());
    };
    let loaded = payments.records.log.load::<Payment>(payment_id).await?;
    admit(&payments.records.log, caller, &loaded.state).await?;
    Ok(Found {
        payment_id,
        token: token.to_owned(),
        loaded,
    })
}

/// Admits a payment's token, as long as it opens anything.
///
/// # Errors
/// 403 where the owner has to log in first.
async fn admit(log: &EventLog, caller: &Caller, payment: &Payment) -> ApiResult<()> {
    let Some(terms) = &payment.terms else {
        return Ok(());
    };
    let lead = log.load::<Lead>(terms.lead_id).await?.state;
    by_token(caller, &lead, terms)
}

fn is_plausible(token: &str) -> bool {
    (16..=64).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The payment that goes by a token. A token that leads nowhere is a guess, and counts as one for every surface that asks: pages,
/// `/_page` and the API (T14).
///
/// # Errors
/// 429 for an address that keeps guessing, 503 while the read models are behind.
pub async fn known(payments: &Payments, ip: IpAddr, token: &str) -> ApiResult<Option<PaymentId>> {
    let digest = digest(token);
    let found = if is_plausible(token) {
        payments
            .records
            .sought(|| payment_page::find_by_digest(payments.records.read.readers(), &digest))
            .await?
    } else {
        None
    };
    if found.is_none() {
        payments.limits.count_guess(ip).await?;
    }
    Ok(found)
}

/// Payment answers are for one reader only (T14); `security` adds what an address with a secret needs.
pub fn private(answer: impl IntoResponse) -> Response {
    let mut response = answer.into_response();
    security::keep_private(response.headers_mut());
    response
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub struct ReadQuery {
    /// The link of the unclaimed lead that is paid for: with it the answer names lead and form.
    lead_uuid: Option<String>,
}

/// `GET /api/v0/payments/{token}`.
///
/// # Errors
/// 404 `token not found`.
#[utoipa::path(get, path = "/api/v0/payments/{token}", tag = "payments",
    params(("token" = String, Path), ReadQuery),
    responses((status = 200, body = Success<PaymentView>), (status = 404, body = Failure)))]
pub async fn read_payment(
    State(payments): State<Payments>,
    context: RequestContext,
    caller: Caller,
    Path(token): Path<String>,
    Query(query): Query<ReadQuery>,
) -> ApiResult<Response> {
    let found = find(&payments, (&context, &caller), &token).await?;
    let reader = Reader {
        caller,
        lead_uuid: query.lead_uuid.as_deref().and_then(|link| link.parse().ok()),
    };
    let view = view::of(
        &payments,
        (context.lang, &reader),
        found.payment_id,
        &token,
        &found.loaded,
    )
    .await?;
    Ok(private(Success::new(view)))
}

/// What a request without a body asked, for the digest that a reused key is refused by.
#[derive(Serialize)]
struct Asked<'t> {
    what: &'static str,
    token: &'t str,
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
pub struct BeginQuery {
    /// The student wants this home beside another one for the same time: it is not asked again.
    #[serde(default)]
    second_home: bool,
}

/// `POST /api/v0/payments/{token}/intent`: begins, or begins again after a failure, and waits until the gateway or the room
/// has answered. Asked twice, by a double click or two tabs, it begins once; under one Idempotency-Key both are told the same.
///
/// # Errors
/// 404, 409 where nothing can begin and, `booked_already`, where the student books or pays for another home for the same time, 429 where a network address without a login holds too much (T19).
#[utoipa::path(post, path = "/api/v0/payments/{token}/intent", tag = "payments",
    params(("token" = String, Path), BeginQuery),
    responses((status = 200, body = Success<PaymentView>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn begin_payment(
    State(payments): State<Payments>,
    context: RequestContext,
    caller: Caller,
    Path(token): Path<String>,
    Query(begin): Query<BeginQuery>,
) -> ApiResult<Response> {
    let found = find(&payments, (&context, &caller), &token).await?;
    let asked = Asked {
        what: "intent",
        token: &token,
    };
    let step = Step::new(&payments, &context, &found, &caller, &asked);
    if let Some(before) = step.answered().await? {
        return Ok(before);
    }
    if other_room_booked(&payments.records.log, &found).await? {
        return Err(opening::other_room_booked());
    }
    let proved_by = caller.person.as_ref().map(|person| person.user_id);
    if proved_by.is_none() && found.loaded.state.status == PaymentStatus::Init {
        payments.limits.count_hold(context.ip).await?;
    }
    if booking_ended(&payments.records.log, &found).await? {
        return Err(ApiError::conflict("booking_ended", say("refusal.booking_ended")));
    }
    let capacity = payment_room::capacity(&payments.records.log, &found.loaded.state).await?;
    let at = step.context.at;
    let lead_id = found.loaded.state.terms.as_ref().map(|terms| terms.lead_id);
    let device = lead_id.map(|lead_id| context.device(payments.records.log.handles(), lead_id));
    let command = match found.loaded.state.status {
        PaymentStatus::InitFailure | PaymentStatus::Failed => PaymentCommand::Retry {
            at,
            capacity,
            proved_by,
        },
        _ => PaymentCommand::Begin {
            at,
            capacity,
            proved_by,
            device,
        },
    };
    let asked = proved_by.filter(|_| !begin.second_home);
    let start = (found.payment_id, command);
    second_home::begin(&payments.records, start, asked, &step.context).await?;
    wait_while(&payments.records.log, found.payment_id, |payment| {
        payment.status == PaymentStatus::InitLoading
    })
    .await?;
    step.answer().await
}

/// Whether another room was booked on this payment's enquiry.
///
/// # Errors
/// When the log cannot be read.
pub async fn other_room_booked(log: &EventLog, found: &Found) -> ApiResult<bool> {
    let Some(terms) = &found.loaded.state.terms else {
        return Ok(false);
    };
    let lead = log.load::<Lead>(terms.lead_id).await?.state;
    Ok(lead.booked_other_room(found.payment_id, terms.room_id))
}

/// Whether the booking that a link of staff pays for is no more; never for other payments.
///
/// # Errors
/// When the log cannot be read.
async fn booking_ended(log: &EventLog, found: &Found) -> ApiResult<bool> {
    let Some(terms) = found
        .loaded
        .state
        .terms
        .as_ref()
        .filter(|terms| terms.link.is_some())
    else {
        return Ok(false);
    };
    let lead = log.load::<Lead>(terms.lead_id).await?.state;
    Ok(lead.booked_by.is_none())
}

/// `POST /api/v0/payments/{token}/cancel`.
///
/// # Errors
/// 404, 409 where money is under way or was taken.
#[utoipa::path(post, path = "/api/v0/payments/{token}/cancel", tag = "payments",
    params(("token" = String, Path)),
    responses((status = 200, body = Success<PaymentView>), (status = 404, body = Failure), (status = 409, body = Failure)))]
pub async fn cancel_payment(
    State(payments): State<Payments>,
    context: RequestContext,
    caller: Caller,
    Path(token): Path<String>,
) -> ApiResult<Response> {
    let found = find(&payments, (&context, &caller), &token).await?;
    let asked = Asked {
        what: "cancel",
        token: &token,
    };
    let step = Step::new(&payments, &context, &found, &caller, &asked);
    if let Some(before) = step.answered().await? {
        return Ok(before);
    }
    let command = PaymentCommand::Cancel { at: step.context.at };
    commit::<Payment>(&payments.records.log, found.payment_id, command, &step.context).await?;
    step.answer().await
}

/// Waits on the log, bounded, while the payment is in a state that something else will end.
pub async fn wait_while(
    log: &EventLog,
    payment_id: PaymentId,
    waiting: impl Fn(&Payment) -> bool,
) -> ApiResult<()> {
    let mut head = log.watch();
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        head.mark_unchanged();
        let loaded = log.load::<Payment>(payment_id).await?;
        if !waiting(&loaded.state) {
            return Ok(());
        }
        match tokio::time::timeout_at(deadline, head.changed()).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) | Err(_) => return Ok(()),
        }
    }
}
