//! What finance sends to a bank that disputes a payment.

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::{Value, json};
use stripe_standin::Standin;

use crate::desk::Officer;
use crate::market::{Market, until};
use crate::receipts::{get, text_of};
use crate::stripe;
use crate::visitor::Visitor;

const GOOD: &str = "4242424242424242";
const DISPUTES: &str = "4000000000000259";

/// A dispute's evidence names the event of each line, under Stripe's names and as a PDF, for finance alone.
#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one story, told in order")]
async fn dispute_evidence_names_the_event_of_each_line() {
    let market = Market::open(&[3], &[]).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let payment = buyer.pay(&token, DISPUTES).await;
    let reference = payment["reference"].as_str().unwrap();
    let id = disputed_id(&officer, reference).await;
    // What staff say and look at is no act of the payer: no bank reads it.
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let row = desk.get("/api/v0/workspace/leads").await.data()["result"][0].clone();
    let lead = format!("/api/v0/workspace/leads/{}", row["lead_id"].as_str().unwrap());
    let secret = "seems to lie about the card";
    let noted = desk
        .post(&format!("{lead}/notes"), json!({ "note": secret }))
        .await;
    assert!(noted.status.is_success(), "{}", noted.body);
    desk.post(
        &format!("{lead}/reveal"),
        json!({ "fields": ["name"], "reason": "wants to know more" }),
    )
    .await;
    desk.post(&format!("{lead}/assign"), json!({ "owner": "me" }))
        .await;
    let path = format!("/api/v0/workspace/payments/{id}/evidence");
    let evidence = officer.get(&path).await["data"].clone();
    assert_eq!(evidence["disputes"][0]["outcome"], "open", "{evidence}");
    let lines = evidence["lines"].as_array().unwrap();
    for kind in [
        "LeadCreated",
        "PaymentOpened",
        "PaymentSucceeded",
        "DisputeOpened",
    ] {
        let line = lines.iter().find(|line| line["type"] == kind);
        let event = line.unwrap_or_else(|| panic!("{kind}: {evidence}"))["event_id"]
            .as_str()
            .unwrap();
        assert_eq!(event.len(), 36);
    }
    let all = evidence.to_string();
    for of_staff in [
        secret,
        "wants to know more",
        "LeadNoteAdded",
        "UserPersonalDataRevealed",
        "LeadAssigned",
    ] {
        assert!(!all.contains(of_staff), "{of_staff}: {all}");
    }
    let fields = &evidence["evidence"];
    assert!(
        fields["access_activity_log"]
            .as_str()
            .unwrap()
            .contains("[event "),
        "{fields}"
    );
    assert_eq!(fields["service_date"], "2027-09-11");
    assert!(
        !evidence.to_string().contains(&buyer.email),
        "addresses stay masked"
    );
    let pdf = officer
        .client
        .get(market.server.url(&format!("{path}.pdf")))
        .send()
        .await
        .unwrap();
    assert_eq!(pdf.status(), StatusCode::OK);
    let text = text_of(&pdf.bytes().await.unwrap());
    for part in ["Evidence", reference, lines[0]["event_id"].as_str().unwrap()] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (status, _) = get(&market, &path).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

/// Without a dispute there is nothing to answer.
#[tokio::test]
async fn undisputed_payment_has_no_evidence() {
    let market = Market::open(&[1], &[]).await;
    let officer = Officer::arrives(&market).await;
    let paid = market.person(1, 0);
    let token = paid.begun().await;
    let undisputed = paid.pay(&token, GOOD).await["reference"]
        .as_str()
        .unwrap()
        .to_owned();
    let id = until(|| async {
        let found = officer.events(&format!("&kind=captured&q={undisputed}")).await;
        found["result"][0]["payment_id"].as_str().map(str::to_owned)
    })
    .await;
    let url = market
        .server
        .url(&format!("/api/v0/workspace/payments/{id}/evidence"));
    let refused = officer.client.get(url).send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::CONFLICT);
}

/// A payment that a bank disputes, on the test gateway.
struct Disputed {
    market: Market,
    officer: Officer,
    path: String,
}

