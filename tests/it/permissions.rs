//! Who gets in where: every operation of the served document, asked by everybody there is.

use reqwest::{Method, StatusCode};
use serde_json::json;
use tests::{Server, document};

use crate::visitor::Visitor;

const UNKNOWN_ID: &str = "01923456-789a-7bcd-8ef0-123456789abc";
/// Everybody there is, in the order of the flags of [`admitted`].
const CALLERS: [&str; 5] = ["visitor", "student", "support", "finance", "admin"];
/// Refuses everybody by itself: nobody is a provider yet (D109).
const REFUSES: &str = "/api/v0/auth/providers/users";

/// Who may, said apart from the server's own table, so that the one checks the other.
fn admitted(path: &str) -> [bool; 5] {
    let logged_in = [
        "/api/v0/users/activity",
        "/api/v0/users/forget",
        "/api/v0/auth/users/inventories_shortlists",
    ];
    if path == "/api/v0/workspace/leads/{id}/forget" {
        [false, false, false, false, true]
    } else if path.starts_with("/api/v0/workspace/leads") {
        [false, false, true, false, true]
    } else if path.starts_with("/api/v0/workspace/payments") || path.starts_with("/api/v0/workspace/chain") {
        [false, false, false, true, true]
    } else if path.starts_with("/api/v0/workspace/read_models/") {
        [false, false, false, false, true]
    } else if path.starts_with("/api/v0/workspace/") {
        [false, false, true, true, true]
    } else if logged_in.iter().any(|start| path.starts_with(start)) {
        [false, true, true, true, true]
    } else {
        [true; 5]
    }
}

#[tokio::test]
async fn every_operation_lets_in_exactly_whom_it_should() {
    let server = Server::start();
    let mut callers = Vec::new();
    for name in CALLERS {
        let caller = Visitor::new(&server);
        match name {
            "visitor" => {}
            "student" => drop(caller.log_in("mei@uni.example").await),
            role => drop(caller.log_in_as(role).await),
        }
        callers.push(caller);
    }
    let operations = operations();
    assert!(
        operations.len() > 50,
        "the document names only {} operations",
        operations.len()
    );
    let mut wrong = Vec::new();
    for (method, path) in &operations {
        for ((caller, name), let_in) in callers.iter().zip(CALLERS).zip(admitted(path)) {
            let status = ask(&server, caller, method, path).await;
            let refused = [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN].contains(&status);
            let right = match (let_in, name) {
                (true, _) => !refused || path == REFUSES,
                (false, "visitor") => status == StatusCode::UNAUTHORIZED,
                (false, _) => status == StatusCode::FORBIDDEN,
            };
            if !right {
                wrong.push(format!("{method} {path} answers {status} to {name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_role_counts_only_at_the_companys_domain() {
    let server = Server::start();
    let stranger = Visitor::new(&server);
    let refused = server.refused(&["grant", "--email", "eve", "--role", "admin"]);
    assert!(
        refused.contains("the e-mail address `eve` cannot be used: Write the whole e-mail address"),
        "{refused}"
    );
    let granted = server.run(&["grant", "--email", "eve@elsewhere.example", "--role", "admin"]);
    assert!(granted.contains("it counts for nothing there"), "{granted}");
    stranger.log_in("eve@elsewhere.example").await;
    let status = ask(&server, &stranger, &Method::GET, "/api/v0/workspace/me").await;
    assert_eq!(status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_browser_of_another_site_changes_nothing() {
    let server = Server::start();
    let student = Visitor::new(&server);
    student.log_in("mei@uni.example").await;
    let body = json!({ "inventories_shortlist": { "inventory_id": UNKNOWN_ID } });
    let request = student
        .client()
        .post(server.url("/api/v0/auth/users/inventories_shortlists"));
    let answer = request
        .header("origin", "https://evil.example")
        .json(&body)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
}

async fn ask(server: &Server, caller: &Visitor<'_>, method: &Method, path: &str) -> StatusCode {
    let parts = path
        .split('/')
        .map(|part| if part.starts_with('{') { UNKNOWN_ID } else { part });
    let address = parts.collect::<Vec<_>>().join("/");
    let mut request = caller.client().request(method.clone(), server.url(&address));
    if [Method::POST, Method::PUT].contains(method) {
        request = request.json(&json!({}));
    }
    request.send().await.unwrap().status()
}

/// All operations but the one that would end the session of whoever asks.
fn operations() -> Vec<(Method, String)> {
    let document: serde_json::Value = serde_json::from_str(&document()).unwrap();
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            found.push((method, path.clone()));
        }
    }
    found.retain(|(_, path)| !path.ends_with("/logout"));
    found
}
