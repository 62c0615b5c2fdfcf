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
    let ask_id = &waiting["decisions"][0]["request"]["ask_id"];
    let above = json!({ "booking": "keep", "amount_minor": 5_000, "typed_minor": 5_000, "reason": "Agreed by phone",
        "ask_id": ask_id });
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
    let approve = format!("/api/v0/workspace/approvals/{id}/approve");
    let given = admin
        .post(&approve, json!({ "reason": "The photo shows it" }))
        .await;
    assert_eq!(given.status, StatusCode::OK, "{}", given.body);
    assert_eq!(officer.get(WAITING).await["data"]["count"], 0);
    let by_hand = json!({ "asked_by": "support", "reason": "The lift was broken", "approved_by": "finance; admin",
        "approval_reason": "Agreed by phone; The photo shows it" });
    assert_eq!(
        officer.events("&kind=refund_requested").await["result"][0]["by_hand"],
        by_hand
    );
    assert_eq!(desk.get(WAITING).await.status, StatusCode::FORBIDDEN);
    history_names_the_colleague(&desk, &lead_id).await;
}

/// The administrator approved: the reason is the colleague's, and the sentence says so.
async fn history_names_the_colleague(desk: &Visitor<'_>, lead_id: &str) {
    let history = format!("/api/v0/workspace/leads/{lead_id}/timeline");
    let history = desk.get(&history).await.data().clone();
    let answers = history["events"].as_array().unwrap().iter();
    let answers = answers.filter(|event| {
        let key = event["sentence"]["key"].as_str().unwrap();
        key.starts_with("timeline.lead_acted.refund_") && key != "timeline.lead_acted.refund_asked"
    });
    let answers: Vec<Value> = answers
        .map(|event| {
            json!([
                event["sentence"]["key"],
                event["actor"]["label"],
                event["sentence"]["params"]["reason"]
            ])
        })
        .collect();
    let expected = json!(["timeline.lead_acted.refund_approved", "admin", "Agreed by phone"]);
    assert_eq!(answers, [expected], "{history}");
}

/// An approval whose request is answered without it waits for nobody: it stands among the decisions, with who answered.
#[tokio::test]
async fn approval_of_an_answered_request_waits_no_longer() {
    let market = Market::open(&[2], &[("LATCHKEY_REFUND_LIMIT", "1")]).await;
    let (_, lead_id, officer) = crate::payment_links::booked(&market).await;
    let [desk, admin] = [(); 2].map(|()| Visitor::new(&market.server));
    desk.log_in_as("support").await;
    admin.log_in_as("admin").await;
    let acts = format!("/api/v0/workspace/leads/{lead_id}/acts");
    for is_declined in [true, false] {
        let ask = json!({ "act": "ask_refund", "amount_minor": 5_000, "reason": "The lift was broken" });
        let asked = desk.post(&acts, ask).await;
        assert_eq!(asked.status, StatusCode::OK, "{}", asked.body);
        let waiting = officer.get(WAITING).await["data"].clone();
        let request = &waiting["decisions"][0]["request"];
        let (ask_id, payment) = (request["ask_id"].as_str().unwrap(), &request["payment_id"]);
        let of_payment = format!("/api/v0/workspace/payments/{}", payment.as_str().unwrap());
        let refund = json!({ "booking": "keep", "amount_minor": 5_000, "typed_minor": 5_000, "reason": "Agreed by phone",
            "ask_id": ask_id });
        let path = format!("{of_payment}/refund_approvals");
        let (status, approval) = officer.post(&path, refund.clone()).await;
        assert_eq!(status, StatusCode::CREATED, "{approval}");
        assert_eq!(officer.get(WAITING).await["data"]["count"], 2);

        let (path, body) = if is_declined {
            let path = format!("/api/v0/workspace/payments/refund_requests/{ask_id}/decline");
            (path, json!({ "reason": "It was mended" }))
        } else {
            (format!("{of_payment}/refunds"), refund)
        };
        let answered = admin.post(&path, body).await;
        assert!(answered.status.is_success(), "{is_declined}: {}", answered.body);
        let waiting = officer.get(WAITING).await["data"].clone();
        assert_eq!(waiting["count"], 0, "{is_declined}: {waiting}");
        let open = officer.get("/api/v0/workspace/approvals").await["data"].clone();
        assert_eq!(open, json!([]), "{is_declined}");
        let decided = officer.get("/api/v0/workspace/approvals?decided=true").await["data"].clone();
        let mut all = decided.as_array().unwrap().iter();
        let found = all.find(|one| one["id"] == approval["data"]["id"]);
        let found = found.unwrap_or_else(|| panic!("{is_declined}: {decided}"));
        assert_eq!(
            (&found["decision"], &found["answered_by"]),
            (&Value::Null, &json!("admin")),
            "{found}"
        );
        assert!(
            found["answered_at"].as_str() >= found["asked_at"].as_str(),
            "{found}"
        );
    }
}