impl Disputed {
    async fn with(plan: Value) -> Self {
        let market = Market::open(&[3], &[]).await;
        market.plan(plan).await;
        let officer = Officer::arrives(&market).await;
        let buyer = market.person(1, 0);
        let token = buyer.begun().await;
        let payment = buyer.pay(&token, DISPUTES).await;
        let id = disputed_id(&officer, payment["reference"].as_str().unwrap()).await;
        Self {
            market,
            officer,
            path: format!("/api/v0/workspace/payments/{id}/evidence"),
        }
    }

    /// The dispute as finance reads it, once it is as wished.
    async fn until(&self, wished: impl Fn(&Value) -> bool) -> Value {
        until(|| async {
            let evidence = self.officer.get(&self.path).await;
            let dispute = evidence["data"]["disputes"][0].clone();
            wished(&dispute).then_some(dispute)
        })
        .await
    }

    async fn send(&self, dispute: &Value) -> (StatusCode, Value) {
        let body = json!({ "dispute_id": dispute["id"], "last_seen": last_line(dispute) });
        self.officer.post(&format!("{}/send", self.path), body).await
    }

    /// What the gateway keeps of the dispute.
    async fn at_gateway(&self) -> Value {
        let gateway = self.market.gateway().await;
        let intents = gateway["intents"].as_array().unwrap().iter();
        let mut disputes = intents.map(|intent| intent["charge"]["dispute"].clone());
        disputes.find(Value::is_object).unwrap()
    }
}

/// The event of the last line that finance reads of a dispute.
pub(crate) fn last_line(dispute: &Value) -> Value {
    let lines = dispute["lines"].as_array().unwrap();
    lines.last().unwrap()["event_id"].clone()
}

pub(crate) async fn disputed_id(officer: &Officer, reference: &str) -> String {
    until(|| async {
        let found = officer
            .events(&format!("&kind=dispute_opened&q={reference}"))
            .await;
        found["result"][0]["payment_id"].as_str().map(str::to_owned)
    })
    .await
}

/// The pack is with the gateway by itself, every line with its event; Send passes it on once, and says so when pressed again.
#[tokio::test]
async fn dispute_evidence_is_laid_at_once_and_sent_once() {
    let disputed = Disputed::with(json!({})).await;
    let opened = Instant::now();
    let dispute = disputed.until(|dispute| dispute["laid_at"].is_string()).await;
    assert!(opened.elapsed() < Duration::from_secs(5), "{dispute}");
    assert_eq!(
        (&dispute["can_send"], &dispute["is_late"]),
        (&json!(true), &json!(false))
    );
    assert!(dispute["due_by"].is_string(), "{dispute}");
    let laid = disputed.at_gateway().await;
    assert_eq!(laid["submissions"], 0, "{laid}");
    assert!(laid["paper_bytes"].as_u64().unwrap() > 1_000, "{laid}");
    for field in ["access_activity_log", "uncategorized_text"] {
        let lines = laid["evidence"][field].as_str().unwrap().lines();
        let events: Vec<bool> = lines.map(|line| line.contains("[event ")).collect();
        assert!(
            !events.is_empty() && events.iter().all(|named| *named),
            "{field}: {laid}"
        );
    }
    let (status, answer) = disputed.send(&dispute).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{answer}");
    let (again, answer) = disputed.send(&dispute).await;
    assert_eq!(again, StatusCode::CONFLICT, "{answer}");
    assert_eq!(answer["message"]["code"], "evidence_sent", "{answer}");
    let sent = disputed.until(|dispute| dispute["sent_at"].is_string()).await;
    assert!(
        sent["asked_by"].is_string() && sent["asked_at"].is_string(),
        "{sent}"
    );
    assert_eq!(sent["can_send"], false);
    assert_eq!(disputed.at_gateway().await["submissions"], 1);
    assert_eq!(disputed.send(&dispute).await.0, StatusCode::CONFLICT);
}

