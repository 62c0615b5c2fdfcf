//! What referrals earn is in the books (D123): a cost and a debt with the booking, paid from the bank, taken back with the refund.

use std::collections::BTreeMap;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::desk::Officer;
use crate::market::{Market, until};
use crate::visitor::Visitor;

const PATH: &str = "/api/v0/workspace/rewards";
const GOOD: &str = "4242424242424242";
/// 50 pounds.
const REWARD: i64 = 5_000;

/// Closing balances of the accounts that rewards move: debits above zero.
async fn balances(officer: &Officer) -> [i64; 3] {
    let report = officer.get("/api/v0/workspace/books/accounts").await["data"].clone();
    let books = &report["currencies"][0];
    assert_eq!(books["sum_minor"], 0, "{books}");
    let accounts = books["accounts"].as_array().unwrap().iter();
    let closing: BTreeMap<&str, i64> = accounts
        .map(|one| {
            let name = one["account"].as_str().unwrap();
            (name, one["closing_minor"].as_i64().unwrap())
        })
        .collect();
    ["referral_rewards", "rewards_payable", "bank"].map(|name| closing.get(name).copied().unwrap_or_default())
}

/// A friend books with the officer's code: the booking's token.
async fn referred(market: &Market, code: &Value, n: usize) -> String {
    let buyer = market.person(n, 0);
    let mut body = buyer.lead_body();
    body["lead"]["referral_details"] = json!({ "name": "A friend", "code": code });
    let (status, lead) = buyer.post("/api/v0/leads", body).await;
    assert_eq!(status, StatusCode::CREATED, "{lead}");
    let uuid = lead["data"]["lead_uuid"].as_str().unwrap();
    let token = buyer.open_for(uuid, &buyer.room).await;
    buyer.begin(&token).await;
    buyer.pay(&token, GOOD).await;
    let payment = buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    payment["reference"].as_str().unwrap().to_owned()
}

async fn open(officer: &Officer, count: usize) -> Vec<Value> {
    until(async || {
        let open = officer.get(PATH).await["data"].as_array().unwrap().clone();
        (open.len() == count).then_some(open)
    })
    .await
}

/// Two bookings earn two rewards; one is refunded before it is due, the other is paid when it is due.
#[tokio::test(flavor = "multi_thread")]
async fn rewards_are_accrued_reversed_and_paid() {
    let market = Market::open(&[9], &[("LATCHKEY_REFERRAL_REWARD", "50")]).await;
    let officer = Officer::arrives(&market).await;
    let code = officer.get("/api/v0/users/details").await["data"]["referral_code"].clone();
    referred(&market, &code, 1).await;
    let owed = open(&officer, 1).await;
    assert_eq!(
        (&owed[0]["owed_minor"], &owed[0]["is_due"], &owed[0]["due_on"]),
        (&json!(REWARD), &json!(false), &json!("2027-09-25"))
    );
    assert_eq!(balances(&officer).await, [REWARD, -REWARD, 0]);
    let refunded = referred(&market, &code, 2).await;
    assert_eq!(open(&officer, 2).await.len(), 2);

    let found = officer.events(&format!("&kind=captured&q={refunded}")).await;
    let payment = found["result"][0]["payment_id"].as_str().unwrap().to_owned();
    let dossier = format!("/api/v0/workspace/payments/{payment}");
    let left = officer.get(&dossier).await["data"]["refundable_minor"].clone();
    let back =
        json!({ "booking": "cancel", "amount_minor": left, "typed_minor": left, "reason": "plans changed" });
    let (status, answer) = officer.post(&format!("{dossier}/refunds"), back).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    let owed = open(&officer, 1).await;
    assert_eq!(balances(&officer).await, [REWARD, -REWARD, 0]);

    let pay = format!("{PATH}/{}/pay", owed[0]["referral_id"].as_str().unwrap());
    let (status, early) = officer.post(&pay, json!({})).await;
    assert_eq!(
        (status, early["message"]["code"].as_str()),
        (StatusCode::CONFLICT, Some("reward_not_due")),
        "{early}"
    );
    let unknown = format!("{PATH}/01923456-789a-7bcd-8ef0-123456789abc/pay");
    assert_eq!(officer.post(&unknown, json!({})).await.0, StatusCode::NOT_FOUND);
    let clock = Visitor::new(&market.server);
    // The clock goes forward by a year at most at once.
    for _ in 0..2 {
        clock.wait(200 * 24 * 3_600).await;
    }
    let later = Officer::arrives(&market).await;
    for _ in 0..2 {
        let (status, paid) = later.post(&pay, json!({})).await;
        assert_eq!(status, StatusCode::OK, "{paid}");
    }
    assert_eq!(open(&later, 0).await, Vec::<Value>::new());
    assert_eq!(balances(&later).await, [REWARD, 0, -REWARD]);
    // No payout has come: the house paid from its own money, which is no fault of the books.
    let (status, run) = later
        .post("/api/v0/workspace/reconciliation/run", json!({}))
        .await;
    assert_eq!(status, StatusCode::OK, "{run}");
    let exceptions = run["data"]["exceptions"].as_array().unwrap().iter();
    let below = exceptions.filter(|one| one["check"] == "below_zero");
    assert_eq!(below.count(), 0, "{run}");
}
