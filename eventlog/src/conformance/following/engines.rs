//! How the engines find what readers ask for.

use uuid::Uuid;

use super::super::account::AccountEvent::Deposited;
use super::super::{Databases, account, connected, direct, open, server, somebody};
use crate::append::{Append, Expected};
use crate::log::EventLog;
use crate::{postgres, sqlite};

const REQUESTS: u128 = 4_000;

/// Fills a log with one event for each of many requests.
async fn fill(log: &EventLog) {
    let of_a_request = |number| {
        let mut append = direct(account(number % 50), Expected::Any, &[Deposited { amount: 1 }]);
        append.context = somebody().correlated(Uuid::from_u128(number));
        append
    };
    let appends: Vec<Append> = (0..REQUESTS).map(of_a_request).collect();
    log.append_many(appends).await.expect("written");
}

/// What one request did is found without reading the log through.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_of_a_request_are_found_without_a_full_scan() {
    let dir = tempfile::TempDir::new().expect("a directory");
    fill(&open(dir.path()).await).await;
    let file = rusqlite::Connection::open(dir.path().join("log.db")).expect("a second connection");
    let asked = format!(
        "explain query plan select e.position from event e {}",
        sqlite::CORRELATED
    );
    let mut plan = file.prepare(&asked).expect("a statement");
    let steps = plan.query_map(rusqlite::params![[0_u8; 16], 0, 10], |row| {
        row.get::<_, String>(3)
    });
    let steps: Vec<String> = steps
        .expect("a plan")
        .collect::<Result<_, _>>()
        .expect("readable");
    assert!(
        steps.iter().any(|step| step.contains("event_by_correlation")),
        "{steps:?}"
    );

    let databases = Databases::of(server());
    fill(&databases.open().await).await;
    let client = connected(&databases.log).await;
    client.batch_execute("analyze event").await.expect("counted");
    let asked = format!("explain {}", postgres::CORRELATED)
        .replace("$1", "'00000000-0000-0000-0000-000000000007'")
        .replace("$2", "0")
        .replace("$3", "10");
    let steps = client.query(&asked, &[]).await.expect("a plan");
    let steps: Vec<String> = steps.iter().map(|row| row.get(0)).collect();
    let by_index = steps.iter().any(|step| step.contains("event_by_correlation"));
    let through = steps.iter().any(|step| step.contains("Seq Scan on event"));
    assert!(by_index && !through, "{steps:#?}");
}
