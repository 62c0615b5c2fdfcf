//! The promises R7 to R10 with Stripe as the provider: one bed one booking, however often is pressed one charge, notices in any order
//! one end, page and notice at once one booking. R11 is about mail alone, and the provider is no part of it (`mail_kill.rs`).

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use futures::future::join_all;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use stripe_standin::Standin;
use tests::sample;
use tests::sample::Sample;

use crate::desk::Officer;
use crate::market::{Buyer, Market, until};
use crate::payment_kill::sold;
use crate::stripe::{market_of, press};

const AT_ONCE: usize = 64;
/// How many: in the gate, and in all.
const ROUNDS: &str = "LATCHKEY_TEST_STRIPE_ROUNDS";
const ROUNDS_USUALLY: (usize, usize) = (1, 20);
const PAYMENTS: &str = "LATCHKEY_TEST_STRIPE_PAYMENTS";
const PAYMENTS_USUALLY: (usize, usize) = (3, 50);
const NOTICED: &str = "LATCHKEY_TEST_STRIPE_NOTICED";
const NOTICED_USUALLY: (usize, usize) = (20, 500);
const RETURNS: &str = "LATCHKEY_TEST_STRIPE_RETURNS";
const RETURNS_USUALLY: (usize, usize) = (10, 200);
/// Deliveries a payment.
const TIMES: usize = 10;
const GOOD: &str = "pm_card_visa";
const DECLINED: &str = "pm_card_visa_chargeDeclined";
const METHODS: [&str; 4] = [GOOD, "pm_usBankAccount", DECLINED, GOOD];

async fn pressed(standin: &Standin, buyer: &Buyer, token: &str, method: &str) -> StatusCode {
    let payment = buyer.read(token).await;
    press(standin, &payment, &[("payment_method", method)]).await.0
}

async fn succeeds(buyer: &Buyer, token: &str) -> Value {
    buyer
        .wait_for(token, |payment| payment["status"] == "success")
        .await
}

fn paid_at(standin: &Standin) -> usize {
    let intents = standin.intents();
    intents
        .iter()
        .filter(|intent| intent["status"] == "succeeded")
        .count()
}

/// Of 64 who want the last bed one holds it, and at Stripe no other can pay.
#[tokio::test(flavor = "multi_thread")]
async fn last_bed_on_stripe_is_held_by_one_of_64() {
    let Sample {
        rounds: [rounds],
        mut dice,
    } = sample!(ROUNDS => ROUNDS_USUALLY);
    let standin = Standin::open().await.unwrap();
    let market = market_of(&standin, 1).await;
    for round in 0..rounds {
        let mut wanting: Vec<Buyer> = (0..AT_ONCE)
            .map(|n| market.person(round * AT_ONCE + n, 0))
            .collect();
        dice.shuffle(&mut wanting);
        let tokens = join_all(wanting.iter().map(Buyer::open)).await;
        let ends = join_all(wanting.iter().zip(&tokens).map(|(buyer, token)| async {
            buyer.begin(token).await;
            let ended = |payment: &Value| payment["status"] != "init_loading";
            buyer.wait_for(token, ended).await["status"].clone()
        }))
        .await;
        let winners: Vec<usize> = (0..AT_ONCE).filter(|n| ends[*n] == "initiated").collect();
        assert_eq!(winners.len(), 1, "round {round}: {ends:?}");
        until(|| async {
            let intents = standin.intents();
            let payable = intents
                .iter()
                .filter(|intent| intent["status"] == "requires_payment_method");
            (payable.count() == 1).then_some(())
        })
        .await;
        let won = winners[0];
        let cancel = format!("/api/v0/payments/{}/cancel", tokens[won]);
        assert_eq!(wanting[won].post(&cancel, json!({})).await.0, StatusCode::OK);
        until(|| async {
            let all = standin.intents();
            all.iter()
                .all(|intent| intent["status"] == "canceled")
                .then_some(())
        })
        .await;
    }
    println!("{rounds} rounds of {AT_ONCE} for one bed on Stripe: one winner each");
}

/// 64 presses of the same step are one intent and one charge, and all are given the same answer.
#[tokio::test(flavor = "multi_thread")]
async fn pay_pressed_64_times_on_stripe_charges_once() {
    let Sample {
        rounds: [payments], ..
    } = sample!(PAYMENTS => PAYMENTS_USUALLY);
    let standin = Standin::open().await.unwrap();
    let market = market_of(&standin, 1_000).await;
    for n in 0..payments {
        let buyer = market.person(n, 0);
        let token = buyer.open().await;
        let address = buyer.address.lock().unwrap().clone();
        let url = format!("{address}/api/v0/payments/{token}/intent");
        let answers = join_all((0..AT_ONCE).map(|_| async {
            let begin = buyer.client.post(&url).header("idempotency-key", "one-press");
            begin.send().await.unwrap().text().await.unwrap()
        }))
        .await;
        let answers: BTreeSet<String> = answers.into_iter().collect();
        assert_eq!(answers.len(), 1, "not the same bytes: {answers:?}");
        let payment = buyer
            .wait_for(&token, |payment| payment["status"] == "initiated")
            .await;
        let method = [("payment_method", GOOD)];
        let presses = join_all((0..AT_ONCE).map(|_| press(&standin, &payment, &method))).await;
        let accepted = presses.iter().filter(|(status, _)| *status == StatusCode::OK);
        assert_eq!(accepted.count(), 1);
        let paid = succeeds(&buyer, &token).await;
        assert_eq!(paid["refunded_minor"], 0);
    }
    assert_eq!((standin.intents().len(), paid_at(&standin)), (payments, payments));
    market.caught_up().await;
    assert_eq!(sold(&market).await, payments);
    println!("{payments} payments on Stripe begun and pressed {AT_ONCE} times: one charge each");
}

