//! The last room: held before money moves, sold once, and no money kept without it (E7, T19, "50 payers for 3 rooms").

use futures::future::join_all;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use crate::desk::Officer;
use crate::market::{Buyer, Market, until};

const GOOD: &str = "4242424242424242";
const CHALLENGED: &str = "4000002500003155";

#[tokio::test]
async fn fifty_payers_for_three_rooms_make_three_bookings() {
    let market = Market::open(&[3], &[]).await;
    market
        .plan(json!({ "duplicate_percent": 50, "delay_ms": 300, "reorder": true }))
        .await;
    let payers: Vec<Buyer> = (0..50).map(|n| market.person(n, 0)).collect();
    let ends = join_all(payers.iter().map(|payer| async {
        let token = payer.open().await;
        match payer.begin(&token).await["status"].as_str() {
            Some("initiated") => payer.pay(&token, GOOD).await["status"]
                .as_str()
                .unwrap()
                .to_owned(),
            other => other.unwrap_or_default().to_owned(),
        }
    }))
    .await;
    let count = |status: &str| ends.iter().filter(|end| *end == status).count();
    assert_eq!((count("success"), count("sold_out")), (3, 47), "{ends:?}");
    let gateway = market.gateway().await;
    let charged = gateway["intents"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|intent| !intent["charge"].is_null())
        .count();
    assert_eq!(charged, 3);
    let officer = Officer::arrives(&market).await;
    let totals = officer.totals().await;
    assert_eq!(totals["captured_minor"], 3 * 25_907);
    assert_eq!(totals["refunded_minor"], 0);
    officer.every_ledger_balances().await;
}

/// A hold runs out the room goes to the next and the first is not charged.
#[tokio::test]
async fn expired_hold_passes_the_room_on_without_a_charge() {
    let market = Market::open(&[1], &[("LATCHKEY_HOLD_SECONDS", "2")]).await;
    let slow = market.person(1, 0);
    let slow_token = slow.begun().await;
    let quick = market.person(2, 0);
    let told = quick.open().await;
    assert_eq!(quick.begin(&told).await["status"], "sold_out");
    slow.wait_for(&slow_token, |payment| payment["status"] == "sold_out")
        .await;
    let (status, _) = slow.press(&slow_token, json!({ "card_number": GOOD })).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let next = quick.begun().await;
    assert_eq!(quick.pay(&next, GOOD).await["status"], "success");
    let charged = charges(&market).await;
    assert_eq!(charged, 1, "only the one with the room paid");
}

async fn charges(market: &Market) -> usize {
    let gateway = market.gateway().await;
    gateway["intents"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|intent| !intent["charge"].is_null())
        .count()
}

/// A charge that slips through after the room was lost goes back by itself.
#[tokio::test]
async fn late_charge_for_a_lost_room_is_refunded_by_itself() {
    let market = Market::open(&[9], &[("LATCHKEY_HOLD_SECONDS", "1")]).await;
    let (buyer, token) = charged_too_late(&market).await;
    let settled = buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == 25_907)
        .await;
    assert_eq!(settled["status"], "sold_out");
    assert_eq!(settled["refunds"][0]["status"], "acknowledged");
    until(|| async {
        let told = market.messages(&buyer.email).await;
        (told.contains(&"room_gone".to_owned()) && told.contains(&"refunded".to_owned())).then_some(())
    })
    .await;
    let officer = Officer::arrives(&market).await;
    let totals = officer.totals().await;
    assert_eq!(
        (&totals["net_minor"], &totals["pending_minor"]),
        (&json!(0), &json!(0))
    );
    officer.every_ledger_balances().await;
}

/// The bank's page is answered after the hold ran out while the gateway could not be told to cancel. It may be told in the
/// very instant before the answer; then somebody else tries.
async fn charged_too_late(market: &Market) -> (Buyer, String) {
    for n in 1..6 {
        let buyer = market.person(n, 0);
        let token = buyer.begun().await;
        let asked: Value = buyer.pay(&token, CHALLENGED).await;
        let page = market.server.url(asked["next_action"]["url"].as_str().unwrap());
        market.plan(json!({ "outage": true })).await;
        buyer
            .wait_for(&token, |payment| payment["status"] == "sold_out")
            .await;
        market.plan(json!({})).await;
        Client::new()
            .post(&page)
            .form(&[("challenge", "pass")])
            .send()
            .await
            .unwrap();
        if charges(market).await > 0 {
            return (buyer, token);
        }
    }
    panic!("the gateway was told to cancel before each answer");
}

/// The countdown grows by one hold while the bank is asked, and by no more when Pay is pressed again after a decline.
#[tokio::test]
async fn a_hold_is_extended_once_while_paying() {
    let market = Market::open(&[1], &[]).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let ends = |payment: &Value| {
        let text = payment["hold_expires_at"].as_str().unwrap();
        chrono::DateTime::parse_from_rfc3339(text).unwrap()
    };
    let first = ends(&buyer.read(&token).await);
    buyer.pay(&token, "4000000000009995").await;
    let extended = buyer.wait_for(&token, |payment| ends(payment) > first).await;
    assert_eq!(ends(&extended) - first, chrono::TimeDelta::minutes(10));
    let failed = buyer
        .wait_for(&token, |payment| payment["status"] == "failed")
        .await;
    assert_eq!(ends(&failed), ends(&extended), "a decline changes nothing");
    buyer.begin(&token).await;
    buyer.pay(&token, CHALLENGED).await;
    let again = buyer
        .wait_for(&token, |payment| payment["status"] == "processing")
        .await;
    assert_eq!(ends(&again), ends(&extended), "extended once");
}
