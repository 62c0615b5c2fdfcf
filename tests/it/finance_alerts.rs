//! What needs finance is told once by a webhook, and again only after it has cleared; and the audit list as a workbook.

use reqwest::StatusCode;
use serde_json::json;
use stripe_standin::{Standin, Weather};
use tests::LOG_FILE;

use crate::desk::Officer;
use crate::heard::{metrics, told as figure};
use crate::market::{Market, until};
use crate::receiver::{Answer, Receiver};
use crate::stripe::market_with;

/// A refund that fails turns the alert on; the webhook hears of it once, without anything of a person.
#[tokio::test(flavor = "multi_thread")]
async fn failed_refund_is_told_to_the_webhook_once() {
    let receiver = Receiver::start(|_, _| Answer::status(200));
    let url = format!("http://127.0.0.1:{}/hook", receiver.port);
    let market = Market::open(&[3], &[("LATCHKEY_ALERT_URL", &url)]).await;
    let officer = Officer::arrives(&market).await;
    assert_eq!(officer.get("/api/v0/workspace/alerts").await["data"], json!([]));
    market.plan(json!({ "refunds_fail": true })).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    buyer.pay(&token, "4242424242424242").await;
    let id = until(|| async {
        let found = officer.events("&kind=captured").await;
        found["result"][0]["payment_id"].as_str().map(str::to_owned)
    })
    .await;
    let (status, answer) = officer
        .post(
            &format!("/api/v0/workspace/payments/{id}/refunds"),
            json!({ "booking": "keep", "amount_minor": 1_000, "reason": "plans changed" }),
        )
        .await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    let told = until(|| async {
        let told = receiver.received().into_iter().map(|one| one.json());
        told.into_iter().find(|one| one["kind"] == "failed_refunds")
    })
    .await;
    assert_eq!(told["count"], 1, "{told}");
    assert!(!told.to_string().contains('@'), "{told}");
    let alerts = officer.get("/api/v0/workspace/alerts").await["data"].clone();
    assert!(
        alerts
            .as_array()
            .unwrap()
            .contains(&json!({ "kind": "failed_refunds", "count": 1 })),
        "{alerts}"
    );
    let book = officer
        .client
        .get(
            market
                .server
                .url("/api/v0/workspace/payments/events.xlsx?kind=captured"),
        )
        .send()
        .await
        .unwrap();
    assert_eq!(book.status(), StatusCode::OK);
    assert!(book.bytes().await.unwrap().starts_with(b"PK"));
}

/// A provider that makes no intent is seen within a minute: in the log output with its reason, as a figure, by webhook and in the lists.
#[tokio::test(flavor = "multi_thread")]
async fn payments_that_cannot_be_begun_are_an_alert() {
    let receiver = Receiver::start(|_, _| Answer::status(200));
    let url = format!("http://127.0.0.1:{}/hook", receiver.port);
    let (address, folder) = (tests::free_address().to_string(), tempfile::tempdir().unwrap());
    let output = folder.path().join("server.log");
    let settings = [
        ("LATCHKEY_ALERT_URL", &*url),
        ("LATCHKEY_METRICS_LISTEN", &*address),
        (LOG_FILE, output.to_str().unwrap()),
    ];
    let standin = Standin::open().await.unwrap();
    let market = market_with(&standin, 3, &settings).await;
    let officer = Officer::arrives(&market).await;
    standin.change_weather(Weather::Failing(400));
    let buyer = market.person(1, 0);
    let token = buyer.open().await;
    assert_eq!(buyer.begin(&token).await["status"], "init_failure");
    let told = until(|| async {
        let told = receiver.received().into_iter().map(|one| one.json());
        told.into_iter().find(|one| one["kind"] == "payments_refused")
    })
    .await;
    assert_eq!(told["count"], 1, "{told}");
    let found = json!({ "kind": "payments_refused", "count": 1 });
    for list in [
        officer.get("/api/v0/workspace/alerts").await["data"].clone(),
        officer.get("/api/v0/workspace/health").await["data"]["alerts"].clone(),
    ] {
        assert!(list.as_array().unwrap().contains(&found), "{list}");
    }
    let now = metrics(&address).await;
    assert!(
        figure(&now, "latchkey_payments_total{end=\"not_begun\"}") > 0.0,
        "{now}"
    );
    assert!(
        figure(&now, "latchkey_finance_alert{kind=\"payments_refused\"}") > 0.0,
        "{now}"
    );
    let logged = market.server.logged();
    let line = logged
        .lines()
        .find(|line| line.contains("a payment could not be begun"));
    assert!(
        line.is_some_and(|line| line.contains("WARN") && line.contains("refused")),
        "{logged}"
    );
    assert!(!logged.contains(&buyer.email), "{logged}");
    // Once the provider makes intents again, the payment goes on and the alert ends.
    standin.change_weather(Weather::Fair);
    assert_eq!(buyer.begin(&token).await["status"], "initiated");
    until(|| async {
        let alerts = officer.get("/api/v0/workspace/alerts").await["data"].clone();
        (!alerts.to_string().contains("payments_refused")).then_some(())
    })
    .await;
}

