//! What every answer and every write must satisfy: same origin for writes, headers that deny first.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::{Authority, PathAndQuery};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use percent_encoding::percent_decode_str;
use platform::config::Settings;
use platform::host_name::is_loopback;
use platform::sites::Site;

use crate::error::ApiError;
use crate::request_site::{asked_host, site_of};
use crate::said::say;

/// Refuses writes that another site's page made the browser send (T11). Programs without an Origin pass; they carry no
/// cookies of a person.
pub async fn same_origin(State(settings): State<Arc<Settings>>, request: Request, next: Next) -> Response {
    let writes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if writes && !is_own_origin(&request, &settings) {
        return ApiError::new(
            axum::http::StatusCode::FORBIDDEN,
            "foreign_origin",
            say("refusal.foreign_origin"),
        )
        .into_response();
    }
    next.run(request).await
}

fn is_own_origin(request: &Request, settings: &Settings) -> bool {
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
    if site_of(request.extensions(), settings).is_origin(origin) {
        return true;
    }
    // Without a configured public URL the server answers under whatever loopback name it was reached by.
    settings.public_url.is_none()
        && headers
            .get(header::HOST)
            .and_then(|host| host.to_str().ok())
            .is_some_and(|host| origin == format!("http://{host}"))
}

/// Refuses a request that names no host, or two (RFC 9112 §3.2): what stands in between may believe the other one. HTTP/1.0, which
/// health checks of load balancers still speak, has no Host header.
pub async fn one_host(request: Request, next: Next) -> Response {
    if names_one_host(&request) {
        next.run(request).await
    } else {
        ApiError::malformed(say("refusal.host")).into_response()
    }
}

fn names_one_host(request: &Request) -> bool {
    let mut named = request.headers().get_all(header::HOST).iter();
    let (first, second) = (named.next(), named.next());
    let in_line = request.uri().authority().map(Authority::as_str);
    let Some(first) = first else {
        return match request.version() {
            Version::HTTP_2 | Version::HTTP_3 => in_line.is_some(),
            version => version != Version::HTTP_11,
        };
    };
    let Ok(first) = first.to_str() else { return false };
    let is_host = !first.is_empty()
        && first
            .parse::<Authority>()
            .is_ok_and(|host| !host.as_str().contains('@'));
    is_host && second.is_none() && in_line.is_none_or(|in_line| in_line.eq_ignore_ascii_case(first))
}

/// Whether the browser believes that it talks to this very machine. A page of another site can let its own name stand for
/// 127.0.0.1, but then it is that name which is asked for.
pub fn is_for_loopback(request: &Request) -> bool {
    asked_host(request).is_some_and(is_loopback)
}

/// How long a browser asks by https alone, once it has; a year.
const HSTS: &str = "max-age=31536000";

/// Words of an address that stand before a capability: whoever knows the address may do what it opens (T14).
const CAPABILITIES: [&str; 9] = [
    "/payments/",
    "/booking_forms/",
    "/leads/",
    "/receipts/",
    "/support/",
    "pass=",
    "token=",
    "lead_uuid=",
    "form_uuid=",
];

/// Whether an address opens something by itself. `/_page` has a whole address, encoded once more, among its parameters.
fn opens_something(uri: &Uri) -> bool {
    let asked = uri.path_and_query().map_or("", PathAndQuery::as_str);
    let once = percent_decode_str(asked).decode_utf8_lossy();
    let twice = percent_decode_str(&once).decode_utf8_lossy();
    CAPABILITIES.iter().any(|word| twice.contains(word))
}

/// What an answer needs that is for one reader, or whose address is a secret: no cache keeps it, no Referer tells it, no search engine
/// lists it.
pub fn keep_private(headers: &mut HeaderMap) {
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex"));
}

fn is_stream(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
}

/// Headers of every answer; a handler that sets its own keeps them, unless the address is a secret.
pub async fn headers(request: Request, next: Next) -> Response {
    let site = request.extensions().get::<Arc<Site>>();
    let is_secure = site.is_some_and(|site| site.is_secure());
    let is_api = request.uri().path().starts_with("/api/");
    let is_secret = opens_something(request.uri());
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if is_secret {
        keep_private(headers);
    }
    if is_secure {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HSTS));
    }
    if is_stream(headers) {
        // A proxy that gathers an answer before it passes it on, as nginx does, would keep every event back.
        headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    }
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
