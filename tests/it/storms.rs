//! One bed, one booking; one click on Pay or 256, one charge (RELIABILITY R7, R8). Notices of the gateway are in `notices.rs`
//! (R9). The seed fixes the order in which people ask; who is first at the server the scheduler decides.

use std::collections::BTreeSet;
use std::time::Duration;

use futures::future::join_all;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tests::sample;
use tests::sample::{Dice, Sample};

use crate::hoarding::rooms_left;
use crate::market::{Buyer, Market, log_of, until};

const AT_ONCE: usize = 256;
/// How many rounds: in the gate, and in all.
const ROUNDS: &str = "LATCHKEY_TEST_ROUNDS";
const ROUNDS_USUALLY: (usize, usize) = (10, 200);
/// How many payments: in the gate, and in all.
const PAYMENTS: &str = "LATCHKEY_TEST_PAYMENTS";
const PAYMENTS_USUALLY: (usize, usize) = (10, 100);
/// After so many payments of one lead for one room the server asks for a person.
const ROUNDS_PER_LEAD: usize = 40;
const GOOD: &str = "4242424242424242";
/// Another card, which is declined.
const OTHER: &str = "4000000000000002";
/// How often the page of somebody asks who waits for the room.
const PAGES_ASK: Duration = Duration::from_millis(200);
/// So many prepare at a time, so that preparing does not run into limits.
const PREPARE: usize = 32;

/// People who want the same bed, each with the enquiry that they pay for; others than those of another `first`.
async fn wanting(market: &Market, first: usize) -> Vec<(Buyer, String)> {
    let buyers: Vec<Buyer> = (first..first + AT_ONCE).map(|n| market.person(n, 0)).collect();
    let mut leads = Vec::new();
    for group in buyers.chunks(PREPARE) {
        leads.extend(join_all(group.iter().map(Buyer::enquire)).await);
    }
    buyers.into_iter().zip(leads).collect()
}

/// Opens a payment for each.
async fn opened(wanting: &[(Buyer, String)]) -> Vec<String> {
    let mut tokens = Vec::new();
    for group in wanting.chunks(PREPARE) {
        let group = group
            .iter()
            .map(|(buyer, lead)| buyer.open_for(lead, &buyer.room));
        tokens.extend(join_all(group).await);
    }
    tokens
}

/// Of 256 who want the last bed at once exactly one holds it, in every round.
#[tokio::test]
async fn last_bed_is_held_by_exactly_one_of_256() {
    let Sample {
        rounds: [rounds],
        mut dice,
    } = sample!(ROUNDS => ROUNDS_USUALLY);
    let market = Market::open(&[1], &[]).await;
    for first in (0..rounds).step_by(ROUNDS_PER_LEAD) {
        let mut wanting = wanting(&market, first * AT_ONCE).await;
        for round in first..rounds.min(first + ROUNDS_PER_LEAD) {
            dice.shuffle(&mut wanting);
            assert_eq!(winners(&wanting).await, 1, "round {round}");
        }
    }
    println!("{rounds} rounds of {AT_ONCE} for one bed: one winner each");
}

/// A bed that two people hold is counted as two winners.
#[tokio::test]
async fn control_bed_held_twice_is_noticed() {
    let planted = [("LATCHKEY_PLANTED_FAULT", "expectations_ignored")];
    let market = Market::open(&[1], &planted).await;
    let wanting = wanting(&market, 0).await;
    for _ in 0..5 {
        if winners(&wanting).await > 1 {
            return;
        }
    }
    panic!("the planted fault was not noticed");
}

