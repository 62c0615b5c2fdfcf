//! A payment's page, told of every change (SSE `payment`).

use std::convert::Infallible;

use axum::extract::State;
use axum::response::Response;
use axum::response::sse::{Event, KeepAlive, Sse};
use domain::language::Language;
use domain::payment::Payment;
use futures::StreamExt as _;
use http_kit::caller::Caller;
use http_kit::capability::{Capability, Reader};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::error::{ApiResult, Failure};
use http_kit::permissions::Access;
use http_kit::request::{Path, RequestContext};
use http_kit::stopping::Stopping;
use http_kit::streams::{BEAT, Places, Streams};

use super::{Found, admit, find, private, view};
use crate::Services;
use crate::payments::Payments;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(
        Access::Capability(Capability::PaymentToken),
        routes!(stream_payment),
    )
}

/// `GET /api/v0/payments/{token}/stream`: the payment now, and again after each change.
///
/// # Errors
/// 404 `token not found`, 429 where the payment or the network has as many streams as it may have.
#[utoipa::path(get, path = "/api/v0/payments/{token}/stream", tag = "payments", params(("token" = String, Path)),
    responses((status = 200, content_type = "text/event-stream", body = String, description = "Events as they happen"), (status = 404, body = Failure), (status = 429, body = Failure)))]
pub async fn stream_payment(
    State(payments): State<Payments>,
    State(streams): State<Streams>,
    State(stopping): State<Stopping>,
    context: RequestContext,
    caller: Caller,
    Path(token): Path<String>,
) -> ApiResult<Response> {
    let found = find(&payments, (&context, &caller), &token).await?;
    let places = streams.admit_payer(context.ip, found.payment_id)?;
    let stopping = stopping.comes();
    let reader = Reader {
        caller,
        lead_uuid: None,
    };
    let events =
        changes(payments, streams, (context.lang, reader), found, places).take_until(Box::pin(stopping));
    Ok(private(
        Sse::new(events).keep_alive(KeepAlive::new().interval(BEAT)),
    ))
}

fn changes(
    payments: Payments,
    streams: Streams,
    (lang, reader): (Language, Reader),
    found: Found,
    places: Places,
) -> impl futures::Stream<Item = Result<Event, Infallible>> {
    async_stream::stream! {
        let _places = places;
        // Before the first look, so that nothing falls between.
        let mut listening = streams.of_payment(found.payment_id);
        let mut told = None;
        loop {
            let Ok(loaded) = payments.records.log.load::<Payment>(found.payment_id).await else {
                return;
            };
            // The token opens the payment until its lead is taken from the account that had it.
            if admit(&payments.records.log, &reader.caller, &loaded.state).await.is_err() {
                return;
            }
            if told != Some(loaded.revision) {
                told = Some(loaded.revision);
                let view = view::of(&payments, (lang, &reader), found.payment_id, &found.token, &loaded).await;
                if let Ok(event) = view.map(|view| Event::default().event("payment").json_data(view)) {
                    yield Ok(event.unwrap_or_default());
                }
            }
            listening.news().await;
        }
    }
}
