//! How a database finds what readers ask for.

use eventlog_conformance::following::fill;

use super::{Databases, connected, ground, server};
use crate::read::CORRELATED;

eventlog_conformance::following!(ground());

/// What one request did is found without reading the log through.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_of_a_request_are_found_without_a_full_scan() {
    let databases = Databases::of(server());
    fill(&databases.open().await).await;
    let client = connected(&databases.log).await;
    client.batch_execute("analyze event").await.expect("counted");
    let asked = format!("explain {CORRELATED}")
        .replace("$1", "'00000000-0000-0000-0000-000000000007'")
        .replace("$2", "0")
        .replace("$3", "10");
    let steps = client.query(&asked, &[]).await.expect("a plan");
    let steps: Vec<String> = steps.iter().map(|row| row.get(0)).collect();
    let by_index = steps.iter().any(|step| step.contains("event_by_correlation"));
    let through = steps.iter().any(|step| step.contains("Seq Scan on event"));
    assert!(by_index && !through, "{steps:#?}");
}
