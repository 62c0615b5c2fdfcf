//! A correction that was approved covers the amount it was approved for, and no other (row J3).

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::desk::Officer;
use crate::market::{Market, until};
use crate::visitor::{Answer, Visitor};

const PATH: &str = "/api/v0/workspace/reconciliation";
const GOOD: &str = "4242424242424242";

/// The one exception about a fee, after the account was read.
async fn fee(officer: &Officer) -> Option<Value> {
    exception(officer, "fee_differs").await
}

/// The first exception of a check, after the account was read.
async fn exception(officer: &Officer, check: &str) -> Option<Value> {
    let (status, run) = officer.post(&format!("{PATH}/run"), json!({})).await;
    assert_eq!(status, StatusCode::OK, "{run}");
    let mut exceptions = run["data"]["exceptions"].as_array().unwrap().iter();
    exceptions.find(|one| one["check"] == check).cloned()
}

/// One person proposes the posting of an exception, another approves it.
async fn corrected(officer: &Officer, admin: &Visitor<'_>, item: &Value) {
    let id = proposed(officer, item).await;
    let given = approved(admin, &id).await;
    assert_eq!(given.status, StatusCode::OK, "{}", given.body);
}

/// The id of the request that waits.
async fn proposed(officer: &Officer, item: &Value) -> String {
    let body = json!({ "item": item, "reason": "claimed from the provider" });
    let (status, proposed) = officer.post(&format!("{PATH}/proposals"), body).await;
    assert_eq!(status, StatusCode::CREATED, "{proposed}");
    proposed["data"]["id"].as_str().unwrap().to_owned()
}

async fn approved(admin: &Visitor<'_>, id: &str) -> Answer {
    let path = format!("/api/v0/workspace/approvals/{id}/approve");
    admin.post(&path, json!({})).await
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

/// A paid booking whose dispute the provider tells in vain, and what the reconciliation makes of it.
async fn missing_dispute(market: &Market, officer: &Officer, n: usize) -> Value {
    let buyer = market.person(n, 0);
    let token = buyer.begun().await;
    buyer.pay(&token, GOOD).await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    let gateway = market.gateway().await;
    let mut intents = gateway["intents"].as_array().unwrap().iter();
    let quiet = intents.find(|intent| intent["charge"]["dispute"].is_null());
    let quiet = quiet.unwrap()["id"].clone();
    market.plan(json!({ "drop_percent": 100 })).await;
    let disputed = json!({ "intent": quiet, "status": "needs_response" });
    let (status, answer) = officer.post("/dev/sandbox/disputes", disputed).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    market.plan(json!({})).await;
    until(|| exception(officer, "missing_here")).await
}

/// The lost notice is pulled, and its money is in the books.
async fn pulled(officer: &Officer, disputes: u64) {
    let (status, answer) = officer.post(&format!("{PATH}/pull"), json!({})).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    until(async || {
        let opened = officer.events("&kind=dispute_opened").await;
        (opened["meta"]["count"] == disputes).then_some(())
    })
    .await;
}

async fn difference(officer: &Officer) -> Value {
    let run = officer.get(PATH).await;
    run["data"]["totals"][0]["difference_minor"].clone()
}

/// A notice that was lost comes after its correction was asked for: the books have its money, and the correction is not approved any more.
/// It comes after the correction was approved: what stands in the books twice is told, and taken back by two people.
#[tokio::test(flavor = "multi_thread")]
async fn correction_without_a_cause_is_refused_or_told() {
    let market = Market::open(&[9], &[]).await;
    let officer = Officer::arrives(&market).await;
    let admin = Visitor::new(&market.server);
    admin.log_in_as("admin").await;

    let missing = missing_dispute(&market, &officer, 1).await;
    let waiting = proposed(&officer, &missing["item"]).await;
    pulled(&officer, 1).await;
    let late = approved(&admin, &waiting).await;
    assert_eq!(
        (late.status, late.code()),
        (StatusCode::CONFLICT, "correction_outdated"),
        "{}",
        late.body
    );
    let decline = format!("/api/v0/workspace/approvals/{waiting}/decline");
    let declined = admin.post(&decline, json!({ "reason": "the notice came" })).await;
    assert_eq!(declined.data()["decision"], "declined");
    assert_eq!(difference(&officer).await, 0);

    let missing = missing_dispute(&market, &officer, 2).await;
    let amount = missing["mending"]["amount_minor"].clone();
    corrected(&officer, &admin, &missing["item"]).await;
    assert_eq!(difference(&officer).await, 0);
    pulled(&officer, 2).await;
    let twice = until(|| exception(&officer, "missing_here")).await;
    assert_eq!(twice["item"], missing["item"]);
    assert_eq!(
        twice["mending"],
        json!({ "debit": "gateway_clearing", "credit": "suspense", "amount_minor": amount })
    );
    corrected(&officer, &admin, &twice["item"]).await;
    until(async || exception(&officer, "missing_here").await.is_none().then_some(())).await;
    assert_eq!(difference(&officer).await, 0);
    officer.every_ledger_balances().await;
}
