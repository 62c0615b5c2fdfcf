//! A refund that its bank sends back after it was acknowledged: the books have it again, finance sees it with ways out, and the student
//! is told where it had been announced (P12).

use reqwest::StatusCode;
use serde_json::{Value, json};
use stripe_standin::Standin;
use tests::words::longest_words;

use crate::desk::Officer;
use crate::market::{Buyer, Market, until};
use crate::stripe;
use crate::visitor::Visitor;

const RETURNED: &str = "/api/v0/workspace/payments/failed_refunds";
const FINANCE: &str = "money@house.example";

async fn mail(market: &Market, to: &str, kind: &str) -> String {
    let reader = Visitor::new(&market.server);
    until(|| async {
        let sent = reader.get(&format!("/dev/outbox?to={to}")).await;
        let mails = sent.data().as_array().unwrap().clone();
        let mail = mails.iter().find(|mail| mail["kind"] == kind)?;
        Some(mail["body"].as_str().unwrap().to_owned())
    })
    .await
}

async fn waiting(officer: &Officer) -> Value {
    officer.get(RETURNED).await["data"].clone()
}

/// Refunds this much, and waits until the student was told.
async fn announced(
    market: &Market,
    officer: &Officer,
    buyer: &Buyer,
    (id, token): (&str, &str),
    amount: u64,
) {
    let body = json!({ "booking": "keep", "amount_minor": amount, "reason": "plans changed" });
    let path = format!("/api/v0/workspace/payments/{id}/refunds");
    let (status, answer) = officer.post(&path, body).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    buyer
        .wait_for(token, |payment| payment["refunded_minor"] == amount)
        .await;
    until(|| async {
        let told = market.messages(&buyer.email).await;
        told.contains(&"refunded".to_owned()).then_some(())
    })
    .await;
    market.caught_up().await;
}

/// On Stripe: the notice of the return undoes the ledger, the credit note counts no more, and the way out is another way of paying.
#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::too_many_lines, reason = "one story, told in order")]
async fn returned_refund_waits_for_finance_on_stripe() {
    let standin = Standin::open().await.unwrap();
    let market = stripe::market_telling(&standin, FINANCE).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let (token, paid) = stripe::paid_and_told(&standin, &buyer).await;
    let id = stripe::payment_id(&officer, &paid).await;
    announced(&market, &officer, &buyer, (&id, &token), 1_000).await;
    assert_eq!(waiting(&officer).await, json!([]));
    let refund = standin.refunds()[0]["id"].as_str().unwrap().to_owned();
    standin.return_refund(&refund);
    buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == 0)
        .await;
    let row = until(|| async { waiting(&officer).await.get(0).cloned() }).await;
    assert_eq!(
        (
            &row["payment_id"],
            &row["amount_minor"],
            &row["reason"],
            &row["was_announced"]
        ),
        (
            &json!(id),
            &json!(1_000),
            &json!("lost_or_stolen_card"),
            &json!(true)
        ),
        "{row}"
    );
    let told = mail(&market, &buyer.email, "refund_returned").await;
    assert!(
        told.contains("£10 ") && told.contains(&longest_words("mail.refund_returned.body")),
        "{told}"
    );
    let alert = mail(&market, FINANCE, "refund_came_back").await;
    assert!(alert.contains("£10 ") && !alert.contains(&buyer.email), "{alert}");
    let dossier = officer.dossier(&id).await;
    assert_eq!(
        (&dossier["balance_minor"], &dossier["refundable_minor"]),
        (&json!(0), &json!(25_907)),
        "{dossier}"
    );
    assert_eq!(dossier["failed_refunds"][0]["amount_minor"], 1_000, "{dossier}");
    let (receipt, note) = (&dossier["receipts"][0], &dossier["receipts"][1]);
    for (number, refunded) in [(receipt, 0), (note, 0)] {
        let path = format!("/api/v0/receipts/{}?token={token}", number.as_str().unwrap());
        let shown = Visitor::new(&market.server).get(&path).await;
        assert_eq!(
            shown.data()["facts"]["refunded_minor"],
            refunded,
            "{}",
            shown.body
        );
        assert_eq!(
            shown.data()["facts"]["refunds"][0]["failed"],
            true,
            "{}",
            shown.body
        );
    }

    let path = format!(
        "/api/v0/workspace/payments/{id}/refunds/{}/paid_elsewhere",
        row["refund_id"].as_str().unwrap()
    );
    let (status, answer) = officer.post(&path, json!({ "reason": " " })).await;
    assert_eq!(
        (status, &answer["errors"][0]["field"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("reason")),
        "{answer}"
    );
    for _twice in 0..2 {
        let how = json!({ "reason": "Bank transfer of 2 December" });
        let (status, answer) = officer.post(&path, how).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        assert_eq!(
            (
                &answer["data"]["refundable_minor"],
                &answer["data"]["refunded_minor"]
            ),
            (&json!(24_907), &json!(1_000)),
            "{answer}"
        );
    }
    assert_eq!(waiting(&officer).await, json!([]));
    let dossier = until(|| async {
        let dossier = officer.dossier(&id).await;
        let lines = dossier["ledger"].to_string();
        lines.contains("paid_elsewhere").then_some(dossier)
    })
    .await;
    assert_eq!(dossier["balance_minor"], 0, "{dossier}");
    let told = mail(&market, &buyer.email, "refund_paid_elsewhere").await;
    assert!(told.contains("£10 ") && told.contains("in another way"), "{told}");
    until(|| async { (standin.undelivered() == 0).then_some(()) }).await;
}

