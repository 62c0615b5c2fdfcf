//! Finance finds payments by a person's address: with a reason, recorded, and never in an address of a request (row I6).

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::market::{Market, until};
use crate::visitor::Visitor;

const SEARCH: &str = "/api/v0/workspace/payments/by_email";
const GOOD: &str = "4242424242424242";

/// What is found is the person's own; the look stands with them and with the administrators, and support has no such search.
#[tokio::test]
async fn payments_are_found_by_email_and_the_look_is_recorded() {
    let market = Market::open(&[3], &[]).await;
    let mut paid = Vec::new();
    for n in 1..=2 {
        let buyer = market.person(n, 0);
        let token = buyer.begun().await;
        buyer.pay(&token, GOOD).await;
        let done = |payment: &Value| payment["status"] == "success";
        paid.push(buyer.wait_for(&token, done).await["reference"].clone());
    }
    let [finance, desk, admin] = [(); 3].map(|()| Visitor::new(&market.server));
    finance.log_in_as("finance").await;
    desk.log_in_as("support").await;
    admin.log_in_as("admin").await;
    let asked = |email: &str, reason: &str| json!({ "email": email, "reason": reason });
    let why = "She asks where her refund is";
    let found = until(async || {
        let found = finance.post(SEARCH, asked("BUYER1@example.com", why)).await;
        assert_eq!(found.status, StatusCode::OK, "{}", found.body);
        let rows = found.data().as_array().unwrap().clone();
        (rows.first()?["status"] == "success").then_some(rows)
    })
    .await;
    assert_eq!((found.len(), &found[0]["reference"]), (1, &paid[0]), "{found:?}");
    assert!(!json!(found).to_string().contains("buyer1"), "{found:?}");
    let wrong = finance.post(SEARCH, asked("buyer", why)).await;
    assert_eq!(wrong.fields(), ["email"]);
    let wordless = finance.post(SEARCH, asked("buyer1@example.com", "")).await;
    assert_eq!(wordless.fields(), ["reason"]);
    let unknown = finance.post(SEARCH, asked("else@example.com", why)).await;
    assert_eq!(unknown.data(), &json!([]));
    assert_eq!(
        desk.post(SEARCH, asked("buyer1@example.com", why)).await.status,
        StatusCode::FORBIDDEN
    );
    let looks = until(async || {
        let looks = admin.get("/api/v0/workspace/reads").await.data().clone();
        let rows = looks["reads"].as_array()?.clone();
        (!rows.is_empty()).then_some(rows)
    })
    .await;
    assert!(
        looks
            .iter()
            .all(|look| look["what"] == "payments" && look["reason"] == why),
        "{looks:?}"
    );
}
