//! The payer's return to the page and the gateway's notice arrive within 5 ms of each other, in both orders (RELIABILITY R10),
//! and a page of success that was not paid for says nothing of the kind (T16, T18).

use std::time::Duration;

use futures::future::join_all;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tests::sample;
use tests::sample::{Dice, Sample};

use crate::market::{Buyer, Market, until};
use crate::payment_kill::sold;

/// How many payments: in the gate, and in all.
const PAYMENTS: &str = "LATCHKEY_TEST_RETURNS";
const PAYMENTS_USUALLY: (usize, usize) = (40, 2_000);
/// Payments that are on their way side by side.
const MIXED: usize = 20;
const GOOD: &str = "4242424242424242";
/// How far apart the two arrive at most, in microseconds.
const APART_US: usize = 5_000;

/// Asks for the page that the payer comes back to.
async fn come_back(market: &Market, token: &str, after: Duration) -> StatusCode {
    tokio::time::sleep(after).await;
    let page = market.server.url(&format!("/payments/complete?token={token}"));
    Client::new().get(page).send().await.unwrap().status()
}

/// Sends the gateway's own notice of the success.
async fn notify(market: &Market, notice: &Value, after: Duration) -> StatusCode {
    tokio::time::sleep(after).await;
    let request = Client::new()
        .post(market.server.url("/api/webhooks/stripe"))
        .header("stripe-signature", notice["signature"].as_str().unwrap())
        .body(notice["body"].as_str().unwrap().to_owned());
    request.send().await.unwrap().status()
}

/// Pays while every notice is held back.
async fn paid(market: &Market, n: usize) -> (Buyer, String) {
    let buyer = market.person(n, 0);
    let token = buyer.begun().await;
    let (status, said) = buyer.press(&token, json!({ "card_number": GOOD })).await;
    assert_eq!(status, StatusCode::OK, "{said}");
    (buyer, token)
}

/// The newest notices that tell of a success, newest first.
async fn successes(market: &Market, count: usize) -> Vec<Value> {
    let known = market.gateway().await["notices"].clone();
    let told = known.as_array().unwrap().iter();
    told.filter(|notice| notice["type"] == "payment_intent.succeeded")
        .take(count)
        .cloned()
        .collect()
}

async fn race(market: &Market, numbers: std::ops::Range<usize>, dice: &mut Dice) -> Vec<(Buyer, String)> {
    let some = join_all(numbers.map(|n| paid(market, n))).await;
    let notices = successes(market, some.len()).await;
    assert_eq!(notices.len(), some.len());
    let mut wait = || Duration::from_micros(dice.place(APART_US) as u64);
    let runs: Vec<_> = some
        .iter()
        .zip(&notices)
        .map(|(one, notice)| (&one.1, notice, wait(), wait()))
        .collect();
    let ended = runs.into_iter().map(|(token, notice, page_after, notice_after)| {
        futures::future::join(
            come_back(market, token, page_after),
            notify(market, notice, notice_after),
        )
    });
    for statuses in join_all(ended).await {
        assert_eq!(statuses, (StatusCode::OK, StatusCode::OK));
    }
    some
}

/// Page or notice first: one booking and one receipt each.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn return_and_notice_in_either_order_end_in_one_booking() {
    let Sample {
        rounds: [payments],
        mut dice,
    } = sample!(PAYMENTS => PAYMENTS_USUALLY);
    let market = Market::open(&[100_000], &[]).await;
    market
        .plan(json!({ "drop_percent": 100, "settle_after_ms": 1 }))
        .await;
    let mut all = Vec::new();
    for first in (0..payments).step_by(MIXED) {
        all.extend(race(&market, first..payments.min(first + MIXED), &mut dice).await);
    }
    for (buyer, token) in &all {
        buyer
            .wait_for(token, |payment| payment["status"] == "success")
            .await;
        until(|| async { (!market.messages(&buyer.email).await.is_empty()).then_some(()) }).await;
    }
    market.caught_up().await;
    assert_eq!(sold(&market).await, payments, "one booking each");
    for (buyer, _) in &all {
        let told = market.messages(&buyer.email).await;
        assert_eq!(
            told.iter().filter(|kind| *kind == "receipt").count(),
            1,
            "{told:?}"
        );
    }
    println!("{payments} payments: page and notice within 5 ms, one booking and one receipt each");
}

/// What the page of success says of a payment.
async fn completed(market: &Market, query: &str) -> (StatusCode, String) {
    let page = market.server.url(&format!("/payments/complete?{query}"));
    let answer = Client::new().get(page).send().await.unwrap();
    (answer.status(), answer.text().await.unwrap())
}

/// Whatever its address says, the page of success changes no payment and is served without a word of success.
#[tokio::test]
async fn success_page_believes_the_log_and_not_its_address() {
    let market = Market::open(&[9], &[]).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let before = buyer.read(&token).await;
    let lead = before["lead_uuid"].as_str().unwrap_or_default().to_owned();
    let guessed = format!("token={}", "0".repeat(32));
    assert_eq!(completed(&market, &guessed).await.0, StatusCode::NOT_FOUND);
    let asked = format!(
        "token={token}&lead_uuid={lead}&showSubmitConfirmation=1&status=success&redirect_status=succeeded"
    );
    let (status, page) = completed(&market, &asked).await;
    assert_eq!(status, StatusCode::OK);
    assert!(!page.contains("The room is yours"), "{page}");
    let after = buyer.read(&token).await;
    assert_eq!(
        (&after["status"], &after["version"]),
        (&json!("initiated"), &before["version"])
    );
}

/// No step can be left out, taken twice or taken back once money has moved.
#[tokio::test]
async fn steps_out_of_order_are_refused_and_change_nothing() {
    let market = Market::open(&[9], &[]).await;
    let buyer = market.person(1, 0);
    let token = buyer.open().await;
    let step = |name: &str| format!("/api/v0/payments/{token}/{name}");
    let refused = async |name: &str, body: Value| {
        let (status, said) = buyer.post(&step(name), body).await;
        assert_eq!(status, StatusCode::CONFLICT, "{name}: {said}");
        assert_eq!(said["message"]["code"], "payment_step_not_allowed", "{name}");
    };
    refused("sandbox_confirm", json!({ "card_number": GOOD })).await;
    buyer.begin(&token).await;
    assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");
    // The receipt's mail is noted on the payment: what follows is compared with what stands after it.
    market.caught_up().await;
    let paid = buyer.read(&token).await;
    refused("cancel", json!({})).await;
    let again = buyer
        .try_call(Method::POST, &step("intent"), Some(&json!({})), None)
        .await
        .unwrap();
    assert!(again.0 == StatusCode::OK || again.0 == StatusCode::CONFLICT);
    let after = buyer.read(&token).await;
    assert_eq!(
        (&after["status"], &after["version"]),
        (&paid["status"], &paid["version"])
    );
}
