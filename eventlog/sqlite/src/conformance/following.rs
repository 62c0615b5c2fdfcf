//! How a file finds what readers ask for.

use eventlog_conformance::following::fill;

use super::{ground, open};
use crate::read::CORRELATED;

eventlog_conformance::following!(ground());

/// What one request did is found without reading the log through.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_of_a_request_are_found_without_a_full_scan() {
    let dir = tempfile::TempDir::new().expect("a directory");
    fill(&open(dir.path()).await).await;
    let file = rusqlite::Connection::open(dir.path().join("log.db")).expect("a second connection");
    let asked = format!("explain query plan select e.position from event e {CORRELATED}");
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
}
