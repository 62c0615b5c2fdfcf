use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::StatusCode;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::*;
use crate::permissions::{ADMIN, Permissions, SUPPORT};

/// Reads a case.
#[utoipa::path(get, path = "/cases/{id}", responses((status = 200, body = String)))]
async fn read_case() -> &'static str {
    "a case"
}

/// Closes a case.
#[utoipa::path(delete, path = "/cases/{id}", responses((status = 200, body = String)))]
async fn close_case() -> &'static str {
    "closed"
}

/// Sends a file.
#[utoipa::path(post, path = "/files", request_body = String, responses((status = 200, body = String)))]
async fn send_file(words: String) -> String {
    words
}

async fn show_page() -> &'static str {
    "a page"
}

fn endpoints() -> Endpoints<()> {
    let files = Endpoints::new().endpoint(
        Access::LoggedIn,
        routes!(send_file).layer(DefaultBodyLimit::max(3)),
    );
    Endpoints::new()
        .endpoint(SUPPORT, routes!(read_case))
        .merge(Endpoints::new().endpoint(ADMIN, routes!(close_case)))
        .merge(files)
        .undocumented(Access::Open, Method::GET, "/pages/{*path}", show_page)
}

async fn ask(method: &str, path: &str, words: &'static str) -> StatusCode {
    let request = Request::builder().method(method).uri(path);
    let (router, _, _) = endpoints().into_parts();
    let answer = router.oneshot(request.body(Body::from(words)).unwrap()).await;
    answer.unwrap().status()
}

#[test]
fn path_and_method_come_from_the_handler() {
    let (_, _, registrations) = endpoints().into_parts();
    let permissions: Permissions = registrations.into_iter().collect();
    let found = [
        (Method::GET, "/cases/{id}", Some(SUPPORT)),
        (Method::DELETE, "/cases/{id}", Some(ADMIN)),
        (Method::POST, "/cases/{id}", None),
        (Method::POST, "/files", Some(Access::LoggedIn)),
        (Method::GET, "/pages/{*path}", Some(Access::Open)),
    ];
    for (method, path, access) in found {
        assert_eq!(permissions.find_access(&method, path), access, "{method} {path}");
    }
}

#[test]
fn document_says_who_may_call() {
    let (_, document, _) = endpoints().into_parts();
    let document = serde_json::to_value(document).unwrap();
    let case = &document["paths"]["/cases/{id}"];
    assert_eq!(case["get"][ACCESS], json!({ "staff": ["support", "admin"] }));
    assert_eq!(case["delete"][ACCESS], json!({ "staff": ["admin"] }));
    assert_eq!(document["paths"]["/files"]["post"][ACCESS], "logged_in");
    assert_eq!(document["paths"]["/pages/{*path}"], Value::Null);
}

#[tokio::test]
async fn handlers_are_reached() {
    assert_eq!(ask("GET", "/cases/1", "").await, StatusCode::OK);
    assert_eq!(ask("DELETE", "/cases/1", "").await, StatusCode::OK);
    assert_eq!(ask("GET", "/pages/a/b", "").await, StatusCode::OK);
    assert_eq!(ask("POST", "/files", "one").await, StatusCode::OK);
}

#[tokio::test]
async fn body_limit_is_the_routes_own() {
    assert_eq!(ask("POST", "/files", "four").await, StatusCode::PAYLOAD_TOO_LARGE);
}

#[test]
#[should_panic(expected = "Overlapping method route")]
fn second_handler_of_a_route_is_refused_at_start() {
    let again = Endpoints::new().endpoint(Access::Open, routes!(read_case));
    let _ = endpoints().merge(again);
}
