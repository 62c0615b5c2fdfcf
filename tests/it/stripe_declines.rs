//! A card that Stripe's form hands over and a bank turns down: recorded, shown after a reload, listed for the desk, and told to who left.

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use stripe_standin::{SECRET_KEY, Standin, Weather};

use crate::desk::Officer;
use crate::market::{Buyer, Market, until};
use crate::stripe::{market, payment_id, press};
use crate::visitor::Visitor;

const GOOD: [(&str, &str); 1] = [("payment_method", "pm_card_visa")];
const NO_MONEY: [(&str, &str); 1] = [("payment_method", "pm_card_visa_chargeDeclinedInsufficientFunds")];
const NO_REASON: [(&str, &str); 1] = [("payment_method", "pm_card_visa_chargeDeclined")];

/// Presses Pay with a card that is turned down, and waits until the payment's page says why.
async fn decline_card(
    standin: &Standin,
    (buyer, token): (&Buyer, &str),
    card: &[(&str, &str)],
    code: &str,
) -> Value {
    let payment = buyer.read(token).await;
    let (status, answer) = press(standin, &payment, card).await;
    assert_eq!(status, StatusCode::PAYMENT_REQUIRED, "{answer}");
    let says = |payment: &Value| payment["status"] == "failed" && payment["decline"]["code"] == code;
    buyer.wait_for(token, says).await
}

