//! The payment provider's account beside our own books, and notices that name no payment: on Stripe and on the sandbox.

use futures::future::{join, join_all};
use reqwest::StatusCode;
use serde_json::{Value, json};
use stripe_standin::Standin;

use crate::desk::Officer;
use crate::end_told::hand_in;
use crate::market::{Market, until};
use crate::stripe;

const ACCOUNT: &str = "/api/v0/workspace/payments/provider_account";
const UNKNOWN: &str = "/api/v0/workspace/payments/unknown_notices";

pub(crate) async fn account(officer: &Officer, query: &str) -> Value {
    let (status, answer) = officer.post(&format!("{ACCOUNT}/read"), json!({})).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    officer.get(&format!("{ACCOUNT}?limit=100{query}")).await["data"].clone()
}

pub(crate) fn line<'a>(account: &'a Value, kind: &str) -> &'a Value {
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
    assert_eq!(
        (&notice["set_aside"], &notice["named_payment_id"]),
        (&json!("no_payment"), &Value::Null),
        "{notice}"
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
    // The capture follows from the match in the background; the list has it when its read model has.
    let captures = async || officer.events("&kind=captured").await["meta"]["count"].clone();
    until(|| async { (captures().await != 0).then_some(()) }).await;
    assert_eq!(captures().await, 1);
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

/// Notices that fit no payment are refused by amount and currency, and a reused key with another body is 422.
#[tokio::test(flavor = "multi_thread")]
async fn unknown_refund_and_dispute_must_fit_the_payment() {
    let standin = Standin::open().await.unwrap();
    let market = stripe::market(&standin).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let (token, paid) = stripe::paid_and_told(&standin, &buyer).await;
    let reference = &paid["reference"];
    let large = standin.take_from_elsewhere(90_000, "gbp");
    let foreign = standin.take_from_elsewhere(25_907, "eur");
    standin.refund_in_dashboard(&large, 30_000).unwrap();
    standin.refund_in_dashboard(&foreign, 900).unwrap();
    standin.dispute(&large, "needs_response");
    standin.refund_in_dashboard(&large, 1_100).unwrap();
    let waiting = until(|| async {
        let waiting = officer.get(UNKNOWN).await["data"].clone();
        (waiting.as_array().unwrap().len() == 6).then_some(waiting)
    })
    .await;
    let id_of = |kind: &str, amount: u64| {
        let mut notices = waiting.as_array().unwrap().iter();
        let is_meant = |notice: &&Value| {
            notice["kind"].as_str().unwrap().starts_with(kind) && notice["amount_minor"] == amount
        };
        let found = notices.find(is_meant);
        found.unwrap_or_else(|| panic!("no {kind} in {waiting}"))["id"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    for (kind, amount, code) in [
        ("refund.", 30_000, "beyond_payment"),
        ("refund.", 900, "currency_differs"),
        ("charge.dispute.", 90_000, "beyond_payment"),
    ] {
        let path = format!("{UNKNOWN}/{}/match", id_of(kind, amount));
        let (status, answer) = officer.post(&path, json!({ "payment": reference })).await;
        assert_eq!(
            status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{kind} {amount}: {answer}"
        );
        assert_eq!(answer["errors"][0]["code"], code, "{answer}");
    }
    let (status, answer) = officer
        .post(
            &format!("{UNKNOWN}/{}/match", id_of("refund.", 1_100)),
            json!({ "payment": reference }),
        )
        .await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == 1_100)
        .await;

    let path = format!("{UNKNOWN}/{}/dismiss", id_of("refund.", 900));
    for (reason, status) in [
        ("test", StatusCode::OK),
        ("test", StatusCode::OK),
        ("other_system", StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let answer = officer
            .client
            .post(market.server.url(&path))
            .header("idempotency-key", "5a7e1f0a-0000-4000-8000-000000000002")
            .json(&json!({ "reason": reason }))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), status, "{reason}");
    }
}

/// A payment that the log does not hold, and a refund of ours with another amount: each waits with its reason, and what was decided keeps it.
#[tokio::test(flavor = "multi_thread")]
async fn notice_set_aside_says_why_and_which_payment_it_named() {
    const NOWHERE: &str = "01923456-789a-7bcd-8ef0-123456789abc";
    let standin = Standin::open().await.unwrap();
    let market = stripe::market(&standin).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let (token, paid) = stripe::paid_and_told(&standin, &buyer).await;
    let intent = standin.intents()[0]["id"].clone();
    let refund = |id: &str, amount: u64, metadata: Value| {
        json!({ "id": id, "object": "refund", "amount": amount, "currency": "gbp", "payment_intent": intent,
            "status": "succeeded", "metadata": metadata })
    };
    hand_in(&market, "refund.updated", refund("re_known", 1_000, Value::Null)).await;
    buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == 1_000)
        .await;
    hand_in(&market, "refund.failed", refund("re_known", 1_001, Value::Null)).await;
    let elsewhere = refund("re_elsewhere", 500, json!({ "payment_id": NOWHERE }));
    hand_in(&market, "refund.updated", elsewhere).await;
    // Without an amount it is set aside as well: what it says would be lost.
    let attempt = json!({ "id": "pi_elsewhere", "object": "payment_intent", "amount": 500, "currency": "gbp",
        "status": "processing", "metadata": { "payment_id": NOWHERE } });
    hand_in(&market, "payment_intent.processing", attempt).await;
    market.caught_up().await;
    let waiting = officer.get(UNKNOWN).await["data"].clone();
    let waiting = waiting.as_array().unwrap();
    let of = |object: &str| {
        let found = waiting.iter().find(|notice| notice["object_id"] == object);
        found.unwrap_or_else(|| panic!("no {object} in {waiting:?}"))
    };
    assert_eq!(waiting.len(), 3, "{waiting:?}");
    for object in ["re_elsewhere", "pi_elsewhere"] {
        let notice = of(object);
        assert_eq!(notice["set_aside"], "unknown_payment", "{notice}");
        assert_eq!(
            (&notice["named_payment_id"], &notice["named_reference"]),
            (&json!(NOWHERE), &Value::Null),
            "{notice}"
        );
    }
    let known = of("re_known");
    assert_eq!(known["set_aside"], "amount_differs", "{known}");
    assert_eq!(known["named_reference"], paid["reference"], "{known}");

    let path = format!("{UNKNOWN}/{}/dismiss", of("re_elsewhere")["id"].as_str().unwrap());
    let (status, answer) = officer.post(&path, json!({ "reason": "other_system" })).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let decided = officer.get(&format!("{UNKNOWN}?decided=true")).await["data"].clone();
    assert_eq!(decided[0]["set_aside"], "unknown_payment", "{decided}");
    officer.every_ledger_balances().await;
}

