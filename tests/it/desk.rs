//! The finance desk through the front door: list, totals, dossier, refunds, export, chain.

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tests::words::english;

use crate::market::{Market, until};

const GOOD: &str = "4242424242424242";

/// A finance officer who is logged in.
pub(crate) struct Officer {
    pub(crate) client: Client,
    url: String,
}

impl Officer {
    pub(crate) async fn arrives(market: &Market) -> Self {
        let email = "finance@staff.example";
        market
            .server
            .run(&["grant", "--email", email, "--role", "finance"]);
        let client = Client::builder().cookie_store(true).build().unwrap();
        let officer = Self {
            client,
            url: market.server.url(""),
        };
        let sent = officer
            .post(
                "/api/v0/users/generate_email_otp",
                json!({ "user": { "email": email } }),
            )
            .await;
        assert_eq!(sent.0, StatusCode::OK, "{}", sent.1);
        let mail = officer.get(&format!("/dev/outbox?to={email}")).await;
        let code = mail["data"][0]["code"].as_str().unwrap().to_owned();
        let user = json!({ "user": { "email": email, "otp": code, "session_uuid": sent.1["data"]["session_uuid"] } });
        let logged_in = officer.post("/api/v0/users/login_email_otp", user).await;
        assert_eq!(logged_in.0, StatusCode::OK, "{}", logged_in.1);
        officer
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let answer = self
            .client
            .get(format!("{}{path}", self.url))
            .send()
            .await
            .unwrap();
        let status = answer.status();
        let body: Value = answer.json().await.unwrap();
        assert_eq!(status, StatusCode::OK, "{path}: {body}");
        body
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        let answer = self
            .client
            .post(format!("{}{path}", self.url))
            .json(&body)
            .send()
            .await
            .unwrap();
        (answer.status(), answer.json().await.unwrap())
    }

    /// The same under an Idempotency-Key.
    pub(crate) async fn press(&self, path: &str, body: Value, key: &str) -> (StatusCode, Value) {
        let request = self.client.post(format!("{}{path}", self.url)).json(&body);
        let answer = request.header("idempotency-key", key).send().await.unwrap();
        (answer.status(), answer.json().await.unwrap())
    }

    /// Every payment event as CSV.
    pub(crate) async fn export(&self) -> String {
        self.text("/api/v0/workspace/payments/events.csv").await
    }

    pub(crate) async fn text(&self, path: &str) -> String {
        let url = format!("{}{path}", self.url);
        self.client.get(url).send().await.unwrap().text().await.unwrap()
    }

    pub(crate) async fn events(&self, query: &str) -> Value {
        self.get(&format!("/api/v0/workspace/payments/events?limit=200{query}"))
            .await["data"]
            .clone()
    }

    /// The totals of the only currency.
    pub(crate) async fn totals(&self) -> Value {
        let totals = self.events("").await["totals"].clone();
        assert_eq!(totals.as_array().unwrap().len(), 1, "{totals}");
        totals[0].clone()
    }

    /// Debits equal credits in every payment that took money.
    pub(crate) async fn every_ledger_balances(&self) {
        let captured = self.events("&kind=captured").await;
        for row in captured["result"].as_array().unwrap() {
            let dossier = self.dossier(row["payment_id"].as_str().unwrap()).await;
            assert_eq!(dossier["balance_minor"], 0, "{dossier}");
            assert!(!dossier["ledger"].as_array().unwrap().is_empty());
        }
    }

    pub(crate) async fn dossier(&self, payment_id: &str) -> Value {
        self.get(&format!("/api/v0/workspace/payments/{payment_id}"))
            .await["data"]
            .clone()
    }
}

