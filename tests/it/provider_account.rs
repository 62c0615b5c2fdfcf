//! The payment provider's account beside our own books, and notices that name no payment: on Stripe and on the sandbox.

use reqwest::StatusCode;
use serde_json::{Value, json};
use stripe_standin::Standin;

use crate::desk::Officer;
use crate::market::{Market, until};
use crate::stripe;

const ACCOUNT: &str = "/api/v0/workspace/payments/provider_account";
const UNKNOWN: &str = "/api/v0/workspace/payments/unknown_notices";

async fn account(officer: &Officer, query: &str) -> Value {
    let (status, answer) = officer.post(&format!("{ACCOUNT}/read"), json!({})).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    officer.get(&format!("{ACCOUNT}?limit=100{query}")).await["data"].clone()
}

fn line<'a>(account: &'a Value, kind: &str) -> &'a Value {
    let lines = account["result"].as_array().unwrap();
    let found = lines.iter().find(|line| line["kind"] == kind);
    found.unwrap_or_else(|| panic!("no {kind} in {account}"))
}

/// Fees and payouts are read once; what both sides know alike is matched, and the rest says what is wrong with it.
#[tokio::test(flavor = "multi_thread")]
async fn stripe_account_is_reconciled_with_our_books() {
    let standin = Standin::open().await.unwrap();
    let market = stripe::market(&standin).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = stripe::paid(&standin, &buyer).await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    let intent = standin.intents()[0]["id"].as_str().unwrap().to_owned();
    standin.refund_in_dashboard(&intent, 2_000).unwrap();
    buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == 2_000)
        .await;
    standin.take_from_elsewhere(9_900, "gbp");

    let read = account(&officer, "").await;
    let charge = read["result"].as_array().unwrap().iter();
    let charge = charge
        .clone()
        .find(|line| line["amount_minor"] == 25_907)
        .unwrap();
    // 1.5 % and 20 pence.
    assert_eq!(
        (&charge["fee_minor"], &charge["net_minor"]),
        (&json!(408), &json!(25_499))
    );
    assert_eq!(charge["verdict"], "matched", "{charge}");
    assert!(charge["payment_reference"].as_str().unwrap().starts_with("P-"));
    assert_eq!(line(&read, "refund")["verdict"], "matched");
    assert_eq!(line(&read, "refund")["here_minor"], -2_000);
    let stray = account(&officer, "&verdict=missing_here").await;
    assert_eq!(stray["result"][0]["amount_minor"], 9_900, "{stray}");

    standin.pay_out();
    let paid_out = account(&officer, "").await;
    let payout = &paid_out["payouts"][0];
    assert_eq!(payout["amount_minor"], payout["items_minor"], "{payout}");
    assert_eq!(payout["items"], 3);
    let id = payout["id"].as_str().unwrap();
    let with_it = account(&officer, &format!("&payout={id}")).await;
    // The payout's own movement stands among its items.
    assert_eq!(with_it["meta"]["count"], 4, "{with_it}");
    // Read again, nothing is kept twice.
    assert_eq!(
        account(&officer, "").await["meta"]["count"],
        paid_out["meta"]["count"]
    );
    let sheet = officer.text(&format!("{ACCOUNT}.csv?verdict=matched")).await;
    assert!(
        sheet.contains("259.07") && sheet.contains("4.08") && sheet.lines().count() == 3,
        "{sheet}"
    );
}

/// The sandbox keeps fees and pays out as well (D103).
#[tokio::test(flavor = "multi_thread")]
async fn sandbox_account_has_fees_and_payouts() {
    let market = Market::open(&[3], &[]).await;
    let officer = Officer::arrives(&market).await;
    market.plan(json!({ "payout_every_ms": 1 })).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    buyer.pay(&token, "4242424242424242").await;
    let read = account(&officer, "&verdict=matched").await;
    assert_eq!(
        (&read["result"][0]["fee_minor"], &read["result"][0]["kind"]),
        (&json!(408), &json!("charge"))
    );
    let payout = &read["payouts"][0];
    assert_eq!(
        (&payout["items"], &payout["items_minor"]),
        (&json!(1), &json!(25_499))
    );
    assert_eq!(read["result"][0]["payout_id"], payout["id"]);
    let (status, answer) = (officer.get(&format!("{ACCOUNT}?limit=5")).await, ());
    assert_eq!((status["data"]["meta"]["count"].as_u64(), answer), (Some(1), ()));
}

/// A notice of an unknown payment waits for a person; matched to a payment its money is taken in once, dismissed it is gone.
#[tokio::test(flavor = "multi_thread")]
async fn notice_of_an_unknown_payment_is_matched_once() {
    let standin = Standin::open().await.unwrap();
    let market = stripe::market(&standin).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let reference = buyer.read(&token).await["reference"].as_str().unwrap().to_owned();
    standin.take_from_elsewhere(25_907, "gbp");
    standin.take_from_elsewhere(700, "gbp");
    let waiting = until(|| async {
        let waiting = officer.get(UNKNOWN).await["data"].clone();
        (waiting.as_array().unwrap().len() == 2).then_some(waiting)
    })
    .await;
    let of = |amount: u64| {
        let notices = waiting.as_array().unwrap().iter();
        let found = notices.clone().find(|notice| notice["amount_minor"] == amount);
        found.unwrap().clone()
    };
    let notice = of(25_907);
    assert_eq!(
        (&notice["currency"], &notice["metadata_names"]),
        (&json!("GBP"), &json!("order_number"))
    );
    assert!(
        !waiting.to_string().contains("A-77"),
        "values that others wrote stay sealed"
    );

    let act = async |notice: &Value, verb: &str, body: Value| {
        let id = notice["id"].as_str().unwrap();
        officer.post(&format!("{UNKNOWN}/{id}/{verb}"), body).await
    };
    let (status, answer) = act(&notice, "match", json!({ "payment": "P-00000000" })).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{answer}");
    assert_eq!(answer["errors"][0]["field"], "payment", "{answer}");
    let (status, answer) = act(&of(700), "match", json!({ "payment": reference })).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{answer}");
    assert_eq!(answer["errors"][0]["code"], "amount_differs", "{answer}");
    for _twice in 0..2 {
        let (status, answer) = act(&notice, "match", json!({ "payment": reference })).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }
    let paid = buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    assert_eq!(paid["refunded_minor"], 0);
    assert_eq!(officer.events("&kind=captured").await["meta"]["count"], 1);
    officer.every_ledger_balances().await;

    let (status, answer) = act(&notice, "dismiss", json!({ "reason": "test" })).await;
    assert_eq!(status, StatusCode::CONFLICT, "{answer}");
    let other = of(700);
    let (status, answer) = act(&other, "dismiss", json!({ "reason": "other_system" })).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(officer.get(UNKNOWN).await["data"], json!([]));
    let decided = officer.get(&format!("{UNKNOWN}?decided=true")).await["data"].clone();
    assert_eq!(decided.as_array().unwrap().len(), 2, "{decided}");
    // The movement of matched money belongs to the payment.
    let read = account(&officer, "&verdict=matched").await;
    assert_eq!(read["result"][0]["payment_reference"], reference, "{read}");
}
