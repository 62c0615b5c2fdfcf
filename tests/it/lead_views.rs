//! Views of the leads' list with live counts, and who else looks at a lead.

use std::time::Duration;

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::nodes::{market_on_postgres, node_beside};
use crate::visitor::{Visitor, enquiry};

const VIEWS: &str = "/api/v0/workspace/leads/views";
const LIVE: &str = "/api/v0/workspace/leads/live";
/// What the desk promises is a second; a machine that builds beside it has worse moments.
const PATIENCE: Duration = Duration::from_secs(20);

/// Reads a stream until an event of this name says what is waited for.
async fn told(stream: &mut Response, name: &str, is_it: impl Fn(&Value) -> bool) -> Value {
    let mut text = String::new();
    let reading = async {
        loop {
            let piece = stream.chunk().await.unwrap().unwrap();
            text.push_str(&String::from_utf8_lossy(&piece));
            while let Some((event, rest)) = text.split_once("\n\n") {
                let found = value_of(event, name).filter(|value| is_it(value));
                let read = text.len() - rest.len();
                text.drain(..read);
                if let Some(value) = found {
                    return value;
                }
            }
        }
    };
    tokio::time::timeout(PATIENCE, reading).await.unwrap()
}

fn value_of(event: &str, name: &str) -> Option<Value> {
    let of_name = event.lines().any(|line| line == format!("event: {name}"));
    let value = event.lines().find_map(|line| line.strip_prefix("data: "))?;
    of_name.then(|| serde_json::from_str(value).unwrap())
}

async fn enquires(server: &Server, name: &str) -> String {
    let email = format!("{}@example.com", name.to_lowercase());
    let sent = Visitor::new(server)
        .post("/api/v0/leads/", enquiry(name, &email))
        .await;
    sent.data()["id"].as_str().unwrap().to_owned()
}

async fn counts(desk: &Visitor<'_>) -> Vec<(String, u64)> {
    let views = desk.get(VIEWS).await.data().clone();
    let shown = |view: &Value| view["name"].as_str().or(view["id"].as_str()).unwrap().to_owned();
    let views = views.as_array().unwrap().iter();
    views
        .map(|view| (shown(view), view["count"].as_u64().unwrap()))
        .collect()
}

#[tokio::test]
async fn views_are_saved_renamed_shared_and_deleted() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let (desk, other) = (Visitor::new(&server), Visitor::new(&server));
    desk.log_in_as("support").await;
    other.log_in_as("admin").await;
    enquires(&server, "Mei").await;
    let built_in = [
        "mine",
        "my_team",
        "unanswered",
        "late",
        "declined_today",
        "holds_ending",
        "disputes",
        "waits_for_student",
    ];
    let names: Vec<String> = counts(&desk).await.into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, built_in);
    let new = json!({ "name": " From the  newsletter ", "filters": { "source": "newsletter", "q": "today" }, "shared": false });
    let saved = desk.post(VIEWS, new).await;
    assert_eq!(saved.status, StatusCode::CREATED);
    assert_eq!(
        (&saved.data()["name"], &saved.data()["count"]),
        (&json!("From the newsletter"), &json!(1))
    );
    let own = format!("{VIEWS}/{}", saved.data()["id"].as_str().unwrap());
    assert_eq!(counts(&other).await.len(), built_in.len());
    desk.put(&own, json!({ "name": "Newsletter", "shared": true }))
        .await
        .data();
    assert!(counts(&other).await.contains(&("Newsletter".to_owned(), 1)));
    assert_eq!(other.delete(&own).await.status, StatusCode::NOT_FOUND);
    assert_eq!(
        other.put(&own, json!({ "name": "Mine now" })).await.status,
        StatusCode::NOT_FOUND
    );
    desk.delete(&own).await.data();
    assert_eq!(counts(&desk).await.len(), built_in.len());
}

