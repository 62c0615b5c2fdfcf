//! The reconciliation through the front door: exactly what went wrong at the provider is told, pulled, and mended by two people (M6).

use std::time::SystemTime;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::approvals::decided_by_admin;
use crate::desk::Officer;
use crate::market::{Buyer, Market, until};
use crate::visitor::Visitor;

const PATH: &str = "/api/v0/workspace/reconciliation";
const GOOD: &str = "4242424242424242";
/// What the sandbox takes for a dispute in pounds, in minor units.
const DISPUTE_FEE: i64 = 1_500;

async fn run(officer: &Officer) -> Value {
    let (status, answer) = officer.post(&format!("{PATH}/run"), json!({})).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer["data"].clone()
}

/// What each exception is and by how much it differs, in the order of the checks.
fn told(run: &Value) -> Vec<(String, i64)> {
    let exceptions = run["exceptions"].as_array().unwrap().iter();
    let mut told: Vec<_> = exceptions
        .map(|one| {
            let check = one["check"].as_str().unwrap().to_owned();
            (check, one["difference_minor"].as_i64().unwrap())
        })
        .collect();
    told.sort();
    told
}

/// A period of payouts in milliseconds, counted from the epoch like the sandbox's, that ends within three seconds.
fn period_that_ends_soon() -> u64 {
    let since_epoch = SystemTime::UNIX_EPOCH.elapsed().unwrap();
    u64::try_from(since_epoch.as_millis()).unwrap() / 1_000 + 2
}

fn owned(wanted: &[(&str, i64)]) -> Vec<(String, i64)> {
    let own = wanted.iter().map(|(check, by)| ((*check).to_owned(), *by));
    own.collect()
}

async fn paid(market: &Market, n: usize) -> (Buyer, Value) {
    let buyer = market.person(n, 0);
    let token = buyer.begun().await;
    buyer.pay(&token, GOOD).await;
    let done = |payment: &Value| payment["status"] == "success";
    let reference = buyer.wait_for(&token, done).await["reference"].clone();
    (buyer, reference)
}

/// A notice is dropped, one comes twice, a fee is changed and a payout is late: exactly these four are told. Pulling cures the first
/// two, an approved correction the third, time the fourth.
#[tokio::test(flavor = "multi_thread")]
async fn four_faults_are_told_exactly_and_cured() {
    let agreed = [
        ("LATCHKEY_PROVIDER_FEE_PERMILLE", "15"),
        ("LATCHKEY_PROVIDER_FEE_FIXED", "20"),
    ];
    let market = Market::open(&[9], &agreed).await;
    let officer = Officer::arrives(&market).await;
    let admin = Visitor::new(&market.server);
    admin.log_in_as("admin").await;
    for n in 1..=3 {
        paid(&market, n).await;
    }
    let clean = run(&officer).await;
    assert_eq!(told(&clean), owned(&[]), "{clean}");
    assert_eq!(clean["totals"][0]["difference_minor"], 0, "{clean}");

    let gateway = market.gateway().await;
    let intents = gateway["intents"].as_array().unwrap();
    // Duplicated: the success of one payment comes again under another id.
    let twice = intents[0]["id"].as_str().unwrap();
    let notices = gateway["notices"].as_array().unwrap().iter();
    let notice = notices
        .clone()
        .find(|one| one["type"] == "payment_intent.succeeded" && one["body"].to_string().contains(twice));
    let notice = notice.unwrap_or_else(|| panic!("no success of {twice} in {gateway}"));
    let again = json!({ "notices": [notice["id"]], "as_new": true });
    assert_eq!(officer.post("/dev/sandbox/repeat", again).await.0, StatusCode::OK);
    until(|| async {
        let run = officer.get(PATH).await["data"].clone();
        (told(&run) == owned(&[("told_twice", 25_907)])).then_some(())
    })
    .await;
    // Dropped: the notice of a dispute. Changed: a fee of a later charge. Delayed: every payout.
    let plan = json!({ "drop_percent": 100 });
    market.plan(plan).await;
    let disputed = json!({ "intent": intents[1]["id"], "status": "needs_response" });
    assert_eq!(
        officer.post("/dev/sandbox/disputes", disputed).await.0,
        StatusCode::OK
    );
    market.plan(json!({})).await;
    let (_, dear) = paid(&market, 4).await;
    let charge = charge_of(&officer, dear.as_str().unwrap()).await;
    // All movements lie in one period of payouts, which ends in a moment: one payout, that does not arrive.
    let period = period_that_ends_soon();
    let faults = json!({ "fee_extra_of": charge, "fee_extra_minor": 100,
        "payout_every_ms": period, "payout_delay_ms": 600_000 });
    market.plan(faults).await;
    let four = [
        ("fee_differs", 100),
        ("missing_here", -25_907),
        ("payout_late", 4 * 25_499 - 100 - 25_907 - DISPUTE_FEE),
        ("told_twice", 25_907),
    ];
    until(async || (told(&run(&officer).await) == owned(&four)).then_some(())).await;

    let (status, answer) = officer.post(&format!("{PATH}/pull"), json!({})).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let two = owned(&[four[0], four[2]]);
    until(|| async {
        let run = officer.get(PATH).await["data"].clone();
        (told(&run) == two && run["totals"][0]["difference_minor"] == 0).then_some(())
    })
    .await;
    assert_eq!(officer.events("&kind=captured").await["meta"]["count"], 4);
    assert_eq!(officer.events("&kind=dispute_opened").await["meta"]["count"], 1);
    mended_by_two(&officer, &admin).await;
    market
        .plan(json!({ "fee_extra_of": charge, "fee_extra_minor": 100, "payout_every_ms": period }))
        .await;
    let cured = run(&officer).await;
    assert_eq!(told(&cured), owned(&[]), "{cured}");
    assert_eq!(cured["totals"][0]["difference_minor"], 0, "{cured}");
    officer.every_ledger_balances().await;
}

