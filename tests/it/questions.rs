//! What a student asks with an enquiry: staff read it on the lead for a reason, and it is the first message of its conversation (row I4).

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::Server;

use crate::market::until;
use crate::visitor::{Visitor, enquiry};

const WORDS: &str = "Is the gym included, and may my sister stay for a week?";

async fn asks(visitor: &Visitor<'_>, email: &str, words: &str) -> Value {
    let mut body = enquiry("Mei Lin", email);
    body["lead"]["data"]["user_query"] = json!(words);
    visitor.post("/api/v0/leads", body).await.data().clone()
}

/// The conversations about a lead, as staff list them.
async fn cases_of(desk: &Visitor<'_>, lead: &Value) -> Vec<Value> {
    let id = lead["id"].as_str().unwrap();
    let listed = desk.get(&format!("/api/v0/workspace/cases?lead_id={id}")).await;
    listed.data()["result"].as_array().unwrap().clone()
}

/// The words wait to be answered, stand first in their conversation, and are the student's to read once the lead is theirs.
#[tokio::test]
async fn question_opens_a_conversation_that_waits_for_staff() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let [guest, other, desk] = [(); 3].map(|()| Visitor::new(&server));
    desk.log_in_as("support").await;
    other.log_in("bo@example.com").await;
    let lead = asks(&guest, "mei@example.com", WORDS).await;
    let wordless = guest.post("/api/v0/leads", enquiry("Bo", "bo@example.com")).await;
    assert_eq!(cases_of(&desk, wordless.data()).await, Vec::<Value>::new());
    let [case] = &cases_of(&desk, &lead).await[..] else {
        panic!("one conversation for one question")
    };
    assert_eq!(
        (&case["message_count"], &case["status"], &case["last_side"]),
        (&json!(1), &json!("waits_for_staff"), &json!("person"))
    );
    assert!(!case.to_string().contains("gym"), "{case}");
    assert!(case["due_at"].is_string(), "{case}");
    let own = format!("/api/v0/support/cases/{}", case["case_id"].as_str().unwrap());
    assert_eq!(other.get("/api/v0/support/cases").await.data(), &json!([]));
    assert_eq!(other.get(&own).await.status, StatusCode::NOT_FOUND);
    assert_eq!(guest.get(&own).await.status, StatusCode::UNAUTHORIZED);
    let staff = format!("/api/v0/workspace/cases/{}", case["case_id"].as_str().unwrap());
    let read = desk.get(&staff).await.data().clone();
    assert_eq!(read["messages"][0]["words"], WORDS);
    let answer = json!({ "words": "The gym is included.", "channel": "email" });
    desk.post(&format!("{staff}/messages"), answer).await.data();
    guest.log_in("mei@example.com").await;
    let thread = guest.get(&own).await.data().clone();
    let words: Vec<&Value> = thread["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| &message["words"])
        .collect();
    assert_eq!(words, [WORDS, "The gym is included."]);
    // The same enquiry again asks nothing new.
    asks(&guest, "mei@example.com", WORDS).await;
    assert_eq!(cases_of(&desk, &lead).await.len(), 1);
}

/// The lead's history says that there is a question, masked; its words are shown with the contact, for a reason that is recorded.
#[tokio::test]
async fn question_is_masked_until_shown_for_a_reason() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let [guest, desk] = [(); 2].map(|()| Visitor::new(&server));
    desk.log_in_as("support").await;
    let lead = asks(&guest, "mei@example.com", WORDS).await;
    let base = format!("/api/v0/workspace/leads/{}", lead["id"].as_str().unwrap());
    let history = until(async || {
        let history = desk.get(&format!("{base}/timeline")).await.data().clone();
        let events = history["events"].as_array()?.iter();
        let mut changes = events.filter_map(|event| event["changes"].as_array()).flatten();
        let told = changes.find(|change| change["field"] == "question")?;
        assert_eq!(told["masked"], true, "{told}");
        Some(history)
    })
    .await;
    assert!(!history.to_string().contains("gym"), "{history}");
    let reveal = format!("{base}/reveal");
    let unasked = desk.post(&reveal, json!({ "reason": "" })).await;
    assert_eq!(unasked.fields(), ["reason"]);
    let shown = desk
        .post(&reveal, json!({ "reason": "To answer her question" }))
        .await;
    assert_eq!(shown.data()["user_query"], WORDS);
    until(async || {
        let history = desk.get(&format!("{base}/timeline")).await.data().clone();
        let events = history["events"].as_array()?.clone();
        let looked = |event: &Value| event["type"] == "UserPersonalDataRevealed";
        events.iter().any(looked).then_some(())
    })
    .await;
}
