//! Conversations with support: a student asks, staff answer, both see one thread (row G4).

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::Server;

use crate::market::{Market, until};
use crate::visitor::{Visitor, enquiry, some_property};

const MEI: &str = "mei@example.com";

fn question() -> Value {
    json!({ "topic": "booking", "subject": "When do I get the key?", "words": "I arrive on a Sunday." })
}

fn words(thread: &Value) -> Vec<&str> {
    let messages = thread["messages"].as_array().unwrap();
    messages
        .iter()
        .map(|one| one["words"].as_str().unwrap())
        .collect()
}

/// The link in the newest mail of a conversation.
pub(crate) async fn link(visitor: &Visitor<'_>, to: &str) -> String {
    let found = until(async || {
        let sent = visitor.get(&format!("/dev/outbox?to={to}")).await;
        let sent = sent.data().as_array().unwrap().clone();
        let mail = sent.into_iter().find(|mail| mail["kind"] == "case_message")?;
        let body = mail["body"].as_str()?.to_owned();
        let from = body.find("/support/")?;
        body[from..].split_whitespace().next().map(str::to_owned)
    })
    .await;
    found.trim_start_matches("/support/").to_owned()
}

#[tokio::test]
async fn student_asks_and_staff_answer_in_one_thread() {
    let server = Server::start();
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    mei.log_in(MEI).await;
    desk.log_in_as("support").await;
    let opened = mei.post("/api/v0/support/cases", question()).await.data().clone();
    let id = opened["case_id"].as_str().unwrap();
    assert_eq!(opened["status"], "waits_for_staff");

    let queue = desk.get("/api/v0/workspace/cases").await.data().clone();
    assert_eq!(queue["counts"]["waits_for_staff"], 1);
    assert_eq!(queue["result"][0]["message_count"], 1);
    assert!(queue["result"][0]["due_at"].is_string());
    assert!(!queue.to_string().contains(MEI), "{queue}");

    let answer = json!({ "words": "The desk is open on Sundays.", "channel": "email" });
    let path = format!("/api/v0/workspace/cases/{id}/messages");
    let seen = desk.post(&path, answer).await.data().clone();
    assert_eq!(seen["case"]["status"], "waits_for_person");
    assert_eq!(seen["case"]["due_at"], Value::Null);

    let own = mei
        .get(&format!("/api/v0/support/cases/{id}"))
        .await
        .data()
        .clone();
    assert_eq!(
        words(&own),
        ["I arrive on a Sunday.", "The desk is open on Sundays."]
    );
    let list = mei.get("/api/v0/support/cases").await.data().clone();
    assert_eq!(
        (&list[0]["is_answered"], &list[0]["status"]),
        (&json!(true), &json!("waits_for_person"))
    );
}

#[tokio::test]
async fn mail_of_staff_leads_back_to_the_thread() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    let home = some_property(&mei).await;
    let mut body = enquiry("Mei Lin", MEI);
    body["lead"]["inventory_id"] = json!(home);
    let lead = mei.post("/api/v0/leads/", body).await.data().clone();
    desk.log_in_as("support").await;
    let templates = format!(
        "/api/v0/workspace/message_templates?lead_id={}",
        lead["id"].as_str().unwrap()
    );
    let template = desk.get(&templates).await.data()[0].clone();
    let reference = lead["reference"].as_str().unwrap();
    assert!(
        template["words"].as_str().unwrap().contains(reference),
        "{template}"
    );
    let first = json!({ "lead_id": lead["id"], "topic": "booking", "subject": template["subject"],
        "words": "Please send your passport.", "channel": "email" });
    let case = desk.post("/api/v0/workspace/cases", first).await.data().clone();
    let id = case["case"]["case_id"].as_str().unwrap();
    let token = link(&mei, MEI).await;

    let path = format!("/api/v0/support/links/{token}/messages");
    let thread = mei
        .post(&path, json!({ "words": "Here it comes." }))
        .await
        .data()
        .clone();
    assert_eq!(words(&thread), ["Please send your passport.", "Here it comes."]);
    let view = desk
        .get(&format!("/api/v0/workspace/cases/{id}"))
        .await
        .data()
        .clone();
    assert_eq!(view["case"]["status"], "waits_for_staff");
    assert_eq!(view["messages"][0]["outcome"], "sent");

    let history = format!(
        "/api/v0/workspace/leads/{}/timeline",
        lead["id"].as_str().unwrap()
    );
    let told = desk.get(&history).await.data().to_string();
    for sentence in [
        "case_opened.booking",
        "case_answered",
        "case_delivered",
        "case_asked",
    ] {
        assert!(told.contains(sentence), "{sentence}: {told}");
    }
    mei.wait(32 * 24 * 3_600).await;
    let over = mei.get(&format!("/api/v0/support/links/{token}")).await;
    assert_eq!((over.status, over.code()), (StatusCode::NOT_FOUND, "not_found"));
}