/// A view keeps no name, address or number of a person, and says which field is wrong.
#[tokio::test]
async fn views_refuse_words_of_a_person_and_unknown_filters() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let desk = Visitor::new(&server);
    desk.log_in_as("support").await;
    for (filters, field) in [
        (json!({ "q": "mei@example.com" }), "q"),
        (json!({ "q": "mei booked" }), "q"),
        (json!({ "status": "sold" }), "status"),
        (json!({ "created_from": "soon" }), "created_from"),
    ] {
        let refused = desk.post(VIEWS, json!({ "name": "A", "filters": filters })).await;
        assert_eq!(refused.fields(), [field], "{}", refused.body);
    }
    let unnamed = desk.post(VIEWS, json!({ "name": " ", "filters": {} })).await;
    assert_eq!(unnamed.fields(), ["name"]);
}

/// Counts beside the views come by the stream, without asking again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stream_tells_counts_as_they_change() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let desk = Visitor::new(&server);
    desk.log_in_as("support").await;
    let mut live = desk.open(LIVE).await;
    told(&mut live, "counts", |told| told["views"]["unanswered"] == 0).await;
    let lead = enquires(&server, "Mei").await;
    let before = told(&mut live, "counts", |told| told["views"]["unanswered"] == 1).await;
    let assign = format!("/api/v0/workspace/leads/{lead}/assign");
    desk.post(&assign, json!({ "owner": "me" })).await.data();
    let taken = told(&mut live, "counts", |told| told["views"]["mine"] == 1).await;
    assert_eq!(taken["views"]["unanswered"], 1, "taken, and not answered");
    let call = json!({ "act": "record_call", "reached": true });
    let acts = format!("/api/v0/workspace/leads/{lead}/acts");
    desk.post(&acts, call).await.data();
    let after = told(&mut live, "counts", |told| told["views"]["unanswered"] == 0).await;
    assert_eq!(
        (
            &after["views"]["unanswered"],
            &after["views"]["waits_for_student"]
        ),
        (&json!(0), &json!(1))
    );
    assert!(after["newest"].as_i64() > before["newest"].as_i64());
}

/// Two members of staff at one lead see each other, at any node; a page that closes is gone, and writing is told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn staff_at_one_lead_see_each_other_at_any_node() {
    let market = market_on_postgres(&[1]).await;
    let (server, elsewhere) = (&market.server, node_beside(&market.server));
    let (one, admin) = (Visitor::new(server), Visitor::new(server));
    one.log_in_as("support").await;
    admin.log_in_as("admin").await;
    let other = admin.moved(&elsewhere);
    let lead = enquires(server, "Mei").await;
    let page = format!("{LIVE}?lead_id={lead}");
    let mut first = one.open(&page).await;
    told(&mut first, "presence", |told| told["people"] == json!([])).await;
    let mut second = other.open(&page).await;
    let seen = told(&mut second, "presence", |told| {
        told["people"][0]["writing"] == false
    })
    .await;
    assert_eq!(seen["people"][0]["name"], "support");
    told(&mut first, "presence", |told| {
        told["people"][0]["name"] == "admin"
    })
    .await;
    let writing = format!("/api/v0/workspace/leads/{lead}/presence");
    // Said at the node where its stream is not open.
    admin.post(&writing, json!({ "writing": true })).await.data();
    told(&mut first, "presence", |told| {
        told["people"][0]["writing"] == true
    })
    .await;
    drop(second);
    told(&mut first, "presence", |told| told["people"] == json!([])).await;
}

/// Pages that are left as soon as they open, in the middle of being written down, leave nobody behind.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_left_while_they_open_are_gone() {
    let market = market_on_postgres(&[1]).await;
    let (server, elsewhere) = (&market.server, node_beside(&market.server));
    let (one, admin) = (Visitor::new(server), Visitor::new(server));
    one.log_in_as("support").await;
    admin.log_in_as("admin").await;
    let other = admin.moved(&elsewhere);
    let lead = enquires(server, "Mei").await;
    let page = format!("{LIVE}?lead_id={lead}");
    let mut first = one.open(&page).await;
    told(&mut first, "presence", |told| told["people"] == json!([])).await;
    for _ in 0..12 {
        let mut left = other.open(&page).await;
        told(&mut first, "presence", |told| {
            told["people"][0]["name"] == "admin"
        })
        .await;
        // Its own first look has come or not: it ends in the middle of whatever it does.
        drop(left.chunk().await.unwrap());
        drop(left);
        told(&mut first, "presence", |told| told["people"] == json!([])).await;
    }
}
