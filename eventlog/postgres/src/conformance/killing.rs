//! What was answered survives the death of a node (RELIABILITY R1, on the log alone).

use eventlog::EventLog;
use eventlog_conformance::killing::{KILLS, KILLS_USUALLY, kills_lose_nothing, write_until_killed};
use futures::future::BoxFuture;
use tests::sample;

use super::{Databases, server};

fn log_at(place: &str) -> BoxFuture<'_, EventLog> {
    let (log, keys) = place.split_once(' ').expect("two addresses");
    Box::pin(async move { crate::open(log, keys).await.expect("the log opens") })
}

#[test]
fn killed_node_loses_no_answer() {
    let databases = Databases::of(server());
    kills_lose_nothing(
        &format!("{} {}", databases.log, databases.keys),
        log_at,
        "conformance::killing::a_process_that_writes_until_it_is_killed",
        sample!(KILLS => KILLS_USUALLY),
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_writes_until_it_is_killed() {
    write_until_killed(log_at).await;
}
