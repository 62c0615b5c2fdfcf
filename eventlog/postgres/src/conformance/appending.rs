//! What one append promises on a database that is disturbed from outside.

use eventlog_conformance::appending::{all_are_written, fill, one_of_four_is_refused};

use super::{Databases, connected, ground, server};

eventlog_conformance::appending!(ground());

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_the_database_refuses_fails_alone() {
    one_of_four_is_refused(&ground().log().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_queue_says_busy_and_loses_nothing_that_it_took() {
    let databases = Databases::of(server());
    let log = databases.open().await;
    let blocker = connected(&databases.log).await;
    blocker
        .batch_execute("begin; select * from log_head for update")
        .await
        .expect("the head's lock");
    let taken = fill(&log);
    blocker
        .batch_execute("rollback")
        .await
        .expect("the lock is let go");
    all_are_written(&log, taken).await;
}