/// On the test gateway the bank refuses at once: nothing was announced, nothing is taken back, and the refund is sent again.
#[tokio::test]
async fn refund_the_sandbox_returns_is_sent_again() {
    let market = Market::open(&[3], &[]).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let paid = buyer.pay(&token, "4242424242424242").await;
    let id = stripe::payment_id(&officer, &paid).await;
    market.plan(json!({ "refunds_fail": true })).await;
    let body = json!({ "booking": "keep", "amount_minor": 1_000, "reason": "plans changed" });
    let path = format!("/api/v0/workspace/payments/{id}/refunds");
    assert_eq!(officer.post(&path, body.clone()).await.0, StatusCode::CREATED);
    let row = until(|| async { waiting(&officer).await.get(0).cloned() }).await;
    assert_eq!(row["was_announced"], false, "{row}");
    market.plan(json!({ "refunds_fail": false })).await;
    assert_eq!(officer.post(&path, body).await.0, StatusCode::CREATED);
    buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == 1_000)
        .await;
    assert_eq!(waiting(&officer).await, json!([]));
    market.caught_up().await;
    let told = market.messages(&buyer.email).await;
    assert!(!told.contains(&"refund_returned".to_owned()), "{told:?}");
    officer.every_ledger_balances().await;
}

/// What makes one returned refund good counts for no other.
#[tokio::test]
async fn later_refund_makes_good_what_it_comes_to() {
    let market = Market::open(&[3], &[]).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let paid = buyer.pay(&token, "4242424242424242").await;
    let id = stripe::payment_id(&officer, &paid).await;
    let path = format!("/api/v0/workspace/payments/{id}/refunds");
    let refund = async |amount: u64| {
        let body = json!({ "booking": "keep", "amount_minor": amount, "reason": "plans changed" });
        assert_eq!(officer.post(&path, body).await.0, StatusCode::CREATED);
    };
    let wait_for = async |amounts: &[u64]| {
        until(async || {
            let rows = waiting(&officer).await;
            let rows = rows.as_array().unwrap();
            let shown: Vec<_> = rows
                .iter()
                .map(|row| row["amount_minor"].as_u64().unwrap())
                .collect();
            (shown == amounts).then_some(())
        })
        .await;
    };
    market.plan(json!({ "refunds_fail": true })).await;
    refund(1_000).await;
    wait_for(&[1_000]).await;
    refund(500).await;
    wait_for(&[1_000, 500]).await;
    market.plan(json!({ "refunds_fail": false })).await;
    refund(1_200).await;
    buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == 1_200)
        .await;
    wait_for(&[500]).await;
    refund(500).await;
    buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == 1_700)
        .await;
    wait_for(&[]).await;
}
