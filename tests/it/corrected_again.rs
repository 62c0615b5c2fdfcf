//! A correction that was approved covers the amount it was approved for, and no other (row J3).

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::desk::Officer;
use crate::market::{Market, until};
use crate::visitor::Visitor;

const PATH: &str = "/api/v0/workspace/reconciliation";
const GOOD: &str = "4242424242424242";

/// The one exception about a fee, after the account was read.
async fn fee(officer: &Officer) -> Option<Value> {
    let (status, run) = officer.post(&format!("{PATH}/run"), json!({})).await;
    assert_eq!(status, StatusCode::OK, "{run}");
    let exceptions = run["data"]["exceptions"].as_array().unwrap().iter();
    let mut fees = exceptions.filter(|one| one["check"] == "fee_differs");
    fees.next().cloned()
}

/// One person proposes the posting of an exception, another approves it.
async fn corrected(officer: &Officer, admin: &Visitor<'_>, item: &Value) {
    let body = json!({ "item": item, "reason": "claimed from the provider" });
    let (status, proposed) = officer.post(&format!("{PATH}/proposals"), body).await;
    assert_eq!(status, StatusCode::CREATED, "{proposed}");
    let id = proposed["data"]["id"].as_str().unwrap();
    let given = admin
        .post(&format!("/api/v0/workspace/approvals/{id}/approve"), json!({}))
        .await;
    assert_eq!(given.status, StatusCode::OK, "{}", given.body);
}

/// The provider keeps more after the correction was approved: the exception is told again, and the rest is posted.
#[tokio::test(flavor = "multi_thread")]
async fn exception_comes_back_when_its_amount_changes() {
    let agreed = [
        ("LATCHKEY_PROVIDER_FEE_PERMILLE", "15"),
        ("LATCHKEY_PROVIDER_FEE_FIXED", "20"),
    ];
    let market = Market::open(&[9], &agreed).await;
    let officer = Officer::arrives(&market).await;
    let admin = Visitor::new(&market.server);
    admin.log_in_as("admin").await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    buyer.pay(&token, GOOD).await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    let charge = until(async || {
        let found = officer.events("&kind=captured").await;
        found["result"][0]["gateway_id"].as_str().map(str::to_owned)
    })
    .await;
    market
        .plan(json!({ "fee_extra_of": charge, "fee_extra_minor": 100 }))
        .await;
    let first = until(|| fee(&officer)).await;
    corrected(&officer, &admin, &first["item"]).await;
    until(async || fee(&officer).await.is_none().then_some(())).await;
    // What was read of a movement is read again with its payout.
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    let period = u64::try_from(now.as_millis()).unwrap() / 1_000 + 2;
    market
        .plan(json!({ "fee_extra_of": charge, "fee_extra_minor": 250, "payout_every_ms": period }))
        .await;
    let again = until(|| fee(&officer)).await;
    assert_eq!(again["difference_minor"], 250, "{again}");
    assert_eq!(
        again["mending"],
        json!({ "debit": "suspense", "credit": "gateway_fees", "amount_minor": 150 })
    );
    corrected(&officer, &admin, &again["item"]).await;
    until(async || fee(&officer).await.is_none().then_some(())).await;
    let suspense = officer
        .get("/api/v0/workspace/books/accounts/suspense?currency=GBP")
        .await;
    assert_eq!(suspense["data"]["closing_minor"], 250, "{suspense}");
    officer.every_ledger_balances().await;
}
