//! The whole server: the routes that each surface registers, and the layers that every request passes.

use std::sync::LazyLock;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::IntoResponse;
use health::readiness;
use http_kit::endpoints::{Endpoints, Method, OpenApi, Registration, routes};
use http_kit::error::ApiError;
use http_kit::list_queries::{self, ListQueries};
use http_kit::permissions::{self, Access, Gate};
use http_kit::request::AnswerBudget;
use http_kit::request_site::{self, SiteFinder};
use http_kit::said::say;
use http_kit::{maintenance, request, security};
use pages::site;
use serde_json::Value;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;
use utoipa::OpenApi as _;
use workspace::feed_uploads::{FETCH_PATH, UPLOAD_PATH};
use workspace::photos::arranging::UPLOAD_PATH as PHOTO_PATH;

use crate::app::App;
use crate::as_of::{self, AsOf};
use crate::{contract, dev_clock, outbox_pages};

/// Larger bodies are answered with 413.
const BODY_MAX: usize = 256 * 1024;
/// The budget of one answer (D131); streams of events answer at once and are not counted.
const ANSWER_BUDGET: AnswerBudget = AnswerBudget {
    answer: Duration::from_secs(30),
    file: Duration::from_mins(30),
    file_routes: &[UPLOAD_PATH, FETCH_PATH, PHOTO_PATH],
};

/// How long the rest of a refused body is waited for.
const REST_WAIT: Duration = Duration::from_secs(5);

#[derive(utoipa::OpenApi)]
#[openapi(info(
    title = "Latchkey",
    description = "Student-housing search, booking and payment. Every address takes `lang`, and what the site's applications add to all \
        requests: `is_whitelabel`, `user_flow_token`, `user_auth_token` and `cache`."
))]
struct Api;

/// The routes of each surface over its own services.
struct Surfaces {
    shop: Router<shop::Services>,
    account: Router<account::Services>,
    booking: Router<booking::Services>,
    workspace: Router<workspace::Services>,
    pages: Router<pages::Services>,
    own: Router<App>,
}

/// The document of all routes, and who may call them.
struct Declared {
    document: OpenApi,
    registrations: Vec<Registration>,
}

impl Declared {
    /// Takes in what the endpoints declare, and leaves their routes.
    fn take<S: Clone + Send + Sync + 'static>(&mut self, endpoints: Endpoints<S>) -> Router<S> {
        let (routes, document, registrations) = endpoints.into_parts();
        self.document.merge(document);
        self.registrations.extend(registrations);
        routes
    }
}

impl Surfaces {
    /// Collects all routes, and what they declare.
    fn collect() -> (Self, Declared) {
        let mut declared = Declared {
            document: Api::openapi(),
            registrations: Vec::new(),
        };
        let surfaces = Self {
            shop: declared.take(shop::endpoints()),
            account: declared.take(account::endpoints()),
            booking: declared.take(booking::endpoints()),
            workspace: declared.take(workspace::endpoints()),
            pages: declared.take(pages::endpoints()),
            own: declared.take(own_endpoints()),
        };
        (surfaces, declared)
    }

    /// All routes, each with the services of its surface.
    fn serve(self, app: &App) -> Router<App> {
        self.own
            .merge(self.shop.with_state(shop::Services::gather(app)))
            .merge(self.account.with_state(account::Services::gather(app)))
            .merge(self.booking.with_state(booking::Services::gather(app)))
            .merge(self.workspace.with_state(workspace::Services::gather(app)))
            .merge(self.pages.with_state(pages::Services::gather(app)))
    }
}

/// Routes of the process itself: its document, its health, and the developers' tools.
fn own_endpoints() -> Endpoints<App> {
    Endpoints::new()
        .endpoint(Access::Open, routes!(contract::serve))
        .undocumented(Access::Open, Method::GET, "/healthz", readiness::lives)
        .undocumented(Access::Open, Method::GET, "/readyz", readiness::readiness)
        .merge(dev_clock::endpoints())
        .merge(outbox_pages::endpoints())
}

/// The served document, and the parameters that it names: made when one of them is first asked for.
static DOCUMENT: LazyLock<(Value, ListQueries)> = LazyLock::new(|| {
    let (_, declared) = Surfaces::collect();
    let document = contract::complete(&declared.document);
    let lists = ListQueries::of(&document);
    (document, lists)
});

/// The document of all routes, as it is served at `/api/openapi.json`.
pub fn document() -> &'static Value {
    &DOCUMENT.0
}

