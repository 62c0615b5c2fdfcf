//! Notices of the gateway arrive late, out of order and again and again: each payment comes to the one end that the gateway knows,
//! and a notice whose signature is old counts for nothing (RELIABILITY R9). The seed fixes which notices come again, and their
//! order.

use std::time::{Duration, Instant};

use futures::future::join_all;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tests::sample;
use tests::sample::{Dice, Sample};

use crate::market::{Buyer, Market, until};
use crate::payment_kill::sold;

const PAYMENTS: &str = "LATCHKEY_TEST_NOTICED";
/// How many: in the gate, and in all.
const PAYMENTS_USUALLY: (usize, usize) = (100, 1_000);
/// Payments whose notices are mixed with each other.
const MIXED: usize = 20;
/// Deliveries a payment.
const TIMES: usize = 10;
const CARDS: [&str; 4] = [
    "4242424242424242",
    "4000000000010043",
    "4000000000009995",
    "4242424242424242",
];
/// How far a signature's time may be off.
const GOOD_FOR_S: u32 = 300;

async fn deliver(client: &Client, market: &Market, notice: &Value) -> (StatusCode, Duration) {
    let begun = Instant::now();
    let request = client
        .post(market.server.url("/api/webhooks/stripe"))
        .header("stripe-signature", notice["signature"].as_str().unwrap())
        .body(notice["body"].as_str().unwrap().to_owned());
    let status = request.send().await.unwrap().status();
    (status, begun.elapsed())
}

/// Pays, while every notice of the gateway gets lost on its way.
async fn paid(market: &Market, n: usize) -> (Buyer, String) {
    let buyer = market.person(n, 0);
    let token = buyer.begun().await;
    let body = json!({ "card_number": CARDS[n % CARDS.len()] });
    let (status, said) = buyer.press(&token, body).await;
    assert_eq!(status, StatusCode::OK, "{said}");
    (buyer, token)
}

/// What the gateway has to say of its latest payments, each at least once, ten times a payment.
async fn told(market: &Market, payments: usize, dice: &mut Dice) -> Vec<Value> {
    let known = market.gateway().await;
    let newest = known["notices"].as_array().unwrap().clone();
    let mut all: Vec<Value> = newest.clone();
    while all.len() < payments * TIMES {
        all.push(dice.one_of(&newest).clone());
    }
    dice.shuffle(&mut all);
    all
}

/// Shuffled and repeated notices lead each payment to the end that the gateway knows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shuffled_notices_lead_to_the_gateways_own_end() {
    let Sample {
        rounds: [payments],
        mut dice,
    } = sample!(PAYMENTS => PAYMENTS_USUALLY);
    let market = Market::open(&[100_000], &[]).await;
    market
        .plan(json!({ "drop_percent": 100, "settle_after_ms": 1 }))
        .await;
    let client = Client::new();
    let mut took = Vec::new();
    let mut all = Vec::new();
    for first in (0..payments).step_by(MIXED) {
        let some = join_all((first..payments.min(first + MIXED)).map(|n| paid(&market, n))).await;
        for notices in told(&market, some.len(), &mut dice).await.chunks(16) {
            for (status, time) in
                join_all(notices.iter().map(|notice| deliver(&client, &market, notice))).await
            {
                assert_eq!(status, StatusCode::OK);
                took.push(time);
            }
        }
        all.extend(some);
    }
    let intents = market.gateway().await["intents"].clone();
    let succeeded = |n: &usize| CARDS[n % CARDS.len()] != CARDS[2];
    for (n, (buyer, token)) in all.iter().enumerate() {
        let end = if succeeded(&n) { "success" } else { "failed" };
        let payment = buyer.wait_for(token, |payment| payment["status"] == end).await;
        assert_eq!(payment["refunded_minor"], 0, "{payment}");
    }
    let charged = intents
        .as_array()
        .unwrap()
        .iter()
        .filter(|intent| !intent["charge"].is_null());
    let all_succeeded = (0..payments).filter(succeeded).count();
    assert_eq!(charged.count(), all_succeeded);
    market.caught_up().await;
    assert_eq!(sold(&market).await, all_succeeded, "one booking each");
    took.sort();
    let slow = took[took.len() * 99 / 100];
    println!(
        "{} notices about {payments} payments; 99 of 100 answered within {slow:?}",
        took.len()
    );
}

/// The first notice of a payment once its signature is too old; says how it was answered.
async fn an_old_notice(settings: &[(&str, &str)]) -> StatusCode {
    let market = Market::open(&[3], settings).await;
    market.plan(json!({ "drop_percent": 100 })).await;
    paid(&market, 1).await;
    let notice = until(|| async {
        market.gateway().await["notices"]
            .as_array()
            .unwrap()
            .first()
            .cloned()
    })
    .await;
    let client = Client::new();
    assert_eq!(deliver(&client, &market, &notice).await.0, StatusCode::OK);
    let forward = json!({ "forward_seconds": GOOD_FOR_S + 1 });
    let clock = client
        .post(market.server.url("/dev/clock"))
        .json(&forward)
        .send()
        .await
        .unwrap();
    assert_eq!(clock.status(), StatusCode::OK);
    // What the test page shows is signed anew where it is shown: this one was taken before.
    deliver(&client, &market, &notice).await.0
}

#[tokio::test]
async fn a_notice_with_an_old_signature_is_refused() {
    assert_eq!(an_old_notice(&[]).await, StatusCode::BAD_REQUEST);
}

/// A notice that counts however old it is gets another answer.
#[tokio::test]
async fn control_stale_notice_is_noticed() {
    let planted = [("LATCHKEY_PLANTED_FAULT", "stale_notices")];
    assert_eq!(an_old_notice(&planted).await, StatusCode::OK);
}