async fn deliver(client: &Client, market: &Market, (header, body): &(String, String)) -> Duration {
    let begun = Instant::now();
    let request = client
        .post(market.server.url("/api/webhooks/stripe"))
        .header("stripe-signature", header)
        .body(body.clone());
    let status = request.send().await.unwrap().status();
    assert_eq!(status, StatusCode::OK, "{body}");
    begun.elapsed()
}

/// Shuffled and repeated notices lead each payment to the end that Stripe knows.
#[tokio::test(flavor = "multi_thread")]
async fn shuffled_stripe_notices_lead_to_stripes_own_end() {
    let Sample {
        rounds: [payments],
        mut dice,
    } = sample!(NOTICED => NOTICED_USUALLY);
    let standin = Standin::open().await.unwrap();
    let market = market_of(&standin, 100_000).await;
    standin.notify(None);
    let mut begun = Vec::new();
    for n in 0..payments {
        let buyer = market.person(n, 0);
        let token = buyer.begun().await;
        pressed(&standin, &buyer, &token, METHODS[n % METHODS.len()]).await;
        begun.push((buyer, token));
    }
    for intent in standin
        .intents()
        .iter()
        .filter(|intent| intent["status"] == "processing")
    {
        let id = intent["id"].as_str().unwrap();
        let url = format!("{}/v1/test_helpers/settle/{id}", standin.url());
        let settled = Client::new()
            .post(url)
            .bearer_auth(stripe_standin::SECRET_KEY)
            .send()
            .await;
        assert_eq!(settled.unwrap().status(), StatusCode::OK);
    }
    let events = standin.signed_events();
    let mut all = events.clone();
    while all.len() < payments * TIMES {
        all.push(dice.one_of(&events).clone());
    }
    dice.shuffle(&mut all);
    let client = Client::new();
    let mut took = Vec::new();
    for some in all.chunks(16) {
        took.extend(join_all(some.iter().map(|event| deliver(&client, &market, event))).await);
    }
    let succeeded = |n: &usize| METHODS[n % METHODS.len()] != DECLINED;
    for (_, (buyer, token)) in begun.iter().enumerate().filter(|(n, _)| succeeded(n)) {
        assert_eq!(succeeds(buyer, token).await["refunded_minor"], 0);
    }
    let all_succeeded = (0..payments).filter(succeeded).count();
    assert_eq!(paid_at(&standin), all_succeeded);
    market.caught_up().await;
    assert_eq!(sold(&market).await, all_succeeded, "one booking each");
    took.sort();
    let slow = took[took.len() * 99 / 100];
    println!(
        "{} notices of Stripe about {payments} payments; 99 of 100 answered within {slow:?}",
        took.len()
    );
}

/// The payer's page reads the payment while Stripe's notice arrives: one booking, one receipt, none missing.
#[tokio::test(flavor = "multi_thread")]
async fn page_and_notice_on_stripe_make_one_booking() {
    let Sample {
        rounds: [payments], ..
    } = sample!(RETURNS => RETURNS_USUALLY);
    let standin = Standin::open().await.unwrap();
    let market = market_of(&standin, 1_000).await;
    for n in 0..payments {
        let buyer = market.person(n, 0);
        let token = buyer.begun().await;
        // The page that comes back reads before, while and after the notice arrives.
        let page = async {
            for _ in 0..5 {
                buyer.read(&token).await;
            }
            succeeds(&buyer, &token).await
        };
        let (paid, status) = tokio::join!(page, pressed(&standin, &buyer, &token, GOOD));
        assert_eq!((status, &paid["refunded_minor"]), (StatusCode::OK, &json!(0)));
        let receipts = || async {
            let sent = market.messages(&buyer.email).await;
            let receipts = sent.iter().filter(|kind| *kind == "receipt").count();
            (receipts > 0).then_some(receipts)
        };
        assert_eq!(until(receipts).await, 1);
    }
    let officer = Officer::arrives(&market).await;
    assert_eq!(officer.events("&kind=captured").await["meta"]["count"], payments);
    market.caught_up().await;
    assert_eq!(sold(&market).await, payments);
    println!("{payments} pages and notices of Stripe at once: one booking and one receipt each");
}
