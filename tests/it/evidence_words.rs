//! Evidence for a bank holds no free words of staff, and nothing of a line that finance struck.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::desk::Officer;
use crate::evidence::last_line;
use crate::finance_history::MARKER;
use crate::market::{Market, until};
use crate::payment_links::{booked, rent};
use crate::receipts::text_of;
use crate::visitor::Visitor;

const LEADS: &str = "/api/v0/workspace/leads";
const PAYMENTS: &str = "/api/v0/workspace/payments";

/// Staff write the marker wherever an act on a booked lead takes words.
async fn write_everywhere(market: &Market, officer: &Officer, lead: &str, payment: &str) {
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let act = |act: &str| json!({ "act": act, "reason": MARKER });
    let with = |mut act: Value, field: &str, value: Value| {
        act[field] = value;
        act
    };
    let mut link = rent(lead);
    (link["reason"], link["note"]) = (json!(MARKER), json!(MARKER));
    let calls = [
        (format!("{LEADS}/{lead}/notes"), json!({ "note": MARKER })),
        (format!("{LEADS}/{lead}/reveal"), json!({ "reason": MARKER })),
        (format!("{LEADS}/{lead}/acts"), act("send_enquiry")),
        (format!("{LEADS}/{lead}/acts"), act("send_code")),
        (
            format!("{LEADS}/{lead}/acts"),
            with(act("correct_contact"), "phone", json!("+447700900456")),
        ),
        (format!("{LEADS}/{lead}/acts"), act("undo_contact")),
        (
            format!("{LEADS}/{lead}/acts"),
            with(act("ask_refund"), "amount_minor", json!(1_000)),
        ),
    ];
    for (path, body) in calls {
        let answer = desk.post(&path, body.clone()).await;
        assert!(answer.status.is_success(), "{path} {body}: {}", answer.body);
    }
    let decisions = officer.get("/api/v0/workspace/approvals/waiting").await;
    let asked = decisions["data"]["decisions"][0]["request"]["ask_id"].as_str();
    let decline = format!("{PAYMENTS}/refund_requests/{}/decline", asked.unwrap());
    let refund = json!({ "booking": "keep", "amount_minor": 1_000, "reason": MARKER });
    for (path, body) in [
        (decline, json!({ "reason": MARKER })),
        ("/api/v0/workspace/payment_links".to_owned(), link),
        (format!("{PAYMENTS}/{payment}/refunds"), refund),
    ] {
        let (status, answer) = officer.post(&path, body).await;
        assert!(status.is_success(), "{path}: {answer}");
    }
}

/// The intent that was paid, with its dispute and the evidence that the gateway keeps.
async fn charged(market: &Market) -> Value {
    let gateway = market.gateway().await;
    let intents = gateway["intents"].as_array().unwrap().iter();
    let mut charged = intents.filter(|intent| intent["charge"].is_object());
    charged.next().unwrap().clone()
}

/// The paper as finance downloads it.
async fn paper(market: &Market, officer: &Officer, path: &str) -> String {
    let url = market.server.url(&format!("{path}.pdf"));
    let pdf = officer.client.get(url).send().await.unwrap();
    assert_eq!(pdf.status(), StatusCode::OK);
    text_of(&pdf.bytes().await.unwrap())
}

/// Marked words of every act stand in no evidence; what finance strikes is in none that is sent, and a line it never saw is refused.
#[tokio::test(flavor = "multi_thread")]
async fn bank_gets_no_words_of_staff_and_nothing_that_was_struck() {
    let market = Market::open(&[3], &[]).await;
    let (_, lead, officer) = booked(&market).await;
    let captured = officer.events("&kind=captured").await;
    let payment = captured["result"][0]["payment_id"].as_str().unwrap().to_owned();
    write_everywhere(&market, &officer, &lead, &payment).await;
    market.caught_up().await;
    let intent = charged(&market).await["id"].clone();
    let disputed = json!({ "intent": intent, "status": "needs_response" });
    let (status, answer) = officer.post("/dev/sandbox/disputes", disputed).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let path = format!("{PAYMENTS}/{payment}/evidence");
    let evidence = until(|| async {
        let url = market.server.url(&path);
        let answer: Value = officer.client.get(url).send().await.ok()?.json().await.ok()?;
        let evidence = answer["data"].clone();
        evidence["disputes"][0]["laid_at"].is_string().then_some(evidence)
    })
    .await;
    let laid = charged(&market).await.to_string().to_lowercase();
    for text in [
        evidence.to_string().to_lowercase(),
        paper(&market, &officer, &path).await.to_lowercase(),
        laid,
    ] {
        assert!(!text.contains(MARKER), "{text}");
    }

    let lines = evidence["lines"].as_array().unwrap();
    let enquiry = lines.iter().find(|line| line["type"] == "LeadCreated").unwrap();
    let event = enquiry["event_id"].as_str().unwrap();
    let send = async |struck: Value| {
        let dispute = &evidence["disputes"][0];
        let body = json!({ "dispute_id": dispute["id"], "struck": struck, "last_seen": last_line(dispute) });
        officer.post(&format!("{path}/send"), body).await
    };
    let (status, refused) = send(json!(["01923456-789a-7bcd-8ef0-123456789abc"])).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
    let (status, answer) = send(json!([event])).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{answer}");
    let (status, again) = send(json!([event])).await;
    assert_eq!(status, StatusCode::CONFLICT, "{again}");
    let noted = until(|| async {
        let evidence = officer.get(&path).await["data"].clone();
        evidence["disputes"][0]["sent_at"].is_string().then_some(evidence)
    })
    .await;
    assert_eq!(noted["disputes"][0]["struck"], 1, "{noted}");
    let at_gateway = charged(&market).await.to_string();
    let paper = paper(&market, &officer, &path).await;
    for text in [noted.to_string(), at_gateway, paper] {
        assert!(!text.contains(event), "{text}");
    }
}
