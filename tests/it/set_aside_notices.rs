//! Notices of the payment provider that were set aside: what names a payment of ours is never told as money without a payment.

use reqwest::StatusCode;
use serde_json::{Value, json};
use stripe_standin::Standin;

use crate::desk::Officer;
use crate::end_told::hand_in;
use crate::market::{Market, until};
use crate::receiver::{Answer, Receiver};
use crate::stripe;

const UNKNOWN: &str = "/api/v0/workspace/payments/unknown_notices";
const ALERTS: &str = "/api/v0/workspace/alerts";

async fn refund(officer: &Officer, payment: &Value, amount: u64) {
    let id = stripe::payment_id(officer, payment).await;
    let asked = json!({ "booking": "keep", "amount_minor": amount, "reason": "plans changed" });
    let path = format!("/api/v0/workspace/payments/{id}/refunds");
    let (status, answer) = officer.post(&path, asked).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
}

/// Refunds and disputes of the test gateway fit their payments: finance is told of nothing.
#[tokio::test(flavor = "multi_thread")]
async fn refund_and_dispute_of_the_test_gateway_raise_no_alarm() {
    let market = Market::open(&[3], &[]).await;
    let officer = Officer::arrives(&market).await;
    let refunded = market.person(1, 0);
    let token = refunded.begun().await;
    let payment = refunded.pay(&token, "4242424242424242").await;
    refund(&officer, &payment, 1_000).await;
    refunded
        .wait_for(&token, |payment| payment["refunded_minor"] == 1_000)
        .await;
    let disputed = market.person(2, 0);
    let token = disputed.begun().await;
    disputed.pay(&token, "4000000000000259").await;
    until(|| async {
        let gateway = market.gateway().await;
        let notices = gateway["notices"].as_array().unwrap();
        let told = |kind: &str| {
            notices
                .iter()
                .any(|one| one["type"] == kind && one["delivered"] == 1)
        };
        (told("refund.updated") && told("charge.dispute.created")).then_some(())
    })
    .await;
    market.caught_up().await;
    assert_eq!(officer.get(UNKNOWN).await["data"], json!([]));
    let alerts = officer.get(ALERTS).await["data"].clone();
    assert!(!alerts.to_string().contains("notices"), "{alerts}");
    officer.every_ledger_balances().await;
}

/// A refund without a currency and one of too much name their payment; money from elsewhere names none: two alerts, two kinds of advice.
#[tokio::test(flavor = "multi_thread")]
async fn notice_that_names_its_payment_is_told_apart_from_stray_money() {
    let receiver = Receiver::start(|_, _| Answer::status(200));
    let hook = format!("http://127.0.0.1:{}/hook", receiver.port);
    let standin = Standin::open().await.unwrap();
    let market = stripe::market_with(&standin, 5, &[("LATCHKEY_ALERT_URL", &hook)]).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let (_, paid) = stripe::paid_and_told(&standin, &buyer).await;
    let intent = standin.intents()[0]["id"].clone();
    for (id, amount, currency) in [
        ("re_bare", 1_000, Value::Null),
        ("re_huge", 99_999_999, json!("gbp")),
    ] {
        let refund = json!({ "id": id, "object": "refund", "amount": amount, "currency": currency,
            "payment_intent": intent, "status": "succeeded" });
        hand_in(&market, "refund.updated", refund).await;
    }
    standin.take_from_elsewhere(700, "gbp");
    let waiting = until(|| async {
        let waiting = officer.get(UNKNOWN).await["data"].as_array().unwrap().clone();
        (waiting.len() == 3).then_some(waiting)
    })
    .await;
    let (misfits, strays): (Vec<_>, Vec<_>) = waiting.iter().partition(|one| one["names_payment"] == true);
    assert_eq!((misfits.len(), strays.len()), (2, 1), "{waiting:?}");
    for misfit in &misfits {
        assert_eq!(misfit["named_reference"], paid["reference"], "{misfit}");
    }
    let alerts = officer.get(ALERTS).await["data"].as_array().unwrap().clone();
    for (kind, count) in [("misfit_notices", 2), ("unknown_notices", 1)] {
        assert!(
            alerts.contains(&json!({ "kind": kind, "count": count })),
            "{alerts:?}"
        );
    }
    let told = until(|| async {
        let mut told = receiver.received().into_iter().map(|one| one.json());
        told.find(|one| one["kind"] == "misfit_notices")
    })
    .await;
    let text = told["text"].as_str().unwrap();
    assert!(
        text.contains("2 notices do not match their payments") && !text.contains("no payment"),
        "{text}"
    );
    finds_its_payment_right(&officer, &misfits, &paid).await;
}

/// Matched to the payment that it names, each says why it does not fit; found right, the notice is dismissed.
async fn finds_its_payment_right(officer: &Officer, misfits: &[&Value], paid: &Value) {
    for misfit in misfits {
        let path = format!("{UNKNOWN}/{}", misfit["id"].as_str().unwrap());
        let matching = json!({ "payment": paid["reference"] });
        let (status, refused) = officer.post(&format!("{path}/match"), matching).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
        assert_eq!(refused["errors"][0]["code"], misfit["set_aside"], "{refused}");
        let checked = json!({ "reason": "payment_checked" });
        let (status, answer) = officer.post(&format!("{path}/dismiss"), checked).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }
    let alerts = officer.get(ALERTS).await["data"].clone();
    assert!(!alerts.to_string().contains("misfit_notices"), "{alerts}");
}
