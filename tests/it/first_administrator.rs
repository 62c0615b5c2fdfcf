//! The link that `latchkey grant` prints: it logs an administrator in where no mail can, once, for an hour.

use reqwest::{StatusCode, Url};
use serde_json::{Value, json};
use tests::Server;

use crate::visitor::{Answer, Visitor, hold_refused};

const ANN: &str = "ann@staff.example";

/// Grants a role, and gives what the printed link holds; `None` where none was printed.
fn grant(server: &Server, email: &str, role: &str) -> Option<Value> {
    let told = server.run(&["grant", "--email", email, "--role", role]);
    assert!(told.contains(&format!("has the role {role}")), "{told}");
    let link = told.lines().find(|line| line.starts_with("http://"))?;
    assert!(link.contains("/workspace#"), "{link}");
    assert!(
        told.contains(&format!("as {email}, once, within 60 minutes")),
        "{told}"
    );
    let named = Url::parse(&link.replace('#', "?")).unwrap();
    let named = named.query_pairs();
    Some(
        named
            .map(|(name, value)| (name.into_owned(), json!(value)))
            .collect(),
    )
}

async fn open(visitor: &Visitor<'_>, link: &Value) -> Answer {
    visitor
        .post("/api/v0/users/login_email_otp", json!({ "user": link }))
        .await
}

/// Nobody has a mail server yet: the first administrator comes in by the link, and no other person does by the same one.
#[tokio::test]
async fn printed_link_logs_the_first_administrator_in_once() {
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_DEV_TOOLS", "false"),
    ]);
    let (ann, other) = (Visitor::new(&server), Visitor::new(&server));
    let link = grant(&server, ANN, "admin").unwrap();
    let account = open(&ann, &link).await;
    assert_eq!(account.data()["roles"], json!(["admin"]));
    assert_eq!(account.data()["email"], ANN);
    ann.get("/api/v0/workspace/leads").await.data();
    hold_refused(&open(&other, &link).await, "user/otp", "a used link");
    // Without a mail server this stays the only way in.
    let next = grant(&server, ANN, "admin").unwrap();
    open(&other, &next).await.data();
}

/// A newer link and an hour end a link; whose mail arrives gets none, nor does another role or another address.
#[tokio::test]
async fn printed_link_ends_and_is_for_administrators_alone() {
    let server = Server::start();
    let ann = Visitor::new(&server);
    let former = grant(&server, ANN, "admin").unwrap();
    let mut link = grant(&server, ANN, "admin").unwrap();
    hold_refused(&open(&ann, &former).await, "user/otp", "a former link");
    let mut of_another = link.clone();
    of_another["email"] = json!("ben@staff.example");
    hold_refused(&open(&ann, &of_another).await, "user/otp", "another address");
    ann.wait(3_000).await;
    open(&ann, &link).await.data();
    assert_eq!(grant(&server, ANN, "admin"), None, "mails reach her");

    for (email, role) in [("ben@staff.example", "finance"), ("ben@else.example", "admin")] {
        assert_eq!(grant(&server, email, role), None, "{email} {role}");
    }
    link = grant(&server, "ben@staff.example", "admin").unwrap();
    ann.wait(3_600).await;
    let late = open(&Visitor::new(&server), &link).await;
    assert_eq!(late.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", late.body);
}
