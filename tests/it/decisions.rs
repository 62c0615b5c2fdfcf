//! All that waits for a decision of finance is one list with one count.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::market::Market;
use crate::visitor::Visitor;

const WAITING: &str = "/api/v0/workspace/approvals/waiting";

/// A refund that support asks for and one above a limit stand in one list, each with who may decide it.
#[tokio::test]
async fn requests_and_approvals_are_one_list() {
    let market = Market::open(&[1], &[("LATCHKEY_REFUND_LIMIT", "1")]).await;
    let (_, lead_id, officer) = crate::payment_links::booked(&market).await;
    let [desk, admin] = [(); 2].map(|()| Visitor::new(&market.server));
    desk.log_in_as("support").await;
    admin.log_in_as("admin").await;
    assert_eq!(
        officer.get(WAITING).await["data"],
        json!({ "count": 0, "decisions": [] })
    );
    let ask = json!({ "act": "ask_refund", "amount_minor": 5_000, "reason": "The lift was broken" });
    let acts = format!("/api/v0/workspace/leads/{lead_id}/acts");
    let asked = desk.post(&acts, ask).await;
    assert_eq!(asked.status, StatusCode::OK, "{}", asked.body);
    let waiting = officer.get(WAITING).await["data"].clone();
    let payment = waiting["decisions"][0]["request"]["payment_id"].clone();
    let above = json!({ "booking": "keep", "amount_minor": 5_000, "typed_minor": 5_000, "reason": "Agreed by phone" });
    let path = format!(
        "/api/v0/workspace/payments/{}/refund_approvals",
        payment.as_str().unwrap()
    );
    let (status, answer) = officer.post(&path, above).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");

    let told = |list: &Value| {
        let all = list["decisions"].as_array().unwrap().iter();
        let told = all.map(|one| {
            let who = one["request"]["by"]
                .as_str()
                .or(one["approval"]["asked_by"].as_str());
            let amount = [&one["request"]["amount_minor"], &one["approval"]["amount_minor"]];
            let amount = amount.into_iter().find_map(Value::as_u64);
            (
                who.map(str::to_owned),
                amount,
                one["decider"].clone(),
                one["can_decide"].clone(),
            )
        });
        told.collect::<Vec<_>>()
    };
    let row =
        |who: &str, decider: &str, can: bool| (Some(who.to_owned()), Some(5_000), json!(decider), json!(can));
    let own = officer.get(WAITING).await["data"].clone();
    assert_eq!(own["count"], 2);
    assert_eq!(
        told(&own),
        [
            row("support", "finance", true),
            row("finance", "second_person", false)
        ]
    );
    let others = admin.get(WAITING).await.data().clone();
    assert_eq!(told(&others)[1], row("finance", "second_person", true));
    let id = others["decisions"][1]["approval"]["id"].as_str().unwrap();
    let given = admin
        .post(&format!("/api/v0/workspace/approvals/{id}/approve"), json!({}))
        .await;
    assert_eq!(given.status, StatusCode::OK, "{}", given.body);
    let left = officer.get(WAITING).await["data"].clone();
    assert!(left["count"].as_u64().unwrap() <= 1, "{left}");
    assert_eq!(desk.get(WAITING).await.status, StatusCode::FORBIDDEN);
}
