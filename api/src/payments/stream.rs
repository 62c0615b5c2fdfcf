//! A payment's page, told of every change (SSE `payment`).

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use axum::response::sse::{Event, KeepAlive, Sse};
use domain::language::Language;
use domain::payment::Payment;
use eventlog::StreamId;
use futures::StreamExt as _;

use super::{Found, find, private, view};
use crate::app::App;
use crate::error::{ApiResult, Failure};
use crate::request::{Path, RequestContext};

/// A silent line keeps proxies from closing the stream.
const BEAT: Duration = Duration::from_secs(15);

/// `GET /api/v0/payments/{token}/stream`: the payment now, and again after each change.
///
/// # Errors
/// 404 `token not found`.
#[utoipa::path(get, path = "/api/v0/payments/{token}/stream", tag = "payments", params(("token" = String, Path)),
    responses((status = 200, content_type = "text/event-stream", body = String), (status = 404, body = Failure)))]
pub async fn stream_payment(
    State(app): State<App>,
    context: RequestContext,
    Path(token): Path<String>,
) -> ApiResult<Response> {
    let found = find(&app, &context, &token).await?;
    let stopping = app.stopping();
    let events = changes(app, context.lang, found).take_until(Box::pin(stopping));
    Ok(private(
        Sse::new(events).keep_alive(KeepAlive::new().interval(BEAT)),
    ))
}

fn changes(app: App, lang: Language, found: Found) -> impl futures::Stream<Item = Result<Event, Infallible>> {
    async_stream::stream! {
        let mut head = app.log.watch();
        let mut told = None;
        loop {
            head.mark_unchanged();
            if !is_news(&app, &found, told).await {
                if head.changed().await.is_err() {
                    return;
                }
                continue;
            }
            let Ok(loaded) = app.log.load::<Payment>(found.payment_id).await else {
                return;
            };
            if told != Some(loaded.revision) {
                told = Some(loaded.revision);
                let view = view::of(&app, lang, found.payment_id, &found.token, &loaded).await;
                if let Ok(event) = view.map(|view| Event::default().event("payment").json_data(view)) {
                    yield Ok(event.unwrap_or_default());
                }
            }
            if head.changed().await.is_err() {
                return;
            }
        }
    }
}

/// Most of what the log grows by is about other payments.
async fn is_news(app: &App, found: &Found, told: Option<u64>) -> bool {
    let stream = StreamId::of::<Payment>(found.payment_id);
    match told {
        None => true,
        Some(revision) => app
            .log
            .read_stream(&stream, revision, 1)
            .await
            .is_ok_and(|events| !events.is_empty()),
    }
}
