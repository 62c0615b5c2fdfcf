//! The sandbox's card form: stands where a provider's own form would stand, so a card number never reaches the log.

use axum::extract::State;
use axum::response::Response;
use domain::gateway_event::GatewayFact;
use domain::payment::{Payment, PaymentCommand, PaymentRejection, PaymentStatus, SoldOutReason};
use eventlog::{Actor, CommitError, Context, EventLog, commit};
use gateway::{GatewayError, GatewayIntent, IntentStatus, PaymentGateway as _};
use gateway_sandbox::charging::Challenge;
use gateway_sandbox::{Sandbox, cards};
use http_kit::body::Body;
use http_kit::caller::Caller;
use http_kit::capability::Capability;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::Access;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use platform::clock;
use processes::reactor::{ReactorError, follow_up, timers};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::step::Step;
use super::view::PaymentView;
use super::{Found, find, other_room_booked};
use crate::Services;
use crate::payments::Payments;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(
        Access::Capability(Capability::PaymentToken),
        routes!(confirm_in_sandbox),
    )
}

/// Longer than any card number with blanks.
const NUMBER_MAX: usize = 40;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "card_number": "4242 4242 4242 4242" }))]
pub struct CardBody {
    /// One of the test cards of X7.
    #[serde(default)]
    pub card_number: Option<String>,
    /// The payer's answer to 3-D Secure, where the card asks for it.
    #[serde(default)]
    pub challenge: Option<Challenge>,
}

/// What a press asked, for the digest that a reused key is refused by. Of a card that is no test card nothing may be kept.
#[derive(Serialize)]
struct Pressed<'t> {
    token: &'t str,
    card: Option<&'static str>,
    challenge: Option<Challenge>,
}

