//! The books through the front door: exact balances after a payment, its fee, a refund, payouts and a dispute that is lost.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::desk::Officer;
use crate::market::{Market, until};

const BOOKS: &str = "/api/v0/workspace/books";
const GOOD: &str = "4242424242424242";

/// Closing balances of the only currency by account, without those of zero.
async fn balances(officer: &Officer) -> Vec<(String, i64)> {
    let report = officer.get(&format!("{BOOKS}/accounts")).await["data"].clone();
    let books = report["currencies"].as_array().unwrap();
    assert_eq!(books.len(), 1, "{report}");
    assert_eq!(books[0]["sum_minor"], 0, "{report}");
    assert_eq!(books[0]["debit_minor"], books[0]["credit_minor"], "{report}");
    let accounts = books[0]["accounts"].as_array().unwrap().iter();
    let closing = accounts.map(|account| {
        let name = account["account"].as_str().unwrap().to_owned();
        (name, account["closing_minor"].as_i64().unwrap())
    });
    closing.filter(|(_, closing)| *closing != 0).collect()
}

async fn read_account(officer: &Officer) {
    let path = "/api/v0/workspace/payments/provider_account/read";
    let (status, answer) = officer.post(path, json!({})).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
}

fn owned(wanted: &[(&str, i64)]) -> Vec<(String, i64)> {
    let own = wanted.iter().map(|(account, sum)| ((*account).to_owned(), *sum));
    own.collect()
}

/// Each money event posts what a bookkeeper would, and every account leads to the events behind it.
#[tokio::test(flavor = "multi_thread")]
async fn books_follow_each_money_event_to_the_penny() {
    let market = Market::open(&[3], &[]).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    buyer.pay(&token, GOOD).await;
    let paid = |payment: &Value| payment["status"] == "success";
    buyer.wait_for(&token, paid).await;
    read_account(&officer).await;
    assert_eq!(
        balances(&officer).await,
        owned(&[
            ("gateway_clearing", 25_499),
            ("deposits", -25_000),
            ("processing_fees", -907),
            ("gateway_fees", 408),
        ])
    );
    let captured = officer.events("&kind=captured").await["result"][0].clone();
    let id = captured["payment_id"].as_str().unwrap();
    let (status, answer) = officer
        .post(
            &format!("/api/v0/workspace/payments/{id}/refunds"),
            json!({ "booking": "keep", "amount_minor": 10_000, "reason": "plans changed" }),
        )
        .await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    let refunded = |payment: &Value| payment["refunded_minor"] == 10_000;
    buyer.wait_for(&token, refunded).await;
    market.plan(json!({ "payout_every_ms": 1 })).await;
    read_account(&officer).await;
    assert_eq!(
        balances(&officer).await,
        owned(&[
            ("bank", 15_499),
            ("deposits", -15_000),
            ("processing_fees", -907),
            ("gateway_fees", 408),
        ])
    );
    every_way_into_the_books_agrees(&officer, id).await;
}

