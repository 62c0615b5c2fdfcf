//! `GET /docs`: the API reference. A page of its own around one script and one style sheet, which read `/api/openapi.json`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};

use super::{PagePrinter, html};

/// The name of the bundle in the build's list of pages.
const BUNDLE: &str = "reference";

/// The reference as HTML; it says where the document is when the web part was not built or scripts are off.
pub async fn api_reference(State(printer): State<Arc<PagePrinter>>) -> Response {
    let entry = &printer.entry;
    let mut page = String::from(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>API reference</title>\
         <link rel=\"icon\" href=\"/assets/favicon.svg\" type=\"image/svg+xml\">",
    );
    for style in entry.styles(BUNDLE) {
        page.extend(["<link rel=\"stylesheet\" href=\"", &style, "\">"]);
    }
    page.push_str(
        "</head><body><main id=\"reference\"><p>The API is described by \
         <a href=\"/api/openapi.json\">its OpenAPI document</a>.</p></main>",
    );
    if let Some(script) = entry.script(BUNDLE) {
        page.extend(["<script type=\"module\" src=\"", &script, "\"></script>"]);
    }
    page.push_str("</body></html>");
    let headers = [
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(html::POLICY),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (headers, Html(page)).into_response()
}