/// A decline before any other word of the press is recorded; the next card is tried with the same intent, and the hold goes on.
#[tokio::test(flavor = "multi_thread")]
async fn stripe_decline_is_recorded_and_the_next_card_pays() {
    let standin = Standin::open().await.unwrap();
    let market = market(&standin).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let held = buyer.read(&token).await["hold_expires_at"].clone();
    decline_card(&standin, (&buyer, &token), &NO_MONEY, "insufficient_funds").await;
    // As after any press the room is held once more as long, and not again.
    let first = buyer
        .wait_for(&token, |payment| payment["hold_expires_at"] != held)
        .await;
    let counted = async || officer.events("&kind=declined").await["meta"]["count"].clone();
    until(async || (counted().await == 1).then_some(())).await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let on_list = async || {
        let list = desk.get("/api/v0/workspace/leads?stage=declined_today").await;
        list.data()["meta"]["count"].clone()
    };
    until(async || (on_list().await == 1).then_some(())).await;

    // The form is still there: its next card goes to Stripe before this server is asked.
    let second = decline_card(&standin, (&buyer, &token), &NO_REASON, "generic_decline").await;
    until(async || (counted().await == 2).then_some(())).await;
    let extended = &first["hold_expires_at"];
    assert_eq!(&second["hold_expires_at"], extended);
    let again = buyer.begin(&token).await;
    assert_eq!(again["status"], "initiated", "{again}");
    assert_eq!(
        (&again["gateway"], &again["hold_expires_at"]),
        (&first["gateway"], extended)
    );
    press(&standin, &again, &GOOD).await;
    let paid = buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    assert_eq!(paid["decline"], Value::Null);
    assert_eq!(standin.intents().len(), 1);
    let id = payment_id(&officer, &paid).await;
    let dossier = officer.dossier(&id).await;
    let beside = |kind: &str| {
        let events = dossier["events"].as_array().unwrap().iter();
        let ours = events.filter(|pair| pair["ours"]["kind"] == kind);
        ours.map(|pair| pair["webhook"]["type"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        beside("declined"),
        vec!["payment_intent.payment_failed"; 2],
        "{dossier}"
    );
    officer.every_ledger_balances().await;
}

/// Who leaves after the bank said no is told once that nothing was charged.
#[tokio::test(flavor = "multi_thread")]
async fn payer_who_leaves_after_a_stripe_decline_is_told() {
    let standin = Standin::open().await.unwrap();
    let market = market(&standin).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    decline_card(&standin, (&buyer, &token), &NO_MONEY, "insufficient_funds").await;
    Visitor::new(&market.server).wait(301).await;
    let failures = async || {
        let kinds = market.messages(&buyer.email).await;
        kinds.iter().filter(|kind| *kind == "payment_failed").count()
    };
    until(async || (failures().await > 0).then_some(())).await;
    market.caught_up().await;
    assert_eq!(failures().await, 1);
}

/// Hands a notice of Stripe to the server.
async fn deliver(market: &Market, (header, body): &(String, String)) {
    let post = Client::new().post(market.server.url("/api/webhooks/stripe"));
    let post = post.header("stripe-signature", header).body(body.clone());
    assert_eq!(post.send().await.unwrap().status(), StatusCode::OK, "{body}");
}

/// The notices of a decline and of the success after it end in one booking, whichever comes first, and however often.
#[tokio::test(flavor = "multi_thread")]
async fn stripe_decline_and_success_end_paid_in_either_order() {
    let standin = Standin::open().await.unwrap();
    let market = market(&standin).await;
    standin.notify(None);
    for (n, success_first) in [(1, false), (2, true)] {
        let buyer = market.person(n, 0);
        let token = buyer.begun().await;
        let payment = buyer.read(&token).await;
        let known = standin.signed_events().len();
        press(&standin, &payment, &NO_MONEY).await;
        press(&standin, &payment, &GOOD).await;
        let mut notices = standin.signed_events().split_off(known);
        if success_first {
            notices.reverse();
        }
        for notice in notices.iter().chain(&notices) {
            deliver(&market, notice).await;
        }
        let ended = |payment: &Value| payment["status"] == "success";
        let paid = buyer.wait_for(&token, ended).await;
        assert_eq!(
            (&paid["decline"], &paid["refunded_minor"]),
            (&Value::Null, &json!(0)),
            "{paid}"
        );
    }
    market.caught_up().await;
    assert_eq!(standin.refunds().len(), 0);
}

/// A card that the form of before hands over once another try could not be begun: its decline is recorded, and the next card pays.
#[tokio::test(flavor = "multi_thread")]
async fn stripe_decline_after_a_try_that_failed_is_recorded() {
    let standin = Standin::open().await.unwrap();
    let market = market(&standin).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let failed = decline_card(&standin, (&buyer, &token), &NO_MONEY, "insufficient_funds").await;
    standin.change_weather(Weather::Failing(503));
    assert_eq!(buyer.begin(&token).await["status"], "init_failure");
    standin.change_weather(Weather::Fair);
    let (status, answer) = press(&standin, &failed, &NO_REASON).await;
    assert_eq!(status, StatusCode::PAYMENT_REQUIRED, "{answer}");
    let says =
        |payment: &Value| payment["status"] == "failed" && payment["decline"]["code"] == "generic_decline";
    buyer.wait_for(&token, says).await;
    let counted = async || officer.events("&kind=declined").await["meta"]["count"].clone();
    until(async || (counted().await == 2).then_some(())).await;

    // After three calls in vain the provider is taken for away, and is not called for a moment.
    let again = until(async || {
        let payment = buyer.begin(&token).await;
        (payment["status"] == "initiated").then_some(payment)
    })
    .await;
    press(&standin, &again, &GOOD).await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    assert_eq!(standin.intents().len(), 1);
    officer.every_ledger_balances().await;
}

/// A slow method that is chosen in the form after a decline keeps the room: Stripe says that Pay was pressed.
#[tokio::test(flavor = "multi_thread")]
async fn slow_method_after_a_stripe_decline_is_pending() {
    let standin = Standin::open().await.unwrap();
    let market = market(&standin).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let failed = decline_card(&standin, (&buyer, &token), &NO_MONEY, "insufficient_funds").await;
    press(&standin, &failed, &[("payment_method", "pm_usBankAccount")]).await;
    buyer
        .wait_for(&token, |payment| {
            payment["status"] == "pending" && payment["hold_expires_at"].is_null()
        })
        .await;
}

/// Cancels the payment's intent as a member of staff does in Stripe's dashboard.
async fn cancel_in_dashboard(standin: &Standin, payment: &Value) {
    let secret = payment["gateway"]["client_secret"].as_str().unwrap();
    let (intent_id, _) = secret.split_once("_secret").unwrap();
    let url = format!("{}/v1/payment_intents/{intent_id}/cancel", standin.url());
    let cancel = Client::new().post(url).bearer_auth(SECRET_KEY);
    let cancel = cancel.header("idempotency-key", format!("dashboard-{intent_id}"));
    assert_eq!(cancel.send().await.unwrap().status(), StatusCode::OK);
}

/// An intent cancelled in the dashboard ends its try at once: the page says so, and the same room is paid with another intent.
#[tokio::test(flavor = "multi_thread")]
async fn intent_cancelled_in_the_dashboard_can_be_paid_anew() {
    let standin = Standin::open().await.unwrap();
    let market = market(&standin).await;
    let officer = Officer::arrives(&market).await;
    for (n, before) in [(1, "nothing"), (2, "a decline")] {
        let buyer = market.person(n, 0);
        let token = buyer.begun().await;
        if before == "a decline" {
            decline_card(&standin, (&buyer, &token), &NO_MONEY, "insufficient_funds").await;
        }
        let opened = buyer.read(&token).await;
        cancel_in_dashboard(&standin, &opened).await;
        let closed = buyer.wait_for(&token, is_closed).await;
        assert!(closed["hold_expires_at"].is_string(), "{before}: {closed}");

        let again = buyer.begin(&token).await;
        assert_eq!(again["status"], "initiated", "{before}: {again}");
        assert_ne!(
            again["gateway"]["client_secret"], opened["gateway"]["client_secret"],
            "{before}"
        );
        press(&standin, &again, &GOOD).await;
        buyer
            .wait_for(&token, |payment| payment["status"] == "success")
            .await;
    }
    assert_eq!(standin.refunds().len(), 0);
    officer.every_ledger_balances().await;
}

fn is_closed(payment: &Value) -> bool {
    payment["status"] == "failed"
        && payment["gateway"]["client_secret"].is_null()
        && payment["decline"]["code"] == "other"
}

/// A payer who takes a payment back cancels its intent too: that is no decline.
#[tokio::test(flavor = "multi_thread")]
async fn intent_cancelled_by_its_payer_is_no_decline() {
    let standin = Standin::open().await.unwrap();
    let market = market(&standin).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let (status, answer) = buyer
        .post(&format!("/api/v0/payments/{token}/cancel"), json!({}))
        .await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    until(async || (standin.intents()[0]["status"] == "canceled").then_some(())).await;
    market.caught_up().await;
    assert_eq!(officer.events("&kind=declined").await["meta"]["count"], 0);
    assert_eq!(buyer.read(&token).await["status"], "initiated");
}