/// Lets all ask at once for the one bed; says how many hold it, and makes it free again.
async fn winners(wanting: &[(Buyer, String)]) -> usize {
    let tokens = opened(wanting).await;
    let asked = wanting.iter().zip(&tokens);
    let answers = join_all(asked.map(|((buyer, _), token)| {
        let path = format!("/api/v0/payments/{token}/intent");
        async move {
            let (status, body) = buyer.post(&path, json!({})).await;
            if body["data"]["status"] != "init_loading" {
                return (status, body);
            }
            // A busy machine answers before the room has; the page goes on asking.
            let ended = buyer.wait_at(PAGES_ASK, token, |payment| payment["status"] != "init_loading");
            (status, json!({ "data": ended.await }))
        }
    }))
    .await;
    let ended = |wanted: &str| {
        let of = |(status, body): &&(StatusCode, Value)| {
            assert_eq!(*status, StatusCode::OK, "{body}");
            body["data"]["status"] == wanted
        };
        answers.iter().filter(of).count()
    };
    let winners = ended("initiated");
    assert_eq!(winners + ended("sold_out"), AT_ONCE);
    let reasons = answers
        .iter()
        .filter(|(_, body)| body["data"]["sold_out_reason"] == "no_room");
    assert_eq!(reasons.count(), AT_ONCE - winners);
    for (number, (_, body)) in answers.iter().enumerate() {
        if body["data"]["status"] == "initiated" {
            let cancel = format!("/api/v0/payments/{}/cancel", tokens[number]);
            let (status, body) = wanting[number].0.post(&cancel, json!({})).await;
            assert_eq!(status, StatusCode::OK, "{body}");
        }
    }
    let free = || async { (rooms_left(&wanting[0].0).await == 1).then_some(()) };
    until(free).await;
    winners
}

/// One press of Pay under a key; the answer as it came, to the byte.
async fn pressed(buyer: &Buyer, (token, step): (&str, &str), card: &str) -> (StatusCode, String) {
    let address = buyer.address.lock().unwrap().clone();
    let request = buyer
        .client
        .post(format!("{address}/api/v0/payments/{token}/{step}"))
        .header("idempotency-key", "one-press");
    let request = match step {
        "sandbox_confirm" => request.json(&json!({ "card_number": card })),
        _ => request,
    };
    let answer = request.send().await.unwrap();
    (answer.status(), answer.text().await.unwrap())
}

/// Presses so often at once under one key; the one answer that all were given.
async fn one_answer(buyer: &Buyer, press: (&str, &str)) -> String {
    let answers = join_all((0..AT_ONCE).map(|_| pressed(buyer, press, GOOD))).await;
    let answers: BTreeSet<_> = answers.into_iter().collect();
    assert_eq!(answers.len(), 1, "not the same bytes: {answers:?}");
    let (status, body) = answers.into_iter().next().unwrap();
    assert_eq!(status, StatusCode::OK, "{body}");
    body
}

/// Begins and pays each payment with so many presses at once; what these were told.
async fn paid_by_storms(
    market: &Market,
    payments: usize,
    dice: &mut Dice,
) -> Vec<(Buyer, String, [String; 2])> {
    let mut paid = Vec::new();
    let mut numbers: Vec<usize> = (0..payments).collect();
    dice.shuffle(&mut numbers);
    for n in numbers {
        let buyer = market.person(n, 0);
        let token = buyer.open().await;
        let begun = one_answer(&buyer, (&token, "intent")).await;
        let has_begun = |payment: &Value| payment["status"] == "initiated";
        buyer.wait_for(&token, has_begun).await;
        let confirmed = one_answer(&buyer, (&token, "sandbox_confirm")).await;
        buyer
            .wait_for(&token, |payment| payment["status"] == "success")
            .await;
        // With them go the connections of the presses: a process may have a thousand or so.
        let client = Client::new();
        paid.push((Buyer { client, ..buyer }, token, [begun, confirmed]));
    }
    market.caught_up().await;
    paid
}

/// Events of one kind that the log holds.
async fn count_of(market: &Market, event_type: &str) -> usize {
    let log = log_of(&market.server).await;
    let events = log.read_all(0, 1_000_000).await.unwrap();
    events
        .iter()
        .filter(|event| event.event_type == event_type)
        .count()
}

