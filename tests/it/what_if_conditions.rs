//! What if under conditions (row N3): the provider refuses, the home asks what it asked before, or an event was never recorded. Such a
//! branch is looked at and not applied, and changes nothing.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::market::{AUTUMN, Market, log_of};
use crate::price_lock::reprice;
use crate::visitor::Visitor;
use crate::what_if::{Booked, booked, staff, timeline, what_if, world};

/// All that was paid.
const DEPOSIT: u64 = 25_907;

/// Tries to apply a branch with the conditions that it was tried under, and expects the refusal.
async fn is_not_applied(visitor: &Visitor<'_>, lead_id: &str, tried: &Value, asked: &Value) {
    assert_eq!(tried["can_apply"], false, "{tried}");
    let branch = tried["branch"].as_str().unwrap();
    let path = format!("/api/v0/workspace/leads/{lead_id}/what-if/{branch}/apply");
    let body = json!({ "base": tried["base"], "steps": asked["steps"], "conditions": asked["conditions"],
        "reason": "Visa refused" });
    let refused = visitor.post(&path, body).await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::CONFLICT, "what_if_conditions")
    );
}

/// What a field of the lead's history was and would be.
fn values<'v>(tried: &'v Value, name: &str) -> (&'v Value, &'v Value) {
    let mut fields = tried["fields"].as_array().unwrap().iter();
    let field = fields.find(|field| field["field"] == name).unwrap();
    (&field["before"], &field["after"])
}

/// The provider refuses: the books have the money back, the booking stays, and finance alone is told.
#[tokio::test(flavor = "multi_thread")]
async fn refund_that_is_refused_stays_with_the_payment() {
    let market = Market::open(&[3], &[]).await;
    let buyer = market.person(1, 0);
    let Booked { lead_id, .. } = booked(&market, &buyer).await;
    let admin = staff(&market, "admin").await;
    market.caught_up().await;
    let before = world(&market, &admin, &buyer, &lead_id).await;
    let steps = json!([{ "act": "refund", "amount_minor": DEPOSIT, "booking": "cancel" }]);
    let asked = json!({ "steps": steps, "conditions": { "provider_refuses": true } });
    let tried = what_if(&admin, &lead_id, asked.clone()).await;
    let tried = tried.data().clone();
    assert_eq!(tried["steps"][0]["refusal"], Value::Null, "{tried}");
    assert_eq!(values(&tried, "refund"), (&Value::Null, &json!("failed")));
    let fields = tried["fields"].as_array().unwrap();
    assert!(fields.iter().all(|field| field["field"] != "status"), "{tried}");
    assert_eq!(tried["calls"], json!(["send_refund"]));
    assert_eq!(
        tried["messages"],
        json!([{ "kind": "refund_came_back", "to": "finance" }])
    );
    let lines = tried["postings"].as_array().unwrap().iter();
    let payable: Vec<(&Value, &Value, &Value)> = lines
        .filter(|line| line["account"] == "refunds_payable")
        .map(|line| (&line["type"], &line["debit_minor"], &line["credit_minor"]))
        .collect();
    assert_eq!(
        payable,
        [
            (&json!("RefundRequested"), &json!(0), &json!(DEPOSIT)),
            (&json!("RefundFailed"), &json!(DEPOSIT), &json!(0)),
        ]
    );
    is_not_applied(&admin, &lead_id, &tried, &asked).await;

    let paid_out = what_if(&admin, &lead_id, json!({ "steps": steps })).await;
    assert_eq!(values(paid_out.data(), "refund").1, "acknowledged");
    assert_ne!(paid_out.data()["branch"], tried["branch"]);
    assert_eq!(world(&market, &admin, &buyer, &lead_id).await, before);
}

/// When the newest event of the log was recorded.
async fn newest(market: &Market) -> String {
    let log = log_of(&market.server).await;
    let head = log.head().await.unwrap();
    let event = log.span(head, head).await.unwrap().remove(0);
    event.recorded_at.to_rfc3339()
}

