//! A form's page, told of what other devices save (SSE `form`).

use std::convert::Infallible;

use axum::extract::State;
use axum::response::Response;
use axum::response::sse::{Event, KeepAlive, Sse};
use domain::id::BookingFormId;
use futures::StreamExt as _;
use http_kit::caller::{self, Caller, Sessions};
use http_kit::capability::Capability;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::error::{ApiResult, Failure};
use http_kit::permissions::Access;
use http_kit::request::{Path, RequestContext};
use http_kit::stopping::Stopping;
use http_kit::streams::{BEAT, Places, Streams};
use records::Records;

use super::answer::answer;
use super::open;
use crate::Services;
use crate::payments::private;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(Access::Capability(Capability::FormUuid), routes!(stream_form))
}

/// `GET /api/v0/booking_forms/{form_uuid}/stream`: the form now, and again after each change, for as long as it opens to the reader.
///
/// # Errors
/// 404 and 403 as the form itself, 429 where the form or the network has as many streams as it may have.
#[utoipa::path(get, path = "/api/v0/booking_forms/{form_uuid}/stream", params(("form_uuid" = String, Path)),
    responses((status = 200, content_type = "text/event-stream", body = String, description = "Events as they happen"), (status = 403, body = Failure), (status = 404, body = Failure), (status = 429, body = Failure)))]
pub async fn stream_form(
    State(records): State<Records>,
    State(sessions): State<Sessions>,
    State(streams): State<Streams>,
    State(stopping): State<Stopping>,
    context: RequestContext,
    caller: Caller,
    Path(form_uuid): Path<String>,
) -> ApiResult<Response> {
    let (form_id, _) = open(&records, &caller, &form_uuid).await?;
    let places = streams.admit_form(context.ip, form_id)?;
    let stopping = stopping.comes();
    let reader = (caller, form_uuid);
    let events =
        changes((records, sessions), streams, reader, form_id, places).take_until(Box::pin(stopping));
    Ok(private(
        Sse::new(events).keep_alive(KeepAlive::new().interval(BEAT)),
    ))
}

fn changes(
    (records, sessions): (Records, Sessions),
    streams: Streams,
    (caller, form_uuid): (Caller, String),
    form_id: BookingFormId,
    places: Places,
) -> impl futures::Stream<Item = Result<Event, Infallible>> {
    async_stream::stream! {
        let _places = places;
        // Before the first look, so that nothing falls between.
        let mut listening = streams.of_form(form_id);
        let mut told = None;
        loop {
            // A login that has ended is told no more.
            if let Some(person) = &caller.person
                && caller::still(&sessions, person).await.ok().flatten().is_none()
            {
                return;
            }
            // The address opens the form until its lead has an owner.
            let Ok((form_id, lead)) = open(&records, &caller, &form_uuid).await else {
                return;
            };
            let Ok(form) = answer(&records, form_id, &lead, None).await else {
                return;
            };
            if told != form.version {
                told = form.version;
                if let Ok(event) = Event::default().event("form").json_data(form.data) {
                    yield Ok(event);
                }
            }
            listening.news().await;
        }
    }
}
