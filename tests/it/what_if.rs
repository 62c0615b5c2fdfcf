//! What if (row N3): acts are tried on a branch of a lead's history, nothing of it is written or sent, and a branch is applied once.

use futures::future::join;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::desk::Officer;
use crate::links_over::booking;
use crate::market::{Buyer, Market, log_of, until};
use crate::visitor::{Answer, Visitor};

const GOOD: &str = "4242424242424242";
const BACK: &str = "re_branch";

/// A lead with a booking that is paid for, and the payment's token.
pub(crate) struct Booked {
    pub(crate) lead_id: String,
    token: String,
}

pub(crate) async fn booked(market: &Market, buyer: &Buyer) -> Booked {
    let token = buyer.begun().await;
    assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");
    let (lead_id, _) = booking(&Officer::arrives(market).await).await;
    market.caught_up().await;
    Booked { lead_id, token }
}

pub(crate) async fn staff<'m>(market: &'m Market, role: &str) -> Visitor<'m> {
    let visitor = Visitor::new(&market.server);
    visitor.log_in_as(role).await;
    visitor
}

pub(crate) async fn what_if(visitor: &Visitor<'_>, lead_id: &str, body: Value) -> Answer {
    let path = format!("/api/v0/workspace/leads/{lead_id}/what-if");
    visitor.post(&path, body).await
}

/// Applies a branch as it was answered, under a key of its own.
async fn apply(visitor: &Visitor<'_>, lead_id: &str, tried: &Value, steps: &Value, key: &str) -> Answer {
    let branch = tried["branch"].as_str().unwrap();
    let path = format!("/api/v0/workspace/leads/{lead_id}/what-if/{branch}/apply");
    let body =
        json!({ "base": tried["base"], "from": tried["from"], "steps": steps, "reason": "Visa refused" });
    visitor
        .call(Method::POST, &path, Some(body), &[("idempotency-key", key)])
        .await
}

pub(crate) async fn timeline(visitor: &Visitor<'_>, lead_id: &str) -> Value {
    let path = format!("/api/v0/workspace/leads/{lead_id}/timeline");
    visitor.get(&path).await.data().clone()
}

/// What a field of the lead's history holds now.
fn value_now(timeline: &Value, stream: &str, field: &str) -> Value {
    let events = timeline["events"].as_array().unwrap().iter().rev();
    let mut changes = events
        .filter(|event| event["stream"] == stream)
        .flat_map(|event| event["changes"].as_array().unwrap());
    let newest = changes.find(|change| change["field"] == field);
    newest.map_or(Value::Null, |change| change["to"].clone())
}

/// What must stand still while acts are only tried.
pub(crate) async fn world(market: &Market, visitor: &Visitor<'_>, buyer: &Buyer, lead_id: &str) -> Value {
    // Read before the log's end is: the first read of a history is an event (T30).
    let lead = timeline(visitor, lead_id).await;
    let models = visitor.get("/api/v0/workspace/read_models").await;
    let mut provider = market.gateway().await;
    for notice in provider["notices"].as_array_mut().unwrap() {
        // Signed anew each time that the page is read.
        notice["signature"].take();
    }
    json!({
        "head": models.data()["head"],
        "lead": lead,
        "mails": market.messages(&buyer.email).await,
        "provider": provider,
    })
}

