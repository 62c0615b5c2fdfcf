//! The workspace's list of leads as a queue of work: what waits for an answer, for a payment, for a decision.

use serde_json::{Value, json};

use crate::market::{Market, until};
use crate::visitor::{Visitor, enquiry};

const DECLINED: &str = "4000000000000002";
const DELAYED: &str = "4000000000010043";
const DISPUTED: &str = "4000000000000259";

async fn leads(desk: &Visitor<'_>, query: &str) -> Value {
    let list = desk.get(&format!("/api/v0/workspace/leads?{query}")).await;
    list.data().clone()
}

/// Statuses of a list's rows, with whether each lead is answered.
fn answered(list: &Value) -> Vec<(&str, bool)> {
    let rows = list["result"].as_array().unwrap().iter();
    rows.map(|row| {
        (
            row["status"].as_str().unwrap(),
            row["answered"].as_bool().unwrap(),
        )
    })
    .collect()
}

/// Waits until this many leads have the reason to be looked at, and gives the list of them.
async fn listed(desk: &Visitor<'_>, reason: &str, count: u64) -> Value {
    until(|| async {
        let list = leads(desk, &format!("attention={reason}")).await;
        (list["meta"]["count"] == count).then_some(list)
    })
    .await
}

/// Neither a note nor an owner answers a lead: a call that reaches the student does, and it stays answered.
async fn enquires_and_is_called(market: &Market, desk: &Visitor<'_>) {
    let mei = Visitor::new(&market.server);
    let sent = mei
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await;
    let lead_id = sent.data()["id"].as_str().unwrap();
    let assign = format!("/api/v0/workspace/leads/{lead_id}/assign");
    assert_eq!(answered(&leads(desk, "").await), [("enquired", false)]);
    let note = format!("/api/v0/workspace/leads/{lead_id}/notes");
    desk.post(&note, json!({ "note": "Call on Monday" })).await.data();
    assert_eq!(answered(&leads(desk, "").await), [("enquired", false)]);
    let reason = "He speaks her language";
    desk.post(&assign, json!({ "owner": "me", "reason": reason }))
        .await
        .data();
    let long = desk
        .post(&assign, json!({ "owner": null, "reason": "a".repeat(501) }))
        .await;
    assert_eq!(long.fields(), ["reason"]);
    let history = format!("/api/v0/workspace/leads/{lead_id}/timeline");
    let history = desk.get(&history).await.data().clone();
    let mut events = history["events"].as_array().unwrap().iter();
    let given = events.find(|event| event["type"] == "LeadAssigned").unwrap();
    assert_eq!(given["sentence"]["params"]["reason"], reason, "{given}");
    let taken = leads(desk, "attention=unanswered").await;
    assert_eq!(answered(&taken), [("enquired", false)]);
    assert!(taken["result"][0]["answer_due_at"].is_string());
    let acts = format!("/api/v0/workspace/leads/{lead_id}/acts");
    let call = json!({ "act": "record_call", "reached": true });
    desk.post(&acts, call).await.data();
    assert_eq!(answered(&leads(desk, "").await), [("enquired", true)]);
    desk.post(&assign, json!({ "owner": null })).await.data();
    assert_eq!(leads(desk, "attention=unanswered").await["meta"]["count"], 0);
}

/// One hold runs, another beside a declined card: the student went on alone, and the lead is not answered.
async fn hold_and_decline(market: &Market, desk: &Visitor<'_>) {
    let (holder, buyer) = (market.person(1, 0), market.person(2, 0));
    holder.begun().await;
    let token = buyer.begun().await;
    assert_eq!(buyer.pay(&token, DECLINED).await["status"], "failed");
    let declined = listed(desk, "declined", 1).await;
    assert_eq!(answered(&declined), [("payment_started", false)]);
    assert_eq!(
        declined["result"][0]["attention"],
        json!(["hold_ending", "unanswered", "declined"])
    );
    let held = listed(desk, "hold_ending", 2).await;
    let ends = held["result"].as_array().unwrap().iter();
    let ends: Vec<&str> = ends.map(|row| row["hold_until"].as_str().unwrap()).collect();
    assert!(ends.is_sorted(), "the hold that ends first is first: {ends:?}");
}

/// A delayed method settles, and a booked payment is disputed.
async fn wait_and_dispute(market: &Market, desk: &Visitor<'_>) {
    let patient = market.person(3, 0);
    let token = patient.begun().await;
    assert_eq!(patient.pay(&token, DELAYED).await["status"], "pending");
    let pending = listed(desk, "pending", 1).await;
    assert_eq!(
        pending["result"][0]["attention"],
        json!(["unanswered", "pending"])
    );
    let payer = market.person(4, 0);
    let token = payer.begun().await;
    assert_eq!(payer.pay(&token, DISPUTED).await["status"], "success");
    let disputed = until(|| async {
        let list = leads(desk, "attention=disputed").await;
        (answered(&list) == [("booked", false)]).then_some(list)
    })
    .await;
    assert_eq!(disputed["result"][0]["hold_until"], Value::Null);
}

#[tokio::test]
async fn leads_are_listed_by_what_they_wait_for() {
    let market = Market::open(&[9], &[]).await;
    market.plan(json!({ "settle_after_ms": 3_600_000 })).await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    enquires_and_is_called(&market, &desk).await;
    hold_and_decline(&market, &desk).await;
    wait_and_dispute(&market, &desk).await;

    let all = leads(&desk, "").await;
    let first = |row: &Value| row["attention"][0].as_str().unwrap_or_default().to_owned();
    let reasons: Vec<String> = all["result"].as_array().unwrap().iter().map(first).collect();
    assert_eq!(
        reasons,
        ["hold_ending", "hold_ending", "disputed", "unanswered", ""]
    );
    let counts = json!({ "hold_ending": 2, "disputed": 1, "late": 0, "unanswered": 3, "declined": 1, "pending": 1, "referral_held": 0 });
    assert_eq!(all["attention"], counts);
    let disputed = leads(&desk, "attention=disputed").await;
    assert_eq!(disputed["counts"], json!({ "all": 1, "booked": 1 }));
    let refused = desk.get("/api/v0/workspace/leads?attention=asleep").await;
    assert_eq!(refused.fields(), ["attention"]);
}