/// A payment that was opened long before is news when it cannot be begun: a link is days old when it is used.
#[tokio::test(flavor = "multi_thread")]
async fn payment_opened_long_ago_is_an_alert_when_refused() {
    let market = Market::open(&[3], &[]).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.open().await;
    let (status, answer) = buyer
        .post("/dev/clock", json!({ "forward_seconds": 2 * 3_600 }))
        .await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    market.plan(json!({ "outage": true })).await;
    assert_eq!(buyer.begin(&token).await["status"], "init_failure");
    until(|| async {
        let alerts = officer.get("/api/v0/workspace/alerts").await["data"].clone();
        alerts.to_string().contains("payments_refused").then_some(())
    })
    .await;
}

const FINANCE: &str = "books@house.example";

async fn count_alert_mails(market: &Market) -> usize {
    let kinds = market.messages(FINANCE).await;
    kinds.iter().filter(|kind| *kind == "finance_alert").count()
}

/// A webhook that takes nothing holds up no mail, and is told once it answers again.
#[tokio::test(flavor = "multi_thread")]
async fn failing_webhook_holds_up_no_mail() {
    let receiver = Receiver::start(|_, before| Answer::status(if before == 0 { 500 } else { 200 }));
    let url = format!("http://127.0.0.1:{}/hook", receiver.port);
    let settings = [("LATCHKEY_ALERT_URL", &*url), ("LATCHKEY_FINANCE_EMAIL", FINANCE)];
    let standin = Standin::open().await.unwrap();
    let market = market_with(&standin, 3, &settings).await;
    standin.change_weather(Weather::Failing(400));
    let buyer = market.person(1, 0);
    let token = buyer.open().await;
    assert_eq!(buyer.begin(&token).await["status"], "init_failure");
    until(|| async { (count_alert_mails(&market).await > 0).then_some(()) }).await;
    assert!(receiver.received().len() < 2, "the mail waits for no webhook");
    until(|| async { (receiver.received().len() >= 2).then_some(()) }).await;
    assert_eq!(count_alert_mails(&market).await, 1, "the mail is told once");
}

/// Rows of a bank's file are matched, differ or are unknown; a document type is refused.
#[tokio::test(flavor = "multi_thread")]
async fn bank_file_is_compared_with_the_account() {
    let market = Market::open(&[3], &[]).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    buyer.pay(&token, "4242424242424242").await;
    let charge = until(|| async {
        let found = officer.events("&kind=captured").await;
        found["result"][0]["gateway_id"].as_str().map(str::to_owned)
    })
    .await;
    // Its whole id finds it, whatever signs are in it.
    let found = officer.events(&format!("&q={charge}")).await;
    assert_ne!(found["meta"]["count"], 0, "{found}");
    let (status, answer) = officer
        .post("/api/v0/workspace/reconciliation/run", json!({}))
        .await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let compare = async |file: String| {
        let path = "/api/v0/workspace/reconciliation/file?date=Day&reference=Text";
        let url = market.server.url(path);
        let answer = officer.client.post(url).body(file).send().await.unwrap();
        (answer.status(), answer.json::<serde_json::Value>().await.unwrap())
    };
    let head = "Day,Amount,Currency,Text\n";
    let (_, compared) = compare(format!(
        "{head}2026-11-26,259.07,GBP,{charge}\n2026-11-26,12.00,GBP,'=rent\n"
    ))
    .await;
    let verdicts: Vec<_> = compared["data"]["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["matched", "unknown"], "{compared}");
    let (_, differing) = compare(format!("{head}2026-11-26,259.00,GBP,{charge}\n")).await;
    assert_eq!(
        (
            &differing["data"]["differing"],
            &differing["data"]["lines"][0]["there_minor"]
        ),
        (&json!(1), &json!(25_907))
    );
    let bomb = "<!DOCTYPE a [<!ENTITY b \"c\">]><Document/>".to_owned();
    let (status, refused) = compare(bomb).await;
    assert_eq!(
        (status, &refused["errors"][0]["code"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("document_type")),
        "{refused}"
    );
}
