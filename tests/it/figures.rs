//! What the log tells of its own work moves with what people do: additions, batches, conflicts, states at hand, and the queue
//! that fills up while the disk is held.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use futures::StreamExt as _;
use futures::future::join_all;
use futures::stream::FuturesUnordered;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::{Server, in_files};

use crate::feed_host::FeedHost;
use crate::heard::{metrics, told};
use crate::market::until;
use crate::visitor::{Answer, Visitor, enquiry};

const CLICKS: usize = 8;
/// Additions that may wait, where a story shortens the line.
const ROOM: usize = 16;
/// More than wait and are under way.
const CROWD: usize = 64;

const WRITTEN: &str = "latchkey_appends_total{end=\"written\"}";
const REPEATED: &str = "latchkey_appends_total{end=\"repeated\"}";
const CONFLICTS: &str = "latchkey_appends_total{end=\"conflict\"}";
const REFUSED: &str = "latchkey_appends_total{end=\"busy\"}";
const AT_HAND: &str = "latchkey_hot_states_total{found=\"yes\"}";
const QUEUE: &str = "latchkey_append_queue";

/// Presses Send so often at once; every press is answered with the same enquiry. Gives its id.
async fn pressed_at_once(visitor: &Visitor<'_>, email: &str) -> String {
    let presses = (0..CLICKS).map(|_| visitor.post("/api/v0/leads", enquiry("Mei Lin", email)));
    let answers = join_all(presses).await;
    let leads: BTreeSet<_> = answers
        .iter()
        .map(|answer| answer.data()["id"].as_str().unwrap())
        .collect();
    assert_eq!(leads.len(), 1, "{leads:?}");
    answers[0].data()["id"].as_str().unwrap().to_owned()
}

/// What is told once everybody has come to rest: whatever went through the writer in a batch was answered, timed and counted.
async fn at_rest(address: &str) -> String {
    until(async || {
        let now = metrics(address).await;
        let behind = |line: &str| line.starts_with("latchkey_read_model_lag_events") && !line.ends_with(" 0");
        let ended: f64 = [WRITTEN, REPEATED, CONFLICTS]
            .map(|end| told(&now, end))
            .iter()
            .sum();
        let same = |name: &str| (told(&now, name) - ended).abs() < f64::EPSILON;
        let rests = same("latchkey_append_batch_sum") && same("latchkey_append_seconds_count");
        (rests && !now.lines().any(behind) && told(&now, QUEUE) < 1.0).then_some(now)
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_never_happened_yet_is_counted_as_zero() {
    let address = tests::free_address().to_string();
    let _server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_METRICS_LISTEN", &address),
    ]);
    let now = metrics(&address).await;
    for never in [
        CONFLICTS,
        REFUSED,
        "latchkey_appends_total{end=\"failed\"}",
        "latchkey_snapshots_checked_total{right=\"no\"}",
        "latchkey_hot_states_total{found=\"no\"}",
        "latchkey_log_news_total{by=\"call\"}",
        "latchkey_mails_total{end=\"refused\"}",
        "latchkey_payments_total{end=\"not_begun\"}",
    ] {
        assert!(now.contains(&format!("{never} ")), "{never} is missing:\n{now}");
    }
}

/// Every figure that docs/operations/monitoring.md sets an alarm on has a rule, and no rule asks for a figure that is not served.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn alert_rules_name_figures_that_are_served() {
    let paper = |name: &str| {
        let path = format!("{}/../docs/operations/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).unwrap()
    };
    let rules = ["server-alerts.yml", "finance-alerts.yml"].map(paper).concat();
    let alerts = rules.matches("- alert: Latchkey").count();
    for part in [" expr: ", " labels: { severity: ", " annotations: { summary: \""] {
        assert_eq!(rules.matches(part).count(), alerts, "{part}");
    }
    let table = paper("monitoring.md");
    let alarms = table
        .lines()
        .filter(|line| line.starts_with("| `latchkey_") && line.contains("alarm"));
    for line in alarms {
        // A row may name several figures: one of them rings.
        let mut names = line.split('`').filter(|word| word.starts_with("latchkey_"));
        assert!(
            names.any(|name| rules.contains(name.trim_end_matches("_events"))),
            "no rule asks for {line}"
        );
    }
    let exprs = rules.lines().filter(|line| line.contains(" expr: "));
    let words =
        exprs.flat_map(|line| line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_'));
    let named: BTreeSet<&str> = words.filter(|word| word.starts_with("latchkey_")).collect();
    assert!(named.len() > 12, "{named:?}");
    let address = tests::free_address().to_string();
    // Runs of feeds are counted where there are feeds.
    let (host, folder) = (FeedHost::start(1), tempfile::tempdir().unwrap());
    let feeds = folder.path().join("feeds.toml");
    std::fs::write(&feeds, host.feeds_file()).unwrap();
    let _server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_METRICS_LISTEN", &address),
        ("LATCHKEY_FEEDS", feeds.to_str().unwrap()),
        ("LATCHKEY_OUTBOUND_PERMITTED", &host.socket()),
    ]);
    until(async || {
        let now = metrics(&address).await;
        let is_served =
            |name: &&str| now.contains(&format!("\n{name} ")) || now.contains(&format!("\n{name}{{"));
        named.iter().all(is_served).then_some(())
    })
    .await;
}

