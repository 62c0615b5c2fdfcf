//! G16: a history that is too long to be sent whole is told by its outline and in pages.

use std::collections::BTreeMap;

use domain::id::{LeadId, UserId};
use domain::lead::{Lead, LeadEvent};
use domain::sealed::Sealed;
use eventlog::{Actor, Append, Context, Expected};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::Server;
use uuid::Uuid;

use crate::market::{log_of, until};
use crate::visitor::{Visitor, enquiry};

const MORE: u64 = 1_200;

/// Gives a lead from one to another, again and again.
async fn hand_around(server: &Server, lead: &Value) {
    let id = LeadId(lead["id"].as_str().unwrap().parse().unwrap());
    let at = "2027-01-02T12:00:00Z".parse().unwrap();
    let events: Vec<LeadEvent> = (0..MORE)
        .map(|number| LeadEvent::Assigned {
            owner: (number % 3 > 0).then(|| UserId(Uuid::from_u128(u128::from(number % 3)))),
            at,
            person_id: None,
            why: Sealed::default(),
        })
        .collect();
    let log = log_of(server).await;
    for some in events.chunks(100) {
        let append = Append::new(&Context::new(at, Actor::SYSTEM));
        let append = append.events::<Lead>(id, Expected::Any, some).unwrap();
        log.append(append).await.unwrap();
    }
}

/// What the fields hold after these changes.
fn folded(events: &[Value]) -> BTreeMap<String, Value> {
    let changes = events
        .iter()
        .map(|event| (event, event["changes"].as_array().unwrap()));
    let changes = changes.flat_map(|(event, changes)| changes.iter().map(move |change| (event, change)));
    changes
        .map(|(event, change)| {
            let name = format!(
                "{}/{}",
                event["stream"].as_str().unwrap(),
                change["field"].as_str().unwrap()
            );
            (name, change["to"].clone())
        })
        .collect()
}

/// What the outline says that they hold at event `n`.
fn outlined(outline: &Value, n: u64) -> BTreeMap<String, Value> {
    let mut state = BTreeMap::new();
    for track in outline["tracks"].as_array().unwrap() {
        let at = track["at"].as_array().unwrap();
        let before = at.partition_point(|at| at.as_u64().unwrap() <= n);
        if before > 0 {
            let became = usize::try_from(track["became"][before - 1].as_u64().unwrap()).unwrap();
            let name = format!(
                "{}/{}",
                track["stream"].as_str().unwrap(),
                track["field"].as_str().unwrap()
            );
            state.insert(name, track["values"][became].clone());
        }
    }
    state
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_history_is_told_by_its_outline_and_in_pages() {
    let server = Server::start();
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    mei.log_in("mei@example.com").await;
    let sent = mei
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await;
    let lead = sent.data().clone();
    desk.log_in_as("support").await;
    let path = format!(
        "/api/v0/workspace/leads/{}/timeline",
        lead["id"].as_str().unwrap()
    );
    let short = desk.get(&path).await.data().clone();
    assert_eq!(short["outline"], Value::Null);
    assert_eq!(short["count"], json!(short["events"].as_array().unwrap().len()));

    hand_around(&server, &lead).await;
    let long = until(async || {
        let long = desk.get(&path).await.data().clone();
        (long["count"].as_u64().unwrap() > MORE).then_some(long)
    })
    .await;
    let (count, outline) = (long["count"].as_u64().unwrap(), &long["outline"]);
    let newest = long["events"].as_array().unwrap();
    assert_eq!(newest.len(), 500);
    assert_eq!(newest[499]["n"], json!(count));

    let mut pages: Vec<Value> = Vec::new();
    while (pages.len() as u64) < count {
        let page = desk
            .get(&format!("{path}/events?from={}&limit=400", pages.len() + 1))
            .await;
        pages.extend(page.data()["events"].as_array().unwrap().iter().cloned());
    }
    assert_eq!(pages[pages.len() - 500..], newest[..]);
    assert_eq!(
        pages[..short["events"].as_array().unwrap().len()],
        short["events"].as_array().unwrap()[..]
    );
    for (index, event) in pages.iter().enumerate() {
        assert_eq!(event["n"], json!(index + 1));
        let stream = usize::try_from(outline["of_stream"][index].as_u64().unwrap()).unwrap();
        assert_eq!(long["streams"][stream]["stream_id"], event["stream_id"]);
    }
    for n in [1, 3, 600, count] {
        let upto = usize::try_from(n).unwrap();
        assert_eq!(outlined(outline, n), folded(&pages[..upto]), "at event {n}");
    }
    let empty = desk.get(&format!("{path}/events?from={}", count + 1)).await;
    assert_eq!(empty.data()["events"], json!([]));
    let nobody = "/api/v0/workspace/leads/01920000-0000-4000-8000-000000000000/timeline/events";
    assert_eq!(desk.get(nobody).await.status, StatusCode::NOT_FOUND);
}

/// A node on PostgreSQL keeps the state of a long stream and holds it against the log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_node_snapshots_long_streams_and_checks_them() {
    let address = tests::free_address();
    let (url, address) = (tests::cluster().database(), address.to_string());
    let server = Server::with(&[
        ("LATCHKEY_DATABASE", &url),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_METRICS_LISTEN", &address),
    ]);
    let mei = Visitor::new(&server);
    let sent = mei
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await;
    let lead = sent.data().clone();
    hand_around(&server, &lead).await;
    let link = format!("/api/v0/leads/{}", lead["lead_uuid"].as_str().unwrap());
    until(async || {
        assert_eq!(mei.get(&link).await.status, StatusCode::OK);
        let told = reqwest::get(format!("http://{address}/metrics")).await.unwrap();
        let told = told.text().await.unwrap();
        let mut lines = told.lines();
        lines.find(|line| line.starts_with("latchkey_snapshots_checked_total{"))?;
        Some(())
    })
    .await;
}
