//! Who may call what: ONE table, deny by default (row F4, D106). The router asks it before any handler runs, and a test
//! holds every route against it.

use axum::extract::{MatchedPath, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::user::Role;

use crate::caller::{self, Caller, Person, Sessions};
use crate::error::ApiError;
use crate::said::say;
use crate::security;

/// What a caller must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anybody. What it shows is guarded by ownership or by a capability in the address.
    Open,
    /// Anybody who is logged in.
    LoggedIn,
    /// Staff with one of these roles.
    Staff(&'static [Role]),
    /// No caller, unless the developers' tools are on (X6) and the request is for a loopback host.
    Developer,
}

const SUPPORT: Access = Access::Staff(&[Role::Support, Role::Admin]);
const FINANCE: Access = Access::Staff(&[Role::Finance, Role::Admin]);
const ADMIN: Access = Access::Staff(&[Role::Admin]);
const ANY_STAFF: Access = Access::Staff(&[Role::Support, Role::Finance, Role::Admin]);

/// The table. Names in braces are not compared.
pub const TABLE: &[(&str, &str, Access)] = &[
    // shortlist
    (
        "POST",
        "/api/v0/auth/users/inventories_shortlists",
        Access::LoggedIn,
    ),
    (
        "DELETE",
        "/api/v0/auth/users/inventories_shortlists/{id}",
        Access::LoggedIn,
    ),
    // accounts
    ("GET", "/api/v0/auth/providers/users", Access::Open),
    ("GET", "/api/v0/users/details", Access::Open),
    ("GET", "/api/v0/users/activity", Access::LoggedIn),
    ("GET", "/api/v0/users/earlier_answers", Access::LoggedIn),
    ("POST", "/api/v0/users/generate_email_otp", Access::Open),
    (
        "POST",
        "/api/v0/users/external_service/generate_email_otp",
        Access::Open,
    ),
    ("POST", "/api/v0/users/generate_phone_otp", Access::Open),
    ("POST", "/api/v0/users/login_email_otp", Access::Open),
    ("POST", "/api/v0/users/login_phone_otp", Access::Open),
    ("POST", "/api/v0/users/logout", Access::Open),
    ("POST", "/api/v0/users/forget", Access::LoggedIn),
    ("GET", "/api/v0/users/data_reads", Access::LoggedIn),
    ("GET", "/api/v0/users/mirrors", Access::LoggedIn),
    ("POST", "/api/v0/users/mirrors", Access::LoggedIn),
    ("GET", "/api/v0/users/mirrors/{id}/stream", Access::LoggedIn),
    ("PUT", "/api/v0/users/mirrors/{id}/report", Access::LoggedIn),
    ("DELETE", "/api/v0/users/mirrors/{id}", Access::LoggedIn),
    ("GET", "/api/v0/users/second_factor", Access::LoggedIn),
    ("POST", "/api/v0/users/second_factor", Access::LoggedIn),
    ("POST", "/api/v0/users/second_factor/confirm", Access::LoggedIn),
    ("POST", "/api/v0/users/second_factor/pass", Access::LoggedIn),
    ("GET", "/api/v0/users/message_settings", Access::LoggedIn),
    ("PUT", "/api/v0/users/message_settings", Access::LoggedIn),
    // By the link's own proof.
    ("GET", "/unsubscribe/{token}", Access::Open),
    ("POST", "/unsubscribe/{token}", Access::Open),
    // leads and forms: by capability or by ownership
    ("GET", "/api/v0/challenge", Access::Open),
    ("POST", "/api/v0/leads", Access::Open),
    ("POST", "/api/v0/leads/virtual_tour_request", Access::Open),
    ("GET", "/api/v0/leads/{id}", Access::Open),
    ("PUT", "/api/v0/leads/{id}", Access::Open),
    ("POST", "/api/v0/booking_forms", Access::Open),
    ("GET", "/api/v0/booking_forms/{id}", Access::Open),
    ("PUT", "/api/v0/booking_forms/{id}/sections/{key}", Access::Open),
    ("PATCH", "/api/v0/booking_forms/{id}/sections/{key}", Access::Open),
    ("GET", "/api/v0/booking_forms/{id}/stream", Access::Open),
    ("POST", "/api/v0/booking_forms/{id}/submit", Access::Open),
    ("POST", "/api/v0/booking_forms/{id}/documents", Access::Open),
    (
        "GET",
        "/api/v0/booking_forms/{id}/documents/{document}",
        Access::Open,
    ),
    (
        "DELETE",
        "/api/v0/booking_forms/{id}/documents/{document}",
        Access::Open,
    ),
    // A document, once: by its link's own proof.
    ("GET", "/documents/{token}", Access::Open),
    ("POST", "/documents/{token}", Access::Open),
    // catalogue
    ("GET", "/api/v0/regions", Access::Open),
    ("GET", "/api/v0/regions/nearby_places", Access::Open),
    ("GET", "/api/v0/regions/{id}", Access::Open),
    ("GET", "/api/v1/regions/index_bulk", Access::Open),
    ("GET", "/api/v0/search/suggest", Access::Open),
    ("GET", "/api/v1/inventories", Access::Open),
    ("GET", "/api/v0/inventories", Access::Open),
    ("GET", "/api/v0/inventories/{id}", Access::Open),
    ("GET", "/api/v0/inventories/{id}/view_count", Access::Open),
    ("GET", "/api/v0/inventories/{id}/reviews/media", Access::Open),
    ("GET", "/api/v0/inventories/{id}/offers", Access::Open),
    ("GET", "/api/v0/inventories/{id}/room_types", Access::Open),
    ("GET", "/api/v0/inventories/{id}/price_trends", Access::Open),
    ("GET", "/api/v0/inventories/{id}/user_history", Access::Open),
    // payments: by token
    ("POST", "/api/v0/payments", Access::Open),
    ("GET", "/api/v0/payments/{token}", Access::Open),
    ("POST", "/api/v0/payments/{token}/intent", Access::Open),
    ("POST", "/api/v0/payments/{token}/cancel", Access::Open),
    ("POST", "/api/v0/payments/{token}/sandbox_confirm", Access::Open),
    ("GET", "/api/v0/payments/{token}/stream", Access::Open),
    ("GET", "/api/v0/payments/{token}/waitlist", Access::Open),
    ("POST", "/api/v0/payments/{token}/waitlist", Access::Open),
    ("POST", "/api/v0/payments/{token}/waitlist/leave", Access::Open),
    ("POST", "/api/v0/place_tokens/verify", Access::Open),
    ("POST", "/api/webhooks/stripe", Access::Open),
    ("POST", "/api/v0/payments/{token}/rating", Access::Open),
    // receipts: by the payment's token, by ownership, or for finance; anyone checks a proof
    ("GET", "/api/v0/receipts/{number}", Access::Open),
    ("GET", "/api/v0/receipts/{number}/pdf", Access::Open),
    ("GET", "/api/v0/receipts/{number}/proof", Access::Open),
    ("POST", "/api/v0/receipts/verify", Access::Open),
    ("POST", "/api/v0/receipts/{number}/link", Access::Open),
    // cases: by ownership, or by a mail's link
    ("GET", "/api/v0/support/cases", Access::LoggedIn),
    ("POST", "/api/v0/support/cases", Access::LoggedIn),
    ("GET", "/api/v0/support/cases/{id}", Access::LoggedIn),
    ("POST", "/api/v0/support/cases/{id}/messages", Access::LoggedIn),
    ("POST", "/api/v0/support/cases/{id}/attachments", Access::LoggedIn),
    (
        "GET",
        "/api/v0/support/cases/{id}/attachments/{attachment}",
        Access::LoggedIn,
    ),
    ("GET", "/api/v0/support/links/{token}", Access::Open),
    ("POST", "/api/v0/support/links/{token}/messages", Access::Open),
    // workspace
    ("GET", "/api/v0/workspace/cases", SUPPORT),
    ("POST", "/api/v0/workspace/cases", SUPPORT),
    ("GET", "/api/v0/workspace/message_templates", SUPPORT),
    ("GET", "/api/v0/workspace/cases/{id}", SUPPORT),
    ("POST", "/api/v0/workspace/cases/{id}/messages", SUPPORT),
    ("POST", "/api/v0/workspace/cases/{id}/acts", SUPPORT),
    ("POST", "/api/v0/workspace/cases/{id}/attachments", SUPPORT),
    (
        "GET",
        "/api/v0/workspace/cases/{id}/attachments/{attachment}",
        SUPPORT,
    ),
    ("GET", "/api/v0/workspace/me", ANY_STAFF),
    ("GET", "/api/v0/workspace/leads", SUPPORT),
    ("GET", "/api/v0/workspace/leads/views", SUPPORT),
    ("POST", "/api/v0/workspace/leads/views", SUPPORT),
    ("PUT", "/api/v0/workspace/leads/views/{id}", SUPPORT),
    ("DELETE", "/api/v0/workspace/leads/views/{id}", SUPPORT),
    ("GET", "/api/v0/workspace/leads/live", SUPPORT),
    ("GET", "/api/v0/workspace/leads/report", SUPPORT),
    ("GET", "/api/v0/workspace/leads/report.csv", SUPPORT),
    ("GET", "/api/v0/workspace/segments", SUPPORT),
    ("POST", "/api/v0/workspace/mirrors", SUPPORT),
    ("GET", "/api/v0/workspace/mirrors/{id}/stream", SUPPORT),
    ("POST", "/api/v0/workspace/mirrors/{id}/nudges", SUPPORT),
    ("DELETE", "/api/v0/workspace/mirrors/{id}", SUPPORT),
    ("GET", "/api/v0/workspace/leads/{id}/story", SUPPORT),
    ("POST", "/api/v0/workspace/leads/{id}/presence", SUPPORT),
    ("GET", "/api/v0/workspace/leads/{id}/timeline", ANY_STAFF),
    ("GET", "/api/v0/workspace/leads/{id}/timeline/events", ANY_STAFF),
    ("GET", "/api/v0/workspace/leads/{id}/stream", ANY_STAFF),
    ("POST", "/api/v0/workspace/leads/{id}/reveal", SUPPORT),
    ("POST", "/api/v0/workspace/leads/{id}/letters/{position}", SUPPORT),
    ("POST", "/api/v0/workspace/leads/{id}/form", SUPPORT),
    (
        "POST",
        "/api/v0/workspace/leads/{id}/documents/{document}/link",
        SUPPORT,
    ),
    ("GET", "/api/v0/workspace/leads/{id}/desk", SUPPORT),
    ("POST", "/api/v0/workspace/leads/{id}/acts", SUPPORT),
    ("POST", "/api/v0/workspace/leads/{id}/what-if", SUPPORT),
    (
        "POST",
        "/api/v0/workspace/leads/{id}/what-if/{branch}/apply",
        SUPPORT,
    ),
    ("POST", "/api/v0/workspace/leads/{id}/assign", SUPPORT),
    ("POST", "/api/v0/workspace/leads/{id}/notes", SUPPORT),
    ("POST", "/api/v0/workspace/leads/{id}/referral", SUPPORT),
    ("POST", "/api/v0/workspace/leads/{id}/forget", ADMIN),
    ("GET", "/api/v0/workspace/events/{position}", ANY_STAFF),
    ("GET", "/api/v0/workspace/why", SUPPORT),
    ("GET", "/api/v0/workspace/read_models", ANY_STAFF),
    ("POST", "/api/v0/workspace/read_models/{name}/retry", ADMIN),
    ("POST", "/api/v0/workspace/read_models/{name}/rebuild", ADMIN),
    ("POST", "/api/v0/workspace/read_models/{name}/rollback", ADMIN),
    ("POST", "/api/v0/workspace/leads/{id}/export", SUPPORT),
    ("GET", "/api/v0/workspace/reads", ADMIN),
    ("GET", "/api/v0/workspace/settings", ADMIN),
    ("PUT", "/api/v0/workspace/settings/{name}", ADMIN),
    ("GET", "/api/v0/workspace/health", ANY_STAFF),
    ("DELETE", "/api/v0/workspace/second_factors/{id}", ADMIN),
    ("GET", "/api/v0/workspace/grants", ADMIN),
    ("DELETE", "/api/v0/workspace/grants/{id}/{role}", ADMIN),
    ("GET", "/api/v0/workspace/payments/events", FINANCE),
    ("GET", "/api/v0/workspace/payments/events.csv", FINANCE),
    ("GET", "/api/v0/workspace/payments/provider_account", FINANCE),
    (
        "POST",
        "/api/v0/workspace/payments/provider_account/read",
        FINANCE,
    ),
    ("GET", "/api/v0/workspace/payments/provider_account.csv", FINANCE),
    ("POST", "/api/v0/workspace/payments/by_email", FINANCE),
    ("GET", "/api/v0/workspace/payments/failed_refunds", FINANCE),
    ("GET", "/api/v0/workspace/payments/refund_requests", FINANCE),
    (
        "POST",
        "/api/v0/workspace/payments/refund_requests/{id}/decline",
        FINANCE,
    ),
    (
        "POST",
        "/api/v0/workspace/payments/{id}/refunds/{refund_id}/paid_elsewhere",
        FINANCE,
    ),
    ("GET", "/api/v0/workspace/payments/unknown_notices", FINANCE),
    (
        "POST",
        "/api/v0/workspace/payments/unknown_notices/{id}/match",
        FINANCE,
    ),
    (
        "POST",
        "/api/v0/workspace/payments/unknown_notices/{id}/dismiss",
        FINANCE,
    ),
    ("GET", "/api/v0/workspace/payments/{id}", FINANCE),
    ("GET", "/api/v0/workspace/payments/{id}/evidence", FINANCE),
    ("GET", "/api/v0/workspace/payments/{id}/evidence.pdf", FINANCE),
    ("POST", "/api/v0/workspace/payments/{id}/evidence/send", FINANCE),
    ("POST", "/api/v0/workspace/payments/{id}/refunds", FINANCE),
    ("POST", "/api/v0/workspace/payments/{id}/cancel_booking", FINANCE),
    ("GET", "/api/v0/workspace/alerts", FINANCE),
    ("GET", "/api/v0/workspace/payments/events.xlsx", FINANCE),
    ("GET", "/api/v0/workspace/reconciliation", FINANCE),
    ("POST", "/api/v0/workspace/reconciliation/run", FINANCE),
    ("POST", "/api/v0/workspace/reconciliation/file", FINANCE),
    ("POST", "/api/v0/workspace/reconciliation/pull", FINANCE),
    ("POST", "/api/v0/workspace/reconciliation/proposals", FINANCE),
    (
        "POST",
        "/api/v0/workspace/payments/{id}/refund_approvals",
        FINANCE,
    ),
    ("GET", "/api/v0/workspace/approvals", FINANCE),
    ("GET", "/api/v0/workspace/approvals/waiting", FINANCE),
    ("POST", "/api/v0/workspace/approvals/{id}/approve", FINANCE),
    ("POST", "/api/v0/workspace/approvals/{id}/decline", FINANCE),
    ("GET", "/api/v0/workspace/books/accounts", FINANCE),
    ("GET", "/api/v0/workspace/books/accounts/{account}", FINANCE),
    ("GET", "/api/v0/workspace/books/payments/{id}", FINANCE),
    ("GET", "/api/v0/workspace/books/periods", FINANCE),
    ("GET", "/api/v0/workspace/rewards", FINANCE),
    ("POST", "/api/v0/workspace/rewards/{id}/pay", FINANCE),
    ("GET", "/api/v0/workspace/chain", FINANCE),
    ("GET", "/api/v0/workspace/waitlists", ANY_STAFF),
    ("GET", "/api/v0/workspace/awaited_rooms", ANY_STAFF),
    ("POST", "/api/v0/workspace/waitlists/{id}/move_up", ANY_STAFF),
    ("GET", "/api/v0/workspace/chain/head", FINANCE),
    ("GET", "/api/v0/workspace/chain/consistency", FINANCE),
    ("GET", "/api/v0/workspace/payment_links", ANY_STAFF),
    ("POST", "/api/v0/workspace/payment_links", ANY_STAFF),
    ("POST", "/api/v0/workspace/payment_links/{id}/withdraw", ANY_STAFF),
    // pages, the document, and the developers' tools
    ("GET", "/_page", Access::Open),
    ("GET", "/healthz", Access::Open),
    ("GET", "/readyz", Access::Open),
    ("GET", "/pictures/{seed}/{file}", Access::Open),
    ("GET", "/assets/{*path}", Access::Open),
    ("GET", "/docs", Access::Open),
    ("GET", "/sandbox/3ds/{intent}", Access::Open),
    ("POST", "/sandbox/3ds/{intent}", Access::Open),
    ("GET", "/api/openapi.json", Access::Open),
    ("GET", "/dev/outbox", Access::Developer),
    ("POST", "/dev/clock", Access::Developer),
    ("GET", "/dev/sandbox", Access::Developer),
    ("POST", "/dev/sandbox/plan", Access::Developer),
    ("POST", "/dev/sandbox/repeat", Access::Developer),
    ("POST", "/dev/sandbox/disputes", Access::Developer),
];

/// What the table says about a route; `None` where it says nothing, and then nobody may.
pub fn access(method: &str, route: &str) -> Option<Access> {
    // A HEAD is a GET whose answer is not shown.
    let method = if method == "HEAD" { "GET" } else { method };
    let wanted = shape(route);
    TABLE
        .iter()
        .find(|(verb, path, _)| *verb == method && shape(path) == wanted)
        .map(|(_, _, access)| *access)
}

/// Whether somebody with these roles gets in. `logged_in` staff roles count only for proved company addresses.
pub fn allows(access: Access, is_logged_in: bool, roles: &[Role]) -> bool {
    match access {
        Access::Open => true,
        Access::LoggedIn => is_logged_in,
        Access::Staff(wanted) => roles.iter().any(|role| wanted.contains(role)),
        Access::Developer => false,
    }
}

/// `/a/{id}/` and `/a/{name}` are one route.
pub fn shape(route: &str) -> Vec<&str> {
    let parts = route.trim_matches('/').split('/');
    parts
        .map(|part| if part.starts_with('{') { "{}" } else { part })
        .collect()
}

/// Runs before every handler: refuses what the table does not allow, and remembers who asked.
pub async fn check(State(sessions): State<Sessions>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_called = path.starts_with("/api/") || path.starts_with("/dev/");
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map(|matched| matched.as_str().to_owned());
    let Some(route) = route else {
        // What no route takes is a page of the site; its own guard stands in `pages`.
        return if is_called {
            ApiError::not_found(say("refusal.no_address")).into_response()
        } else {
            next.run(request).await
        };
    };
    // Pictures and assets are for everybody: nobody is looked up for them.
    if !is_called && access(request.method().as_str(), &route) == Some(Access::Open) {
        return next.run(request).await;
    }
    let tokens = caller::tokens(&sessions, request.headers(), request.uri().query());
    let asking = match caller::who(&sessions, &tokens).await {
        Ok(asking) => asking,
        Err(error) => return error.into_response(),
    };
    let verdict = judge(sessions.settings.dev_tools(), &request, &route, &asking);
    let all_refused = asking.had_token && asking.person.is_none();
    let mut response = match verdict {
        Ok(()) => {
            request.extensions_mut().insert(asking);
            next.run(request).await
        }
        Err(error) => error.into_response(),
    };
    // D77: a login that no longer stands is taken out of the browser; a 401 beside a login that stands logs nobody out.
    if response.status() == StatusCode::UNAUTHORIZED && all_refused {
        caller::forget_cookies(&sessions, response.headers_mut());
    }
    response
}

/// Whether a login is enough to call a route.
pub fn admits(method: &str, route: &str, person: &Person) -> bool {
    access(method, route).is_some_and(|access| allows(access, true, &person.roles()))
}

fn judge(dev_tools: bool, request: &Request, route: &str, asking: &Caller) -> Result<(), ApiError> {
    let method = request.method();
    let known_path = TABLE.iter().any(|(_, path, _)| shape(path) == shape(route));
    let Some(access) = access(method.as_str(), route) else {
        if known_path {
            let message = say("refusal.method_not_allowed");
            return Err(ApiError::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "method_not_allowed",
                message,
            ));
        }
        tracing::error!(%method, route, "a route is missing in the permission table");
        return Err(ApiError::not_allowed());
    };
    let roles = asking.roles();
    if access == Access::Developer {
        return if dev_tools && security::is_for_loopback(request) {
            Ok(())
        } else {
            Err(ApiError::not_found(say("refusal.no_address")))
        };
    }
    if allows(access, asking.person.is_some(), &roles) {
        Ok(())
    } else if asking.person.is_none() {
        Err(ApiError::not_logged_in())
    } else if asking.person.as_ref().is_some_and(Person::waits_for_second_step) {
        let message = say("refusal.second_factor_needed");
        Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "second_factor_needed",
            message,
        ))
    } else {
        Err(ApiError::not_allowed())
    }
}

#[cfg(test)]
mod tests;