/// Additions batches conflicts and states at hand are counted as they happen.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn metrics_count_appends_batches_conflicts_and_hot_states() {
    let address = tests::free_address().to_string();
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_METRICS_LISTEN", &address),
    ]);
    let visitor = Visitor::new(&server);
    let before = at_rest(&address).await;
    let rounds = AtomicUsize::new(0);
    // Whoever decided on a lead that another press has made meanwhile decides again.
    let lead = until(async || {
        let round = rounds.fetch_add(1, Relaxed);
        let lead = pressed_at_once(&visitor, &format!("mei{round}@example.com")).await;
        let now = metrics(&address).await;
        (told(&now, CONFLICTS) > told(&before, CONFLICTS)).then_some(lead)
    })
    .await;
    let desk = Visitor::new(&server);
    desk.log_in_as("support").await;
    for note in ["Called, no answer", "Called again"] {
        let noted = format!("/api/v0/workspace/leads/{lead}/notes");
        desk.post(&noted, json!({ "note": note })).await.data();
    }
    let after = at_rest(&address).await;
    let moved = |name: &str| told(&after, name) - told(&before, name);
    assert!(moved(WRITTEN) >= 1.0 && moved(AT_HAND) >= 1.0, "{after}");
    let ended = moved("latchkey_append_batch_sum");
    let batches = moved("latchkey_append_batch_count");
    assert!(batches >= 1.0 && batches <= ended, "{after}");
}

/// Enquires under a key; the second time it is the same enquiry.
async fn asks(visitor: &Visitor<'_>, number: usize) -> (usize, Answer) {
    let key = format!("crowd-{number}");
    let body = enquiry("Mei Lin", &format!("mei{number}@example.com"));
    let headers = [("idempotency-key", key.as_str())];
    let answer = visitor
        .call(Method::POST, "/api/v0/leads", Some(body), &headers)
        .await;
    (number, answer)
}

/// A full queue sends people away for a moment and loses nobody whom it took.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_queue_refuses_for_a_moment_and_loses_nothing_taken() {
    let (address, room) = (tests::free_address().to_string(), ROOM.to_string());
    let server = Server::with(&[
        in_files("its log's file is held from outside"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_METRICS_LISTEN", &address),
        ("LATCHKEY_TEST_QUEUE", &room),
    ]);
    let visitors: Vec<_> = (1..)
        .take(CROWD)
        .map(|home| Visitor::from(&server, [127, 0, 9, home]))
        .collect();
    // The writer stands still, as on a disk that does not answer.
    let held = rusqlite::Connection::open(server.folder().join("log.db")).unwrap();
    held.execute_batch("begin immediate").unwrap();
    let mut answers: FuturesUnordered<_> = visitors
        .iter()
        .zip(0..)
        .map(|(it, number)| asks(it, number))
        .collect();
    let mut refused = vec![answers.next().await.unwrap()];
    let full = metrics(&address).await;
    assert!(told(&full, REFUSED) >= 1.0 && told(&full, QUEUE) >= 1.0, "{full}");
    held.execute_batch("rollback").unwrap();
    let mut taken: Vec<(usize, Value)> = Vec::new();
    while let Some((number, answer)) = answers.next().await {
        match answer.status {
            StatusCode::CREATED => taken.push((number, answer.data()["lead_uuid"].clone())),
            _ => refused.push((number, answer)),
        }
    }
    assert!(!taken.is_empty(), "nobody was taken");
    for (number, answer) in refused {
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{}", answer.body);
        assert_eq!(
            (answer.code(), answer.retry_after),
            ("busy", Some(1)),
            "{}",
            answer.body
        );
        // What follows from the enquiries of others wants a place in the short line too.
        let again = until(|| async {
            let (_, again) = asks(&visitors[number], number).await;
            (again.status != StatusCode::SERVICE_UNAVAILABLE).then_some(again)
        })
        .await;
        assert_eq!(again.status, StatusCode::CREATED, "{}", again.body);
        taken.push((number, again.data()["lead_uuid"].clone()));
    }
    assert_eq!(taken.len(), CROWD);
    for (number, lead) in taken {
        let path = format!("/api/v0/leads/{}", lead.as_str().unwrap());
        let read = visitors[number].get(&path).await;
        assert_eq!(read.status, StatusCode::OK, "enquiry {number} is lost");
    }
}