/// The terms are quoted in the version that stood when the payment was opened, by its name.
#[tokio::test]
async fn evidence_quotes_the_accepted_terms() {
    let disputed = Disputed::with(json!({})).await;
    let evidence = disputed.officer.get(&disputed.path).await["data"].clone();
    let version = evidence["terms_of_use"].as_str().unwrap().to_owned();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../api/platform/terms_of_use");
    let kept = std::fs::read_to_string(format!("{folder}/{version}.json")).unwrap();
    let kept: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(
        evidence["evidence"]["refund_policy"],
        kept["en"]["legal.terms_4_text"]
    );
    let disclosed = evidence["evidence"]["refund_policy_disclosure"].as_str().unwrap();
    assert!(
        disclosed.contains(&format!("Terms of use of {version}, shown in the language en")),
        "{disclosed}"
    );
}

/// From two days before the bank's deadline a dispute is an alert, until its evidence is sent; the list finds every dispute.
#[tokio::test]
async fn dispute_near_its_deadline_is_an_alert() {
    let disputed = Disputed::with(json!({ "dispute_due_ms": 72 * 3_600_000 })).await;
    let alert = json!({ "kind": "dispute_deadlines", "count": 1 });
    let alerts = async || disputed.officer.get("/api/v0/workspace/alerts").await["data"].clone();
    let dispute = disputed.until(|dispute| dispute["due_by"].is_string()).await;
    assert!(!alerts().await.as_array().unwrap().contains(&alert));
    let found = disputed.officer.events("&kind=disputes").await;
    let kinds = [0, 1].map(|row| &found["result"][row]["kind"]);
    assert_eq!(kinds, ["dispute_fee", "dispute_opened"], "{found}");
    assert_eq!(found["meta"]["count"], 2, "{found}");
    Visitor::new(&disputed.market.server).wait(25 * 3_600).await;
    let shown = alerts().await;
    assert!(shown.as_array().unwrap().contains(&alert), "{shown}");
    let (status, answer) = disputed.send(&dispute).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{answer}");
    disputed.until(|dispute| dispute["sent_at"].is_string()).await;
    let shown = alerts().await;
    assert!(!shown.as_array().unwrap().contains(&alert), "{shown}");
}

/// A missed deadline stays an alert while the bank has not decided.
#[tokio::test]
async fn missed_deadline_of_a_dispute_stays_an_alert() {
    let disputed = Disputed::with(json!({ "dispute_due_ms": 1_000 })).await;
    disputed.until(|dispute| dispute["is_late"] == true).await;
    let shown = disputed.officer.get("/api/v0/workspace/alerts").await["data"].clone();
    let alert = json!({ "kind": "dispute_deadlines", "count": 1 });
    assert!(shown.as_array().unwrap().contains(&alert), "{shown}");
}

/// The pack names the payer, and says of each act whether its account had logged in.
#[tokio::test]
async fn evidence_names_the_payer_and_whose_acts_they_were() {
    let disputed = Disputed::with(json!({})).await;
    let evidence = disputed.officer.get(&disputed.path).await["data"].clone();
    assert_eq!(evidence["evidence"]["customer_name"], "Mei Lin", "{evidence}");
    let lines = evidence["lines"].as_array().unwrap();
    for kind in ["LeadCreated", "PaymentConfirmed"] {
        let line = lines.iter().find(|line| line["type"] == kind).unwrap();
        assert!(
            line["text"].as_str().unwrap().ends_with(", without a login"),
            "{line}"
        );
    }
    let begun = lines.iter().find(|line| line["type"] == "PaymentBegun").unwrap();
    let same = ", from the network and in the browser of the enquiry";
    assert!(begun["text"].as_str().unwrap().ends_with(same), "{begun}");
}

/// Past the bank's deadline Send is refused with the reason.
#[tokio::test]
async fn evidence_past_its_deadline_is_refused() {
    let disputed = Disputed::with(json!({ "dispute_due_ms": 1_000 })).await;
    let late = disputed.until(|dispute| dispute["is_late"] == true).await;
    assert_eq!(late["can_send"], false);
    let (status, answer) = disputed.send(&late).await;
    assert_eq!(status, StatusCode::CONFLICT, "{answer}");
    assert_eq!(answer["message"]["code"], "evidence_late", "{answer}");
}