#[tokio::test]
async fn a_paid_deposit_is_audited_refunded_in_part_and_then_in_full() {
    let market = Market::open(&[3], &[]).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    buyer.pay(&token, GOOD).await;
    let officer = Officer::arrives(&market).await;
    market.caught_up().await;
    let captured = officer.events("&kind=captured").await["result"][0].clone();
    assert_eq!(
        (captured["amount_minor"].as_u64(), captured["sign"].as_i64()),
        (Some(25_907), Some(1))
    );
    let id = captured["payment_id"].as_str().unwrap();
    let refunds = format!("/api/v0/workspace/payments/{id}/refunds");
    let ask = async |amount: Value| {
        officer
            .post(
                &refunds,
                json!({ "booking": "keep", "amount_minor": amount, "reason": "plans changed" }),
            )
            .await
    };
    assert_eq!(
        ask(json!(25_908)).await.1["message"]["code"],
        "refund_exceeds_refundable"
    );
    assert_eq!(ask(json!(0)).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(ask(json!(-1)).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(ask(json!("250.00")).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(ask(json!(10_000)).await.0, StatusCode::CREATED);
    let (_, too_much) = ask(json!(15_908)).await;
    let words = english("refusal.refund_exceeds_refundable").replace("{refundable}", "£159.07");
    assert_eq!(
        too_much["message"],
        json!({ "code": "refund_exceeds_refundable", "user_friendly_message": words }),
        "a pending refund counts"
    );
    buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == 10_000)
        .await;
    assert_eq!(ask(json!(15_907)).await.0, StatusCode::CREATED);
    let paid_back = buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == 25_907)
        .await;
    assert_eq!(paid_back["status"], "success", "nothing leaves success");
    // Settled once the books have given back what they took in.
    let dossier = until(|| async {
        let dossier = officer.dossier(id).await;
        let has_moved = !dossier["ledger"].as_array().unwrap().is_empty();
        (dossier["refunded_minor"] == 25_907 && has_moved && clearing(&dossier) == 0).then_some(dossier)
    })
    .await;
    assert_eq!(
        (&dossier["balance_minor"], &dossier["refundable_minor"]),
        (&json!(0), &json!(0))
    );
    let (_, nothing_left) = ask(json!(1)).await;
    assert_eq!(
        nothing_left["message"]["user_friendly_message"],
        english("refusal.nothing_to_refund")
    );
    until(async || (officer.totals().await["net_minor"] == 0).then_some(())).await;
}

/// What a payment's entries leave at the provider, debits above zero.
fn clearing(dossier: &Value) -> i64 {
    let entries = dossier["ledger"].as_array().unwrap().iter();
    let clearing = entries.filter(|line| line["account"] == "gateway_clearing");
    let signed =
        clearing.map(|line| line["debit_minor"].as_i64().unwrap() - line["credit_minor"].as_i64().unwrap());
    signed.sum()
}

/// The list filters the export is harmless and the chain is verified.
#[tokio::test]
async fn finance_list_filters_exports_safely_and_verifies_the_chain() {
    let market = Market::open(&[3], &[]).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let paid = buyer.pay(&token, GOOD).await;
    let officer = Officer::arrives(&market).await;
    let reference = paid["reference"].as_str().unwrap();
    let found = officer.events(&format!("&q={reference}")).await;
    assert!(found["meta"]["count"].as_u64().unwrap() >= 3, "{found}");
    for amount in ["259.07", "259,07", "£259.07"] {
        let found = officer.events(&format!("&q={amount}")).await;
        assert!(found["meta"]["count"].as_u64().unwrap() >= 1, "{amount}: {found}");
    }
    assert_eq!(officer.events("&q=nobody").await["meta"]["count"], 0);
    assert_eq!(officer.events("&currency=EUR").await["meta"]["count"], 0);
    assert_eq!(officer.events("&to=2020-01-01").await["meta"]["count"], 0);
    let to_the_end = officer.events("&to=9999-12-31").await;
    assert!(to_the_end["meta"]["count"].as_u64().unwrap() >= 3, "{to_the_end}");
    let unknown = format!("{}/api/v0/workspace/payments/events?kind=zzz", officer.url);
    let unknown = officer.client.get(unknown).send().await.unwrap();
    assert_eq!(unknown.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let csv = officer.export().await;
    assert!(
        csv.starts_with("\u{feff}\"position\",\"recorded_at\",\"kind\","),
        "{csv}"
    );
    let rows = || csv.lines().skip(1);
    let came_in = |row: &&str| row.contains("\"Bloomsbury Row\",259.07,\"in\",\"GBP\",");
    let moved_nothing = |row: &&str| row.contains("\"Bloomsbury Row\",\"\",\"none\",\"GBP\",");
    assert_eq!(
        rows().filter(came_in).count(),
        1,
        "the sum is what came in: {csv}"
    );
    assert_eq!(rows().filter(moved_nothing).count() + 1, rows().count(), "{csv}");
    let chain = officer.get("/api/v0/workspace/chain").await["data"].clone();
    assert_eq!(
        (&chain["ok"], &chain["first_broken"]),
        (&json!(true), &Value::Null)
    );
    assert!(chain["verified_through"].as_u64().unwrap() >= 10);
    let stranger = Client::new().get(format!("{}/api/v0/workspace/payments/events", officer.url));
    assert_eq!(stranger.send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
}
