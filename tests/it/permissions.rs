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
        "/api/v0/support/cases",
        "/api/v0/users/activity",
        "/api/v0/users/earlier_answers",
        "/api/v0/users/forget",
        "/api/v0/users/data_reads",
        "/api/v0/users/mirrors",
        "/api/v0/users/second_factor",
        "/api/v0/users/message_settings",
        "/api/v0/auth/users/inventories_shortlists",
    ];
    if path == "/api/v0/workspace/leads/{id}/forget" {
        [false, false, false, false, true]
    } else if path.starts_with("/api/v0/workspace/leads/{id}/timeline")
        || path == "/api/v0/workspace/leads/{id}/stream"
    {
        [false, false, true, true, true]
    } else if path.starts_with("/api/v0/workspace/leads")
        || path == "/api/v0/workspace/why"
        || path.starts_with("/api/v0/workspace/cases")
        || path.starts_with("/api/v0/workspace/segments")
        || path.starts_with("/api/v0/workspace/mirrors")
        || path.starts_with("/api/v0/workspace/message_templates")
        || path.starts_with("/api/v0/workspace/homes")
        || path.starts_with("/api/v0/workspace/places")
        || path.starts_with("/api/v0/workspace/imports")
        || path.starts_with("/api/v0/workspace/feed")
    {
        [false, false, true, false, true]
    } else if [
        "payments",
        "chain",
        "books",
        "reconciliation",
        "approvals",
        "alerts",
        "rewards",
    ]
    .iter()
    .any(|part| path.starts_with(&format!("/api/v0/workspace/{part}")))
    {
        [false, false, false, true, true]
    } else if [
        "read_models/",
        "grants",
        "brand",
        "reads",
        "settings",
        "second_factors",
        "texts",
    ]
    .iter()
    .any(|part| path.starts_with(&format!("/api/v0/workspace/{part}")))
    {
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
        refused.contains("the e-mail address `eve` cannot be used: Enter an e-mail address"),
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

/// A role is listed with its giver, and taken back from logins that are open, by the page and by the command line.
#[tokio::test]
async fn a_role_taken_back_is_gone_from_open_logins() {
    let server = Server::start();
    let [admin, support, finance] = [(); 3].map(|()| Visitor::new(&server));
    let own = admin.log_in_as("admin").await;
    let account = support.log_in_as("support").await;
    finance.log_in_as("finance").await;
    let (grants, leads, chain) = (
        "/api/v0/workspace/grants",
        "/api/v0/workspace/leads",
        "/api/v0/workspace/chain",
    );
    let listed = admin.get(grants).await;
    let held = |role: &str| {
        let all = listed.data().as_array().unwrap();
        all.iter().find(|grant| grant["role"] == role).unwrap().clone()
    };
    let of_support = held("support");
    assert_eq!(of_support["address"], "support@staff.example");
    assert_eq!(of_support["user_id"], account["id"]);
    assert_eq!(of_support["counts"], true);
    assert_eq!(of_support["by"], json!(null), "given on the command line");
    assert!(
        of_support["since"].as_str().unwrap().starts_with("20"),
        "{of_support}"
    );
    assert_eq!(held("admin")["own"], true);

    assert_eq!(support.get(leads).await.status, StatusCode::OK);
    let role = |id: &serde_json::Value, role: &str| format!("{grants}/{}/{role}", id.as_str().unwrap());
    let of_own = admin.delete(&role(&own["id"], "admin")).await;
    assert_eq!((of_own.status, of_own.code()), (StatusCode::CONFLICT, "own_role"));
    let back = admin.delete(&role(&account["id"], "support")).await;
    assert_eq!(back.status, StatusCode::OK, "{}", back.body);
    assert_eq!(support.get(leads).await.status, StatusCode::FORBIDDEN);
    let again = admin.delete(&role(&account["id"], "support")).await;
    assert_eq!(again.status, StatusCode::NOT_FOUND);
    let listed = admin.get(grants).await;
    assert_eq!(listed.data().as_array().unwrap().len(), 2, "{}", listed.body);

    assert_eq!(finance.get(chain).await.status, StatusCode::OK);
    let asked = ["revoke", "--email", "finance@staff.example", "--role", "finance"];
    let told = server.run(&asked);
    assert!(told.contains("no longer has the role finance"), "{told}");
    assert_eq!(finance.get(chain).await.status, StatusCode::FORBIDDEN);
    let refused = server.refused(&asked);
    assert!(refused.contains("has not the role finance"), "{refused}");
}
