//! What one append promises on a file that is disturbed from outside.

use eventlog_conformance::appending::{all_are_written, fill, one_of_four_is_refused};

use super::{ground, open};

eventlog_conformance::appending!(ground());

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_the_database_refuses_fails_alone() {
    one_of_four_is_refused(&ground().log().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_queue_says_busy_and_loses_nothing_that_it_took() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let log = open(dir.path()).await;
    let blocker = rusqlite::Connection::open(dir.path().join("log.db")).expect("a second connection");
    blocker.execute_batch("begin immediate").expect("the write lock");
    let taken = fill(&log);
    blocker.execute_batch("rollback").expect("the lock is let go");
    all_are_written(&log, taken).await;
}

#[test]
fn nothing_is_acknowledged_before_it_is_synced() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let file = crate::Sqlite::open(&dir.path().join("log.db")).expect("the log opens");
    assert_eq!(
        file.durability().expect("readable"),
        ("wal".to_owned(), 2),
        "synchronous = full"
    );
}
