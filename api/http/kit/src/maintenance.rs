//! Maintenance (row K13): writes are refused for a while, reads go on. Notices of the payment provider are still taken in, as money
//! must not be lost; staff still log in and end it.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use platform::config::Settings;

use crate::error::ApiError;

/// Seconds after which it is worth asking again.
const AGAIN_AFTER: u64 = 60;

/// What is written all the same: notices of the provider and its own pages, logins, and the switch itself. What only asks is no write.
const GOES_ON: [&str; 9] = [
    "/api/webhooks/",
    "/sandbox/",
    "/dev/",
    "/api/v0/users/generate_",
    "/api/v0/users/login_",
    "/api/v0/users/logout",
    "/api/v0/users/second_factor",
    "/api/v0/workspace/settings/",
    "/api/v0/receipts/verify",
];

/// Refuses writes while the switch is on.
pub async fn refuse_writes(State(settings): State<Arc<Settings>>, request: Request, next: Next) -> Response {
    if is_write(request.method()) && settings.in_maintenance() && !goes_on(request.uri().path()) {
        return ApiError::in_maintenance(AGAIN_AFTER).into_response();
    }
    next.run(request).await
}

const fn is_write(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

fn goes_on(path: &str) -> bool {
    GOES_ON.iter().any(|start| path.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

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
