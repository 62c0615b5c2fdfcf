//! What was answered survives the death of the process (RELIABILITY R1, on the log alone).

use std::path::Path;

use eventlog_conformance::killing::{KILLS, KILLS_USUALLY, kills_lose_nothing, write_until_killed};
use tests::sample;

#[test]
fn killed_writer_loses_no_answer() {
    let dir = tempfile::TempDir::new().expect("a directory");
    kills_lose_nothing(
        dir.path().to_str().expect("a readable name"),
        |place| Box::pin(super::open(Path::new(place))),
        "conformance::killing::a_process_that_writes_until_it_is_killed",
        sample!(KILLS => KILLS_USUALLY),
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_writes_until_it_is_killed() {
    write_until_killed(|place| Box::pin(super::open(Path::new(place)))).await;
}