/// The stay costs what its home asked at a moment that is over; one to come, or one before the home was listed, has no price.
#[tokio::test(flavor = "multi_thread")]
async fn stay_costs_what_its_home_asked_at_a_moment() {
    let mut market = Market::open(&[9], &[]).await;
    reprice(&mut market, 20_000).await;
    let cheap = newest(&market).await;
    reprice(&mut market, 22_000).await;
    let buyer = market.person(1, 0);
    buyer.enquire().await;
    let admin = staff(&market, "admin").await;
    market.caught_up().await;
    let leads = admin.get("/api/v0/workspace/leads").await.data().clone();
    let lead_id = leads["result"][0]["lead_id"].as_str().unwrap().to_owned();
    let before = world(&market, &admin, &buyer, &lead_id).await;
    let steps = json!([{ "act": "change_stay", "move_in_date": AUTUMN, "lease_duration": "44 weeks" }]);
    let at = |moment: &str| json!({ "steps": steps, "conditions": { "price_at": moment } });
    let prices = |tried: &Value| {
        let price = &tried["stay_price"];
        (price["before_minor"].as_u64(), price["after_minor"].as_u64())
    };
    let now = what_if(&admin, &lead_id, json!({ "steps": steps })).await;
    assert_eq!(prices(now.data()), (Some(22_000), Some(22_000)), "{}", now.body);
    assert_eq!(now.data()["can_apply"], true);
    let asked = at(&cheap);
    let tried = what_if(&admin, &lead_id, asked.clone()).await;
    let tried = tried.data().clone();
    assert_eq!(prices(&tried), (Some(22_000), Some(20_000)), "{tried}");
    assert_eq!(
        (&tried["stay_price"]["currency"], &tried["stay_price"]["duration"]),
        (&json!("GBP"), &json!("weekly"))
    );
    assert_eq!(values(&tried, "move_in_date").1, AUTUMN);
    assert_eq!(
        tried["messages"],
        json!([{ "kind": "changed_for_you", "to": "student" }])
    );
    assert_eq!((&tried["postings"], &tried["calls"]), (&json!([]), &json!([])));
    is_not_applied(&admin, &lead_id, &tried, &asked).await;
    for moment in ["some day", "2190-01-01T00:00:00Z", "2001-01-01T00:00:00Z"] {
        let refused = what_if(&admin, &lead_id, at(moment)).await;
        assert_eq!(refused.fields(), ["conditions.price_at"], "{moment}");
    }
    assert_eq!(world(&market, &admin, &buyer, &lead_id).await, before);
}

/// Without its booking a lead can be closed, and without its charge nothing can go back; the first event of a stream, another stream's
/// event and one after the branch's beginning are no choices.
#[tokio::test(flavor = "multi_thread")]
async fn event_left_out_has_not_happened_on_the_branch() {
    let market = Market::open(&[3], &[]).await;
    let buyer = market.person(1, 0);
    let Booked { lead_id, .. } = booked(&market, &buyer).await;
    let admin = staff(&market, "admin").await;
    market.caught_up().await;
    let before = world(&market, &admin, &buyer, &lead_id).await;
    let history = timeline(&admin, &lead_id).await;
    let position = |event_type: &str| {
        let mut events = history["events"].as_array().unwrap().iter();
        let event = events.find(|event| event["type"] == event_type).unwrap();
        event["position"].clone()
    };
    let without =
        |steps: &Value, position: &Value| json!({ "steps": steps, "conditions": { "leave_out": position } });
    let close = json!([{ "act": "close", "cause": "no_answer" }]);
    let asked = without(&close, &position("LeadBooked"));
    let closed = what_if(&admin, &lead_id, asked.clone()).await;
    let closed = closed.data().clone();
    assert_eq!(closed["steps"][0]["refusal"], Value::Null, "{closed}");
    assert_eq!(values(&closed, "status"), (&json!("booked"), &json!("lost")));
    is_not_applied(&admin, &lead_id, &closed, &asked).await;

    let refund = json!([{ "act": "refund", "amount_minor": DEPOSIT, "booking": "cancel" }]);
    let unpaid = what_if(&admin, &lead_id, without(&refund, &position("PaymentSucceeded"))).await;
    let unpaid = unpaid.data();
    assert!(unpaid["steps"][0]["refusal"].is_object(), "{unpaid}");
    let (was, would_be) = values(unpaid, "payment_status");
    assert_eq!(was, "success");
    assert_ne!(would_be, "success");
    let paid = what_if(&admin, &lead_id, json!({ "steps": refund })).await;
    for part in ["messages", "calls", "postings", "events"] {
        assert_eq!(unpaid[part], json!([]), "{part}");
        assert_ne!(paid.data()[part], json!([]), "{part}");
    }

    let first = position("LeadCreated");
    for unknown in [json!(0), json!(1), json!(9_999_999), first.clone()] {
        let refused = what_if(&admin, &lead_id, without(&close, &unknown)).await;
        assert_eq!(refused.fields(), ["conditions.leave_out"], "{unknown}");
    }
    let mut later = without(&close, &position("LeadBooked"));
    later["from"] = first;
    let refused = what_if(&admin, &lead_id, later).await;
    assert_eq!(refused.fields(), ["conditions.leave_out"]);
    assert_eq!(world(&market, &admin, &buyer, &lead_id).await, before);
}
