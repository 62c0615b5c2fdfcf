//! One bed, one booking; one click on Pay or 256, one charge (RELIABILITY R7, R8). `LATCHKEY_TEST_ROUNDS=200` and
//! `LATCHKEY_TEST_PAYMENTS=100` are the full runs.

use futures::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::market::{Buyer, Market};

const AT_ONCE: usize = 256;
const GOOD: &str = "4242424242424242";
/// After so many payments of one lead for one room the server asks for a person.
const ROUNDS_PER_LEAD: usize = 40;

fn times(switch: &str, usually: usize) -> usize {
    std::env::var(switch).map_or(usually, |count| count.parse().unwrap())
}

/// Calls one after the other in groups, so that preparing does not run into limits.
async fn prepared(buyers: &[Buyer]) -> Vec<String> {
    let mut tokens = Vec::new();
    for group in buyers.chunks(32) {
        tokens.extend(join_all(group.iter().map(Buyer::open)).await);
    }
    tokens
}

#[tokio::test]
async fn of_256_who_want_the_last_bed_at_once_exactly_one_holds_it_every_round() {
    let rounds = times("LATCHKEY_TEST_ROUNDS", 2);
    let market = Market::open(&[1], &[]).await;
    for round in 0..rounds {
        let first = round / ROUNDS_PER_LEAD * AT_ONCE;
        let buyers: Vec<Buyer> = (first..first + AT_ONCE).map(|n| market.person(n, 0)).collect();
        let tokens = prepared(&buyers).await;
        let asked = buyers.iter().zip(&tokens);
        let answers = join_all(asked.map(|(buyer, token)| {
            let path = format!("/api/v0/payments/{token}/intent");
            async move { buyer.post(&path, json!({})).await }
        }))
        .await;
        let ended = |wanted: &str| {
            let of = |(status, body): &&(StatusCode, Value)| {
                assert_eq!(*status, StatusCode::OK, "{body}");
                body["data"]["status"] == wanted
            };
            answers.iter().filter(of).count()
        };
        assert_eq!(
            (ended("initiated"), ended("sold_out")),
            (1, AT_ONCE - 1),
            "round {round}"
        );
        let reasons = answers
            .iter()
            .filter(|(_, body)| body["data"]["sold_out_reason"] == "no_room");
        assert_eq!(reasons.count(), AT_ONCE - 1);
        let winner = answers
            .iter()
            .position(|(_, body)| body["data"]["status"] == "initiated");
        let winner = winner.unwrap();
        let cancel = format!("/api/v0/payments/{}/cancel", tokens[winner]);
        let (status, body) = buyers[winner].post(&cancel, json!({})).await;
        assert_eq!(status, StatusCode::OK, "{body}");
        market.caught_up().await;
    }
    println!("{rounds} rounds of {AT_ONCE} for one bed: one winner each");
}

#[tokio::test]
async fn of_256_presses_of_pay_under_one_key_one_charges() {
    let payments = times("LATCHKEY_TEST_PAYMENTS", 2);
    let market = Market::open(&[500], &[]).await;
    for n in 0..payments {
        let buyer = market.person(n, 0);
        let token = buyer.begun().await;
        let path = format!("/api/v0/payments/{token}/sandbox_confirm");
        let card = json!({ "card_number": GOOD });
        let press = || buyer.try_call(Method::POST, &path, Some(&card), Some("one-press"));
        for (status, body) in join_all((0..AT_ONCE).map(|_| press()))
            .await
            .into_iter()
            .map(Result::unwrap)
        {
            assert_eq!(status, StatusCode::OK, "{body}");
        }
        buyer
            .wait_for(&token, |payment| payment["status"] == "success")
            .await;
    }
    let gateway = market.gateway().await;
    let intents = gateway["intents"].as_array().unwrap();
    assert_eq!(intents.len(), payments);
    for intent in intents {
        assert_eq!(intent["attempts"], 1, "{intent}");
        assert_eq!(intent["charge"]["amount_minor"], 25_907);
    }
    println!("{payments} payments pressed {AT_ONCE} times: one charge each");
}