/// M3: a refund on a branch changes neither lead, outbox nor provider and lists its postings; applied, the lead is as the branch was;
/// the same branch applied twice is refused.
#[tokio::test(flavor = "multi_thread")]
async fn branch_shows_a_refund_and_is_applied_once() {
    let market = Market::open(&[3], &[]).await;
    let buyer = market.person(1, 0);
    let Booked { lead_id, token } = booked(&market, &buyer).await;
    let admin = staff(&market, "admin").await;
    market.caught_up().await;
    let before = world(&market, &admin, &buyer, &lead_id).await;
    let steps = json!([{ "act": "refund", "amount_minor": 25_907, "booking": "cancel" }]);
    let tried = what_if(&admin, &lead_id, json!({ "steps": steps })).await;
    let tried = tried.data().clone();
    let types: Vec<&str> = tried["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["type"].as_str().unwrap())
        .collect();
    assert_eq!(types[0], "RefundRequested", "{tried}");
    assert!(types.contains(&"LeadBookingRefunded"), "{types:?}");
    let sums = tried["postings"].as_array().unwrap();
    assert!(!sums.is_empty(), "{tried}");
    let sum = |side: &str| sums.iter().map(|line| line[side].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("debit_minor"), sum("credit_minor"), "{tried}");
    assert!(
        sums.iter()
            .any(|line| line["account"] == "refunds_payable" && line["credit_minor"] == 25_907)
    );
    assert_eq!(tried["calls"], json!(["send_refund"]));
    let mails: Vec<&Value> = tried["messages"].as_array().unwrap().iter().collect();
    assert!(
        mails.contains(&&json!({ "kind": "booking_cancelled", "to": "student" })),
        "{mails:?}"
    );
    assert_eq!(tried["can_apply"], true);
    assert_eq!(world(&market, &admin, &buyer, &lead_id).await, before);

    let done = apply(&admin, &lead_id, &tried, &steps, "press 1").await;
    assert_eq!(done.data()["approvals"], json!([]));
    buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == 25_907)
        .await;
    market.caught_up().await;
    let after = timeline(&admin, &lead_id).await;
    for field in tried["fields"].as_array().unwrap() {
        let name = field["field"].as_str().unwrap();
        let now = value_now(&after, field["stream"].as_str().unwrap(), name);
        assert_eq!(now, field["after"], "{name}");
    }
    let status = tried["fields"].as_array().unwrap().iter();
    let status = status.filter(|field| field["field"] == "status").count();
    assert_eq!(status, 1, "{}", tried["fields"]);

    let same_press = apply(&admin, &lead_id, &tried, &steps, "press 1").await;
    assert_eq!(same_press.data()["branch"], tried["branch"]);
    let twice = apply(&admin, &lead_id, &tried, &steps, "press 2").await;
    assert_eq!(
        (twice.status, twice.code()),
        (StatusCode::CONFLICT, "what_if_applied")
    );
    let gateway = market.gateway().await;
    assert!(!gateway.to_string().contains(BACK));
    assert_eq!(gateway["refunds"].as_array().map(Vec::len), Some(1), "{gateway}");
}

/// A branch is refused once its lead has changed; the answer names what came.
#[tokio::test(flavor = "multi_thread")]
async fn branch_of_a_changed_lead_is_refused() {
    let market = Market::open(&[3], &[]).await;
    let buyer = market.person(1, 0);
    buyer.enquire().await;
    let admin = staff(&market, "support").await;
    market.caught_up().await;
    let leads = admin.get("/api/v0/workspace/leads").await.data().clone();
    let lead_id = leads["result"][0]["lead_id"].as_str().unwrap().to_owned();
    let steps = json!([{ "act": "close", "cause": "no_answer" }]);
    let tried = what_if(&admin, &lead_id, json!({ "steps": steps })).await;
    let tried = tried.data().clone();
    let status = &tried["fields"][0];
    assert_eq!(
        (&status["field"], &status["after"]),
        (&json!("status"), &json!("lost"))
    );
    let path = format!("/api/v0/workspace/leads/{lead_id}/assign");
    admin.post(&path, json!({ "owner": "me" })).await.data();
    let late = apply(&admin, &lead_id, &tried, &steps, "press").await;
    assert_eq!(
        (late.status, late.code()),
        (StatusCode::CONFLICT, "what_if_changed")
    );
    assert_eq!(
        late.body["current"]["events"][0]["type"], "LeadAssigned",
        "{}",
        late.body
    );
    let anew = what_if(&admin, &lead_id, json!({ "steps": steps })).await;
    assert_ne!(anew.data()["branch"], tried["branch"]);
    apply(&admin, &lead_id, anew.data(), &steps, "again").await.data();
    assert_eq!(
        value_now(&timeline(&admin, &lead_id).await, "lead", "status"),
        "lost"
    );
}