/// Two of finance grant one request at once: one refund goes back, which names the asker and who granted it with both reasons.
#[tokio::test(flavor = "multi_thread")]
async fn granted_request_names_asker_and_granter_once() {
    let market = Market::open(&[1], &[]).await;
    let (_, lead_id, officer) = crate::payment_links::booked(&market).await;
    let [desk, admin] = [(); 2].map(|()| Visitor::new(&market.server));
    desk.log_in_as("support").await;
    admin.log_in_as("admin").await;
    let ask = json!({ "act": "ask_refund", "amount_minor": 5_000, "reason": "The lift was broken" });
    desk.post(&format!("/api/v0/workspace/leads/{lead_id}/acts"), ask)
        .await
        .data();
    let request = officer.get(WAITING).await["data"]["decisions"][0]["request"].clone();
    let path = format!(
        "/api/v0/workspace/payments/{}/refunds",
        request["payment_id"].as_str().unwrap()
    );
    let refund = |ask_id: &Value| json!({ "booking": "keep", "amount_minor": 4_000, "reason": "Half the stay", "ask_id": ask_id });
    let unknown = json!("01923456-789a-7bcd-8ef0-123456789abc");
    let (status, refused) = officer.post(&path, refund(&unknown)).await;
    assert_eq!(
        (status, &refused["errors"][0]["field"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("ask_id"))
    );
    let ((first, body), second) = tokio::join!(
        officer.post(&path, refund(&request["ask_id"])),
        admin.post(&path, refund(&request["ask_id"]))
    );
    let mut statuses = [first, second.status];
    statuses.sort();
    assert_eq!(
        statuses,
        [StatusCode::CREATED, StatusCode::UNPROCESSABLE_ENTITY],
        "{body} {}",
        second.body
    );
    let granter = if first == StatusCode::CREATED {
        "finance"
    } else {
        "admin"
    };
    assert_eq!(officer.get(WAITING).await["data"]["count"], 0);

    let refunds = officer.events("&kind=refund_requested").await;
    let by_hand = json!({ "asked_by": "support", "reason": "The lift was broken", "approved_by": granter,
        "approval_reason": "Half the stay" });
    assert_eq!(
        (&refunds["meta"]["count"], &refunds["result"][0]["by_hand"]),
        (&json!(1), &by_hand)
    );
    let dossier = officer.dossier(request["payment_id"].as_str().unwrap()).await;
    assert!(dossier.to_string().contains(&by_hand.to_string()), "{dossier}");
    let words = format!(r#""support","The lift was broken","{granter}","Half the stay""#);
    assert!(officer.export().await.contains(&words));
    let history = format!("/api/v0/workspace/leads/{lead_id}/timeline");
    let history = desk.get(&history).await.data().clone();
    let events = history["events"].as_array().unwrap();
    for (key, reason) in [
        ("lead_acted.refund_asked", "The lift was broken"),
        ("refund_requested.granted", "Half the stay"),
        ("lead_acted.refund_granted_otherwise", "Half the stay"),
    ] {
        let key = format!("timeline.{key}");
        let mut found = events.iter().filter(|event| event["sentence"]["key"] == *key);
        let event = found.next().unwrap_or_else(|| panic!("no {key}: {history}"));
        assert_eq!(event["sentence"]["params"]["reason"], reason, "{event}");
        assert!(found.next().is_none(), "{history}");
    }
    let asker = events
        .iter()
        .flat_map(|event| event["changes"].as_array().unwrap());
    let mut asker = asker.filter(|change| change["field"] == "refund_asked_by");
    assert_eq!(asker.next().unwrap()["to"], "support");
    officer.every_ledger_balances().await;
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
    history_tells_the_decline(&desk, &lead_id, "It was mended the same day").await;
}

/// Support's request to end a booking that finance declines stands in the lead's history with who declined it and why.
#[tokio::test]
async fn declined_end_of_a_booking_is_in_the_history() {
    let market = Market::open(&[1], &[]).await;
    let (_, lead_id, officer) = crate::payment_links::booked(&market).await;
    let captured = officer.events("&kind=captured").await["result"][0].clone();
    let payment = captured["payment_id"].as_str().unwrap();
    let amount = &captured["amount_minor"];
    let refund =
        json!({ "booking": "keep", "amount_minor": amount, "typed_minor": amount, "reason": "Visa refused" });
    let (status, answer) = officer
        .post(&format!("/api/v0/workspace/payments/{payment}/refunds"), refund)
        .await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    until(async || (officer.dossier(payment).await["can_cancel_booking"] == true).then_some(())).await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let ask = json!({ "act": "ask_cancellation", "reason": "She will not come" });
    desk.post(&format!("/api/v0/workspace/leads/{lead_id}/acts"), ask)
        .await
        .data();
    let waiting = officer.get(WAITING).await["data"].clone();
    let ask_id = waiting["decisions"][0]["request"]["ask_id"].as_str().unwrap();
    let decline = format!("/api/v0/workspace/payments/refund_requests/{ask_id}/decline");
    let (status, body) = officer
        .post(&decline, json!({ "reason": "She wrote that she comes" }))
        .await;
    assert_eq!(status, StatusCode::OK, "{body}");
    history_tells_the_decline(&desk, &lead_id, "She wrote that she comes").await;
}

/// The decline of finance stands in the lead's history with its reason.
async fn history_tells_the_decline(desk: &Visitor<'_>, lead_id: &str, reason: &str) {
    let path = format!("/api/v0/workspace/leads/{lead_id}/timeline");
    let history = desk.get(&path).await.data().clone();
    let mut events = history["events"].as_array().unwrap().iter();
    let declined = events.find(|event| event["sentence"]["key"] == "timeline.lead_acted.refund_declined");
    let declined = declined.unwrap_or_else(|| panic!("{history}"));
    assert_eq!(
        (
            &declined["actor"]["label"],
            &declined["sentence"]["params"]["reason"]
        ),
        (&json!("finance"), &json!(reason)),
        "{declined}"
    );
}
