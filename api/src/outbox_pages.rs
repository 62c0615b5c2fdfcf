//! The developers' outbox (X6): what was sent, newest first, as JSON for programs and as a page for people.

use std::fmt::Write;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{Html, IntoResponse, Response};
use http_kit::common_parameters::with_leading_plus;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::ApiResult;
use http_kit::permissions::Access;
use http_kit::request::Query;
use messages::mail_page::escaped;
use messages::{Outbox, Sent};
use serde::Deserialize;

use crate::app::App;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<App> {
    Endpoints::new().endpoint(Access::Developer, routes!(outbox))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub struct OutboxQuery {
    /// E-mail address or phone number; all when left out.
    to: Option<String>,
}

/// Messages sent, newest first. 404 unless the developers' tools are on (the permission table says so).
///
/// # Errors
/// When the outbox cannot be read.
#[utoipa::path(get, path = "/dev/outbox", params(OutboxQuery), responses((status = 200, body = Success<Vec<Sent>>)))]
pub async fn outbox(
    State(outbox): State<Outbox>,
    headers: HeaderMap,
    Query(query): Query<OutboxQuery>,
) -> ApiResult<Response> {
    // Numbers begin with a plus.
    let to = query.to.as_deref().map(with_leading_plus);
    let messages = outbox.sent(to.as_deref()).await?;
    let wants_page = headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"));
    Ok(if wants_page {
        Html(page(&messages)).into_response()
    } else {
        Success::new(messages).into_response()
    })
}

fn page(messages: &[Sent]) -> String {
    let mut html = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"robots\" content=\"noindex\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>Outbox</title><style>\
         body{font:16px/1.5 system-ui,sans-serif;max-width:68ch;margin:32px auto;padding:0 16px;color:#17181C}\
         article{border-top:1px solid #868A93;padding:16px 0}h2{font-size:18px;margin:0}p{margin:4px 0}\
         iframe{width:100%;height:480px;border:1px solid #868A93;border-radius:8px;margin:8px 0}\
         pre{white-space:pre-wrap;font:inherit;margin:8px 0}.meta{color:#62666F;font-size:14px}</style>\
         <main><h1>Outbox</h1><p class=\"meta\">Messages this server would have sent. Only on your own machine.</p>",
    );
    if messages.is_empty() {
        html.push_str("<p>Nothing was sent yet.</p>");
    }
    for message in messages {
        let written = write!(
            html,
            "<article><h2>{}</h2><p class=\"meta\">{} to {} · {}</p>{}<pre>{}</pre></article>",
            escaped(&message.subject),
            escaped(&message.channel),
            escaped(&message.recipient),
            escaped(&message.sent_at),
            message.html.as_deref().map_or_else(String::new, frame),
            escaped(&message.body),
        );
        if written.is_err() {
            break;
        }
    }
    html.push_str("</main></html>");
    html
}

/// The mail as a mail program shows it: nothing in it runs, and it has no origin.
fn frame(html: &str) -> String {
    format!(
        "<iframe sandbox title=\"The mail with its picture\" srcdoc=\"{}\"></iframe>",
        escaped(html)
    )
}