/// From a past event the same acts are judged by the state and clock of then; such a branch is looked at and not applied.
#[tokio::test(flavor = "multi_thread")]
async fn branch_of_the_past_is_looked_at_and_not_applied() {
    let market = Market::open(&[3], &[]).await;
    let buyer = market.person(1, 0);
    let Booked { lead_id, .. } = booked(&market, &buyer).await;
    let admin = staff(&market, "admin").await;
    let history = timeline(&admin, &lead_id).await;
    let mut events = history["events"].as_array().unwrap().iter();
    let first = &events.find(|event| event["type"] == "LeadCreated").unwrap()["position"];
    let steps = json!([{ "act": "close", "cause": "no_answer" }]);
    let now = what_if(&admin, &lead_id, json!({ "steps": steps })).await;
    assert_eq!(
        now.data()["steps"][0]["refusal"]["code"],
        "has_booking",
        "{}",
        now.body
    );
    assert_eq!(now.data()["can_apply"], false);
    let refused = apply(&admin, &lead_id, now.data(), &steps, "refused").await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::CONFLICT, "has_booking")
    );
    let then = what_if(&admin, &lead_id, json!({ "from": first, "steps": steps })).await;
    assert_eq!(then.data()["steps"][0]["refusal"], Value::Null, "{}", then.body);
    assert_eq!(
        (&then.data()["from"], &then.data()["can_apply"]),
        (first, &json!(false))
    );
    let past = apply(&admin, &lead_id, then.data(), &steps, "past").await;
    assert_eq!((past.status, past.code()), (StatusCode::CONFLICT, "what_if_past"));
    let unknown = what_if(&admin, &lead_id, json!({ "from": 1, "steps": steps })).await;
    assert_eq!(unknown.fields(), ["from"]);
    assert_eq!(
        what_if(&admin, &lead_id, json!({ "steps": [] })).await.fields(),
        ["steps"]
    );
    let other = apply(
        &admin,
        &lead_id,
        now.data(),
        &json!([{ "act": "reopen" }]),
        "other",
    )
    .await;
    assert_eq!(
        (other.status, other.code()),
        (StatusCode::CONFLICT, "what_if_other")
    );
}

/// Support cannot try money acts; above one's limit an applied refund waits for another person.
#[tokio::test(flavor = "multi_thread")]
async fn branch_keeps_rights_and_limits_of_the_real_acts() {
    let settings = [
        ("LATCHKEY_REFUND_LIMIT", "100"),
        ("LATCHKEY_REFUND_LIMIT_ADMIN", "150"),
    ];
    let market = Market::open(&[3], &settings).await;
    let buyer = market.person(1, 0);
    let Booked { lead_id, .. } = booked(&market, &buyer).await;
    let (admin, support) = (staff(&market, "admin").await, staff(&market, "support").await);
    market.caught_up().await;
    let steps = json!([{ "act": "refund", "amount_minor": 20_000, "booking": "keep" }]);
    let asked = json!({ "steps": steps });
    let refused = what_if(&support, &lead_id, asked.clone()).await;
    assert_eq!(refused.data()["steps"][0]["refusal"]["code"], "not_allowed");
    let tried = what_if(&admin, &lead_id, asked).await;
    assert_eq!(
        tried.data()["steps"][0]["waits_for_approval"],
        true,
        "{}",
        tried.body
    );
    assert_eq!(
        (&tried.data()["postings"], &tried.data()["calls"]),
        (&json!([]), &json!([]))
    );
    let without_limit = json!({ "steps": steps, "conditions": { "refund_limit": 1_000 } });
    let policy = what_if(&admin, &lead_id, without_limit).await;
    assert_eq!(
        policy.data()["steps"][0]["waits_for_approval"],
        false,
        "{}",
        policy.body
    );
    assert_eq!(
        (&policy.data()["calls"], &policy.data()["can_apply"]),
        (&json!(["send_refund"]), &json!(false))
    );
    let hidden = apply(&admin, &lead_id, policy.data(), &steps, "policy").await;
    assert_eq!(
        (hidden.status, hidden.code()),
        (StatusCode::CONFLICT, "what_if_other")
    );
    for at in ["some day", "+262142-12-31T23:59:59Z"] {
        let sometime = json!({ "steps": steps, "conditions": { "at": at } });
        assert_eq!(
            what_if(&admin, &lead_id, sometime).await.fields(),
            ["conditions.at"]
        );
    }
    let done = apply(&admin, &lead_id, tried.data(), &steps, "press").await;
    let approval = done.data()["approvals"][0].clone();
    let waiting = until(|| async {
        let waiting = admin.get("/api/v0/workspace/approvals").await.data().clone();
        (waiting[0]["id"] == approval).then_some(waiting)
    })
    .await;
    assert_eq!(
        (&waiting[0]["amount_minor"], &waiting[0]["reason"]),
        (&json!(20_000), &json!("Visa refused"))
    );
}

