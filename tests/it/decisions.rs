//! All that waits for a decision of finance is one list with one count.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::market::{Market, until};
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

/// A refund that finance declines is among the decisions, with who asked and why, and who declined it, when and why.
#[tokio::test]
async fn declined_refund_request_is_among_the_decisions() {
    let market = Market::open(&[1], &[]).await;
    let (_, lead_id, officer) = crate::payment_links::booked(&market).await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let ask = json!({ "act": "ask_refund", "amount_minor": 5_000, "reason": "The lift was broken" });
    desk.post(&format!("/api/v0/workspace/leads/{lead_id}/acts"), ask)
        .await
        .data();
    let waiting = officer.get(WAITING).await["data"].clone();
    let request = &waiting["decisions"][0]["request"];
    let ask_id = request["ask_id"].as_str().unwrap();
    let decline = format!("/api/v0/workspace/payments/refund_requests/{ask_id}/decline");
    let (status, body) = officer
        .post(&decline, json!({ "reason": "It was mended the same day" }))
        .await;
    assert_eq!(status, StatusCode::OK, "{body}");
    let decided = "/api/v0/workspace/approvals?decided=true";
    let decisions = until(async || {
        let decisions = officer.get(decided).await["data"].clone();
        (decisions != json!([])).then_some(decisions)
    })
    .await;
    let only = &decisions[0];
    assert_eq!(
        [&only["id"], &only["payment_id"], &only["amount_minor"]],
        [&request["ask_id"], &request["payment_id"], &json!(5_000)]
    );
    assert_eq!(
        [&only["asked_by"], &only["reason"], &only["booking"]],
        [&json!("support"), &json!("The lift was broken"), &json!("keep")]
    );
    assert_eq!(
        [&only["decision"], &only["decided_by"], &only["because"]],
        [
            &json!("declined"),
            &json!("finance"),
            &json!("It was mended the same day")
        ]
    );
    assert!(only["decided_at"].as_str() >= only["asked_at"].as_str(), "{only}");
}