async fn charge_of(officer: &Officer, reference: &str) -> String {
    until(|| async {
        let found = officer.events(&format!("&kind=captured&q={reference}")).await;
        found["result"][0]["gateway_id"].as_str().map(str::to_owned)
    })
    .await
}

fn proposal(item: &Value) -> Value {
    json!({ "item": item, "reason": "claimed from the provider" })
}

/// After the approval the proposal's own request is answered as before, and another one is told by whom and when it was approved.
async fn decided_already(officer: &Officer, (path, item, key): (&str, &Value, &str), given: &Value) {
    let (status, again) = officer.press(path, proposal(item), key).await;
    assert_eq!(status, StatusCode::CREATED, "{again}");
    let again = &again["data"];
    assert_eq!(
        (&again["id"], &again["decision"], &again["decided_by"]),
        (&given["id"], &json!("approved"), &json!("admin")),
        "{again}"
    );
    let (status, other) = officer.press(path, proposal(item), "a new press").await;
    assert_eq!(
        (status, &other["message"]["code"]),
        (StatusCode::CONFLICT, &json!("approval_decided")),
        "{other}"
    );
    let said = other["message"]["user_friendly_message"].as_str().unwrap();
    assert!(
        said.starts_with(&decided_by_admin("refusal.approved_before")),
        "{said}"
    );
}

