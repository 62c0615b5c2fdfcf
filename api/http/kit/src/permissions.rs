//! Who may call what: said once, where a route is registered ([`crate::endpoints`]), and deny by default (row F4, D106). The
//! router asks the collected [`Permissions`] before a body is read and before any handler runs.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::user::Role;
use serde::Serialize;

use crate::caller::{self, Caller, Person, Sessions};
use crate::capability::Capability;
use crate::endpoints::Registration;
use crate::error::ApiError;
use crate::request_site::site_of;
use crate::said::say;
use crate::security;

/// Callers that an operation admits. The document says it of each, as `x-access`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Anybody.
    Open,
    /// Anybody at this door: the handler itself asks for this capability, or for the login of its owner.
    Capability(Capability),
    /// Anybody who is logged in.
    LoggedIn,
    /// Staff with one of these roles.
    Staff(&'static [Role]),
    /// People of a provider of homes who have this role there. No account has one yet: everybody is refused.
    Provider(ProviderRole),
    /// People of a partner. No account is one yet: everybody is refused.
    Partner,
    /// Programs with a key of this scope. There are no keys yet: everybody is refused.
    Key(KeyScope),
    /// No caller, unless the developers' tools are on (X6) and the request is for a loopback host.
    Developer,
}

/// Roles of a person at a provider of homes; each includes those after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderRole {
    Owner,
    Editor,
    Viewer,
}

/// Rights of a program's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum KeyScope {
    #[serde(rename = "homes:read")]
    ReadHomes,
    #[serde(rename = "homes:write")]
    WriteHomes,
    #[serde(rename = "leads:read")]
    ReadLeads,
}

pub const SUPPORT: Access = Access::Staff(&[Role::Support, Role::Admin]);
pub const FINANCE: Access = Access::Staff(&[Role::Finance, Role::Admin]);
pub const ADMIN: Access = Access::Staff(&[Role::Admin]);
pub const ANY_STAFF: Access = Access::Staff(&[Role::Support, Role::Finance, Role::Admin]);

impl Access {
    /// Whether a caller with these roles is let in. Roles of staff count only for proved company addresses.
    pub fn allows(self, is_logged_in: bool, roles: &[Role]) -> bool {
        match self {
            Self::Open | Self::Capability(_) => true,
            Self::LoggedIn => is_logged_in,
            Self::Staff(wanted) => roles.iter().any(|role| wanted.contains(role)),
            Self::Provider(_) | Self::Partner | Self::Key(_) | Self::Developer => false,
        }
    }

    /// Whether a login is enough.
    pub fn admits(self, person: &Person) -> bool {
        self.allows(true, &person.roles())
    }

    /// Whether a request is let in without looking up its caller.
    const fn needs_no_login(self) -> bool {
        matches!(self, Self::Open | Self::Capability(_))
    }
}

/// Who may call each route, by its path and method; collected from all registrations at start.
#[derive(Debug, Clone, Default)]
pub struct Permissions(Arc<HashMap<String, Vec<(Method, Access)>>>);

impl FromIterator<Registration> for Permissions {
    fn from_iter<I: IntoIterator<Item = Registration>>(registrations: I) -> Self {
        let mut by_path: HashMap<String, Vec<(Method, Access)>> = HashMap::new();
        for Registration { method, path, access } in registrations {
            by_path.entry(path).or_default().push((method, access));
        }
        Self(Arc::new(by_path))
    }
}

impl Permissions {
    /// Finds who may call a route; `None` for one that is not registered, which is denied.
    pub fn find_access(&self, method: &Method, path: &str) -> Option<Access> {
        // A HEAD is a GET whose answer is not shown.
        let method = if method == Method::HEAD {
            &Method::GET
        } else {
            method
        };
        let registered = self.0.get(path)?;
        registered
            .iter()
            .find(|(of, _)| of == method)
            .map(|(_, access)| *access)
    }

    /// Answers 405 for a method that the path does not have, else 403: an unregistered route is denied.
    fn refuse_unregistered(&self, method: &Method, path: &str) -> ApiError {
        if self.0.contains_key(path) {
            let message = say("refusal.method_not_allowed");
            return ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message);
        }
        tracing::error!(%method, path, "a route is not registered with who may call it");
        ApiError::not_allowed()
    }
}

/// What [`check`] asks.
#[derive(Clone)]
pub struct Gate {
    pub sessions: Sessions,
    pub permissions: Permissions,
}

/// Runs before every handler: refuses what is not allowed, and remembers who asked.
pub async fn check(State(gate): State<Gate>, mut request: Request, next: Next) -> Response {
    let Gate {
        sessions,
        permissions,
    } = gate;
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
    let access = permissions.find_access(request.method(), &route);
    if !is_called && access.is_some_and(Access::needs_no_login) {
        return next.run(request).await;
    }
    let tokens = caller::tokens(&sessions, request.headers(), request.uri().query());
    let site = site_of(request.extensions(), &sessions.settings);
    let asking = match caller::who(&sessions, &site, &tokens).await {
        Ok(asking) => asking,
        Err(error) => return error.into_response(),
    };
    let dev_tools = sessions.settings.dev_tools();
    let verdict = access
        .ok_or_else(|| permissions.refuse_unregistered(request.method(), &route))
        .and_then(|access| judge(access, dev_tools, &request, &asking));
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
        caller::forget_cookies(&site, response.headers_mut());
    }
    response
}

fn judge(access: Access, dev_tools: bool, request: &Request, asking: &Caller) -> Result<(), ApiError> {
    if access == Access::Developer {
        return if dev_tools && security::is_for_loopback(request) {
            Ok(())
        } else {
            Err(ApiError::not_found(say("refusal.no_address")))
        };
    }
    if access.allows(asking.person.is_some(), &asking.roles()) {
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
