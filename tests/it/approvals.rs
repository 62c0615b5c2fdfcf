//! A second person decides what is above one's own limit: refunds, with words and names readable afterwards.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::words::english;

use crate::desk::Officer;
use crate::market::{Market, until};
use crate::visitor::Visitor;

const APPROVALS: &str = "/api/v0/workspace/approvals";
const GOOD: &str = "4242424242424242";

/// The beginning of a refusal which names that the administrator decided before.
pub(crate) fn decided_by_admin(key: &str) -> String {
    let words = english(key).replace("{by}", "admin");
    words.split('{').next().unwrap_or_default().to_owned()
}

/// Above the limit the asker waits for another person; what that person approves goes back once.
#[tokio::test(flavor = "multi_thread")]
async fn refund_above_the_limit_waits_for_a_second_person() {
    let market = Market::open(&[3], &[("LATCHKEY_REFUND_LIMIT", "100")]).await;
    let officer = Officer::arrives(&market).await;
    let admin = Visitor::new(&market.server);
    admin.log_in_as("admin").await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    buyer.pay(&token, GOOD).await;
    let paid = |payment: &Value| payment["status"] == "success";
    buyer.wait_for(&token, paid).await;
    let id = &payment_of(&officer).await;
    let path = |verb: &str| format!("/api/v0/workspace/payments/{id}/{verb}");
    let large = json!({ "booking": "keep", "amount_minor": 20_000, "reason": "visa refused" });
    let (status, refused) = officer.post(&path("refunds"), large.clone()).await;
    assert_eq!(
        (status, &refused["message"]["code"]),
        (StatusCode::FORBIDDEN, &json!("refund_above_limit"))
    );
    let (status, asked) = officer.post(&path("refund_approvals"), large.clone()).await;
    assert_eq!(status, StatusCode::CREATED, "{asked}");
    assert_eq!(asked["data"]["own"], true, "{asked}");
    let approve = format!("{APPROVALS}/{}/approve", asked["data"]["id"].as_str().unwrap());
    let (status, own) = officer.post(&approve, json!({})).await;
    assert_eq!(
        (status, &own["message"]["code"]),
        (StatusCode::FORBIDDEN, &json!("approval_own_request"))
    );
    let waiting = admin.get(APPROVALS).await.data().clone();
    assert_eq!(waiting[0]["reason"], "visa refused", "{waiting}");
    assert_eq!(
        (&waiting[0]["asked_by"], &waiting[0]["decision"]),
        (&json!("finance"), &Value::Null)
    );
    for _twice in 0..2 {
        let given = admin
            .post(&approve, json!({ "reason": "the letter is here" }))
            .await;
        assert_eq!(given.data()["decision"], "approved");
        assert_eq!(given.data()["because"], "the letter is here");
    }
    let decline = approve.replace("/approve", "/decline");
    let late = admin.post(&decline, json!({ "reason": "changed my mind" })).await;
    assert_eq!(
        (late.status, late.code()),
        (StatusCode::CONFLICT, "approval_decided")
    );
    let said = late.body["message"]["user_friendly_message"].as_str().unwrap();
    assert!(
        said.starts_with(&decided_by_admin("refusal.approved_before")),
        "{said}"
    );
    buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == 20_000)
        .await;
    let of_payment = officer.get(&format!("{APPROVALS}?payment={id}")).await["data"].clone();
    assert_eq!(
        (&of_payment[0]["decided_by"], &of_payment[0]["asked_by"]),
        (&json!("admin"), &json!("finance")),
        "{of_payment}"
    );
    let lead = act_stands_everywhere(&officer, id).await;
    history_names_both(&admin, &lead).await;
    officer.every_ledger_balances().await;
}