/// While the provider is away the evidence waits, and is sent once it is back.
#[tokio::test]
async fn evidence_waits_for_a_provider_that_is_away() {
    let disputed = Disputed::with(json!({})).await;
    let dispute = disputed.until(|dispute| dispute["laid_at"].is_string()).await;
    disputed.market.plan(json!({ "outage": true })).await;
    assert_eq!(disputed.send(&dispute).await.0, StatusCode::ACCEPTED);
    disputed.market.plan(json!({})).await;
    disputed.until(|dispute| dispute["sent_at"].is_string()).await;
    assert_eq!(disputed.at_gateway().await["submissions"], 1);
}

/// Events of the lines that tell what the payer did and got: those of payments and disputes stay.
fn acts_of_payer(evidence: &Value) -> Vec<Value> {
    let lines = evidence["lines"].as_array().unwrap().iter();
    let acts = lines.filter(|line| {
        let kind = line["type"].as_str().unwrap();
        ["Lead", "BookingForm", "User"]
            .iter()
            .any(|stream| kind.starts_with(stream))
    });
    acts.map(|line| line["event_id"].clone()).collect()
}

/// On Stripe the fields that take text have it, the paper is uploaded as a file, and the bank gets both once; a field whose lines are all
/// struck is emptied of what was laid before.
#[tokio::test]
async fn stripe_takes_evidence_as_fields_and_file() {
    let standin = Standin::open().await.unwrap();
    let market = stripe::market(&standin).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let (_, payment) = stripe::paid_and_told(&standin, &buyer).await;
    let intent = standin.intents()[0]["id"].as_str().unwrap().to_owned();
    standin.dispute(&intent, "needs_response");
    let id = disputed_id(&officer, payment["reference"].as_str().unwrap()).await;
    let dispute = until(|| async {
        let found = standin.disputes().into_iter().next();
        found.filter(|dispute| dispute["evidence_details"]["has_evidence"] == true)
    })
    .await;
    assert_eq!(dispute["evidence_details"]["submission_count"], 0);
    assert_eq!(
        dispute["evidence"]["uncategorized_file"],
        standin.files()[0]["id"]
    );
    assert!(
        dispute["evidence"]["uncategorized_text"]
            .as_str()
            .unwrap()
            .contains("[event ")
    );
    assert!(
        dispute["evidence"]["access_activity_log"].is_string(),
        "{dispute}"
    );
    market.caught_up().await;
    let path = format!("/api/v0/workspace/payments/{id}/evidence");
    let seen = until(|| async {
        let evidence = officer.get(&path).await;
        let dispute = evidence["data"]["disputes"][0].clone();
        dispute["due_by"].is_string().then_some(dispute)
    })
    .await;
    let struck = acts_of_payer(&officer.get(&path).await["data"]);
    let body = json!({ "dispute_id": seen["id"], "struck": struck, "last_seen": last_line(&seen) });
    let (status, answer) = officer.post(&format!("{path}/send"), body).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{answer}");
    let sent = until(|| async {
        let dispute = standin.disputes().into_iter().next()?;
        (dispute["evidence_details"]["submission_count"] == 1).then_some(dispute)
    })
    .await;
    assert!(sent["evidence"]["access_activity_log"].is_null(), "{sent}");
    assert!(sent["evidence"]["uncategorized_text"].is_string(), "{sent}");
    let told = standin.calls();
    let told: Vec<_> = told
        .iter()
        .filter(|call| call.what.starts_with("POST /v1/disputes/"))
        .collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told.iter().all(|call| call.idempotency_key.is_some()));
    assert_ne!(told[0].idempotency_key, told[1].idempotency_key);
    standin.dispute(&intent, "won");
    until(|| async {
        let evidence = officer.get(&path).await;
        (evidence["data"]["disputes"][0]["outcome"] == "won").then_some(())
    })
    .await;
}