/// Every route with who may call it.
#[cfg(test)]
pub(crate) fn registrations() -> Vec<Registration> {
    Surfaces::collect().1.registrations
}

/// The whole server.
pub fn router(app: App) -> Router {
    let client_wait = app.settings.client_wait();
    let finder = SiteFinder {
        sites: app.sites.clone(),
        proxies: app.settings.trusted_proxy.clone(),
        settings: app.settings.clone(),
    };
    let (surfaces, declared) = Surfaces::collect();
    let gate = Gate {
        sessions: app.sessions.clone(),
        permissions: declared.registrations.into_iter().collect(),
    };
    let lists: fn() -> &'static ListQueries = || &DOCUMENT.1;
    let views = AsOf::new(surfaces.workspace.clone(), app.clone());
    surfaces
        .serve(&app)
        .fallback(site::page)
        .method_not_allowed_fallback(|| async {
            ApiError::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "method_not_allowed",
                say("refusal.method_not_allowed"),
            )
        })
        .layer(from_fn_with_state(views, as_of::answer))
        .layer(from_fn_with_state(lists, list_queries::refuse_unknown))
        .layer(from_fn_with_state(gate, permissions::check))
        .layer(from_fn_with_state(
            app.settings.clone(),
            maintenance::refuse_writes,
        ))
        .layer(from_fn_with_state(app.settings.clone(), security::same_origin))
        .layer(from_fn(request::headers_are_readable))
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .layer(RequestBodyTimeoutLayer::new(client_wait))
        .layer(from_fn_with_state(ANSWER_BUDGET, request::in_time))
        .layer(CatchPanicLayer::custom(|_panic| {
            ApiError::broken("a handler panicked").into_response()
        }))
        .layer(from_fn(request_site::refuse_unknown))
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(
            client_wait.min(REST_WAIT),
            serving::unread::drained,
        ))
        .layer(from_fn(request::bounded_query))
        .layer(from_fn(security::one_host))
        .layer(from_fn(security::headers))
        .layer(from_fn(request::identify))
        .layer(from_fn_with_state(finder, request_site::find_site))
        .with_state(app)
}

#[cfg(test)]
mod tests {
    use http_kit::endpoints::{ACCESS, Method, Registration};
    use http_kit::maintenance;
    use http_kit::permissions::{Access, Permissions};

    use super::{ANSWER_BUDGET, PHOTO_PATH, document, registrations};

    #[test]
    fn every_operation_says_who_may_call_it() {
        let permissions: Permissions = registrations().into_iter().collect();
        for (path, operations) in document()["paths"].as_object().unwrap() {
            for (method, operation) in operations.as_object().unwrap() {
                let method = method.to_uppercase().parse().unwrap();
                let access = permissions.find_access(&method, path);
                let access = access.unwrap_or_else(|| panic!("{method} {path} is not registered"));
                assert_eq!(
                    operation[ACCESS],
                    serde_json::to_value(access).unwrap(),
                    "{method} {path}"
                );
            }
        }
    }

    #[test]
    fn large_files_have_time_to_arrive() {
        assert!(ANSWER_BUDGET.file_routes.contains(&PHOTO_PATH));
        for path in ANSWER_BUDGET.file_routes {
            assert!(document()["paths"][*path]["post"].is_object(), "{path}");
        }
    }

    #[test]
    fn routes_are_registered_once() {
        let all = registrations();
        for (index, one) in all.iter().enumerate() {
            let again = all[index + 1..]
                .iter()
                .any(|other| (&other.method, &other.path) == (&one.method, &one.path));
            assert!(!again, "{one:?} is registered twice");
        }
    }

    /// A route that `tests/it/permissions.rs` does not ask for shows nothing that is guarded.
    #[test]
    fn undocumented_routes_are_open_or_second_spellings() {
        let paths = &document()["paths"];
        for Registration { method, path, access } in registrations() {
            let verb = method.as_str().to_lowercase();
            let operation = &paths[path.trim_end_matches('/')][verb];
            let said = serde_json::to_value(access).unwrap();
            assert!(
                operation[ACCESS] == said || (access == Access::Open && operation.is_null()),
                "{method} {path} stands in no document and is not open"
            );
        }
    }

    #[test]
    fn reads_by_post_are_registered() {
        let permissions: Permissions = registrations().into_iter().collect();
        for path in maintenance::READS {
            let access = permissions.find_access(&Method::POST, path);
            assert!(access.is_some(), "{path}");
        }
    }
}