#[tokio::test]
async fn case_of_another_person_is_not_there() {
    let server = Server::start();
    let (mei, jo) = (Visitor::new(&server), Visitor::new(&server));
    mei.log_in(MEI).await;
    jo.log_in("jo@example.com").await;
    let opened = mei.post("/api/v0/support/cases", question()).await.data().clone();
    let path = format!("/api/v0/support/cases/{}", opened["case_id"].as_str().unwrap());
    assert_eq!(jo.get(&path).await.status, StatusCode::NOT_FOUND);
    let answer = json!({ "words": "Let me in" });
    assert_eq!(
        jo.post(&format!("{path}/messages"), answer).await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(*jo.get("/api/v0/support/cases").await.data(), json!([]));
    assert_eq!(
        Visitor::new(&server).get(&path).await.status,
        StatusCode::UNAUTHORIZED
    );
}

#[tokio::test]
async fn staff_take_close_and_reopen_a_case() {
    let server = Server::start();
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    mei.log_in(MEI).await;
    desk.log_in_as("support").await;
    let opened = mei.post("/api/v0/support/cases", question()).await.data().clone();
    let id = opened["case_id"].as_str().unwrap();
    let acts = format!("/api/v0/workspace/cases/{id}/acts");
    let taken = desk
        .post(&acts, json!({ "act": "assign", "owner": "me" }))
        .await
        .data()
        .clone();
    assert_eq!(taken["case"]["owner_name"], "support");
    let mine = desk.get("/api/v0/workspace/cases?owner=me").await.data().clone();
    assert_eq!(mine["meta"]["count"], 1);
    let closed = desk.post(&acts, json!({ "act": "close" })).await.data().clone();
    assert_eq!(closed["case"]["status"], "closed");
    let note = desk.post(&acts, json!({ "act": "note", "note": "" })).await;
    assert_eq!(
        (note.status, note.fields()),
        (StatusCode::UNPROCESSABLE_ENTITY, vec!["note"])
    );

    // Its person writes again: it is open again.
    let path = format!("/api/v0/support/cases/{id}/messages");
    mei.post(&path, json!({ "words": "One thing more" })).await.data();
    let open = desk
        .get("/api/v0/workspace/cases?status=waits_for_staff")
        .await
        .data()
        .clone();
    assert_eq!(
        (
            &open["result"][0]["last_side"],
            &open["result"][0]["message_count"]
        ),
        (&json!("person"), &json!(2))
    );
    mei.wait(25 * 3_600).await;
    let late = desk.get("/api/v0/workspace/cases?late=true").await.data().clone();
    assert_eq!(
        (&late["meta"]["count"], &late["counts"]["late"]),
        (&json!(1), &json!(1))
    );
}

/// Lists say who wrote, when and how many messages there are; words are read in the conversation alone, and its reader is recorded.
#[tokio::test]
async fn lists_of_conversations_hold_no_words() {
    let server = Server::start();
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    mei.log_in(MEI).await;
    desk.log_in_as("support").await;
    let opened = mei.post("/api/v0/support/cases", question()).await.data().clone();
    let id = opened["case_id"].as_str().unwrap();
    let more = json!({ "words": "My train comes at ten." });
    mei.post(&format!("/api/v0/support/cases/{id}/messages"), more)
        .await
        .data();
    let lists = [
        "cases",
        "cases?status=waits_for_staff",
        "cases?topic=booking&owner=none&limit=200",
        "leads",
    ];
    let mut seen = String::new();
    for list in lists {
        let answer = desk
            .get(&format!("/api/v0/workspace/{list}"))
            .await
            .data()
            .clone();
        if list.starts_with("cases") {
            let row = &answer["result"][0];
            assert_eq!(
                (&row["last_side"], &row["message_count"], &row["is_erased"]),
                (&json!("person"), &json!(2), &json!(false)),
                "{list}: {row}"
            );
            assert!(row["last_at"].is_string(), "{list}: {row}");
        }
        seen.push_str(&answer.to_string());
    }
    let own = mei.get("/api/v0/users/data_reads").await.data().clone();
    assert_eq!(own, json!([]), "a list is no look");
    let read = desk
        .get(&format!("/api/v0/workspace/cases/{id}"))
        .await
        .data()
        .clone();
    assert_eq!(read["subject"], "When do I get the key?");
    assert_eq!(words(&read), ["I arrive on a Sunday.", "My train comes at ten."]);
    let own = mei.get("/api/v0/users/data_reads").await.data().clone();
    assert_eq!(
        (&own[0]["what"], &own[0]["role"]),
        (&json!("case"), &json!("support"))
    );

    // What lists show of a conversation stays the same for who has opened it, taken it and was mentioned in it.
    let acts = format!("/api/v0/workspace/cases/{id}/acts");
    for act in [
        json!({ "act": "assign", "owner": "me" }),
        json!({ "act": "note", "note": "@support answers" }),
    ] {
        desk.post(&acts, act).await.data();
    }
    for list in ["cases?owner=me", "cases?mentions=me", "cases?late=true"] {
        let answer = desk
            .get(&format!("/api/v0/workspace/{list}"))
            .await
            .data()
            .clone();
        seen.push_str(&answer.to_string());
    }
    for words in ["get the key", "on a Sunday", "My train"] {
        assert!(!seen.contains(words), "{words}: {seen}");
    }
}

#[tokio::test]
async fn message_is_checked_and_sent_once() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    mei.log_in(MEI).await;
    for (field, value) in [
        ("topic", json!("weather")),
        ("subject", json!(" ")),
        ("words", json!("")),
        ("words", json!("x".repeat(4_001))),
    ] {
        let mut body = question();
        body[field] = value;
        let refused = mei.post("/api/v0/support/cases", body).await;
        assert_eq!(
            (refused.status, refused.fields()),
            (StatusCode::UNPROCESSABLE_ENTITY, vec![field])
        );
    }
    let headers = [("Idempotency-Key", "one-question")];
    let mut ids = Vec::new();
    for _ in 0..2 {
        let answer = mei
            .call(
                reqwest::Method::POST,
                "/api/v0/support/cases",
                Some(question()),
                &headers,
            )
            .await;
        ids.push(answer.data()["case_id"].clone());
    }
    assert_eq!(ids[0], ids[1]);
    assert_eq!(
        mei.get("/api/v0/support/cases")
            .await
            .data()
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn words_of_a_case_go_with_a_forgotten_person() {
    let server = Server::start();
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    mei.log_in(MEI).await;
    desk.log_in_as("support").await;
    let opened = mei.post("/api/v0/support/cases", question()).await.data().clone();
    let id = opened["case_id"].as_str().unwrap();
    server.run(&["forget", "--email", MEI]);
    let path = format!("/api/v0/workspace/cases/{id}");
    let view = until(async || {
        let view = desk.get(&path).await.data().clone();
        view["subject"].is_null().then_some(view)
    })
    .await;
    assert_eq!(view["case"]["is_erased"], true);
    assert_eq!(view["messages"][0]["words"], Value::Null);
    let answer = json!({ "words": "Are you there?", "channel": "email" });
    let refused = desk.post(&format!("{path}/messages"), answer).await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::CONFLICT, "forgotten")
    );
}
