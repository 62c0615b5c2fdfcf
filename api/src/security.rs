//! What every answer and every write must satisfy: same origin for writes, headers that deny first.

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::error::ApiError;
use crate::said::say;

/// Refuses writes that another site's page made the browser send (T11). Programs without an Origin pass; they carry no
/// cookies of a person.
pub async fn same_origin(State(app): State<App>, request: Request, next: Next) -> Response {
    let writes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if writes && !is_own_origin(&request, &app) {
        crate::request::discard(request).await;
        return ApiError::new(
            axum::http::StatusCode::FORBIDDEN,
            "foreign_origin",
            say("refusal.foreign_origin"),
        )
        .into_response();
    }
    next.run(request).await
}

fn is_own_origin(request: &Request, app: &App) -> bool {
    let headers = request.headers();
    if headers
        .get("sec-fetch-site")
        .is_some_and(|site| site == "cross-site")
    {
        return false;
    }
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let Ok(origin) = origin.to_str() else { return false };
    if origin == app.settings.public_url() {
        return true;
    }
    // Without a configured public URL the server answers under whatever loopback name it was reached by.
    app.settings.public_url.is_none()
        && headers
            .get(header::HOST)
            .and_then(|host| host.to_str().ok())
            .is_some_and(|host| origin == format!("http://{host}"))
}

/// Headers of every answer; a handler that sets its own keeps them.
pub async fn headers(request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut put = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    put(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    put(header::REFERRER_POLICY, "strict-origin-when-cross-origin");
    put(header::X_FRAME_OPTIONS, "DENY");
    put(
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    );
    put(
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=()",
    );
    if is_api {
        put(header::CACHE_CONTROL, "no-store");
        put(
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'",
        );
    }
    response
}