#[expect(clippy::too_many_lines, reason = "one story, told in order")]
async fn every_way_into_the_books_agrees(officer: &Officer, id: &str) {
    let deposits = officer
        .get(&format!("{BOOKS}/accounts/deposits?currency=gbp&limit=1&p=2"))
        .await["data"]
        .clone();
    assert_eq!(deposits["meta"]["count"], 2, "{deposits}");
    let entry = &deposits["result"][0];
    assert_eq!(
        (
            &entry["kind"],
            &entry["debit_minor"],
            &entry["balance_minor"],
            &entry["payment_id"]
        ),
        (
            &json!("refund_requested"),
            &json!(10_000),
            &json!(-15_000),
            &json!(id)
        ),
        "{deposits}"
    );
    let event = officer
        .get(&format!("/api/v0/workspace/events/{}", entry["position"]))
        .await;
    assert_eq!(event["data"]["event_type"], "RefundRequested", "{event}");
    let of_payment = officer.get(&format!("{BOOKS}/payments/{id}")).await["data"].clone();
    assert_eq!(of_payment["sum_minor"], 0, "{of_payment}");
    let entries = of_payment["result"].as_array().unwrap();
    assert!(
        entries
            .iter()
            .any(|entry| entry["kind"] == "gateway_fee" && entry["debit_minor"] == 408),
        "{of_payment}"
    );
    let promised = officer
        .get(&format!("{BOOKS}/accounts/refunds_payable?currency=GBP"))
        .await["data"]
        .clone();
    assert_eq!(
        (&promised["meta"]["count"], &promised["closing_minor"]),
        (&json!(2), &json!(0))
    );
    let before = officer
        .get(&format!("{BOOKS}/periods?from=2020-01-01&to=2020-12-31"))
        .await["data"]
        .clone();
    assert_eq!(before["currencies"], json!([]), "{before}");
    let since = officer
        .get(&format!("{BOOKS}/periods?from=2020-01-01&to=2099-12-31"))
        .await["data"]
        .clone();
    let accounts = since["currencies"][0]["accounts"].as_array().unwrap();
    let held = accounts.iter().find(|one| one["account"] == "deposits").unwrap();
    assert_eq!(
        (
            &held["opening_minor"],
            &held["debit_minor"],
            &held["credit_minor"],
            &held["closing_minor"]
        ),
        (&json!(0), &json!(10_000), &json!(25_000), &json!(-15_000))
    );
    let later = officer
        .get(&format!("{BOOKS}/periods?from=2098-01-01&to=2099-12-31"))
        .await["data"]
        .clone();
    let accounts = later["currencies"][0]["accounts"].as_array().unwrap();
    let held = accounts.iter().find(|one| one["account"] == "deposits").unwrap();
    assert_eq!(
        (&held["opening_minor"], &held["debit_minor"]),
        (&json!(-15_000), &json!(0))
    );
}

/// A lost dispute takes the paid lines, and its fee stays a cost.
#[tokio::test(flavor = "multi_thread")]
async fn books_of_a_lost_dispute_keep_its_fee_alone() {
    let market = Market::open(&[3], &[]).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    buyer.pay(&token, GOOD).await;
    let paid = |payment: &Value| payment["status"] == "success";
    buyer.wait_for(&token, paid).await;
    let gateway = market.gateway().await;
    let intent = gateway["intents"][0]["id"].as_str().unwrap().to_owned();
    for (status, wanted) in [
        (
            "needs_response",
            owned(&[
                ("gateway_clearing", -1_908),
                ("disputes", 25_907),
                ("deposits", -25_000),
                ("processing_fees", -907),
                ("gateway_fees", 408),
                ("dispute_fees", 1_500),
            ]),
        ),
        (
            "lost",
            owned(&[
                ("gateway_clearing", -1_908),
                ("gateway_fees", 408),
                ("dispute_fees", 1_500),
            ]),
        ),
    ] {
        let asked = json!({ "intent": intent, "status": status });
        let (code, answer) = officer.post("/dev/sandbox/disputes", asked).await;
        assert_eq!(code, StatusCode::OK, "{answer}");
        until(|| async {
            read_account(&officer).await;
            (balances(&officer).await == wanted).then_some(())
        })
        .await;
    }
}

/// What cannot be read is answered with the field's name.
#[tokio::test(flavor = "multi_thread")]
async fn books_refuse_unknown_accounts_and_days() {
    let market = Market::open(&[1], &[]).await;
    let officer = Officer::arrives(&market).await;
    for (path, field) in [
        ("periods?from=2026-01-01", "to"),
        ("periods?from=once&to=2026-01-01", "from"),
        ("accounts?to=once", "to"),
        ("accounts/deposits", "currency"),
        ("accounts/deposits?currency=GBP&from=once", "from"),
    ] {
        let url = market.server.url(&format!("{BOOKS}/{path}"));
        let answer = officer.client.get(url).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{path}");
        let body: Value = answer.json().await.unwrap();
        assert_eq!(body["errors"][0]["field"], field, "{path}: {body}");
    }
    let unknown = market
        .server
        .url(&format!("{BOOKS}/accounts/petty_cash?currency=GBP"));
    let answer = officer.client.get(unknown).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
}
