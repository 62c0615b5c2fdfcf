//! Maintenance (row K13): writes are refused for a while, reads go on. Notices of the payment provider are still taken in, as money
//! must not be lost; staff still log in and end it.

use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use platform::config::Settings;

use crate::error::ApiError;

/// Seconds after which it is worth asking again.
const AGAIN_AFTER: u64 = 60;

/// What is written all the same: notices of the provider and its own pages, logins, and the switch itself.
const GOES_ON: [&str; 8] = [
    "/api/webhooks/",
    "/sandbox/",
    "/dev/",
    "/api/v0/users/generate_",
    "/api/v0/users/login_",
    "/api/v0/users/logout",
    "/api/v0/users/second_factor",
    "/api/v0/workspace/settings/",
];

/// Routes that read, and are sent by POST because what they ask is long. One that records who looked is a write and not among them.
pub const READS: [&str; 3] = [
    "/api/v0/place_tokens/verify",
    "/api/v0/receipts/verify",
    "/api/v0/workspace/leads/{id}/what-if",
];

/// Refuses writes while the switch is on.
pub async fn refuse_writes(State(settings): State<Arc<Settings>>, request: Request, next: Next) -> Response {
    if is_write(&request) && settings.in_maintenance() && !goes_on(request.uri().path()) {
        return ApiError::in_maintenance(AGAIN_AFTER).into_response();
    }
    next.run(request).await
}

fn is_write(request: &Request) -> bool {
    match *request.method() {
        Method::GET | Method::HEAD | Method::OPTIONS => false,
        Method::POST => {
            let route = request.extensions().get::<MatchedPath>();
            !route.is_some_and(|route| reads(route.as_str()))
        }
        _ => true,
    }
}

fn reads(route: &str) -> bool {
    READS.contains(&route)
}

fn goes_on(path: &str) -> bool {
    GOES_ON.iter().any(|start| path.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_records_who_looked_is_a_write() {
        assert!(reads("/api/v0/workspace/leads/{id}/what-if"));
        assert!(!reads("/api/v0/workspace/leads/{id}/what-if/{branch}/apply"));
        assert!(!reads("/api/v0/workspace/leads/{id}/reveal"));
    }

    #[test]
    fn money_and_logins_go_on() {
        for path in [
            "/api/webhooks/stripe",
            "/api/v0/users/login_email_otp",
            "/api/v0/workspace/settings/maintenance",
        ] {
            assert!(goes_on(path), "{path}");
        }
        for path in ["/api/v0/leads/", "/api/v0/payments", "/api/v0/users/forget"] {
            assert!(!goes_on(path), "{path}");
        }
    }
}
