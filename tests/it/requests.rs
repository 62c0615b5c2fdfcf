//! Requests of support for a refund or a cancellation, and which act of finance answers them.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::desk::Officer;
use crate::market::{Market, until};
use crate::payment_links::booked;
use crate::visitor::Visitor;

const LIST: &str = "/api/v0/workspace/payments/refund_requests";

/// Support asks finance, who reads the request.
async fn ask(market: &Market, officer: &Officer, lead: &str, act: Value) -> Value {
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let path = format!("/api/v0/workspace/leads/{lead}/acts");
    desk.post(&path, act).await.data();
    until(|| async {
        let asked = officer.get(LIST).await["data"].as_array().unwrap().clone();
        asked.into_iter().find(|asked| asked["lead_id"] == lead)
    })
    .await
}

fn refund_of(asked: &Value, ask_id: &Value) -> (String, Value) {
    let payment = asked["payment_id"].as_str().unwrap();
    let body =
        json!({ "booking": "keep", "amount_minor": 4_000, "reason": "Half the stay", "ask_id": ask_id });
    (format!("/api/v0/workspace/payments/{payment}/refunds"), body)
}

/// A request for more than is left is refused with the most that there is, and so is one for nothing.
#[tokio::test]
async fn request_above_what_is_left_names_the_most() {
    let market = Market::open(&[1], &[]).await;
    let (_, lead, officer) = booked(&market).await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let path = format!("/api/v0/workspace/leads/{lead}/acts");
    for amount in [25_908, 0] {
        let act = json!({ "act": "ask_refund", "amount_minor": amount, "reason": "The lift was broken" });
        let refused = desk.post(&path, act).await;
        assert_eq!(
            (refused.status, refused.fields()),
            (StatusCode::UNPROCESSABLE_ENTITY, vec!["amount_minor"])
        );
        let said = refused.body["errors"][0]["message"].as_str().unwrap();
        assert!(said.contains("£259.07"), "{said}");
    }
    assert_eq!(officer.get(LIST).await["data"], json!([]));
}

/// A press that is sent again finds its own refund, though its request is closed by then.
#[tokio::test]
async fn repeated_press_with_a_request_is_one_refund() {
    let market = Market::open(&[1], &[]).await;
    let (_, lead, officer) = booked(&market).await;
    let act = json!({ "act": "ask_refund", "amount_minor": 4_000, "reason": "The lift was broken" });
    let asked = ask(&market, &officer, &lead, act).await;
    let (path, body) = refund_of(&asked, &asked["ask_id"]);
    for _ in 0..2 {
        let (status, answer) = officer.press(&path, body.clone(), "one press").await;
        assert_eq!(status, StatusCode::CREATED, "{answer}");
    }
    let refunds = officer.events("&kind=refund_requested").await;
    assert_eq!(refunds["meta"]["count"], 1, "{refunds}");
    let (status, answer) = officer.press(&path, body, "another press").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{answer}");
}

/// A refund names requests for its own payment alone.
#[tokio::test]
async fn request_of_another_payment_is_refused() {
    let market = Market::open(&[2], &[]).await;
    let (_, lead, officer) = booked(&market).await;
    let act = json!({ "act": "ask_refund", "amount_minor": 4_000, "reason": "The lift was broken" });
    let asked = ask(&market, &officer, &lead, act).await;
    let other = market.person(2, 0);
    let token = other.begun().await;
    let paid = other.pay(&token, "4242424242424242").await;
    let reference = paid["reference"].as_str().unwrap();
    let id = until(|| async {
        let found = officer.events(&format!("&kind=captured&q={reference}")).await;
        found["result"][0]["payment_id"].as_str().map(str::to_owned)
    })
    .await;
    let (_, body) = refund_of(&asked, &asked["ask_id"]);
    let (status, answer) = officer
        .post(&format!("/api/v0/workspace/payments/{id}/refunds"), body)
        .await;
    assert_eq!(
        (status, &answer["errors"][0]["field"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("ask_id")),
        "{answer}"
    );
    assert_eq!(officer.get(LIST).await["data"][0]["ask_id"], asked["ask_id"]);
}

/// Support asks for the end of a booking whose money is gone; finance ends it, and both stand with their reasons.
#[tokio::test]
async fn ended_booking_names_asker_and_granter() {
    let market = Market::open(&[1], &[]).await;
    let (_, lead, officer) = booked(&market).await;
    let captured = officer.events("&kind=captured").await["result"][0].clone();
    let payment = format!(
        "/api/v0/workspace/payments/{}",
        captured["payment_id"].as_str().unwrap()
    );
    let amount = &captured["amount_minor"];
    let refund =
        json!({ "booking": "keep", "amount_minor": amount, "typed_minor": amount, "reason": "Visa refused" });
    let (status, answer) = officer.post(&format!("{payment}/refunds"), refund).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    until(|| async {
        let dossier = officer.dossier(captured["payment_id"].as_str().unwrap()).await;
        (dossier["can_cancel_booking"] == true).then_some(())
    })
    .await;
    let act = json!({ "act": "ask_cancellation", "reason": "She will not come" });
    let asked = ask(&market, &officer, &lead, act).await;
    let body = json!({ "reason": "Confirmed by mail", "ask_id": asked["ask_id"] });
    let cancel = format!("{payment}/cancel_booking");
    for _ in 0..2 {
        let (status, answer) = officer.press(&cancel, body.clone(), "one press").await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }
    assert_eq!(officer.get(LIST).await["data"], json!([]));
    let by_hand = json!({ "asked_by": "support", "reason": "She will not come", "approved_by": "finance",
        "approval_reason": "Confirmed by mail" });
    let dossier = officer.dossier(captured["payment_id"].as_str().unwrap()).await;
    assert!(dossier.to_string().contains(&by_hand.to_string()), "{dossier}");
}