/// List, dossier and file name who asked, who approved and why. Answers with the lead.
async fn act_stands_everywhere(officer: &Officer, id: &str) -> Value {
    let act = json!({ "asked_by": "finance", "reason": "visa refused", "approved_by": "admin",
        "approval_reason": "the letter is here" });
    let listed = officer.events("&kind=refund_requested").await;
    assert_eq!(
        (&listed["meta"]["count"], &listed["result"][0]["by_hand"]),
        (&json!(1), &act)
    );
    let dossier = officer.dossier(id).await;
    let pairs = dossier["events"].as_array().unwrap().iter();
    let mut acts = pairs
        .map(|pair| &pair["ours"]["by_hand"])
        .filter(|act| act.is_object());
    assert_eq!((acts.next(), acts.next()), (Some(&act), None), "{dossier}");
    let file = officer.export().await;
    let of_refund = |line: &&str| line.contains("refund_requested");
    let line = file.lines().find(of_refund).unwrap();
    assert!(
        line.ends_with(r#""finance","visa refused","admin","the letter is here""#),
        "{line}"
    );
    listed["result"][0]["lead_id"].clone()
}

/// The lead's history says who asked and why, under the name of who approved.
async fn history_names_both(admin: &Visitor<'_>, lead: &Value) {
    let path = format!("/api/v0/workspace/leads/{}/timeline", lead.as_str().unwrap());
    let event = until(|| async {
        let history = admin.get(&path).await.data().clone();
        let events = history["events"].as_array().unwrap();
        let key = "timeline.refund_requested.approved";
        events
            .iter()
            .find(|event| event["sentence"]["key"] == key)
            .cloned()
    })
    .await;
    let said = &event["sentence"]["params"];
    assert_eq!(
        (&said["reason"], &said["approval_reason"]),
        (&json!("visa refused"), &json!("the letter is here"))
    );
    let changes = event["changes"].as_array().unwrap();
    let asker = changes.iter().find(|change| change["field"] == "refund_asked_by");
    assert_eq!(asker.unwrap()["to"], "finance", "{event}");
}

/// A declined request sends nothing, and says why and by whom.
#[tokio::test(flavor = "multi_thread")]
async fn declined_request_sends_nothing_and_says_why() {
    let market = Market::open(&[3], &[("LATCHKEY_REFUND_LIMIT", "100")]).await;
    let officer = Officer::arrives(&market).await;
    let admin = Visitor::new(&market.server);
    admin.log_in_as("admin").await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    buyer.pay(&token, GOOD).await;
    let paid = |payment: &Value| payment["status"] == "success";
    buyer.wait_for(&token, paid).await;
    let id = &payment_of(&officer).await;
    let ask = format!("/api/v0/workspace/payments/{id}/refund_approvals");
    let too_much = json!({ "booking": "keep", "amount_minor": 25_908, "reason": "visa refused" });
    let (status, answer) = officer.post(&ask, too_much).await;
    assert_eq!(
        (status, &answer["errors"][0]["field"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("amount_minor"))
    );
    let large = json!({ "booking": "keep", "amount_minor": 20_000, "reason": "visa refused" });
    let (_, asked) = officer.post(&ask, large).await;
    let decline = format!("{APPROVALS}/{}/decline", asked["data"]["id"].as_str().unwrap());
    let without = admin.post(&decline, json!({ "reason": " " })).await;
    assert_eq!(without.status, StatusCode::UNPROCESSABLE_ENTITY);
    let declined = admin
        .post(&decline, json!({ "reason": "The stay has begun" }))
        .await;
    assert_eq!(declined.data()["because"], "The stay has begun");
    let approve = decline.replace("/decline", "/approve");
    let late = admin.post(&approve, json!({})).await;
    assert_eq!(
        (late.status, late.code()),
        (StatusCode::CONFLICT, "approval_decided")
    );
    let said = late.body["message"]["user_friendly_message"].as_str().unwrap();
    assert!(
        said.starts_with(&decided_by_admin("refusal.declined_before")),
        "{said}"
    );
    assert_eq!(officer.get(APPROVALS).await["data"], json!([]));
    let decided = officer.get(&format!("{APPROVALS}?decided=true")).await["data"].clone();
    assert_eq!(
        (&decided[0]["decided_by"], &decided[0]["decision"]),
        (&json!("admin"), &json!("declined"))
    );
    assert_eq!(officer.events("&kind=refund_requested").await["meta"]["count"], 0);
}

/// The dossier says how much its reader can give back alone: what staff sent back before counts, and an administrator has no limit.
#[tokio::test]
async fn dossier_says_what_goes_back_without_a_second_person() {
    let market = Market::open(&[3], &[("LATCHKEY_REFUND_LIMIT", "100")]).await;
    let (_, _, officer) = crate::payment_links::booked(&market).await;
    let admin = Visitor::new(&market.server);
    admin.log_in_as("admin").await;
    let id = payment_of(&officer).await;
    assert_eq!(officer.dossier(&id).await["alone_minor"], 10_000);
    let path = format!("/api/v0/workspace/payments/{id}");
    let refund = |amount: u64| json!({ "booking": "keep", "amount_minor": amount, "reason": "visa refused" });
    let (status, answer) = officer.post(&format!("{path}/refunds"), refund(4_000)).await;
    assert_eq!(
        (status, &answer["data"]["alone_minor"]),
        (StatusCode::CREATED, &json!(6_000)),
        "{answer}"
    );
    let (status, refused) = officer.post(&format!("{path}/refunds"), refund(6_001)).await;
    assert_eq!(
        (status, &refused["message"]["code"]),
        (StatusCode::FORBIDDEN, &json!("refund_above_limit"))
    );
    let (status, answer) = officer.post(&format!("{path}/refunds"), refund(6_000)).await;
    assert_eq!(
        (status, &answer["data"]["alone_minor"]),
        (StatusCode::CREATED, &json!(0)),
        "{answer}"
    );
    assert_eq!(admin.get(&path).await.data()["alone_minor"], Value::Null);
}

/// Who asked, who declined, when and why stand in the lead's history, and in its earlier moments what had happened by then. Finance
/// reads no words there, and nobody does once the payer is forgotten.
#[tokio::test(flavor = "multi_thread")]
async fn lead_history_tells_a_declined_refund() {
    let market = Market::open(&[3], &[("LATCHKEY_REFUND_LIMIT", "100")]).await;
    let (buyer, lead, officer) = crate::payment_links::booked(&market).await;
    let [desk, admin] = [(); 2].map(|()| Visitor::new(&market.server));
    desk.log_in_as("support").await;
    admin.log_in_as("admin").await;
    let ask = format!(
        "/api/v0/workspace/payments/{}/refund_approvals",
        payment_of(&officer).await
    );
    let mut large = json!({ "booking": "keep", "amount_minor": 20_000, "reason": "visa refused" });
    for (reason, verb, because) in [
        ("visa refused", "decline", "The stay has begun"),
        ("her mother is ill", "approve", "The letter is here"),
    ] {
        large["reason"] = json!(reason);
        let (status, asked) = officer.post(&ask, large.clone()).await;
        assert_eq!(status, StatusCode::CREATED, "{asked}");
        let path = format!("{APPROVALS}/{}/{verb}", asked["data"]["id"].as_str().unwrap());
        admin.post(&path, json!({ "reason": because })).await.data();
    }
    let told = told_of_approvals(desk.get(&history_of(&lead, "")).await.data());
    let of = |told: &[Value]| -> Vec<(Value, Value, Value, Value)> {
        let part = |event: &Value| {
            let said = &event["sentence"];
            (
                said["key"].clone(),
                event["actor"]["label"].clone(),
                said["params"]["reason"].clone(),
                event["failed"].clone(),
            )
        };
        told.iter().map(part).collect()
    };
    let row = |key: &str, by: &str, reason: &str, failed: bool| {
        let key = format!("timeline.refund_approval.{key}");
        (json!(key), json!(by), json!(reason), json!(failed))
    };
    let rows = [
        row("asked", "finance", "visa refused", false),
        row("declined", "admin", "The stay has begun", true),
        row("asked", "finance", "her mother is ill", false),
        row("given", "admin", "The letter is here", false),
    ];
    assert_eq!(of(&told), rows);
    for event in &told {
        assert_eq!(event["sentence"]["params"]["amount"], "£200.00", "{event}");
        assert!(event["recorded_at"].is_string(), "{event}");
        let raw = format!("/api/v0/workspace/events/{}", event["position"]);
        let raw = desk.get(&raw).await.data().to_string();
        assert!(!raw.contains("visa") && !raw.contains("stay has begun"), "{raw}");
    }
    let when_asked = format!("?as_of={}", told[0]["position"]);
    let earlier = told_of_approvals(desk.get(&history_of(&lead, &when_asked)).await.data());
    assert_eq!(of(&earlier), rows[..1]);
    let without_words = told_of_approvals(&officer.get(&history_of(&lead, "")).await["data"]);
    assert_eq!(without_words[1]["sentence"]["params"]["reason"], "•••");
    // Its mail is on its way while the refund is made; one that is posted beside the forgetting is not what is looked at here.
    until(|| async {
        let history = desk.get(&history_of(&lead, "")).await.data().to_string();
        history.contains("lead_letter_sent.refunded").then_some(())
    })
    .await;
    market
        .server
        .run(&["forget", "--although-booked", "--email", &buyer.email]);
    until(|| async {
        let told = told_of_approvals(desk.get(&history_of(&lead, "")).await.data());
        let is_empty = |event: &Value| event["sentence"]["params"]["reason"] == "";
        (told.len() == 4 && told.iter().all(is_empty)).then_some(())
    })
    .await;
}

fn history_of(lead: &str, moment: &str) -> String {
    format!("/api/v0/workspace/leads/{lead}/timeline{moment}")
}

/// The events of second persons' decisions in a lead's history.
fn told_of_approvals(history: &Value) -> Vec<Value> {
    let events = history["events"].as_array().unwrap().iter();
    let of_approvals = events.filter(|event| event["stream"] == "approval");
    of_approvals.cloned().collect()
}

/// The only payment that took money, once the desk knows it.
async fn payment_of(officer: &Officer) -> String {
    until(|| async {
        let found = officer.events("&kind=captured").await;
        found["result"][0]["payment_id"].as_str().map(str::to_owned)
    })
    .await
}