/// `POST /api/v0/payments/{token}/sandbox_confirm`: one press of Pay. A second press, another tab or a repeated request finds
/// the payment under way and changes nothing (E8); under one Idempotency-Key it is told what the first was told.
///
/// # Errors
/// 404 without a sandbox, 409 where nothing can be paid, 422 without a card.
#[utoipa::path(post, path = "/api/v0/payments/{token}/sandbox_confirm", tag = "payments", request_body = CardBody,
    params(("token" = String, Path)),
    responses((status = 200, body = Success<PaymentView>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn confirm_in_sandbox(
    State(payments): State<Payments>,
    State(sandbox): State<Option<Sandbox>>,
    context: RequestContext,
    caller: Caller,
    Path(token): Path<String>,
    Body(body): Body<CardBody>,
) -> ApiResult<Response> {
    let Some(sandbox) = sandbox else {
        return Err(ApiError::not_found(say("refusal.no_page")));
    };
    let found = find(&payments, (&context, &caller), &token).await?;
    let pressed = Pressed {
        token: &token,
        card: body.card_number.as_deref().and_then(cards::listed),
        challenge: body.challenge,
    };
    let step = Step::new(&payments, &context, &found, &caller, &pressed);
    if let Some(before) = step.answered().await? {
        return Ok(before);
    }
    match found.loaded.state.status {
        PaymentStatus::Processing => match body.challenge {
            Some(challenge) => {
                answer_challenge(&payments.records.log, &sandbox, &context, &found, challenge).await?;
            }
            None => press_again(&payments.records.log, &sandbox, &context, &found, &body).await?,
        },
        PaymentStatus::Pending | PaymentStatus::Success => {}
        PaymentStatus::Init
        | PaymentStatus::InitLoading
        | PaymentStatus::InitFailure
        | PaymentStatus::Initiated
        | PaymentStatus::SoldOut
        | PaymentStatus::Failed => {
            pay(
                &payments.records.log,
                &sandbox,
                (&context, caller.actor()),
                &found,
                body,
            )
            .await?;
        }
    }
    step.answer().await
}

fn card_number(body: &CardBody) -> ApiResult<String> {
    match body.card_number.as_deref().map(str::trim) {
        None | Some("") => Err(ApiError::invalid_field(
            "card_number",
            "required",
            say("refusal.card_number_needed"),
        )),
        Some(number) if number.len() > NUMBER_MAX => Err(ApiError::invalid_field(
            "card_number",
            "too_long",
            say("refusal.card_number_wrong"),
        )),
        Some(number) => Ok(number.to_owned()),
    }
}

async fn pay(
    log: &EventLog,
    sandbox: &Sandbox,
    (context, payer): (&RequestContext, Actor),
    found: &Found,
    body: CardBody,
) -> ApiResult<()> {
    let number = card_number(&body)?;
    if other_room_booked(log, found).await? {
        return end(log, context, found, payer).await;
    }
    let attempts = attempts(sandbox, &found.loaded.state).await?;
    // No command id from the key: it names the answer, and the step itself happens once.
    let command_context = Context::new(clock::now(), payer).correlated(context.request_id);
    let confirm = PaymentCommand::Confirm {
        at: command_context.at,
    };
    let committed = match commit::<Payment>(log, found.payment_id, confirm, &command_context).await {
        Ok(committed) => committed,
        // Pressed twice: the other press pays.
        Err(CommitError::Rejected(PaymentRejection::NotAllowed {
            status: PaymentStatus::Processing | PaymentStatus::Pending | PaymentStatus::Success,
            ..
        })) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let Some(intent) = committed.state.intent.clone() else {
        return Err(ApiError::broken("a confirmed payment without an intent"));
    };
    let back = format!("/payments/complete?token={}", found.token);
    let mut told = sandbox
        .confirm(&intent.id, &number, &back, attempts)
        .await
        .map_err(|error| unanswered(&error))?;
    if let (Some(challenge), Some(_)) = (body.challenge, &told.action_url) {
        (told, _) = sandbox
            .answer_challenge(&intent.id, challenge)
            .await
            .map_err(|error| unanswered(&error))?;
    }
    let pressed = committed.event_ids.last().copied().or(found.loaded.last_event);
    take_in(log, context, found, (&committed.state, pressed), &told).await
}

/// Another room was booked on the same enquiry: the payment ends before money moves.
async fn end(log: &EventLog, context: &RequestContext, found: &Found, payer: Actor) -> ApiResult<()> {
    let end = PaymentCommand::SellOut {
        hold_id: None,
        reason: SoldOutReason::OtherRoomBooked,
    };
    let context = Context::new(clock::now(), payer).correlated(context.request_id);
    commit::<Payment>(log, found.payment_id, end, &context).await?;
    Ok(())
}

/// Attempts on this payment's intent before a press.
async fn attempts(sandbox: &Sandbox, payment: &Payment) -> ApiResult<u32> {
    match &payment.intent {
        Some(intent) => sandbox
            .attempts(&intent.id)
            .await
            .map_err(|error| unanswered(&error)),
        None => Ok(0),
    }
}

/// Pay pressed again while the first press is under way. Where the first never reached the gateway (the server was killed in
/// between), this one does; else it changes nothing and tells how things stand.
async fn press_again(
    log: &EventLog,
    sandbox: &Sandbox,
    context: &RequestContext,
    found: &Found,
    body: &CardBody,
) -> ApiResult<()> {
    let payment = &found.loaded.state;
    let (Ok(number), Some(intent)) = (card_number(body), &payment.intent) else {
        return Ok(());
    };
    let attempts = attempts(sandbox, payment).await?;
    let mut told = sandbox
        .intent(&intent.id)
        .await
        .map_err(|error| unanswered(&error))?;
    if told.status == IntentStatus::RequiresPaymentMethod && timers::facts(payment, &told).is_empty() {
        let back = format!("/payments/complete?token={}", found.token);
        let charged = sandbox.confirm(&intent.id, &number, &back, attempts).await;
        told = charged.map_err(|error| unanswered(&error))?;
    }
    take_in(log, context, found, (payment, found.loaded.last_event), &told).await
}

async fn answer_challenge(
    log: &EventLog,
    sandbox: &Sandbox,
    context: &RequestContext,
    found: &Found,
    challenge: Challenge,
) -> ApiResult<()> {
    let payment = &found.loaded.state;
    let Some(intent) = payment.intent.as_ref() else {
        return Ok(());
    };
    let (told, _) = sandbox
        .answer_challenge(&intent.id, challenge)
        .await
        .map_err(|error| unanswered(&error))?;
    take_in(log, context, found, (payment, found.loaded.last_event), &told).await
}

/// What the gateway answers is the same fact as what its notice will say; whichever is first counts (P1). It follows from
/// the payment's last event: the press that was answered.
async fn take_in(
    log: &EventLog,
    context: &RequestContext,
    found: &Found,
    (payment, pressed): (&Payment, Option<Uuid>),
    told: &GatewayIntent,
) -> ApiResult<()> {
    let heard = Context::new(clock::now(), Actor::GATEWAY)
        .correlated(context.request_id)
        .because(pressed);
    let facts: Vec<GatewayFact> = timers::facts(payment, told);
    for fact in facts {
        follow_up::hear(log, found.payment_id, payment, &fact, &heard)
            .await
            .map_err(|error| match error {
                ReactorError::Busy => ApiError::busy(),
                ReactorError::Log(error) => error.into(),
                ReactorError::Agenda(error) => error.into(),
                other @ (ReactorError::OffDuty(_) | ReactorError::Json(_)) => ApiError::broken(other),
            })?;
    }
    Ok(())
}

/// Nobody knows yet: the payment stays `processing` until the gateway is heard.
fn unanswered(error: &GatewayError) -> ApiError {
    match error {
        GatewayError::Unreachable => ApiError::busy(),
        GatewayError::Refused(_) | GatewayError::KeyReused => {
            ApiError::conflict("payment_not_possible", say("refusal.payment_not_possible"))
        }
    }
}