/// The fee's excess becomes a claim: one person proposes, another approves.
async fn mended_by_two(officer: &Officer, admin: &Visitor<'_>) {
    let run = officer.get(PATH).await["data"].clone();
    let exceptions = run["exceptions"].as_array().unwrap().iter();
    let fee = exceptions
        .clone()
        .find(|one| one["check"] == "fee_differs")
        .unwrap();
    assert_eq!(
        fee["mending"],
        json!({ "debit": "suspense", "credit": "gateway_fees", "amount_minor": 100 })
    );
    let body = proposal(&fee["item"]);
    let proposals = format!("{PATH}/proposals");
    // Proposed twice at once, it is one posting that waits.
    let (one, other) = tokio::join!(
        officer.press(&proposals, body.clone(), "one"),
        officer.press(&proposals, body.clone(), "other")
    );
    let (key, (status, proposed)) = if one.0 == StatusCode::CREATED {
        ("one", one)
    } else {
        ("other", other)
    };
    assert_eq!(status, StatusCode::CREATED, "{proposed}");
    // Sent again, it finds its own proposal.
    let (status, again) = officer.press(&proposals, body.clone(), key).await;
    assert_eq!((status, &again["data"]), (StatusCode::CREATED, &proposed["data"]));
    let waiting = officer.get("/api/v0/workspace/approvals").await["data"].clone();
    assert_eq!(waiting.as_array().map(Vec::len), Some(1), "{waiting}");
    assert_eq!(officer.post(&proposals, body).await.0, StatusCode::CONFLICT);
    let unknown = json!({ "item": "fee_differs:txn_0", "reason": "claimed" });
    assert_eq!(officer.post(&proposals, unknown).await.0, StatusCode::NOT_FOUND);
    let id = proposed["data"]["id"].as_str().unwrap();
    let approve = format!("/api/v0/workspace/approvals/{id}/approve");
    assert_eq!(officer.post(&approve, json!({})).await.0, StatusCode::FORBIDDEN);
    let given = admin.post(&approve, json!({})).await;
    assert_eq!(given.status, StatusCode::OK);
    decided_already(officer, (&proposals, &fee["item"], key), given.data()).await;
    let run = officer.get(PATH).await["data"].clone();
    assert!(!told(&run).iter().any(|one| one.0 == "fee_differs"), "{run}");
    let suspense = officer
        .get("/api/v0/workspace/books/accounts/suspense?currency=GBP")
        .await["data"]
        .clone();
    assert_eq!(
        (&suspense["closing_minor"], &suspense["result"][0]["kind"]),
        (&json!(100), &json!("correction")),
        "{suspense}"
    );
}

/// A movement newer here than the provider's list waits for the next reading; a dispute after a payout takes both sides below zero, which
/// is no exception; a payout that names no movements is told.
#[tokio::test(flavor = "multi_thread")]
async fn both_sides_are_cut_at_the_same_moment() {
    let market = Market::open(&[9], &[]).await;
    let officer = Officer::arrives(&market).await;
    paid(&market, 1).await;
    let first = run(&officer).await;
    assert_eq!(told(&first), owned(&[]), "{first}");
    let (_, second) = paid(&market, 2).await;
    charge_of(&officer, second.as_str().unwrap()).await;
    let before = officer.get(PATH).await["data"].clone();
    let total = &before["totals"][0];
    assert_eq!(
        (&total["difference_minor"], &total["newer_minor"]),
        (&json!(0), &json!(25_907)),
        "{before}"
    );
    assert_eq!(told(&before), owned(&[]), "{before}");
    let read = run(&officer).await;
    assert_eq!(read["totals"][0]["newer_minor"], 0, "{read}");
    // The provider cuts its payouts anew: those of before hold nothing any more, and were paid all the same.
    let net = 2 * 25_499;
    for payouts in 1..=2 {
        market
            .plan(json!({ "payout_every_ms": period_that_ends_soon() }))
            .await;
        until(async || {
            run(&officer).await;
            let account = officer.get("/api/v0/workspace/payments/provider_account").await["data"].clone();
            (account["payouts"].as_array().map(Vec::len) == Some(payouts)).then_some(())
        })
        .await;
        if payouts == 1 {
            disputed_after_a_payout(&market, &officer).await;
        }
    }
    let twice = run(&officer).await;
    assert_eq!(told(&twice), owned(&[("payout_differs", net)]), "{twice}");
}

/// All money was paid out and a charge is disputed: the provider's balance and the books are below zero by the same amount.
async fn disputed_after_a_payout(market: &Market, officer: &Officer) {
    let intents = market.gateway().await["intents"].clone();
    let disputed = json!({ "intent": intents[0]["id"], "status": "needs_response" });
    assert_eq!(
        officer.post("/dev/sandbox/disputes", disputed).await.0,
        StatusCode::OK
    );
    let below = until(async || {
        let opened = officer.events("&kind=dispute_opened").await["meta"]["count"].clone();
        let read = run(officer).await;
        let total = &read["totals"][0];
        (opened == 1 && total["newer_minor"] == 0 && total["there_minor"] == -25_907 - DISPUTE_FEE)
            .then_some(read)
    })
    .await;
    assert_eq!(below["totals"][0]["difference_minor"], 0, "{below}");
    assert_eq!(told(&below), owned(&[]), "{below}");
}
