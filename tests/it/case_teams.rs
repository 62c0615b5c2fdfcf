//! Colleagues in a conversation: a note mentions one, and a team is given the case (row I4).

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::Server;

use crate::market::until;
use crate::visitor::{Visitor, enquiry};

const CASES: &str = "/api/v0/workspace/cases";

pub(crate) async fn opened(desk: &Visitor<'_>, lead: &Value) -> String {
    let case = json!({ "lead_id": lead["id"], "topic": "booking", "subject": "Your move-in day",
        "words": "The keys are at the desk from eight.", "channel": "email" });
    let opened = desk.post(CASES, case).await;
    assert_eq!(opened.status, StatusCode::CREATED, "{}", opened.body);
    format!("{CASES}/{}", opened.data()["case"]["case_id"].as_str().unwrap())
}

/// The mentioned colleague finds the case under "mentions me", reads the note there, and is sent one mail without its words.
#[tokio::test]
async fn note_mentions_a_colleague_and_a_team_is_given_the_case() {
    let teams = ("LATCHKEY_TEAMS", "payments=boss@staff.example,moving in");
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false"), teams]);
    let [mei, desk, boss] = [(); 3].map(|()| Visitor::new(&server));
    server.run(&["grant", "--email", "boss@staff.example", "--role", "admin"]);
    desk.log_in_as("support").await;
    boss.log_in("boss@staff.example").await;
    let lead = mei
        .post("/api/v0/leads", enquiry("Mei Lin", "mei@example.com"))
        .await
        .data()
        .clone();
    let case = opened(&desk, &lead).await;
    let acts = format!("{case}/acts");
    let unknown = desk
        .post(&acts, json!({ "act": "note", "note": "@nobody please look" }))
        .await;
    assert_eq!(unknown.fields(), ["note"]);
    let shown = desk.get(&case).await.data().clone();
    let handles: Vec<&str> = shown["colleagues"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["handle"].as_str())
        .collect();
    assert!(handles.contains(&"boss"), "{shown}");
    let words = "@boss she pays by cheque";
    let noted = desk.post(&acts, json!({ "act": "note", "note": words })).await;
    assert_eq!(noted.data()["notes"][0]["words"], words);
    assert_eq!(noted.data()["notes"][0]["by"], "support");

    let mentions = async |visitor: &Visitor<'_>| {
        let found = visitor.get(&format!("{CASES}?mentions=me")).await.data().clone();
        assert_eq!(found["counts"]["mentions"], found["meta"]["count"]);
        found["meta"]["count"].clone()
    };
    assert_eq!(
        (mentions(&boss).await, mentions(&desk).await),
        (json!(1), json!(0))
    );
    let mails = until(async || {
        let outbox = boss.get("/dev/outbox?to=boss@staff.example").await;
        let all = outbox.data().as_array().unwrap().clone();
        let told: Vec<Value> = all
            .into_iter()
            .filter(|mail| mail["kind"] == "mentioned_in_case")
            .collect();
        (!told.is_empty()).then_some(told)
    })
    .await;
    assert_eq!(mails.len(), 1);
    assert!(!mails[0].to_string().contains("cheque"), "{}", mails[0]);

    let wrong = desk
        .post(&acts, json!({ "act": "team", "team": "gardening" }))
        .await;
    assert_eq!(wrong.fields(), ["team"]);
    let given = desk
        .post(&acts, json!({ "act": "team", "team": "payments" }))
        .await;
    assert_eq!(given.data()["case"]["team"], "payments");
    let of_team = async |visitor: &Visitor<'_>| {
        visitor.get(&format!("{CASES}?team=mine")).await.data()["meta"]["count"].clone()
    };
    assert_eq!((of_team(&boss).await, of_team(&desk).await), (json!(1), json!(0)));
    let taken = desk.post(&acts, json!({ "act": "team" })).await;
    assert_eq!(taken.data()["case"]["team"], Value::Null);
    assert_eq!(of_team(&boss).await, json!(0));
}