/// Of 256 presses of Pay under one key one charges, and all get the same answer, also after a restart and forty days.
#[tokio::test]
async fn pay_pressed_256_times_charges_once() {
    let Sample {
        rounds: [payments],
        mut dice,
    } = sample!(PAYMENTS => PAYMENTS_USUALLY);
    let mut market = Market::open(&[500], &[]).await;
    let paid = paid_by_storms(&market, payments, &mut dice).await;
    let gateway = market.gateway().await;
    let intents = gateway["intents"].as_array().unwrap();
    assert_eq!(intents.len(), payments);
    for intent in intents {
        assert_eq!(intent["attempts"], 1, "{intent}");
        assert_eq!(intent["charge"]["amount_minor"], 25_907);
    }
    market.kill_and_restart();
    forward(&paid[0].0).await;
    for (buyer, token, [begun, confirmed]) in &paid {
        let ok = |body: &String| (StatusCode::OK, body.clone());
        assert_eq!(pressed(buyer, (token, "intent"), GOOD).await, ok(begun));
        assert_eq!(
            pressed(buyer, (token, "sandbox_confirm"), GOOD).await,
            ok(confirmed)
        );
        let (status, body) = pressed(buyer, (token, "sandbox_confirm"), OTHER).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    }
    for step in [
        "PaymentBegun",
        "IntentReady",
        "PaymentConfirmed",
        "PaymentSucceeded",
    ] {
        assert_eq!(count_of(&market, step).await, payments, "{step}");
    }
    println!("{payments} payments pressed {AT_ONCE} times: one charge each, one answer to all");
}

/// An answer that is not kept under its key differs from the first.
#[tokio::test]
async fn control_forgotten_answer_is_noticed() {
    let planted = [("LATCHKEY_PLANTED_FAULT", "key_forgotten")];
    let market = Market::open(&[9], &planted).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let first = pressed(&buyer, (&token, "sandbox_confirm"), GOOD).await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    market.caught_up().await;
    let second = pressed(&buyer, (&token, "sandbox_confirm"), GOOD).await;
    assert_ne!(first, second);
    assert_eq!(
        pressed(&buyer, (&token, "sandbox_confirm"), OTHER).await.0,
        StatusCode::OK
    );
}

/// Forty days: far beyond the day for which gateways remember keys.
const LONG: u32 = 40 * 86_400;

/// Lets forty days pass.
async fn forward(anybody: &Buyer) {
    let (status, body) = anybody
        .post("/dev/clock", json!({ "forward_seconds": LONG }))
        .await;
    assert_eq!(status, StatusCode::OK, "{body}");
}

/// Enquires under a key, starts the server again, lets forty days pass, and asks once more: it is the same enquiry. Then asks for
/// something else under the key. Says whether the first was found and the second was refused.
async fn remembers_a_key_for_long(settings: &[(&str, &str)]) -> bool {
    let mut market = Market::open(&[9], settings).await;
    let buyer = market.person(1, 0);
    let (first, mut other) = (buyer.lead_body(), buyer.lead_body());
    other["lead"]["data"] = json!({ "user_query": "Is there a desk?" });
    let ask = async |question: &Value| {
        let answer = buyer.try_call(Method::POST, "/api/v0/leads", Some(question), Some("one-key"));
        answer.await.unwrap()
    };
    let (status, answer) = ask(&first).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    market.kill_and_restart();
    forward(&buyer).await;
    let (_, again) = ask(&first).await;
    let found = again["data"]["lead_uuid"] == answer["data"]["lead_uuid"];
    found && ask(&other).await.0 == StatusCode::UNPROCESSABLE_ENTITY
}

#[tokio::test]
async fn key_keeps_its_first_question_after_forty_days() {
    assert!(remembers_a_key_for_long(&[]).await);
}

/// A key that is not looked at makes a second enquiry.
#[tokio::test]
async fn control_forgotten_key_is_noticed() {
    let planted = [("LATCHKEY_PLANTED_FAULT", "key_forgotten")];
    assert!(!remembers_a_key_for_long(&planted).await);
}