/// A payout that was started by hand names no movements: the reading goes on past it.
#[tokio::test(flavor = "multi_thread")]
async fn payout_by_hand_does_not_stop_the_reading() {
    let standin = Standin::open().await.unwrap();
    let market = stripe::market(&standin).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    stripe::paid(&standin, &buyer).await;
    let by_hand = standin.pay_out_by_hand(10_000, "gbp");
    standin.take_from_elsewhere(9_900, "gbp");
    standin.pay_out();
    let read = account(&officer, "").await;
    let payouts = read["payouts"].as_array().unwrap();
    assert_eq!(payouts.len(), 2, "{read}");
    let known = payouts.iter().find(|payout| payout["id"] == by_hand).unwrap();
    assert_eq!(
        (&known["items"], &known["amount_minor"]),
        (&json!(0), &json!(10_000)),
        "{known}"
    );
}

/// A charge that is settled in another currency fits by its rate; a rate that does not lead to the amount differs.
#[tokio::test(flavor = "multi_thread")]
async fn settlement_in_another_currency_fits_by_its_rate() {
    let standin = Standin::open().await.unwrap();
    let market = stripe::market(&standin).await;
    standin.settle_in("eur", 1_170_400);
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = stripe::paid(&standin, &buyer).await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    market.caught_up().await;
    let read = account(&officer, "").await;
    let charge = line(&read, "charge");
    assert_eq!(
        (
            &charge["currency"],
            &charge["amount_minor"],
            &charge["here_minor"],
            &charge["exchange_rate"]
        ),
        (&json!("EUR"), &json!(30_322), &json!(25_907), &json!("1.1704")),
        "{charge}"
    );
    assert_eq!(charge["verdict"], "matched", "{charge}");
}

/// Refunds and disputes of all of a payment that are told at the same time: one of each is booked, and the others wait for finance.
#[tokio::test(flavor = "multi_thread")]
async fn money_back_that_is_told_at_once_is_bounded_together() {
    const WHOLE: u64 = 25_907;
    let standin = Standin::open().await.unwrap();
    let market = stripe::market(&standin).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let (token, paid) = stripe::paid_and_told(&standin, &buyer).await;
    let intent = standin.intents()[0]["id"].clone();
    let refunds = (0..6).map(|n| {
        let refund = json!({ "id": format!("re_{n}"), "object": "refund", "amount": WHOLE, "currency": "gbp",
            "payment_intent": intent, "status": "succeeded" });
        hand_in(&market, "refund.updated", refund)
    });
    let disputes = (0..2).map(|n| {
        let dispute = json!({ "id": format!("dp_{n}"), "object": "dispute", "amount": WHOLE, "currency": "gbp",
            "payment_intent": intent, "status": "needs_response", "reason": "fraudulent" });
        hand_in(&market, "charge.dispute.created", dispute)
    });
    join(join_all(refunds), join_all(disputes)).await;
    market.caught_up().await;

    let payment = buyer.read(&token).await;
    assert_eq!(
        (&payment["refunded_minor"], &payment["disputed_minor"]),
        (&json!(WHOLE), &json!(WHOLE)),
        "{payment}"
    );
    let waiting = officer.get(UNKNOWN).await["data"].clone();
    let waiting = waiting.as_array().unwrap();
    assert_eq!(waiting.len(), 6, "{waiting:?}");
    for notice in waiting {
        assert_eq!(notice["set_aside"], "beyond_payment", "{notice}");
        assert_eq!(notice["named_reference"], paid["reference"], "{notice}");
        assert_eq!(notice["amount_minor"], WHOLE, "{notice}");
    }
    officer.every_ledger_balances().await;
}