/// Where the server is killed, in events after the press that applies a branch.
const KILLED_AFTER: [u64; 3] = [1, 2, 4];

/// A kill in the middle of applying loses and repeats nothing: the same press goes on where it was cut off.
#[tokio::test(flavor = "multi_thread")]
async fn branch_cut_off_by_a_kill_is_applied_once() {
    let mut market = Market::open(&[9], &[]).await;
    let officer = Officer::arrives(&market).await;
    let grant = ["grant", "--email", "finance@staff.example", "--role", "admin"];
    market.server.run(&grant);
    let part = |amount: u64| json!({ "act": "refund", "amount_minor": amount, "booking": "keep" });
    let steps = json!([part(1_000), part(2_000), part(3_000)]);
    for (number, events) in KILLED_AFTER.into_iter().enumerate() {
        let buyer = market.person(number, 0);
        let token = buyer.begun().await;
        assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");
        market.caught_up().await;
        let captured = officer_reads(&market, &officer, "/payments/events?kind=captured&limit=1").await;
        let (lead_id, payment_id) = (
            &captured["result"][0]["lead_id"],
            &captured["result"][0]["payment_id"],
        );
        let path = format!("/leads/{}/what-if", lead_id.as_str().unwrap());
        let tried = send(&market, &officer, &path, json!({ "steps": steps }), number)
            .await
            .unwrap();
        let path = format!("{path}/{}/apply", tried["data"]["branch"].as_str().unwrap());
        let body = json!({ "base": tried["data"]["base"], "steps": steps, "reason": "Visa refused" });
        let before = log_of(&market.server).await.head().await.unwrap();
        let reached = until(|| async {
            let head = log_of(&market.server).await.head().await.unwrap();
            (head >= before + events).then_some(())
        });
        join(send(&market, &officer, &path, body.clone(), number), reached).await;
        market.kill_and_restart();
        for _twice in 0..2 {
            let done = until(|| send(&market, &officer, &path, body.clone(), number)).await;
            assert_eq!(done["data"]["branch"], tried["data"]["branch"], "{done}");
        }
        buyer
            .wait_for(&token, |payment| payment["refunded_minor"] == 6_000)
            .await;
        let path = format!("/payments/{}", payment_id.as_str().unwrap());
        let dossier = officer_reads(&market, &officer, &path).await;
        assert_eq!(
            (
                &dossier["refunded_minor"],
                &dossier["refund_pending_minor"],
                &dossier["balance_minor"]
            ),
            (&json!(6_000), &json!(0), &json!(0))
        );
    }
    let asked = officer_reads(&market, &officer, "/payments/events?kind=refund_requested").await;
    assert_eq!(asked["meta"]["count"], 3 * KILLED_AFTER.len(), "{asked}");
}

async fn officer_reads(market: &Market, officer: &Officer, path: &str) -> Value {
    let url = market.server.url(&format!("/api/v0/workspace{path}"));
    let answer = officer.client.get(url).send().await.unwrap();
    answer.json::<Value>().await.unwrap()["data"].clone()
}

/// Sends under one key each time; nothing where the server was away or is not ready.
async fn send(market: &Market, officer: &Officer, path: &str, body: Value, number: usize) -> Option<Value> {
    let url = market.server.url(&format!("/api/v0/workspace{path}"));
    let request = officer.client.post(url).json(&body);
    let request = request.header("idempotency-key", format!("press {number} of {}", path.len()));
    let answer = request.send().await.ok()?;
    let status = answer.status();
    let body: Value = answer.json().await.ok()?;
    assert!(!status.is_client_error(), "{path}: {body}");
    status.is_success().then_some(body)
}
